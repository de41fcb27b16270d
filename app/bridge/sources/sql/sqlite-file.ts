import { statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncOptions, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { behindLink, sidecars } from '../../../storage/names-beside.ts';
import { onlyFile } from '../../../storage/only-file.ts';
import { reasonOf } from '../../reason.ts';
import { ConnectError, replaceParameters } from './connection.ts';

/** So long a question waits for a shop's program that writes. */
const busyTimeoutMs = 5000;

/** Throws where a pipe or a device lies in its place, or where SQLite looks beside it: behind a link. */
export function requireFiles(path: string): void {
  const real = behindLink(path);
  sidecars.forEach((suffix) => onlyFile(real + suffix));
}

/** Opens an existing file, to be read alone unless told. Throws ConnectError where there is none. */
export function openFile(path: string, options: DatabaseSyncOptions = { readOnly: true }): DatabaseSync {
  const url = pathToFileURL(path);
  // Else SQLite would make a file that is away anew, and empty.
  url.searchParams.set('mode', options.readOnly === true ? 'ro' : 'rw');
  try {
    requireFiles(path);
    return new DatabaseSync(url, { timeout: busyTimeoutMs, ...options });
  } catch (error) {
    throw new ConnectError(`${reasonOf(error)} (${path})`);
  }
}

/**
 * What tells the file at the path from another one that takes its place, or was copied over it: SQLite itself knows that
 * by a counter alone, which two files may have in common. "" where there is none.
 */
export function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : [found.dev, found.ino, found.size, found.mtimeNs].join(':');
}

/** Prepares a statement with named parameters. Throws RangeError for a second one, which SQLite would pass over. */
export function prepareOne(database: DatabaseSync, sql: string): StatementSync {
  const text = replaceParameters(sql, () => '?');
  const statement = database.prepare(text);
  const rest = text.slice(statement.sourceSQL.length).replaceAll(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, '');
  if (/[^;\s]/.test(rest)) {
    throw new RangeError('it is more than one statement');
  }
  statement.setReadBigInts(true);
  return statement;
}
