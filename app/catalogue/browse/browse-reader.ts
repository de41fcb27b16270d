import type { StockQuery } from '../../contract/browse.ts';
import type { ProductField } from '../../contract/fields.ts';
import { cleanCode } from '../../domain/codes/barcode.ts';
import type { Id } from '../../domain/int64.ts';
import type { Database } from '../../storage/database.ts';
import { balanceOrderKey, codeOrderKey, orderKey, type Level } from './order-keys.ts';
import { isKeptMoment, orNull, requireAsKept } from '../../storage/as-kept.ts';
import type { CatalogueHit, ProductPlace, ProductReader, RowNumber } from '../repository/product-reader.ts';
import type { Search } from '../search/search.ts';

/** A place in an order, between two rows: what its rows are ordered by, and the row's number last. */
export type OrderPlace = readonly (number | string)[];

/** A part of an order that is walked in one go. */
export interface Leg {
  readonly order: 'name' | 'code' | 'balance';
  readonly direction: StockQuery['direction'];
  readonly filter: OrderFilter;
  readonly from: OrderPlace;
  readonly to: OrderPlace;
}

export interface Stretch {
  /** The rows of this stretch that fit, in the order. */
  readonly rows: readonly RowNumber[];
  readonly reached: OrderPlace;
  readonly isEnd: boolean;
}

export type Ordering = Pick<StockQuery, 'orderBy' | 'direction'>;

/** The filter that an order's own rows can answer. */
export interface OrderFilter {
  /** Stock as catalogue.db numbers it; null: all. */
  readonly stock: number | null;
  /** Undefined: all. */
  readonly level: Exclude<Level, null> | undefined;
  /** Several stocks as catalogue.db numbers them, in the order of rows with the same name or code. */
  readonly places?: readonly number[] | undefined;
}

/** The fields that the shop shows in the table; absent where there are none. */
interface TableFields {
  readonly fields?: ProductField[];
}

/** A line of the table. */
export type BrowsedHit = CatalogueHit & TableFields & { readonly turnedAt: number | null };

/** A line of the table's file. */
export interface BrowsedProduct extends TableFields {
  readonly hit: CatalogueHit;
  readonly updatedAt: number | null;
  readonly updatedBy: 'platform' | 'terminal';
  readonly barcodes: readonly string[];
}

/** What this terminal noted ahead of `now` was noted before the clock was set back. All calls throw StorageError. */
export interface BrowseReader {
  /** The parts that make up an order, one after another. */
  legs(ordering: Ordering, filter: OrderFilter): readonly Leg[];
  /** Looks at the next `length` rows of a leg, at most. */
  stretch(leg: Leg, after: OrderPlace, length: number): Stretch;
  /** When the figure of each row was asked for, in milliseconds since 1970, null without one; many at a time. */
  figureMoments(): Iterable<readonly { readonly number: RowNumber; readonly asOf: number | null }[]>;
  /** Rows that a text fits (API v3 §4.3 `term`), a few at a time. */
  matching(term: string): Iterable<readonly RowNumber[]>;
  /** Rows updated from a moment on, in milliseconds since 1970, a few at a time. */
  updatedFrom(moment: number, now: number): Iterable<readonly RowNumber[]>;
  /** Rows of the products with these ids, a few at a time. */
  ofProducts(productIds: readonly Id[]): Iterable<readonly RowNumber[]>;
  /** Rows of these products in these stocks, a few at a time. */
  ofPlaces(places: readonly ProductPlace[]): Iterable<readonly RowNumber[]>;
  /** Rows that came back, or ran out, from a moment on, in milliseconds since 1970, a few at a time. */
  turnedFrom(moment: number, now: number, areBack: boolean): Iterable<readonly RowNumber[]>;
  /** Rows whose listing has changed from a moment on, in milliseconds since 1970, a few at a time. */
  listedFrom(moment: number, now: number): Iterable<readonly RowNumber[]>;
  /** The rows that fit, in the order; for a few rows only. */
  sort(ordering: Ordering, rows: readonly RowNumber[], filter: OrderFilter): readonly RowNumber[];
  /** Null when the product has gone. */
  hit(row: RowNumber): BrowsedHit | null;
  /** Null when the product has gone. */
  product(row: RowNumber): BrowsedProduct | null;
}

