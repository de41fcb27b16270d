// The figures of a week that are judged, and how much each may vary. A heap after a collection still holds compiled
// code and what the engine has learnt; counts hold what is under way at that moment. Files that grow by design have the
// bound of the code that writes them.
import type { Series, Unit } from './judge.ts';
import type { Held } from './probe.ts';
import type { PageHeld } from './real-page.ts';

/** Counts at one moment, or at the end of a day. */
export interface Sample {
  readonly held: Held;
  /** By path in the data directory. */
  readonly files: Readonly<Record<string, number>>;
  /** Pending timers of the terminal; absent where the machine's clock has them. */
  readonly timers?: number;
  /** Absent where there is no page. */
  readonly page?: PageHeld;
}

/** A figure's name, and how far it may rise. */
interface Allowance {
  readonly what: string;
  readonly unit: Unit;
  readonly part: number;
  readonly constant: number;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
/** A page of SQLite's in a write-ahead log, with its head. */
const loggedPage = 4096 + 24;

const heldAllowances: Readonly<Record<keyof Held, Allowance>> = {
  heap: { what: 'heap after a collection', unit: 'bytes', part: 0.05, constant: mebibyte },
  buffers: { what: 'buffers outside the heap', unit: 'bytes', part: 0.05, constant: mebibyte },
  resident: { what: 'resident memory', unit: 'bytes', part: 0.1, constant: 16 * mebibyte },
  functions: { what: 'functions, listeners among them', unit: 'count', part: 0, constant: 300 },
  promises: { what: 'promises', unit: 'count', part: 0, constant: 60 },
  signals: { what: 'abort signals', unit: 'count', part: 0, constant: 15 },
  processListeners: { what: "listeners of the process's events", unit: 'count', part: 0, constant: 0 },
  handles: { what: 'handles', unit: 'count', part: 0, constant: 5 },
  databases: { what: 'open databases', unit: 'count', part: 0, constant: 0 },
  descriptors: { what: 'file descriptors', unit: 'count', part: 0, constant: 5 },
  threads: { what: 'threads', unit: 'count', part: 0, constant: 1 },
};

const pageAllowances: Readonly<Record<keyof PageHeld, Allowance>> = {
  heap: { what: 'page: heap after a collection', unit: 'bytes', part: 0.1, constant: 2 * mebibyte },
  nodes: { what: 'page: nodes', unit: 'count', part: 0.1, constant: 1500 },
  listeners: { what: 'page: event listeners', unit: 'count', part: 0, constant: 150 },
  documents: { what: 'page: documents', unit: 'count', part: 0, constant: 1 },
};

/** Figures that grow by design, by their path. */
const bounds: readonly { readonly path: RegExp; readonly max: number; readonly why: string }[] = [
  { path: /^logs\//, max: 2_000_000 + 4_200, why: 'log-file.ts: 2 MB and a line' },
  { path: /^audit\.db$/, max: 20_000 * 256, why: 'audit-log.ts: 20,000 entries of 256 bytes' },
  {
    path: /^store\/(?:catalogue|batches).*-wal$/,
    max: 4_000 * 1.25 * loggedPage,
    why: 'database.ts: 4,000 pages and a transaction',
  },
  { path: /-wal$/, max: 1_000 * 1.25 * loggedPage, why: 'SQLite: 1,000 pages and a transaction' },
];

function fileRule(name: string, queueBytes: number | null): Series['rule'] {
  const bound = bounds.find(({ path }) => path.test(name));
  if (bound !== undefined) {
    return { kind: 'bounded', max: bound.max, why: bound.why };
  }
  if (name === 'store/queue.db' && queueBytes !== null) {
    return { kind: 'bounded', max: queueBytes, why: 'history of 30 days: 256 KiB and 1 KiB an update' };
  }
  // Each product gains a live figure once, and a file gains free pages before it uses them.
  return { kind: 'flat', part: 0.05, constant: (name === 'store/catalogue.db' ? 256 : 64) * kibibyte };
}

/**
 * Each day's figure is the median of its samples. `keptUpdates` is how many updates the queue keeps by design; null
 * where a day's are all that it keeps.
 */
export function seriesOf(days: readonly (readonly Sample[])[], keptUpdates: number | null): readonly Series[] {
  const daily = (pick: (sample: Sample) => number): readonly number[] =>
    days.map((samples) => samples.map(pick).sort((left, right) => left - right)[samples.length >> 1] ?? Number.NaN);
  const flat = ({ what, unit, part, constant }: Allowance, values: readonly number[]): Series => ({
    what,
    unit,
    days: values,
    rule: { kind: 'flat', part, constant },
  });
  const samples = days.flat();
  // Under the virtual clock the platform is a thread of the same process.
  const isOwnProcess = samples.every(({ timers }) => timers === undefined);
  const names = [...new Set(samples.flatMap(({ files }) => Object.keys(files)))].sort();
  const queueBytes = keptUpdates === null ? null : (256 + keptUpdates) * kibibyte;
  return [
    ...(Object.keys(heldAllowances) as (keyof Held)[])
      .filter((name) => isOwnProcess || name !== 'resident')
      .map((name) =>
        flat(
          heldAllowances[name],
          daily(({ held }) => held[name]),
        ),
      ),
    ...(isOwnProcess
      ? []
      : [
          flat(
            { what: 'pending timers', unit: 'count', part: 0, constant: 3 },
            daily(({ timers = Number.NaN }) => timers),
          ),
        ]),
    ...(samples.every(({ page }) => page === undefined)
      ? []
      : (Object.keys(pageAllowances) as (keyof PageHeld)[]).map((name) =>
          flat(
            pageAllowances[name],
            daily(({ page }) => page?.[name] ?? Number.NaN),
          ),
        )),
    ...names.map((name): Series => ({
      what: name,
      unit: 'bytes',
      days: daily(({ files }) => files[name] ?? 0),
      rule: fileRule(name, queueBytes),
    })),
  ];
}
