import type { Failure } from '../domain/failure.ts';
import { fail, type Result } from '../domain/result.ts';
import type { Purpose } from './lanes.ts';
import type { Turn } from './scheduler.ts';
import type { Slot } from './slots.ts';

/** Who waits for a slot, and since which uptime, in milliseconds. */
export interface Waiting extends Turn {
  readonly purpose: Purpose;
}

interface Waiter extends Waiting {
  /** Ends the waiting. */
  readonly answer: (result: Result<Slot, Failure>) => void;
}

/** Nobody waits yet; `onAbort` is told when one has given up. */
export function createWaiters(onAbort: () => void) {
  let all: readonly Waiter[] = [];
  return {
    /** In the order in which they came. */
    all: (): readonly Waiter[] => all,
    /** Waits for an answer; fails with `cancelled` when the signal aborts first. */
    add: (waiting: Waiting, signal: AbortSignal | undefined): Promise<Result<Slot, Failure>> => {
      const { promise, resolve } = Promise.withResolvers<Result<Slot, Failure>>();
      const abort = (): void => {
        // mutant: a cancelled waiter is still given its slot (A2, A3, A7, A9)
        waiter.answer(fail({ kind: 'cancelled' }));
        onAbort();
      };
      const waiter: Waiter = {
        ...waiting,
        answer: (result) => {
          all = all.filter((other) => other !== waiter);
          signal?.removeEventListener('abort', abort);
          resolve(result);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      all = [...all, waiter];
      return promise;
    },
  };
}
