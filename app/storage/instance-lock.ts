import { accessSync, constants, lstatSync, rmSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { StorageError, nameLackOfRoom } from './database.ts';
import { onlyFile } from './only-file.ts';

/** A database that nothing refers to is collected, and lets go. */
const held = new Set<DatabaseSync>();

function hold(path: string): DatabaseSync {
  const opened = new DatabaseSync(path);
  try {
    opened.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return opened;
  } catch (error) {
    opened.close();
    throw nameLackOfRoom(error, path);
  }
}

/** Nothing is ever kept in it: a damaged one is emptied where it lies, for another name would be another lock. */
function holdOrEmpty(path: string): DatabaseSync {
  try {
    return hold(path);
  } catch (error) {
    if (!(error instanceof StorageError && error.isDamage)) {
      throw error;
    }
  }
  truncateSync(path);
  return hold(path);
}

/**
 * Takes the data directory for this process until `release`. Throws StorageError: `alreadyRunning` when another one has
 * it, `storageFull` or `storageFailed` when the directory cannot be used.
 */
export function lockInstance(dataDirectory: string): { release(): void } {
  const path = join(dataDirectory, 'instance.lock');
  let database: DatabaseSync;
  try {
    // What a link leads to is somebody's file: SQLite would write into it.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === false) {
      throw new StorageError({ kind: 'storageFailed', message: `${path} is no file` });
    }
    if (found !== undefined) {
      // SQLite would open it to be read, and so would another process.
      accessSync(path, constants.W_OK);
    }
    // It has none of its own, and SQLite would do what another's says.
    rmSync(onlyFile(`${path}-journal`), { force: true });
    database = holdOrEmpty(path);
  } catch (error) {
    const reason = nameLackOfRoom(error, path);
    throw reason instanceof StorageError && reason.failure.kind === 'alreadyRunning'
      ? new StorageError({ kind: 'alreadyRunning', message: dataDirectory })
      : reason;
  }
  held.add(database);
  return {
    release: () => {
      held.delete(database);
      database.close();
    },
  };
}
