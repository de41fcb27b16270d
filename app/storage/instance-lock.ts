import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { StorageError, asStorageError } from './database.ts';

/** A database that nothing refers to is collected, and lets go. */
const held = new Set<DatabaseSync>();

/**
 * Takes the data directory for this process until `release`. Throws StorageError: `alreadyRunning` when another one has
 * it, `storageFailed` when the directory cannot be used.
 */
export function lockInstance(dataDirectory: string): { release(): void } {
  let opened: DatabaseSync | null = null;
  try {
    opened = new DatabaseSync(join(dataDirectory, 'instance.lock'));
    opened.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    opened?.close();
    const reason = asStorageError(error);
    throw reason instanceof StorageError && reason.failure.kind === 'alreadyRunning'
      ? new StorageError({ kind: 'alreadyRunning', message: dataDirectory })
      : reason;
  }
  const database = opened;
  held.add(database);
  return {
    release: () => {
      held.delete(database);
      database.close();
    },
  };
}
