import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededRandom } from '../support/seeded-random.ts';
import { checkAfterCut } from './cut-check.ts';
import { Disk } from './disk.ts';
import { record, type Event, type Mark } from './recording.ts';

/** A record is cut so often at most; then another terminal is recorded. */
const cutsPerRecord = 250;
/** So many that SQLite checkpoints more than once. */
const switchesPerRecord = 500;
const maxReported = 20;

interface PowerCutOptions {
  readonly cuts: number;
  /** Of the first terminal; the others follow it. */
  readonly seed: number;
  /** `NORMAL` is the negative control, which must lose what was acknowledged. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  readonly switches?: number;
}

interface PowerCutRun {
  readonly cuts: number;
  readonly terminals: number;
  readonly events: number;
  readonly syncs: number;
  /** Updates that had been acknowledged before the cuts, and requests that had left. */
  readonly acknowledged: number;
  readonly sent: number;
  /** Cuts after which something was lost. */
  readonly losing: number;
  readonly losses: readonly {
    readonly seed: number;
    readonly place: number;
    readonly rule: string;
    readonly what: string;
  }[];
  readonly seconds: number;
}

/**
 * Where the power fails. `promise`: right after something was promised or sent, where a terminal that acts too early is
 * caught; `sync`: right before the disk was waited for; `checkpoint`: while pages of the log are written back into the
 * database; `folder`: about where a file came or went, as it does when a terminal opens and closes; or anywhere.
 */
function choosePlaces(events: readonly Event[], count: number, seed: number): readonly number[] {
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
  return Array.from({ length: count }, choose).sort((left, right) => left - right);
}

/** Records terminals and cuts their power. Throws when they cannot be recorded. */
export async function runPowerCuts({
  cuts,
  seed,
  synchronous = 'FULL',
  switches = switchesPerRecord,
}: PowerCutOptions): Promise<PowerCutRun> {
  const startedAt = performance.now();
  const total = { cuts: 0, terminals: 0, events: 0, syncs: 0, acknowledged: 0, sent: 0, losing: 0 };
  const losses: PowerCutRun['losses'][number][] = [];
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tillside-power-')));
  try {
    for (let terminal = seed; total.cuts < cuts; terminal += 1) {
      const folder = join(root, String(terminal));
      mkdirSync(folder);
      const events = await record({ folder, seed: String(terminal), switches, synchronous });
      rmSync(folder, { recursive: true });
      total.terminals += 1;
      total.events += events.length;
      total.syncs += events.filter(({ kind }) => kind === 'sync').length;
      const places = choosePlaces(events, Math.min(cutsPerRecord, cuts - total.cuts), terminal);
      const disk = new Disk();
      const marks: Mark[] = [];
      let applied = 0;
      for (const [number, place] of places.entries()) {
        for (const event of events.slice(applied, place)) {
          disk.apply(event);
          if (event.kind === 'mark') {
            marks.push(event.mark);
          }
        }
        applied = Math.max(applied, place);
        const after = join(root, `${terminal}-${number}`);
        const lost = await checkAfterCut(after, disk.cut(createSeededRandom(`cut ${terminal} ${number}`)), marks);
        rmSync(after, { recursive: true });
        total.cuts += 1;
        total.acknowledged += marks.filter(({ kind }) => kind === 'accepted').length;
        total.sent += marks.filter(({ kind }) => kind === 'sent').length;
        total.losing += lost.length > 0 ? 1 : 0;
        losses.push(...lost.map((loss) => ({ seed: terminal, place, ...loss })));
      }
    }
    return { ...total, losses, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** One line of totals, and before it a line for each of the first losses. */
export function tellPowerCuts({
  cuts,
  terminals,
  events,
  syncs,
  acknowledged,
  sent,
  losing,
  losses,
  seconds,
}: PowerCutRun): string {
  return [
    ...losses
      .slice(0, maxReported)
      .map(({ seed, place, rule, what }) => `seed ${seed}, cut before event ${place}: ${rule} ${what}`),
    `${cuts} power cuts of ${terminals} terminals (${events} events, ${syncs} syncs; on average ${Math.round(acknowledged / cuts)} updates acknowledged and ${Math.round(sent / cuts)} requests sent before a cut), ` +
      `${seconds.toFixed(0)} s: ${losing === 0 ? 'nothing lost' : `something LOST in ${losing}`}`,
  ].join('\n');
}
