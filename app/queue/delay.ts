import { backoffMs } from '../domain/backoff.ts';
import { isNetworkFailure, type Failure } from '../domain/failure.ts';
import type { Hold, QueuePorts } from './queue-ports.ts';

export const firstBackoffMs = 1_000;
export const maxBackoffMs = 60_000;

export type Delay = ReturnType<typeof createDelay>;

/** Makes what knows why nothing is sent now, and until when. Times are uptimes, in milliseconds. */
export function createDelay({ clock, random }: Pick<QueuePorts, 'clock' | 'random'>, changed: () => void) {
  let hold: Hold = null;
  let failuresInARow = 0;
  let retryAtMs = 0;
  let restUntilMs = 0;
  let isTooEarly = false;
  let lookAgainAtMs = Number.POSITIVE_INFINITY;

  function setHold(next: Hold): void {
    if (hold !== next) {
      hold = next;
      changed();
    }
  }

  function backOff(retryAfterMs = 0): void {
    const ceilingMs = backoffMs(failuresInARow, firstBackoffMs, maxBackoffMs);
    failuresInARow += 1;
    isTooEarly = true;
    retryAtMs = clock.uptimeMs() + Math.max(retryAfterMs, ceilingMs * (0.5 + 0.5 * random.fraction()));
    setHold('retry');
  }

  return {
    hold: (): Hold => hold,
    setHold,
    /** Null while none is planned. */
    retryAtMs: (): number | null => (isTooEarly ? retryAtMs : null),
    backOff,

    backOffAfter: (failure: Failure): void => {
      backOff(failure.retryAfterMs);
      if (isNetworkFailure(failure)) {
        setHold('offline');
      }
    },

    clearFailures: (): void => {
      failuresInARow = 0;
    },
    /** The next try need not wait. */
    retryNow: (): void => {
      failuresInARow = 0;
      retryAtMs = 0;
    },

    /** Nothing new is sealed for so long. */
    rest: (restMs: number): void => {
      restUntilMs = clock.uptimeMs() + restMs;
    },
    /** For what has to wait so long nothing is planned otherwise. */
    lookAgainAfter: (waitMs: number): void => {
      lookAgainAtMs = Math.min(lookAgainAtMs, clock.uptimeMs() + waitMs);
    },
    isResting: (): boolean => clock.uptimeMs() < restUntilMs,
    /** A request that is sealed already waits for its next try alone. */
    mustWait: (isSealed: boolean): boolean =>
      clock.uptimeMs() < (isSealed ? retryAtMs : Math.max(retryAtMs, restUntilMs)),

    beginRound: (): void => {
      isTooEarly = false;
      lookAgainAtMs = Number.POSITIVE_INFINITY;
    },
    /** This round ends because it is too early for the next try. */
    endTooEarly: (): void => {
      isTooEarly = true;
    },
    /** How long until the next try; null when the last round ended for another reason. */
    leftMs: (): number | null => {
      const atMs = Math.min(isTooEarly ? Math.max(retryAtMs, restUntilMs) : Number.POSITIVE_INFINITY, lookAgainAtMs);
      return atMs === Number.POSITIVE_INFINITY ? null : atMs - clock.uptimeMs();
    },
  };
}
