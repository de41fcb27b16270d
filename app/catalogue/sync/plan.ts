// The decisions of the copying as pure functions: which stock and which kind of page comes next, from which moment
// changes are asked for, and what follows when a pass is over. Invariants S2, S3, S4 and S6 are sync.ts's.
import { fullEveryMs, nextListing, type Circumstances } from './quiet-hours.ts';
import { beginPass, type Pass, type Progress } from './progress.ts';
import type { StockRow } from '../repository/repository.ts';

/** Changes are read this often, or as rarely as four times the time that reading them took. */
const changesEveryMs = 120_000;
/** Where a full listing showed nothing or far too little, it is read again this soon. */
const fullAfterPoorMs = 600_000;
/** After one with a row that could not be read; after each poor one no sooner than eight times what it took. */
const fullAfterBrokenMs = 3_600_000;
/** A page takes no longer than this, but for trouble. */
const maxPageMs = 3_000;
/** Passes over changes in a row that may be short before that is how the platform counts (P3 of progress.ts). */
const maxShortPasses = 2;
/** Several stocks take turns of so many pages. */
const turnPages = 25;
/** Twice the longest time that a request may take to be answered. */
// mutant: changes are asked for without an overlap (I15)
const overlapMs = 120_000;
/** How far a machine's clock, or the `Date` of some machine in between, is believed to be off at most. */
const believableSkewMs = 26 * 3_600_000;
const overlapWithoutDateMs = 24 * 3_600_000;

/** One request's worth of copying. */
export interface Work {
  readonly stock: StockRow;
  readonly kind: 'looked' | 'full' | 'changes' | 'sweep';
}

/** The key of this work for the retries. */
export function keyOf({ stock, kind }: Work): string {
  return `${kind} ${stock.number}`;
}

/**
 * From when on a later pass must ask for changes. The earlier of the two clocks counts, for a `Date` that is off would
 * otherwise hide a day of changes; a clock that is off by more than that is not believed.
 */
export function sinceOf(platformTime: number | null, askedAt: number): number {
  // mutant: changes are timed by this machine's clock alone (I15)
  return platformTime === null
    ? askedAt - overlapWithoutDateMs
    : Math.min(platformTime, Math.max(askedAt, platformTime - believableSkewMs)) - overlapMs;
}

/**
 * From when on changes must be asked for anew, where they were asked for since a moment that the platform's clock has
 * not reached: it was ahead, or that of another server is, and what has changed since then may not be among them. As
 * long ago as that moment is by this machine's clock; a day where that cannot be. Null where all is well.
 */
export function sinceAnew(since: number | null, platformTime: number | null, askedAt: number): number | null {
  // mutant: a moment of a clock that was ahead is believed
  if (since === null || platformTime === null || since <= platformTime) {
    return null;
  }
  const agoMs = askedAt - since;
  return platformTime - (agoMs < overlapMs || agoMs > overlapWithoutDateMs ? overlapWithoutDateMs : agoMs);
}

function isDue(at: number | null, everyMs: number, now: number): boolean {
  // A moment that lies ahead was noted before the clock was set back.
  return at === null || now >= at + everyMs || now < at;
}

/**
 * When changes of a stock are asked for next, by this machine's clock, or when they were due; null while there is nothing
 * that they could add to.
 */
export function nextChangesAt(
  { since, changes, ended, completeAsOf, changesAt, changesTookMs }: Progress,
  now: number,
): number | null {
  const everyMs = Math.max(changesEveryMs, 4 * changesTookMs);
  const wereDueAt = Math.min(now, (changesAt ?? completeAsOf ?? now) + everyMs);
  // mutant: no changes are asked for after a full listing (I15, I16)
  if (since !== null && (changes !== null || ended !== null)) {
    return wereDueAt;
  }
  // While a first listing is read they would only be in its way: those since its start follow it in any case.
  if (since === null || completeAsOf === null) {
    return null;
  }
  return changesAt === null || isDue(changesAt, everyMs, now) ? wereDueAt : changesAt + everyMs;
}

function wantsChanges({ progress }: StockRow, now: number): boolean {
  return (nextChangesAt(progress, now) ?? Infinity) <= now;
}

function wantsFull({ progress }: StockRow, place: Circumstances): boolean {
  return progress.full !== null || (progress.ended === null && nextListing(progress, place).why === 'now');
}

/**
 * All that is due, in the order in which it is read: first what people looked at, then, as S6 says, each stock's size,
 * so that the time left can be told, changes of complete stocks, full listings in turns, and what may have vanished.
 */
export function dueWork(
  stocks: readonly StockRow[],
  place: Circumstances,
  hasLooked: (stock: StockRow) => boolean,
): readonly Work[] {
  const steps: readonly [Work['kind'], (stock: StockRow) => boolean][] = [
    ['looked', hasLooked],
    ['full', (stock) => wantsFull(stock, place) && (stock.progress.full?.total ?? stock.progress.total) === null],
    ['changes', (stock) => wantsChanges(stock, place.now)],
    ['full', (stock) => wantsFull(stock, place)],
    ['sweep', (stock) => stock.progress.sweep !== null],
  ];
  const turnOf = (stock: StockRow): number => Math.floor((stock.progress.full?.pagesRead ?? 0) / turnPages);
  const inTurns = stocks.toSorted((one, other) => turnOf(one) - turnOf(other));
  return steps.flatMap(([kind, wants]) => inTurns.filter(wants).map((stock) => ({ stock, kind })));
}

