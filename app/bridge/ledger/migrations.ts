import { maxTokens } from '../../service/ledger.ts';

/** The schema of a shared ledger, and the version of what is in it: the next one where anything below is changed. */
export const tables = 'tillside_bridge';
export const tablesVersion = 1;

/**
 * The tables of a shared ledger, and what must be decided at once: `admit` and `change` are one statement of a bridge
 * each, so that one that is killed leaves all of it or nothing, and holds no lock on.
 */
export const sharedTables = `
  BEGIN;
  SELECT pg_advisory_xact_lock(hashtext('tillside_bridge'), 0);
  CREATE SCHEMA IF NOT EXISTS tillside_bridge;
  SET LOCAL search_path = tillside_bridge;
  CREATE TABLE IF NOT EXISTS made (id integer PRIMARY KEY CHECK (id = 1), version integer NOT NULL);
  INSERT INTO made VALUES (1, ${tablesVersion}) ON CONFLICT (id) DO UPDATE SET version = excluded.version;
  CREATE TABLE IF NOT EXISTS token (
    hash text PRIMARY KEY, kind text NOT NULL, client_id text NOT NULL, user_id text NOT NULL, expires_at float8 NOT NULL
  );
  CREATE INDEX IF NOT EXISTS token_by_client ON token (client_id, kind, expires_at);
  CREATE TABLE IF NOT EXISTS kept_answer (
    client_id text, key text, status integer NOT NULL, body text NOT NULL, PRIMARY KEY (client_id, key)
  );
  CREATE TABLE IF NOT EXISTS arrival (client_id text NOT NULL, at float8 NOT NULL);
  CREATE INDEX IF NOT EXISTS arrival_by_client ON arrival (client_id, at);
  CREATE TABLE IF NOT EXISTS coupon_setting (
    company_id text, product_id text, is_enabled boolean NOT NULL, PRIMARY KEY (company_id, product_id)
  );
  CREATE TABLE IF NOT EXISTS coupon_pending (
    source_id text PRIMARY KEY, is_enabled boolean NOT NULL, number bigserial UNIQUE
  );
  CREATE TABLE IF NOT EXISTS id_of (
    source_id text PRIMARY KEY, id bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000000000001) UNIQUE
  );

  -- Null to let the request pass; else how many milliseconds ago the arrival was that must first grow old. By the clock
  -- of this server, for those of the bridges differ.
  CREATE OR REPLACE FUNCTION admit(client text, window_ms float8, most integer, is_refusal_counted boolean)
  RETURNS float8 LANGUAGE plpgsql SET search_path = tillside_bridge AS $$
  DECLARE
    moment float8;
    in_the_way float8;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('tillside_bridge.arrival'), hashtext(client));
    moment := extract(epoch FROM clock_timestamp()) * 1000;
    DELETE FROM arrival WHERE client_id = client AND (at <= moment - window_ms OR at > moment + 60000);
    SELECT at INTO in_the_way FROM arrival WHERE client_id = client ORDER BY at DESC OFFSET most - 1 LIMIT 1;
    IF in_the_way IS NULL OR is_refusal_counted THEN
      INSERT INTO arrival VALUES (client, moment);
    END IF;
    RETURN moment - in_the_way;
  END $$;

  -- False, with nothing changed, where the key has an answer; the same key at another bridge is waited for.
  CREATE OR REPLACE FUNCTION change(client text, its_key text, its_status integer, its_body text, writes jsonb)
  RETURNS boolean LANGUAGE plpgsql SET search_path = tillside_bridge AS $$
  DECLARE
    spent integer;
  BEGIN
    IF its_key IS NOT NULL THEN
      INSERT INTO kept_answer VALUES (client, its_key, its_status, its_body) ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        RETURN false;
      END IF;
    END IF;
    DELETE FROM token WHERE hash IN (SELECT jsonb_array_elements_text(writes->'spent'));
    GET DIAGNOSTICS spent = ROW_COUNT;
    IF spent < jsonb_array_length(writes->'spent') THEN
      RAISE EXCEPTION 'the token is spent' USING ERRCODE = 'TB001';
    END IF;
    INSERT INTO token SELECT added.* FROM jsonb_to_recordset(writes->'tokens')
      AS added (hash text, kind text, client_id text, user_id text, expires_at float8);
    DELETE FROM token WHERE hash IN (
      SELECT old.hash FROM (SELECT DISTINCT kind, client_id FROM jsonb_to_recordset(writes->'tokens')
        AS added (kind text, client_id text)) one, LATERAL (
        SELECT hash FROM token WHERE token.client_id = one.client_id AND token.kind = one.kind
        ORDER BY expires_at DESC OFFSET ${maxTokens}
      ) old
    );
    -- Two changes of the same products take these rows in one order: none waits for the other in a circle.
    INSERT INTO coupon_setting SELECT made.* FROM jsonb_to_recordset(writes->'coupons')
      AS made (company_id text, product_id text, is_enabled boolean) ORDER BY company_id, product_id
      ON CONFLICT (company_id, product_id) DO UPDATE SET is_enabled = excluded.is_enabled;
    INSERT INTO coupon_pending SELECT made.* FROM jsonb_to_recordset(writes->'pending')
      AS made (source_id text, is_enabled boolean)
      ON CONFLICT (source_id) DO UPDATE SET is_enabled = excluded.is_enabled, number = excluded.number;
    RETURN true;
  END $$;
  COMMIT
`;
