import { reasonOf } from '../../reason.ts';
import { isLoopback } from '../../../domain/loopback.ts';
import { takeOut } from '../../../domain/redact.ts';
import type { Row } from '../row-reader.ts';

export type SqlParameters = Readonly<Record<string, string | number | boolean>>;

export interface Statement {
  readonly sql: string;
  readonly parameters: SqlParameters;
}

/** A database of the shop's. Whatever reads alone runs in a read-only transaction or connection. */
export interface SqlConnection {
  /**
   * The rows a batch at a time, without holding all of them. With `tried`, as they are after that, the first one alone; it
   * is taken back as soon as nobody reads on.
   */
  stream(sql: string, tried?: Statement): AsyncIterable<readonly Row[]>;
  /** All rows. Throws RangeError for more than `maxRead`. */
  read(sql: string, parameters: SqlParameters): Promise<readonly Row[]>;
  /** How many rows it has changed; null where the database does not say. */
  write(sql: string, parameters: SqlParameters): Promise<number | null>;
  /** Has the database look at what `write` would run, without running it. Throws what is wrong with it. */
  check(sql: string, parameters: SqlParameters): Promise<void>;
  /** Whether all of the statement is taken back when it was tried, in each table that the user may see. */
  takesBack(sql: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Thrown where the database cannot be asked anything. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  constructor(cause: unknown) {
    super(`source.database: ${reasonOf(cause)}`, { cause });
  }
}

/** Rows in one batch of a stream. */
export const batchSize = 1000;

/** Rows of one product, which are asked for while a till waits. */
export const maxRead = 10_000;

/** So long may the database take for them: a till waits twice as long. */
export const questionTimeoutMs = 10_000;

/**
 * What has been written, the shop's programs wait for until it is committed. Of a machine that is gone the server would
 * learn after hours: after so many seconds without a word it takes back what that has written.
 */
export const silentWriteSeconds = 10;

/** So long a write waits for what a program of the shop holds. It is tried again, and meanwhile others have their turn. */
export const heldWriteSeconds = 2;

/**
 * In MariaDB DROP, LOCK TABLES and a block with a COMMIT in it are one statement each, and end the transaction that only
 * reads; what stands in a comment with an exclamation mark is run. VACUUM INTO writes a file, of which SQLite only reads.
 */
const isReading = /^(?:\s|\(|(?:--|#)[^\n]*\n|\/\*(?!M?!)(?:(?!\*\/)[\s\S])*\*\/)*(?:SELECT|WITH|VALUES|TABLE)\b/i;

/** The same statement. Throws for one that may do more than to read. */
export function readingOf(sql: string): string {
  if (!isReading.test(sql)) {
    throw new Error('it is to read only: it must be a SELECT, WITH, VALUES or TABLE');
  }
  return sql;
}

/** The rows; throws RangeError for more than that, of which the others are never asked for. */
export async function takeRows(rows: AsyncIterable<Row> | Iterable<Row>): Promise<readonly Row[]> {
  const taken: Row[] = [];
  for await (const row of rows) {
    if (taken.length === maxRead) {
      throw new RangeError(`the query answers more than ${maxRead} rows`);
    }
    taken.push(row);
  }
  return taken;
}

/** The rows a batch at a time; the last batch may be empty. */
export async function* batchesOf(
  rows: AsyncIterable<Row> | Iterable<Row>,
  size = batchSize,
): AsyncIterable<readonly Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

/** Text, quoted names, comments and casts, in which a colon names no parameter; then a parameter. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([a-z_]+)/g;

/** The names of the parameters in a statement, in order of appearance. */
export function parametersOf(sql: string): readonly string[] {
  return [...sql.matchAll(tokens)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** The values of a statement's parameters, in order of appearance; null for one that is not given. */
export function valuesOf(sql: string, parameters: SqlParameters): readonly (string | number | boolean | null)[] {
  return parametersOf(sql).map((name) => parameters[name] ?? null);
}

/** The statement with each named parameter written as `write` has it, by its place from 1. */
export function replaceParameters(sql: string, write: (place: number) => string): string {
  let place = 0;
  return sql.replaceAll(tokens, (token, name: string | undefined) => {
    if (name === undefined) {
      return token;
    }
    place += 1;
    return write(place);
  });
}

/** What takes the password in a server's address out of a text: whoever answers there may give it back. */
export function takeOutPassword(address: string): (text: string) => string {
  const { password = '', searchParams } = URL.parse(address) ?? {};
  // Of a form, a wrong escape throws nothing.
  const plain = new URLSearchParams(`=${password.replaceAll('+', '%2B')}`).get('') ?? '';
  return takeOut([password, plain, ...(searchParams?.getAll('password') ?? [])]);
}

/**
 * What is wrong with a server's address, or null. Over a network the server must show its certificate, or the address
 * must say that it need not: whoever answers in its place would be told the password.
 */
export function findAddressFault(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) {
    return 'is no address; in a password, signs such as @ and / are written as %40 and %2F';
  }
  // The last of several counts for one package and the first for another.
  const named = url.protocol.startsWith('postgres') ? url.searchParams.getAll('host') : [];
  const hosts = named.length === 0 ? [url.hostname] : named;
  // Without a host, or with a path as one, PostgreSQL is asked by a socket of this machine.
  const isHere = hosts.every((host) => host === '' || host.startsWith('/') || isLoopback(host));
  const modes = url.searchParams.getAll('sslmode');
  return isHere || (modes.length > 0 && modes.every((mode) => ['verify-full', 'disable'].includes(mode)))
    ? null
    : 'at another machine needs ?sslmode=verify-full&sslrootcert=PATH, or ?sslmode=disable where nobody else is on the way';
}
