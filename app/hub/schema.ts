import { fail, succeed, type Result } from '../domain/result.ts';
import {
  maxAccountsOfTill,
  maxBytesOfTill,
  maxRecordLength,
  maxRecordsLength,
  maxRows,
  maxTextsOfTill,
  newsPrefix,
  textPrefix,
} from './link.ts';

/** One step forward of the hub's schema. Numbers rise by one from 1; what has shipped is never changed. */
interface HubMigration {
  readonly version: number;
  readonly sql: string;
}

/** On this channel the server names the register of news that has been written. */
export const bellChannel = 'tillside_hub';

/** From an empty database to the present. */
export const hubMigrations: readonly HubMigration[] = [
  {
    version: 1,
    sql: `
create schema tillside_hub;
create table tillside_hub.meta (schema_version int not null, is_unused boolean not null);
insert into tillside_hub.meta values (0, true);
create table tillside_hub.accounts (
  account text primary key,
  version bigint not null,
  document text not null,
  written_at timestamptz not null
);

create function tillside_hub.hub_read(
  p_account text, out schema_version int, out version bigint, out document text, out is_unused boolean,
  out server_ms float8
) language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Before the document is read, so that it is never older than this says.
  server_ms := extract(epoch from clock_timestamp()) * 1000;
  select m.schema_version, m.is_unused into schema_version, is_unused from tillside_hub.meta m;
  select a.version, a.document into version, document from tillside_hub.accounts a where a.account = p_account;
  version := coalesce(version, 0);
end $$;

create function tillside_hub.hub_write(p_account text, p_version bigint, p_read_ms float8, p_document text)
returns boolean language plpgsql volatile strict security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_written boolean;
begin
  if char_length(p_account) > 200 then
    raise exception 'the account is too long' using errcode = '22001';
  end if;
  if char_length(p_document) > 400000 then
    raise exception 'the document is too long' using errcode = '22001';
  end if;
  -- To the end of the transaction: an answered write is on the disk, whatever the server's settings say.
  perform set_config('synchronous_commit', 'on', true);
  begin
    if p_version = 0 then
      insert into tillside_hub.accounts values (p_account, 1, p_document, clock_timestamp()) on conflict do nothing;
      is_written := found;
      update tillside_hub.meta set is_unused = false where is_unused and is_written;
    else
      update tillside_hub.accounts set version = version + 1, document = p_document, written_at = clock_timestamp()
        where account = p_account and version = p_version;
      is_written := found;
    end if;
    -- Last, for the row may have been waited for.
    if not (extract(epoch from clock_timestamp()) * 1000 - p_read_ms between 0 and 5000) then
      raise exception 'the reading is too old' using errcode = 'TH001';
    end if;
  exception when sqlstate 'TH001' then
    is_written := false;
  end;
  return is_written;
end $$;

revoke all on schema tillside_hub from public;
revoke all on all tables in schema tillside_hub from public;
revoke all on all functions in schema tillside_hub from public;`,
  },
  {
    version: 2,
    sql: `
create function tillside_hub.ring() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('${bellChannel}', new.account);
  return null;
end $$;
create trigger ring after insert or update on tillside_hub.accounts
  for each row when (new.account like '${newsPrefix}%') execute function tillside_hub.ring();
revoke all on all functions in schema tillside_hub from public;`,
  },
  {
    version: 3,
    sql: `
-- Free room lets a row be written beside its last version, without a change of the index.
create table tillside_hub.members (
  account text not null,
  member text not null,
  version bigint not null,
  record text not null,
  primary key (account, member)
) with (fillfactor = 40);

-- Whatever the hub has lost, it has lost before its life began: that ends with the server, and whenever accounts are
-- removed or this row is written, as by whoever restores a copy. In the life in which the hub was made it is intact.
create table tillside_hub.life (made_in text);
create function tillside_hub.life_now() returns text language sql volatile security definer
set search_path = pg_catalog, pg_temp as $$
  select concat(extract(epoch from pg_postmaster_start_time()), ' ', l.xmin) from tillside_hub.life l limit 1
$$;
insert into tillside_hub.life select concat(extract(epoch from pg_postmaster_start_time()), ' ', n.xmin)
  from pg_namespace n where n.nspname = 'tillside_hub' and n.xmin = pg_current_xact_id()::xid;
insert into tillside_hub.life select null where not exists (select from tillside_hub.life);
create function tillside_hub.end_life() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  update tillside_hub.life set made_in = null;
  return null;
end $$;
create trigger end_life after delete or truncate on tillside_hub.accounts
  for each statement execute function tillside_hub.end_life();

-- An earlier version of the app calls the two functions that it knows, and stops at a schema that is not 2.
create or replace function tillside_hub.hub_read(
  p_account text, out schema_version int, out version bigint, out document text, out is_unused boolean,
  out server_ms float8
) language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Before the document is read, so that it is never older than this says.
  server_ms := extract(epoch from clock_timestamp()) * 1000;
  select case m.schema_version when 3 then 2 else m.schema_version end into schema_version from tillside_hub.meta m;
  select a.version, a.document into version, document from tillside_hub.accounts a where a.account = p_account;
  is_unused := exists (select from tillside_hub.life l where l.made_in = tillside_hub.life_now());
  version := coalesce(version, 0);
end $$;

create function tillside_hub.hub_read_rows(
  p_account text, p_since bigint, out schema_version int, out version bigint, out document text, out is_unused boolean,
  out server_ms float8, out rows json, out life text
) language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  server_ms := extract(epoch from clock_timestamp()) * 1000;
  -- One statement sees the text and its rows as of one moment.
  select m.schema_version, coalesce(a.version, 0), a.document, coalesce(
      (select json_agg(json_build_object('member', r.member, 'version', r.version, 'record', r.record))
        from tillside_hub.members r where r.account = p_account and r.version > p_since), '[]')
    into schema_version, version, document, rows
    from tillside_hub.meta m left join tillside_hub.accounts a on a.account = p_account;
  -- After the text was read: what was lost before has ended the life before.
  life := tillside_hub.life_now();
  is_unused := exists (select from tillside_hub.life l where l.made_in = hub_read_rows.life);
end $$;

create function tillside_hub.hub_write_rows(
  p_account text, p_version bigint, p_read_ms float8, p_document text, p_members text[], p_records text[]
) returns boolean language plpgsql volatile strict security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from unnest(p_members, p_records) c (member, record)
      where char_length(c.member) > 200 or char_length(c.record) > ${maxRecordLength}) then
    raise exception 'a record is too long' using errcode = '22001';
  end if;
  -- Whoever has written the account holds its row to the end: nothing below waits.
  if not tillside_hub.hub_write(p_account, p_version, p_read_ms, p_document) then
    return false;
  end if;
  delete from tillside_hub.members r using unnest(p_members, p_records) c (member, record)
    where r.account = p_account and r.member = c.member and c.record is null;
  insert into tillside_hub.members select p_account, c.member, p_version + 1, c.record
    from unnest(p_members, p_records) c (member, record) where c.record is not null
    on conflict (account, member) do update set version = excluded.version, record = excluded.record;
  if (select count(*) > ${maxRows} or sum(char_length(r.record)) > ${maxRecordsLength}
      from tillside_hub.members r where r.account = p_account) then
    raise exception 'too many records' using errcode = '54000';
  end if;
  return true;
end $$;
revoke all on all tables in schema tillside_hub from public;
revoke all on all functions in schema tillside_hub from public;`,
  },
  {
    version: 4,
    sql: `
-- The group in which each till has a role of its own.
alter table tillside_hub.meta add tills name;
create table tillside_hub.tills (
  role name primary key,
  name text not null check (char_length(name) <= 200),
  has_arrived boolean not null default false
);

-- What a role has written last counts as its own. Only what is new, or grows, is looked at.
alter table tillside_hub.accounts add writer oid;
create function tillside_hub.keep_quota() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  me oid := quote_ident(session_user)::regrole;
  is_over boolean := false;
begin
  if tg_table_name = 'members' then
    is_over := (select count(distinct r.account) > ${maxAccountsOfTill} from tillside_hub.members r
      join tillside_hub.accounts a using (account) where a.writer = me);
  else
    new.writer := me;
    if tg_op = 'INSERT' or octet_length(new.document) / 4096 > octet_length(old.document) / 4096 then
      is_over := (select count(*) >= ${maxTextsOfTill} or
          sum(octet_length(a.document)) + octet_length(new.document) > ${maxBytesOfTill}
        from tillside_hub.accounts a where a.writer = me and a.account <> new.account);
    end if;
  end if;
  if is_over then
    raise exception 'this till has written too much' using errcode = '54000';
  end if;
  return new;
end $$;
create trigger keep_quota before insert or update on tillside_hub.accounts
  for each row execute function tillside_hub.keep_quota();
create trigger keep_quota after insert on tillside_hub.members
  for each row execute function tillside_hub.keep_quota();

-- Ends sessions of the group that have been in one transaction for five seconds: no till of ours ever is.
create function tillside_hub.end_stuck() returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  tills oid[] := array(select r.oid from pg_auth_members t join pg_roles g on g.oid = t.roleid
    join tillside_hub.meta m on m.tills = g.rolname
    join pg_roles r on r.oid = t.member and starts_with(r.rolname, 'tillside_t'));
  till name;
begin
  -- Who made a role need not have its rights.
  for till in select r.rolname from pg_roles r where r.oid = any(tills) and not pg_has_role(r.oid, 'usage') loop
    execute format('grant %I to current_user', till);
  end loop;
  perform pg_terminate_backend(a.pid) from pg_stat_activity a where a.datname = current_database()
    and a.usesysid = any(tills) and a.xact_start < clock_timestamp() - interval '5 s';
end $$;

-- Whoever holds a row makes others wait for a second, and loses its session after five. To tills of an earlier version
-- the hub is as they know it.
do $$ begin
  execute replace(replace(pg_get_functiondef('tillside_hub.hub_write'::regproc),
    'perform set_config(', 'perform set_config(''lock_timeout'', ''1s'', true), set_config('),
    'exception when', 'exception when lock_not_available then
    perform tillside_hub.end_stuck();
    is_written := false;
  when');
  execute replace(pg_get_functiondef('tillside_hub.hub_read'::regproc), 'when 3 then 2', 'when 3 then 2 when 4 then 2');
  execute replace(pg_get_functiondef('tillside_hub.hub_read_rows'::regproc),
    'select m.schema_version,', 'select case m.schema_version when 4 then 3 else m.schema_version end,');
end $$;

-- The role that a till is to sign in with from now on; null where there are too many. The verifier is what PostgreSQL
-- keeps of its password.
create function tillside_hub.hub_join(p_name text, p_verifier text) returns text language plpgsql volatile strict
security definer set search_path = pg_catalog, pg_temp as $$
declare
  tills name := (select m.tills from tillside_hub.meta m);
  till name;
begin
  if p_verifier !~ '^SCRAM-SHA-256[$]4096:[A-Za-z0-9+/=]{24}[$][A-Za-z0-9+/=]{44}:[A-Za-z0-9+/=]{44}$' then
    raise exception 'no verifier' using errcode = '22023';
  end if;
  -- Those that the server did not let in when they were made, as long as pg_hba.conf does not name the group.
  for till in select t.role from tillside_hub.tills t where t.name = p_name and not t.has_arrived for update loop
    begin
      execute format('drop role if exists %I', till);
      delete from tillside_hub.tills t where t.role = till;
    exception when dependent_objects_still_exist then
      null;
    end;
  end loop;
  if (select count(*) >= 1000 from tillside_hub.tills) then
    return null;
  end if;
  till := concat(tills, '_', left(translate(gen_random_uuid()::text, '-', ''), 16));
  execute format('create role %I login password %L connection limit 5 in role %I', till, p_verifier, tills);
  execute format('alter role %I set statement_timeout = ''10s''', till);
  execute format('alter role %I set idle_in_transaction_session_timeout = ''10s''', till);
  execute format('alter role %I set idle_session_timeout = ''1min''', till);
  insert into tillside_hub.tills (role, name) values (till, p_name);
  return till;
end $$;

-- False where another of the same name has dropped the role meanwhile.
create function tillside_hub.hub_arrive() returns boolean language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp as $$
begin
  update tillside_hub.tills set has_arrived = true where role = session_user;
  return found;
end $$;
revoke all on all tables in schema tillside_hub from public;
revoke all on all functions in schema tillside_hub from public;`,
  },
  {
    version: 5,
    sql: `
-- Whoever stays in a transaction keeps the server from clearing old rows, and bells that have rung: those of all databases
-- have one room, and where that is full nobody rings. So one reading of fifty, and each once a twentieth of the room is
-- taken, looks for such sessions; in the latter case however short their transaction is, for the next may follow at once.
do $$ begin
  execute replace(replace(pg_get_functiondef('tillside_hub.end_stuck'::regproc),
    'a.datname = current_database()', 'a.pid <> pg_backend_pid()'),
    'interval ''5 s''', 'case when pg_notification_queue_usage() > 0.05 then interval ''0'' else interval ''5 s'' end');
  execute replace(replace(pg_get_functiondef('tillside_hub.hub_read'::regproc), 'when 4 then 2', 'when 4 then 2 when 5 then 2'),
    'server_ms :=', 'perform tillside_hub.look_for_stuck(); server_ms :=');
  execute replace(replace(pg_get_functiondef('tillside_hub.hub_read_rows'::regproc), 'when 4 then 3', 'when 4 then 3 when 5 then 3'),
    'server_ms :=', 'perform tillside_hub.look_for_stuck(); server_ms :=');
end $$;
create function tillside_hub.look_for_stuck() returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  if random() < 0.02 or pg_notification_queue_usage() > 0.05 then
    begin
      perform tillside_hub.end_stuck();
    exception when others then
      -- As where another reading does the same; this one goes on.
      null;
    end;
  end if;
end $$;
revoke all on all functions in schema tillside_hub from public;`,
  },
  {
    version: 6,
    sql: `
-- Which of the shop's keys counts, and which one each till has: their ids, for the server knows none. Null is that of the
-- set-up. An earlier key leads to the next, which is sealed with it, for a week.
alter table tillside_hub.meta add key text;
alter table tillside_hub.tills add key text;
create table tillside_hub.keys (id text primary key, next text not null, made_at timestamptz not null);

-- Nobody with an earlier key reads or writes, or it would take what it cannot read for lost. To every version of the app
-- that is a wrong password.
create function tillside_hub.check_key() returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from tillside_hub.tills t, tillside_hub.meta m where t.role = session_user and t.key is distinct from m.key) then
    raise exception 'this till has an earlier key' using errcode = '28P01';
  end if;
end $$;
do $$ begin
  execute replace(replace(pg_get_functiondef('tillside_hub.hub_read'::regproc), 'when 5 then 2', 'when 5 then 2 when 6 then 2'),
    'server_ms :=', 'perform tillside_hub.check_key(); server_ms :=');
  execute replace(replace(pg_get_functiondef('tillside_hub.hub_read_rows'::regproc), 'when 5 then 3', 'when 5 then 3 when 6 then 3'),
    'server_ms :=', 'perform tillside_hub.check_key(); server_ms :=');
  -- As a trigger it looks once the row is written, whatever has been waited for before.
  execute replace(pg_get_functiondef('tillside_hub.keep_quota'::regproc), 'if tg_table_name',
    'perform tillside_hub.check_key(); if tg_table_name');
  execute replace(pg_get_functiondef('tillside_hub.hub_join'::regproc), 'tills (role, name) values (till, p_name)',
    'tills (role, name, key) values (till, p_name, (select m.key from tillside_hub.meta m))');
end $$;

-- The key after this one, sealed with it; null where there is none. Whoever has the newest is let in from then on.
create function tillside_hub.hub_follow(p_key text) returns text language plpgsql volatile strict security definer
set search_path = pg_catalog, pg_temp as $$
begin
  delete from tillside_hub.keys k where k.made_at < clock_timestamp() - interval '7 days';
  update tillside_hub.tills t set key = m.key from tillside_hub.meta m where t.role = session_user and m.key = p_key;
  return (select k.next from tillside_hub.keys k where k.id = p_key);
end $$;

-- Whoever leaves lets nobody sign in with its role any more. The next till that joins drops it: nobody drops its own.
create function tillside_hub.hub_leave() returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from tillside_hub.tills t where t.role = session_user) then
    update tillside_hub.tills set has_arrived = false where role = session_user;
    execute format('alter role %I nologin', session_user);
    -- Who made a role need not have its rights.
    if not pg_has_role(session_user, 'usage') then
      execute format('grant %I to current_user', session_user);
    end if;
    perform pg_terminate_backend(a.pid) from pg_stat_activity a
      where a.usename = session_user and a.pid <> pg_backend_pid();
  end if;
end $$;
do $$ begin
  execute replace(pg_get_functiondef('tillside_hub.hub_join'::regproc),
    'tillside_hub.tills t where t.name = p_name and not t.has_arrived for update',
    'tillside_hub.tills t join pg_roles r on r.rolname = t.role
      where not t.has_arrived and (t.name = p_name or not r.rolcanlogin) for update of t');
end $$;
revoke all on all tables in schema tillside_hub from public;
revoke all on all functions in schema tillside_hub from public;`,
  },
  {
    version: 7,
    sql: `
-- Where the hub was last written: the server, its timeline, the database, the table itself. A standby that has taken the
-- server's place, a copy of the database or a restored dump may lack what was lent last, and a till whose own record is
-- there would not notice. So what is lent counts as lost there (H8); other texts may be old.
alter table tillside_hub.meta add home text;
create function tillside_hub.home_now() returns text language sql volatile security definer
set search_path = pg_catalog, pg_temp as $$
  select concat_ws(' ', c.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid,
    'tillside_hub.meta'::regclass::oid) from pg_control_system() c, pg_database d where d.datname = current_database()
$$;
update tillside_hub.meta set home = tillside_hub.home_now();
create function tillside_hub.look_home() returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  here text := tillside_hub.home_now();
begin
  if exists (select from tillside_hub.meta m where m.home is distinct from here) then
    -- Whoever comes second waits here, and finds nothing to do.
    update tillside_hub.meta set home = here where home is distinct from here;
    if found then
      delete from tillside_hub.members;
      delete from tillside_hub.accounts where not (account ^@ '${newsPrefix}' or account ^@ '${textPrefix}');
    end if;
  end if;
end $$;
do $$ begin
  execute replace(replace(pg_get_functiondef('tillside_hub.hub_read'::regproc), 'when 6 then 2', 'when 6 then 2 when 7 then 2'),
    'server_ms :=', 'perform tillside_hub.look_home(); server_ms :=');
  execute replace(replace(pg_get_functiondef('tillside_hub.hub_read_rows'::regproc), 'when 6 then 3', 'when 6 then 3 when 7 then 3'),
    'server_ms :=', 'perform tillside_hub.look_home(); server_ms :=');
  execute replace(pg_get_functiondef('tillside_hub.hub_write'::regproc), 'perform set_config(',
    'perform tillside_hub.look_home(); perform set_config(');
end $$;
revoke all on all functions in schema tillside_hub from public;`,
  },
];

