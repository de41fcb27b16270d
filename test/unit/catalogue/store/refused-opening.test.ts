// The proof that a copy which the disk refuses when it is opened is the same copy afterwards.
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Database } from '../../../../app/storage/database.ts';
import { id, openStore, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { coffee, save } from './store-fixture.ts';

/** From now on nothing can be written through connections that are opened. */
function refuseWrites(): () => void {
  const open = Database.open.bind(Database);
  const spy = vi.spyOn(Database, 'open').mockImplementation(async (path, options) => {
    const database = await open(path, options);
    database.exec('PRAGMA query_only = ON');
    return database;
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}

async function keptCopy(): Promise<string> {
  const { path, store } = await openStore();
  save(store, [coffee]);
  store.close();
  return path;
}

test('one that cannot be written to is read, and is not rebuilt', async () => {
  const path = await keptCopy();
  refuseWrites();
  const { store, wasRebuilt } = await openStore({ path });
  expect(wasRebuilt).toBe(false);
  expect(store.reader.findById(id(1))).toHaveLength(1);
  expect(() => store.tryWriting()).toThrow('readonly');
  store.close();
});

test('a stock that cannot be added yet is not in it, and the others are', async () => {
  const path = await keptCopy();
  const takeWrites = refuseWrites();
  const refused = await openStore({ path, stockIds: [stockOne, stockTwo] });
  expect(refused.store.stocks().map(({ stockId }) => stockId)).toEqual([stockOne]);
  refused.store.close();
  takeWrites();
  const { store } = await openStore({ path, stockIds: [stockOne, stockTwo] });
  expect(store.stocks().map(({ stockId }) => stockId)).toEqual([stockOne, stockTwo]);
  expect(store.reader.findById(id(1))).toHaveLength(1);
  store.close();
});

test('one of another company, or with a stock that went, is not shown while that cannot be written', async () => {
  const path = await keptCopy();
  const takeWrites = refuseWrites();
  for (const other of [{ fingerprint: 'https://other.example.com 1' }, { stockIds: [stockTwo] }]) {
    await expect(openStore({ path, ...other })).rejects.toMatchObject({ isDamage: false });
  }
  takeWrites();
  const { store, wasRebuilt } = await openStore({ path });
  expect(wasRebuilt).toBe(false);
  expect(store.reader.findById(id(1))).toHaveLength(1);
  store.close();
});

test('one whose tables are not what they were makes way', async () => {
  const path = await keptCopy();
  const other = new DatabaseSync(path);
  other.exec('DROP TABLE search_terms');
  other.close();
  const { store, wasRebuilt } = await openStore({ path });
  expect(wasRebuilt).toBe(true);
  expect(store.stocks()).toMatchObject([{ stockId: stockOne, copied: 0 }]);
  store.close();
});

test('one whose progress cannot be read is read all the same, and mended once that can be written', async () => {
  const path = await keptCopy();
  const other = new DatabaseSync(path);
  other.exec("UPDATE stocks SET progress = '{'");
  other.close();
  const takeWrites = refuseWrites();
  const refused = await openStore({ path });
  expect(refused.store.reader.findById(id(1))).toHaveLength(1);
  refused.store.close();
  takeWrites();
  const { store, wasRebuilt } = await openStore({ path });
  expect(wasRebuilt).toBe(false);
  expect(store.stocks()).toMatchObject([{ copied: 1, progress: { lastPass: 1 } }]);
  store.close();
});
