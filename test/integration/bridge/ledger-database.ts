// Databases of a PostgreSQL server in which bridges share a ledger.
import { onTestFinished } from 'vitest';
import pg from 'pg';
import type { Postgres } from '../../support/postgres.ts';

export interface LedgerDatabase {
  readonly address: string;
  /** The rows that the statement answers. */
  ask<Row extends pg.QueryResultRow>(sql: string): Promise<readonly Row[]>;
}

let made = 0;

/** Makes an empty database on the server. Its connection is closed when the test is over. */
export async function makeLedgerDatabase({ owner }: Postgres): Promise<LedgerDatabase> {
  made += 1;
  const database = `ledger_${made}`;
  const { host, port, user, password } = owner;
  const connect = async (name: string): Promise<pg.Client> => {
    const client = new pg.Client({ host, port, user, password, database: name });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const maker = await connect(owner.database);
  await maker.query(`CREATE DATABASE ${database}`);
  await maker.end();
  const client = await connect(database);
  onTestFinished(() => client.end().catch(() => undefined));
  return {
    address: `postgres://${user}:${password}@${host}:${port}/${database}`,
    ask: async <Row extends pg.QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows,
  };
}
