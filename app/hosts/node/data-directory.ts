import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname, isAbsolute, join, relative, sep, win32 } from 'node:path';
import { StorageError } from '../../storage/database.ts';
import { identityOf } from '../../storage/file-identity.ts';
import { homeOfUser } from './home.ts';
import { StartError, type StartErrorReason } from './start-error.ts';

/** The default data directory of this user. */
export function defaultDataDirectory(
  system = platform(),
  home = homeOfUser(),
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

/** The rights there of users who are neither the folder's owner nor of its group. */
const others = 0o007;
/** Whether users may write there who are neither its owner nor of its group. */
const mayOthersWrite = (mode: number): boolean => (mode & 0o002) !== 0;

type OwnerFacts = Pick<FolderFacts, 'userId' | 'isReachable'>;

const isTrusted = (owner: number, { userId }: OwnerFacts): boolean => owner === userId || owner === 0;

/** Whether everybody may move what lies in a folder of this mode: out of a sticky one only its owner moves it. */
const isMovedByOthers = (mode: number): boolean => mayOthersWrite(mode) && (mode & 0o1000) === 0;

/**
 * Whether everybody can put something where this lies, or a folder on the way to it, and what is there may be from any of
 * them. Whoever has a folder that is named, and is closed to others, was meant by who named it. `owner`: of what was
 * opened, where another may have taken its place since. `isSwapped`: what is there may have been put there a moment ago,
 * and says nothing where others could move it there.
 */
function mayBePlanted(path: string, facts: OwnerFacts, owner = lstatSync(path).uid, isSwapped = false): boolean {
  const outer = dirname(path);
  if (outer === path) {
    return false;
  }
  const { mode } = statSync(outer);
  const isDoubtful = !isTrusted(owner, facts) || (isSwapped && isMovedByOthers(mode));
  return (
    (isDoubtful && mayOthersWrite(mode) && facts.isReachable(outer)) ||
    mayBePlanted(outer, facts, lstatSync(outer).uid, isSwapped)
  );
}

/** Linux follows no more links than that on one way. */
const maxLinks = 40;

/** What the system comes by on its way to a path, each in the real folder that it lies in. */
interface Way {
  /** The links among the folders. */
  readonly passed: readonly string[];
  /** Where the path itself lies, and then where it leads after each link; the last one is none. */
  readonly ends: readonly string[];
}

/**
 * Name by name, as the system goes: ".." is above where a link before it leads, not above the link. Throws as the system
 * does, also for too many links.
 */
function findWay(path: string): Way {
  const namesOf = (text: string): string[] =>
    text
      .split(sep)
      .filter((name) => name !== '' && name !== '.')
      .toReversed();
  const [passed, ends]: [string[], string[]] = [[], []];
  const left = namesOf(path);
  let folder = isAbsolute(path) ? sep : realpathSync('.');
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const place = name === '..' ? dirname(folder) : join(folder, name);
    if (!lstatSync(place).isSymbolicLink()) {
      folder = place;
      continue;
    }
    (left.length === 0 ? ends : passed).push(place);
    if (passed.length + ends.length > maxLinks) {
      throw Object.assign(new Error(`ELOOP: too many links, ${path}`), { code: 'ELOOP' });
    }
    const to = readlinkSync(place);
    left.push(...namesOf(to));
    folder = isAbsolute(to) ? sep : folder;
  }
  return { passed, ends: [...ends, folder] };
}

/** Whether a link on the way to it may be from anybody, who chose where it leads: whose it is says nothing then. */
function isLedAstray(path: string, facts: OwnerFacts): boolean {
  const { passed, ends } = findWay(path);
  return [...passed, ...ends.slice(0, -1)].some((link) => mayBePlanted(link, facts));
}

const isForeign = (path: string, uid: number, facts: OwnerFacts): boolean =>
  uid !== facts.userId || isLedAstray(path, facts);

/**
 * Takes the folder from users of this machine who are neither its owner nor of its group; who made it may have left it
 * open. Answers why that is not enough, or null: what another user owns is theirs to read and to open again, where
 * everybody could write, anybody may have put in settings of their own, and what stays open everybody reads.
 */
