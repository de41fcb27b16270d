import { backoffMs } from '../domain/backoff.ts';
import { firstBackoffMs, maxBackoffMs } from './delay.ts';
import type { QueuePorts } from './queue-ports.ts';

/** So many in a row are one user's own. */
const ownAfter = 3;

export type Troubles = ReturnType<typeof createTroubles>;

/**
 * Makes what counts how often in a row each user's updates have met trouble that may be everybody's. Who has met it
 * often waits by themselves, and lets the others go first: nobody knows whether it is theirs alone.
 */
export function createTroubles({ clock, random }: Pick<QueuePorts, 'clock' | 'random'>) {
  const met = new Map<number, { readonly times: number; readonly untilMs: number }>();
  const timesOf = (ownerId: number): number => met.get(ownerId)?.times ?? 0;
  const untilMsOf = (ownerId: number): number => met.get(ownerId)?.untilMs ?? 0;
  return {
    count: (ownerId: number): void => {
      met.set(ownerId, { times: timesOf(ownerId) + 1, untilMs: 0 });
    },
    areOwn: (ownerId: number): boolean => timesOf(ownerId) >= ownAfter,
    /** What waits for this user is tried again after a pause, doubled each time. */
    putOff: (ownerId: number): void => {
      const times = timesOf(ownerId);
      const ceilingMs = backoffMs(times - 1, firstBackoffMs, maxBackoffMs);
      met.set(ownerId, { times, untilMs: clock.uptimeMs() + ceilingMs * (0.5 + 0.5 * random.fraction()) });
    },
    /** How long this user waits by themselves; 0 for not at all. */
    waitMs: (ownerId: number): number => Math.max(0, untilMsOf(ownerId) - clock.uptimeMs()),
    /** What is told of it; null where nothing is. */
    told: (ownerId: number): { readonly hold: 'retry'; readonly retryAtMs: number } | null =>
      clock.uptimeMs() < untilMsOf(ownerId) ? { hold: 'retry', retryAtMs: untilMsOf(ownerId) } : null,
    /** What they sent was answered. */
    clear: (ownerId: number): void => {
      met.delete(ownerId);
    },
    /** The next try need not wait. */
    retryNow: (): void => {
      met.forEach(({ times }, ownerId) => met.set(ownerId, { times, untilMs: 0 }));
    },
  };
}
