// A list's columns as a file, written once for every kind of file.
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { writeInstant } from '../../app/domain/date-time.ts';

interface ColumnHead {
  /** In the user's language. */
  readonly heading: string;
  /** In characters. */
  readonly width: number;
}

/**
 * A column: what stands in it for a row. Codes and ids are texts, moments milliseconds since 1970; `mixed` is for what is
 * a number in one row and a text in another.
 */
export type Column<Row> = ColumnHead &
  (
    | { readonly kind: 'text'; readonly of: (row: Row) => string | null }
    | { readonly kind: 'number' | 'moment'; readonly of: (row: Row) => number | null }
    | { readonly kind: 'mixed'; readonly of: (row: Row) => string | number | null }
  );

/** A column of texts. */
export const text = <Row>(heading: string, width: number, of: (row: Row) => string | null): Column<Row> => ({
  kind: 'text',
  heading,
  width,
  of,
});

const figure =
  (kind: 'number' | 'moment') =>
  <Row>(heading: string, width: number, of: (row: Row) => number | null): Column<Row> => ({ kind, heading, width, of });

/** A column of numbers. */
export const number = figure('number');
/** A column of moments. */
export const moment = figure('moment');

/** The next rows. */
export interface FilePage<Row> {
  readonly rows: readonly Row[];
  /** How many rows the whole list has; null while they are being counted. */
  readonly of: number | null;
  readonly isLast: boolean;
}

export interface FileList<Row> {
  /** In the user's language: the sheet's name. */
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  /** Answers the rows after those that it answered before. */
  readonly read: () => Promise<Result<FilePage<Row>, Failure>>;
}

/** A value as every kind of file can show it. */
export type Cell = string | number | Date | null;

const firstDay = Date.UTC(1900, 2, 1);
const lastDay = Date.UTC(9999, 11, 31);

/** The value in this column; a moment for which spreadsheets have no date is a text. */
export function cellOf<Row>(column: Column<Row>, row: Row): Cell {
  const value = column.of(row);
  if (column.kind !== 'moment' || typeof value !== 'number') {
    return value;
  }
  return value >= firstDay && value < lastDay ? new Date(value) : writeInstant(value);
}
