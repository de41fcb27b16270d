import type { StoreApi } from 'zustand/vanilla';
import type { StockQuery, StockRow } from '../../app/contract/browse.ts';
import type { InvokeOutput } from '../../app/contract/contract.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';
import type { MakeStore } from '../stores/make-store.ts';
import { askedBy, firstQuery, isOfCopy, viewOf, type StockView } from './stock-views.ts';

/** Facts that the table shows on itself. */
interface StockFacts {
  /** How many products fit; null until it is known. */
  readonly total: number | null;
  /** So many rows the table has for now: all that fit, or those that have been found so far. */
  readonly count: number;
  /** Pages by their number; null for a product that has gone meanwhile. */
  readonly pages: ReadonlyMap<number, readonly (StockRow | null)[]>;
  /** The main process's name for the view that they are of; undefined before any. */
  readonly view: number | undefined;
  /** True until the first page of the present query came. */
  readonly isStale: boolean;
  readonly failure: Failure | null;
  /** The row that the keyboard is at; -1 before any. */
  readonly active: number;
  /** The first pixel of the rows that was seen when the table was last left. */
  readonly top: number;
}

/**
 * 1. Every change of the query and every reading anew begins a new view; pages of an older one are dropped when they
 *    arrive.
 * 2. The rows of the last view stay until the first page of the new one is there, so that the table does not blink.
 * 3. While products are still being counted, what is in sight is asked for again, until the count is known.
 * 4. A table that nobody looks at asks nothing.
 */
export interface StockStore extends StockFacts {
  readonly shown: StockView;
  /** As the view asks, or the last one that was of the copy. */
  readonly query: StockQuery;
  readonly show: (shown: StockView) => void;
  readonly choose: (part: Partial<Omit<StockQuery, 'list' | 'amount'>>) => void;
  /** Takes a query of an earlier page. */
  readonly takeUp: (query: StockQuery) => void;
  readonly see: (first: number, last: number) => void;
  readonly moveTo: (row: number) => void;
  /** The copy has changed: the table is read again in a moment. */
  readonly noticeCopy: () => void;
  /** Something that the list is made of has changed: it is read again at once. */
  readonly readAgain: () => void;
  /** Nobody looks any more; `top` is where they looked last. */
  readonly leave: (top: number) => void;
}

export const rowsPerStockPage = 100;

const nothing: StockFacts = {
  total: null,
  count: 0,
  pages: new Map(),
  view: undefined,
  isStale: true,
  failure: null,
  active: -1,
  top: 0,
};
const pagesAtOnce = 2;
/** Pages that are kept on either side of what is in sight. */
const pagesAround = 6;
const askAgainMs = 100;
const readAgainMs = 5_000;
/**
 * Of more rows than this the order is made anew only every so many times; in between, the figures in sight are read
 * again.
 */
const manyRows = 100_000;
const timesOfMany = 6;

/** The row at this place of the table; null for one that has gone, undefined for one that is not here yet. */
export function rowAt(pages: StockStore['pages'], index: number): StockRow | null | undefined {
  return pages.get(Math.floor(index / rowsPerStockPage))?.[index % rowsPerStockPage];
}

/** The state of one view of the rows. */
interface View {
  /** The main process's name for it, from its first answer on. */
  id: number | undefined;
  /** All of it has been counted. */
  isWhole: boolean;
  /** Pages that are under way or here. */
  asked: Set<number>;
  /** Those of them that were cut short because rows were still being looked for. */
  short: Set<number>;
  underWay: number;
  /** The rows on the screen are those of another query. */
  isOtherQuery: boolean;
  /** While it is to be asked again. */
  cancelAsking: (() => void) | null;
}

function newView(isOtherQuery: boolean): View {
  return {
    id: undefined,
    isWhole: false,
    asked: new Set(),
    short: new Set(),
    underWay: 0,
    isOtherQuery,
    cancelAsking: null,
  };
}

function noteAnswer(view: View, page: number, answer: InvokeOutput<'stock:browse'>): void {
  if (answer.view !== view.id) {
    view.asked = new Set([page]);
    view.short = new Set();
  }
  view.id = answer.view;
  view.isWhole = answer.isWhole;
  if (!answer.isWhole && answer.rows.length < rowsPerStockPage) {
    view.short.add(page);
  }
}

/**
 * Has the table read again a moment after the copy has changed, once for all changes until then; later while it is
 * busy. `read` hears for which time it is.
 */
function createCopyNotice(later: Later, isBusy: () => boolean, read: (times: number) => void): () => void {
  let isNoticed = false;
  let times = 0;
  const notice = (): void => {
    if (isNoticed) {
      return;
    }
    isNoticed = true;
    later(readAgainMs, () => {
      isNoticed = false;
      if (isBusy()) {
        notice();
        return;
      }
      times += 1;
      read(times);
    });
  };
  return notice;
}

