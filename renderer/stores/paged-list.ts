import type { StoreApi } from 'zustand/vanilla';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { MakeStore } from './make-store.ts';

export interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** Reads up to `limit` rows from `offset` on. */
export type PageReader<Row, Filter> = (
  filter: Filter,
  offset: number,
  limit: number,
) => Promise<Result<Page<Row>, Failure>>;

/**
 * 1. A new reading starts at every change of the filter; pages of an older reading are dropped when they arrive.
 * 2. Reading again keeps the shown rows until the new ones are there, so that the list does not blink; so does another
 *    filter where it follows what is typed.
 */
export interface PagedList<Row, Filter> {
  readonly filter: Filter;
  /** Null until the first page came. */
  readonly total: number | null;
  readonly rows: ReadonlyMap<number, Row>;
  readonly failure: Failure | null;
  /** The pixel at which the list was left; 0 under another filter. */
  readonly top: number;
  readonly choose: (filter: Filter) => void;
  /** Reads the pages that hold the rows from `first` to `last` and are not here yet. */
  readonly see: (first: number, last: number) => void;
  /** Reads the pages in sight again; when nobody looks, at the next sight. */
  readonly readAgain: () => void;
  /** Nobody looks any more; `top` is where they looked last. */
  readonly leave: (top?: number) => void;
}

export const rowsPerPage = 100;

/**
 * Opens an empty list; nothing is read before rows are seen. With `keepsRows` those of the last filter stay until
 * others are there; those of another person never do.
 */
export function createPagedList<Row, Filter>(
  make: MakeStore,
  read: PageReader<Row, Filter>,
  filter: Filter,
  { keepsRows = false } = {},
): StoreApi<PagedList<Row, Filter>> {
  let reading = 0;
  let pages = new Set<number>();
  // True until the first page of this reading arrives; only then do the rows of the last one go (invariant 2).
  let isFresh = true;
  let seen = { first: 0, last: 0 };
  let isWatched = false;

  return make<PagedList<Row, Filter>>({ end: ({ choose }) => choose(filter) }, (set, get) => {
    const readPage = async (page: number): Promise<void> => {
      pages.add(page);
      const mine = reading;
      const answer = await read(get().filter, page * rowsPerPage, rowsPerPage);
      if (mine !== reading) {
        return;
      }
      if (!answer.ok) {
        pages.delete(page);
        set({ failure: answer.failure });
        return;
      }
      const rows = new Map(isFresh ? [] : get().rows);
      isFresh = false;
      answer.value.rows.forEach((row, index) => rows.set(page * rowsPerPage + index, row));
      set({ total: answer.value.total, rows, failure: null });
    };

    const see = (first: number, last: number): void => {
      seen = { first, last };
      isWatched = true;
      for (let page = Math.floor(first / rowsPerPage); page <= Math.floor(last / rowsPerPage); page += 1) {
        if (!pages.has(page)) {
          void readPage(page);
        }
      }
    };

    const startReading = (): void => {
      reading += 1;
      pages = new Set();
      isFresh = true;
    };

    return {
      filter,
      total: null,
      rows: new Map(),
      failure: null,
      top: 0,
      choose(next) {
        startReading();
        set(
          keepsRows
            ? { filter: next, failure: null, top: 0 }
            : { filter: next, total: null, rows: new Map(), failure: null, top: 0 },
        );
        seen = { first: 0, last: 0 };
        if (isWatched) {
          see(0, 0);
        }
      },
      see,
      readAgain() {
        startReading();
        if (isWatched) {
          see(seen.first, seen.last);
        }
      },
      leave(top = 0) {
        isWatched = false;
        set({ top });
      },
    };
  });
}
