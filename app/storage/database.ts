import { DatabaseSync, backup, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import type { Failure } from '../domain/failure.ts';

/** A value that SQLite can keep. */
export type SqlValue = SQLInputValue;

/** One step forward of a database's shape. Numbers rise by one from 1. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

export interface DatabaseOptions {
  /** `precious`: every commit is on disk when it returns, one process alone, backed up before a migration. */
  readonly kind: 'precious' | 'disposable';
  readonly migrations: readonly Migration[];
  /** Made before every other file of its folder, so that an empty one beside others was emptied and is damaged. */
  readonly isFirstInFolder?: boolean;
}

/** Thrown by storage; its failure is `storageFull`, `storageFailed`, `storageFromFuture` or `alreadyRunning`. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly failure: Failure;
  /** True when the file itself is not a whole database any more. */
  readonly isDamage: boolean;

  constructor(failure: Failure, isDamage = false) {
    super(failure.message ?? failure.kind);
    this.failure = failure;
    this.isDamage = isDamage;
  }
}

/** A prepared statement whose rows have the given shape. */
export interface Statement<Row> {
  all(...parameters: SqlValue[]): Row[];
  get(...parameters: SqlValue[]): Row | undefined;
  iterate(...parameters: SqlValue[]): IterableIterator<Row>;
  run(...parameters: SqlValue[]): { readonly changes: number; readonly lastId: number };
}

// SQLite's primary result codes, https://sqlite.org/rescode.html
const busy = 5;
const locked = 6;
const corrupt = 11;
const full = 13;
const notADatabase = 26;

const busyTimeoutMs = 1000;
const disposableLogPages = 4_000;
const disposableCacheKibibytes = 8_192;

/** The error itself, if it is a StorageError; throws anything else on. */
export function onlyStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) {
    return error;
  }
  throw error;
}

/** Turns whatever SQLite or the file system threw into a StorageError; anything else passes through as it is. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) {
    return error;
  }
  if (!('errcode' in error) || typeof error.errcode !== 'number') {
    const isOfFiles = 'syscall' in error && 'code' in error;
    return isOfFiles
      ? new StorageError({
          kind: error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'storageFull' : 'storageFailed',
          message: error.message.slice(0, 500),
        })
      : error;
  }
  const code = error.errcode & 0xff;
  const message = error.message.slice(0, 500);
  if (code === full) {
    return new StorageError({ kind: 'storageFull', message });
  }
  if (code === busy || code === locked) {
    return new StorageError({ kind: 'alreadyRunning', message });
  }
  return new StorageError({ kind: 'storageFailed', message }, code === corrupt || code === notADatabase);
}

function guarded<Value>(action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    throw asStorageError(error);
  }
}

/**
 * Looks at a database whose log lies beside it, without taking the log in: whoever opens it to write takes it in at the
 * latest when closing, and a log that is damaged, or another database's, would then have spoilt what is to be set
 * aside. Throws StorageError with `isDamage`.
 */
