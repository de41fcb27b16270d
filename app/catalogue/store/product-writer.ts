//   W1  The terms and keys of a product are those of its present row, and of no earlier one.
//   W2  A figure is not replaced by one that was asked for before it, in a listing or by itself. One of a moment still to come is from
//       before the clock was set back, and is replaced.
//   W3  An element that has not changed costs one update of its narrow row; its whole text is compared by a digest and not read.
//   W4  A raw element is kept whole, up to 64 K characters; of a longer one, what it is found by and what a card shows in its places.
//   W5  A product counts as updated when its element says so (API v3 §4.3 `updated_from`); when that says nothing, since this terminal
//       saw it new or changed.
import { hash } from 'node:crypto';
import { codeKeys, type CodeKey } from '../../domain/codes/barcode.ts';
import type { Id } from '../../domain/int64.ts';
import { parseJson, writeJson } from '../../domain/json.ts';
import { codeKeys as codeFields, type OptionBalance } from '../../platform/stock-fields.ts';
import type { Database } from '../../storage/database.ts';
import { readElement, type ListedProduct } from './element.ts';
import { openOrderWriter } from '../browse/order-writer.ts';
import { openSearchWriter } from '../search/search-writer.ts';
import type { Searchable } from '../search/words.ts';

const maxRawLength = 65_536;

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
  readonly otherCodes: string | null;
  readonly rawDigest: number;
}

export interface ProductWriter {
  /** Stores the elements in one transaction. Many at a time keep the process busy: see slices.ts. */
  save(stock: StockNumber, elements: readonly unknown[], options: SaveOptions): SaveOutcome;
  /**
   * Stores elements without counting them as seen, and new ones without making them searchable: `save` and `index` are
   * then quick. One transaction.
   */
  saveAhead(stock: StockNumber, elements: readonly unknown[], askedAt: number): void;
  /** Makes searchable what `saveAhead` left out, in one transaction. */
  index(): void;
  /**
   * Brings so many rows of the former rule for words under their present terms, in one transaction. Answers whether
   * there are more.
   */
  renewWords(most: number): boolean;
  /**
   * Stores a figure that was asked for by itself at `asOf`, unless a newer one is there; false when this product is not
   * in the copy.
   */
  saveBalance(
    stock: StockNumber,
    productId: Id,
    figure: { readonly amount: number; readonly options: readonly OptionBalance[]; readonly asOf: number },
  ): boolean;
  /** Removes products in one transaction, and the aliases of those that are left in no stock. */
  remove(stock: StockNumber, productIds: readonly Id[]): void;
  /**
   * Remembers that the platform resolved a code to this product, instead of any other, at a moment in milliseconds
   * since 1970.
   */
  saveAlias(code: string, productId: Id, learnedAt: number): void;
  /** Forgets what the platform once resolved a code to. */
  removeAlias(code: string): void;
}

interface Raw {
  readonly text: string;
  readonly digest: number;
}

/** Reads back as the same product, with the same keys, without what has no place of its own. */
function shortForm({ productId, code, otherCodes, name, unit, barcodes, balance, options }: ListedProduct): string {
  const codes = [code, ...otherCodes].map((one, place) => [codeFields[place], one]);
  return writeJson({
    product_id: BigInt(productId),
    name,
    unit,
    barcodes,
    balance,
    ...Object.fromEntries(codes),
    options: options.map((option) => ({ name: option.name, balance: option.amount })),
  });
}

/** W3, W4 */
function rawOf(element: unknown, listed: ListedProduct): Raw {
  let raw = '';
  try {
    raw = writeJson(element);
  } catch {
    // Nested deeper than the stack.
  }
  const text = raw !== '' && raw.length <= maxRawLength ? raw : shortForm(listed);
  return { text, digest: digestOf(raw === '' ? text : raw) };
}

function keysOf({ barcodes, otherCodes }: ListedProduct): readonly CodeKey[] {
  return [...new Set([...barcodes, ...otherCodes].flatMap(codeKeys))];
}

function sameKeys(left: readonly CodeKey[], right: readonly CodeKey[]): boolean {
  return left.length === right.length && left.every((key, place) => key === right[place]);
}

// Of a whole element, in 48 bits: one that changed goes unnoticed once in 2^48 changes, until it changes again.
function digestOf(raw: string): number {
  return hash('sha1', raw, 'buffer').readUIntBE(0, 6);
}

