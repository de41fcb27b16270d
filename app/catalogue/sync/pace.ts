// Evenly, because then slots come free all the time, and a person who scans more often than the reserve covers waits
// for the next second's slot instead of the next minute's. This says when this terminal asks; beside others the hub says
// when it goes (H13 of app/hub).
//
//   T1  The first third of a minute's requests leave at once: a small catalogue is here at once.
//   T2  What is left of that minute is spread over it; from then on requests leave at the rate limit's own pace.
//   T3  What could not leave at its time, because something else was read in between, is caught up with, up to
//       `maxCaughtUp`.
//   T4  The estimate is the plan's own time, with a rate limit that grows back after a refusal as it will, times how
//       much slower than planned the last two minutes were.

const windowMs = 60_000;
/** Twenty of the usual 57. */
const quickPart = 0.35;
const maxCaughtUp = 8;
/** So many readings are compared with their plan. */
const maxMeasured = 114;
/** As if the plan had been kept for so long before, so that a few readings do not say much. */
const trustMs = 15_000;

/** The requests that the copying may send. */
export interface RateLimit {
  /** How many requests a minute the copying may make just now. */
  readonly perMinute: () => number;
  /** How long so many more requests take as the rate limit grows, in milliseconds. */
  readonly forecastMs: (requests: number) => number;
}

/** A place in the row. */
export interface Departure {
  /** When its request may leave, as an uptime in milliseconds. */
  readonly atMs: number;
  /** The distance to the one after it, as planned. */
  readonly gapMs: number;
}

export interface Pace {
  /** Takes the next place in the row. */
  depart(uptimeMs: number): Departure;
  /** A page was read at this uptime, so many milliseconds after its turn had come; planned so far from the next. */
  note(uptimeMs: number, tookMs: number, gapMs: number): void;
  /** Reading stopped for a while: times from here back say nothing. */
  forget(): void;
  /**
   * How long until this many more pages, besides those under way, have come, from an uptime on, in milliseconds; null
   * before the first page.
   */
  timeLeftMs(pages: number, uptimeMs: number): number | null;
}

interface Reading {
  readonly atMs: number;
  readonly gapMs: number;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Makes a pace within a rate limit. */
export function createPace({ perMinute, forecastMs }: RateLimit): Pace {
  let departures: number[] = [];
  let readings: Reading[] = [];
  let tookMs: number[] = [];
  let dueMs = Number.NEGATIVE_INFINITY;

  function rateNow(): number {
    return Math.max(1, perMinute());
  }

  function lately(uptimeMs: number): readonly number[] {
    return departures.filter((departure) => departure > uptimeMs - windowMs);
  }

  /** The gap after a departure at this time, and how many more leave at that gap before they leave evenly. */
  function gapAt(uptimeMs: number): { readonly gapMs: number; readonly places: number } {
    const [first, ...others] = lately(uptimeMs);
    const places = rateNow() - others.length - 1;
    const evenMs = windowMs / rateNow();
    return first === undefined || places <= 0
      ? { gapMs: evenMs, places: 0 }
      : { gapMs: Math.max(evenMs, (first + windowMs - uptimeMs) / places), places }; // T2
  }

  function quickLeft(uptimeMs: number): number {
    return Math.max(0, Math.ceil(quickPart * rateNow()) - lately(uptimeMs).length);
  }

  /** How much slower than planned pages came lately. */
  function slowness(): number {
    const [first, last] = [readings[0], readings.at(-1)];
    if (first === undefined || last === undefined) {
      return 1;
    }
    const plannedMs = readings.slice(0, -1).reduce((sum, { gapMs }) => sum + gapMs, 0);
    return Math.max(1, (last.atMs - first.atMs + trustMs) / (plannedMs + trustMs));
  }

  return {
    depart: (uptimeMs) => {
      const isQuick = quickLeft(uptimeMs) > 0; // T1
      const atMs = isQuick ? uptimeMs : Math.max(uptimeMs, dueMs);
      departures = [...lately(uptimeMs), atMs];
      const { gapMs } = gapAt(atMs);
      dueMs = (isQuick ? atMs : Math.max(dueMs, atMs - (maxCaughtUp * windowMs) / rateNow())) + gapMs; // T3
      return { atMs, gapMs: isQuick ? 0 : gapMs };
    },
    note: (uptimeMs, took, gapMs) => {
      readings = gapMs === 0 ? [] : [...readings.slice(1 - maxMeasured), { atMs: uptimeMs, gapMs }];
      tookMs = [...tookMs.slice(-20), took];
    },
    forget: () => {
      readings = [];
      dueMs = Number.NEGATIVE_INFINITY;
    },
    timeLeftMs: (pages, uptimeMs) => {
      if (tookMs.length === 0) {
        return null;
      }
      // Those under way, and then the changes, for which nothing is asked ahead.
      const latencyMs = median(tookMs) + Math.min(...tookMs);
      const quick = Math.min(pages, quickLeft(uptimeMs));
      if (pages === quick) {
        return Math.max(0, (departures.at(-1) ?? 0) - uptimeMs) + latencyMs;
      }
      // The places until now are taken already.
      const fromMs = Math.max(uptimeMs, dueMs);
      const { gapMs, places } = gapAt(fromMs);
      const later = pages - quick - 1;
      const spread = Math.min(later, Math.max(0, places - quick));
      return fromMs - uptimeMs + slowness() * (spread * gapMs + forecastMs(later - spread)) + latencyMs; // T4
    },
  };
}
