// Counts the attempts at the PIN, and makes them wait; invariants L3 to L5 of lock.ts.
import { backoffMs } from '../domain/backoff.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock, Random } from '../ports.ts';
import { comparePin, hashPin, type ScryptCost } from './pin.ts';
import { maxWrongCounted, type StoredLock } from './stored-lock.ts';

/** What is kept of one PIN. */
export type StoredPin = Pick<StoredLock, 'pinHash' | 'wrong' | 'wrongAtMs'>;

/** Wrong PINs before the first wait. */
const freeAttempts = 3;
const firstWaitMs = 5_000;
const maxWaitMs = 15 * 60_000;

export interface AttemptParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly stored: () => StoredPin;
  /** Keeps it in memory in any case; fails when it will not survive a restart. */
  readonly store: (change: Partial<StoredPin>) => Result<void, Failure>;
  readonly onChange: () => void;
  readonly cost?: ScryptCost;
}

/** How long to wait after so many wrong attempts, in milliseconds (L4). */
export function waitAfter(wrong: number): number {
  return wrong < freeAttempts ? 0 : backoffMs(wrong - freeAttempts, firstWaitMs, maxWaitMs);
}

/** Goes on with the count that is stored. */
export function createAttempts({ clock, random, stored, store, onChange, cost }: AttemptParts) {
  if (stored().wrong > 0 && clock.uptimeMs() < stored().wrongAtMs) {
    // The attempt was made before the machine's restart; at least the time since then has passed (L4).
    store({ wrongAtMs: 0 });
  }

  /** How long the next one has to wait, in milliseconds. */
  function waitMs(): number {
    const { wrong, wrongAtMs } = stored();
    // Of a restart that comes after this app's start nobody knows: the app ends with it.
    return Math.max(0, waitAfter(wrong) - Math.max(0, clock.uptimeMs() - wrongAtMs));
  }

  return {
    waitMs,
    /** Compares the PIN, unless it has to wait. Fails with `pinWrong` or `pinWaits`, both with how long to wait. */
    attempt: async (pin: string): Promise<Result<void, Failure>> => {
      const { pinHash, wrong } = stored();
      if (pinHash === null) {
        return succeed(undefined);
      }
      const remainingMs = waitMs();
      if (remainingMs > 0) {
        return fail({ kind: 'pinWaits', retryAfterMs: Math.ceil(remainingMs) });
      }
      store({ wrong: Math.min(wrong + 1, maxWrongCounted), wrongAtMs: clock.uptimeMs() });
      const compared = await comparePin(pin, pinHash, cost);
      if (compared === 'wrong' || stored().pinHash !== pinHash) {
        onChange();
        return fail({ kind: 'pinWrong', retryAfterMs: Math.ceil(waitMs()) });
      }
      const renewed = compared === 'stale' ? { pinHash: await hashPin(pin, random.uuid(), cost) } : {};
      store({ wrong: 0, wrongAtMs: 0, ...(stored().pinHash === pinHash ? renewed : {}) });
      return succeed(undefined);
    },
  };
}
