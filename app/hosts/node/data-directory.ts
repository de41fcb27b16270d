import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { dirname, join, win32 } from 'node:path';
import { StorageError } from '../../storage/database.ts';
import { freshName } from '../../storage/names-beside.ts';
import { StartError, type StartErrorReason } from './start-error.ts';

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
  const trial = freshName(join(path, `.trial-${process.pid}`));
  writeFileSync(trial, '', { mode: 0o600, flag: 'wx' });
  rmSync(trial, { force: true });
}

/** What is asked of the system about a folder. */
export interface FolderFacts {
  readonly system: NodeJS.Platform;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The path as the system knows it; on Windows that of a mapped drive begins with its server. */
  readonly realPath: (path: string) => string;
  /** The number of its file system, as Linux' statfs(2) gives it. */
  readonly fileSystemOf: (path: string) => number;
}

/** Windows allows 260 characters; the longest name of a file in the folder takes less than the rest. */
const maxWindowsCharacters = 150;
/** NFS, SMB, CIFS and SMB 2: https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);
/** What OneDrive tells every program of its folders. */
const syncedFolders = ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'];

const here: FolderFacts = {
  system: platform(),
  environment: process.env,
  realPath: (path) => realpathSync.native(path),
  fileSystemOf: (path) => statfsSync(path).type,
};

/**
 * Why a terminal's data may not lie in this folder, or null. SQLite's log needs a disk of this machine
 * (https://sqlite.org/wal.html), and a queue that something else copies could be sent twice.
 */
export function whyUnfit(
  path: string,
  { system, environment, realPath, fileSystemOf }: FolderFacts = here,
): StartErrorReason | null {
  if (system === 'linux') {
    return networkFileSystems.has(fileSystemOf(path)) ? 'networkFolder' : null;
  }
  if (system !== 'win32') {
    return null;
  }
  const real = realPath(path);
  if (real.startsWith('\\\\')) {
    return 'networkFolder';
  }
  const isSynced = syncedFolders.some((name) => {
    const within = win32.relative(environment[name] ?? '', real);
    return environment[name] !== undefined && !within.startsWith('..') && !win32.isAbsolute(within);
  });
  if (isSynced) {
    return 'syncedFolder';
  }
  return real.length > maxWindowsCharacters ? 'tooLongFolder' : null;
}

/**
 * Makes the folder if it is not there, for this user alone, closes to others one that is, and proves that it can be
 * written. Throws StorageError `storageFull` or `storageFailed`, and StartError for one that is unfit.
 */
export function prepareDataDirectory(path: string, facts?: FolderFacts): string {
  let reason: StartErrorReason | null;
  try {
    makeFolder(path);
    reason = whyUnfit(path, facts);
    closeToOthers(path);
    tryToWrite(path);
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    throw new StorageError({
      kind: isFull ? 'storageFull' : 'storageFailed',
      message: error instanceof Error ? error.message : String(error),
    });
  }
  if (reason !== null) {
    throw new StartError(reason);
  }
  return path;
}
