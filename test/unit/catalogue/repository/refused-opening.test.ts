// The proof that a copy which the disk refuses when it is opened is the same copy afterwards.
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Database } from '../../../../app/storage/database.ts';
import { id, openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { coffee, save } from './repository-fixture.ts';

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
  const { path, repository } = await openRepository();
  save(repository, [coffee]);
  repository.close();
  return path;
}

test('one that cannot be written to is read, and is not rebuilt', async () => {
  const path = await keptCopy();
  refuseWrites();
  const { repository, wasRebuilt } = await openRepository({ path });
  expect(wasRebuilt).toBe(false);
  expect(repository.reader.findById(id(1))).toHaveLength(1);
  expect(() => repository.tryWriting()).toThrow('readonly');
  repository.close();
});

test('a stock that cannot be added yet is not in it, and the others are', async () => {
  const path = await keptCopy();
  const takeWrites = refuseWrites();
  const refused = await openRepository({ path, stockIds: [stockOne, stockTwo] });
  expect(refused.repository.stocks().map(({ stockId }) => stockId)).toEqual([stockOne]);
  refused.repository.close();
  takeWrites();
  const { repository } = await openRepository({ path, stockIds: [stockOne, stockTwo] });
  expect(repository.stocks().map(({ stockId }) => stockId)).toEqual([stockOne, stockTwo]);
  expect(repository.reader.findById(id(1))).toHaveLength(1);
  repository.close();
});

test('a stock that could not be added is copied once the disk takes it, also without a new start', async () => {
  const path = await keptCopy();
  const open = Database.open.bind(Database);
  let database: Database | null = null;
  const spy = vi.spyOn(Database, 'open').mockImplementation(async (...how) => {
    database = await open(...how);
    database.exec('PRAGMA query_only = ON');
    return database;
  });
  onTestFinished(() => spy.mockRestore());
  const { repository } = await openRepository({ path, stockIds: [stockOne, stockTwo] });
  expect(() => repository.tryWriting()).toThrow('readonly');
  expect(repository.stocks().map(({ stockId }) => stockId)).toEqual([stockOne]);
  (database as Database | null)?.exec('PRAGMA query_only = OFF');
  repository.tryWriting();
  expect(repository.stocks().map(({ stockId }) => stockId)).toEqual([stockOne, stockTwo]);
  repository.close();
});

test('one of another company, or with a stock that went, is not shown while that cannot be written', async () => {
  const path = await keptCopy();
  const takeWrites = refuseWrites();
  for (const other of [{ fingerprint: 'https://other.example.com 1' }, { stockIds: [stockTwo] }]) {
    await expect(openRepository({ path, ...other })).rejects.toMatchObject({ isDamage: false });
  }
  takeWrites();
  const { repository, wasRebuilt } = await openRepository({ path });
  expect(wasRebuilt).toBe(false);
  expect(repository.reader.findById(id(1))).toHaveLength(1);
  repository.close();
});

test('one whose tables are not what they were makes way', async () => {
  const path = await keptCopy();
  const other = new DatabaseSync(path);
  other.exec('DROP TABLE search_terms');
  other.close();
  const { repository, wasRebuilt } = await openRepository({ path });
  expect(wasRebuilt).toBe(true);
  expect(repository.stocks()).toMatchObject([{ stockId: stockOne, copied: 0 }]);
  repository.close();
});

test('one whose progress cannot be read is read all the same, and mended once that can be written', async () => {
  const path = await keptCopy();
  const other = new DatabaseSync(path);
  other.exec("UPDATE stocks SET progress = '{'");
  other.close();
  const takeWrites = refuseWrites();
  const refused = await openRepository({ path });
  expect(refused.repository.reader.findById(id(1))).toHaveLength(1);
  refused.repository.close();
  takeWrites();
  const { repository, wasRebuilt } = await openRepository({ path });
  expect(wasRebuilt).toBe(false);
  expect(repository.stocks()).toMatchObject([{ copied: 1, progress: { lastPass: 1 } }]);
  repository.close();
});
