import type { ShownField } from '../../contract/fields.ts';
import type { Id } from '../../domain/int64.ts';
import { writeJson } from '../../domain/json.ts';
import type { KeptElement, ListedProduct, OptionBalance } from '../../platform/listing/listed.ts';
import { readKept, type ListedElement } from '../../platform/listing/listed-element.ts';
import type { Database } from '../../storage/database.ts';
import { openOrderWriter } from '../browse/order-writer.ts';
import type { SearchWriter } from '../search/search-writer.ts';
import type { Searchable } from '../search/words.ts';
import { openKeyWriter } from './key-writer.ts';
import { isListedOtherwise } from './listing-change.ts';

/** A stock as catalogue.db numbers it. */
export interface StockNumber {
  readonly number: number;
  readonly stockId: Id;
}

/** A figure that was asked for by itself at `asOf`. */
export interface LiveFigure {
  readonly amount: number;
  readonly options: readonly OptionBalance[];
  readonly asOf: number;
}

/** When an element was asked for, in milliseconds since 1970, and the listing pass that saw it; 0 outside any pass. */
interface SeenIn {
  readonly pass: number;
  readonly askedAt: number;
  /** See `SaveOptions`: a product that has several rows may come with some of them. */
  readonly isPart: boolean;
  /** With so many rows on the page before, it joins them. */
  readonly joinsFrom: number;
  /** W7: whether the stock had been listed wholly before, so that a product that is new here is new in the shop. */
  readonly wasListed: () => boolean;
}

export interface RowWriterPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears, inside of the transaction, of each product whose figure changes, and of each that comes or goes. */
  readonly onFigure: (stock: StockNumber, productId: Id) => void;
  /** Which fields of the listing the shop shows. */
  readonly shownFields: () => readonly ShownField[];
}

interface ExistingRow {
  readonly number: number;
  readonly pass: number;
  readonly balance: number | null;
  readonly balance_as_of: number | null;
  readonly balance_is_live: number;
  readonly code: string | null;
  readonly name: string;
  readonly otherCodes: string | null;
  readonly rawDigest: number;
}

function searchableOf({ name, code, otherCodes }: ListedProduct): Searchable {
  return { name, code, otherCodes: otherCodes.length === 0 ? null : otherCodes.join(' ') };
}

function prepareRows(database: Database) {
  return {
    find: database.prepare<ExistingRow>(
      `SELECT number, pass, balance, balance_as_of, balance_is_live, code, name, other_codes AS otherCodes, raw_digest AS rawDigest FROM products WHERE product_id = ? AND stock = ?`,
    ),
    insert: database.prepare(
      'INSERT INTO products (stock, product_id, pass, balance, balance_as_of, code, name, unit, updated_at, updated_is_told, other_codes, raw_digest, listing_changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    update: database.prepare(
      'UPDATE products SET code = ?, name = ?, unit = ?, other_codes = ?, raw_digest = ? WHERE number = ?',
    ),
    markSeen: database.prepare(
      'UPDATE products SET pass = ?, balance = ?, balance_as_of = ?, balance_is_live = ? WHERE number = ?',
    ),
    markUpdated: database.prepare('UPDATE products SET updated_at = ?, updated_is_told = ? WHERE number = ?'),
    markListed: database.prepare('UPDATE products SET listing_changed_at = ? WHERE number = ?'),
    markTurned: database.prepare('UPDATE products SET turned_at = ? WHERE number = ?'),
    updateLive: database.prepare(
      'UPDATE products SET balance = ?, balance_as_of = ?, balance_is_live = 1 WHERE number = ?',
    ),
    remove: database.prepare('DELETE FROM products WHERE number = ?'),
    readRaw: database.prepare<{ raw: string }>('SELECT raw FROM details WHERE number = ?'),
    insertDetails: database.prepare('INSERT INTO details (number, raw) VALUES (?, ?)'),
    updateRaw: database.prepare('UPDATE details SET raw = ? WHERE number = ?'),
    updateLiveOptions: database.prepare('UPDATE details SET live_options = ? WHERE number = ?'),
    removeDetails: database.prepare('DELETE FROM details WHERE number = ?'),
  };
}

