// Owns the copying of the listing of every stock into the store: what is read next, when, and what follows from each answer. Never
// decides how an element is read or stored, and never holds more than one page.
//
//   a stock:  full listing ─▶ changes since its start ─▶ sweep of what vanished ─▶ changes every few minutes ─▶ … a day later: full listing
//
//   S1  Where a pass has got to is on disk in the same transaction as the rows of its pages; a restart goes on from there.
//   S2  A copy counts as complete when a full listing is over and a pass over the changes since its start has followed.
//   S3  A pass over changes starts where the one before began, by the platform's clock, minus an overlap.
//   S4  A product is removed only when a whole full listing did not show it and the platform, asked for it by id, does not either.
//   S5  A failure keeps everything, is told, and is tried again later, or at once on `resume`.
//   S6  One request at a time, in the lane of the catalogue; changes of complete stocks go before full listings.
import type { CatalogueState } from '../contract/contract.ts';
import { formatDateTime } from '../domain/date-time.ts';
import type { Failure } from '../domain/failure.ts';
import type { ListingPage, PlatformClient } from '../platform/client.ts';
import type { ListingQuery } from '../platform/query.ts';
import type { Clock, Random, Timer } from '../ports.ts';
import { StorageError } from '../storage/database.ts';
import { createPace } from './pace.ts';
import { advance, beginPass, narrow, nextPageOf, pagesLeftOf, type Pass, type Progress } from './progress.ts';
import { afterChanges, afterFull, nextWork, sinceOf, type Work } from './plan.ts';
import { stockStateOf, type CatalogueStore, type StockRow } from './store.ts';

const firstRetryMs = 5_000;
const longestRetryMs = 300_000;
/** Failures in a row on one page before smaller pages are tried around it, and on one row before it is jumped over. */
const triesBeforeNarrowing = { ofThisPage: 1, perhaps: 3 };
const triesBeforeJumping = { ofThisPage: 3, perhaps: 8 };
/** Without an offset that the store's own dates show: if the platform ignored the offset, this one asks for more, never for less. */
const safestOffsetMinutes = -720;
const sweepSize = 50;
const longestTurnMs = 30_000;
const storageKey = 'storage';

export interface SyncPorts {
  readonly store: CatalogueStore;
  readonly client: PlatformClient;
  readonly clock: Clock;
  readonly random: Random;
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
  /** Tries at once what waits after a failure: the connection has returned, or somebody has signed in. */
  resume(): void;
  /** Starts a new full listing of every stock. */
  copyAgain(): void;
  state(): CatalogueState;
  completeAt(): number | null;
  onChange(listener: () => void): void;
}

interface Setback {
  readonly failure: Failure;
  readonly count: number;
  readonly retryAtMs: number;
}

