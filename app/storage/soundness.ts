import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { lookingUrl } from './file-url.ts';

/** The version that a database says it has. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

/** What is wrong with a database; null when it is whole. */
export function faultOf(database: DatabaseSync): string | null {
  const check = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  return check === 'ok' ? null : String(check).slice(0, 500);
}

/** Whether no log lies beside the file, or an empty one. */
export function isWithoutLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
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

/**
 * What is wrong with a database whose log lies beside it; null when it is whole, or has none. Does not take the log in:
 * whoever opens it to write takes it in at the latest when closing, and a log that is damaged, or another database's,
 * would then have spoilt what is to be set aside.
 */
export function faultOfLog(path: string, busyTimeoutMs: number): string | null {
  if (!existsSync(path) || isWithoutLog(path)) {
    return null;
  }
  const index = `${path}-shm`;
  const isIndexOurs = !existsSync(index);
  if (isIndexOurs) {
    closeSync(openSync(index, 'a', 0o600));
  }
  const looking = new DatabaseSync(lookingUrl(path), { readOnly: true, timeout: busyTimeoutMs });
  try {
    // A log that is whole may still be another database's: SQLite does not tell, and reads that one. Its own never
    // takes a version back.
    return (
      faultOf(looking) ?? (versionOf(looking) < versionInHead(path) ? 'the log beside the file is not its own' : null)
    );
  } finally {
    looking.close();
    if (isIndexOurs) {
      rmSync(index, { force: true });
    }
  }
}
