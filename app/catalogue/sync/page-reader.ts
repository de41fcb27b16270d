import { stockRefusals } from '../../contract/terminal-state.ts';
import { formatDateTime } from '../../domain/date-time.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail } from '../../domain/result.ts';
import type { ListingPage } from '../../platform/client.ts';
import type { ListingQuery } from '../../platform/query.ts';
import type { Clock } from '../../ports.ts';
import { pause } from '../../storage/pause.ts';
import { perhapsOfQuestion, refusals } from '../refusals.ts';
import { storeInSlices } from '../repository/slices.ts';
import type { CatalogueRepository, StockRow } from '../repository/repository.ts';
import { unreadableRow } from '../repository/unreadable.ts';
import type { Pace } from './pace.ts';
import { createPageStore, type Log, type PassKind } from './page-store.ts';
import { isListedToEnd, keyOf, withoutChanges, type Work } from './plan.ts';
import type { PageAnswer, Prefetch } from './prefetch.ts';
import { beginPass, comingPages, narrow, nextPageOf, stepBack, type Pass } from './progress.ts';
import type { Retries } from './retries.ts';
import type { SharedPages } from './shared-pages.ts';
import type { Stocks } from './stocks.ts';

/** Failures in a row on one page before smaller pages are tried around it, and on one row before it is jumped over. */
const triesBeforeNarrowing = { ofThisPage: 1, perhaps: 3 };
// mutant: a row is jumped over at its first failure (I15)
const triesBeforeJumping = { ofThisPage: 3, perhaps: 8 };
/** Where no date shows the store's offset: if the platform ignored this one, it asks for more, never for less. */
const safestOffsetMinutes = -720;
/** After so many rows in a row that could not be read, without any page before them, changes are left. */
const rowsBeforeLeaving = 10;

/** A pass of which pages are read. */
export type Reading = Work & { readonly kind: PassKind };

interface PageReaderPorts {
  readonly repository: CatalogueRepository;
  readonly stocks: Stocks;
  readonly clock: Clock;
  readonly prefetch: Prefetch;
  readonly pace: Pace;
  readonly retries: Retries;
  /** Null where no other terminal shares its pages. */
  readonly shared: SharedPages | null;
  readonly log: Log;
}

/** The name of a pass for the prefetch. */
export function nameOf({ stock, kind }: Work, { pass }: Pass): string {
  return `${keyOf({ stock, kind })} ${pass}`;
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

/** The page after the last one. */
function nothingAt(pass: Pass): ListingPage {
  const { lastPage, total } = pass;
  return {
    elements: [],
    currentPage: nextPageOf(pass),
    lastPage,
    perPage: pass.perPage,
    total: total ?? 0,
    platformTime: null,
  };
}

/** What becomes of a pass whose page fails. */
function createFailures({
  repository,
  stocks,
  clock,
  retries,
  log,
}: Pick<PageReaderPorts, 'repository' | 'stocks' | 'clock' | 'retries' | 'log'>) {
  /** What was refused when it was last asked for: a machine in between may refuse once. */
  const refusedOnce = new Set<string>();

  /** S7 */
  function leaveChanges(stock: StockRow): void {
    const { ended } = stock.progress;
    repository.transaction(() => {
      if (ended !== null && isListedToEnd(ended)) {
        repository.unreadable.forgetBefore(stock, ended.pass); // X2
      }
      stocks.keep(stock, withoutChanges(stock.progress, stock.copied, clock.now()));
    });
  }

  function considerNarrowing(work: Reading, pass: Pass, failure: Failure): void {
    const { stock, kind } = work;
    const tries = retries.count(keyOf(work)) + 1;
    const isOfThisPage = failure.kind === 'answerTooLarge' || failure.kind === 'answerMalformed';
    // What refuses the first page refuses the whole listing, and what refuses many rows all that are behind them.
    const mayBeOfRows = nextPageOf(pass) > 1 && pass.skipped < rowsBeforeLeaving;
    const isPerhaps = perhapsOfQuestion.has(failure.kind) && (mayBeOfRows || !refusals.has(failure.kind));
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
      if (kind === 'changes' && pass.total === null && pass.skipped >= rowsBeforeLeaving) {
        leaveChanges(stock);
        return;
      }
      repository.transaction(() => {
        if (pass.perPage === 1) {
          const at = kind === 'full' ? pass.offset : 0;
          repository.unreadable.note(stock, unreadableRow(failure.kind), pass.pass, { kind, at }); // W8
        }
        stocks.keep(stock, { ...stock.progress, [kind]: narrow(pass) });
      });
    }
  }

  return {
    noteAnswered: (key: string): void => {
      refusedOnce.delete(key);
    },
    considerNarrowing,
    leaveChanges,
    /** Notes a failure that is the stock's, not of one page alone. */
    note: (work: Reading, failure: Failure): void => {
      const key = keyOf(work);
      const refused = stockRefusals.find((refusal) => refusal === failure.kind);
      // mutant: a stock that is refused once counts as refused (I15)
      if (refused !== undefined && refusedOnce.has(key)) {
        stocks.keep(work.stock, { ...work.stock.progress, refused });
      }
      if (refused === undefined) {
        refusedOnce.delete(key);
      } else {
        refusedOnce.add(key);
      }
    },
  };
}