/** How long a pass took, in milliseconds; what it waited for network or sign-in must not put off the next one. */
function tookMs({ startedAt, pagesRead }: Pass, now: number): number {
  // mutant: an outage puts the next changes off (I15)
  return Math.min(Math.max(0, now - startedAt), pagesRead * maxPageMs);
}

/** A person asks for a new full listing, whatever has been read. */
export function listedAnew(progress: Progress, now: number): Progress {
  const pass = progress.lastPass + 1;
  // mutant: a listing that is asked for makes the copy incomplete (I20)
  return {
    ...progress,
    lastPass: pass,
    full: beginPass(pass, now, null),
    ended: null,
    sweep: null,
    isKnownShort: false,
  };
}

/** A full listing is over: the changes since its start come next (S2). */
export function afterFull(progress: Progress, pass: Pass): Progress {
  // Changes that began before the end do not count for it: they start anew.
  return { ...progress, full: null, changes: null, ended: pass, total: pass.total, listedAt: pass.startedAt };
}

/** Less than half of what the platform counts came at all: nothing is concluded from that. */
function isPoor(ended: Pass): boolean {
  return ended.received * 2 < (ended.total ?? 0);
}

/** Whether what a full listing has not shown is not in it: it was not cut off, though rows of it may be unreadable. */
export function isListedToEnd(ended: Pass): boolean {
  return !isPoor(ended) && (ended.isWhole || ended.furthest >= (ended.total ?? 0));
}

/** A pass over changes is over; when it followed a full listing, that is judged now. */
export function afterChanges(progress: Progress, pass: Pass, copied: number, now: number): Progress {
  const { ended } = progress;
  // mutant: a row of the changes that has moved up past the place that was read stays as it was (P3)
  const isMissing = pass.distinct + pass.skipped < pass.leastTotal && progress.changesShort < maxShortPasses;
  // Where it was cut off or short, the next one must start no later than this one did (S3).
  const since = pass.isWhole && !isMissing ? (pass.nextSince ?? progress.since) : progress.since;
  const changesShort = isMissing ? progress.changesShort + 1 : 0;
  const changesTookMs = tookMs(pass, now);
  const read: Progress = { ...progress, changes: null, since, changesAt: now, changesTookMs, changesShort };
  if (ended === null) {
    return isMissing ? read : { ...read, completeAsOf: progress.completeAsOf === null ? null : pass.startedAt };
  }
  const shortBy = Math.max(0, (ended.total ?? 0) - ended.skipped - ended.seen);
  const isShort = !ended.isWhole || shortBy > 0;
  if (isShort && !progress.isKnownShort) {
    // Something moved past the place that was read: once more, from the start.
    return { ...read, ended: null, nextFullAt: null, waitsForQuiet: false, isKnownShort: true, shortBy };
  }
  if (isPoor(ended)) {
    // It is read again before long.
    return { ...read, ended: null, nextFullAt: now + fullAfterPoorMs, waitsForQuiet: false, isKnownShort: false };
  }
  const unseen = copied - ended.seen;
  const isDoubted = unseen * 2 > copied && !progress.isDoubted;
  // mutant: nothing that vanished is ever swept (I16)
  const sweep =
    !ended.isWhole || isDoubted || unseen <= 0
      ? null
      : { pass: ended.pass, position: 0, trustsPass: ended.isSteady && !isShort };
  // As much less as the last time is how this platform counts; otherwise rows moved. A first copy that moved while it
  // was read may lack one without being short, where another has gone since it was counted: of later ones the sweep
  // asks for what was not shown.
  const hasMoved = (isShort && shortBy !== progress.shortBy) || (progress.completeAsOf === null && pass.received > 0);
  const again = copied === 0 || hasMoved ? fullAfterPoorMs : fullAfterBrokenMs;
  const isGood = copied > 0 && ended.isWhole && !hasMoved;
  const nextFullAt = now + (isGood ? fullEveryMs : Math.min(fullEveryMs, Math.max(again, 8 * tookMs(ended, now))));
  return {
    ...read,
    ended: null,
    nextFullAt,
    waitsForQuiet: isGood,
    completeAsOf: pass.startedAt,
    isKnownShort: isShort,
    shortBy,
    isDoubted,
    sweep,
  };
}

/**
 * Changes are not to be had, though the stock is listed: a full listing that is over counts by itself, as of its start,
 * and is read again before long; where none is over, one is due once the last is a day old (S7).
 */
export function withoutChanges(progress: Progress, copied: number, now: number): Progress {
  const { ended, listedAt } = progress;
  if (ended === null) {
    const isOld = isDue(listedAt, fullEveryMs, now);
    const due = isOld ? { nextFullAt: null, waitsForQuiet: false } : {};
    return { ...progress, ...due, changes: null, changesAt: now };
  }
  const judged = afterChanges(
    progress,
    { ...ended, isWhole: true, leastTotal: 0, pagesRead: 0, received: 0 },
    copied,
    now,
  );
  const againAt = now + Math.max(fullAfterBrokenMs, 8 * tookMs(ended, now));
  const nextFullAt = judged.nextFullAt === null ? null : Math.min(judged.nextFullAt, againAt);
  return { ...judged, nextFullAt, waitsForQuiet: false };
}