/** The schema that this version of the app sets up. */
export const hubSchemaVersion = hubMigrations.length;

/** The oldest one that it reads and writes, until the hub is set up again: without records. */
export const oldestHubSchemaVersion = 2;

/** Runs one or more statements; answers the rows of the last. */
export type RunSql = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The version of the schema in this database; 0 where there is none. Fails where it is somebody else's. */
export async function readSchemaVersion(run: RunSql): Promise<Result<number, 'otherSchema'>> {
  const [found] = await run(`select to_regnamespace('tillside_hub') is not null as "hasSchema",
    exists (select from pg_catalog.pg_attribute where attrelid = to_regclass('tillside_hub.meta')
      and attname = 'schema_version' and atttypid = 'int'::regtype) as "hasVersion"`);
  if (found?.['hasVersion'] !== true) {
    return found?.['hasSchema'] === true ? fail('otherSchema') : succeed(0);
  }
  const [meta] = await run('select schema_version from tillside_hub.meta');
  const version = meta?.['schema_version'];
  return typeof version === 'number' ? succeed(version) : fail('otherSchema');
}

/** Keeps two set-ups of one database apart, until the transaction ends. */
const lock = `select pg_advisory_xact_lock(hashtext('tillside_hub'))`;

/** Does this in one transaction, while no other set-up of this database is at work. */
export async function inTransaction<Value>(run: RunSql, work: () => Promise<Value>): Promise<Value> {
  await run('begin isolation level read committed');
  try {
    await run(lock);
    const value = await work();
    await run('commit');
    return value;
  } catch (error) {
    await run('rollback').catch(() => undefined);
    throw error;
  }
}