function closeToOthers(path: string, facts: OwnerFacts & Pick<FolderFacts, 'setMode'>): StartErrorReason | null {
  const setRights = (toMode: number): void => {
    try {
      facts.setMode(path, toMode);
    } catch {
      // What follows looks at what has come about.
    }
  };
  if (facts.userId === null) {
    return null;
  }
  const { mode, uid } = statSync(path);
  if (isForeign(path, uid, facts)) {
    return 'foreignFolder';
  }
  if ((mode & others) === 0) {
    return null;
  }
  setRights(mode & 0o770);
  // Some disks know no rights, others do not let them be changed.
  if ((statSync(path).mode & others) !== 0) {
    return 'unclosedFolder';
  }
  // Only now nobody can put something in between the look and the closing.
  if (mayOthersWrite(mode) && readdirSync(path).length > 0) {
    // The next start must see it as this one did.
    setRights(mode & 0o7777);
    return 'openFolder';
  }
  return null;
}

/**
 * Why what lies in this folder is not this user's to believe, or null, also where there is none: `closeToOthers` for a
 * command that only looks, and changes nothing.
 */
export function whyNotOurs(path: string, facts: OwnerFacts = here): StartErrorReason | null {
  try {
    const { mode, uid } = statSync(path);
    if (facts.userId !== null && isForeign(path, uid, facts)) {
      return 'foreignFolder';
    }
    return facts.userId !== null && mayOthersWrite(mode) && readdirSync(path).length > 0 ? 'openFolder' : null;
  } catch {
    // Nothing can be read there either.
    return null;
  }
}

/**
 * Whether the folder is not there, and would be made in one in which everybody can move it away: so may the one before
 * have been, and a new one begins without its lock. A sticky folder lets nobody move what is another's.
 */
function isMovable(path: string, facts: OwnerFacts): boolean {
  const outer = dirname(path);
  if (facts.userId === null || existsSync(path) || outer === path) {
    return false;
  }
  const found = statSync(outer, { throwIfNoEntry: false });
  return found === undefined ? isMovable(outer, facts) : isMovedByOthers(found.mode) && facts.isReachable(outer);
}

/**
 * Whether a file that was opened may be there by, or changed by, somebody who decides nothing of this terminal. Whoever can
 * put things in its place can do so between two looks at it: where it lay is judged by folders in which they cannot.
 */
export function isAnybodys(path: string, file: Pick<Stats, 'uid' | 'mode'>, facts: OwnerFacts): boolean {
  if (facts.userId === null) {
    return false;
  }
  const { passed, ends } = findWay(path);
  return (
    (mayOthersWrite(file.mode) && ends.map(dirname).some(facts.isReachable)) ||
    (!isTrusted(file.uid, facts) &&
      (ends.some((end) => mayBePlanted(end, facts, file.uid, true)) ||
        passed.some((link) => mayBePlanted(link, facts, lstatSync(link).uid, true)))) ||
    [...passed, ...ends].some((place) => mayBePlanted(place, facts))
  );
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Level by level: Node's own way tries for ever where a folder is there and takes none, such as /proc. Throws where
 * something else is in its place.
 */
function makeFolder(path: string): void {
  if (isFolder(path)) {
    return;
  }
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start may have been faster.
    if (!isFolder(path)) {
      throw error;
    }
  }
}

/**
 * Whether the system lets this user write is known when it has been done: permissions say little on a file system that
 * is mounted to be read, or on Windows.
 */
function tryToWrite(path: string): void {
  // A name of chance, which nobody can have taken where others write as well.
  const trial = join(path, `.trial-${randomUUID()}`);
  writeFileSync(trial, '', { mode: 0o600, flag: 'wx' });
  rmSync(trial, { force: true });
}

/**
 * Throws StartError `temporaryFolder` where Chromium could not put the socket by which a second start finds it: it would
 * say that another one runs.
 */
export function requireTemporaryFolder(path: string): void {
  try {
    tryToWrite(path);
  } catch {
    throw new StartError('temporaryFolder');
  }
}

