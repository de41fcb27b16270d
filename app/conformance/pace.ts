/** Half of the 60 requests a minute of API v3 §8: the shop's own terminals have the other half. */
export const mostPerMinute = 30;
/** So few that a reading check and what puts a coupon back still go out. */
export const leastPerMinute = 6;
/** Left free by everything but what puts a coupon back. */
const reserved = 4;
/** A minute, and a second for a clock that runs fast. */
const windowMs = 61_000;

export interface Timing {
  /** Milliseconds, from any start; never goes backwards. */
  readonly now: () => number;
  /** Ends after so many milliseconds, or at the signal. */
  readonly wait: (ms: number, signal: AbortSignal | null) => Promise<void>;
}

/** Ends when a request may leave; to be called with its end. */
export type Pace = (isPuttingBack: boolean, signal: AbortSignal | null) => Promise<() => void>;

/**
 * Counts by a sliding window. A request counts from before it leaves until a window after its answer, so that it is in
 * the window whenever it arrived.
 */
export function createPace(perMinute: number, { now, wait }: Timing, tellWait: (ms: number) => void): Pace {
  let slots: { freeAt: number }[] = [];
  return async (isPuttingBack, signal) => {
    const most = isPuttingBack ? perMinute : perMinute - reserved;
    for (;;) {
      slots = slots.filter(({ freeAt }) => freeAt > now()).toSorted((left, right) => left.freeAt - right.freeAt);
      const next = slots[slots.length - most];
      if (next === undefined || signal?.aborted === true) break;
      tellWait(next.freeAt - now());
      await wait(next.freeAt - now(), signal);
    }
    const slot = { freeAt: Number.POSITIVE_INFINITY };
    slots.push(slot);
    return () => {
      slot.freeAt = now() + windowMs;
    };
  };
}
