import { platform } from 'node:os';
import { pathToFileURL } from 'node:url';

const isWindows = platform() === 'win32';

/**
 * How the index of a write-ahead log is kept in memory, for this process alone, instead of in a file that is mapped
 * (https://sqlite.org/vfs.html#standard_unix_vfses): on a disk that is nearly full, writing to a mapped page that has no
 * room ends the process. All connections of this process share it. Windows gives a mapped file its room beforehand.
 */
// mutant: the copy's index is mapped, and a full disk ends the process
const inMemory = isWindows ? {} : { vfs: 'unix-excl' };

type Parameters = Readonly<Record<string, string>>;

function urlOf(path: string, parameters: Parameters): URL {
  const url = pathToFileURL(path);
  url.search = new URLSearchParams(parameters).toString();
  return url;
}

/** A database that several connections of this process share, and no other process. */
export function sharedUrl(path: string, parameters: Parameters = {}): string | URL {
  return path === ':memory:' ? path : urlOf(path, { ...inMemory, ...parameters });
}

/** A file without a log, that nobody writes to: nothing is made beside it. */
export function immutableUrl(path: string): URL {
  return urlOf(path, { mode: 'ro', immutable: '1' });
}

/** A file with its log, to be read alone; the index is made in memory, and an empty one must lie beside it. */
export function lookingUrl(path: string): URL {
  return urlOf(path, isWindows ? { mode: 'ro' } : { mode: 'ro', readonly_shm: '1' });
}
