// Counts the attempts at the PIN, and makes them wait; invariants L3 to L5 of lock.ts.
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock, Random } from '../ports.ts';
import { comparePin, hashPin, type ScryptCost } from './pin.ts';
import type { StoredLock } from './stored-lock.ts';
import { createWaits } from './waits.ts';

/** The stored part of one PIN. */
export type StoredPin = Pick<StoredLock, 'pinHash' | 'wrong' | 'wrongAtMs'>;

export interface AttemptParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly stored: () => StoredPin;
  /** Keeps it in memory in any case; fails when it will not survive a restart. */
  readonly save: (change: Partial<StoredPin>) => Result<void, Failure>;
  readonly onChange: () => void;
  readonly cost?: ScryptCost;
}

/** Goes on with the count that is stored. */
export function createAttempts({ clock, random, stored, save, onChange, cost }: AttemptParts) {
  const { waitMs, noteWrong } = createWaits({ clock, stored, save });
  return {
    waitMs,
    /** Compares the PIN, unless it has to wait. Fails with `pinWrong` or `pinWaits`, both with how long to wait. */
    attempt: async (pin: string): Promise<Result<void, Failure>> => {
      const { pinHash } = stored();
      if (pinHash === null) {
        return succeed(undefined);
      }
      const remainingMs = waitMs();
      if (remainingMs > 0) {
        return fail({ kind: 'pinWaits', retryAfterMs: Math.ceil(remainingMs) });
      }
      noteWrong();
      const compared = await comparePin(pin, pinHash, cost);
      const renewed = compared === 'stale' ? { pinHash: await hashPin(pin, random.uuid(), cost) } : {};
      if (compared === 'wrong' || stored().pinHash !== pinHash) {
        onChange();
        return fail({ kind: 'pinWrong', retryAfterMs: Math.ceil(waitMs()) });
      }
      save({ wrong: 0, wrongAtMs: 0, ...renewed });
      return succeed(undefined);
    },
  };
}
