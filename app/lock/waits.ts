// How long whoever has tried wrongly waits; invariants L3 and L4 of lock.ts.
import { backoffMs } from '../domain/backoff.ts';
import type { Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import { maxWrongCounted, type StoredLock } from './stored-lock.ts';

export type StoredAttempts = Pick<StoredLock, 'wrong' | 'wrongAtMs'>;

/** Wrong attempts before the first wait. */
const freeAttempts = 3;
const firstWaitMs = 5_000;
const maxWaitMs = 15 * 60_000;

export interface WaitParts {
  readonly clock: Clock;
  readonly stored: () => StoredAttempts;
  /** Keeps it in memory in any case; fails when it will not survive a restart. */
  readonly save: (attempts: StoredAttempts) => Result<void, Failure>;
}

/** How long to wait after so many wrong attempts, in milliseconds (L4). */
export function waitAfter(wrong: number): number {
  return wrong < freeAttempts ? 0 : backoffMs(wrong - freeAttempts, firstWaitMs, maxWaitMs);
}

/** Goes on with the count that is stored. */
export function createWaits({ clock, stored, save }: WaitParts) {
  if (stored().wrong > 0 && clock.uptimeMs() < stored().wrongAtMs) {
    // The attempt was made before the machine's restart; at least the time since then has passed (L4).
    save({ wrong: stored().wrong, wrongAtMs: 0 });
  }
  return {
    /** How long the next one has to wait, in milliseconds. */
    waitMs: (): number => {
      const { wrong, wrongAtMs } = stored();
      // Of a restart that comes after this app's start nobody knows: the app ends with it.
      return Math.max(0, waitAfter(wrong) - Math.max(0, clock.uptimeMs() - wrongAtMs));
    },
    noteWrong: (): void => {
      save({ wrong: Math.min(stored().wrong + 1, maxWrongCounted), wrongAtMs: clock.uptimeMs() });
    },
    clear: (): void => {
      if (stored().wrong > 0) {
        save({ wrong: 0, wrongAtMs: 0 });
      }
    },
  };
}
