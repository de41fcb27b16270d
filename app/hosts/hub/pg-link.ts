import { z } from 'zod';
import type { HubServer } from '../../hub/address.ts';
import { maxRows, type HubFailure, type HubLink, type HubReading, type HubRowChange } from '../../hub/link.ts';
import {
  bellChannel,
  hasRowsSql,
  hubSchemaVersion,
  oldestHubSchemaVersion,
  readRowsSql,
  readSql,
  writeRowsSql,
  writeSql,
} from '../../hub/schema.ts';
import { parseJsonWithin } from '../../domain/json.ts';
import { createListeners } from '../../domain/listeners.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import { HubError, failureOf, unlessAborted } from './hub-error.ts';
import { endSignIn, findNextKey, makeSignIn } from './own-sign-in.ts';
import { connectPg, type PgConnection, type Row } from './pg-connection.ts';

/** A server that does not hear the goodbye is left without one. */
const goodbyeMs = 1_000;
/** Of all records of an answer, which has room for a quarter of a million: each costs some microseconds. */
const maxValues = 20 * maxRows;

const readingSchema = z.object({
  schema_version: z.int(),
  version: z.int().min(0),
  document: z.string().nullable(),
  is_unused: z.boolean(),
  life: z.string().nullable().default(null),
  // In the range of JavaScript's dates: what tills add up of a clock beyond it, no document can hold.
  server_ms: z.number().min(0).max(8_640_000_000_000_000),
  rows: z
    .string()
    .transform((text) => parseJsonWithin(text, maxValues))
    .pipe(z.array(z.object({ member: z.string(), version: z.int(), record: z.string() })))
    .optional(),
});
const rowsSchema = z.object({ hasRows: z.boolean() });
const writtenSchema = z.object({ written: z.boolean() });

function parse<Value>(schema: z.ZodType<Value>, rows: readonly Row[]): Value {
  const parsed = schema.safeParse(rows[0]);
  if (!parsed.success) {
    throw new HubError('failed', 'badAnswer');
  }
  return parsed.data;
}

type Statement = readonly [sql: string, values: readonly unknown[]];

/** What a statement that reads has found. */
export function readingIn(found: readonly Row[]): HubReading {
  const row = parse(readingSchema, found);
  const { schema_version: schemaVersion, version, document, life, rows = null } = row;
  if (schemaVersion > hubSchemaVersion) throw new HubError('newerVersion');
  if (schemaVersion < oldestHubSchemaVersion) throw new HubError('olderVersion');
  // An earlier hub says of a copy from its first day that it is unused.
  return { version, document, isIntact: row.is_unused && life !== null, life, rows, serverMs: row.server_ms };
}

/** The statement that writes. */
export function writing(
  account: string,
  { version, serverMs }: Pick<HubReading, 'version' | 'serverMs'>,
  document: string,
  rows: readonly HubRowChange[],
): Statement {
  const values = [account, version, serverMs, document];
  const records = [rows.map(({ member }) => member), rows.map(({ record }) => record)];
  return rows.length > 0 ? [writeRowsSql, [...values, ...records]] : [writeSql, values];
}

/** Whether it has written. */
export const writtenIn = (found: readonly Row[]): boolean => parse(writtenSchema, found).written;

/** The hub over PostgreSQL's protocol. It connects when it is first asked, and again after any failure. */
export function createPgLink(server: HubServer): HubLink {
  let connection: PgConnection | null = null;
  /** Whether the hub keeps records, as far as this connection knows. */
  let hasRows = false;
  let isKnown = false;
  let isClosed = false;
  const bell = createListeners<[account: string]>();
  let turn: Promise<unknown> = Promise.resolve();

  const ask = async (statement: () => Statement, signal: AbortSignal): Promise<readonly Row[]> => {
    if (signal.aborted) {
      // Its time went by before its turn came.
      throw new HubError('noAnswer');
    }
    if (connection?.isOpen() !== true) {
      connection = null;
      connection = await connectPg(server, signal, { onBell: bell.emit });
      isKnown = false;
    }
    try {
      if (!isKnown) {
        const found = await connection.query(`listen ${bellChannel}; ${hasRowsSql}`, [], signal);
        ({ hasRows } = parse(rowsSchema, found));
        isKnown = true;
      }
      return await connection.query(...statement(), signal);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  };

  /** One call at a time, each within its own time from when it was made. */
  const call = async <Value>(
    statement: () => Statement,
    timeoutMs: number,
    read: (rows: readonly Row[]) => Value,
  ): Promise<Result<Value, HubFailure>> => {
    if (isClosed) {
      return fail({ kind: 'failed', detail: 'closed' });
    }
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = turn.then(() => ask(statement, signal));
    turn = asked.catch(() => undefined);
    try {
      return succeed(read(await unlessAborted(signal, asked, () => undefined)));
    } catch (error) {
      return fail(failureOf(error));
    }
  };

  return {
    read: (account, timeoutMs, since) =>
      call(
        () => (since !== undefined && hasRows ? [readRowsSql, [account, since]] : [readSql, [account]]),
        timeoutMs,
        readingIn,
      ),
    write: (account, reading, document, timeoutMs, rows = []) =>
      call(() => writing(account, reading, document, rows), timeoutMs, writtenIn),
    onBell: bell.add,
    makeSignIn: (terminalName) => makeSignIn(server, terminalName),
    findNextKey: (keyId) => findNextKey(server, keyId),
    endSignIn: () => endSignIn(server),
    close: async () => {
      isClosed = true;
      await turn;
      await connection?.end(AbortSignal.timeout(goodbyeMs));
    },
  };
}
