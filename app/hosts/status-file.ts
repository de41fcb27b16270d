// How this terminal is, for whatever watches many of them: PATH.json, and the same figures in PATH.prom as Prometheus'
// text, for the textfile collector of its node_exporter.
import { open, rename as renameFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Shell, StatusFileState, Timer } from '../ports.ts';
import { freshName } from '../storage/names-beside.ts';
import type { TerminalStatus } from '../terminal/support/status.ts';
import { liesIn } from './node/data-directory.ts';
import { readDisk, type Disk } from './node/machine.ts';

/** `unknown` where the system does not say. */
export type PageSandboxState = 'off' | 'on' | 'unknown';

/** The content of the files. */
export interface FleetStatus extends TerminalStatus {
  /** In milliseconds since 1970. */
  readonly writtenAt: number;
  readonly disk: Disk;
  /** Pages that crashed in this run; null where the pages are a browser's. */
  readonly pageCrashes: number | null;
  /** Whether the pages' processes have Chromium's sandbox; null where the pages are a browser's. */
  readonly pageSandbox: PageSandboxState | null;
}

export interface StatusFileParts {
  readonly clock: Clock;
  readonly log: Shell['log'];
  /** Absolute, with or without one of the endings. */
  readonly path: string;
  readonly dataDirectory: string;
  readonly pageCrashes: () => number | null;
  readonly pageSandbox: () => PageSandboxState | null;
  /** The system's unless a test says otherwise. */
  readonly rename?: typeof renameFile;
}

export interface StatusFile {
  readonly state: () => StatusFileState;
  /** Writes now and once a minute; `read` may throw StorageError. */
  readonly begin: (read: () => TerminalStatus) => void;
  /** Something is known anew that whoever watches should not wait for; nothing happens before it has begun. */
  readonly writeNow: () => void;
  /** Ends when nothing is written any more. */
  close(): Promise<void>;
}

const everyMs = 60_000;
/** On Windows a file cannot be replaced while another program reads it. */
const held: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);
const renameTries = 5;
const renameRetryMs = 100;

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];
type Metric = readonly [name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]];

/** Whether the platform can be reached; null where that is not known. */
const reached: Readonly<Record<FleetStatus['connection'], number | null>> = {
  online: 1,
  noAnswer: 0,
  offline: 0,
  signIn: null,
  checking: null,
  resting: null,
};

const alone = (value: number | null): readonly Sample[] => (value === null ? [] : [[{}, value]]);

function metricsOf(status: FleetStatus): readonly Metric[] {
  const { version, host, mode, connection, stocks, queue, disk } = status;
  const online = reached[connection];
  return [
    ['info', 'gauge', 'What runs here.', [[{ version, host, mode: mode ?? 'none' }, 1]]],
    ['written_timestamp_seconds', 'gauge', 'When this was written.', alone(Math.floor(status.writtenAt / 1000))],
    ['signed_in', 'gauge', 'Whether somebody is signed in.', alone(Number(status.phase === 'ready'))],
    ['safe_mode', 'gauge', 'Whether it runs in safe mode.', alone(Number(status.isSafeMode))],
    ['online', 'gauge', 'Whether the platform can be reached, once that is known.', alone(online)],
    ['connection', 'gauge', 'How it stands with the platform.', [[{ state: connection }, 1]]],
    ['last_answer_age_seconds', 'gauge', 'How long ago the platform answered.', alone(status.lastAnswerAgeSeconds)],
    ['refusals_ten_minutes', 'gauge', 'Answers of 429 in the last ten minutes.', alone(status.refusals)],
    [
      'copy_products',
      'gauge',
      'Products in this copy.',
      stocks.map(({ stockId, products }) => [{ stock: stockId }, products]),
    ],
    [
      'copy_unreadable',
      'gauge',
      'Products that the platform listed and this terminal could not read.',
      stocks.map(({ stockId, unreadable }) => [{ stock: stockId }, unreadable]),
    ],
    [
      'copy_age_seconds',
      'gauge',
      'How long ago the copy was known to be complete and up to date.',
      stocks.flatMap(({ stockId, ageSeconds }): Sample[] =>
        ageSeconds === null ? [] : [[{ stock: stockId }, ageSeconds]],
      ),
    ],
    ['queue_waiting', 'gauge', 'Changes that wait to be sent.', alone(queue.waiting)],
    ['queue_to_decide', 'gauge', 'Changes that need a decision.', alone(queue.toDecide)],
    [
      'storage_refuses',
      'gauge',
      'Whether the disk is full or refuses what is written.',
      alone(Number(status.storage !== 'fine')),
    ],
    ['disk_free_bytes', 'gauge', 'Free on the disk of the data folder.', alone(disk.freeBytes)],
    ['queue_file_bytes', 'gauge', 'Size of the queue on the disk.', alone(disk.queueBytes)],
    ['page_crashes_total', 'counter', 'Pages that crashed since the start.', alone(status.pageCrashes)],
    [
      'page_sandbox',
      'gauge',
      "Whether the pages' processes have their sandbox.",
      status.pageSandbox === null ? [] : [[{ state: status.pageSandbox }, 1]],
    ],
    ['hub', 'gauge', 'How it takes part in the hub.', [[{ mode: status.hub }, 1]]],
  ];
}

