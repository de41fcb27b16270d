import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Database, StorageError, asStorageError, nameLackOfRoom, type DatabaseOptions } from './database.ts';
import { retryWhileHeld } from './held-files.ts';
import { behindLink, freeName, sidecars } from './names-beside.ts';
import { isWithoutLog } from './soundness.ts';

/** Deletes a disposable database and what lies beside it. It must be closed. Throws StorageError. */
export function deleteDatabase(path: string): void {
  try {
    for (const sidecar of sidecars) {
      retryWhileHeld(() => {
        rmSync(path + sidecar, { force: true });
      });
    }
  } catch (error) {
    throw asStorageError(error);
  }
}

export interface OpenedDatabase {
  readonly database: Database;
  /** Where the damaged file now lies (`precious`), "" when it was deleted (`disposable`), null when all was well. */
  readonly replaced: string | null;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Throws StorageError where one of them is empty or missing beside `last`, which is made after them: it has been lost. */
export function requireKept(paths: readonly string[], last: string): void {
  const lost = existsSync(last) ? paths.find((path) => sizeOf(path) === 0) : undefined;
  if (lost !== undefined) {
    throw new StorageError({ kind: 'storageFailed', message: `${lost} is empty or missing: bring back a backup` });
  }
}

/**
 * Whether a database was there once, and it and its log are empty. What is made after it tells that; else an empty file
 * does, unless SQLite was at its first page, as an older version had it.
 */
function isLost(path: string, { kind, madeBefore }: DatabaseOptions): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  const real = behindLink(path);
  const isEmpty = (file === undefined || (file.isFile() && file.size === 0)) && isWithoutLog(real);
  if (!isEmpty || kind === 'disposable') {
    return false;
  }
  return madeBefore === undefined
    ? file !== undefined && !existsSync(`${real}-journal`)
    : readdirSync(dirname(path)).some((name) => madeBefore.test(name));
}

/** Only what is proven: a full disk, a missing right or too many open files say nothing of the file. */
function makesWay(error: unknown, { kind }: DatabaseOptions): boolean {
  // mutant: a copy that the disk refuses makes way
  return (
    error instanceof StorageError &&
    (error.isDamage || (kind === 'disposable' && error.failure.kind === 'storageFromFuture'))
  );
}

/** Opens the database, in a folder made when it is missing; one that was lost is damaged. Throws StorageError. */
export async function openWhole(path: string, options: DatabaseOptions): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true });
  if (isLost(path, options)) {
    throw new StorageError({ kind: 'storageFailed', message: 'the file is gone or empty' }, true);
  }
  return Database.open(path, options);
}

/** Takes the file out of the way as its kind asks; answers its new name, or "" when it is deleted. */
function clear(path: string, { kind }: DatabaseOptions, now: number): string {
  if (kind === 'disposable') {
    deleteDatabase(path);
    return '';
  }
  const aside = freeName(`${path}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`);
  if (!existsSync(path)) {
    // So that what is told lies there.
    closeSync(openSync(path, 'a', 0o600));
  }
  // The file itself goes last: should the power fail in between, what is left is found damaged again, and no log is
  // left beside a new file, which would delete it.
  for (const sidecar of sidecars.toReversed().filter((suffix) => existsSync(path + suffix))) {
    retryWhileHeld(() => {
      renameSync(path + sidecar, aside + sidecar);
    });
  }
  return aside;
}

/**
 * Opens the database, in a folder made when it is missing; a damaged file makes way for a new one as its kind asks, and
 * so does a disposable one of a newer version. Throws StorageError for all else.
 */
export async function openOrReplace(path: string, options: DatabaseOptions, now: number): Promise<OpenedDatabase> {
  try {
    try {
      return { database: await openWhole(path, options), replaced: null };
    } catch (error) {
      if (!makesWay(asStorageError(error), options)) {
        throw error;
      }
    }
    const replaced = clear(path, options, now);
    return { database: await Database.open(path, options), replaced };
  } catch (error) {
    throw nameLackOfRoom(error, path);
  }
}