/** The system's answers about a folder. */
export interface FolderFacts {
  readonly system: NodeJS.Platform;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** The path as the system knows it; on Windows that of a mapped drive begins with its server. */
  readonly realPath: (path: string) => string;
  /** The number of its file system, as Linux' statfs(2) gives it. */
  readonly fileSystemOf: (path: string) => number;
  /** Of whoever runs this process; null on Windows, where a folder's rights are no bits. */
  readonly userId: number | null;
  /** Changes a folder's rights, or throws. */
  readonly setMode: (path: string, mode: number) => void;
  /** Whether users can come to a folder that is there who are neither its owner nor of its group. */
  readonly isReachable: (folder: string) => boolean;
}

const chromiumLinks = ['SingletonLock', 'SingletonSocket', 'SingletonCookie'];

/**
 * Throws StorageError `storageFailed` where a file or a folder lies in the place of a link by which Chromium knows
 * whether it runs already: it would end without a word.
 */
export function requireLinks(folder: string): void {
  for (const path of chromiumLinks.map((name) => join(folder, name))) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false) {
      throw new StorageError({ kind: 'storageFailed', message: `${path} is no link` });
    }
  }
}

/** Windows allows 260 characters; the longest name of a file in the folder takes less than the rest. */
const maxWindowsCharacters = 150;
/** NFS, SMB, CIFS and SMB 2: https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);
/** The variables in which OneDrive names its folders to every program. */
const syncedFolders = ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'];

/** The system's word on an absolute path: a folder on the way that is closed to others keeps them from all in it. */
export function isReachable(folder: string): boolean {
  const real = realpathSync(folder);
  const outer = dirname(real);
  return (statSync(real).mode & 0o001) !== 0 && (outer === real || isReachable(outer));
}

/** This machine's. */
export const here: FolderFacts = {
  system: platform(),
  environment: process.env,
  realPath: (path) => realpathSync.native(path),
  fileSystemOf: (path) => statfsSync(path).type,
  userId: process.getuid?.() ?? null,
  setMode: chmodSync,
  isReachable,
};

/**
 * Why a terminal's data may not lie in this folder, or null. SQLite's log needs a disk of this machine
 * (https://sqlite.org/wal.html), and a queue that something else copies could be sent twice.
 */
export function whyUnfit(
  path: string,
  { system, environment, realPath, fileSystemOf }: FolderFacts,
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
 * Makes the folder if it is not there, for this user alone, closes to others one that is and is this user's, and proves
 * that it can be written. Throws StorageError `storageFull` or `storageFailed`, and StartError for one that is refused: on
 * a network drive (`networkFolder`), on Windows also in OneDrive (`syncedFolder`) or with too long a path
 * (`tooLongFolder`); elsewhere one that another user owns (`foreignFolder`), one that everybody could write and that holds
 * something (`openFolder`), one that cannot be closed (`unclosedFolder`), and one that is not there and that everybody
 * could move away (`openParent`).
 */
export function prepareDataDirectory(path: string, facts = here): string {
  let reason: StartErrorReason | null;
  try {
    reason = isMovable(path, facts) ? 'openParent' : null;
    if (reason === null) {
      makeFolder(path);
      reason = whyUnfit(path, facts) ?? closeToOthers(path, facts);
    }
    if (reason === null) {
      tryToWrite(path);
    }
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

/** The folder as it is called without links; of one that is not there, as far as there is one. */
function plain(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    const outer = dirname(folder);
    return outer === folder ? folder : join(plain(outer), relative(outer, folder));
  }
}

/** Whether the folder, or one that it is in, is the one of this identity: it may have several paths, as where it is mounted. */
function isWithin(identity: string, folder: string, identify: typeof identityOf): boolean {
  const outer = dirname(folder);
  return (
    identity !== '' && (identify(folder) === identity || (outer !== folder && isWithin(identity, outer, identify)))
  );
}

/** Whether a file at this absolute path would lie among what Tillside keeps, and could take the place of it. */
export function liesIn(dataDirectory: string, path: string, identify = identityOf): boolean {
  const folder = plain(dirname(path));
  const way = relative(plain(dataDirectory), folder);
  const isBelow = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return isBelow || isWithin(identify(dataDirectory), folder, identify);
}