/** Reads the pages of passes, one after another, and jumps over what cannot be read. */
export function createPageReader({ repository, stocks, clock, prefetch, pace, retries, shared, log }: PageReaderPorts) {
  const storePage = createPageStore({ repository, stocks, clock, log });
  const failures = createFailures({ repository, stocks, clock, retries, log });
  /** Where a page was refused when it was last asked for. */
  let refusedPlace: string | null = null;

  function begin({ stock, kind }: Work): void {
    const pass = stock.progress.lastPass + 1;
    const since = kind === 'changes' ? stock.progress.since : null;
    // No row is of this pass before its first page is stored, and that is saved with it (S1).
    stocks.note(stock, {
      ...stock.progress,
      lastPass: pass,
      [kind === 'changes' ? 'changes' : 'full']: beginPass(pass, clock.now(), since),
    });
  }

  /**
   * A page other than the plain first one was refused: the first page tells whether it has gone, and which one is the
   * last now. Where that is refused as well, the plain one tells whether it is the stock or its changes (S7); where the
   * stock is refused, the pass stays where it is.
   */
  async function stepBackFrom(
    work: Reading,
    pass: Pass,
    refusal: Failure,
    signal: AbortSignal,
  ): Promise<Failure | null> {
    const ask = async (since: number | null): Promise<PageAnswer['answer']> => {
      const query = queryOf(work.stock, { ...pass, since }, 1);
      return (await prefetch.read(nameOf(work, pass), [query], signal)).answer;
    };
    const first = nextPageOf(pass) === 1 ? fail(refusal) : await ask(pass.since);
    const isOfChanges = pass.since !== null && !first.ok && refusals.has(first.failure.kind);
    const answer = isOfChanges ? await ask(null) : first;
    const stock = stocks.current(work.stock);
    if (signal.aborted || stock.progress[work.kind]?.pass !== pass.pass) {
      return null;
    }
    if (!answer.ok) {
      failures.note({ ...work, stock }, answer.failure);
      return answer.failure;
    }
    failures.noteAnswered(keyOf(work));
    if (isOfChanges) {
      failures.leaveChanges({ ...stock, progress: { ...stock.progress, refused: null } });
      return refusal;
    }
    const last = Math.max(1, answer.value.lastPage, Math.ceil(answer.value.total / pass.perPage));
    const isGone = last < nextPageOf(pass);
    stocks.keep(stock, { ...stock.progress, refused: null, [work.kind]: isGone ? stepBack(pass, last) : pass });
    if (isGone) {
      return null;
    }
    failures.considerNarrowing({ ...work, stock: stocks.current(stock) }, pass, refusal);
    return refusal;
  }

  async function read(work: Reading, most: number, signal: AbortSignal): Promise<Failure | null> {
    if (work.stock.progress[work.kind] === null) {
      begin(work);
    }
    const before = stocks.current(work.stock).progress[work.kind];
    if (before === null) {
      return null;
    }
    // mutant: pages that were read ahead are taken in from the last one on (I15, I16)
    const queries = comingPages(before, retries.count(keyOf(work)) > 0 ? 1 : most).map((page) =>
      queryOf(stocks.current(work.stock), before, page),
    );
    const name = nameOf(work, before);
    const pages = shared?.pass(name, work.stock, work.kind) ?? null;
    const { answer, askedAt, tookMs, gapMs, taken } = await prefetch.read(name, queries, signal, pages);
    const stock = stocks.current(work.stock);
    if (signal.aborted || stock.progress[work.kind]?.pass !== before.pass) {
      return null;
    }
    const key = keyOf(work);
    if (answer.ok) {
      failures.noteAnswered(key);
      if (taken === null) {
        pace.note(clock.uptimeMs(), tookMs, gapMs);
      }
      const isStored = await storeInSlices(
        repository,
        stock,
        answer.value.elements,
        askedAt,
        () => clock.uptimeMs(),
        () => pause(clock, signal),
      );
      const after = stocks.current(stock);
      if (isStored && after.progress[work.kind]?.pass === before.pass) {
        const asked = taken === null ? before : { ...before, since: taken.sinceMs };
        storePage(after, work.kind, asked, answer.value, askedAt, taken !== null);
      }
      return null;
    }
    const page = nextPageOf(before);
    if ((page > 1 || before.since !== null) && refusals.has(answer.failure.kind)) {
      const place = `${nameOf(work, before)} ${before.offset} ${before.perPage}`;
      // mutant: a page that has gone is asked for until it comes back (I15, I16)
      if (refusedPlace !== place) {
        const failure = await stepBackFrom({ stock, kind: work.kind }, before, answer.failure, signal);
        // Where the first page gave no answer either, it is asked again with the next try.
        const isAnswered = failure === null || failure === answer.failure;
        refusedPlace = signal.aborted || !isAnswered ? null : place;
        return failure;
      }
      refusedPlace = null;
      // The last page is known for whole pages alone.
      if (page > before.lastPage && before.perPage === before.granted) {
        storePage(stock, work.kind, before, nothingAt(before), askedAt, false);
        return null;
      }
      return answer.failure;
    }
    failures.note({ stock, kind: work.kind }, answer.failure);
    failures.considerNarrowing({ stock: stocks.current(stock), kind: work.kind }, before, answer.failure);
    return answer.failure;
  }

  return {
    /**
     * Reads the next page of a pass, and asks for up to `most` ahead; the failure, or null. Throws StorageError.
     */
    read,
  };
}
export type PageReader = ReturnType<typeof createPageReader>;