function searchableOf({ name, code, otherCodes }: ListedProduct): Searchable {
  return { name, code, otherCodes: otherCodes.length === 0 ? null : otherCodes.join(' ') };
}

/** Opens the writing side of catalogue.db; `now` is in milliseconds since 1970. All calls throw StorageError. */
export function openProductWriter(database: Database, now: () => number): ProductWriter {
  const find = database.prepare<ExistingRow>(
    `SELECT number, pass, balance, balance_as_of, balance_is_live, code, name, other_codes AS otherCodes, raw_digest AS rawDigest FROM products WHERE product_id = ? AND stock = ?`,
  );
  const readRaw = database.prepare<{ raw: string }>('SELECT raw FROM details WHERE number = ?');
  const insert = database.prepare(
    'INSERT INTO products (stock, product_id, pass, balance, balance_as_of, code, name, unit, updated_at, updated_is_told, other_codes, raw_digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertDetails = database.prepare('INSERT INTO details (number, raw) VALUES (?, ?)');
  const markSeen = database.prepare(
    'UPDATE products SET pass = ?, balance = ?, balance_as_of = ?, balance_is_live = ? WHERE number = ?',
  );
  const update = database.prepare(
    'UPDATE products SET code = ?, name = ?, unit = ?, other_codes = ?, raw_digest = ? WHERE number = ?',
  );
  const markUpdated = database.prepare('UPDATE products SET updated_at = ?, updated_is_told = ? WHERE number = ?');
  const updateRaw = database.prepare('UPDATE details SET raw = ? WHERE number = ?');
  const insertKey = database.prepare('INSERT OR IGNORE INTO product_keys (key, product) VALUES (?, ?)');
  const removeKey = database.prepare('DELETE FROM product_keys WHERE key = ? AND product = ?');
  const removeProduct = database.prepare('DELETE FROM products WHERE number = ?');
  const removeDetails = database.prepare('DELETE FROM details WHERE number = ?');
  const countCopied = database.prepare('UPDATE stocks SET copied = copied + ? WHERE number = ?');
  const nameStock = database.prepare('UPDATE stocks SET name = ? WHERE number = ? AND name IS NOT ?');
  const updateLive = database.prepare(
    'UPDATE products SET balance = ?, balance_as_of = ?, balance_is_live = 1 WHERE number = ?',
  );
  const updateLiveOptions = database.prepare('UPDATE details SET live_options = ? WHERE number = ?');
  const orders = openOrderWriter(database);
  const search = openSearchWriter(database);
  const replaceAlias = database.prepare(
    'INSERT OR REPLACE INTO aliases (key, product_id, learned_at) VALUES (?, ?, ?)',
  );
  const removeAlias = database.prepare('DELETE FROM aliases WHERE key = ?');
  const removeAliasesOf = database.prepare(
    'DELETE FROM aliases WHERE product_id = ?1 AND NOT EXISTS (SELECT 1 FROM products WHERE product_id = ?1)',
  );

  /** W2 */
  function isNewer(balanceAsOf: number | null, askedAt: number): boolean {
    return balanceAsOf !== null && balanceAsOf > askedAt && balanceAsOf <= now();
  }

  function add(stock: StockNumber, listed: ListedProduct, raw: Raw, { pass, askedAt }: SaveOptions): void {
    const { code, name, unit, balance } = listed;
    const searchable = searchableOf(listed);
    const number = insert.run(
      stock.number,
      BigInt(listed.productId),
      pass,
      balance,
      balance === null ? null : askedAt,
      code,
      name,
      unit,
      listed.updatedAt ?? askedAt,
      listed.updatedAt === null ? 0 : 1,
      searchable.otherCodes,
      raw.digest,
    ).lastId;
    orders.add(number, stock.number, listed);
    insertDetails.run(number, raw.text);
    search.add(number);
    for (const key of keysOf(listed)) {
      insertKey.run(key, number);
    }
  }

  /** The keys that a row was stored under. */
  function storedKeys(number: number): readonly CodeKey[] {
    const before = readElement(parseJson(readRaw.get(number)?.raw ?? ''));
    return before === null ? [] : keysOf(before);
  }

  function change(existing: ExistingRow, listed: ListedProduct, raw: Raw): void {
    const { number } = existing;
    const searchable = searchableOf(listed);
    const [oldKeys, newKeys] = [storedKeys(number), keysOf(listed)];
    update.run(listed.code, listed.name, listed.unit, searchable.otherCodes, raw.digest, number);
    updateRaw.run(raw.text, number);
    search.change(number, existing, searchable); // W1
    if (!sameKeys(oldKeys, newKeys)) {
      for (const key of oldKeys) {
        removeKey.run(key, number); // W1
      }
      for (const key of newKeys) {
        insertKey.run(key, number);
      }
    }
  }

  function markRow(existing: ExistingRow, listed: ListedProduct, { pass, askedAt }: SaveOptions): number | null {
    const keepsFigure = listed.balance === null || isNewer(existing.balance_as_of, askedAt); // W2
    if (keepsFigure) {
      markSeen.run(
        Math.max(pass, existing.pass),
        existing.balance,
        existing.balance_as_of,
        existing.balance_is_live,
        existing.number,
      );
    } else {
      markSeen.run(Math.max(pass, existing.pass), listed.balance, askedAt, 0, existing.number);
    }
    return keepsFigure ? existing.balance : listed.balance;
  }

  function markChange(
    stock: StockNumber,
    existing: ExistingRow,
    listed: ListedProduct,
    balance: number | null,
    isOther: boolean,
    askedAt: number,
  ): void {
    orders.change(existing.number, stock.number, existing, { code: listed.code, name: listed.name, balance });
    if (isOther || balance !== existing.balance) {
      markUpdated.run(listed.updatedAt ?? askedAt, listed.updatedAt === null ? 0 : 1, existing.number); // W5
    }
  }

  function store(stock: StockNumber, elements: readonly unknown[], options: SaveOptions): SaveOutcome {
    const outcome = {
      fresh: 0,
      newlySeen: 0,
      skipped: 0,
      productIds: [] as Id[],
      offsetMinutes: null as number | null,
    };
    let copied = 0;
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
        copied += 1;
      } else {
        const isOther = existing.rawDigest !== raw.digest; // W3
        if (isOther) {
          change(existing, listed, raw);
        }
        const balance = markRow(existing, listed, options);
        markChange(stock, existing, listed, balance, isOther, options.askedAt);
      }
      outcome.fresh += existing === undefined || existing.pass < options.pass ? 1 : 0;
      outcome.newlySeen += existing === undefined || existing.pass < options.seenSince ? 1 : 0;
      outcome.productIds.push(listed.productId);
      outcome.offsetMinutes ??= listed.offsetMinutes;
      if (listed.stockName !== null) {
        nameStock.run(listed.stockName, stock.number, listed.stockName);
      }
    }
    if (copied > 0) {
      countCopied.run(copied, stock.number);
    }
    return outcome;
  }

  return {
    save: (stock, elements, options) =>
      database.transaction(() => {
        const outcome = store(stock, elements, options);
        search.complete();
        return outcome;
      }),

    saveAhead: (stock, elements, askedAt) => {
      database.transaction(() => store(stock, elements, { pass: 0, seenSince: 0, askedAt }));
    },

    index: () => {
      database.transaction(() => {
        search.complete();
      });
    },

    renewWords: (most) => database.transaction(() => search.renew(most)),

    saveBalance: (stock, productId, { amount, options, asOf }) =>
      database.transaction(() => {
        const existing = find.get(BigInt(productId), stock.number);
        if (existing === undefined) {
          return false;
        }
        if (isNewer(existing.balance_as_of, asOf)) {
          return true; // W2
        }
        updateLive.run(amount, asOf, existing.number);
        orders.change(existing.number, stock.number, existing, { ...existing, balance: amount });
        if (amount !== existing.balance) {
          markUpdated.run(asOf, 0, existing.number); // W5
        }
        updateLiveOptions.run(
          options.length === 0 ? null : writeJson(options.map(({ name, amount: left }) => ({ name, amount: left }))),
          existing.number,
        );
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
          for (const key of storedKeys(existing.number)) {
            removeKey.run(key, existing.number);
          }
          search.remove(existing.number, existing);
          orders.remove(existing.number, existing);
          removeProduct.run(existing.number);
          removeDetails.run(existing.number);
          removeAliasesOf.run(BigInt(productId));
          removed += 1;
        }
        countCopied.run(-removed, stock.number);
      });
    },

    saveAlias: (code, productId, learnedAt) => {
      database.transaction(() => {
        for (const key of codeKeys(code)) {
          replaceAlias.run(key, BigInt(productId), learnedAt);
        }
      });
    },

    removeAlias: (code) => {
      database.transaction(() => {
        for (const key of codeKeys(code)) {
          removeAlias.run(key);
        }
      });
    },
  };
}