const rowsAtOnce = 2_000;
const idsAtOnce = 200;
/** Before all rows and behind them: a row's number is at least 1, and no key is this large. */
const [firstText, lastText] = ['', '\u{10FFFF}\u{10FFFF}'];
const [firstRow, lastRow] = [0, Number.MAX_SAFE_INTEGER];
const columnsOf = {
  name: ['key', 'product'],
  code: ['key', 'product'],
  balance: ['balance', 'key', 'product'],
} as const;
const ends = {
  name: { before: [firstText, firstRow], behind: [lastText, lastRow] },
  code: { before: [firstText, firstRow], behind: [lastText, lastRow] },
  balance: { before: [-Infinity, firstText, firstRow], behind: [Infinity, lastText, lastRow] },
} as const;
/** Between the balances that are known and the others. */
const beforeUnknown: OrderPlace = [balanceOrderKey(null), firstText, firstRow];

interface SortedRow {
  readonly number: RowNumber;
  readonly stock: number;
  readonly name: string;
  readonly code: string | null;
  readonly balance: number | null;
  readonly asOf: number | null;
}

interface KeyedRow {
  readonly product: RowNumber;
  /** All but the row's number that the order goes by. */
  readonly balance: number;
  readonly key: string;
  readonly stock: number;
}

const isSameKey = (left: KeyedRow | undefined, right: KeyedRow | undefined): boolean =>
  left?.key === right?.key && left?.balance === right?.balance;

/** Rows of one key after one another by their stock's place; the rest stays as it is. */
function inPlaces(rows: readonly KeyedRow[], places: readonly number[]): readonly RowNumber[] {
  const placed: RowNumber[] = [];
  for (let from = 0; from < rows.length;) {
    let end = from + 1;
    while (end < rows.length && isSameKey(rows[end], rows[from])) {
      end += 1;
    }
    const run = rows.slice(from, end);
    const sorted =
      run.length === 1 ? run : run.toSorted((left, right) => places.indexOf(left.stock) - places.indexOf(right.stock));
    placed.push(...sorted.map(({ product }) => product));
    from = end;
  }
  return placed;
}

/** Compares two figures or moments; what nobody knows comes last in both directions. */
function compareKnown(left: number | null, right: number | null, sign: number): number {
  return left === null || right === null ? Number(left === null) - Number(right === null) : sign * (left - right);
}

interface SortKeys {
  readonly row: RowNumber;
  readonly place: number;
  readonly text: Buffer;
  readonly balance: number | null;
  readonly asOf: number | null;
}

/** Compares as the orders of the database are walked, see `legsOf`. */
function comparing({ orderBy, direction }: Ordering): (left: SortKeys, right: SortKeys) => number {
  const sign = direction === 'asc' ? 1 : -1;
  const byText = (left: SortKeys, right: SortKeys, way: number): number =>
    way * Buffer.compare(left.text, right.text) || left.place - right.place || way * (left.row - right.row);
  switch (orderBy) {
    case 'balance':
      return (left, right) => compareKnown(left.balance, right.balance, sign) || byText(left, right, sign);
    case 'asOf':
      return (left, right) => compareKnown(left.asOf, right.asOf, sign) || byText(left, right, 1);
    case 'stock':
      return (left, right) => sign * (left.place - right.place) || byText(left, right, 1);
    case 'name':
    case 'code':
      return (left, right) => byText(left, right, sign);
  }
}

/** The legs of an order; by the moment of the figure, those by name, which the walk then sorts. */
function legsOf({ orderBy, direction }: Ordering, filter: OrderFilter): readonly Leg[] {
  const upwards = (of: OrderFilter): Leg => ({
    order: 'name',
    direction: 'asc',
    filter: of,
    from: ends.name.before,
    to: ends.name.behind,
  });
  if (orderBy === 'asOf') {
    return [upwards(filter)];
  }
  if (orderBy === 'stock') {
    const { places, ...rest } = filter;
    const inOrder = direction === 'asc' ? places : places?.toReversed();
    return inOrder === undefined ? [upwards(filter)] : inOrder.map((stock) => upwards({ ...rest, stock }));
  }
  const { before, behind } = ends[orderBy];
  const whole = { order: orderBy, direction, filter };
  if (direction === 'asc') {
    return [{ ...whole, from: before, to: behind }];
  }
  return orderBy === 'balance'
    ? [
        { ...whole, from: beforeUnknown, to: before },
        { ...whole, from: behind, to: beforeUnknown },
      ]
    : [{ ...whole, from: behind, to: before }];
}