/** Forgets the pages that are far from the one in sight. */
function dropFar(view: View, pages: Map<number, unknown>, inSight: number): void {
  for (const number of pages.keys()) {
    if (Math.abs(number - inSight) > pagesAround) {
      pages.delete(number);
      view.asked.delete(number);
    }
  }
}

function readPage(bridge: Bridge, query: StockQuery, view: number | undefined, page: number) {
  const [offset, limit] = [page * rowsPerStockPage, rowsPerStockPage];
  return bridge.call('stock:browse', { query, ...(view === undefined ? {} : { view }), offset, limit });
}

/** What is chosen above the table; `ask` has it read. */
function createChoices(
  get: () => Pick<StockStore, 'shown' | 'query'>,
  set: (shown: Pick<StockStore, 'shown'>) => void,
  ask: (shown: StockView, query: StockQuery) => void,
): Pick<StockStore, 'show' | 'choose' | 'takeUp'> {
  return {
    show(shown) {
      if (isOfCopy(shown)) {
        ask(shown, { ...get().query, ...askedBy(shown) });
      } else {
        set({ shown });
      }
    },
    choose(part) {
      ask(get().shown, { ...get().query, ...part });
    },
    takeUp(query) {
      const shown = viewOf(query);
      ask(shown, { ...query, ...askedBy(shown) });
    },
  };
}

/** Opens an empty table; nothing is read before rows are seen. */
export function createStockStore(make: MakeStore, bridge: Bridge, later: Later): StoreApi<StockStore> {
  let view = newView(true);
  let seen = { first: 0, last: 0 };
  let isWatched = false;

  return make<StockStore>({ end: ({ takeUp }) => takeUp(firstQuery) }, (set, get) => {
    const firstInSight = (): number => Math.floor(seen.first / rowsPerStockPage);

    const take = (page: number, answer: InvokeOutput<'stock:browse'>): void => {
      const isOtherView = answer.view !== view.id;
      noteAnswer(view, page, answer);
      const pages = new Map(isOtherView ? [] : get().pages).set(page, answer.rows);
      dropFar(view, pages, firstInSight());
      const known = view.isWhole ? answer.found : answer.total;
      const count = known ?? (view.isOtherQuery ? answer.found : Math.max(answer.found, get().count));
      view.isOtherQuery = false;
      const active = Math.min(get().active, count - 1);
      set({ pages, view: view.id, total: known, count, isStale: false, failure: null, active });
    };

    const read = async (page: number): Promise<void> => {
      const mine = view;
      mine.asked.add(page);
      mine.underWay += 1;
      const answer = await readPage(bridge, get().query, mine.id, page);
      if (mine !== view) {
        return; // Invariant 1
      }
      mine.underWay -= 1;
      if (!answer.ok) {
        mine.asked.delete(page);
        set({ failure: answer.failure });
        return;
      }
      take(page, answer.value);
      pump();
      if (!view.isWhole) {
        askAgain();
      }
    };

    const pump = (): void => {
      const last = isWatched ? Math.floor(seen.last / rowsPerStockPage) : -1;
      for (let page = firstInSight(); page <= last; page += 1) {
        // The first one goes alone, for its answer names the view.
        if (!view.asked.has(page) && view.underWay < (view.id === undefined ? 1 : pagesAtOnce)) {
          void read(page);
        }
      }
    };

    const askAgain = (): void => {
      view.cancelAsking ??= later(askAgainMs, () => {
        view.cancelAsking = null;
        // Also when nothing in sight was short: the count is still to come (invariant 3).
        for (const page of [...view.short, firstInSight()]) {
          view.asked.delete(page);
        }
        view.short = new Set();
        pump();
      });
    };

    const startReading = (isOtherQuery = view.isOtherQuery): void => {
      view.cancelAsking?.();
      view = newView(isOtherQuery);
    };

    const ask = (shown: StockView, query: StockQuery): void => {
      startReading(true);
      seen = { first: 0, last: 0 };
      set({ shown, query, isStale: true, failure: null, active: -1, top: 0 });
      pump();
    };

    return {
      shown: 'all',
      query: firstQuery,
      ...nothing,
      ...createChoices(get, set, ask),
      see(first, last) {
        seen = { first, last };
        isWatched = true;
        pump();
      },
      moveTo(active) {
        set({ active });
      },
      noticeCopy: createCopyNotice(
        later,
        () => isWatched && view.id !== undefined && !view.isWhole,
        (times) => {
          if (get().count > manyRows && view.id !== undefined && times % timesOfMany !== 0) {
            view.asked = new Set();
          } else {
            startReading();
          }
          pump();
        },
      ),
      readAgain() {
        startReading();
        pump();
      },
      leave(top) {
        isWatched = false;
        // Whoever looks next reads anew.
        startReading();
        set({ top });
      },
    };
  });
}
