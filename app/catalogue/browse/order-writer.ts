//   O1  Every product has exactly one row in each order, under the keys of its present name, code and balance.
//   O2  A row is touched only when its key or its level has changed.
import type { Database } from '../../storage/database.ts';
import { balanceOrderKey, codeOrderKey, levelOf, orderKey, type OrderedFacts } from './order-keys.ts';

/**
 * Opens the writing side of the orders; to be used inside the transaction that writes the product. Throws StorageError.
 */
export function openOrderWriter(database: Database) {
  const texts = [
    {
      table: 'name_order',
      textOf: ({ name }: OrderedFacts) => name,
      keyOf: ({ name }: OrderedFacts) => orderKey(name),
    },
    {
      table: 'code_order',
      textOf: ({ code }: OrderedFacts) => code,
      keyOf: ({ code }: OrderedFacts) => codeOrderKey(code),
    },
  ].map((order) => ({
    ...order,
    insert: database.prepare(`INSERT INTO ${order.table} (key, product, stock, level) VALUES (?, ?, ?, ?)`),
    relevel: database.prepare(`UPDATE ${order.table} SET level = ? WHERE key = ? AND product = ?`),
    drop: database.prepare(`DELETE FROM ${order.table} WHERE key = ? AND product = ?`),
  }));
  const balances = {
    insert: database.prepare('INSERT INTO balance_order (balance, key, product, stock, level) VALUES (?, ?, ?, ?, ?)'),
    drop: database.prepare('DELETE FROM balance_order WHERE balance = ? AND key = ? AND product = ?'),
  };
  const addBalance = (product: number, stock: number, { name, balance }: OrderedFacts): void => {
    balances.insert.run(balanceOrderKey(balance), orderKey(name), product, stock, levelOf(balance));
  };
  const dropBalance = (product: number, { name, balance }: OrderedFacts): void => {
    balances.drop.run(balanceOrderKey(balance), orderKey(name), product);
  };
  return {
    add: (product: number, stock: number, facts: OrderedFacts) => {
      for (const { keyOf, insert } of texts) {
        insert.run(keyOf(facts), product, stock, levelOf(facts.balance));
      }
      addBalance(product, stock, facts);
    },
    change: (product: number, stock: number, before: OrderedFacts, after: OrderedFacts) => {
      for (const { textOf, keyOf, insert, relevel, drop } of texts) {
        if (textOf(before) !== textOf(after)) {
          drop.run(keyOf(before), product); // O1
          insert.run(keyOf(after), product, stock, levelOf(after.balance));
        } else if (levelOf(before.balance) !== levelOf(after.balance)) {
          relevel.run(levelOf(after.balance), keyOf(after), product); // O2
        }
      }
      if (before.balance !== after.balance || before.name !== after.name) {
        dropBalance(product, before);
        addBalance(product, stock, after);
      }
    },
    remove: (product: number, facts: OrderedFacts) => {
      for (const { keyOf, drop } of texts) {
        drop.run(keyOf(facts), product);
      }
      dropBalance(product, facts);
    },
  };
}
