//   a stock:  full listing ─▶ changes since its start ─▶ sweep of what vanished ─▶ changes every few minutes ─▶ … a day later: full listing
//
//   S1  Where a pass has got to, and that it has seen the rows of its pages, is on disk in one transaction; a restart goes on from there.
//   S2  A copy counts as complete when a full listing is over and a pass over the changes since its start has followed.
//   S3  A pass over changes starts where the one before began, by the platform's clock, minus an overlap.
//   S4  A product is removed only when a whole full listing did not show it and the platform, asked for it by id, does not either.
//   S5  A failure keeps everything, is told, and is tried again later, or at once on `resume`.
//   S6  Everything goes in the lane of the catalogue, one kind of work at a time, and pages are taken in in their order, though a few
//       are asked for ahead; what is under way is taken in before something else is read. What people looked at goes first, then
//       changes of complete stocks, then full listings.
import { createListeners } from '../../domain/listeners.ts';
import type { QuietHours } from '../../contract/catalogue-plan.ts';
import type { CatalogueState } from '../../contract/terminal-state.ts';
import { formatDateTime } from '../../domain/date-time.ts';
import type { Failure } from '../../domain/failure.ts';
import type { ListingPage, PlatformClient } from '../../platform/client.ts';
import type { ListingQuery } from '../../platform/query.ts';
import type { Clock, Random, Timer } from '../../ports.ts';
import { onlyStorageError, type StorageError } from '../../storage/database.ts';
import { pause } from '../../storage/pause.ts';
import { createByIds } from './by-ids.ts';
import { openRecentlyViewed } from './recently-viewed.ts';
import { countsOf, pagesUntilComplete, phaseOf, planOf } from './sync-state.ts';
import { createPace, type RateLimit } from './pace.ts';
import { afterChanges, afterFull, nextWork, sinceOf, type Work } from './plan.ts';
import { advance, beginPass, comingPages, narrow, nextPageOf, stepBack, type Pass, type Progress } from './progress.ts';
import type { Circumstances } from './quiet-hours.ts';
import { createPrefetch, maxAhead } from './prefetch.ts';
import { createRetries } from './retries.ts';
import { storeInSlices } from '../store/slices.ts';
import type { CatalogueStore, StockRow } from '../store/store.ts';

/** Failures in a row on one page before smaller pages are tried around it, and on one row before it is jumped over. */
const triesBeforeNarrowing = { ofThisPage: 1, perhaps: 3 };
const triesBeforeJumping = { ofThisPage: 3, perhaps: 8 };
/**
 * Without an offset that the store's own dates show: if the platform ignored the offset, this one asks for more, never
 * for less.
 */
const safestOffsetMinutes = -720;
/** How a platform may answer a page beyond the last (API v3 §4.3 does not say). */
const refusals: readonly Failure['kind'][] = ['notFound', 'badRequest', 'unprocessable'];
const maxTurnMs = 30_000;
const storageKey = 'storage';

/** What the planning depends on beside the store; each is asked anew whenever it matters. */
export interface Planning extends RateLimit {
  readonly quietHours: () => QuietHours;
  /** This machine's offset from UTC at a moment, in minutes. */
  readonly offsetMinutes: (at: number) => number;
}

export interface SyncPorts {
  readonly store: CatalogueStore;
  readonly client: PlatformClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly planning: Planning;
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
  /** The store threw. What is not damage, such as a full disk, is tried again like any failure. */
  readonly onStorageError: (error: StorageError) => void;
}

export interface Sync {
  /** Starts or goes on copying. */
  start(): void;
  /** Stops and abandons what is under way; nothing on disk is lost. */
  stop(): void;
  /** The lookup has written to the store. */
  noticeStore(): void;
  /** Somebody has looked something up. */
  noticeLookup(): void;
  /** Tries at once what waits after a failure: the connection has returned, or somebody has signed in. */
  resume(): void;
  /** Starts a new full listing of every stock. */
  copyAgain(): void;
  state(): CatalogueState;
  completeAt(): number | null;
  onChange(listener: () => void): void;
}

type Reading = Work & { readonly kind: 'full' | 'changes' };

function keyOf({ stock, kind }: Work): string {
  return `${kind} ${stock.number}`;
}