/** In Prometheus' text format; what is not known is left out. */
export function prometheusOf(status: FleetStatus): string {
  return metricsOf(status)
    .filter(([, , , samples]) => samples.length > 0)
    .map(([name, type, help, samples]) => {
      const lines = samples.map(([labels, value]) => {
        // Ids, versions and words of ours: nothing in them needs to be escaped.
        const named = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
        return `tillside_${name}${named.length === 0 ? '' : `{${named.join(',')}}`} ${value}\n`;
      });
      return `# HELP tillside_${name} ${help}\n# TYPE tillside_${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error).slice(0, 300);

/** Whoever reads the file finds the one before or this one, whole. */
export async function replaceFile(path: string, content: string, rename = renameFile): Promise<void> {
  const beside = freshName(`${path}.new`);
  // Never through a link that somebody else has put there.
  const file = await open(beside, 'wx');
  try {
    // Readable, whatever the umask, for whoever watches, who is another user as a rule; some disks know no rights.
    await file.chmod(0o644).catch(() => undefined);
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(beside, path);
      return;
    } catch (error) {
      if (tries === renameTries || !held.has(codeOf(error))) {
        throw error;
      }
    }
    await sleep(renameRetryMs);
  }
}

/** Makes what writes the status; nothing is written before it begins. */
export function createStatusFile({
  clock,
  log,
  path: named,
  dataDirectory,
  pageCrashes,
  pageSandbox,
  rename = renameFile,
}: StatusFileParts): StatusFile {
  const path = named.replace(/\.(json|prom)$/i, '');
  let writtenAt: number | null = null;
  let failure: string | null = null;
  let timer: Timer | null = null;
  let writing = Promise.resolve();
  let isClosed = false;
  let writeNow = (): void => undefined;

  async function write(read: () => TerminalStatus): Promise<void> {
    try {
      if (liesIn(dataDirectory, path)) {
        throw new Error('it would lie in the data folder');
      }
      const status = read();
      const queuePath = join(dataDirectory, status.mode === 'practice' ? 'practice' : 'store', 'queue.db');
      const whole: FleetStatus = {
        writtenAt: clock.now(),
        ...status,
        disk: await readDisk(dataDirectory, queuePath),
        pageCrashes: pageCrashes(),
        pageSandbox: pageSandbox(),
      };
      const at = new Date(whole.writtenAt).toISOString();
      await replaceFile(`${path}.json`, `${JSON.stringify({ ...whole, writtenAt: at }, null, 2)}\n`, rename);
      await replaceFile(`${path}.prom`, prometheusOf(whole), rename);
      writtenAt = whole.writtenAt;
      if (failure !== null) {
        log('info', 'status file: written again', { path });
      }
      failure = null;
    } catch (error) {
      if (failure === null) {
        log('warning', 'status file: cannot be written', { path, reason: codeOf(error) });
      }
      failure = codeOf(error);
    }
  }

  return {
    state: () => ({ path, writtenAt, failure }),
    begin: (read) => {
      writeNow = () => {
        timer?.cancel();
        timer = null;
        writing = writing
          .then(() => write(read))
          .then(() => {
            timer?.cancel();
            timer = isClosed ? null : clock.after(everyMs, writeNow);
          });
      };
      writeNow();
    },
    writeNow: () => {
      if (!isClosed) {
        writeNow();
      }
    },
    close: async () => {
      isClosed = true;
      timer?.cancel();
      await writing;
    },
  };
}
