// Owns what happens to a database file that is no longer whole: a precious one is set aside under a new name, never
// overwritten; a disposable one is deleted, for it can be read again from the platform. Never repairs in place.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Database, StorageError, type DatabaseOptions } from './database.ts';

const sidecars = ['', '-wal', '-shm'];

/** Deletes a disposable database and what lies beside it. It must be closed. */
export function deleteDatabase(path: string): void {
  for (const sidecar of sidecars) {
    rmSync(path + sidecar, { force: true });
  }
}

export interface OpenedDatabase {
  readonly database: Database;
  /** Where the damaged file now lies (`precious`), "" when it was deleted (`disposable`), null when all was well. */
  readonly replaced: string | null;
}

// A clock that starts in 1970 after every power cut tells the same time again.
function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; sidecars.some((suffix) => existsSync(name + suffix)); count += 1) {
    name = `${wanted}-${count}`;
  }
  return name;
}

/** Opens the database, in a folder made when it is missing; a damaged file makes way for a new one as its kind asks. Throws StorageError for all but damage. */
export async function openOrReplace(path: string, options: DatabaseOptions, now: number): Promise<OpenedDatabase> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return { database: await Database.open(path, options), replaced: null };
  } catch (error) {
    const makesWay =
      error instanceof StorageError && (error.isDamage || (options.kind === 'disposable' && error.failure.kind === 'storageFromFuture'));
    if (!makesWay) {
      throw error;
    }
  }
  const replaced = options.kind === 'precious' ? freeName(`${path}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`) : '';
  if (replaced === '') {
    deleteDatabase(path);
  } else {
    for (const sidecar of sidecars.filter((suffix) => existsSync(path + suffix))) {
      renameSync(path + sidecar, replaced + sidecar);
    }
  }
  return { database: await Database.open(path, options), replaced };
}
