import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { Pool, PoolConnection, PoolOptions } from 'mysql2';
import { z } from 'zod';
import { readOnlyFile } from '../../../storage/only-file.ts';
import { inTime } from '../../in-time.ts';
import type { Row } from '../row-reader.ts';
import {
  batchesOf,
  batchSize,
  ConnectError,
  heldWriteSeconds,
  maxRead,
  questionTimeoutMs,
  readingOf,
  replaceParameters,
  silentWriteSeconds,
  type SqlConnection,
  type SqlParameters,
  takeRows,
  valuesOf,
} from './connection.ts';

const connectTimeoutMs = 10_000;
const statementTimeoutMs = 300_000;
const maxConnections = 4;
/** Beyond the database's own limit. */
const silenceMs = 1000;
const silent = 'the server has fallen silent';

const affected = z.object({ affectedRows: z.int() });

/** These two tell it to whoever sends a key to encrypt it with. MariaDB has its own, which answer a challenge. */
const tellingPassword = (): never => {
  throw new Error('the server asks for the password itself, which needs ?sslmode=verify-full');
};
const mariadbSignIns = { caching_sha2_password: tellingPassword, sha256_password: tellingPassword };

/** The same stream. What the package throws at in one of its events ends the connection, and not the process. */
function losing<Stream extends Socket>(stream: Stream): Stream {
  const [emit, write] = [stream.emit.bind(stream), stream.write.bind(stream)];
  return Object.assign(stream, {
    // Without the package's callback, which throws at what is an event as well.
    write: (bytes: Uint8Array): boolean => !stream.writable || write(bytes),
    emit: (name: string, ...values: readonly unknown[]): boolean => {
      try {
        return emit(name, ...values);
      } catch {
        stream.destroy();
        return true;
      }
    },
  });
}

/** How it is signed in: over TLS as a PostgreSQL address names it, "?sslmode=verify-full&sslrootcert=PATH", or without. */
function signInOf({ protocol, searchParams }: URL): PoolOptions {
  if (searchParams.get('sslmode') !== 'verify-full') {
    return protocol === 'mariadb:' ? { authPlugins: mariadbSignIns } : {};
  }
  const authority = searchParams.get('sslrootcert');
  const ca = authority === null ? {} : { ca: readOnlyFile(authority) };
  return { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...ca } };
}

/** Whatever the server takes as a limit otherwise. */
const allRows = 'SET SESSION sql_select_limit = 18446744073709551615';
/** In a transaction that only reads, too; and also in a comment that is run, which may have a version right before it. */
const writesFile = /(?<![a-z_$])(?:OUT|DUMP)FILE\b/i;
function onlyReading(sql: string): string {
  if (writesFile.test(sql)) {
    throw new Error('it is to read only: it must not name OUTFILE or DUMPFILE');
  }
  return readingOf(sql);
}

/** A CALL, or several statements, may commit on their own. */
const writesAlone = /^\s*(?:UPDATE|INSERT|REPLACE|DELETE)\b/i;
/** Such as MyISAM, in which each write stays, or a database that the address does not name. */
const otherEngines = `SELECT DATABASE() IS NULL OR EXISTS (SELECT 1 FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND engine <> 'InnoDB') AS other`;
/** Of rows, and of seconds for a lock, and without a word; MariaDB takes those for the whole statement, too. */
const limits = (rows: number | 'DEFAULT', seconds: number | 'DEFAULT'): string =>
  `SET SESSION sql_select_limit = ${rows}, lock_wait_timeout = ${seconds}, wait_timeout = ${seconds} /*M! , max_statement_time = ${seconds} */`;

/** Of seconds in which it is told nothing, and in which it waits for what another holds. */
const waiting = (silence: number | 'DEFAULT', held: number | 'DEFAULT'): string =>
  `SET SESSION wait_timeout = ${silence}, innodb_lock_wait_timeout = ${held}, lock_wait_timeout = ${held}`;
const writing = waiting(silentWriteSeconds, heldWriteSeconds);

/** Throws for an address that cannot be read, and a certificate that is not there. */
function optionsOf(address: string): PoolOptions {
  const url = new URL(address);
  const { hostname, port, username, password, pathname } = url;
  const place = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 3306 : Number(port) };
  return {
    ...place,
    stream: () => losing(connect({ ...place, noDelay: true, keepAlive: true })),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...signInOf(url),
    connectionLimit: maxConnections,
    connectTimeout: connectTimeoutMs,
    // Dates and times have no zone here: they are the shop's, not this machine's.
    dateStrings: true,
    supportBigNumbers: true,
    disableEval: true,
  };
}

async function openPool(options: PoolOptions): Promise<Pool> {
  // A tenth of a second in each pass, which is a thread of its own: read where such a server is asked, and nowhere else.
  const pool = (await import('mysql2')).createPool(options);
  // By TLS another one has taken the place of the first.
  return pool.on('connection', (connection) => void losing((connection as unknown as { stream: Socket }).stream));
}

