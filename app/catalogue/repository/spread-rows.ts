import type { Database } from '../../storage/database.ts';
import type { RowNumber } from './product-reader.ts';

interface Numbered {
  readonly number: RowNumber;
}

/** The rows from a number on, in their order, so many at most. */
type RowsFrom<Row extends Numbered> = (number: RowNumber, limit: number) => readonly Row[];

interface SpreadRows<Row extends Numbered> {
  readonly slices: Iterable<readonly Row[]>;
  /** True when these are some of very many, spread evenly. */
  readonly isSample: boolean;
}

/**
 * All rows of the copy where they are no more than `most`; else the first row at or after each of so many evenly spread
 * places. A slice holds `atOnce` of them at most. Throws StorageError.
 */
export function spreadRows<Row extends Numbered>(
  database: Database,
  rowsFrom: RowsFrom<Row>,
  most: number,
  atOnce: number,
): SpreadRows<Row> {
  const bounds = database.prepare<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(number) FROM products) AS first, (SELECT max(number) FROM products) AS last',
  );
  const { first, last } = bounds.get() ?? { first: null, last: null };
  if (first === null || last === null) {
    return { slices: [], isSample: false };
  }
  const spread = last - first + 1;
  return spread <= most
    ? { slices: neighbours(rowsFrom, first, last, atOnce), isSample: false }
    : { slices: spreadOut(rowsFrom, first, spread / most, most, atOnce), isSample: true };
}

function* neighbours<Row extends Numbered>(
  rowsFrom: RowsFrom<Row>,
  first: number,
  last: number,
  atOnce: number,
): Generator<readonly Row[]> {
  for (let place = first; place <= last; place += atOnce) {
    yield rowsFrom(place, atOnce).filter(({ number }) => number < place + atOnce);
  }
}

function* spreadOut<Row extends Numbered>(
  rowsFrom: RowsFrom<Row>,
  first: number,
  step: number,
  most: number,
  atOnce: number,
): Generator<readonly Row[]> {
  let reached = first - 1;
  for (let probe = 0; probe < most; probe += atOnce) {
    const rows: Row[] = [];
    for (let within = probe; within < Math.min(probe + atOnce, most); within += 1) {
      const [row] = rowsFrom(Math.max(reached + 1, Math.floor(first + within * step)), 1);
      if (row !== undefined) {
        reached = row.number;
        rows.push(row);
      }
    }
    yield rows;
  }
}
