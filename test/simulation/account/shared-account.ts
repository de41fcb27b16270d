// The platform's side of an account that several terminals share: API v3 §8 in each way in which "60 requests per
// minute" can be read.
import type { World } from '../virtual-clock.ts';

/** How this platform reads its own limit. */
export interface AccountRules {
  readonly window: 'sliding' | 'fixed';
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

  function windowStartMs(nowMs: number): number {
    return rules.window === 'sliding' ? nowMs - accountWindowMs : nowMs - ((nowMs + phaseMs) % accountWindowMs) - 1;
  }

  /** When the next request would pass, if nobody else asked. */
  function opensAtMs(nowMs: number): number {
    if (rules.window === 'fixed') {
      return windowStartMs(nowMs) + 1 + accountWindowMs;
    }
    return (counted[counted.length - accountLimit] ?? nowMs) + accountWindowMs;
  }

  return {
    arrivals,
    arrive: (terminal) => {
      const nowMs = world.nowMs();
      counted = counted.filter((atMs) => atMs > windowStartMs(nowMs));
      const isStray = nowMs >= strayAtMs;
      strayAtMs = isStray ? Number.POSITIVE_INFINITY : strayAtMs;
      const isRefused = counted.length >= accountLimit || isStray;
      const retryAfterSeconds =
        rules.retryAfter === 'absent' ? undefined : Math.max(1, Math.ceil((opensAtMs(nowMs) - nowMs) / 1000));
      if (!isRefused || rules.countsRefused) {
        counted.push(nowMs);
      }
      arrivals.push({ atMs: nowMs, terminal, isRefused });
      return isRefused ? { retryAfterSeconds } : null;
    },
  };
}