async function execute(connection: PoolConnection, sql: string, parameters: SqlParameters): Promise<unknown> {
  const statement = replaceParameters(sql, () => '?');
  // A number would be compared with each text as a number, by no index. A boolean is a number here: a BIT takes of the
  // text '0' its sign's code.
  const values = valuesOf(sql, parameters).map((value) =>
    typeof value === 'boolean' ? Number(value) : (value?.toString() ?? null),
  );
  const [rows] = await connection.promise().execute(statement, values);
  return rows;
}

/**
 * Connects to a MariaDB or MySQL server by its address, "mariadb://user:password@host/database". What takes longer than
 * the time-out is an error.
 */
export function connectMysql(address: string, timeoutMs = statementTimeoutMs): SqlConnection {
  const options = optionsOf(address);
  let opened: Promise<Pool> | null = null;

  const open = async (): Promise<PoolConnection> => {
    opened ??= openPool(options);
    const pool = await opened;
    const getConnection = promisify(pool.getConnection.bind(pool));
    return getConnection().catch((error: unknown) => {
      throw new ConnectError(error);
    });
  };
  const withConnection = async <Value>(
    action: (connection: PoolConnection) => Promise<Value>,
    limitMs = timeoutMs,
  ): Promise<Value> => {
    const connection = await open();
    try {
      const value = await inTime(action(connection), limitMs, silent);
      connection.release();
      return value;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  };
  /** For the next use of it. What has been done by then stays so, whatever becomes of the connection. */
  const waitAsUsual = (connection: PoolConnection): Promise<unknown> =>
    inTime(
      connection.promise().query(waiting('DEFAULT', 'DEFAULT')),
      Math.min(timeoutMs, questionTimeoutMs),
      silent,
    ).catch(() => {
      connection.destroy();
    });
  return {
    stream: async function* stream(sql, tried) {
      const connection = await open();
      let isWhole = false;
      let silence: NodeJS.Timeout | undefined;
      try {
        const begin = tried === undefined ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION READ WRITE';
        await inTime(connection.promise().query(begin), timeoutMs, silent);
        await inTime(connection.promise().query(allRows), timeoutMs, silent);
        // A table that is read is kept from whoever changes its columns, or empties it.
        await inTime(
          connection.promise().query(tried === undefined ? waiting(Math.ceil(timeoutMs / 1000), 'DEFAULT') : writing),
          timeoutMs,
          silent,
        );
        if (tried !== undefined) {
          await inTime(execute(connection, tried.sql, tried.parameters), timeoutMs, silent);
        }
        const found = connection.query(onlyReading(sql)).stream({ highWaterMark: batchSize });
        silence = setTimeout(() => {
          found.destroy(new Error(silent));
        }, timeoutMs);
        // A stream would not say that the connection has broken.
        const onError = (error: Error): void => void found.destroy(error);
        connection.once('error', onError);
        for await (const batch of batchesOf(found as AsyncIterable<Row>, tried === undefined ? batchSize : 1)) {
          silence.refresh();
          yield batch;
        }
        await inTime(connection.promise().query('ROLLBACK'), timeoutMs, silent);
        connection.off('error', onError);
        // By one in which something was tried, nothing else is asked.
        isWhole = tried === undefined;
        if (isWhole) {
          await waitAsUsual(connection);
        }
      } finally {
        clearTimeout(silence);
        if (isWhole) {
          connection.release();
        } else {
          connection.destroy();
        }
        if (tried !== undefined && !isWhole) {
          // Else the server holds what was written until it has rows to send, and sees that nobody takes them.
          const kill = `KILL ${connection.threadId}`;
          await withConnection((other) => other.promise().query(kill), questionTimeoutMs).catch(() => null);
        }
      }
    },
    read: (sql, parameters) =>
      withConnection(
        async (connection) => {
          await connection.promise().query('START TRANSACTION READ ONLY');
          // A stream would not say that the connection has broken.
          await connection.promise().query(limits(maxRead + 1, questionTimeoutMs / 1000));
          const rows = await execute(connection, onlyReading(sql), parameters);
          await connection.promise().query('COMMIT');
          await connection.promise().query(limits('DEFAULT', 'DEFAULT'));
          return takeRows(rows as readonly Row[]);
        },
        Math.min(timeoutMs, questionTimeoutMs) + silenceMs,
      ),
    write: (sql, parameters) =>
      withConnection(async (connection) => {
        await connection.promise().query(writing);
        await connection.promise().query('START TRANSACTION READ WRITE');
        const answer = await execute(connection, sql, parameters);
        await connection.promise().query('COMMIT');
        await waitAsUsual(connection);
        return affected.safeParse(answer).data?.affectedRows ?? null;
      }),
    check: (sql) =>
      withConnection(async (connection) => {
        const statement = await connection.promise().prepare(replaceParameters(sql, () => '?'));
        await statement.close();
      }),
    takesBack: async (sql) =>
      writesAlone.test(sql) &&
      withConnection(async (connection) => {
        const [row] = (await execute(connection, otherEngines, {})) as readonly Row[];
        return row?.['other'] === 0;
      }),
    close: async () => {
      await (await opened)?.promise().end();
    },
  };
}
