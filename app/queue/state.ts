import type { QueueState } from '../contract/terminal-state.ts';
import type { QueuePorts } from './queue-ports.ts';

/** What holds up the sending; null when nothing does. */
export type Hold = QueueState['heldBy'];

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
 * The queue as it is shown to whoever is signed in; `hold` is the engine's own, `retryAtMs` the uptime of its next try.
 */
export function readQueueState(
  { clock, store, rateLimit, owner }: QueuePorts,
  hold: Hold,
  retryAtMs: number,
): QueueState {
  const current = owner();
  const ownerId = current === null ? 0 : store.knownOwnerId(current);
  const counts = store.counts(ownerId);
  const foreign = store.foreign(ownerId);
  const waiting = (counts.pending ?? 0) + (counts.sealed ?? 0);
  const othersCount = foreign.reduce((sum, other) => sum + other.total, 0);
  const heldBy = whyHeld(waiting > 0, hold, othersCount > 0, current !== null);
  const waitMs = heldBy === 'rateLimit' ? rateLimit.state().pausedForMs : retryAtMs - clock.uptimeMs();
  return {
    pending: counts.pending ?? 0,
    inFlight: counts.sealed ?? 0,
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
