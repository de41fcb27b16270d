// The ledger of several bridges behind a balancer: PostgreSQL. Its clock is the one that counts arrivals.
import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../reason.ts';
import { OvertakenError, type Effect, type KeptAnswer, type TokenRow } from '../../service/ports.ts';
import { findAddressFault, takeOutPassword } from '../sources/sql/connection.ts';
import { openPool, type QueryResultRow } from '../sources/sql/postgres.ts';
import { LedgerError, ownNumberOf, type BridgeLedger, type Ids, type Pending } from './ledger.ts';
import { sharedTables, tables, tablesVersion } from './migrations.ts';

/** The longest answer is of the coupons that a company has ever switched. */
const bounds = {
  connectTimeoutMs: 5000,
  statementTimeoutMs: 5000,
  maxConnections: 8,
  maxAnswerMessages: 2_000_000,
  maxAnswerBytes: 64 * 1024 * 1024,
};
/** Whatever the database has: a lock that was waited for shows what is there then; what is answered is on its disk. */
const settings =
  '-c default_transaction_isolation=read\\ committed -c synchronous_commit=on -c idle_in_transaction_session_timeout=0';
const lockEveryMs = 200;
const overtaken = 'TB001';
/** No such schema, or no such table. */
const nothingMade: ReadonlySet<unknown> = new Set(['3F000', '42P01']);
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
/** So soon the lock of a machine that is gone without a word is free again. */
const keepAlives = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

/** What a change writes, a list for each table. */
interface Writes {
  readonly spent: string[];
  readonly tokens: object[];
  /** Of each product the last one counts. */
  readonly coupons: Map<string, object>;
  readonly pending: Map<string, object>;
}

/** What is wrong with the address of a shared ledger, or null. */
export function findLedgerFault(address: string): string | null {
  return /^postgres(?:ql)?:/.test(address) ? findAddressFault(address) : 'must begin with "postgres:"';
}

