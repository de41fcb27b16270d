// A copy of listings (API v3 §4.3) that stays true while they change.
//
// The problem: a listing is read page by page, within the rate limit, for minutes, while products come, change and go.
// Why the plain ways fail:
// - A product that goes moves all behind it up by one: the first of the next page moves to a page that was read already,
//   and is missed.
// - To remove what a pass did not show removes what was missed so.
// - To ask for what has changed since the last pass ended misses what changed during it; to ask by this machine's clock
//   misses as much as that is ahead.
// - To begin anew after each failure never comes to an end on a bad network.
//
//   a stock:  full listing ─▶ changes since its start ─▶ sweep of what vanished ─▶ changes every few minutes ─▶ … a day later: full listing
//
//   S1  Where a pass has got to, and that it has seen the rows of its pages, is on disk in one transaction; a restart
//       goes on from there. Of passes that saw no row a crash forgets those of ten minutes at most.
//   S2  A copy counts as complete when a full listing is over and a pass over the changes since its start has followed.
//   S3  A pass over changes starts where the one before began, by the platform's clock, minus an overlap; where that
//       clock has not reached that moment, it starts as long before its time now (`sinceAnew`).
//   S4  A product is removed only when a whole full listing did not show it and the platform, asked for it by id, does
//       not either.
//   S5  A failure keeps everything, is told, and is tried again later, or at once on `resume`. What is no longer due by
//       then is not waited for. During an outage only the probe of platform/connection.ts asks.
//   S6  Everything goes in the lane of the catalogue, one kind of work at a time, and pages are taken in in their
//       order, though a few are asked for ahead; what is under way is taken in before something else is read. What
//       people looked at goes first, then changes of complete stocks, then full listings.
//   S7  A refusal of a narrower question says nothing of its stock while the plain first page is answered: a page that
//       alone is refused is narrowed and jumped over, ids are asked for in smaller parts and then left, and where
//       changes are refused, a full listing counts without them, as of its start. A 404 to changes or to one id is a
//       refusal where a question that must find something is answered so as well (narrow-questions.ts).
import { createListeners } from '../../domain/listeners.ts';
import type { QuietHours } from '../../contract/catalogue-plan.ts';
import type { Failure } from '../../domain/failure.ts';
import { lastMomentMs } from '../../domain/date-time.ts';
import type { Id } from '../../domain/int64.ts';
import type { CatalogueState } from '../../contract/terminal-state.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { Clock, Random, Timer } from '../../ports.ts';
import { onlyStorageError, type StorageError } from '../../storage/database.ts';
import { createByIds } from './by-ids.ts';
import { openRecentlyViewed } from './recently-viewed.ts';
import { countsOf, pagesUntilComplete, phaseOf, planOf, awaitedWork } from './sync-state.ts';
import { createPace, type RateLimit } from './pace.ts';
import { createPageReader } from './page-reader.ts';
import type { Log } from './page-store.ts';
import { listedAnew } from './plan.ts';
import type { Circumstances } from './quiet-hours.ts';
import { createPrefetch } from './prefetch.ts';
import { createRetries, storageKey } from './retries.ts';
import type { SharedPages } from './shared-pages.ts';
import { openStocks } from './stocks.ts';
import { createWorker } from './worker.ts';
import type { CatalogueRepository } from '../repository/repository.ts';

const maxTurnMs = 30_000;
const noOutage = (): null => null;

/** The facts that the planning depends on beside the store; each is asked anew whenever it matters. */
export interface Planning extends RateLimit {
  readonly quietHours: () => QuietHours;
  /** This machine's offset from UTC at a moment, in minutes. */
  readonly offsetMinutes: (at: number) => number;
}

export interface SyncPorts {
  readonly repository: CatalogueRepository;
  readonly client: PlatformClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly planning: Planning;
  /** Absent where no other terminal shares its pages. */
  readonly shared?: SharedPages | null;
  /**
   * Why nothing gets through to the platform, null while something may; `resume` says when it is over. Absent where
   * nobody looks after the connection.
   */
  readonly outage?: (() => Failure | null) | undefined;
  readonly log: Log;
  /** The store threw. What is not damage, such as a full disk, is tried again like any failure. */
  readonly onStorageError: (error: StorageError) => void;
}

export type Sync = ReturnType<typeof createSync>;

