// The resources that this process holds on to, counted after a collection of garbage. It is loaded before any database
// is opened.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

const databases = new Set<WeakRef<DatabaseSync>>();
const known = new WeakSet<DatabaseSync>();
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function knownExec(this: DatabaseSync, sql: string): void {
  if (!known.has(this)) {
    known.add(this);
    databases.add(new WeakRef(this));
  }
  exec.call(this, sql);
};

function openDatabases(): readonly DatabaseSync[] {
  return [...databases].flatMap((reference) => {
    const database = reference.deref();
    if (database?.isOpen !== true) {
      databases.delete(reference);
      return [];
    }
    return [database];
  });
}

/** Moves what the write-ahead logs of this process hold into their files. */
function emptyLogs(): void {
  for (const database of openDatabases()) {
    if (!database.isTransaction && database.location() !== null) {
      exec.call(database, 'PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }
}

/** Resources that a process holds; sizes in bytes. */
export interface Held {
  readonly heap: number;
  readonly buffers: number;
  /** As the system counts them; 0 where it does not. */
  readonly resident: number;
  readonly descriptors: number;
  readonly threads: number;
  /** Handles that keep Node's loop turning, or could. */
  readonly handles: number;
  readonly databases: number;
  /** Of the process's own events. */
  readonly processListeners: number;
  /** Every listener is a function, whatever it listens to. */
  readonly functions: number;
  readonly promises: number;
  readonly signals: number;
}

function ofSystem(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}

function statusOf(name: string): number {
  return ofSystem(() =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0),
  );
}

/** Counts what is left after a collection. */
export function readHeld(): Held {
  const count = (constructor: Function): number => v8.queryObjects(constructor, { format: 'count' });
  const [functions, promises, signals] = [count(Function), count(Promise), count(AbortSignal)];
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return {
    heap: heapUsed,
    buffers: external,
    resident: statusOf('VmRSS') * 1024,
    descriptors: ofSystem(() => readdirSync('/proc/self/fd').length),
    threads: statusOf('Threads'),
    handles: process.getActiveResourcesInfo().length,
    processListeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    databases: openDatabases().length,
    functions,
    promises,
    signals,
  };
}

function sizesIn(folder: string): ReadonlyMap<string, number> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, number] => {
        const path = join(entry.parentPath, entry.name);
        return [relative(folder, path), statSync(path, { throwIfNoEntry: false })?.size ?? 0];
      }),
  );
}

/**
 * The size of every file below the folder, by its path in there: write-ahead logs as they are, and all else once these
 * have been emptied.
 */
export function readFiles(folder: string): ReadonlyMap<string, number> {
  const before = sizesIn(folder);
  emptyLogs();
  return new Map(
    [...sizesIn(folder)].map(([name, size]) => [name, name.endsWith('-wal') ? (before.get(name) ?? size) : size]),
  );
}
