// Owns the writing of products into catalogue.db: a listed element becomes a row, its raw text, its keys and its searchable
// words, and nothing of an older version of it stays behind. Never decides what is written when, and never sends anything.
//
//   W1  The words, fragments and keys of a product are those of its present row, and of no earlier one.
//   W2  A live figure is not replaced by a listing that was asked for before the figure came.
//   W3  An element that has not changed costs one update of its narrow row.
//   W4  A raw element is kept whole, up to 64 K characters; of a longer one, what this app reads.
import { codeKeys, type CodeKey } from '../domain/barcode.ts';
import type { Id } from '../domain/int64.ts';
import { parseJson, writeJson } from '../domain/json.ts';
import type { OptionBalance } from '../platform/stock-fields.ts';
import type { Database } from '../storage/database.ts';
import { readElement, type ListedProduct } from './element.ts';
import { compactCode, wordsOf } from './words.ts';

const longestRaw = 65_536;
// A live figure "newer" than a listing by more than this was written before somebody set the clock back.
const believableLeadMs = 600_000;

/** A stock as catalogue.db numbers it. */
export interface StockNumber {
  readonly number: number;
  readonly stockId: Id;
}

export interface SaveOptions {
  /** The listing pass that saw the elements; 0 outside any pass. */
  readonly pass: number;
  /** Rows last seen before this pass count as `newlySeen`. */
  readonly seenSince: number;
  /** When the elements were asked for, in milliseconds since 1970. */
  readonly askedAt: number;
}

export interface SaveOutcome {
  /** Elements that this pass had not seen before. */
  readonly fresh: number;
  /** Elements that no pass since `seenSince` had seen before. */
  readonly newlySeen: number;
  /** Elements without an id. */
  readonly skipped: number;
  readonly productIds: readonly Id[];
  /** The store's offset from UTC as the elements write it, in minutes; null when none did. */
  readonly offsetMinutes: number | null;
}

interface ExistingRow {
  readonly number: number;
  readonly pass: number;
  readonly balance: number | null;
  readonly balance_as_of: number | null;
  readonly balance_is_live: number;
  readonly code: string | null;
  readonly name: string;
  readonly raw: string;
}

export interface ProductWriter {
  /** Stores the elements in one transaction; at most 500 at a time keep the process responsive. */
  save(stock: StockNumber, elements: readonly unknown[], options: SaveOptions): SaveOutcome;
  /** Stores a figure read from the platform by itself; false when this product is not in the copy. */
  saveBalance(stock: StockNumber, productId: Id, figure: { readonly amount: number; readonly options: readonly OptionBalance[]; readonly asOf: number }): boolean;
  /** Removes products in one transaction. */
  remove(stock: StockNumber, productIds: readonly Id[]): void;
  /** Remembers that the platform resolved a code to this product, instead of any other. */
  saveAlias(code: string, productId: Id): void;
}

function rawOf(element: unknown, listed: ListedProduct): string {
  let raw = '';
  try {
    raw = writeJson(element);
  } catch {
    // Nested deeper than the stack.
  }
  const { productId, code, name, unit, barcodes, balance } = listed;
  return raw !== '' && raw.length <= longestRaw ? raw : writeJson({ product_id: BigInt(productId), code, name, unit, barcodes, balance });
}

function keysOf({ barcodes, otherCodes }: ListedProduct): readonly CodeKey[] {
  return [...new Set([...barcodes, ...otherCodes].flatMap(codeKeys))];
}

function sameKeys(left: readonly CodeKey[], right: readonly CodeKey[]): boolean {
  return left.length === right.length && left.every((key, place) => key === right[place]);
}

function searchText(name: string, listed: ListedProduct | null, code: string | null): string {
  return wordsOf([name, code ?? '', ...(listed?.otherCodes ?? [])].join(' ')).join(' ');
}

