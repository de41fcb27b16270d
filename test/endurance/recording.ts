import { execFile, spawnSync } from 'node:child_process';
import { createReadStream, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { bareEnvironment } from '../support/child.ts';

/** The marks that the terminal's process set, in the order of its system calls. */
export type Mark =
  /** An update was acknowledged to the person; `what` as `describeUpdate` of terminal-on-files.ts says it. */
  | { readonly kind: 'accepted'; readonly what: string }
  | { readonly kind: 'discarded'; readonly updateId: number }
  /** The first byte of a request leaves now. */
  | {
      readonly kind: 'sent';
      readonly number: number;
      readonly key: string | null;
      readonly body: string;
      readonly uptimeMs: number;
    }
  /** The terminal looks at its clock. */
  | { readonly kind: 'time'; readonly uptimeMs: number; readonly now: number }
  /** The exchange is over; nobody but the network port knows it yet. */
  | { readonly kind: 'ended'; readonly number: number; readonly isAnswered: boolean; readonly uptimeMs: number };

/** One thing that happened to the folder, its files or the marks. `file` is a number of this opening of a file. */
export type Event =
  | { readonly kind: 'open'; readonly file: number; readonly name: string; readonly mayCreate: boolean }
  | { readonly kind: 'write'; readonly file: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly length: number }
  | { readonly kind: 'sync'; readonly file: number }
  | { readonly kind: 'syncFolder' }
  | { readonly kind: 'unlink'; readonly name: string }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'mark'; readonly mark: Mark };

interface RecordingOptions {
  /** An empty folder for the terminal's data and the record; its real path. */
  readonly folder: string;
  readonly seed: string;
  readonly switches: number;
  readonly synchronous: 'FULL' | 'NORMAL';
}

// A new one is made beside its place.
const fileNames = ['queue.db', 'queue.db.new'].flatMap((name) => [name, `${name}-wal`, `${name}-journal`]);
const recordTimeoutMs = 300_000;
/** Longer than any write of SQLite to these files. */
const maxWriteBytes = 1_000_000;

/** Calls that change nothing that a power cut could take. */
const harmless = new Set([
  'access',
  'faccessat',
  'faccessat2',
  'stat',
  'lstat',
  'fstat',
  'newfstatat',
  'statx',
  'statfs',
  'fstatfs',
  'readlink',
  'getcwd',
  'getdents64',
  'pread64',
  'read',
  'lseek',
  'fcntl',
  'fchown',
  'fchmod',
  'chown',
  'mkdir',
  'mkdirat',
  'utimensat',
]);

/** Whether system calls can be recorded on this machine; else why not. */
export function whyNoRecording(): string | null {
  const { status, error } = spawnSync('strace', ['-o', '/dev/null', 'true']);
  if (status === 0) {
    return null;
  }
  return error === undefined ? 'strace may not watch a process here' : 'strace is not installed';
}

/**
 * The bytes of a C string literal as strace writes it (without `-x`): octal and C escapes, everything else as it is.
 */
