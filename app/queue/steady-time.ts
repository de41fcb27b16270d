// The steady time begins as the wall clock and goes on by the machine's uptime, so that nobody who sets the clock makes
// an update older or a key younger; decision 27 says why.
import { disagreementMs, surelyPassedMs } from '../rate-limit/send-log.ts';
import type { Clock } from '../ports.ts';
import { type Database, unlessStorageFails } from '../storage/database.ts';

export interface SteadyTime {
  /** The steady time of a wall time of a moment ago, in milliseconds. */
  at(wallMs: number): number;
  /** The steady time at which it was opened, in milliseconds. */
  readonly openedAtMs: number;
  /**
   * Notes both clocks when somebody has set the wall clock since they were noted, so that the next run does not take it
   * for time that passed. Throws StorageError.
   */
  keep(): void;
  /** The same at the end of a run; when the disk refuses, the next run counts by what was noted before. */
  end(): void;
}

/** For a shop whose wall clock nobody sets: tests and measurements. */
export const wallTime: SteadyTime = {
  at: (wallMs) => wallMs,
  openedAtMs: Number.POSITIVE_INFINITY,
  keep: () => undefined,
  end: () => undefined,
};

/** The length that a span of unknown length counts as, in milliseconds: more than any limit. */
export const unknownSpanMs = 2 ** 40;

/**
 * The SQL of whether it is surely longer ago than a limit, both in milliseconds, whatever unknown spans lie between.
 * A row stamped after the clocks were noted for the last time may lie a little beyond such a span.
 */
export function isSurelyOlder(column: string, now: string, limit: string): string {
  // mutant: what was stamped after the clocks were noted is old after an unknown span (I1, I9)
  return `(${now} - ${column}) % ${String(unknownSpanMs)} BETWEEN ${limit} + 1 AND ${String(unknownSpanMs / 2)}`;
}

/**
 * The time that surely passed between two steady times, in milliseconds: an unknown span between them counts for
 * nothing. Of a stamp of after the clocks were noted nothing is sure, where such a span, or a clock that was set back,
 * follows.
 */
export function surelyBetween(fromMs: number, toMs: number): number {
  const known = (toMs - fromMs) % unknownSpanMs;
  return known < 0 || known > unknownSpanMs / 2 ? 0 : known;
}

/** An unknown age is within nothing, nor a negative one, but for the little by which a restart counts too short. */
export function isWithin(steady: Pick<SteadyTime, 'at'>, maxMs: number, sinceMs: number | null, now: number): boolean {
  const ageMs = sinceMs === null ? Number.NaN : steady.at(now) - sinceMs;
  // mutant: a restart that counts a little too short gives keys up (Q4)
  return ageMs >= -disagreementMs && ageMs <= maxMs;
}

/** A step of the wall clock that is too small to matter, in milliseconds. */
const smallStepMs = 60_000;
/** A till that was off for longer has more likely lost its clock. */
const maxOffMs = 366 * 24 * 3_600_000;

/** No till ran this app before 2020: a wall clock that says so has lost its time. Milliseconds since 1970. */
const earliestWallMs = Date.UTC(2020, 0, 1);

/** Whether a wall clock says what no clock of a till can, in milliseconds since 1970. */
export const isLostClock = (wallMs: number): boolean => wallMs < earliestWallMs;

/** The steady time, the wall clock and the uptime of one moment, in milliseconds. */
export interface NotedTime {
  readonly steadyMs: number;
  readonly wallMs: number;
  readonly uptimeMs: number;
}

/**
 * The time between two runs: by the wall clock, unless it is lost, contradicts the machine's uptime or says more than a
 * year; then nobody knows.
 */
function passedMs(noted: NotedTime, wallMs: number, uptimeMs: number): number {
  const leastMs = Math.floor(surelyPassedMs(noted.uptimeMs, uptimeMs));
  const byWallMs = wallMs - noted.wallMs;
  const isLost = isLostClock(Math.min(noted.wallMs, wallMs));
  // mutant: a clock that was lost between two runs says what passed (I2)
  return isLost || byWallMs < leastMs - smallStepMs || byWallMs > maxOffMs
    ? leastMs + unknownSpanMs
    : Math.max(leastMs, byWallMs);
}

/** The steady time of a start, by what an earlier run has noted; without that it begins as the wall clock. */
export function steadyAtStart(noted: NotedTime | null, { wallMs, uptimeMs }: Omit<NotedTime, 'steadyMs'>): number {
  return noted === null ? wallMs : noted.steadyMs + passedMs(noted, wallMs, uptimeMs);
}

/**
 * By the path of a queue.db: the steady time at which this run's uptime was 0, in milliseconds. The uptime alone says
 * what passed since another shop of this run.
 */
export type SteadyOffsets = Map<string, number>;

/**
 * Opens the time of one shop over queue.db; `offsets` outlives it. Where the clocks cannot be noted just now, `keep`
 * does it. Throws StorageError.
 */
export function openSteadyTime(database: Database, clock: Clock, offsets: SteadyOffsets = new Map()): SteadyTime {
  const write = database.prepare(
    'INSERT OR REPLACE INTO steady_time (id, steady_ms, wall_ms, uptime_ms) VALUES (1, ?, ?, ?)',
  );
  const noted = database
    .prepare<NotedTime>('SELECT steady_ms AS steadyMs, wall_ms AS wallMs, uptime_ms AS uptimeMs FROM steady_time')
    .get();
  const [wallMs, uptimeMs] = [clock.now(), clock.uptimeMs()];
  const knownMs = offsets.get(database.path);
  const sinceNotedMs = steadyAtStart(noted ?? null, { wallMs, uptimeMs });
  // mutant: another shop of the same run forgets its time (I2)
  const startMs = knownMs === undefined ? sinceNotedMs : knownMs + Math.floor(uptimeMs);
  offsets.set(database.path, startMs - Math.floor(uptimeMs));
  let offMs = wallMs - uptimeMs;
  let isNoted = false;

  const nowMs = (): number => startMs + Math.floor(clock.uptimeMs() - uptimeMs);

  function note(): void {
    const [steady, wall, uptime] = [nowMs(), clock.now(), clock.uptimeMs()];
    write.run(steady, wall, uptime);
    offMs = wall - uptime;
    isNoted = true;
    database.ifRolledBack(() => {
      isNoted = false;
    });
  }

  function keep(): void {
    // mutant: a clock that was set is taken for time that passed by the next run (I1, I2, I9)
    if (!isNoted || Math.abs(clock.now() - clock.uptimeMs() - offMs) > smallStepMs) {
      note();
    }
  }

  unlessStorageFails(note);
  return {
    // mutant: ages are counted by the wall clock (I1, I2, I9, I14)
    at: (moment) => nowMs() - Math.max(0, clock.now() - moment),
    openedAtMs: startMs,
    keep,
    end: () => unlessStorageFails(keep),
  };
}