/** Opens the copying; nothing is sent before `start`. */
export function createSync({ store, client, clock, random, log, onStorageError }: SyncPorts): Sync {
  const listeners: (() => void)[] = [];
  const setbacks = new Map<string, Setback>();
  const pace = createPace();
  let stocks = [...store.stocks()];
  let abandon: AbortController | null = null;
  let isTurning = false;
  let working: Work | null = null;
  let timer: Timer | null = null;

  function changed(): void {
    for (const listener of listeners) {
      listener();
    }
  }

  /** Writes how far a stock has got and, when that is on disk, believes it. */
  function keep(stock: StockRow, progress: Progress, alongside: () => void = () => undefined): void {
    store.transaction(() => {
      alongside();
      store.saveProgress(stock, progress);
    });
    stocks = [...store.stocks()];
  }

  function current(stock: StockRow): StockRow {
    return stocks.find((candidate) => candidate.number === stock.number) ?? stock;
  }

  function begin({ stock, kind }: Work): void {
    const pass = stock.progress.lastPass + 1;
    const since = kind === 'changes' ? stock.progress.since : null;
    keep(stock, { ...stock.progress, lastPass: pass, [kind === 'changes' ? 'changes' : 'full']: beginPass(pass, clock.now(), since) });
  }

  function queryOf(stock: StockRow, pass: Pass): ListingQuery {
    const query = { stockId: stock.stockId, page: nextPageOf(pass), perPage: pass.perPage, orderByField: 'code', orderByType: 'asc', amountInStock: 'all' } as const;
    return pass.since === null ? query : { ...query, updatedFrom: formatDateTime({ time: pass.since, offsetMinutes: stock.progress.offsetMinutes ?? safestOffsetMinutes }) };
  }

  function storePage(stock: StockRow, kind: 'full' | 'changes', before: Pass, page: ListingPage, askedAt: number): void {
    store.transaction(() => {
      const { progress } = stock;
      const full = progress.full ?? progress.ended;
      const outcome = store.writer.save(stock, page.elements, { pass: before.pass, seenSince: full?.pass ?? before.pass, askedAt });
      if (outcome.skipped > 0) {
        log('elements without an id were skipped', { stockId: stock.stockId, page: page.currentPage, count: outcome.skipped });
      }
      const { pass: next, isOver } = advance(before, { ...page, ...outcome, elements: page.elements.length });
      const pass = { ...next, nextSince: before.nextSince ?? sinceOf(page.platformTime, askedAt) };
      const seen = { ...progress, since: progress.since ?? pass.nextSince, changesAt: progress.changesAt ?? clock.now(), offsetMinutes: outcome.offsetMinutes ?? progress.offsetMinutes };
      if (kind === 'full') {
        keep(stock, isOver ? afterFull(seen, pass) : { ...seen, full: pass });
      } else {
        // Rows that only the changes show count for the full listing that is under way or just over.
        const credited = (other: Pass | null): Pass | null => (other === null ? null : { ...other, seen: other.seen + outcome.newlySeen });
        const withCredit = { ...seen, full: credited(seen.full), ended: credited(seen.ended) };
        const copied = store.stocks().find((candidate) => candidate.number === stock.number)?.copied ?? 0;
        keep(stock, isOver ? afterChanges(withCredit, pass, copied, clock.now()) : { ...withCredit, changes: pass });
      }
    });
  }

  async function readPage(work: Work & { readonly kind: 'full' | 'changes' }, signal: AbortSignal): Promise<Failure | null> {
    if (work.stock.progress[work.kind] === null) {
      begin(work);
    }
    const before = current(work.stock).progress[work.kind];
    if (before === null) {
      return null;
    }
    const askedAt = clock.now();
    const query = queryOf(current(work.stock), before);
    const answer = await client.listStockProducts(query, { lane: 'catalogue', signal });
    const stock = current(work.stock);
    if (signal.aborted || stock.progress[work.kind]?.pass !== before.pass) {
      return null;
    }
    if (answer.ok) {
      pace.note(clock.uptimeMs());
      storePage(stock, work.kind, before, answer.value, askedAt);
      return null;
    }
    const isBeyondEnd = query.page > Math.max(1, before.lastPage) && ['notFound', 'badRequest', 'unprocessable'].includes(answer.failure.kind);
    if (isBeyondEnd) {
      const nothing = { elements: [], currentPage: query.page, lastPage: before.lastPage, perPage: before.perPage, total: before.total ?? 0, platformTime: null };
      storePage(stock, work.kind, before, nothing, askedAt);
      return null;
    }
    considerNarrowing(stock, work.kind, before, answer.failure);
    return answer.failure;
  }

  function considerNarrowing(stock: StockRow, kind: 'full' | 'changes', pass: Pass, failure: Failure): void {
    const key = keyOf({ stock, kind });
    const tries = (setbacks.get(key)?.count ?? 0) + 1;
    const isOfThisPage = failure.kind === 'answerTooLarge' || failure.kind === 'answerMalformed';
    const isPerhaps = failure.kind === 'platformFailed' || failure.kind === 'timedOut';
    const wanted = (pass.perPage === 1 ? triesBeforeJumping : triesBeforeNarrowing)[isOfThisPage ? 'ofThisPage' : 'perhaps'];
    if ((isOfThisPage || isPerhaps) && tries >= wanted) {
      log('a page cannot be read', { stockId: stock.stockId, page: nextPageOf(pass), perPage: pass.perPage, failure: failure.kind });
      setbacks.delete(key);
      keep(stock, { ...stock.progress, [kind]: narrow(pass) });
    }
  }

  async function sweep({ stock }: Work, signal: AbortSignal): Promise<Failure | null> {
    const { sweep: plan } = stock.progress;
    if (plan === null) {
      return null;
    }
    const { productIds, position, isEnd } = store.unseen(stock, plan.pass, plan.position, sweepSize);
    const next = isEnd ? null : { ...plan, position };
    if (productIds.length === 0) {
      keep(stock, { ...stock.progress, sweep: next });
      // Walking through many rows lets others have their turn.
      await new Promise<void>((resolve) => {
        clock.after(0, resolve);
      });
      return null;
    }
    const askedAt = clock.now();
    const answer = await client.listStockProducts({ stockId: stock.stockId, page: 1, perPage: 100, productIds, amountInStock: 'all' }, { lane: 'catalogue', signal });
    const now = current(stock);
    if (signal.aborted || now.progress.sweep?.pass !== plan.pass) {
      return null;
    }
    if (!answer.ok) {
      return answer.failure;
    }
    pace.note(clock.uptimeMs());
    const { elements, total } = answer.value;
    store.transaction(() => {
      const { productIds: shown } = store.writer.save(now, elements, { pass: 0, seenSince: 0, askedAt });
      const isAnswered = shown.every((shownId) => productIds.includes(shownId)) && total <= elements.length;
      const vanished = productIds.filter((productId) => !shown.includes(productId));
      // A platform that does not filter by ids leaves the full listing as the only word, which must have been steady then (S4).
      if (isAnswered || plan.trustsPass) {
        store.writer.remove(now, vanished);
      }
      keep(now, { ...now.progress, sweep: next });
    });
    return null;
  }

  function keyOf({ stock, kind }: Work): string {
    return `${kind} ${stock.number}`;
  }

  function noteOutcome(work: Work, failure: Failure | null): void {
    const key = keyOf(work);
    if (failure === null) {
      setbacks.delete(key);
      setbacks.delete(storageKey);
      return;
    }
    pace.forget();
    const count = (setbacks.get(key)?.count ?? 0) + 1;
    const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(count - 1, 10)) * (0.75 + random.fraction() / 4);
    setbacks.set(key, { failure, count, retryAtMs: clock.uptimeMs() + Math.max(waitMs, failure.retryAfterMs ?? 0) });
  }

  function mayTry(work: Work): boolean {
    return (setbacks.get(keyOf(work))?.retryAtMs ?? 0) <= clock.uptimeMs();
  }

  async function turn(controller: AbortController): Promise<void> {
    const { signal } = controller;
    for (;;) {
      const before = working?.kind;
      working = signal.aborted ? null : nextWork(stocks, clock.now(), mayTry);
      if (working === null) {
        return;
      }
      if (working.kind !== before) {
        changed();
      }
      const failure = await (working.kind === 'sweep' ? sweep(working, signal) : readPage({ ...working, kind: working.kind }, signal));
      if (!signal.aborted) {
        noteOutcome(working, failure);
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
        if (!(error instanceof StorageError)) {
          throw error;
        }
        if (!controller.signal.aborted) {
          setbacks.set(storageKey, { failure: error.failure, count: 1, retryAtMs: clock.uptimeMs() + longestTurnMs });
        }
        onStorageError(error);
      })
      .finally(() => {
        isTurning = false;
        working = null;
        if (abandon !== controller) {
          wake();
          return;
        }
        timer = clock.after(nextTurnMs(), wake);
        changed();
      });
  }

  /** Until the first of: a retry is due, changes are due. Bounded, because the wall clock may be set. */
  function nextTurnMs(): number {
    const uptimeMs = clock.uptimeMs();
    const retries = [...setbacks.values()].map((setback) => setback.retryAtMs - uptimeMs).filter((waitMs) => waitMs > 0);
    return Math.max(1, Math.min(longestTurnMs, ...retries));
  }

  function completeAt(): number | null {
    const listing = stocks.filter((stock) => stock.progress.full !== null || stock.progress.completeAsOf === null);
    const waiting = [...setbacks.values()].some((setback) => setback.retryAtMs > clock.uptimeMs());
    const pages = listing.map((stock) => (stock.progress.full === null ? (stock.progress.ended === null ? null : 1) : pagesLeftOf(stock.progress.full)));
    if (abandon === null || listing.length === 0 || waiting || pages.includes(null)) {
      return null;
    }
    const leftMs = pace.timeLeftMs(pages.reduce<number>((sum, left) => sum + (left ?? 0) + 1, 0), clock.uptimeMs());
    return leftMs === null ? null : Math.round(clock.now() + leftMs);
  }

  function phase(): CatalogueState['phase'] {
    if (abandon === null) {
      return 'idle';
    }
    if (working !== null && working.kind !== 'changes') {
      return 'copying';
    }
    const isFirstCopy = stocks.some((stock) => stock.progress.completeAsOf === null);
    if (working !== null) {
      return isFirstCopy ? 'copying' : stocks.some((stock) => stock.progress.full !== null) ? 'copying' : 'updating';
    }
    return setbacks.size > 0 ? 'waiting' : isFirstCopy ? 'copying' : 'complete';
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
      setbacks.clear();
      pace.forget();
      changed();
    },
    noticeStore: () => {
      stocks = [...store.stocks()];
      changed();
    },
    resume: () => {
      for (const [key, setback] of setbacks) {
        setbacks.set(key, { ...setback, retryAtMs: 0 });
      }
      wake();
    },
    copyAgain: () => {
      for (const stock of stocks) {
        const pass = stock.progress.lastPass + 1;
        keep(stock, { ...stock.progress, lastPass: pass, full: beginPass(pass, clock.now(), null), ended: null, sweep: null, isKnownShort: false });
      }
      setbacks.clear();
      wake();
      changed();
    },
    state: () => {
      const states = stocks.map(stockStateOf);
      const total = states.some((state) => state.total === null) ? null : states.reduce((sum, state) => sum + (state.total ?? 0), 0);
      const [failing] = [...setbacks.values()];
      return { phase: phase(), stocks: states, copied: states.reduce((sum, state) => sum + state.copied, 0), total, completeAt: completeAt(), failure: failing?.failure ?? null };
    },
    completeAt,
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}
