import type { StockQuery } from '../../contract/browse.ts';
import type { Clock } from '../../ports.ts';
import type { StockRow } from '../store/store.ts';
import type { ProductPlace, RowNumber } from '../store/product-reader.ts';
import type { BrowseReader, OrderFilter } from './browse-reader.ts';
import { createRests } from './rests.ts';
import { createRowMarks, type RowMarks } from './row-marks.ts';
import { addRows, finish, maxRows, type View } from './view.ts';

/** The first stretch is what a screen shows. */
const firstStretch = 400;
const stretchLength = 1_000;
/** So few are sorted where they are; for more, the order is walked. */
const maxSorted = 1_000;
const dayMs = 86_400_000;
const levels = { positive: 1, zero: 0, negative: -1 } as const;

export interface WalkPorts {
  readonly clock: Clock;
  readonly reader: BrowseReader;
  readonly stocks: () => readonly StockRow[];
  readonly watched: (list: 'watched' | 'below') => readonly ProductPlace[];
  /** This machine's offset from UTC at a moment, in minutes. */
  readonly offsetMinutes: (at: number) => number;
}

/** True when something narrower than the orders themselves narrows the table down. */
function isNarrow({ list, term, productIds, updatedFrom }: StockQuery): boolean {
  return list !== 'all' || term.trim() !== '' || productIds !== null || updatedFrom !== null;
}

/** Finds the rows that queries fit. All throw StorageError. */
export function createWalks({ clock, reader, stocks, watched, offsetMinutes }: WalkPorts) {
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

  /** The beginning of a day by this machine's clock, so many days ago. */
  function startOfDay(daysAgo: number): number {
    const now = clock.now();
    const offsetMs = offsetMinutes(now) * 60_000;
    return Math.floor((now + offsetMs) / dayMs - daysAgo) * dayMs - offsetMs;
  }

  function rowsOf(list: Exclude<StockQuery['list'], 'all'>): Iterable<readonly RowNumber[]> {
    if (list === 'changedToday') {
      return reader.listedFrom(startOfDay(0));
    }
    return list === 'watched' || list === 'below'
      ? reader.ofPlaces(watched(list))
      : reader.turnedFrom(startOfDay(1), list === 'cameBack');
  }

  /** The rows that the narrow filters fit; null without any, or once nobody wants them any more. */
  async function mark(
    { list, term, productIds, updatedFrom }: StockQuery,
    rest: (isDue: boolean) => Promise<boolean>,
  ): Promise<RowMarks | null> {
    const filters = [
      ...(list === 'all' ? [] : [rowsOf(list)]),
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
    const marks = isNarrow(query) ? await mark(query, rest) : null;
    if (signal.aborted) {
      return;
    }
    if (marks !== null && marks.size <= maxSorted) {
      addRows(view, reader.sort(query, [...marks.rows()], filter));
      finish(view);
      return;
    }
    let length = firstStretch;
    let place = reader.start(query);
    for (;;) {
      const { rows, reached, isEnd } = reader.stretch(query, place, filter, length);
      addRows(view, marks === null ? rows : rows.filter((row) => marks.has(row)));
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

  /** The total where it is known at once: without filters everything that has been copied fits. */
  function knownTotal(query: StockQuery): number | null {
    const { stockId, amount } = query;
    const copied = stocks().filter((stock) => stockId === null || stock.stockId === stockId);
    return amount === 'all' && !isNarrow(query) ? copied.reduce((sum, stock) => sum + stock.copied, 0) : null;
  }

  return { walk, knownTotal };
}
