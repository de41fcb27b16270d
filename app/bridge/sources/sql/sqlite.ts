import { reasonOf } from '../../reason.ts';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  batchesOf,
  ConnectError,
  digitsFor,
  replaceParameters,
  type SqlConnection,
  type SqlParameters,
  takeRows,
  valuesOf,
} from './connection.ts';

const busyTimeoutMs = 5000;
/** A write that finds the file held is tried again soon; the process that answers tills must not wait for it. */
const writeTimeoutMs = 100;

const valuesFor = (sql: string, parameters: SqlParameters): SQLInputValue[] => digitsFor(valuesOf(sql, parameters));

function openReader(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  } catch (error) {
    throw new ConnectError(`${reasonOf(error)} (${path})`);
  }
}

/** Opens an existing SQLite file. Throws ConnectError where there is none. */
export function connectSqlite(path: string): SqlConnection {
  const reader = openReader(path);
  const prepare = (database: DatabaseSync, sql: string) => {
    const statement = database.prepare(replaceParameters(sql, () => '?'));
    statement.setReadBigInts(true);
    return statement;
  };
  return {
    stream: (sql) => batchesOf(prepare(reader, sql).iterate()),
    read: (sql, parameters) => takeRows(prepare(reader, sql).iterate(...valuesFor(sql, parameters))),
    write: (sql, parameters) => {
      // Open only for the moment of the change: the shop's own programs write here.
      const writer = new DatabaseSync(path, { timeout: writeTimeoutMs });
      try {
        prepare(writer, sql).run(...valuesFor(sql, parameters));
        return Promise.resolve();
      } finally {
        writer.close();
      }
    },
    check: (sql) => {
      prepare(reader, sql);
      return Promise.resolve();
    },
    close: () => {
      reader.close();
      return Promise.resolve();
    },
  };
}