function storedElement(rows: ReturnType<typeof prepareRows>, number: number): ListedElement {
  return readKept(rows.readRaw.get(number)?.raw ?? '');
}

/**
 * Whether what is of `asOf` is newer than what was asked for at `askedAt`; one of a moment still to come is from before
 * the clock was set back (W2). All in milliseconds since 1970.
 */
export function isNewerBy(now: number, asOf: number | null, askedAt: number): boolean {
  // mutant: a figure from before the clock was set back stays (I15)
  return asOf !== null && asOf > askedAt && asOf <= now;
}

const withoutFigure = (row: ExistingRow): ExistingRow => ({ ...row, balance: null, balance_as_of: null });

/** Notes that a pass has seen the row. Answers its figure from now on. */
function markRow(
  rows: ReturnType<typeof prepareRows>,
  existing: ExistingRow,
  listed: ListedProduct | null,
  { pass, askedAt }: Pick<SeenIn, 'pass' | 'askedAt'>,
  now: number,
): number | null {
  const newest = Math.max(pass, existing.pass);
  const { number, balance, balance_as_of: asOf, balance_is_live: isLive } = existing;
  // mutant: an old listing is put over a newer live figure (I18)
  if (listed === null || listed.balance === null || isNewerBy(now, asOf, askedAt)) {
    rows.markSeen.run(newest, balance, asOf, isLive, number);
    return balance;
  }
  rows.markSeen.run(newest, listed.balance, askedAt, 0, number);
  return listed.balance;
}

/** Answers the number of the new row. */
function insertRow(
  rows: ReturnType<typeof prepareRows>,
  stock: StockNumber,
  { updatedAt }: ListedElement,
  listed: ListedProduct,
  digest: number,
  { pass, askedAt, wasListed }: SeenIn,
): number {
  const { productId, code, name, unit, balance } = listed;
  return rows.insert.run(
    stock.number,
    BigInt(productId),
    pass,
    balance,
    balance === null ? null : askedAt,
    code,
    name,
    unit,
    updatedAt ?? askedAt,
    updatedAt === null ? 0 : 1,
    searchableOf(listed).otherCodes,
    digest,
    wasListed() ? askedAt : null, // W7
  ).lastId;
}

/** Notes that the row has turned (W6), where its figure, asked for at this moment, says so. */
function noteTurn(
  rows: ReturnType<typeof prepareRows>,
  { number, balance }: ExistingRow,
  after: number | null,
  askedAt: number,
): void {
  if (balance !== null && after !== null && balance > 0 !== after > 0) {
    rows.markTurned.run(askedAt, number);
  }
}

/**
 * Opens the writing of single rows, a product's in a stock, with everything that they are found by. W1 to W7 are those
 * of product-writer.ts. All calls throw StorageError.
 */
