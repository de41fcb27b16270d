// Owns the rule that one process alone uses a data directory: an exclusive lock on a small SQLite file, which the
// operating system lets go when the process ends, however it ends. Never holds data.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { StorageError, asStorageError } from './database.ts';

/** Takes the data directory for this process until `release`. Throws StorageError `alreadyRunning` when another one has it. */
export function lockInstance(dataDirectory: string): { release(): void } {
  const database = new DatabaseSync(join(dataDirectory, 'instance.lock'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw asStorageError(error) instanceof StorageError ? new StorageError({ kind: 'alreadyRunning', message: dataDirectory }) : error;
  }
  return {
    release: () => {
      database.close();
    },
  };
}