function lookAtLog(path: string): void {
  const log = `${path}-wal`;
  if (!existsSync(path) || !existsSync(log) || statSync(log).size === 0) {
    return;
  }
  const looking = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    requireSound(looking);
    // A log that is whole may still be another database's: SQLite does not tell, and reads that one. Its own never
    // takes a version back.
    if (versionOf(looking) < versionInHead(path)) {
      throw new StorageError({ kind: 'storageFailed', message: 'the log beside the file is not its own' }, true);
    }
  } finally {
    looking.close();
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

/**
 * The version that the file itself bears, whatever its log says:
 * https://sqlite.org/fileformat2.html#user_version_number
 */
function versionInHead(path: string): number {
  const head = Buffer.alloc(64);
  const file = openSync(path, 'r');
  try {
    return readSync(file, head, 0, head.length, 0) < head.length ? 0 : head.readUInt32BE(60);
  } finally {
    closeSync(file);
  }
}

function requireSound(database: DatabaseSync): void {
  const check = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (check !== 'ok') {
    throw new StorageError({ kind: 'storageFailed', message: String(check).slice(0, 500) }, true);
  }
}

class PreparedStatement<Row> implements Statement<Row> {
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
  }

  all(...parameters: SqlValue[]): Row[] {
    return guarded(() => this.#statement.all(...parameters) as Row[]);
  }

  get(...parameters: SqlValue[]): Row | undefined {
    return guarded(() => this.#statement.get(...parameters) as Row | undefined);
  }

  iterate(...parameters: SqlValue[]): IterableIterator<Row> {
    return guarded(() => this.#statement.iterate(...parameters) as IterableIterator<Row>);
  }

  run(...parameters: SqlValue[]): { readonly changes: number; readonly lastId: number } {
    const { changes, lastInsertRowid } = guarded(() => this.#statement.run(...parameters));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }
}

/** An open SQLite database. All calls are synchronous and throw StorageError. */
export class Database {
  readonly #database: DatabaseSync;
  readonly path: string;

  private constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.path = path;
  }

  /**
   * Opens or creates the file and brings it to the newest version in one transaction. Throws StorageError:
   * `alreadyRunning` when another process holds it, `storageFromFuture` when its version is newer than this app.
   */
  static async open(path: string, options: DatabaseOptions): Promise<Database> {
    const isNew = !existsSync(path);
    if (options.kind === 'precious') {
      guarded(() => {
        lookAtLog(path);
      });
    }
    const connection = guarded(
      () => new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: busyTimeoutMs }),
    );
    const database = new Database(connection, path);
    try {
      await database.#prepare(options, isNew);
      return database;
    } catch (error) {
      connection.close();
      throw asStorageError(error);
    }
  }

  async #prepare(options: DatabaseOptions, isNew: boolean): Promise<void> {
    const newest = options.migrations.at(-1)?.version ?? 0;
    if (options.kind === 'precious') {
      this.#database.exec('PRAGMA locking_mode = EXCLUSIVE');
    }
    this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec(`PRAGMA synchronous = ${options.kind === 'precious' ? 'FULL' : 'NORMAL'}`);
    if (options.kind === 'disposable') {
      // Whoever writes much has the log emptied at a moment of its own choice, by another thread (checkpoint-thread.ts)
      // or by `checkpoint`. Only a log that nobody empties grows so long that a commit does it. The page cache is what
      // a lookup finds warm.
      this.#database.exec(
        `PRAGMA wal_autocheckpoint = ${disposableLogPages}; PRAGMA cache_size = -${disposableCacheKibibytes}`,
      );
    }
    const version = versionOf(this.#database);
    if (version > newest) {
      throw new StorageError({
        kind: 'storageFromFuture',
        message: `version ${version} of ${this.path}; this app knows ${newest}`,
      });
    }
    if (options.kind === 'precious') {
      requireSound(this.#database);
      if (!isNew && version < newest) {
        await backup(this.#database, `${this.path}.before-${newest}`);
      }
    }
    const missing = options.migrations.filter((migration) => migration.version > version);
    if (missing.length > 0) {
      // All or nothing: a start that was cut off between two would take a copy of what is half done for the one from
      // before.
      this.transaction(() => {
        for (const migration of missing) {
          this.#database.exec(migration.sql);
          this.#database.exec(`PRAGMA user_version = ${migration.version}`);
        }
      });
    }
  }

  /** Prepares a statement; keep it and use it again. */
  prepare<Row = Record<string, unknown>>(sql: string): Statement<Row> {
    return new PreparedStatement<Row>(guarded(() => this.#database.prepare(sql)));
  }

  /** Runs statements that answer nothing. */
  exec(sql: string): void {
    guarded(() => {
      this.#database.exec(sql);
    });
  }

  /**
   * Runs the action in one transaction: all of it is kept, or, when it throws, none. May be nested: the outermost
   * decides.
   */
  transaction<Value>(action: () => Value): Value {
    if (this.#database.isTransaction) {
      return action();
    }
    this.exec('BEGIN IMMEDIATE');
    try {
      const value = action();
      this.exec('COMMIT');
      return value;
    } catch (error) {
      if (this.#database.isTransaction) {
        this.exec('ROLLBACK');
      }
      throw asStorageError(error);
    }
  }

  /**
   * Runs an action that only reads, over one state of the file. Several statements in it cost less than by themselves,
   * for each by itself locks the log and lets it go. May be nested, in a transaction as well.
   */
  reading<Value>(action: () => Value): Value {
    if (this.#database.isTransaction) {
      return action();
    }
    this.exec('BEGIN');
    try {
      return action();
    } finally {
      // After some failures SQLite has ended it itself.
      if (this.#database.isTransaction) {
        this.exec('COMMIT');
      }
    }
  }

  /**
   * The same, but for an action that is put off rather than waited for: fails with `alreadyRunning` at once while
   * another thread writes.
   */
  transactionNow<Value>(action: () => Value): Value {
    this.exec('PRAGMA busy_timeout = 0');
    try {
      return this.transaction(action);
    } finally {
      this.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  /**
   * Moves what the write-ahead log holds into the file itself, as far as no reader needs the log; the log is then
   * written anew from its start.
   */
  checkpoint(): void {
    guarded(() => this.#database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get());
  }

  close(): void {
    if (this.#database.isOpen) {
      this.#database.close();
    }
  }
}
