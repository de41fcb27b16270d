// Owns the decisions of the copying as pure functions: which stock and which kind of page comes next, from which moment changes are
// asked for, and what follows when a pass is over. Never sends, stores or waits. Invariants S2, S3, S4 and S6 are sync.ts's.
import type { Pass, Progress } from './progress.ts';
import type { StockRow } from './store.ts';

/** Changes are read this often, or as rarely as four times the time that reading them took. */
export const changesEveryMs = 120_000;
/** A full listing is read anew this often, to find what has vanished; much sooner where it showed nothing or far too little. */
export const fullEveryMs = 24 * 3_600_000;
const fullAfterPoorMs = 600_000;
/** After one with a row that could not be read: an hour, or as rarely as eight times the time that it took. */
const fullAfterBrokenMs = 3_600_000;
/** Twice the longest time that a request may take to be answered. */
const overlapMs = 120_000;
/** How far a machine's clock, or the `Date` of some machine in between, is believed to be off at most. */
const believableSkewMs = 26 * 3_600_000;
const overlapWithoutDateMs = 24 * 3_600_000;

/** One request's worth of copying. */
export interface Work {
  readonly stock: StockRow;
  readonly kind: 'full' | 'changes' | 'sweep';
}

/**
 * From when on a later pass must ask for changes. The earlier of the two clocks counts, for a `Date` that is off would otherwise hide
 * a day of changes; a clock that is off by more than that is not believed.
 */
export function sinceOf(platformTime: number | null, askedAt: number): number {
  return platformTime === null ? askedAt - overlapWithoutDateMs : Math.min(platformTime, Math.max(askedAt, platformTime - believableSkewMs)) - overlapMs;
}

function isDue(at: number | null, everyMs: number, now: number): boolean {
  // A moment that lies ahead was noted before the clock was set back.
  return at === null || now >= at + everyMs || now < at;
}

function wantsChanges({ progress }: StockRow, now: number): boolean {
  return progress.since !== null && (progress.changes !== null || progress.ended !== null || isDue(progress.changesAt, Math.max(changesEveryMs, 4 * progress.changesTookMs), now));
}

function wantsFull({ progress }: StockRow, now: number): boolean {
  const { full, ended, nextFullAt } = progress;
  return full !== null || (ended === null && (nextFullAt === null || now >= nextFullAt || nextFullAt > now + fullEveryMs));
}

/** What is read next; null when nothing is due that may be tried. S6, and each stock's size first, so that the time left can be told. */
export function nextWork(stocks: readonly StockRow[], now: number, mayTry: (work: Work) => boolean): Work | null {
  const steps: readonly [Work['kind'], (stock: StockRow) => boolean][] = [
    ['full', (stock) => wantsFull(stock, now) && (stock.progress.full?.total ?? stock.progress.total) === null],
    ['changes', (stock) => wantsChanges(stock, now)],
    ['full', (stock) => wantsFull(stock, now)],
    ['sweep', (stock) => stock.progress.sweep !== null],
  ];
  for (const [kind, wants] of steps) {
    const stock = stocks.find((candidate) => wants(candidate) && mayTry({ stock: candidate, kind }));
    if (stock !== undefined) {
      return { stock, kind };
    }
  }
  return null;
}

/** A full listing is over: the changes since its start come next (S2). */
export function afterFull(progress: Progress, pass: Pass): Progress {
  // Changes that began before the end do not count for it: they start anew.
  return { ...progress, full: null, changes: null, ended: pass, total: pass.total };
}

/** A pass over changes is over; when it followed a full listing, that is judged now. */
export function afterChanges(progress: Progress, pass: Pass, copied: number, now: number): Progress {
  const { ended } = progress;
  // Where it was cut off, the next one must start no later than this one did (S3).
  const since = pass.isWhole ? (pass.nextSince ?? progress.since) : progress.since;
  const read: Progress = { ...progress, changes: null, since, changesAt: now, changesTookMs: Math.max(0, now - pass.startedAt) };
  if (ended === null) {
    return { ...read, completeAsOf: progress.completeAsOf === null ? null : pass.startedAt };
  }
  const isShort = !ended.isWhole || (ended.total ?? 0) - ended.skipped > ended.seen;
  if (isShort && !progress.isKnownShort) {
    // Something moved past the place that was read: once more, from the start.
    return { ...read, ended: null, nextFullAt: null, isKnownShort: true };
  }
  if (ended.received * 2 < (ended.total ?? 0)) {
    // Less than half of what the platform counts came at all: nothing is concluded from that, and it is read again before long.
    return { ...read, ended: null, nextFullAt: now + fullAfterPoorMs, isKnownShort: false };
  }
  const unseen = copied - ended.seen;
  const isDoubted = unseen * 2 > copied && !progress.isDoubted;
  const sweep = !ended.isWhole || isDoubted || unseen <= 0 ? null : { pass: ended.pass, position: 0, trustsPass: ended.isSteady && !isShort };
  const brokenMs = Math.min(fullEveryMs, Math.max(fullAfterBrokenMs, 8 * (now - ended.startedAt)));
  const nextFullAt = now + (copied === 0 ? fullAfterPoorMs : ended.isWhole ? fullEveryMs : brokenMs);
  return { ...read, ended: null, nextFullAt, completeAsOf: pass.startedAt, isKnownShort: isShort, isDoubted, sweep };
}
