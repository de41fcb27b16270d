import { z } from 'zod';
import type { HubServer } from '../../hub/address.ts';
import type { HubFailure, HubLink } from '../../hub/link.ts';
import { hubSchemaVersion, readSql, writeSql } from '../../hub/schema.ts';
import { createListeners } from '../../domain/listeners.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import { HubError, failureOf, unlessAborted } from './hub-error.ts';
import { connectPg, type PgConnection, type Row } from './pg-connection.ts';

/** A server that does not hear the goodbye is left without one. */
const goodbyeMs = 1_000;

const readingSchema = z.object({
  schema_version: z.int(),
  version: z.int().min(0),
  document: z.string().nullable(),
  is_unused: z.boolean(),
  server_ms: z.number(),
});
const writtenSchema = z.object({ written: z.boolean() });

function parse<Value>(schema: z.ZodType<Value>, rows: readonly Row[]): Value {
  const parsed = schema.safeParse(rows[0]);
  if (!parsed.success) {
    throw new HubError('failed', 'badAnswer');
  }
  return parsed.data;
}

/**
 * The hub over PostgreSQL's own protocol. It connects when it is first asked, and again after a failure, whatever that
 * was.
 */
export function createPgLink(server: HubServer): HubLink {
  let connection: PgConnection | null = null;
  let isClosed = false;
  const bell = createListeners<[account: string]>();
  let turn: Promise<unknown> = Promise.resolve();

  const ask = async (sql: string, values: readonly unknown[], signal: AbortSignal): Promise<readonly Row[]> => {
    if (signal.aborted) {
      // Its time went by before its turn came.
      throw new HubError('noAnswer');
    }
    if (connection?.isOpen() !== true) {
      connection = null;
      connection = await connectPg(server, signal, { onBell: bell.emit });
    }
    try {
      return await connection.query(sql, values, signal);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  };

  /** One call at a time, each within its own time from when it was made. */
  const call = async <Value>(
    sql: string,
    values: readonly unknown[],
    timeoutMs: number,
    read: (rows: readonly Row[]) => Value,
  ): Promise<Result<Value, HubFailure>> => {
    if (isClosed) {
      return fail({ kind: 'failed', detail: 'closed' });
    }
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = turn.then(() => ask(sql, values, signal));
    turn = asked.catch(() => undefined);
    try {
      return succeed(read(await unlessAborted(signal, asked, () => undefined)));
    } catch (error) {
      return fail(failureOf(error));
    }
  };

  return {
    read: (account, timeoutMs) =>
      call(readSql, [account], timeoutMs, (rows) => {
        const row = parse(readingSchema, rows);
        const { schema_version: schemaVersion, version, document } = row;
        if (schemaVersion !== hubSchemaVersion) {
          throw new HubError(schemaVersion > hubSchemaVersion ? 'newerVersion' : 'olderVersion');
        }
        return { version, document, isUnused: row.is_unused, serverMs: row.server_ms };
      }),
    write: (account, { version, serverMs }, document, timeoutMs) =>
      call(writeSql, [account, version, serverMs, document], timeoutMs, (rows) => parse(writtenSchema, rows).written),
    onBell: bell.add,
    close: async () => {
      isClosed = true;
      await turn;
      await connection?.end(AbortSignal.timeout(goodbyeMs));
    },
  };
}
