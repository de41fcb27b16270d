import { codeKeys, type CodeKey } from '../../domain/codes/barcode.ts';
import type { Id } from '../../domain/int64.ts';
import type { ListedProduct } from '../../platform/listing/listed.ts';
import type { Database } from '../../storage/database.ts';

/** The keys under which a product's row is found. */
export function keysOf({ barcodes, otherCodes }: ListedProduct): readonly CodeKey[] {
  return [...new Set([...barcodes, ...otherCodes].flatMap(codeKeys))];
}

function sameKeys(left: readonly CodeKey[], right: readonly CodeKey[]): boolean {
  return left.length === right.length && left.every((key, place) => key === right[place]);
}

/** Opens the writing of the codes that a row is found by. All calls throw StorageError. */
export function openKeyWriter(database: Database) {
  const insertKey = database.prepare('INSERT OR IGNORE INTO product_keys (key, product) VALUES (?, ?)');
  const removeKey = database.prepare('DELETE FROM product_keys WHERE key = ? AND product = ?');

  const add = (number: number, keys: readonly CodeKey[]): void => {
    for (const key of keys) {
      insertKey.run(key, number);
    }
  };
  const remove = (number: number, keys: readonly CodeKey[]): void => {
    for (const key of keys) {
      // mutant: a label that a product no longer has still finds it (I17)
      removeKey.run(key, number); // W1
    }
  };
  return {
    add: (number: number, listed: ListedProduct) => add(number, keysOf(listed)),
    change: (number: number, before: ListedProduct | null, now: ListedProduct) => {
      const [oldKeys, newKeys] = [before === null ? [] : keysOf(before), keysOf(now)];
      if (!sameKeys(oldKeys, newKeys)) {
        remove(number, oldKeys);
      }
      // Also of one that an earlier version of the reader stored: what is there already is not written.
      add(number, newKeys);
    },
    remove: (number: number, before: ListedProduct | null) => remove(number, before === null ? [] : keysOf(before)),
  };
}

/** Opens the writing of aliases: codes that the platform resolved to a product. All calls throw StorageError. */
export function openAliasWriter(database: Database) {
  const replaceAlias = database.prepare(
    'INSERT OR REPLACE INTO aliases (key, product_id, learned_at, stocks) VALUES (?, ?, ?, ?)',
  );
  // No product has this id.
  const removeAlias = database.prepare('UPDATE aliases SET product_id = -1, learned_at = ? WHERE key = ?');
  const addStock = database.prepare(
    "UPDATE aliases SET stocks = stocks || ',' || ?1 WHERE key = ?2 AND instr(',' || stocks || ',', ',' || ?1 || ',') = 0",
  );
  const removeAliasesOf = database.prepare(
    'DELETE FROM aliases WHERE product_id = ?1 AND NOT EXISTS (SELECT 1 FROM products WHERE product_id = ?1)',
  );
  return {
    save: (code: string, productId: Id, learnedAt: number, stockIds: readonly Id[]) => {
      for (const key of codeKeys(code)) {
        replaceAlias.run(key, BigInt(productId), learnedAt, stockIds.join(','));
      }
    },
    noteAsked: (code: string, stockIds: readonly Id[]) => {
      for (const key of codeKeys(code)) {
        stockIds.forEach((stockId) => addStock.run(stockId, key));
      }
    },
    remove: (code: string, at: number) => {
      for (const key of codeKeys(code)) {
        removeAlias.run(at, key);
      }
    },
    /** Those of a product that is left in no stock. */
    removeLost: (productId: Id) => {
      removeAliasesOf.run(BigInt(productId));
    },
  };
}
