import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { Evidence } from './evidence.ts';
import { laneOf, type Run, type Violation } from './judging.ts';
import { platformEpochMs } from './referee.ts';

const hourMs = 3_600_000;
/** A key is surely remembered for 12 hours; a request that was let go then may still wait for its slot. */
const maxTrustedMs = 12.5 * hourMs;
/**
 * From the moment an update is known to be young enough until its request leaves: a token and the rate limit may be
 * waited for.
 */
const leavingMs = 10 * 60_000;
/** The queue notices soon that the clock was set. */
const noticingMs = 60_000;

/** The moments at which the machine's clock showed this time. */
function momentsOf({ wallClock }: Evidence, wallMs: number): readonly number[] {
  return wallClock.flatMap(({ atMs, offMs }, place) => {
    const momentMs = wallMs - platformEpochMs - offMs;
    return momentMs >= atMs && momentMs <= (wallClock[place + 1]?.atMs ?? Number.POSITIVE_INFINITY) ? [momentMs] : [];
  });
}

/** The spans that may lie between two times of the machine's clock, in milliseconds. */
function spansOf(evidence: Evidence, fromWallMs: number, toWallMs: number): readonly number[] {
  const ends = momentsOf(evidence, toWallMs);
  return momentsOf(evidence, fromWallMs).flatMap((fromMs) =>
    ends.flatMap((toMs) => (toMs >= fromMs ? [toMs - fromMs] : [])),
  );
}

/** No machine that runs this app shows an earlier time than this but for want of its battery. */
const earliestWallMs = Date.UTC(2020, 0, 1);

/**
 * Whether a run ended or began within this span while the machine had lost its time: nobody knows how long it was off
 * then.
 */
export function isTimeLost({ wallClock, starts, deaths, lostClocks }: Evidence, fromMs: number, toMs: number): boolean {
  const isLostAt = (atMs: number): boolean =>
    platformEpochMs + atMs + (wallClock.findLast((set) => set.atMs <= atMs)?.offMs ?? 0) < earliestWallMs;
  return (
    lostClocks.some((atMs) => atMs >= fromMs - noticingMs && atMs <= toMs) ||
    [...starts, ...deaths.map(({ atMs }) => atMs)].some((atMs) => atMs >= fromMs && atMs <= toMs && isLostAt(atMs))
  );
}

/** Whether a run had begun, and had not opened its store yet. */
const isStarting = ({ starts, limits }: Evidence, nowMs: number): boolean => {
  const startedMs = starts.findLast((atMs) => atMs <= nowMs);
  return startedMs !== undefined && !limits.some(({ atMs }) => atMs >= startedMs && atMs <= nowMs);
};

/**
 * Whether nobody can know how long this span was: the clock was set while the store was not open, or the process died
 * before it could note it, or the machine had lost its time.
 */
export function isSpanUnknown(evidence: Evidence, fromMs: number, toMs: number): boolean {
  const { clockShifts, deaths, departures } = evidence;
  const isUnnoted = clockShifts.some(
    (shiftMs) =>
      shiftMs >= fromMs &&
      shiftMs <= toMs &&
      (isStarting(evidence, shiftMs) ||
        deaths.some(({ atMs }) => atMs >= shiftMs && atMs <= toMs) ||
        departures.some((atMs) => atMs >= fromMs && atMs <= toMs)),
  );
  return isUnnoted || isTimeLost(evidence, fromMs, toMs);
}

/** When an update was made by the machine's clock, whatever its altered row says. */
function madeWallMs({ damages }: Evidence, { id, createdAt }: QueuedUpdate): number {
  return damages.reduce(
    (wallMs, { damage }) => (damage.kind === 'update' && damage.updateId === id ? wallMs - damage.laterByMs : wallMs),
    createdAt,
  );
}

/** Whether an update that is parked as old is as old as that, by the age of the start or one that was chosen before. */
export function isOldEnough({ evidence, askAfterMs }: Run, update: QueuedUpdate): boolean {
  const madeAt = madeWallMs(evidence, update);
  const spans = spansOf(evidence, madeAt, update.changedAt);
  const [made, parked] = [momentsOf(evidence, madeAt), momentsOf(evidence, update.changedAt)];
  const parkedMs = Math.max(...parked);
  // Where every call is made somebody chooses shorter ages, too; zero asks for nothing.
  const chosen = evidence.chosen.flatMap(({ atMs, chosen: { queueLimits } }) =>
    queueLimits === undefined || atMs > parkedMs ? [] : [queueLimits.askAfterHours * hourMs],
  );
  const least = Math.min(...[askAfterMs, ...chosen].filter((ageMs) => ageMs > 0));
  return (
    Number.isFinite(least) &&
    (spans.some((spanMs) => spanMs >= least) || isSpanUnknown(evidence, Math.min(...made), parkedMs))
  );
}

/** I14: what has grown old asks before it is sent. */
export function checkAges({ evidence, askAfterMs }: Run): Violation[] {
  // A choice that found no room on the disk is forgotten at a restart.
  if (evidence.fullDisks.length > 0) {
    return [];
  }
  // Whoever asks again for the same user has said so.
  const isAskedAgain = (update: QueuedUpdate): boolean =>
    update.kind === 'restoreUser' &&
    evidence.restorations.filter((wish) => wish.userId === update.userId && laneOf(wish) === laneOf(update)).length > 1;
  return evidence.firstSent.flatMap(({ update, sentAt }): Violation[] => {
    const ageMs = Math.min(...spansOf(evidence, update.createdAt, sentAt));
    const [madeMs, sentMs] = [
      Math.min(...momentsOf(evidence, update.createdAt)),
      Math.max(...momentsOf(evidence, sentAt)),
    ];
    return !Number.isFinite(ageMs) ||
      ageMs <= askAfterMs + leavingMs ||
      evidence.retried.has(update.id) ||
      isAskedAgain(update) ||
      isSpanUnknown(evidence, madeMs, sentMs)
      ? []
      : [
          {
            rule: 'I14',
            atMs: sentMs,
            what: `update ${String(update.id)} was sent ${String(Math.round(ageMs / 60_000))} minutes after it was made, and nobody was asked`,
          },
        ];
  });
}

/** I2: a key that the platform may have forgotten is not sent again. */
export function checkKeyAges({ evidence, exchanges }: Run): Violation[] {
  const first = new Map<string, number>();
  return exchanges.flatMap(({ number, key, sentAtMs }): Violation[] => {
    if (key === null) {
      return [];
    }
    const firstMs = first.get(key) ?? sentAtMs;
    first.set(key, firstMs);
    return sentAtMs - firstMs <= maxTrustedMs ||
      (!isTimeLost(evidence, firstMs, sentAtMs) && isSpanUnknown(evidence, firstMs, sentAtMs))
      ? []
      : [
          {
            rule: 'I2',
            atMs: sentAtMs,
            what: `#${String(number)} sends key ${key.slice(0, 8)} again after ${String(Math.round((sentAtMs - firstMs) / 3_600_000))} hours`,
          },
        ];
  });
}
