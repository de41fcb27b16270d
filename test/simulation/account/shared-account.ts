// The platform's side of an account that several terminals share: API v3 §8 in each way in which "60 requests per
// minute" can be read.
import type { World } from '../virtual-clock.ts';

/** How this platform reads its own limit. */
export interface AccountRules {
  /** `bucket`: sixty tokens, and one more each second. */
  readonly window: 'sliding' | 'fixed' | 'bucket';
  /** Whether a refused request counts like any other. */
  readonly countsRefused: boolean;
  readonly retryAfter: 'seconds' | 'absent';
  /** The first request from this minute on is refused for no reason. */
  readonly strayAtMinute?: number;
}

interface AccountArrival {
  readonly atMs: number;
  readonly terminal: number;
  readonly isRefused: boolean;
}

export interface SharedAccount {
  readonly arrivals: readonly AccountArrival[];
  /** A request arrives; answers null when it passes, else how many seconds to wait, undefined when it does not say. */
  arrive(terminal: number): { readonly retryAfterSeconds: number | undefined } | null;
}

export const accountLimit = 60;
export const accountWindowMs = 60_000;

/** Opens an account that nobody has used; fixed windows begin at a phase of their own. */
export function createSharedAccount(world: World, rules: AccountRules, phaseMs = 17_300): SharedAccount {
  const arrivals: AccountArrival[] = [];
  let counted: number[] = [];
  let strayAtMs = 60_000 * (rules.strayAtMinute ?? Number.POSITIVE_INFINITY);

  // The tokens of a bucket that are used, as of the last arrival.
  let used = 0;
  let usedAtMs = 0;

  /** How many count now; a bucket's are parts of one. */
  function usedAt(nowMs: number): number {
    if (rules.window !== 'bucket') {
      counted = counted.filter((atMs) => atMs > windowStartMs(nowMs));
      return counted.length;
    }
    used = Math.max(0, used - ((nowMs - usedAtMs) * accountLimit) / accountWindowMs);
    usedAtMs = nowMs;
    return used;
  }

  function count(nowMs: number): void {
    counted.push(nowMs);
    // A bucket that counts what it refuses is never emptier than empty by more than itself.
    used = Math.min(used + 1, 2 * accountLimit);
  }

  function windowStartMs(nowMs: number): number {
    return rules.window === 'sliding' ? nowMs - accountWindowMs : nowMs - ((nowMs + phaseMs) % accountWindowMs) - 1;
  }

  /** When the next request would pass, if nobody else asked. */
  function opensAtMs(nowMs: number): number {
    if (rules.window === 'bucket') {
      return nowMs + (Math.max(0, used + 1 - accountLimit) * accountWindowMs) / accountLimit;
    }
    if (rules.window === 'fixed') {
      return windowStartMs(nowMs) + 1 + accountWindowMs;
    }
    return (counted[counted.length - accountLimit] ?? nowMs) + accountWindowMs;
  }

  return {
    arrivals,
    arrive: (terminal) => {
      const nowMs = world.nowMs();
      const isFull = usedAt(nowMs) > accountLimit - 1;
      const isStray = nowMs >= strayAtMs;
      strayAtMs = isStray ? Number.POSITIVE_INFINITY : strayAtMs;
      const isRefused = isFull || isStray;
      const retryAfterSeconds =
        rules.retryAfter === 'absent' ? undefined : Math.max(1, Math.ceil((opensAtMs(nowMs) - nowMs) / 1000));
      if (!isRefused || rules.countsRefused) {
        count(nowMs);
      }
      arrivals.push({ atMs: nowMs, terminal, isRefused });
      return isRefused ? { retryAfterSeconds } : null;
    },
  };
}
