import type { StockQuery } from '../../contract/browse.ts';
import { dayAt, instantOf } from '../../domain/days.ts';
import type { Clock } from '../../ports.ts';
import type { StockRow } from '../repository/repository.ts';
import type { ProductPlace, RowNumber } from '../repository/product-reader.ts';
import type { BrowseReader, Leg, OrderFilter } from './browse-reader.ts';
import { createRests } from './rests.ts';
import { createRowMarks, type RowMarks } from './row-marks.ts';
import { addRows, finish, maxRows, type View } from './view.ts';

/** The first stretch is what a screen shows. */
const firstStretch = 400;
const stretchLength = 1_000;
/** So few are sorted where they are; for more, the order is walked. */
const maxSorted = 1_000;
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

/** The rows by these moments; those of one moment stay as they came, and those without one come last. */
function inMoments(
  rows: readonly RowNumber[],
  momentOf: ReadonlyMap<RowNumber, number>,
  direction: StockQuery['direction'],
): readonly (readonly RowNumber[])[] {
  const sign = direction === 'asc' ? 1 : -1;
  // Few rows are alone at theirs, since each moment is one request.
  const moments = [...Map.groupBy(rows, (row) => momentOf.get(row) ?? null)];
  return moments
    .toSorted(([left], [right]) =>
      left === null || right === null ? Number(left === null) - Number(right === null) : sign * (left - right),
    )
    .map(([, ofOne]) => ofOne);
}

/**
 * When the figures were asked for. No order of the database goes by it, for each listing gives every figure another.
 */
async function readMoments(
  reader: BrowseReader,
  rest: (isDue: boolean) => Promise<boolean>,
): Promise<ReadonlyMap<RowNumber, number>> {
  const moments = new Map<RowNumber, number>();
  for (const rows of reader.figureMoments()) {
    for (const { number, asOf } of rows) {
      if (asOf !== null) {
        moments.set(number, asOf);
      }
    }
    if (!(await rest(false))) {
      break;
    }
  }
  return moments;
}

/** Hands the rows on, in their order; `take` answers how many it has by now. False once nobody wants them any more. */
async function walkLegs(
  reader: BrowseReader,
  legs: readonly Leg[],
  take: (rows: readonly RowNumber[]) => number,
  rest: (isDue: boolean) => Promise<boolean>,
): Promise<boolean> {
  let length = firstStretch;
  for (const leg of legs) {
    let place = leg.from;
    for (;;) {
      const { rows, reached, isEnd } = reader.stretch(leg, place, length);
      if (take(rows) >= maxRows) {
        return true;
      }
      if (isEnd) {
        break;
      }
      if (!(await rest(length === firstStretch))) {
        return false;
      }
      place = reached;
      length = stretchLength;
    }
  }
  return true;
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

  /** The beginning of a day by this machine's clock, so many days before `now`. */
  function startOfDay(now: number, daysAgo: number): number {
    return instantOf(dayAt(now, offsetMinutes(now), -daysAgo), '00:00', offsetMinutes);
  }

  function rowsOf(list: Exclude<StockQuery['list'], 'all'>): Iterable<readonly RowNumber[]> {
    const now = clock.now();
    if (list === 'changedToday') {
      return reader.listedFrom(startOfDay(now, 0), now);
    }
    return list === 'watched' || list === 'below'
      ? reader.ofPlaces(watched(list))
      : reader.turnedFrom(startOfDay(now, 1), now, list === 'cameBack');
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
      ...(updatedFrom === null ? [] : [reader.updatedFrom(updatedFrom, clock.now())]),
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
    const momentOf = query.orderBy === 'asOf' ? await readMoments(reader, rest) : null;
    if (signal.aborted) {
      return;
    }
    const unsorted: RowNumber[] = [];
    const take = (rows: readonly RowNumber[]): number => {
      const kept = marks === null ? rows : rows.filter((row) => marks.has(row));
      if (momentOf === null) {
        addRows(view, kept);
        return view.found;
      }
      unsorted.push(...kept);
      return unsorted.length;
    };
    if (!(await walkLegs(reader, reader.legs(query, filter), take, rest))) {
      return;
    }
    if (momentOf !== null) {
      inMoments(unsorted, momentOf, query.direction).forEach((rows) => addRows(view, rows));
    }
    finish(view);
  }

  /** The total where it is known at once: without filters everything that has been copied fits. */
  function knownTotal(query: StockQuery): number | null {
    const { stockId, amount } = query;
    const copied = stocks().filter((stock) => stockId === null || stock.stockId === stockId);
    return amount === 'all' && !isNarrow(query) ? copied.reduce((sum, stock) => sum + stock.copied, 0) : null;
  }

  return { walk, knownTotal };
}
