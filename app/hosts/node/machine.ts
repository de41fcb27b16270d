import { readdir, stat, statfs } from 'node:fs/promises';
import { arch, freemem, release, totalmem, type as systemType, userInfo } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { Account } from '../../domain/redact.ts';
import type { MachineFacts } from '../../ports.ts';
import { homeOfUser } from './home.ts';

/** The versions that are of use; the rest of process.versions are libraries. */
const shownVersions: readonly (readonly [name: string, label: string])[] = [
  ['electron', 'Electron'],
  ['chrome', 'Chromium'],
  ['node', 'Node'],
  ['sqlite', 'SQLite'],
  ['openssl', 'OpenSSL'],
];

const maxFiles = 100;
/** Whose account this process runs under. Never fails: not every one has a name. */
export function readAccount(): Account {
  let home = '';
  const names = new Set<string>();
  try {
    home = homeOfUser();
    names.add(basename(home));
    names.add(userInfo().username);
  } catch {
    // Only its number is known.
  }
  return { home, names: [...names] };
}

/** The disk and how full it is; a figure that the system does not give is null. */
export interface Disk {
  /** On the disk of the data directory. */
  readonly freeBytes: number | null;
  /** Of queue.db with its write-ahead log. */
  readonly queueBytes: number | null;
}

/** Reads it now. Never fails. */
export async function readDisk(dataDirectory: string, queuePath: string): Promise<Disk> {
  const sizeOf = (path: string): Promise<number | null> =>
    stat(path).then(
      ({ size }) => size,
      () => null,
    );
  const [disk, queue, log] = await Promise.all([
    statfs(dataDirectory).catch(() => null),
    sizeOf(queuePath),
    sizeOf(`${queuePath}-wal`),
  ]);
  return {
    freeBytes: disk === null ? null : disk.bavail * disk.bsize,
    queueBytes: queue === null ? null : queue + (log ?? 0),
  };
}

/** The page's own profile is Chromium's affair. */
const skipped = new Set(['electron']);

async function listFiles(directory: string): Promise<{ name: string; bytes: number }[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((name) => !skipped.has(name.split(/[\\/]/)[0] ?? ''))
    .toSorted()
    .slice(0, maxFiles);
  const sized = await Promise.all(
    files.map(async (name) => ({
      name,
      bytes: await stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    })),
  );
  return sized;
}

/** Reads them now. Never fails: what the system does not tell is left out. */
export async function readMachine(dataDirectory: string): Promise<MachineFacts> {
  const [disk, files] = await Promise.all([statfs(dataDirectory).catch(() => null), listFiles(dataDirectory)]);
  return {
    system: `${systemType()} ${release()} ${arch()}`,
    versions: shownVersions.flatMap(([name, label]) => {
      const version = process.versions[name];
      return version === undefined ? [] : [{ name: label, version }];
    }),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: disk === null ? null : disk.bavail * disk.bsize,
    files,
  };
}
