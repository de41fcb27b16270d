import { parseDateTime } from '../../domain/date-time.ts';
import { readLocal, writeDateTime } from '../../service/date-times.ts';
import type { SourceAmount, SourceBarcode, SourceKey, SourceProduct } from './shop-source.ts';

/** One row of an answer, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** No till could read a page of the listing with longer ones. */
const maxTextLength = 2000;
/** Far more than a shop has. Many of the largest numbers add up to none. */
const tooLarge = 1e200;

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', '-1', 't', 'v', 'y', 's', 'yes', 'si', 'sí', 'sim', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'f', 'n', 'no', 'não', 'nao', 'off'].map((word) => [word, false] as const),
]);

/** Thrown for a row that cannot be read. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

/** ISO 8601: other ways to write a date have its day and month in any order. */
const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
/** MariaDB's own for "no date". */
const zero = /^0000-00-00(?: 00:00:00(?:\.0+)?)?$/;
/** The years 2000 to 2100: a number below or above counts something else than seconds, as days or milliseconds. */
const seconds = { from: 946_684_800, until: 4_102_444_800 };

/** Milliseconds since 1970 of a date or date-time, in the zone where it names none; NaN for other text. */
function readMoment(text: string, timeZone: string): number {
  const [, day = '', minutes = '00:00', rest = ':00', zone = null] = iso.exec(text) ?? [];
  const offset = zone?.length === 3 ? `${zone}:00` : (zone ?? 'Z');
  const time = parseDateTime(`${day}T${minutes}${rest}${offset}`)?.time ?? Number.NaN;
  return zone === null && !Number.isNaN(time) ? readLocal(new Date(time).toISOString().slice(0, 19), timeZone) : time;
}

/** Whether a till can be told it: its year has four digits. */
function isWritable(at: number, timeZone: string): boolean {
  return Math.abs(at) < 8e15 && /^\d{4}-/.test(writeDateTime(at, timeZone));
}

/** What was added up, here or by the shop, without the rest that binary fractions leave: of a whole sum, never of its parts. */
export const roundAmount = (sum: number): number => Math.round(sum * 1e6) / 1e6;

/** The id as it is in the row; a number too large for one stays text. */
function keyOf(id: unknown): SourceKey {
  const isNumber = typeof id === 'number' || (typeof id === 'bigint' && Number.isSafeInteger(Number(id)));
  return isNumber ? Number(id) : String(id);
}

/** Reads the columns of rows tolerantly; what cannot be read is a RowError that names place, column and row. */
export class RowReader {
  readonly #place: string;
  readonly #timeZone: string;
  readonly #bare: (text: string) => string;

  /** The place of the rows in words; date-times without a zone are of this one. `bare` takes secrets out of a text. */
  constructor(place: string, timeZone: string, bare = (text: string): string => text) {
    this.#place = place;
    this.#timeZone = timeZone;
    this.#bare = bare;
  }

  #fail(column: string, problem: string, row: Row): never {
    const start = Object.entries(row)
      .slice(0, 3)
      .map(([name, value]) => [name, String(value)].map((text) => this.#bare(text).slice(0, 40)).join('='))
      .join(', ');
    throw new RowError(`${this.#place}: column ${column} ${problem} (${start})`);
  }

  text(row: Row, column: string): string | null {
    const value = row[column];
    if (value === undefined || value === null) {
      return null;
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
      return this.#fail(column, 'is neither text nor a number', row);
    }
    const text = String(value).trim();
    if (text.length > maxTextLength) {
      return this.#fail(column, `is longer than ${maxTextLength} characters`, row);
    }
    return text === '' ? null : text;
  }

  needText(row: Row, column: string): string {
    return this.text(row, column) ?? this.#fail(column, 'is missing or empty', row);
  }

  number(row: Row, column: string): number | null {
    const text = this.text(row, column);
    const value = text === null ? null : Number(text);
    return value === null || Math.abs(value) < tooLarge ? value : this.#fail(column, 'is no number, or too large', row);
  }

  /** Of all rows, as the amounts of a listing are added up; NULL, the sum of no rows, is 0. The column must be there. */
  sum(rows: readonly Row[], column: string): number {
    const numbers = rows.map((row) =>
      column in row ? (this.number(row, column) ?? 0) : this.#fail(column, 'is not there', row),
    );
    return roundAmount(numbers.reduce((sum, number) => sum + number, 0));
  }

  needNumber(row: Row, column: string): number {
    return this.number(row, column) ?? this.#fail(column, 'is missing', row);
  }

  #readMoment(row: Row, column: string): number | null {
    const value = row[column];
    if (value instanceof Date) {
      return value.getTime();
    }
    const text = this.text(row, column);
    // PostgreSQL answers its larger numbers as text.
    if (text !== null && /^\d+(?:\.\d+)?$/.test(text)) {
      const at = Number(text);
      const counted = at >= seconds.from && at < seconds.until ? at * 1000 : Number.NaN;
      return at === 0 ? null : counted;
    }
    return text === null || zero.test(text) ? null : readMoment(text, this.#timeZone);
  }

  /** A date or date-time as ISO 8601, or seconds since 1970, in milliseconds; null where there is none, as 0 says too. */
  moment(row: Row, column: string): number | null {
    const at = this.#readMoment(row, column);
    return at === null || isWritable(at, this.#timeZone) ? at : this.#fail(column, 'is no date', row);
  }

  /** As databases and shops write it: `true`, 1, "t", "yes", "S" and their like; null where there is nothing. */
  flag(row: Row, column: string): boolean | null {
    const value = row[column];
    const text = typeof value === 'boolean' ? String(value) : (this.text(row, column)?.toLowerCase() ?? null);
    if (text === null) {
      return null;
    }
    return flags.get(text) ?? this.#fail(column, 'is neither true nor false', row);
  }

  /** The columns `id`, `name`, and those of the others that there are. */
  product(row: Row): SourceProduct {
    const own = this.text(row, 'barcode');
    const sourceId = this.needText(row, 'id');
    const key = keyOf(row['id']);
    return {
      sourceId,
      ...(key === sourceId ? {} : { key }),
      name: this.needText(row, 'name'),
      code: this.text(row, 'code'),
      barcodes: own === null ? [] : [own],
      department: this.text(row, 'department'),
      unit: this.text(row, 'unit'),
      price: this.number(row, 'price'),
      supplier: this.text(row, 'supplier'),
      aisle: this.text(row, 'aisle'),
      coupon: this.flag(row, 'coupon'),
    };
  }

  /** The columns `product` and `barcode`. */
  barcode(row: Row): SourceBarcode {
    return { sourceId: this.needText(row, 'product'), barcode: this.needText(row, 'barcode') };
  }

  /** The columns `product`, `stock` and `amount`. */
  amount(row: Row): SourceAmount {
    return {
      sourceId: this.needText(row, 'product'),
      stock: this.needText(row, 'stock'),
      amount: this.needNumber(row, 'amount'),
    };
  }
}
