import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { StorageError, asStorageError } from './database.ts';

/**
 * Takes the data directory for this process until `release`. Throws StorageError: `alreadyRunning` when another one has
 * it, `storageFailed` when the directory cannot be used.
 */
export function lockInstance(dataDirectory: string): { release(): void } {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(join(dataDirectory, 'instance.lock'));
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const reason = asStorageError(error);
    throw reason instanceof StorageError && reason.failure.kind === 'alreadyRunning'
      ? new StorageError({ kind: 'alreadyRunning', message: dataDirectory })
      : reason;
  }
  const held = database;
  return {
    release: () => {
      held.close();
    },
  };
}
