// Owns the pace of the copying: when its next request may leave, so that the allowance is used whole and evenly, and from the same rule
// the estimate of how long the rest takes. Evenly, because then slots come free all the time, and a person who scans more often than
// the reserve covers waits for the next second's slot instead of the next minute's. Never waits and never sends; keeps the last two minutes' times.
//
//   T1  The first `quickStart` requests of a minute leave at once: a small catalogue is here at once.
//   T2  What is left of that minute is spread over it; from then on requests leave at the allowance's own pace.
//   T3  What could not leave at its time, because something else was read in between, is caught up with, up to `mostCaughtUp`.
import { windowMs } from '../budget/rules.ts';

const quickStart = 20;
const mostCaughtUp = 8;
/** So many readings are averaged; fewer than the least say nothing yet. */
const mostMeasured = 114;
const leastMeasured = 10;

export interface Pace {
  /** Takes the next place in the row and answers when its request may leave, as an uptime in milliseconds. */
  nextDepartureMs(uptimeMs: number): number;
  /** A page was read at this uptime, so many milliseconds after its turn had come. */
  note(uptimeMs: number, tookMs: number): void;
  /** Reading stopped for a while: gaps from here back say nothing. */
  forget(): void;
  /** How long until this many more pages, besides those under way, have come, from an uptime on, in milliseconds; null before the first page. */
  timeLeftMs(pages: number, uptimeMs: number): number | null;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Makes a pace; `perWindow` answers how many requests a window the copying may make just now. */
export function createPace(perWindow: () => number): Pace {
  let departures: number[] = [];
  let readings: number[] = [];
  let tookMs: number[] = [];
  let dueMs = Number.NEGATIVE_INFINITY;

  function evenMs(): number {
    return windowMs / Math.max(1, perWindow());
  }

  /** The gap after a departure at this time, and how many more leave at that gap before they leave evenly. */
  function gapAt(uptimeMs: number): { readonly gapMs: number; readonly places: number } {
    const lately = departures.filter((departure) => departure > uptimeMs - windowMs);
    const places = Math.max(0, perWindow() - lately.length);
    const [first] = lately;
    if (first === undefined || places === 0) {
      return { gapMs: evenMs(), places: 0 };
    }
    return { gapMs: Math.max(evenMs(), (first + windowMs - uptimeMs) / places), places }; // T2
  }

  function quickLeft(uptimeMs: number): number {
    return Math.max(0, Math.min(quickStart, perWindow()) - departures.filter((departure) => departure > uptimeMs - windowMs).length);
  }

  /** What pages really took, where others use the allowance too or answers are slow; null while too few have come. */
  function measuredMs(): number | null {
    const [first, last] = [readings[0], readings.at(-1)];
    return first === undefined || last === undefined || readings.length <= leastMeasured ? null : (last - first) / (readings.length - 1);
  }

  return {
    nextDepartureMs: (uptimeMs) => {
      const isQuick = quickLeft(uptimeMs) > 0; // T1
      const atMs = isQuick ? uptimeMs : Math.max(uptimeMs, dueMs);
      departures = [...departures.filter((departure) => departure > uptimeMs - windowMs), atMs];
      const { gapMs } = gapAt(atMs);
      dueMs = (isQuick ? atMs : Math.max(dueMs, atMs - mostCaughtUp * evenMs())) + gapMs; // T3
      return atMs;
    },
    note: (uptimeMs, took) => {
      // Of the quick start nothing can be learnt about the pace, only about the latency.
      if (quickLeft(uptimeMs) === 0 && departures.length > quickStart) {
        readings = [...readings.slice(1 - mostMeasured), uptimeMs];
      }
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
      const latencyMs = median(tookMs);
      const quick = Math.min(pages, quickLeft(uptimeMs));
      if (pages === quick) {
        return Math.max(0, (departures.at(-1) ?? 0) - uptimeMs) + latencyMs;
      }
      // The places until now are taken already.
      const fromMs = Math.max(uptimeMs, dueMs);
      const { gapMs, places } = gapAt(fromMs);
      const steadyMs = Math.max(evenMs(), measuredMs() ?? 0);
      const later = pages - quick - 1;
      const spread = Math.min(later, Math.max(0, places - quick));
      return fromMs - uptimeMs + spread * Math.max(gapMs, measuredMs() ?? 0) + (later - spread) * steadyMs + latencyMs;
    },
  };
}
