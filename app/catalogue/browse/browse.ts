// An order is walked in slices, with a rest after each, and what fits is remembered by its row number, four bytes a product, for the tables that are open; so a page from anywhere costs the same.
//
//     opened ─▶ marking (narrow filters) ─▶ walking ─▶ whole
//
// Rows of the same name, or code, follow one another in the profile's order of their stocks, in both directions.
//
//   V1  The rows of one view keep their places, whatever happens to the copy meanwhile; what has gone since leaves a gap, and figures
//       are read anew with each page. A new view shows the copy as it is by then.
//   V2  A row that has been found can be read before the walk is over.
//   V3  A view is forgotten when nobody has asked for a while, or when newer ones need its room; asking for it then opens another.
import type { StockQuery } from '../../contract/browse.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { Clock, Timer } from '../../ports.ts';
import { pause } from '../../storage/pause.ts';
import type { BrowsedProduct, BrowseReader, OrderFilter } from './browse-reader.ts';
import type { CatalogueHit, RowNumber } from '../store/product-reader.ts';
import { createRowMarks, type RowMarks } from './row-marks.ts';
import type { StockRow } from '../store/store.ts';

/** The first stretch is what a screen shows. */
const firstStretch = 400;
const stretchLength = 1_000;
/** After so much work everybody else has a turn, on a slow machine after fewer stretches. */
const maxSliceMs = 4;
/** So few are sorted where they are; for more, the order is walked. */
const maxSorted = 1_000;
const maxRows = 5_000_000;
const maxViews = 3;
const forgottenAfterMs = 120_000;
/** An answer waits so long for rows that have not been found yet; whoever wants them then asks again. */
const maxWaitMs = 100;

export interface BrowsePorts {
  readonly clock: Clock;
  readonly reader: BrowseReader;
  readonly stocks: () => readonly StockRow[];
}

/** Facts of a view, and the rows of one page. */
export interface BrowsePage<Row> {
  readonly view: number;
  /** Null while they are still being counted. */
  readonly total: number | null;
  readonly found: number;
  readonly isWhole: boolean;
  readonly rows: readonly Row[];
}