/** Brings the schema to this app's version, within a transaction. Answers which it had before. */
export async function migrateHub(
  run: RunSql,
  steps: readonly HubMigration[] = hubMigrations,
): Promise<Result<number, 'otherSchema' | 'newerVersion'>> {
  const before = await readSchemaVersion(run);
  if (!before.ok) {
    return before;
  }
  if (before.value > steps.length) {
    return fail('newerVersion');
  }
  for (const { version, sql } of steps.slice(before.value)) {
    await run(sql);
    await run(`update tillside_hub.meta set schema_version = ${version}`);
  }
  return before;
}

/** The statement with which a terminal reads; $1 is the account. */
export const readSql =
  'select schema_version, version::float8, document, is_unused, server_ms from tillside_hub.hub_read($1)';

/** And where it wants the records of later versions than $2. */
export const readRowsSql =
  'select schema_version, version::float8, document, is_unused, server_ms, rows::text, life from tillside_hub.hub_read_rows($1, $2)';

/** Whether the hub keeps records. */
export const hasRowsSql = `select exists (select from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'tillside_hub' and p.proname = 'hub_read_rows' and 'life' = any(p.proargnames)) as "hasRows"`;

/**
 * The statement with which a terminal writes; $1 the account, $2 and $3 the version and the server's time of the
 * reading, $4 the document.
 */
export const writeSql = 'select tillside_hub.hub_write($1, $2, $3, $4) as written';

/** And with records: $5 has their members, $6 each one's record, or null. */
export const writeRowsSql = 'select tillside_hub.hub_write_rows($1, $2, $3, $4, $5, $6) as written';
