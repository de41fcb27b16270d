import { backoffMs } from '../../domain/backoff.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Clock, Random } from '../../ports.ts';

const firstRetryMs = 5_000;
const maxRetryMs = 300_000;

/** The key of what the storage refused. */
export const storageKey = 'storage';

export type Retries = ReturnType<typeof createRetries>;

interface Retry {
  readonly failure: Failure;
  readonly count: number;
  readonly retryAtMs: number;
}

/** Makes a list of retries with none in it. */
export function createRetries({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
  const retries = new Map<string, Retry>();
  const isOneOf = (names: ReadonlySet<string>) => (name: string) => name === storageKey || names.has(name);
  const waitMsOf = (name: string): number => (retries.get(name)?.retryAtMs ?? 0) - clock.uptimeMs();
  return {
    /**
     * One more failure in a row; waits longer each time, and at least as long as the platform asks. A 429 that names no
     * pause adds nothing: patience that grows would leave all to a terminal that is never refused.
     */
    note: (name: string, failure: Failure) => {
      const before = retries.get(name)?.count ?? 0;
      const isUnannounced = failure.kind === 'tooManyRequests' && failure.retryAfterMs === undefined;
      // mutant: patience grows with each 429 that names no pause (S5)
      const count = isUnannounced ? before : before + 1;
      const waitMs = backoffMs(Math.max(0, count - 1), firstRetryMs, maxRetryMs) * (0.75 + random.fraction() / 4);
      retries.set(name, { failure, count, retryAtMs: clock.uptimeMs() + Math.max(waitMs, failure.retryAfterMs ?? 0) });
    },
    /** It is not tried for this long; that is no failure of its own. */
    hold: (name: string, failure: Failure, waitMs: number) => {
      const count = retries.get(name)?.count ?? 0;
      retries.set(name, { failure, count, retryAtMs: clock.uptimeMs() + waitMs });
    },
    /** It went well. */
    clear: (name: string) => {
      retries.delete(name);
    },
    clearAll: () => {
      retries.clear();
    },
    /** All others are no longer due: they are over when their time has come. */
    keepOnly: (names: ReadonlySet<string>) => {
      for (const [name, { retryAtMs }] of retries) {
        if (!names.has(name) && retryAtMs <= clock.uptimeMs()) {
          retries.delete(name);
        }
      }
    },
    /** Everything may be tried at once. */
    resume: () => {
      for (const [name, retry] of retries) {
        retries.set(name, { ...retry, retryAtMs: 0 });
      }
    },
    mayTry: (name: string) => waitMsOf(name) <= 0,
    /** Failures in a row. */
    count: (name: string) => retries.get(name)?.count ?? 0,
    /** The failure that has waited longest; null when none does. */
    failure: (): Failure | null => [...retries.values()][0]?.failure ?? null,
    /** Whether any of these waits, or the storage. */
    isWaiting: (names: ReadonlySet<string>) => retries.keys().some(isOneOf(names)),
    /** The times until something may be tried, in milliseconds. */
    waitsMs: (): readonly number[] => [...retries.keys()].map(waitMsOf).filter((waitMs) => waitMs > 0),
    /** Whether any of these, or the storage, may not be tried yet. */
    mustWait: (names: ReadonlySet<string>) => retries.keys().some((name) => isOneOf(names)(name) && waitMsOf(name) > 0),
  };
}
