import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { StorageError } from '../../storage/database.ts';

/** The default data directory of this user. */
export function defaultDataDirectory(
  system = platform(),
  home = homedir(),
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): string {
  if (system === 'win32') {
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Tillside');
  }
  if (system === 'darwin') {
    return join(home, 'Library', 'Application Support', 'Tillside');
  }
  // https://specifications.freedesktop.org/basedir-spec: a relative path is to be ignored.
  const named = environment['XDG_DATA_HOME'] ?? '';
  return join(named.startsWith('/') ? named : join(home, '.local', 'share'), 'Tillside');
}

/**
 * Takes the folder from users of this machine who are neither its owner nor of its group; who made it may have left it
 * open.
 */
function closeToOthers(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o007) !== 0 && platform() !== 'win32') {
      chmodSync(path, mode & 0o770);
    }
  } catch {
    // Somebody else's folder: its owner decides.
  }
}

/** Level by level: Node's own way tries for ever where a folder is there and takes none, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    return;
  }
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start may have been faster.
    if (!existsSync(path)) {
      throw error;
    }
  }
}

/**
 * Whether the system lets this user write is known when it has been done: permissions say little on a file system that
 * is mounted to be read, or on Windows.
 */
function tryToWrite(path: string): void {
  const trial = join(path, `.trial-${process.pid}`);
  writeFileSync(trial, '', { mode: 0o600 });
  rmSync(trial, { force: true });
}

/**
 * Makes the folder if it is not there, for this user alone, closes to others one that is, and proves that it can be
 * written. Throws StorageError `storageFull` or `storageFailed`.
 */
export function prepareDataDirectory(path: string): string {
  try {
    makeFolder(path);
    closeToOthers(path);
    tryToWrite(path);
    return path;
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    throw new StorageError({
      kind: isFull ? 'storageFull' : 'storageFailed',
      message: error instanceof Error ? error.message : String(error),
    });
  }
}
