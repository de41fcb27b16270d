import { DatabaseSync, backup, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { accessSync, constants, existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Failure } from '../domain/failure.ts';
import { makeWhole, setForeignJournalAside } from './before-opening.ts';
import { hasRoom } from './disk-room.ts';
import { identityOf, stampOf } from './file-identity.ts';
import { immutableUrl, sharedUrl } from './file-url.ts';
import { retryWhileHeld } from './held-files.ts';
import { behindLink, freshName, removeWhole, sidecars } from './names-beside.ts';
import { onlyFile } from './only-file.ts';
import { faultOf, faultOfLog, faultOfTables, isWithoutLog, versionOf } from './soundness.ts';

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
  /** How all of it is looked through when it is opened: a precious one quickly unless told, a disposable one not. */
  readonly check?: 'integrity_check' | 'quick_check';
  readonly migrations: readonly Migration[];
  /** Names in its folder of what is made only after it: where one lies there, a file that is gone or empty was lost. */
  readonly madeBefore?: RegExp;
}

/** Thrown by storage; its failure is `storageFull`, `storageFailed`, `storageFromFuture` or `alreadyRunning`. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly failure: Failure;
  /** True when the file itself is not a whole database any more. */
  readonly isDamage: boolean;
  /** True when a statement was refused for what it says: it does not fit the tables. */
  readonly isMisfit: boolean;

  constructor(failure: Failure, isDamage = false, isMisfit = false) {
    super(failure.message ?? failure.kind);
    this.failure = failure;
    this.isDamage = isDamage;
    this.isMisfit = isMisfit;
  }
}

/** A prepared statement whose rows have the given shape. */
export interface Statement<Row> {
  all(...parameters: SqlValue[]): Row[];
  get(...parameters: SqlValue[]): Row | undefined;
  run(...parameters: SqlValue[]): { readonly changes: number; readonly lastId: number };
}

// SQLite's primary result codes, https://sqlite.org/rescode.html
const refusedStatement = 1;
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

/** For a write that this run can do without: only what a restart finds is another. */
export function unlessStorageFails(write: () => void): void {
  try {
    write();
  } catch (error) {
    onlyStorageError(error);
  }
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
  return new StorageError(
    { kind: 'storageFailed', message },
    code === corrupt || code === notADatabase,
    code === refusedStatement,
  );
}

/** The failure at a file as a person should see it: without room SQLite tells much as an error of input and output. */
export function nameLackOfRoom(error: unknown, path: string): unknown {
  const trouble = asStorageError(error);
  return trouble instanceof StorageError &&
    !trouble.isDamage &&
    !trouble.isMisfit &&
    trouble.failure.kind === 'storageFailed' &&
    !hasRoom(dirname(path))
    ? new StorageError({ ...trouble.failure, kind: 'storageFull' })
    : trouble;
}

function guarded<Value>(action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    throw asStorageError(error);
  }
}

/** The same for reading rows: an integer that no number can hold is in none that this app wrote. */
function guardedRows<Value>(action: () => Value): Value {
  return guarded(() => {
    try {
      return action();
    } catch (error) {
      if (error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE') {
        throw new StorageError({ kind: 'storageFailed', message: error.message.slice(0, 500) }, true);
      }
      throw error;
    }
  });
}

/** Under a name of its own until it is whole. What fails here is no damage of what is copied. */
async function backUp(database: DatabaseSync, place: string): Promise<void> {
  try {
    // mutant: a leftover backup is taken for damage of the queue (I1, I27)
    const copy = freshName(`${place}.new`);
    try {
      await backup(database, copy);
      retryWhileHeld(() => {
        renameSync(copy, freshName(place));
      });
    } finally {
      removeWhole(copy);
    }
  } catch (error) {
    const trouble = nameLackOfRoom(error, place);
    throw trouble instanceof StorageError ? new StorageError(trouble.failure) : trouble;
  }
}

function requireSound(fault: string | null): void {
  if (fault !== null) {
    throw new StorageError({ kind: 'storageFailed', message: fault }, true);
  }
}

/** The disk, or a right, stands against it; the file may be as whole as ever. */
function isRefusal(error: unknown): error is StorageError {
  return (
    error instanceof StorageError &&
    !error.isDamage &&
    !error.isMisfit &&
    (error.failure.kind === 'storageFull' || error.failure.kind === 'storageFailed')
  );
}

class PreparedStatement<Row> implements Statement<Row> {
  readonly #sql: string;
  readonly #connectionNow: () => DatabaseSync;
  readonly #beforeWrite: () => void;
  #connection: DatabaseSync;
  #statement: StatementSync;

  constructor(sql: string, connectionNow: () => DatabaseSync, beforeWrite: () => void) {
    this.#sql = sql;
    this.#connectionNow = connectionNow;
    this.#beforeWrite = beforeWrite;
    this.#connection = connectionNow();
    this.#statement = this.#connection.prepare(sql);
  }

