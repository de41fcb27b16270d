// Owns where this terminal's data lies when nobody says otherwise: the folder that each operating system means for a
// user's own data that does not travel to other machines. Never decides what lies in it.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '../storage/database.ts';

/** The default data directory of this user. */
export function defaultDataDirectory(system = platform(), home = homedir(), environment: Readonly<NodeJS.ProcessEnv> = process.env): string {
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

/** Takes the folder from users of this machine who are neither its owner nor of its group; who made it may have left it open. */
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

/** Makes the folder if it is not there, for this user alone, and closes to others one that is. Throws StorageError `storageFull` or `storageFailed`. */
export function prepareDataDirectory(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    closeToOthers(path);
    return path;
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new StorageError({ kind: isFull ? 'storageFull' : 'storageFailed', message: error instanceof Error ? error.message : String(error) });
  }
}
