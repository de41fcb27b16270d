import type { Failure } from '../../domain/failure.ts';
import type { ByIds } from './by-ids.ts';
import { nameOf, type PageReader, type Reading } from './page-reader.ts';
import type { Pace } from './pace.ts';
import { dueWork, keyOf, type Work } from './plan.ts';
import { maxAhead, type Prefetch } from './prefetch.ts';
import type { Circumstances } from './quiet-hours.ts';
import type { RecentlyViewed } from './recently-viewed.ts';
import { storageKey, type Retries } from './retries.ts';
import type { Stocks } from './stocks.ts';

/** How often the work looks whether an outage is over; `resume` ends the wait at once. */
const lookAgainMs = 60_000;

interface WorkerPorts {
  readonly stocks: Stocks;
  readonly pages: PageReader;
  readonly byIds: ByIds;
  readonly recentlyViewed: RecentlyViewed;
  readonly prefetch: Prefetch;
  readonly pace: Pace;
  readonly retries: Retries;
  /** Why nothing gets through; null unless that is known. */
  readonly outage: () => Failure | null;
  readonly circumstances: () => Circumstances;
  readonly onChange: () => void;
}

/** Does one piece of work after another, as long as there is any that may be tried now. */
export function createWorker({
  stocks,
  pages,
  byIds,
  recentlyViewed,
  prefetch,
  pace,
  retries,
  outage,
  circumstances,
  onChange,
}: WorkerPorts) {
  let working: Work | null = null;
  /** The last pass that was read, of which pages may be under way. */
  let reading: Reading | null = null;

  /** S6: what is under way is taken in first, for an older answer must not be stored over a newer one. */
  function choose(): { readonly work: Work | null; readonly most: number } {
    const due = dueWork(stocks.all(), circumstances(), (stock) => recentlyViewed.of(stock).length > 0);
    // mutant: a failure of what is no longer due is waited for (I15)
    retries.keepOnly(new Set([storageKey, ...due.map(keyOf)])); // S5
    const work = due.find((one) => retries.mayTry(keyOf(one))) ?? null;
    const held = reading === null ? null : { stock: stocks.current(reading.stock), kind: reading.kind };
    const pass = held?.stock.progress[held.kind] ?? null;
    const isHeld = held !== null && pass !== null && prefetch.holding() === nameOf(held, pass);
    const isAnother = isHeld && work !== null && keyOf(work) !== keyOf(held);
    if (isAnother && retries.mayTry(keyOf(held))) {
      return { work: held, most: 1 };
    }
    if (!isHeld || isAnother) {
      prefetch.drop();
    }
    return { work, most: maxAhead };
  }

  function perform(work: Work, most: number, signal: AbortSignal): Promise<Failure | null> {
    switch (work.kind) {
      case 'looked':
        return byIds.readLooked(work.stock, signal);
      case 'sweep':
        return byIds.sweep(work.stock, signal);
      case 'full':
      case 'changes':
        reading = { ...work, kind: work.kind };
        return pages.read(reading, most, signal);
    }
  }

  function noteOutcome(work: Work, failure: Failure | null): void {
    if (failure === null) {
      retries.clear(keyOf(work));
      retries.clear(storageKey);
      return;
    }
    pace.forget();
    retries.note(keyOf(work), failure);
  }

  return {
    /** The work in hand; null for none. */
    working: () => working,
    /** Ends when there is no more to do now, or the signal aborts. Throws StorageError. */
    async run(signal: AbortSignal): Promise<void> {
      for (;;) {
        const before = working?.kind;
        const { work, most } = signal.aborted ? { work: null, most: 1 } : choose();
        working = work;
        if (work === null) {
          return;
        }
        // mutant: during an outage the copy goes on asking (I15)
        const trouble = outage();
        if (trouble !== null) {
          pace.forget();
          retries.hold(keyOf(work), trouble, lookAgainMs);
          continue;
        }
        if (work.kind !== before) {
          onChange();
        }
        const failure = await perform(work, most, signal).catch((error: unknown) => {
          // What was believed before its commit is not on disk (S1).
          stocks.refresh();
          throw error;
        });
        if (!signal.aborted) {
          stocks.refresh();
          noteOutcome(work, failure);
          onChange();
        }
      }
    },
    /** After `run` has ended, however that was. */
    rest(): void {
      working = null;
    },
  };
}
