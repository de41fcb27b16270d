// Databases of a PostgreSQL server in which bridges share a ledger.
import { onTestFinished } from 'vitest';
import type pg from 'pg';
import { startPostgres, type Postgres } from '../../../support/postgres.ts';
import { createDatabase } from '../../bridge/shop.ts';

export interface LedgerDatabase {
  readonly address: string;
  /** The rows that the statement answers. */
  ask<Row extends pg.QueryResultRow>(sql: string): Promise<readonly Row[]>;
}

/** Starts a server for ledgers. */
export const startLedgerServer = (): Promise<Postgres> =>
  startPostgres({ hasTls: false, settings: ['max_connections = 60', 'fsync = off'] });

let made = 0;

/** Makes an empty database on the server. Its connection is closed when the test is over. */
export async function makeLedgerDatabase({ owner }: Postgres): Promise<LedgerDatabase> {
  made += 1;
  const database = `ledger_${made}`;
  const { host, port, user, password } = owner;
  const client = await createDatabase({ owner }, database);
  onTestFinished(() => client.end().catch(() => undefined));
  return {
    address: `postgres://${user}:${password}@${host}:${port}/${database}`,
    ask: async <Row extends pg.QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows,
  };
}