function ofTable(fields: readonly ProductField[] = []): TableFields {
  const ofHere = fields.filter(({ on }) => on.includes('table'));
  return ofHere.length === 0 ? {} : { fields: ofHere };
}

function openOrders(database: Database) {
  function openOrder(order: Leg['order'], direction: StockQuery['direction']) {
    const columns = columnsOf[order];
    const [beyond, upTo] = direction === 'asc' ? ['>', '<='] : ['<', '>='];
    const row = `(${columns.join(', ')})`;
    const marks = (first: number): string => `(${columns.map((_column, place) => `?${first + place}`).join(', ')})`;
    const [second, third] = [1 + columns.length, 1 + 2 * columns.length];
    const between = `FROM ${order}_order WHERE ${row} ${beyond} ${marks(1)} AND ${row} ${upTo} ${marks(second)}`;
    const filtered = `${between} AND (?${third} IS NULL OR stock = ?${third}) AND (?${third + 1} IS NULL OR level = ?${third + 1})`;
    const inOrder = `ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')}`;
    const balance = order === 'balance' ? 'balance' : '0 AS balance';
    return {
      post: database.prepare<Omit<KeyedRow, 'stock'>>(
        `SELECT ${balance}, key, product ${between} ${inOrder} LIMIT 1 OFFSET ?${third}`,
      ),
      rows: database.prepare<{ product: RowNumber }>(`SELECT product ${filtered} ${inOrder}`),
      keyed: database.prepare<KeyedRow>(`SELECT ${balance}, key, product, stock ${filtered} ${inOrder}`),
    };
  }
  const both = (order: Leg['order']) => ({ asc: openOrder(order, 'asc'), desc: openOrder(order, 'desc') });
  const orders = { name: both('name'), code: both('code'), balance: both('balance') };

  return function stretch({ order, direction, filter, to }: Leg, after: OrderPlace, length: number): Stretch {
    const { stock, level, places } = filter;
    const { post, rows, keyed } = orders[order][direction];
    const last = post.get(...after, ...to, length - 1);
    const reached = last === undefined ? undefined : columnsOf[order].map((column) => last[column]);
    // Rows of one key are put in order together: those that may go on beyond this stretch are left to the next one,
    // unless they fill it.
    const isCut =
      places !== undefined &&
      reached !== undefined &&
      reached.some((part, at) => at < reached.length - 1 && part !== after[at]);
    const first = direction === 'asc' ? firstRow : lastRow;
    const end = isCut ? [...reached.slice(0, -1), first] : (reached ?? to);
    const asked = [...after, ...end, stock, level ?? null] as const;
    return {
      rows: places === undefined ? rows.all(...asked).map((row) => row.product) : inPlaces(keyed.all(...asked), places),
      reached: end,
      isEnd: reached === undefined,
    };
  };
}

function openListed(database: Database): BrowseReader['listedFrom'] {
  const listed = database.prepare<{ number: RowNumber; at: number }>(
    'SELECT number, listing_changed_at AS at FROM products WHERE listing_changed_at >= ?1 AND listing_changed_at <= ?3 AND (listing_changed_at > ?1 OR number > ?2) ORDER BY listing_changed_at, number LIMIT ?4',
  );
  return function* listedFrom(moment, now) {
    // All of the shop may have a new price.
    let last: { readonly at: number; readonly number: RowNumber } | undefined = { at: moment, number: 0 };
    while (last !== undefined) {
      const rows = listed.all(last.at, last.number, now, rowsAtOnce);
      yield rows.map((row) => row.number);
      last = rows.at(-1);
    }
  };
}

