//   R1  Answers are handed over in the order in which they are wanted, each once, whatever order they came in.
//   R2  At most `maxAhead` pages are under way or wait to be handed over.
//   R3  A failure stops the reading ahead until it was handed over, and until the page that failed was read.
//   R4  An answer that came more than a minute before it is wanted is dropped: by then its rows may be elsewhere.
import type { Failure } from '../../domain/failure.ts';
import { fail, type Result } from '../../domain/result.ts';
import type { ListingPage, PlatformClient } from '../../platform/client.ts';
import type { ListingQuery } from '../../platform/query.ts';
import type { Clock } from '../../ports.ts';
import type { Pace } from './pace.ts';

/** With so many under way, 57 slots a minute are all in use up to a latency of six seconds. */
export const maxAhead = 6;
const freshForMs = 60_000;

/** What came of asking for one page. */
export interface PageAnswer {
  readonly answer: Result<ListingPage, Failure>;
  /** When it was asked for, by this machine's wall clock. */
  readonly askedAt: number;
  /** From its turn to its answer, in milliseconds. */
  readonly tookMs: number;
  /** How far the next one was planned from it, in milliseconds. */
  readonly gapMs: number;
}

export interface Prefetch {
  /**
   * The answer for the first of these pages of one pass; the others are asked for meanwhile. The name stands for the
   * pass: pages of another one are dropped. Fails as the client does.
   */
  read(name: string, queries: readonly ListingQuery[], signal: AbortSignal): Promise<PageAnswer>;
  /** The pass whose pages are under way or wait to be handed over; null when there are none. */
  holding(): string | null;
  /** How many pages are under way or wait to be handed over. */
  count(): number;
  /** Abandons everything. */
  drop(): void;
}

interface Entry {
  readonly abandon: AbortController;
  readonly answer: Promise<PageAnswer>;
  answeredAtMs: number | null;
  isFailed: boolean;
}

/** Opens the reading ahead; each request leaves when the pace lets it. */
export function createPrefetch({
  client,
  clock,
  pace,
}: {
  readonly client: PlatformClient;
  readonly clock: Clock;
  readonly pace: Pace;
}): Prefetch {
  const entries = new Map<string, Entry>();
  let current: string | null = null;

  function wait(waitMs: number, signal: AbortSignal): Promise<void> {
    if (waitMs <= 0 || signal.aborted) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = clock.after(waitMs, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  async function ask(query: ListingQuery, signal: AbortSignal): Promise<PageAnswer> {
    const { atMs, gapMs } = pace.depart(clock.uptimeMs());
    await wait(Math.ceil(atMs - clock.uptimeMs()), signal);
    const [askedAt, fromMs] = [clock.now(), clock.uptimeMs()];
    const answer = signal.aborted
      ? fail({ kind: 'cancelled' as const })
      : await client.listStockProducts(query, { lane: 'catalogue', signal });
    return { answer, askedAt, tookMs: clock.uptimeMs() - fromMs, gapMs };
  }

  function begin(key: string, query: ListingQuery, signal: AbortSignal): Entry {
    const abandon = new AbortController();
    const entry: Entry = {
      abandon,
      answer: ask(query, AbortSignal.any([signal, abandon.signal])).then((page) => {
        entry.answeredAtMs = clock.uptimeMs();
        entry.isFailed = !page.answer.ok;
        return page;
      }),
      answeredAtMs: null,
      isFailed: false,
    };
    entries.set(key, entry);
    return entry;
  }

  function drop(isDropped: (entry: Entry) => boolean): void {
    for (const [key, entry] of entries) {
      if (isDropped(entry)) {
        entry.abandon.abort();
        entries.delete(key);
      }
    }
  }

  return {
    read: async (name, queries, signal) => {
      if (name !== current) {
        drop(() => true);
        current = name;
      }
      drop(({ answeredAtMs }) => answeredAtMs !== null && clock.uptimeMs() - answeredAtMs > freshForMs); // R4
      const [first, ...others] = queries.map((query) => ({ key: JSON.stringify(query), query }));
      if (first === undefined) {
        throw new RangeError('no page is wanted');
      }
      const entry = entries.get(first.key) ?? begin(first.key, first.query, signal);
      for (const { key, query } of others) {
        const isWell = entries.size < maxAhead && [...entries.values()].every(({ isFailed }) => !isFailed); // R2, R3
        if (isWell && !entries.has(key)) {
          begin(key, query, signal);
        }
      }
      const page = await entry.answer;
      if (entries.get(first.key) === entry) {
        entries.delete(first.key); // R1
      }
      return page;
    },
    holding: () => (entries.size === 0 ? null : current),
    count: () => entries.size,
    drop: () => {
      drop(() => true);
    },
  };
}
