import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runInWorkers } from '../support/workers.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { checkAfterCut } from './cut-check.ts';
import { Disk } from './disk.ts';
import { record, type Event, type Mark } from './recording.ts';
import type { MadePart, Part } from './sittings.ts';

/** A record is cut so often at most; then another terminal is recorded. */
export const cutsPerTerminal = 250;
/** So many that SQLite checkpoints more than once. */
const switchesPerRecord = 500;
const maxReportedPerTerminal = 20;

/** How a terminal is recorded. */
interface Recorded {
  /** `NORMAL` is the negative control, which must lose what was acknowledged. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  readonly switches?: number;
}

/** The task of a worker. */
export type CutWork = Part & Recorded;

const count = z.number();

/** The outcome of one terminal's cuts, as a sitting keeps it. */
export const cutReportSchema = z.object({
  cuts: count,
  events: count,
  syncs: count,
  /** Updates that had been acknowledged before the cuts, and requests that had left. */
  acknowledged: count,
  sent: count,
  /** Cuts after which something was lost. */
  losing: count,
  losses: z.array(z.object({ place: count, rule: z.string(), what: z.string() })),
});

export type CutReport = z.infer<typeof cutReportSchema>;

/**
 * Where the power fails. `promise`: right after something was promised or sent, where a terminal that acts too early is
 * caught; `sync`: right before the disk was waited for; `checkpoint`: while pages of the log are written back into the
 * database; `folder`: about where a file came or went, as it does when a terminal opens and closes; or anywhere.
 */
function choosePlaces(events: readonly Event[], cuts: number, seed: number): readonly number[] {
  const random = createSeededRandom(`places ${seed}`);
  const placesOf = (isMeant: (event: Event) => boolean): number[] =>
    events.flatMap((event, place) => (isMeant(event) ? [place] : []));
  const promises = placesOf((event) => event.kind === 'mark' && event.mark.kind !== 'time');
  const syncs = placesOf(({ kind }) => kind === 'sync');
  const folder = placesOf(({ kind }) => kind === 'open' || kind === 'unlink' || kind === 'syncFolder');
  const databases = new Set(
    events.flatMap((event) => (event.kind === 'open' && event.name === 'queue.db' ? [event.file] : [])),
  );
  const checkpoints = placesOf((event) => event.kind === 'write' && databases.has(event.file));
  const choose = (): number => {
    switch (random.pickWeighted({ promise: 30, sync: 15, checkpoint: 15, folder: 10, anywhere: 30 })) {
      case 'promise':
        return random.pick(promises) + 1;
      case 'sync':
        return random.pick(syncs);
      case 'checkpoint':
        return random.pick(checkpoints);
      case 'folder':
        return Math.max(0, random.pick(folder) + random.integer(-3, 8));
      case 'anywhere':
        return random.integer(0, events.length);
    }
  };
  return Array.from({ length: cuts }, choose).sort((left, right) => left - right);
}

/** Records one terminal and cuts its power so often. Throws when it cannot be recorded. */
export async function cutTerminal({
  seed,
  count: cuts,
  synchronous = 'FULL',
  switches = switchesPerRecord,
}: CutWork): Promise<CutReport> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tillside-power-')));
  try {
    const folder = join(root, 'recorded');
    mkdirSync(folder);
    const events = await record({ folder, seed: String(seed), switches, synchronous });
    rmSync(folder, { recursive: true });
    const syncs = events.filter(({ kind }) => kind === 'sync').length;
    const total: CutReport = { cuts, events: events.length, syncs, acknowledged: 0, sent: 0, losing: 0, losses: [] };
    const disk = new Disk();
    const marks: Mark[] = [];
    let applied = 0;
    for (const [number, place] of choosePlaces(events, cuts, seed).entries()) {
      for (const event of events.slice(applied, place)) {
        disk.apply(event);
        if (event.kind === 'mark') {
          marks.push(event.mark);
        }
      }
      applied = Math.max(applied, place);
      const after = join(root, `after-${number}`);
      const lost = await checkAfterCut(after, disk.cut(createSeededRandom(`cut ${seed} ${number}`)), marks);
      rmSync(after, { recursive: true });
      total.acknowledged += marks.filter(({ kind }) => kind === 'accepted').length;
      total.sent += marks.filter(({ kind }) => kind === 'sent').length;
      total.losing += lost.length > 0 ? 1 : 0;
      total.losses.push(...lost.map((loss) => ({ place, ...loss })));
    }
    return total;
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/**
 * Records these terminals and cuts their power, on all processors; hands each over as soon as it is judged. Rejects
 * when one cannot be recorded.
 */
export async function runPowerCuts(
  terminals: readonly Part[],
  onTerminal: (made: MadePart<CutReport>) => void,
  recorded: Recorded = {},
): Promise<void> {
  const works = terminals.map((terminal): CutWork => ({ ...terminal, ...recorded }));
  await runInWorkers({
    script: new URL('power-cut-worker.ts', import.meta.url),
    works,
    onReport: (report: CutReport, { seed, count: cuts }) => {
      const failures = report.losses
        .slice(0, maxReportedPerTerminal)
        .map(({ place, rule, what }) => `--seed ${seed} --cuts ${cuts}: cut before event ${place}: ${rule} ${what}`);
      onTerminal({ seed, count: cuts, report, failures });
    },
  });
}

/** One line of totals, and before it a line for each of the first losses. */
export function summarizePowerCuts(made: readonly MadePart<CutReport>[], seconds: number, sittings = ''): string {
  const reports = made.flatMap(({ report }) => (report === null ? [] : [report]));
  const sum = (pick: (report: CutReport) => number): number =>
    reports.reduce((total, report) => total + pick(report), 0);
  const [cuts, losing] = [sum((report) => report.cuts), sum((report) => report.losing)];
  return [
    ...made.flatMap(({ failures }) => failures),
    `${cuts} power cuts of ${reports.length} terminals (${sum(({ events }) => events)} events, ${sum(({ syncs }) => syncs)} syncs; on average ${Math.round(sum(({ acknowledged }) => acknowledged) / cuts)} updates acknowledged and ${Math.round(sum(({ sent }) => sent) / cuts)} requests sent before a cut), ` +
      `${seconds.toFixed(0)} s${sittings}: ${losing === 0 ? 'nothing lost' : `something LOST in ${losing}`}`,
  ].join('\n');
}
