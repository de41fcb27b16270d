import type { Clock, Timer } from '../../ports.ts';
import type { RowNumber } from '../repository/product-reader.ts';

export const maxRows = 5_000_000;
/** An answer waits so long for rows that have not been found yet; whoever wants them then asks again. */
const maxWaitMs = 100;

/** The rows that a query fits, as far as they have been found. */
export interface View {
  readonly id: number;
  readonly query: string;
  readonly abort: AbortController;
  rows: Int32Array;
  found: number;
  total: number | null;
  isWhole: boolean;
  failure: Error | null;
  waiting: (() => void)[];
  expiry: Timer | null;
}

/** A view in which nothing has been found; `total` is null while it is not known. */
export function openView(id: number, query: string, total: number | null): View {
  return {
    id,
    query,
    abort: new AbortController(),
    rows: new Int32Array(Math.min(maxRows, total ?? 1024)),
    found: 0,
    total,
    isWhole: false,
    failure: null,
    waiting: [],
    expiry: null,
  };
}

/** Whoever waits for rows looks again. */
export function wake(view: View): void {
  const { waiting } = view;
  view.waiting = [];
  for (const resume of waiting) {
    resume();
  }
}

export function addRows(view: View, rows: readonly RowNumber[]): void {
  const needed = Math.min(maxRows, view.found + rows.length);
  if (needed > view.rows.length) {
    const larger = new Int32Array(Math.max(needed, 2 * view.rows.length));
    larger.set(view.rows);
    view.rows = larger;
  }
  view.rows.set(rows.slice(0, needed - view.found), view.found);
  view.found = needed;
  wake(view);
}

export function finish(view: View): void {
  view.isWhole = true;
  view.total = view.found;
  wake(view);
}

/** Waits until so many rows have been found, or the walk is over, or it has been long enough. */
export async function waitFor(view: View, wanted: number, clock: Clock): Promise<void> {
  const lateAtMs = clock.uptimeMs() + maxWaitMs;
  const timer = clock.after(maxWaitMs, () => wake(view));
  while (
    view.found < wanted &&
    !view.isWhole &&
    view.failure === null &&
    !view.abort.signal.aborted &&
    clock.uptimeMs() < lateAtMs
  ) {
    await new Promise<void>((resume) => {
      view.waiting.push(resume);
    });
  }
  timer.cancel();
}
