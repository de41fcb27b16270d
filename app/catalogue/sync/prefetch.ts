//   R1  Answers are handed over in the order in which they are wanted, each once, whatever order they came in.
//   R2  At most `maxAhead` pages are under way or wait to be handed over.
//   R3  A failure stops the reading ahead until it was handed over, and until the page that failed was read.
//   R4  An answer that came more than a minute before it is wanted is dropped: by then its rows may be elsewhere.
import type { Failure } from '../../domain/failure.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { ListingPage, PlatformClient } from '../../platform/client.ts';
import type { ListingQuery } from '../../platform/query.ts';
import type { Clock } from '../../ports.ts';
import { wait } from '../../storage/pause.ts';
import { listFitting, type ChangedSince } from './narrow-questions.ts';
import type { Pace } from './pace.ts';
import type { SharedPass } from './shared-pages.ts';

/** With so many under way, 57 slots a minute are all in use up to a latency of six seconds. */
export const maxAhead = 6;
const freshForMs = 60_000;

/** The result of asking for one page. */
export interface PageAnswer {
  readonly answer: Result<ListingPage, Failure>;
  /** When it was asked for, by this machine's wall clock. */
  readonly askedAt: number;
  /** From its turn to its answer, in milliseconds. */
  readonly tookMs: number;
  /** How far the next one was planned from it, in milliseconds. */
  readonly gapMs: number;
  /** When it was asked for in the hub's time; null where that is not known. */
  readonly sharedAtMs: number | null;
  /** Another terminal asked for it, for changes from then on; null where this one did. */
  readonly taken: { readonly sinceMs: number | null } | null;
}

export type Prefetch = ReturnType<typeof createPrefetch>;

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
}) {
  const entries = new Map<string, Entry>();
  const changedSince: ChangedSince = new Map();
  let current: { readonly name: string; readonly shared: SharedPass | null } | null = null;

  async function ask(query: ListingQuery, signal: AbortSignal, shared: SharedPass | null): Promise<PageAnswer> {
    const found = shared === null ? null : await shared.take(query, signal);
    if (found !== null) {
      const { page, askedAt, atMs, sinceMs } = found;
      return { answer: succeed(page), askedAt, tookMs: 0, gapMs: 0, sharedAtMs: atMs, taken: { sinceMs } };
    }
    const { atMs, gapMs } = pace.depart(clock.uptimeMs());
    await wait(clock, Math.ceil(atMs - clock.uptimeMs()), signal);
    const [askedAt, fromMs] = [clock.now(), clock.uptimeMs()];
    // Taken now, for the hub's clock may leap while the answer is under way, and then pages would seem out of order (P1).
    const sharedAtMs = shared?.nowMs() ?? null;
    const answer = signal.aborted
      ? fail({ kind: 'cancelled' as const })
      : await listFitting({ client, clock }, query, { lane: 'catalogue', signal }, changedSince);
    if (answer.ok && sharedAtMs !== null) {
      shared?.publish(query, answer.value, sharedAtMs);
    }
    // mutant: a figure is noted as of when it was stored (I18)
    return { answer, askedAt, tookMs: clock.uptimeMs() - fromMs, gapMs, sharedAtMs, taken: null };
  }

  function begin(key: string, query: ListingQuery, signal: AbortSignal, shared: SharedPass | null): Entry {
    const abandon = new AbortController();
    const entry: Entry = {
      abandon,
      answer: ask(query, AbortSignal.any([signal, abandon.signal]), shared).then((page) => {
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
        current?.shared?.dropped();
      }
    }
  }

  return {
    /**
     * The answer for the first of these pages of one pass; the others are asked for meanwhile. The name stands for the
     * pass: pages of another one are dropped. `shared` is where pages come from that other terminals asked for. Fails as
     * the client does.
     */
    read: async (
      name: string,
      queries: readonly ListingQuery[],
      signal: AbortSignal,
      shared: SharedPass | null = null,
    ): Promise<PageAnswer> => {
      if (name !== current?.name) {
        drop(() => true);
        current = { name, shared };
      }
      drop(({ answeredAtMs }) => answeredAtMs !== null && clock.uptimeMs() - answeredAtMs > freshForMs); // R4
      const [first, ...others] = queries.map((query) => ({ key: JSON.stringify(query), query }));
      if (first === undefined) {
        throw new RangeError('no page is wanted');
      }
      const entry = entries.get(first.key) ?? begin(first.key, first.query, signal, shared);
      for (const { key, query } of others) {
        const isWell = entries.size < maxAhead && [...entries.values()].every(({ isFailed }) => !isFailed); // R2, R3
        if (isWell && !entries.has(key)) {
          begin(key, query, signal, shared);
        }
      }
      const page = await entry.answer;
      if (entries.get(first.key) === entry) {
        entries.delete(first.key); // R1
        if (page.answer.ok) {
          shared?.takenIn(page.sharedAtMs);
        }
      }
      return page;
    },
    /** The pass whose pages are under way or wait to be handed over; null when there are none. */
    holding: (): string | null => (entries.size === 0 ? null : (current?.name ?? null)),
    /** How many pages are under way or wait to be handed over. */
    count: () => entries.size,
    /** Forgets what has failed: the cause is over, and each is asked for anew when it is wanted. */
    dropFailed: () => {
      drop(({ isFailed }) => isFailed);
    },
    /** Abandons everything. */
    drop: () => {
      drop(() => true);
    },
  };
}
