import type { StockQuery } from '../../contract/browse.ts';
import type { ProductField } from '../../contract/fields.ts';
import type { Id } from '../../domain/int64.ts';
import type { Database } from '../../storage/database.ts';
import { codeOrderKey, orderKey, type Level } from './order-keys.ts';
import type { CatalogueHit, ProductPlace, ProductReader, RowNumber } from '../store/product-reader.ts';
import type { Search } from '../search/search.ts';

/** A place in an order, between two rows. */
export interface OrderPlace {
  readonly key: string;
  readonly product: RowNumber;
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
  /**
   * Several stocks, as catalogue.db numbers them, in the order in which rows of the same name or code are to follow one
   * another.
   */
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

/** All calls throw StorageError. */
export interface BrowseReader {
  /** The place before the first row. */
  start(ordering: Ordering): OrderPlace;
  /** Looks at the next `length` rows of an order, at most. */
  stretch(ordering: Ordering, after: OrderPlace, filter: OrderFilter, length: number): Stretch;
  /** Rows that a text fits (API v3 §4.3 `term`), a few at a time. */
  matching(term: string): Iterable<readonly RowNumber[]>;
  /** Rows updated from a moment on, in milliseconds since 1970, a few at a time. */
  updatedFrom(moment: number): Iterable<readonly RowNumber[]>;
  /** Rows of the products with these ids, a few at a time. */
  ofProducts(productIds: readonly Id[]): Iterable<readonly RowNumber[]>;
  /** Rows of these products in these stocks, a few at a time. */
  ofPlaces(places: readonly ProductPlace[]): Iterable<readonly RowNumber[]>;
  /** Rows that came back, or ran out, from a moment on, in milliseconds since 1970, a few at a time. */
  turnedFrom(moment: number, areBack: boolean): Iterable<readonly RowNumber[]>;
  /** Rows whose listing has changed from a moment on, in milliseconds since 1970, a few at a time. */
  listedFrom(moment: number): Iterable<readonly RowNumber[]>;
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
const before: OrderPlace = { key: '', product: 0 };
const behind: OrderPlace = { key: '\u{10FFFF}\u{10FFFF}', product: Number.MAX_SAFE_INTEGER };

interface SortedRow {
  readonly number: RowNumber;
  readonly stock: number;
  readonly name: string;
  readonly code: string | null;
}

interface KeyedRow {
  readonly product: RowNumber;
  readonly key: string;
  readonly stock: number;
}

/** Rows of one key after one another by their stock's place; the rest stays as it is. */
function inPlaces(rows: readonly KeyedRow[], places: readonly number[]): readonly RowNumber[] {
  const placed: RowNumber[] = [];
  for (let from = 0; from < rows.length;) {
    let end = from + 1;
    while (end < rows.length && rows[end]?.key === rows[from]?.key) {
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

function ofTable(fields: readonly ProductField[] = []): TableFields {
  const ofHere = fields.filter(({ on }) => on.includes('table'));
  return ofHere.length === 0 ? {} : { fields: ofHere };
}

function openOrders(database: Database) {
  function openOrder(table: string, direction: StockQuery['direction']) {
    const [beyond, upTo] = direction === 'asc' ? ['>', '<='] : ['<', '>='];
    const stretch = `FROM ${table} WHERE (key, product) ${beyond} (?1, ?2) AND (key, product) ${upTo} (?3, ?4) AND (?5 IS NULL OR stock = ?5) AND (?6 IS NULL OR level = ?6)
      ORDER BY key ${direction}, product ${direction}`;
    return {
      post: database.prepare<OrderPlace>(
        `SELECT key, product FROM ${table} WHERE (key, product) ${beyond} (?, ?) ORDER BY key ${direction}, product ${direction} LIMIT 1 OFFSET ?`,
      ),
      rows: database.prepare<{ product: RowNumber }>(`SELECT product ${stretch}`),
      keyed: database.prepare<KeyedRow>(`SELECT product, key, stock ${stretch}`),
    };
  }
  return {
    name: { asc: openOrder('name_order', 'asc'), desc: openOrder('name_order', 'desc') },
    code: { asc: openOrder('code_order', 'asc'), desc: openOrder('code_order', 'desc') },
  };
}

/** See `BrowseReader.listedFrom`. */
function openListed(database: Database): BrowseReader['listedFrom'] {
  const listed = database.prepare<{ number: RowNumber; at: number }>(
    'SELECT number, listing_changed_at AS at FROM products WHERE listing_changed_at >= ?1 AND (listing_changed_at > ?1 OR number > ?2) ORDER BY listing_changed_at, number LIMIT ?3',
  );
  return function* listedFrom(moment) {
    // All of the shop may have a new price.
    let last: { readonly at: number; readonly number: RowNumber } | undefined = { at: moment, number: 0 };
    while (last !== undefined) {
      const rows = listed.all(last.at, last.number, rowsAtOnce);
      yield rows.map((row) => row.number);
      last = rows.at(-1);
    }
  };
}

/** Opens the table's side of catalogue.db. Throws StorageError. */
export function openBrowseReader(database: Database, reader: ProductReader, search: Search): BrowseReader {
  const orders = openOrders(database);
  const lastRow = database.prepare<{ last: number | null }>('SELECT max(number) AS last FROM products');
  const updated = database.prepare<{ number: RowNumber }>(
    'SELECT number FROM products WHERE number > ? AND number <= ? AND updated_at >= ?',
  );
  const updateOf = database.prepare<{ updatedAt: number | null; isFromPlatform: number }>(
    'SELECT updated_at AS updatedAt, updated_is_told AS isFromPlatform FROM products WHERE number = ?',
  );
  const turned = database.prepare<{ number: RowNumber }>(
    'SELECT number FROM products WHERE turned_at >= ? AND (balance > 0) = ?',
  );
  const turnOf = database.prepare<{ turnedAt: number | null }>(
    'SELECT turned_at AS turnedAt FROM products WHERE number = ?',
  );
  const sorted = database.prepare<SortedRow>(
    `SELECT number, stock, name, code FROM products WHERE number = ?1 AND (?2 IS NULL OR stock = ?2) AND (?3 IS NULL OR (balance > 0) - (balance < 0) = ?3)`,
  );

  return {
    start: ({ direction }) => (direction === 'asc' ? before : behind),

    stretch: ({ orderBy, direction }, place, { stock, level, places }, length) => {
      const { post, rows, keyed } = orders[orderBy][direction];
      const reached = post.get(place.key, place.product, length - 1);
      const [first, last] = direction === 'asc' ? [before, behind] : [behind, before];
      // Rows of one key are put in order together: those that may go on beyond this stretch are left to the next one,
      // unless they fill it.
      const isCut = places !== undefined && reached !== undefined && reached.key !== place.key;
      const end = isCut ? { key: reached.key, product: first.product } : (reached ?? last);
      const asked = [place.key, place.product, end.key, end.product, stock, level ?? null] as const;
      return {
        rows:
          places === undefined ? rows.all(...asked).map((row) => row.product) : inPlaces(keyed.all(...asked), places),
        reached: end,
        isEnd: reached === undefined,
      };
    },

    *matching(term) {
      yield [
        ...reader.findByBarcode(term.trim()),
        ...reader.findByAlias(term.trim()),
        ...reader.findByCode(term.trim()),
      ];
      yield* search.all(term);
    },

    *updatedFrom(moment) {
      for (let from = 0; from < (lastRow.get()?.last ?? 0); from += rowsAtOnce) {
        yield updated.all(from, from + rowsAtOnce, moment).map((row) => row.number);
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

    *turnedFrom(moment, areBack) {
      // Bounded by what a shop sells in two days.
      yield turned.all(moment, areBack ? 1 : 0).map((row) => row.number);
    },

    sort: ({ orderBy, direction }, rows, { stock, level, places = [] }) => {
      const sign = direction === 'asc' ? 1 : -1;
      const keyed = rows.flatMap((row) => {
        const found = sorted.get(row, stock, level ?? null);
        // As bytes, for that is how the database compares keys.
        return found === undefined
          ? []
          : {
              row,
              place: places.indexOf(found.stock),
              key: Buffer.from(orderBy === 'name' ? orderKey(found.name) : codeOrderKey(found.code)),
            };
      });
      return keyed
        .toSorted(
          (left, right) =>
            sign * Buffer.compare(left.key, right.key) || left.place - right.place || sign * (left.row - right.row),
        )
        .map(({ row }) => row);
    },

    hit: (row) => {
      const hit = reader.hit(row);
      return hit === null
        ? null
        : { ...hit, turnedAt: turnOf.get(row)?.turnedAt ?? null, ...ofTable(reader.fields(row, 'table')) };
    },

    product: (row) => {
      const [card, update] = [reader.card(row), updateOf.get(row)];
      if (card === null || update === undefined) {
        return null;
      }
      const { barcodes, options: _options, extra: _extra, fields, ...hit } = card;
      const { updatedAt, isFromPlatform } = update;
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