export interface PageRequest {
  readonly query: StockQuery;
  readonly view?: number | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface Browse {
  /**
   * One page of the table; null for a product that has gone. Fails with `notReady` once closed. Throws StorageError.
   */
  page(request: PageRequest): Promise<Result<BrowsePage<CatalogueHit | null>, Failure>>;
  /**
   * One page of the table's file, of another view than the table's own, so that neither takes the other's room. Fails
   * and throws as `page`.
   */
  exportPage(request: PageRequest): Promise<Result<BrowsePage<BrowsedProduct | null>, Failure>>;
  /**
   * The products that a text fits, each once however many stocks have it, and whether there were more than so many.
   * Fails and throws as `page`.
   */
  products(
    term: string,
    most: number,
  ): Promise<Result<{ readonly products: readonly NamedProduct[]; readonly isCut: boolean }, Failure>>;
  close(): void;
}

export type NamedProduct = Pick<CatalogueHit, 'productId' | 'name' | 'code'>;

interface View {
  readonly id: number;
  readonly query: string;
  readonly abort: AbortController;
  rows: Int32Array;
  found: number;
  total: number | null;
  isWhole: boolean;
  failure: Error | null;
  waiting: (() => void)[];
  expiry: Timer | null;
}

const levels = { positive: 1, zero: 0, negative: -1 } as const;

/** Answers a function that rests once a slice of work is over, or at once when told, and says whether to go on. */
function createRests(clock: Clock, signal: AbortSignal): (isDue: boolean) => Promise<boolean> {
  let since = clock.uptimeMs();
  return async (isDue) => {
    if (!isDue && clock.uptimeMs() - since < maxSliceMs) {
      return !signal.aborted;
    }
    const goesOn = await pause(clock, signal);
    since = clock.uptimeMs();
    return goesOn;
  };
}

/** Opens the table's side of a copy. */
export function openBrowse({ clock, reader, stocks }: BrowsePorts): Browse {
  let lastView = 0;
  let isClosed = false;
  const closing = new AbortController();
  const tables = new Map<number, View>();
  const files = new Map<number, View>();

  function wake(view: View): void {
    const { waiting } = view;
    view.waiting = [];
    for (const resume of waiting) {
      resume();
    }
  }

  function add(view: View, rows: readonly RowNumber[]): void {
    const needed = Math.min(maxRows, view.found + rows.length);
    if (needed > view.rows.length) {
      const larger = new Int32Array(Math.max(needed, 2 * view.rows.length));
      larger.set(view.rows);
      view.rows = larger;
    }
    view.rows.set(rows.slice(0, needed - view.found), view.found);
    view.found = needed;
    wake(view);
  }

  function finish(view: View): void {
    view.isWhole = true;
    view.total = view.found;
    wake(view);
  }

  function filterOf({ stockId, amount }: StockQuery): OrderFilter {
    // A stock that is not among these has no products here.
    const stock = stockId === null ? null : (stocks().find((candidate) => candidate.stockId === stockId)?.number ?? -1);
    const places = stocks().map(({ number }) => number);
    return {
      stock,
      level: amount === 'all' ? undefined : levels[amount],
      places: stock === null && places.length > 1 ? places : undefined,
    };
  }

  /** The rows that the narrow filters fit; null without any, or once nobody wants them any more. */
  async function mark(
    { term, productIds, updatedFrom }: StockQuery,
    rest: (isDue: boolean) => Promise<boolean>,
  ): Promise<RowMarks | null> {
    const filters = [
      ...(productIds === null ? [] : [reader.ofProducts(productIds)]),
      ...(term.trim() === '' ? [] : [reader.matching(term)]),
      ...(updatedFrom === null ? [] : [reader.updatedFrom(updatedFrom)]),
    ];
    let marks: RowMarks | null = null;
    for (const filter of filters) {
      const next = createRowMarks();
      for (const rows of filter) {
        for (const row of rows) {
          if (marks === null || marks.has(row)) {
            next.add(row);
          }
        }
        if (!(await rest(false))) {
          return null;
        }
      }
      marks = next;
    }
    return marks;
  }

  async function walk(view: View, query: StockQuery): Promise<void> {
    const { signal } = view.abort;
    const rest = createRests(clock, signal);
    const filter = filterOf(query);
    const isNarrow = query.productIds !== null || query.term.trim() !== '' || query.updatedFrom !== null;
    const marks = isNarrow ? await mark(query, rest) : null;
    if (signal.aborted) {
      return;
    }
    if (marks !== null && marks.size <= maxSorted) {
      add(view, reader.sort(query, [...marks.rows()], filter));
      finish(view);
      return;
    }
    let length = firstStretch;
    let place = reader.start(query);
    for (;;) {
      const { rows, reached, isEnd } = reader.stretch(query, place, filter, length);
      add(view, marks === null ? rows : rows.filter((row) => marks.has(row)));
      if (isEnd || view.found >= maxRows) {
        finish(view);
        return;
      }
      if (!(await rest(length === firstStretch))) {
        return;
      }
      place = reached;
      length = stretchLength;
    }
  }

  /** What is known at once: without filters everything that has been copied fits. */
  function knownTotal({ stockId, amount, term, productIds, updatedFrom }: StockQuery): number | null {
    const isWide = amount === 'all' && term.trim() === '' && productIds === null && updatedFrom === null;
    const copied = stocks().filter((stock) => stockId === null || stock.stockId === stockId);
    return isWide ? copied.reduce((sum, stock) => sum + stock.copied, 0) : null;
  }

  function forget(kept: Map<number, View>, view: View): void {
    kept.delete(view.id);
    view.expiry?.cancel();
    view.abort.abort();
    wake(view);
  }

  function open(kept: Map<number, View>, query: StockQuery): View {
    lastView += 1;
    const total = knownTotal(query);
    const view: View = {
      id: lastView,
      query: JSON.stringify(query),
      abort: new AbortController(),
      rows: new Int32Array(Math.min(maxRows, total ?? 1024)),
      found: 0,
      total,
      isWhole: false,
      failure: null,
      waiting: [],
      expiry: null,
    };
    kept.set(view.id, view);
    for (const oldest of [...kept.values()].slice(0, -maxViews)) {
      forget(kept, oldest); // V3
    }
    walk(view, query).catch((error: unknown) => {
      view.failure = error instanceof Error ? error : new Error(String(error));
      wake(view);
    });
    return view;
  }

  function find(kept: Map<number, View>, { view: id, query }: PageRequest): View {
    const known = id === undefined ? undefined : kept.get(id);
    const view =
      known !== undefined && known.query === JSON.stringify(query) && known.failure === null
        ? known
        : open(kept, query);
    // The last asked for is the last to be forgotten.
    kept.delete(view.id);
    kept.set(view.id, view);
    view.expiry?.cancel();
    view.expiry = clock.after(forgottenAfterMs, () => forget(kept, view));
    return view;
  }

  /** Waits until so many rows have been found, or the walk is over, or it has been long enough. */
  async function waitFor(view: View, wanted: number): Promise<void> {
    const lateAtMs = clock.uptimeMs() + maxWaitMs;
    const timer = clock.after(maxWaitMs, () => wake(view));
    while (
      view.found < wanted &&
      !view.isWhole &&
      view.failure === null &&
      !view.abort.signal.aborted &&
      clock.uptimeMs() < lateAtMs
    ) {
      await new Promise<void>((resume) => {
        view.waiting.push(resume);
      });
    }
    timer.cancel();
  }

  async function read<Row>(
    kept: Map<number, View>,
    request: PageRequest,
    rowOf: (row: RowNumber) => Row,
  ): Promise<Result<BrowsePage<Row>, Failure>> {
    if (isClosed) {
      return fail({ kind: 'notReady' });
    }
    const view = find(kept, request);
    await waitFor(view, request.offset + request.limit);
    if (view.failure !== null) {
      throw view.failure;
    }
    if (view.abort.signal.aborted) {
      return fail({ kind: isClosed ? 'notReady' : 'cancelled' });
    }
    const { id, total, found, isWhole } = view;
    const rest = createRests(clock, view.abort.signal);
    const rows: Row[] = [];
    // Neighbours in an order lie anywhere in the file: on a cold disk a page takes its time, and nobody else's.
    for (const row of view.rows.slice(request.offset, Math.min(found, request.offset + request.limit))) {
      rows.push(rowOf(row)); // V1, V2
      if (!(await rest(false))) {
        return fail({ kind: isClosed ? 'notReady' : 'cancelled' });
      }
    }
    return succeed({ view: id, total, found, isWhole, rows });
  }

  return {
    page: (request) => read(tables, request, (row) => reader.hit(row)),
    exportPage: (request) => read(files, request, (row) => reader.product(row)),
    products: async (term, most) => {
      const products = new Map<Id, NamedProduct>();
      const rest = createRests(clock, closing.signal);
      for (const rows of reader.matching(term)) {
        for (const row of rows) {
          const hit = reader.hit(row);
          if (hit !== null && !products.has(hit.productId)) {
            if (products.size === most) {
              return succeed({ products: [...products.values()], isCut: true });
            }
            products.set(hit.productId, { productId: hit.productId, name: hit.name, code: hit.code });
          }
          if (!(await rest(false))) {
            return fail({ kind: 'notReady' });
          }
        }
      }
      return succeed({ products: [...products.values()], isCut: false });
    },
    close: () => {
      isClosed = true;
      closing.abort();
      for (const kept of [tables, files]) {
        for (const view of kept.values()) {
          forget(kept, view);
        }
      }
    },
  };
}