/** When somebody last looked something up, and the hour: on both depends when a full listing is read. */
function watchLookups(clock: Clock, { quietHours, offsetMinutes }: Planning) {
  let lookedUpAtMs = clock.uptimeMs();
  return {
    circumstances: (): Circumstances => {
      const now = clock.now();
      return {
        now,
        idleMs: clock.uptimeMs() - lookedUpAtMs,
        quietHours: quietHours(),
        offsetMinutes: offsetMinutes(now),
      };
    },
    noticeLookup: (): void => {
      lookedUpAtMs = clock.uptimeMs();
    },
  };
}

/** Opens the copying; nothing is sent before `start`. */
export function createSync(ports: SyncPorts) {
  const { repository, client, clock, random, planning, shared = null, outage = noOutage, log, onStorageError } = ports;
  const { add: onChange, emit: changed } = createListeners();
  const retries = createRetries({ clock, random });
  const pace = createPace(planning);
  const prefetch = createPrefetch({ client, clock, pace });
  const recentlyViewed = openRecentlyViewed(repository, clock);
  const stocks = openStocks(repository);
  const byIds = createByIds({ repository, client, clock, pace, recentlyViewed, stocks });
  const pages = createPageReader({ repository, stocks, clock, prefetch, pace, retries, shared, log });
  const { circumstances, noticeLookup } = watchLookups(clock, planning);
  const worker = createWorker({
    stocks,
    pages,
    byIds,
    recentlyViewed,
    prefetch,
    pace,
    retries,
    // Others may get through, and share what they were told.
    outage: () => (shared === null ? outage() : null),
    circumstances,
    onChange: changed,
  });
  let abandon: AbortController | null = null;
  let isTurning = false;
  let timer: Timer | null = null;

  function wake(): void {
    timer?.cancel();
    timer = null;
    if (abandon === null || isTurning) {
      return;
    }
    const controller = abandon;
    isTurning = true;
    worker
      .run(controller.signal)
      .catch((error: unknown) => {
        const trouble = onlyStorageError(repository.explain(error));
        if (!controller.signal.aborted) {
          retries.hold(storageKey, trouble.failure, maxTurnMs);
        }
        prefetch.drop();
        onStorageError(trouble);
      })
      .finally(() => {
        isTurning = false;
        worker.rest();
        if (abandon !== controller) {
          wake();
          return;
        }
        // Bounded, because the wall clock may be set: until a retry is due, or changes may be.
        timer = clock.after(Math.max(1, Math.min(maxTurnMs, ...retries.waitsMs())), wake);
        changed();
      });
  }

  function completeAt(): number | null {
    const left = pagesUntilComplete(stocks.all());
    if (abandon === null || left === null || retries.mustWait(awaitedWork(stocks.all()))) {
      return null;
    }
    const leftMs = pace.timeLeftMs(Math.max(0, left - prefetch.count()), clock.uptimeMs());
    const atMs = leftMs === null ? null : Math.round(clock.now() + leftMs);
    // A platform may name any total.
    return atMs === null || atMs > lastMomentMs ? null : atMs;
  }

  return {
    /** Starts or goes on copying. */
    start: () => {
      abandon ??= new AbortController();
      wake();
    },
    /** Stops and abandons what is under way; nothing on disk is lost. */
    stop: () => {
      abandon?.abort();
      abandon = null;
      timer?.cancel();
      timer = null;
      prefetch.drop();
      retries.clearAll();
      pace.forget();
      changed();
    },
    /** The lookup has written to the store. */
    noticeStored: () => {
      stocks.refresh();
      changed();
    },
    /** The platform has refused something of this stock: it is asked for here before others' pages of it are taken. */
    noticeRefused: (stockId: Id) => shared?.doubt(stockId),
    /** Somebody has looked something up. */
    noticeLookup,
    /** Tries at once what waits after a failure: the connection has returned, or somebody has signed in. */
    resume: () => {
      prefetch.dropFailed();
      // mutant: what waited for the connection does not go on when it returns (I15)
      retries.resume();
      wake();
    },
    /** Starts a new full listing of every stock. */
    copyAgain: () => {
      shared?.forget();
      for (const stock of stocks.all()) {
        stocks.keep(stock, listedAnew(stock.progress, clock.now()));
      }
      retries.clearAll();
      wake();
      changed();
    },
    state: (): CatalogueState => ({
      phase: phaseOf(stocks.all(), {
        isStarted: abandon !== null,
        working: worker.working(),
        isWaiting: retries.isWaiting(awaitedWork(stocks.all())),
      }),
      ...countsOf(stocks.all()),
      changes: repository.writer.changes(),
      completeAt: completeAt(),
      plan: planOf(stocks.all(), worker.working(), circumstances()),
      failure: retries.failure(),
    }),
    completeAt,
    onChange,
  };
}