type Ask = <Row extends QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Asks the server, whose tables are made where it has none of this version; a failure is a LedgerError. */
function connect(address: string, its = bounds) {
  const pool = openPool(address, its, settings);
  const bare = takeOutPassword(address);
  const failed = (error: unknown): never => {
    const message = bare(reasonOf(error));
    throw codeOf(error) === overtaken
      ? new OvertakenError(message)
      : new LedgerError(`ledger: ${message}`, { cause: error });
  };
  const run = async <Row extends QueryResultRow>(
    client: Pick<typeof pool, 'query'>,
    sql: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> => {
    const { rows } = await client.query<Row>(sql, [...values]).catch(failed);
    return rows;
  };
  const findVersion = async (): Promise<number> => {
    const { rows } = await pool
      .query<{ version: number }>(`SELECT version FROM ${tables}.made`)
      .catch((error: unknown) => (nothingMade.has(codeOf(error)) ? { rows: [] } : failed(error)));
    return rows[0]?.version ?? 0;
  };
  const make = async (): Promise<void> => {
    const found = await findVersion();
    if (found > tablesVersion) {
      throw new LedgerError('ledger: a newer bridge has made its tables');
    }
    if (found < tablesVersion) {
      await pool.query(sharedTables).catch(failed);
    }
  };
  let made: Promise<void> | null = null;
  const ready = (): Promise<void> =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
  const ask: Ask = async (sql, values = []) => {
    await ready();
    return run(pool, sql, values);
  };
  /** A connection of its own, which is closed when it is let go: nothing that it holds or has begun outlives it. */
  const hold = async (): Promise<{ readonly ask: Ask; readonly letGo: () => void }> => {
    await ready();
    const client = await pool.connect().catch(failed);
    const held = {
      ask: ((sql, values = []) => run(client as Pick<typeof pool, 'query'>, sql, values)) satisfies Ask,
      letGo: () => {
        client.release(true);
      },
    };
    await held.ask(keepAlives).catch((error: unknown) => {
      held.letGo();
      throw error;
    });
    return held;
  };
  return { ask, hold, close: () => pool.end() };
}

/** Opens the shared ledger. It may be down: whatever needs it fails until it is there. */
export function openSharedLedger(address: string): BridgeLedger {
  const { ask, hold, close } = connect(address);
  let gathered: Writes | null = null;
  const writes = (): Writes => {
    if (gathered === null) {
      throw new LedgerError('ledger: written to outside of a change');
    }
    return gathered;
  };
  /** An effect waits for nothing, so that all that is written meanwhile is its own. */
  const gather = (effect: Effect | null): string => {
    const own: Writes = { spent: [], tokens: [], coupons: new Map(), pending: new Map() };
    gathered = own;
    try {
      effect?.();
    } finally {
      gathered = null;
    }
    return JSON.stringify({ ...own, coupons: [...own.coupons.values()], pending: [...own.pending.values()] });
  };
  const readAnswer = async (clientId: string, key: string): Promise<KeptAnswer | null> => {
    const sql = `SELECT status, body FROM ${tables}.kept_answer WHERE client_id = $1 AND key = $2`;
    return (await ask<KeptAnswer>(sql, [clientId, key]))[0] ?? null;
  };
  const countPending = async (): Promise<number> => {
    const [row] = await ask<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${tables}.coupon_pending`);
    return row?.count ?? 0;
  };
  return {
    admit: async ({ clientId, now, since, limit, isRefusalCounted }) => {
      const [row] = await ask<{ age: number | null }>(`SELECT ${tables}.admit($1, $2, $3, $4) AS age`, [
        clientId,
        now - since,
        limit,
        isRefusalCounted,
      ]);
      const age = row?.age ?? null;
      return age === null ? null : now - age;
    },
    readAnswer,
    change: async (effect, record) => {
      const { clientId, key, status, body } = record ?? { clientId: null, key: null, status: null, body: null };
      const values = [clientId, key, status, body, gather(effect)];
      const [row] = await ask<{ isMade: boolean }>(`SELECT ${tables}.change($1, $2, $3, $4, $5) AS "isMade"`, values);
      return row?.isMade === true || record === null ? null : readAnswer(record.clientId, record.key);
    },
    readToken: async (hash) => {
      const sql = `SELECT kind, client_id AS "clientId", user_id AS "userId", expires_at AS "expiresAt"
        FROM ${tables}.token WHERE hash = $1`;
      return (await ask<TokenRow>(sql, [hash]))[0] ?? null;
    },
    addToken: (hash, { kind, clientId, userId, expiresAt }) =>
      void writes().tokens.push({ hash, kind, client_id: clientId, user_id: userId, expires_at: expiresAt }),
    spendToken: (hash) => void writes().spent.push(hash),
    listCoupons: async (companyId) => {
      const rows = await ask<{ productId: string; isEnabled: boolean }>(
        `SELECT product_id AS "productId", is_enabled AS "isEnabled" FROM ${tables}.coupon_setting WHERE company_id = $1`,
        [companyId],
      );
      return new Map(rows.map((row) => [row.productId, row.isEnabled]));
    },
    writeCoupon: (companyId, productId, isEnabled, sourceId) => {
      const { coupons, pending } = writes();
      coupons.set(`${companyId} ${productId}`, { company_id: companyId, product_id: productId, is_enabled: isEnabled });
      if (sourceId !== null) {
        pending.delete(sourceId);
        pending.set(sourceId, { source_id: sourceId, is_enabled: isEnabled });
      }
    },
    leaving: null,
    countPending,
    withOutbox: async (action) => {
      if ((await countPending()) === 0) {
        return;
      }
      const held = await hold();
      try {
        const locked = `SELECT pg_try_advisory_lock(hashtext('${tables}'), 1) AS "isOurs"`;
        const [row] = await held.ask<{ isOurs: boolean }>(locked);
        if (row?.isOurs !== true) {
          return;
        }
        await action({
          next: async (after) => {
            const sql = `SELECT source_id AS "sourceId", is_enabled AS "isEnabled", number::text AS number
              FROM ${tables}.coupon_pending WHERE number > $1 ORDER BY number LIMIT 1`;
            const [found] = await held.ask<Omit<Pending, 'number'> & { number: string }>(sql, [after]);
            return found === undefined ? null : { ...found, number: BigInt(found.number) };
          },
          remove: async (number) => {
            await held.ask(`DELETE FROM ${tables}.coupon_pending WHERE number = $1`, [number]);
          },
        });
        await held.ask('SELECT pg_advisory_unlock_all()');
      } finally {
        held.letGo();
      }
    },
    close,
  };
}

const neverGiven = (sourceId: string): never => {
  throw new LedgerError(`ledger: it has no number for ${sourceId}`);
};

/**
 * Opens the numbers of a shared ledger, for one pass; each statement may take so many milliseconds. A pass with new ids
 * waits for that of another bridge, however long.
 */
export function openSharedIds(address: string, statementTimeoutMs = 30_000): Ids {
  const { hold, close } = connect(address, { ...bounds, statementTimeoutMs, maxConnections: 1 });
  let held: ReturnType<typeof hold> | null = null;
  let isGiving = false;
  const ask: Ask = async (sql, values) => (await (held ??= hold())).ask(sql, values);
  const find = async (sourceIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const sql = `SELECT source_id AS "sourceId", id::float8 AS id FROM ${tables}.id_of WHERE source_id = ANY ($1)`;
    const rows = await ask<{ sourceId: string; id: number }>(sql, [sourceIds]);
    return new Map(rows.map(({ sourceId, id }) => [sourceId, id]));
  };
  const give = async (sourceIds: readonly string[]): Promise<void> => {
    if (!isGiving) {
      await ask('BEGIN');
      isGiving = true;
      const lock = `SELECT pg_try_advisory_xact_lock(hashtext('${tables}'), 2) AS "isOurs"`;
      while ((await ask<{ isOurs: boolean }>(lock))[0]?.isOurs !== true) {
        await delay(lockEveryMs);
      }
      const [given, nowMs] = [`'${tables}.id_of_id_seq'`, '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'];
      await ask(`SELECT setval(${given}, greatest(nextval(${given}), ${nowMs}))`);
    }
    await ask(`INSERT INTO ${tables}.id_of SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`, [sourceIds]);
  };
  return {
    idsOf: async (sourceIds) => {
      const others = sourceIds.filter((sourceId) => ownNumberOf(sourceId) === null);
      let known: ReadonlyMap<string, number> = others.length === 0 ? new Map() : await find(others);
      const unknown = others.filter((sourceId) => !known.has(sourceId));
      if (unknown.length > 0) {
        await give(unknown);
        known = await find(others);
      }
      return sourceIds.map((sourceId) => ownNumberOf(sourceId) ?? known.get(sourceId) ?? neverGiven(sourceId));
    },
    keep: async () => {
      if (isGiving) {
        await ask('COMMIT');
      }
    },
    close: async () => {
      (await held?.catch(() => null))?.letGo();
      await close();
    },
  };
}
