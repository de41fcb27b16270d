// Owns the estimate of how long the rest of a copying takes, from the pages that were read lately and the limit of requests a
// minute. Never waits, and keeps no more than the last few minutes' readings.
import { platformLimit, windowMs } from '../budget/budget.ts';

// What background work may use at most: the allowance keeps a few slots for a person.
const pagesPerWindow = platformLimit - 3;
/** Whole windows, so that it makes no difference whether just now pages come in a burst or wait for the limit. */
const measured = 2 * pagesPerWindow;

export interface Pace {
  /** A page was read at this uptime, in milliseconds. */
  note(uptimeMs: number): void;
  /** Reading stopped for a while: gaps from here back say nothing. */
  forget(): void;
  /** How long this many more pages take from an uptime on, in milliseconds; null before the second page. */
  timeLeftMs(pages: number, uptimeMs: number): number | null;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Makes an estimate that knows nothing yet. */
export function createPace(): Pace {
  let readings: number[] = [];

  // Each page follows the one before by the usual gap, and the page a whole allowance earlier by the limit's window.
  function underLimit(pages: number, gapMs: number, uptimeMs: number): number {
    const ends = readings.slice(-pagesPerWindow);
    const twoWindows = Math.min(pages, 2 * pagesPerWindow + ((pages - 1) % pagesPerWindow) + 1);
    for (let page = 0; page < twoWindows; page += 1) {
      const previous = page === 0 ? Math.max(ends.at(-1) ?? uptimeMs, uptimeMs - gapMs) : (ends.at(-1) ?? uptimeMs);
      ends.push(Math.max(previous + gapMs, (ends.at(-pagesPerWindow) ?? Number.NEGATIVE_INFINITY) + windowMs + gapMs));
    }
    const windowsBeyond = Math.max(0, pages - twoWindows) / pagesPerWindow;
    const steadyWindowMs = (ends.at(-1) ?? 0) - (ends.at(-1 - pagesPerWindow) ?? 0);
    return (ends.at(-1) ?? uptimeMs) + windowsBeyond * steadyWindowMs - uptimeMs;
  }

  return {
    note: (uptimeMs) => {
      readings = [...readings.slice(-measured), uptimeMs];
    },
    forget: () => {
      readings = [];
    },
    timeLeftMs: (pages, uptimeMs) => {
      const last = readings.at(-1);
      if (last === undefined || readings.length < 2) {
        return null;
      }
      const recent = readings.slice(-pagesPerWindow);
      const gapMs = median(recent.slice(1).map((reading, place) => reading - (recent[place] ?? reading)));
      const first = readings.at(-1 - measured);
      // Others may use the allowance too, or share the limit: a pace that was slower for two windows is believed.
      const expectedMs = measured * Math.max(gapMs, (windowMs + gapMs) / pagesPerWindow);
      const slowness = first === undefined ? 1 : Math.max(1, (last - first) / expectedMs);
      return Math.max(0, underLimit(pages, gapMs, uptimeMs) * slowness);
    },
  };
}