export function readLiteral(text: string): Buffer {
  const bytes = Buffer.alloc(text.length);
  const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, a: 7, b: 8, '\\': 92, '"': 34 };
  let length = 0;
  for (let place = 0; place < text.length; place += 1) {
    let byte = text.charCodeAt(place);
    if (byte === 92) {
      place += 1;
      const octal = /^[0-7]{1,3}/.exec(text.slice(place, place + 3))?.[0];
      byte = octal === undefined ? (escapes[text[place] ?? ''] ?? Number.NaN) : Number.parseInt(octal, 8);
      place += (octal?.length ?? 1) - 1;
      if (Number.isNaN(byte)) {
        throw new Error(`an escape that strace does not write: ${text.slice(place - 1, place + 2)}`);
      }
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.subarray(0, length);
}

/** Turns lines of strace into events. */
export class LineReader {
  readonly #store: string;
  readonly #marks: string;
  /** The file of each open descriptor. */
  readonly #open = new Map<number, { readonly file: number; readonly name: string }>();
  #files = 0;

  constructor(store: string, marks: string) {
    this.#store = store;
    this.#marks = marks;
  }

  /** The events of one line; throws when it does not know the call. */
  read(line: string): Event[] {
    const call = line.slice(0, Math.max(0, line.indexOf('(')));
    const result = Number.parseInt(line.slice(line.lastIndexOf(' = ') + 3), 10);
    if (!/^[a-z]\w*$/.test(call) || result < 0 || harmless.has(call)) {
      return [];
    }
    if (call === 'openat' || call === 'open') {
      return this.#readOpening(line, result);
    }
    if (call === 'unlink') {
      return [{ kind: 'unlink', name: this.#nameOf(/"([^"]*)"/.exec(line)?.[1] ?? '') }];
    }
    if (call === 'rename') {
      const [from = '', to = ''] = [...line.matchAll(/"([^"]*)"/g)].map(([, path = '']) => this.#nameOf(path));
      return [{ kind: 'rename', name: from, to }];
    }
    const descriptor = Number(/^\w+\((\d+)/.exec(line)?.[1]);
    const opened = this.#open.get(descriptor);
    if (opened === undefined) {
      throw new Error(`a call on a file that was never opened: ${line.slice(0, 200)}`);
    }
    const { file, name } = opened;
    switch (call) {
      case 'close':
        this.#open.delete(descriptor);
        return [];
      case 'fsync':
      case 'fdatasync':
        return [name === '' ? { kind: 'syncFolder' } : { kind: 'sync', file }];
      case 'ftruncate':
        return [{ kind: 'truncate', file, length: Number(/, (\d+)\)/.exec(line)?.[1]) }];
      case 'pwrite64':
        return [
          {
            kind: 'write',
            file,
            offset: Number(/, (\d+)\)\s+= \d+$/.exec(line)?.[1]),
            bytes: this.#readBytes(line, result),
          },
        ];
      case 'write':
        if (name === this.#marks) {
          return [{ kind: 'mark', mark: JSON.parse(this.#readBytes(line, result).toString('utf8')) as Mark }];
        }
        break;
    }
    throw new Error(`a call that the replay does not know: ${line.slice(0, 200)}`);
  }

  #nameOf(path: string): string {
    if (path === this.#store) {
      return '';
    }
    return path.startsWith(`${this.#store}/`) ? path.slice(this.#store.length + 1) : path;
  }

  #readOpening(line: string, descriptor: number): Event[] {
    const [, path = '', flags = ''] = /"([^"]*)", ([A-Z_|]+)/.exec(line) ?? [];
    const name = this.#nameOf(path);
    if (flags.includes('O_TRUNC')) {
      throw new Error(`a call that the replay does not know: ${line.slice(0, 200)}`);
    }
    this.#files += 1;
    this.#open.set(descriptor, { file: this.#files, name });
    return fileNames.includes(name)
      ? [{ kind: 'open', file: this.#files, name, mayCreate: flags.includes('O_CREAT') }]
      : [];
  }

  #readBytes(line: string, length: number): Buffer {
    const end = line.lastIndexOf('"');
    const bytes = readLiteral(line.slice(line.indexOf('"') + 1, end));
    if (line.startsWith('...', end + 1) || bytes.length < length) {
      throw new Error(`the record has ${bytes.length} of ${length} written bytes: ${line.slice(0, 100)}`);
    }
    return bytes.subarray(0, length);
  }
}

/**
 * Runs a terminal and answers everything that it did to its queue, in order. Throws when it failed or cannot be
 * recorded.
 */
export async function record({ folder, seed, switches, synchronous }: RecordingOptions): Promise<readonly Event[]> {
  const store = join(folder, 'data', 'store');
  const [marks, output] = [join(folder, 'marks'), join(folder, 'strace')];
  mkdirSync(store, { recursive: true });
  const watched = [store, marks, ...fileNames.map((name) => join(store, name))].flatMap((path) => ['-P', path]);
  const till = [
    resolve(import.meta.dirname, 'recorded-till.ts'),
    '--directory',
    join(folder, 'data'),
    '--marks',
    marks,
    '--seed',
    seed,
    '--switches',
    String(switches),
    '--synchronous',
    synchronous,
  ];
  await promisify(execFile)(
    'strace',
    ['-qq', '-s', String(maxWriteBytes), '-o', output, '-e', 'trace=file,desc', ...watched, process.execPath, ...till],
    { env: bareEnvironment(), timeout: recordTimeoutMs, maxBuffer: maxWriteBytes },
  );
  const reader = new LineReader(store, marks);
  const events: Event[] = [];
  for await (const line of createInterface({ input: createReadStream(output, 'latin1') })) {
    events.push(...reader.read(line));
  }
  return events;
}