/** Opens the table's side of catalogue.db. Throws StorageError. */
export function openBrowseReader(database: Database, reader: ProductReader, search: Search): BrowseReader {
  const newest = database.prepare<{ last: number | null }>('SELECT max(number) AS last FROM products');
  const updated = database.prepare<{ number: RowNumber }>(
    'SELECT number FROM products WHERE number > ? AND number <= ? AND updated_at >= ? AND (updated_at <= ? OR updated_is_told = 1)',
  );
  const updateOf = database.prepare<{ updatedAt: number | null; isFromPlatform: number }>(
    'SELECT updated_at AS updatedAt, updated_is_told AS isFromPlatform FROM products WHERE number = ?',
  );
  const turned = database.prepare<{ number: RowNumber }>(
    'SELECT number FROM products WHERE turned_at BETWEEN ? AND ? AND (balance > 0) = ?',
  );
  const turnOf = database.prepare<{ turnedAt: number | null }>(
    'SELECT turned_at AS turnedAt FROM products WHERE number = ?',
  );
  const figures = database.prepare<{ number: RowNumber; asOf: number | null }>(
    'SELECT number, balance_as_of AS asOf FROM products WHERE number > ? AND number <= ?',
  );
  const sorted = database.prepare<SortedRow>(
    `SELECT number, stock, name, code, balance, balance_as_of AS asOf FROM products WHERE number = ?1 AND (?2 IS NULL OR stock = ?2) AND (?3 IS NULL OR (balance > 0) - (balance < 0) = ?3)`,
  );

  return {
    legs: legsOf,

    stretch: openOrders(database),

    *figureMoments() {
      for (let from = 0; from < (newest.get()?.last ?? 0); from += rowsAtOnce) {
        yield figures.all(from, from + rowsAtOnce);
      }
    },

    *matching(term) {
      const { text: code } = cleanCode(term);
      yield [...reader.findByBarcode(code), ...reader.findByAlias(code), ...reader.findByCode(code)];
      yield* search.all(term);
    },

    *updatedFrom(moment, now) {
      for (let from = 0; from < (newest.get()?.last ?? 0); from += rowsAtOnce) {
        yield updated.all(from, from + rowsAtOnce, moment, now).map((row) => row.number);
      }
    },

    *ofProducts(productIds) {
      for (let from = 0; from < productIds.length; from += idsAtOnce) {
        yield productIds.slice(from, from + idsAtOnce).flatMap((productId) => reader.findById(productId));
      }
    },

    *ofPlaces(places) {
      for (let from = 0; from < places.length; from += idsAtOnce) {
        yield places
          .slice(from, from + idsAtOnce)
          .flatMap(({ stockId, productId }) => reader.find(stockId, productId) ?? []);
      }
    },

    listedFrom: openListed(database),

    *turnedFrom(moment, now, areBack) {
      // Bounded by what a shop sells in two days.
      yield turned.all(moment, now, areBack ? 1 : 0).map((row) => row.number);
    },

    sort: (ordering, rows, { stock, level, places = [] }) => {
      const keyed = rows.flatMap((row): SortKeys | [] => {
        const found = sorted.get(row, stock, level ?? null);
        if (found === undefined) {
          return [];
        }
        const { name, code, balance, asOf } = found;
        // As bytes, for that is how the database compares keys.
        const text = Buffer.from(ordering.orderBy === 'code' ? codeOrderKey(code) : orderKey(name));
        return { row, place: places.indexOf(found.stock), text, balance, asOf };
      });
      return keyed.toSorted(comparing(ordering)).map(({ row }) => row);
    },

    hit: (row) => {
      const hit = reader.hit(row);
      const turnedAt = turnOf.get(row)?.turnedAt ?? null;
      requireAsKept(orNull(isKeptMoment)(turnedAt));
      return hit === null ? null : { ...hit, turnedAt, ...ofTable(reader.fields(row, 'table')) };
    },

    product: (row) => {
      const [card, update] = [reader.card(row), updateOf.get(row)];
      if (card === null || update === undefined) {
        return null;
      }
      const { barcodes, options: _options, extra: _extra, fields, ...hit } = card;
      const { updatedAt, isFromPlatform } = update;
      requireAsKept(orNull(isKeptMoment)(updatedAt));
      return {
        hit,
        barcodes,
        updatedAt,
        updatedBy: isFromPlatform === 1 ? 'platform' : 'terminal',
        ...ofTable(fields),
      };
    },
  };
}
