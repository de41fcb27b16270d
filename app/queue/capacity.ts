import type { Statements } from './statements.ts';

/** Open updates (pending, sealed or parked) that the queue holds, at most. */
export const maxQueueLength = 10_000;

export type Capacity = ReturnType<typeof createCapacity>;

/** Makes what knows whether the queue is full, without counting at every insert. */
export function createCapacity(sql: Statements) {
  // Only what is told to `add` makes an update open, so a bound that is counted anew when it reaches the limit is never
  // too low.
  let maxOpen = Number.POSITIVE_INFINITY;

  function count(): void {
    maxOpen = sql.openCount.get()?.total ?? 0;
  }

  return {
    isFull: (): boolean => {
      if (maxOpen >= maxQueueLength) {
        count();
      }
      return maxOpen >= maxQueueLength;
    },
    /** So many more updates are open. */
    add: (more = 1): void => {
      maxOpen += more;
    },
    /** How many more open updates the queue holds. */
    room: (): number => {
      count();
      return Math.max(0, maxQueueLength - maxOpen);
    },
  };
}