/** Opens the writing side of catalogue.db. All calls throw StorageError. */
export function openProductWriter(database: Database): ProductWriter {
  const find = database.prepare<ExistingRow>(
    `SELECT number, pass, balance, balance_as_of, balance_is_live, code, name, raw FROM products JOIN details USING (number) WHERE product_id = ? AND stock = ?`,
  );
  const insert = database.prepare('INSERT INTO products (stock, product_id, pass, balance, balance_as_of, code, name, unit) VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const insertDetails = database.prepare('INSERT INTO details (number, raw) VALUES (?, ?)');
  const markSeen = database.prepare('UPDATE products SET pass = ?, balance = ?, balance_as_of = ?, balance_is_live = ? WHERE number = ?');
  const update = database.prepare('UPDATE products SET code = ?, name = ?, unit = ? WHERE number = ?');
  const updateRaw = database.prepare('UPDATE details SET raw = ? WHERE number = ?');
  const insertKey = database.prepare('INSERT OR IGNORE INTO product_keys (key, product) VALUES (?, ?)');
  const removeKey = database.prepare('DELETE FROM product_keys WHERE key = ? AND product = ?');
  const insertWords = database.prepare('INSERT INTO product_words (rowid, text) VALUES (?, ?)');
  const removeWords = database.prepare('DELETE FROM product_words WHERE rowid = ?');
  const insertFragments = database.prepare('INSERT INTO code_fragments (rowid, code) VALUES (?, ?)');
  const removeFragments = database.prepare('DELETE FROM code_fragments WHERE rowid = ?');
  const removeProduct = database.prepare('DELETE FROM products WHERE number = ?');
  const removeDetails = database.prepare('DELETE FROM details WHERE number = ?');
  const countCopied = database.prepare('UPDATE stocks SET copied = copied + ? WHERE number = ?');
  const nameStock = database.prepare('UPDATE stocks SET name = ? WHERE number = ? AND name IS NOT ?');
  const updateLive = database.prepare('UPDATE products SET balance = ?, balance_as_of = ?, balance_is_live = 1 WHERE number = ?');
  const updateLiveOptions = database.prepare('UPDATE details SET live_options = ? WHERE number = ?');
  const replaceAlias = database.prepare('INSERT OR REPLACE INTO aliases (key, product_id) VALUES (?, ?)');

  function addSearch(number: number, name: string, code: string | null, listed: ListedProduct): void {
    insertWords.run(number, searchText(name, listed, code));
    if (code !== null) {
      insertFragments.run(number, compactCode(code));
    }
  }

  function removeSearch(number: number, code: string | null): void {
    removeWords.run(number);
    if (code !== null) {
      removeFragments.run(number);
    }
  }

  function add(stock: StockNumber, listed: ListedProduct, raw: string, { pass, askedAt }: SaveOptions): void {
    const { code, name, unit, balance } = listed;
    const number = insert.run(stock.number, BigInt(listed.productId), pass, balance, balance === null ? null : askedAt, code, name, unit).lastId;
    insertDetails.run(number, raw);
    addSearch(number, name, code, listed);
    for (const key of keysOf(listed)) {
      insertKey.run(key, number);
    }
  }

  function change(existing: ExistingRow, listed: ListedProduct, raw: string): void {
    const { number } = existing;
    const before = readElement(parseJson(existing.raw));
    update.run(listed.code, listed.name, listed.unit, number);
    updateRaw.run(raw, number);
    const hasOtherWords = existing.name !== listed.name || existing.code !== listed.code || searchText(listed.name, listed, listed.code) !== searchText(existing.name, before, existing.code);
    if (hasOtherWords) {
      removeSearch(number, existing.code); // W1
      addSearch(number, listed.name, listed.code, listed);
    }
    const [oldKeys, newKeys] = [before === null ? [] : keysOf(before), keysOf(listed)];
    if (!sameKeys(oldKeys, newKeys)) {
      for (const key of oldKeys) {
        removeKey.run(key, number); // W1
      }
      for (const key of newKeys) {
        insertKey.run(key, number);
      }
    }
  }

  function markRow(existing: ExistingRow, listed: ListedProduct, { pass, askedAt }: SaveOptions): void {
    const lead = (existing.balance_as_of ?? 0) - askedAt;
    const keepsFigure = listed.balance === null || (existing.balance_is_live === 1 && lead > 0 && lead < believableLeadMs); // W2
    if (keepsFigure) {
      markSeen.run(Math.max(pass, existing.pass), existing.balance, existing.balance_as_of, existing.balance_is_live, existing.number);
    } else {
      markSeen.run(Math.max(pass, existing.pass), listed.balance, askedAt, 0, existing.number);
    }
  }

  return {
    save: (stock, elements, options) =>
      database.transaction(() => {
        const outcome = { fresh: 0, newlySeen: 0, skipped: 0, productIds: [] as Id[], offsetMinutes: null as number | null };
        let added = 0;
        for (const element of elements) {
          const listed = readElement(element);
          if (listed === null) {
            outcome.skipped += 1;
            continue;
          }
          const raw = rawOf(element, listed);
          const existing = find.get(BigInt(listed.productId), stock.number);
          if (existing === undefined) {
            add(stock, listed, raw, options);
            added += 1;
          } else {
            if (existing.raw !== raw) {
              change(existing, listed, raw);
            }
            markRow(existing, listed, options); // W3
          }
          outcome.fresh += existing === undefined || existing.pass < options.pass ? 1 : 0;
          outcome.newlySeen += existing === undefined || existing.pass < options.seenSince ? 1 : 0;
          outcome.productIds.push(listed.productId);
          outcome.offsetMinutes ??= listed.offsetMinutes;
          if (listed.stockName !== null) {
            nameStock.run(listed.stockName, stock.number, listed.stockName);
          }
        }
        if (added > 0) {
          countCopied.run(added, stock.number);
        }
        return outcome;
      }),

    saveBalance: (stock, productId, { amount, options, asOf }) =>
      database.transaction(() => {
        const existing = find.get(BigInt(productId), stock.number);
        if (existing === undefined) {
          return false;
        }
        updateLive.run(amount, asOf, existing.number);
        updateLiveOptions.run(options.length === 0 ? null : writeJson(options), existing.number);
        return true;
      }),

    remove: (stock, productIds) => {
      database.transaction(() => {
        let removed = 0;
        for (const productId of productIds) {
          const existing = find.get(BigInt(productId), stock.number);
          if (existing === undefined) {
            continue;
          }
          const before = readElement(parseJson(existing.raw));
          for (const key of before === null ? [] : keysOf(before)) {
            removeKey.run(key, existing.number);
          }
          removeSearch(existing.number, existing.code);
          removeProduct.run(existing.number);
          removeDetails.run(existing.number);
          removed += 1;
        }
        countCopied.run(-removed, stock.number);
      });
    },

    saveAlias: (code, productId) => {
      database.transaction(() => {
        for (const key of codeKeys(code)) {
          replaceAlias.run(key, BigInt(productId));
        }
      });
    },
  };
}