  #current(): StatementSync {
    const connection = this.#connectionNow();
    if (connection !== this.#connection) {
      this.#statement = connection.prepare(this.#sql);
      this.#connection = connection;
    }
    return this.#statement;
  }

  all(...parameters: SqlValue[]): Row[] {
    return guardedRows(() => this.#current().all(...parameters) as Row[]);
  }

  get(...parameters: SqlValue[]): Row | undefined {
    return guardedRows(() => this.#current().get(...parameters) as Row | undefined);
  }

  run(...parameters: SqlValue[]): { readonly changes: number; readonly lastId: number } {
    this.#beforeWrite();
    const { changes, lastInsertRowid } = guarded(() => this.#current().run(...parameters));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }
}

/** Of a file that was opened to be read: how it is opened to be written to, and what it was then. */
interface AsRead {
  readonly options: DatabaseOptions;
  readonly stamp: string;
}

/** Connects to the file, made when it is missing. */
function connectToWrite(named: string, { kind, check }: DatabaseOptions, timeout: number) {
  const path = guarded(() => behindLink(named));
  guarded(() => sidecars.forEach((suffix) => onlyFile(path + suffix)));
  if (existsSync(path)) {
    // SQLite would read it all the same, and make a log beside it that may not be written to either.
    guarded(() => accessSync(path, constants.W_OK));
  }
  guarded(() => setForeignJournalAside(path));
  if (kind === 'precious') {
    requireSound(guarded(() => faultOfLog(path, timeout, check)));
  }
  const isNew = !existsSync(path);
  if (isNew && kind === 'precious' && path !== ':memory:') {
    guarded(() => makeWhole(path));
  }
  const connection = guarded(() => new DatabaseSync(sharedUrl(path), { enableForeignKeyConstraints: true, timeout }));
  return { connection, isNew };
}

/** How each kind of file is written to. */
function tune(connection: DatabaseSync, { kind }: DatabaseOptions): void {
  if (kind === 'precious') {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE');
  }
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec(`PRAGMA synchronous = ${kind === 'precious' ? 'FULL' : 'NORMAL'}`);
  if (kind === 'disposable') {
    // Whoever writes much has the log emptied at a moment of its own choice, by another thread (checkpoint-thread.ts)
    // or by `checkpoint`. Only a log that nobody empties grows so long that a commit does it. The page cache is what
    // a lookup finds warm.
    connection.exec(
      `PRAGMA wal_autocheckpoint = ${disposableLogPages}; PRAGMA cache_size = -${disposableCacheKibibytes}`,
    );
  }
}

/** An open SQLite database. All calls are synchronous and throw StorageError. */
export class Database {
  #database: DatabaseSync;
  #asRead: AsRead | null = null;
  #ownOfConnection: string[] = [];
  #undos: (() => void)[] = [];
  #isWhole = false;
  #identity: string | null = null;
  readonly path: string;

  private constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.path = path;
  }

  /**
   * Opens or creates the file and brings it to the newest version in one transaction. Throws StorageError:
   * `alreadyRunning` when another process holds it, `storageFromFuture` when its version is newer than this app. One that
   * cannot be written, for want of room or of the right, is opened to be read where it can be: every write then fails,
   * until one finds that it can be.
   */
  static async open(path: string, options: DatabaseOptions): Promise<Database> {
    try {
      return await Database.#openToWrite(path, options);
    } catch (error) {
      const trouble = nameLackOfRoom(error, path);
      const toRead = isRefusal(trouble) ? Database.#openToRead(path, options) : null;
      if (toRead === null) {
        throw trouble;
      }
      return toRead;
    }
  }

  static async #openToWrite(path: string, options: DatabaseOptions): Promise<Database> {
    const { connection, isNew } = connectToWrite(path, options, busyTimeoutMs);
    const database = new Database(connection, path);
    try {
      await database.#prepare(options, isNew);
      database.#noteIdentity(options);
      return database;
    } catch (error) {
      connection.close();
      throw asStorageError(error);
    }
  }

  /** Null for one that is not there, not whole, of another version, or whose log holds what it lacks itself. */
  static #openToRead(named: string, options: DatabaseOptions): Database | null {
    let connection: DatabaseSync | null = null;
    try {
      const path = behindLink(named);
      sidecars.forEach((suffix) => onlyFile(path + suffix));
      if (!isWithoutLog(path)) {
        return null;
      }
      const stamp = stampOf(path);
      connection = new DatabaseSync(immutableUrl(path), { readOnly: true });
      if (versionOf(connection) === (options.migrations.at(-1)?.version ?? 0)) {
        if (options.kind === 'precious') {
          requireSound(faultOf(connection, options.check));
        }
        const database = new Database(connection, named);
        database.#asRead = { options, stamp };
        return database;
      }
    } catch {
      // The failure that kept it from being written to is reported.
    }
    connection?.close();
    return null;
  }

  async #prepare(options: DatabaseOptions, isNew: boolean): Promise<void> {
    const newest = options.migrations.at(-1)?.version ?? 0;
    tune(this.#database, options);
    const version = versionOf(this.#database);
    if (version > newest) {
      throw new StorageError({
        kind: 'storageFromFuture',
        message: `version ${version} of ${this.path}; this app knows ${newest}`,
      });
    }
    const isPrecious = options.kind === 'precious';
    if (!isPrecious) {
      requireSound(guarded(() => faultOfTables(this.#database)));
    }
    if (isPrecious || options.check !== undefined) {
      requireSound(guarded(() => faultOf(this.#database, options.check)));
    }
    // One whose making was cut off is no backup, and would take the place of one that is.
    if (isPrecious && !isNew && version > 0 && version < newest) {
      await backUp(this.#database, `${this.path}.before-${newest}`);
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

  /**
   * One that was opened to be read is opened to be written to as soon as it can be: what was read of it, and is
   * remembered, holds, for the file is the one that it was. Else a start is needed.
   */
  #openToWriteNow(): void {
    if (this.#database.isTransaction) {
      return;
    }
    this.requirePlace();
    // mutant: a file that could only be read stays so
    if (this.#asRead === null) {
      return;
    }
    const { path } = this;
    const { options, stamp } = this.#asRead;
    if (guarded(() => stampOf(path)) !== stamp || !guarded(() => isWithoutLog(behindLink(path)))) {
      throw new StorageError({ kind: 'storageFailed', message: `${path} is not what it was: start Tillside again` });
    }
    // Whoever holds it now is not waited for at each write.
    const { connection } = connectToWrite(path, options, 0);
    try {
      tune(connection, options);
      connection.exec([...this.#ownOfConnection, `PRAGMA busy_timeout = ${busyTimeoutMs}`].join(';'));
    } catch (error) {
      connection.close();
      throw nameLackOfRoom(error, path);
    }
    this.#database.close();
    this.#database = connection;
    this.#asRead = null;
    this.#noteIdentity(options);
  }

  #noteIdentity({ kind }: DatabaseOptions): void {
    this.#identity = kind === 'precious' ? this.#identityNow() : null;
  }

  /** Of the file and of its log, which lies there for as long as the file is open. */
  #identityNow(): string {
    return [this.path, `${guarded(() => behindLink(this.path))}-wal`].map((path) => identityOf(path)).join(' ');
  }

  /**
   * Throws where another file lies in the place of a precious one now, or of its log, or none: SQLite would go on writing
   * into the one that no start finds.
   */
  requirePlace(): void {
    // mutant: what is written to a file that no start finds passes for kept
    if (this.#identity !== null && this.#identityNow() !== this.#identity) {
      const message = `${this.path} is not the file any more that this program has begun with: restart it`;
      throw new StorageError({ kind: 'storageFailed', message });
    }
  }

  /** Prepares a statement; keep it and use it again. */
  prepare<Row = Record<string, unknown>>(sql: string): Statement<Row> {
    const statement = () =>
      new PreparedStatement<Row>(
        sql,
        () => this.#database,
        () => this.#openToWriteNow(),
      );
    return guarded(statement);
  }

  /** Runs statements for what is the connection's own, as temporary tables are. */
  execOwn(sql: string): void {
    this.exec(sql);
    this.#ownOfConnection.push(sql);
  }

  /** Runs statements that answer nothing. */
  exec(sql: string): void {
    guarded(() => {
      this.#database.exec(sql);
    });
  }

  /** Runs the action in one transaction: all or, when it throws, none. May be nested: the outermost decides. */
  transaction<Value>(action: () => Value): Value {
    if (this.#database.isTransaction) {
      return action();
    }
    this.#openToWriteNow();
    this.exec('BEGIN IMMEDIATE');
    try {
      const value = action();
      this.exec('COMMIT');
      return value;
    } catch (error) {
      if (this.#database.isTransaction) {
        this.exec('ROLLBACK');
      }
      // mutant: what memory believes of a write outlives the write
      this.#undos.toReversed().forEach((undo) => undo());
      throw asStorageError(error);
    } finally {
      this.#undos = [];
    }
  }

  /**
   * For what memory believes of a write: `undo` is called when the transaction that is open now does not come about, as
   * on a full disk at its end. Without one it is not called, for then the write is on disk.
   */
  ifRolledBack(undo: () => void): void {
    if (this.#database.isTransaction) {
      this.#undos.push(undo);
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

  /** The same for what is put off rather than waited for: `alreadyRunning` at once while another thread writes. */
  transactionNow<Value>(action: () => Value): Value {
    this.exec('PRAGMA busy_timeout = 0');
    try {
      return this.transaction(action);
    } finally {
      this.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  /**
   * What was thrown over what was read, or the file's damage that explains it: looked for once, for that takes long.
   */
  explain(error: unknown): unknown {
    if (!(error instanceof StorageError || this.#isWhole) && this.#database.isOpen) {
      try {
        requireSound(faultOf(this.#database));
        this.#isWhole = true;
      } catch (trouble) {
        return asStorageError(trouble);
      }
    }
    return error;
  }

  /** Writes what changes nothing; fails with `alreadyRunning` at once while another thread writes. */
  tryWriting(): void {
    this.transactionNow(() => {
      this.exec(`PRAGMA user_version = ${versionOf(this.#database)}`);
    });
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
