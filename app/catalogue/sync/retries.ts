import { backoffMs } from '../../domain/backoff.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Clock, Random } from '../../ports.ts';

const firstRetryMs = 5_000;
const maxRetryMs = 300_000;

/** The key of what the storage refused. */
export const storageKey = 'storage';

export interface Retries {
  /**
   * One more failure in a row; waits longer each time, and at least as long as the platform asks. A 429 that names no
   * pause adds nothing: patience that grows would leave all to a terminal that is never refused.
   */
  note(name: string, failure: Failure): void;
  /** It is not tried for this long; that is no failure of its own. */
  hold(name: string, failure: Failure, waitMs: number): void;
  /** It went well. */
  clear(name: string): void;
  clearAll(): void;
  /** All others are no longer due: they are over when their time has come. */
  keepOnly(names: ReadonlySet<string>): void;
  /** Everything may be tried at once. */
  resume(): void;
  mayTry(name: string): boolean;
  /** Failures in a row. */
  count(name: string): number;
  /** The failure that has waited longest; null when none does. */
  failure(): Failure | null;
  isWaiting(): boolean;
  /** The times until something may be tried, in milliseconds. */
  waitsMs(): readonly number[];
}

interface Retry {
  readonly failure: Failure;
  readonly count: number;
  readonly retryAtMs: number;
}

/** Makes a list of retries with none in it. */
export function createRetries({ clock, random }: { readonly clock: Clock; readonly random: Random }): Retries {
  const retries = new Map<string, Retry>();
  return {
    note: (name, failure) => {
      const before = retries.get(name)?.count ?? 0;
      const isUnannounced = failure.kind === 'tooManyRequests' && failure.retryAfterMs === undefined;
      // mutant: patience grows with each 429 that names no pause
      const count = isUnannounced ? before : before + 1;
      const waitMs = backoffMs(Math.max(0, count - 1), firstRetryMs, maxRetryMs) * (0.75 + random.fraction() / 4);
      retries.set(name, { failure, count, retryAtMs: clock.uptimeMs() + Math.max(waitMs, failure.retryAfterMs ?? 0) });
    },
    hold: (name, failure, waitMs) => {
      const count = retries.get(name)?.count ?? 0;
      retries.set(name, { failure, count, retryAtMs: clock.uptimeMs() + waitMs });
    },
    clear: (name) => {
      retries.delete(name);
    },
    clearAll: () => {
      retries.clear();
    },
    keepOnly: (names) => {
      for (const [name, { retryAtMs }] of retries) {
        if (!names.has(name) && retryAtMs <= clock.uptimeMs()) {
          retries.delete(name);
        }
      }
    },
    resume: () => {
      for (const [name, retry] of retries) {
        retries.set(name, { ...retry, retryAtMs: 0 });
      }
    },
    mayTry: (name) => (retries.get(name)?.retryAtMs ?? 0) <= clock.uptimeMs(),
    count: (name) => retries.get(name)?.count ?? 0,
    failure: () => [...retries.values()][0]?.failure ?? null,
    isWaiting: () => retries.size > 0,
    waitsMs: () =>
      [...retries.values()].map(({ retryAtMs }) => retryAtMs - clock.uptimeMs()).filter((waitMs) => waitMs > 0),
  };
}
