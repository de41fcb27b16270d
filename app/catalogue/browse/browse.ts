// An order is walked in slices, with a rest after each, and what fits is remembered by its row number, four bytes a
// product, for the tables that are open; so a page from anywhere costs the same.
//
//     opened ─▶ marking (narrow filters) ─▶ walking ─▶ whole
//
// Rows of the same name, or code, follow one another in the profile's order of their stocks, in both directions.
//
//   V1  The rows of one view keep their places, whatever happens to the copy meanwhile; what has gone since leaves a
//       gap, and figures are read anew with each page. A new view shows the copy as it is by then.
//   V2  A row that has been found can be read before the walk is over.
//   V3  A view is forgotten when nobody has asked for a while, or when newer ones need its room; asking for it then
//       opens another.
import type { StockQuery } from '../../contract/browse.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { CatalogueHit, RowNumber } from '../repository/product-reader.ts';
import type { BrowsedHit, BrowsedProduct } from './browse-reader.ts';
import { createRests } from './rests.ts';
import { openView, waitFor, wake, type View } from './view.ts';
import { createWalks, type WalkPorts } from './walk.ts';

const maxViews = 3;
const forgottenAfterMs = 120_000;

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

export type Browse = ReturnType<typeof openBrowse>;

export type NamedProduct = Pick<CatalogueHit, 'productId' | 'name' | 'code'>;

/** Opens the table's side of a copy. */
export function openBrowse(ports: WalkPorts) {
  const { clock, reader } = ports;
  const walks = createWalks(ports);
  // A shop that was open before has given lower numbers.
  let lastView = Math.floor(clock.uptimeMs());
  let isClosed = false;
  const closing = new AbortController();
  const tables = new Map<number, View>();
  const files = new Map<number, View>();

  function forget(kept: Map<number, View>, view: View): void {
    kept.delete(view.id);
    view.expiry?.cancel();
    view.abort.abort();
    wake(view);
  }

  function open(kept: Map<number, View>, query: StockQuery): View {
    lastView += 1;
    const view = openView(lastView, JSON.stringify(query), walks.knownTotal(query));
    kept.set(view.id, view);
    for (const oldest of [...kept.values()].slice(0, -maxViews)) {
      forget(kept, oldest); // V3
    }
    walks.walk(view, query).catch((error: unknown) => {
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

  async function read<Row>(
    kept: Map<number, View>,
    request: PageRequest,
    rowOf: (row: RowNumber) => Row,
  ): Promise<Result<BrowsePage<Row>, Failure>> {
    if (isClosed) {
      return fail({ kind: 'notReady' });
    }
    const view = find(kept, request);
    await waitFor(view, request.offset + request.limit, clock);
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
    /**
     * One page of the table; null for a product that has gone. Fails with `notReady` once closed. Throws StorageError.
     */
    page: (request: PageRequest): Promise<Result<BrowsePage<BrowsedHit | null>, Failure>> =>
      read(tables, request, (row) => reader.hit(row)),
    /**
     * One page of the table's file, of another view than the table's own, so that neither takes the other's room. Fails
     * and throws as `page`.
     */
    exportPage: (request: PageRequest): Promise<Result<BrowsePage<BrowsedProduct | null>, Failure>> =>
      read(files, request, (row) => reader.product(row)),
    /**
     * The products that a text fits, in these stocks or, without them, in all; each once however many stocks have it, and
     * whether there were more than so many. Fails and throws as `page`.
     */
    products: async (
      term: string,
      most: number,
      stockIds: readonly Id[] | null = null,
    ): Promise<Result<{ readonly products: readonly NamedProduct[]; readonly isCut: boolean }, Failure>> => {
      const products = new Map<Id, NamedProduct>();
      const rest = createRests(clock, closing.signal);
      for (const rows of reader.matching(term)) {
        for (const row of rows) {
          const hit = reader.hit(row);
          if (hit !== null && !products.has(hit.productId) && stockIds?.includes(hit.stockId) !== false) {
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
