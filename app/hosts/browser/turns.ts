// The order of a page's calls: a browser sends each over whichever of its connections is free, and a later one may come
// first.

/**
 * A call that has not come in so many waits after a later one is not waited for: its way broke. A while in which this
 * process did nothing is one of them, so that what has come meanwhile is read first.
 */
const missedWaits = 10;
const waitMs = 50;
/** The one that has been silent for longest begins anew: its next call is then waited before. */
const maxPages = 200;

/** The calls of one page. */
interface Line {
  next: number;
  /** What begins those that came too soon, by their numbers. */
  readonly waiting: Map<number, () => void>;
}

export interface Turns {
  /** Begins a call of this page, the first of which is 0, once all that the page has made before it have begun. */
  take(page: string, number: number, begin: () => void): void;
}

function afterWaits(waits: number, act: () => void): void {
  setTimeout(() => (waits === 1 ? act() : afterWaits(waits - 1, act)), waitMs);
}

/** Opens it with no page. */
export function createTurns(): Turns {
  const lines = new Map<string, Line>();

  /** Begins those up to this number, and all that follow without a gap. */
  function release(line: Line, through: number): void {
    for (const [number, begin] of [...line.waiting].toSorted(([left], [right]) => left - right)) {
      if (number > through && number !== line.next) {
        return;
      }
      line.waiting.delete(number);
      line.next = Math.max(line.next, number + 1);
      begin();
    }
  }

  return {
    take(page, number, begin) {
      const line: Line = lines.get(page) ?? { next: 0, waiting: new Map() };
      lines.delete(page);
      lines.set(page, line);
      const [silent] = lines.keys();
      if (lines.size > maxPages && silent !== undefined) {
        lines.delete(silent);
      }
      line.waiting.set(number, begin);
      if (number <= line.next) {
        release(line, number);
      } else {
        afterWaits(missedWaits, () => release(line, number));
      }
    },
  };
}
