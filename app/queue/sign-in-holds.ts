import { backoffMs } from '../domain/backoff.ts';
import type { Failure } from '../domain/failure.ts';
import { firstBackoffMs, maxBackoffMs, type Delay } from './delay.ts';
import type { QueuePorts } from './queue-ports.ts';

export type SignInHolds = ReturnType<typeof createSignInHolds>;

interface Held {
  readonly untilMs: number;
  readonly times: number;
  readonly hold: 'signIn' | 'retry' | null;
}

const missingToken: ReadonlySet<Failure['kind']> = new Set([
  'signInNeeded',
  'vaultLocked',
  'vaultMoved',
  'vaultUnavailable',
]);

/** Whether a person must do something before this sign-in gives a token. */
const isTokenMissing = ({ kind }: Failure): boolean => missingToken.has(kind);

/** Whether what failed is the matter of one sign-in: no token of it is to be had, or it is refused. */
function isOfSignIn(failure: Failure): boolean {
  return isTokenMissing(failure) || failure.kind === 'renewalFailed' || failure.kind === 'unauthorized';
}

/** Makes what knows whose sign-in has trouble, and until when: it holds up its own user's updates alone. */
export function createSignInHolds({ clock, random }: Pick<QueuePorts, 'clock' | 'random'>, changed: () => void) {
  const held = new Map<number, Held>();

  return {
    isHeld: (ownerId: number): boolean => clock.uptimeMs() < (held.get(ownerId)?.untilMs ?? 0),
    /** The hold that screens show of it; null where there is none. */
    shown: (ownerId: number): { readonly hold: 'signIn' | 'retry'; readonly retryAtMs: number } | null => {
      const { hold, untilMs } = held.get(ownerId) ?? { hold: null, untilMs: 0 };
      const isShown = hold !== null && (hold === 'signIn' || clock.uptimeMs() < untilMs);
      return isShown ? { hold, retryAtMs: untilMs } : null;
    },
    /** Whether a refusal of this sign-in has been counted since it last served. */
    hasFailed: (ownerId: number): boolean => held.has(ownerId),
    /** A renewal has answered the refusal: the next call shows whether it helps. */
    count: (ownerId: number): void => {
      held.set(ownerId, { untilMs: 0, times: (held.get(ownerId)?.times ?? 0) + 1, hold: null });
    },
    /** The updates under this sign-in are tried again after a pause, doubled each time. */
    hold: (ownerId: number, failure: Failure | null): void => {
      const times = held.get(ownerId)?.times ?? 0;
      const ceilingMs = backoffMs(times, firstBackoffMs, maxBackoffMs);
      held.set(ownerId, {
        untilMs: clock.uptimeMs() + ceilingMs * (0.5 + 0.5 * random.fraction()),
        times: times + 1,
        hold: failure !== null && isTokenMissing(failure) ? 'signIn' : 'retry',
      });
      changed();
    },
    /** It has a token again. */
    noteToken: (ownerId: number): void => {
      if (held.get(ownerId)?.hold === 'signIn') {
        held.delete(ownerId);
        changed();
      }
    },
    /** A request of it was answered. */
    clear: (ownerId: number): void => {
      held.delete(ownerId);
    },
    /** The next try need not wait. */
    retryNow: (): void => held.clear(),
    /** How long until the next try of any; null when none is planned. */
    leftMs: (): number | null => {
      const left = [...held.values()].map(({ untilMs }) => untilMs - clock.uptimeMs()).filter((ms) => ms > 0);
      return left.length === 0 ? null : Math.min(...left);
    },
  };
}

/** So many in a row are one user's own. */
const ownAfter = 3;

export type Troubles = ReturnType<typeof createTroubles>;

/**
 * Makes what counts how often in a row each user's updates have met trouble that stops all. Who has met it often lets
 * the others go first: nobody knows whether it is theirs alone.
 */
export function createTroubles() {
  const counts = new Map<number, number>();
  return {
    count: (ownerId: number): void => {
      counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
    },
    areOwn: (ownerId: number): boolean => (counts.get(ownerId) ?? 0) >= ownAfter,
    /** A request of theirs was answered. */
    clear: (ownerId: number): void => {
      counts.delete(ownerId);
    },
  };
}

export interface Holding {
  readonly holds: SignInHolds;
  readonly troubles: Troubles;
  readonly delay: Delay;
}

/**
 * Q13: What has failed under one sign-in holds up its own user alone, or all, where it may be the way. Answers whether
 * others go on.
 */
export function holdUp({ holds, troubles, delay }: Holding, ownerId: number, failure: Failure): boolean {
  // mutant: the trouble of one sign-in holds up everybody (Q13)
  if (isOfSignIn(failure)) {
    holds.hold(ownerId, failure);
    return true;
  }
  // mutant: the renewal of one user has no answer and holds up everybody for ever (Q13)
  troubles.count(ownerId);
  delay.backOffAfter(failure);
  return false;
}
