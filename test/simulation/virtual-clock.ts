import { setImmediate } from 'node:timers';
import type { Timer } from '../../app/ports.ts';

export interface World {
  /** Milliseconds since the simulated world began; whole numbers. */
  nowMs(): number;
  /** Calls back after this many milliseconds, rounded up. */
  after(delayMs: number, callback: () => void): Timer;
  /** Lets everything happen up to this time. Ends early when `isOver` says so. */
  runUntil(timeMs: number, isOver?: () => boolean): Promise<void>;
  /** Lets promises settle without any time passing. */
  settle(): Promise<void>;
  /** Time stands still from now on while this says so: something is done in real time. */
  holdWhile(isBusy: () => boolean): void;
}

interface Happening {
  readonly timeMs: number;
  readonly order: number;
  callback: (() => void) | null;
}

function isBefore(left: Happening, right: Happening): boolean {
  return left.timeMs < right.timeMs || (left.timeMs === right.timeMs && left.order < right.order);
}

/** A binary heap, earliest first. */
class Heap {
  readonly #items: Happening[] = [];

  first(): Happening | undefined {
    return this.#items[0];
  }

  add(item: Happening): void {
    let place = this.#items.push(item) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#items[above];
      if (parent === undefined || !isBefore(item, parent)) {
        break;
      }
      this.#items[place] = parent;
      place = above;
    }
    this.#items[place] = item;
  }

  removeFirst(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) {
      return;
    }
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [leftItem, rightItem] = [this.#items[left], this.#items[left + 1]];
      if (leftItem === undefined) {
        break;
      }
      const isRight = rightItem !== undefined && isBefore(rightItem, leftItem);
      const smaller = isRight ? rightItem : leftItem;
      if (!isBefore(smaller, last)) {
        break;
      }
      this.#items[place] = smaller;
      place = isRight ? left + 1 : left;
    }
    this.#items[place] = last;
  }
}

/** One turn of Node's loop: every microtask that is ready, and those that they make ready, have run when it is over. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Makes a world at time 0 in which nothing will happen yet. */
export function createWorld(): World {
  const heap = new Heap();
  let timeMs = 0;
  let order = 0;
  const holds: (() => boolean)[] = [];

  async function settle(): Promise<void> {
    do {
      await turn();
    } while (holds.some((isBusy) => isBusy()));
  }

  return {
    nowMs: () => timeMs,
    after: (delayMs, callback) => {
      order += 1;
      const happening: Happening = { timeMs: timeMs + Math.max(0, Math.ceil(delayMs)), order, callback };
      heap.add(happening);
      return {
        cancel: () => {
          happening.callback = null;
        },
      };
    },
    runUntil: async (untilMs, isOver = () => false) => {
      await settle();
      for (let next = heap.first(); next !== undefined && next.timeMs <= untilMs && !isOver(); next = heap.first()) {
        heap.removeFirst();
        const { callback } = next;
        if (callback !== null) {
          timeMs = next.timeMs;
          callback();
          await settle();
        }
      }
      if (!isOver()) {
        timeMs = Math.max(timeMs, untilMs);
      }
    },
    settle,
    holdWhile: (isBusy) => {
      holds.push(isBusy);
    },
  };
}