export function openRowWriter(
  database: Database,
  search: SearchWriter,
  { now, onFigure, shownFields }: RowWriterPorts,
) {
  const rows = prepareRows(database);
  const keys = openKeyWriter(database);
  const orders = openOrderWriter(database);
  let changes = 0;

  function add(
    stock: StockNumber,
    element: ListedElement,
    listed: ListedProduct,
    kept: KeptElement,
    seen: SeenIn,
  ): void {
    const number = insertRow(rows, stock, element, listed, kept.digest, seen);
    changes += 1;
    orders.add(number, stock.number, listed);
    rows.insertDetails.run(number, kept.text);
    search.add(number);
    keys.add(number, listed);
    onFigure(stock, listed.productId);
  }

  /** False when the platform only writes the same numbers otherwise. */
  function change(
    existing: ExistingRow,
    before: ListedElement,
    element: ListedElement,
    listed: ListedProduct,
    kept: KeptElement,
    askedAt: number,
  ): boolean {
    const { number } = existing;
    const searchable = searchableOf(listed);
    changes += 1;
    // Of a long one only what is kept can be compared (W4).
    const after = kept.isWhole ? element : readKept(kept.text);
    rows.update.run(listed.code, listed.name, listed.unit, searchable.otherCodes, kept.digest, number);
    rows.updateRaw.run(kept.text, number);
    if (isListedOtherwise(before, after, shownFields())) {
      rows.markListed.run(askedAt, number); // W7
    }
    search.change(number, existing, searchable); // W1
    keys.change(number, before.product, listed);
    // mutant: a product counts as changed when only zeros came to its numbers
    return before.product === null || !kept.isWhole || !before.holdsSameAs(element);
  }

  return {
    /** How many rows have come, have become others or have gone. */
    changes: (): number => changes,

    /** Shops an element; the pass that saw its row last, null when it is new. */
    save(stock: StockNumber, came: ListedElement, product: ListedProduct, seen: SeenIn): number | null {
      const existing = rows.find.get(BigInt(product.productId), stock.number);
      if (existing === undefined) {
        add(stock, came, product, came.kept, seen);
        return null;
      }
      const cameAs = came.kept;
      const before = existing.rawDigest === cameAs.digest ? null : storedElement(rows, existing.number); // W3
      const isNext = before !== null && before.rows >= seen.joinsFrom && seen.pass === existing.pass;
      const element = isNext ? came.joinedTo(before) : came; // W9
      const [listed, kept] = element === came ? [product, cameAs] : [element.product ?? product, element.kept];
      if (before !== null && element.rows < before.rows && seen.isPart) {
        markRow(rows, existing, null, seen, now()); // W9
        return existing.pass;
      }
      // mutant: a product that was renamed keeps its name (I15, I16)
      const isOther = before !== null && change(existing, before, element, listed, kept, seen.askedAt);
      // mutant: a figure of a part stays beside all rows of the product
      const known = element.rows > 1 && existing.balance_is_live === 0 ? withoutFigure(existing) : existing; // W9
      const balance = markRow(rows, known, listed, seen, now());
      orders.change(existing.number, stock.number, existing, { code: listed.code, name: listed.name, balance });
      if (isOther || balance !== existing.balance) {
        const { updatedAt } = element;
        rows.markUpdated.run(updatedAt ?? seen.askedAt, updatedAt === null ? 0 : 1, existing.number); // W5
      }
      if (balance !== existing.balance) {
        noteTurn(rows, existing, balance, seen.askedAt);
        onFigure(stock, listed.productId);
      }
      return existing.pass;
    },

    /** False when there is no such row. */
    saveBalance(stock: StockNumber, productId: Id, { amount, options, asOf }: LiveFigure): boolean {
      const existing = rows.find.get(BigInt(productId), stock.number);
      if (existing === undefined || isNewerBy(now(), existing.balance_as_of, asOf)) {
        return existing !== undefined; // W2
      }
      rows.updateLive.run(amount, asOf, existing.number);
      orders.change(existing.number, stock.number, existing, { ...existing, balance: amount });
      if (amount !== existing.balance) {
        rows.markUpdated.run(asOf, 0, existing.number); // W5
        noteTurn(rows, existing, amount, asOf);
        onFigure(stock, productId);
      }
      rows.updateLiveOptions.run(
        options.length === 0 ? null : writeJson(options.map(({ name, amount: left }) => ({ name, amount: left }))),
        existing.number,
      );
      return true;
    },

    /** False when there was no such row. */
    remove(stock: StockNumber, productId: Id): boolean {
      const existing = rows.find.get(BigInt(productId), stock.number);
      if (existing === undefined) {
        return false;
      }
      const { number } = existing;
      changes += 1;
      keys.remove(number, storedElement(rows, number).product);
      search.remove(number, existing);
      orders.remove(number, existing);
      rows.remove.run(number);
      rows.removeDetails.run(number);
      onFigure(stock, productId);
      return true;
    },
  };
}