/** Opens the copying; nothing is sent before `start`. */
export function createSync({ store, client, clock, random, planning, log, onStorageError }: SyncPorts): Sync {
  const { add: onChange, emit: changed } = createListeners();
  const retries = createRetries({ clock, random });
  const pace = createPace(planning);
  const prefetch = createPrefetch({ client, clock, pace });
  const recentlyViewed = openRecentlyViewed(store, clock);
  const byIds = createByIds({ store, client, clock, pace, recentlyViewed, current, keep });
  let stocks = [...store.stocks()];
  let abandon: AbortController | null = null;
  let isTurning = false;
  let working: Work | null = null;
  /** The last pass that was read, of which pages may be under way. */
  let reading: Reading | null = null;
  /** Where a page was refused whose page before is read again. */
  let refusedPlace: string | null = null;
  let timer: Timer | null = null;
  let lookedUpAtMs = clock.uptimeMs();

  function circumstances(): Circumstances {
    const now = clock.now();
    return {
      now,
      idleMs: clock.uptimeMs() - lookedUpAtMs,
      quietHours: planning.quietHours(),
      offsetMinutes: planning.offsetMinutes(now),
    };
  }

  /** Writes how far a stock has got and, when that is on disk, believes it. */
  function keep(stock: StockRow, progress: Progress): void {
    store.saveProgress(stock, progress);
    stocks = [...store.stocks()];
  }

  function current(stock: StockRow): StockRow {
    return stocks.find((candidate) => candidate.number === stock.number) ?? stock;
  }

  function begin({ stock, kind }: Work): void {
    const pass = stock.progress.lastPass + 1;
    const since = kind === 'changes' ? stock.progress.since : null;
    keep(stock, {
      ...stock.progress,
      lastPass: pass,
      [kind === 'changes' ? 'changes' : 'full']: beginPass(pass, clock.now(), since),
    });
  }

  function queryOf(stock: StockRow, pass: Pass, page: number): ListingQuery {
    const query = {
      stockId: stock.stockId,
      page,
      perPage: pass.perPage,
      orderByField: 'code',
      orderByType: 'asc',
      amountInStock: 'all',
    } as const;
    return pass.since === null
      ? query
      : {
          ...query,
          updatedFrom: formatDateTime({
            time: pass.since,
            offsetMinutes: stock.progress.offsetMinutes ?? safestOffsetMinutes,
          }),
        };
  }

  function storePage(stock: StockRow, kind: Reading['kind'], before: Pass, page: ListingPage, askedAt: number): void {
    store.transaction(() => {
      const { progress } = stock;
      const full = progress.full ?? progress.ended;
      const outcome = store.writer.save(stock, page.elements, {
        pass: before.pass,
        seenSince: full?.pass ?? before.pass,
        askedAt,
      });
      if (outcome.skipped > 0) {
        log('elements without an id were skipped', {
          stockId: stock.stockId,
          page: page.currentPage,
          count: outcome.skipped,
        });
      }
      const { pass: next, isOver } = advance(before, { ...page, ...outcome, elements: page.elements.length });
      const pass = { ...next, nextSince: before.nextSince ?? sinceOf(page.platformTime, askedAt) };
      const seen = {
        ...progress,
        since: progress.since ?? pass.nextSince,
        changesAt: progress.changesAt ?? clock.now(),
        offsetMinutes: outcome.offsetMinutes ?? progress.offsetMinutes,
      };
      if (kind === 'full') {
        keep(stock, isOver ? afterFull(seen, pass) : { ...seen, full: pass });
      } else {
        // Rows that only the changes show count for the full listing that is under way or just over; but not those of
        // changes that began before it, for it will come by them again.
        const credited = (other: Pass | null): Pass | null =>
          other === null || other.pass > before.pass ? other : { ...other, seen: other.seen + outcome.newlySeen };
        const withCredit = { ...seen, full: credited(seen.full), ended: credited(seen.ended) };
        const copied = store.stocks().find((candidate) => candidate.number === stock.number)?.copied ?? 0;
        keep(stock, isOver ? afterChanges(withCredit, pass, copied, clock.now()) : { ...withCredit, changes: pass });
      }
    });
  }

  function nameOf({ stock, kind }: Work, { pass }: Pass): string {
    return `${keyOf({ stock, kind })} ${pass}`;
  }

  async function readPage(work: Reading, most: number, signal: AbortSignal): Promise<Failure | null> {
    if (work.stock.progress[work.kind] === null) {
      begin(work);
    }
    const before = current(work.stock).progress[work.kind];
    if (before === null) {
      return null;
    }
    const queries = comingPages(before, retries.count(keyOf(work)) > 0 ? 1 : most).map((page) =>
      queryOf(current(work.stock), before, page),
    );
    const { answer, askedAt, tookMs, gapMs } = await prefetch.read(nameOf(work, before), queries, signal);
    const stock = current(work.stock);
    if (signal.aborted || stock.progress[work.kind]?.pass !== before.pass) {
      return null;
    }
    if (answer.ok) {
      pace.note(clock.uptimeMs(), tookMs, gapMs);
      const isStored = await storeInSlices(
        store,
        stock,
        answer.value.elements,
        askedAt,
        async () => (await pause(clock, signal)) && !signal.aborted,
      );
      const after = current(stock);
      if (isStored && after.progress[work.kind]?.pass === before.pass) {
        storePage(after, work.kind, before, answer.value, askedAt);
      }
      return null;
    }
    const page = nextPageOf(before);
    if (page > 1 && refusals.includes(answer.failure.kind)) {
      const place = `${nameOf(work, before)} ${before.offset}`;
      if (refusedPlace !== place) {
        refusedPlace = place;
        keep(stock, { ...stock.progress, [work.kind]: stepBack(before) });
        return null;
      }
      refusedPlace = null;
      if (page > before.lastPage) {
        const nothing = {
          elements: [],
          currentPage: page,
          lastPage: before.lastPage,
          perPage: before.perPage,
          total: before.total ?? 0,
          platformTime: null,
        };
        storePage(stock, work.kind, before, nothing, askedAt);
        return null;
      }
    }
    considerNarrowing({ stock, kind: work.kind }, before, answer.failure);
    return answer.failure;
  }

  function considerNarrowing(work: Reading, pass: Pass, failure: Failure): void {
    const { stock, kind } = work;
    const tries = retries.count(keyOf(work)) + 1;
    const isOfThisPage = failure.kind === 'answerTooLarge' || failure.kind === 'answerMalformed';
    const isPerhaps = failure.kind === 'platformFailed' || failure.kind === 'timedOut';
    const wanted = (pass.perPage === 1 ? triesBeforeJumping : triesBeforeNarrowing)[
      isOfThisPage ? 'ofThisPage' : 'perhaps'
    ];
    if ((isOfThisPage || isPerhaps) && tries >= wanted) {
      log('a page cannot be read', {
        stockId: stock.stockId,
        page: nextPageOf(pass),
        perPage: pass.perPage,
        failure: failure.kind,
      });
      retries.clear(keyOf(work));
      keep(stock, { ...stock.progress, [kind]: narrow(pass) });
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

  /** S6: what is under way is taken in first, for an older answer must not be stored over a newer one. */
  function choose(): { readonly work: Work | null; readonly most: number } {
    const work = nextWork(
      stocks,
      circumstances(),
      (stock) => recentlyViewed.of(stock).length > 0,
      (candidate) => retries.mayTry(keyOf(candidate)),
    );
    const held = reading === null ? null : { stock: current(reading.stock), kind: reading.kind };
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
        return readPage(reading, most, signal);
    }
  }

  async function turn(controller: AbortController): Promise<void> {
    const { signal } = controller;
    for (;;) {
      const before = working?.kind;
      const { work, most } = signal.aborted ? { work: null, most: 1 } : choose();
      working = work;
      if (work === null) {
        return;
      }
      if (work.kind !== before) {
        changed();
      }
      const failure = await perform(work, most, signal);
      if (!signal.aborted) {
        stocks = [...store.stocks()];
        noteOutcome(work, failure);
        changed();
      }
    }
  }

  function wake(): void {
    timer?.cancel();
    timer = null;
    if (abandon === null || isTurning) {
      return;
    }
    const controller = abandon;
    isTurning = true;
    turn(controller)
      .catch((error: unknown) => {
        const trouble = onlyStorageError(error);
        if (!controller.signal.aborted) {
          retries.hold(storageKey, trouble.failure, maxTurnMs);
        }
        prefetch.drop();
        onStorageError(trouble);
      })
      .finally(() => {
        isTurning = false;
        working = null;
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
    const pages = pagesUntilComplete(stocks);
    if (abandon === null || pages === null || retries.waitsMs().length > 0) {
      return null;
    }
    const leftMs = pace.timeLeftMs(Math.max(0, pages - prefetch.count()), clock.uptimeMs());
    return leftMs === null ? null : Math.round(clock.now() + leftMs);
  }

  return {
    start: () => {
      abandon ??= new AbortController();
      wake();
    },
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
    noticeStore: () => {
      stocks = [...store.stocks()];
      changed();
    },
    noticeLookup: () => {
      lookedUpAtMs = clock.uptimeMs();
    },
    resume: () => {
      retries.resume();
      wake();
    },
    copyAgain: () => {
      for (const stock of stocks) {
        const pass = stock.progress.lastPass + 1;
        keep(stock, {
          ...stock.progress,
          lastPass: pass,
          full: beginPass(pass, clock.now(), null),
          ended: null,
          sweep: null,
          isKnownShort: false,
        });
      }
      retries.clearAll();
      wake();
      changed();
    },
    state: () => ({
      phase: phaseOf(stocks, { isStarted: abandon !== null, working, isWaiting: retries.isWaiting() }),
      ...countsOf(stocks),
      completeAt: completeAt(),
      plan: planOf(stocks, working, circumstances()),
      failure: retries.failure(),
    }),
    completeAt,
    onChange,
  };
}
