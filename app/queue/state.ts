import type { QueueState } from '../contract/terminal-state.ts';
import type { QueuePorts } from './queue-ports.ts';

/** What holds up the sending, as the engine knows it; null when nothing does. */
export type Hold = Exclude<QueueState['heldBy'], 'noAnswer'>;

/** What holds up one's own updates, where there are any, else those of others. */
function whyHeld(hasOwn: boolean, hold: Hold, hasOthers: boolean, isSignedIn: boolean): Hold {
  if (hasOwn) {
    return hold;
  }
  if (!hasOthers) {
    return null;
  }
  return isSignedIn ? 'otherUser' : 'signIn';
}

/**
 * The queue as it is shown to whoever is signed in; `hold` is the engine's own, `retryAtMs` the uptime of its next try, if
 * one is planned.
 */
export function readQueueState(
  { clock, store, rateLimit, owner }: QueuePorts,
  hold: Hold,
  retryAtMs: number | null,
): QueueState {
  const current = owner();
  const ownerId = current === null ? 0 : store.knownOwnerId(current);
  const counts = store.counts(ownerId);
  const foreign = store.foreign(ownerId);
  const waiting = (counts.pending ?? 0) + (counts.sealed ?? 0);
  const inFlight = store.countUnderWay(ownerId);
  const othersCount = foreign.reduce((sum, other) => sum + other.total, 0);
  const heldBy = whyHeld(waiting > 0, hold, othersCount > 0, current !== null);
  const waitMs = heldBy === 'rateLimit' ? rateLimit.state().pausedForMs : (retryAtMs ?? 0) - clock.uptimeMs();
  return {
    pending: waiting - inFlight,
    inFlight,
    parked: counts.parked ?? 0,
    delivered: counts.delivered ?? 0,
    heldBy,
    nextTryAt: waiting > 0 && waitMs > 0 ? Math.round(clock.now() + waitMs) : null,
    ofOthers: {
      count: othersCount,
      emails: foreign.slice(0, 20).map((other) => other.email),
      parked: store.foreignParked(ownerId),
    },
  };
}
