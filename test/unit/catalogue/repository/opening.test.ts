// The proof of what a store finds when it is opened again.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { catalogueMigrations } from '../../../../app/catalogue/repository/migrations.ts';
import { Database, StorageError } from '../../../../app/storage/database.ts';
import { elementOf, id, openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { coffee, save } from './repository-fixture.ts';

describe('opening', () => {
  test('what was saved is there again', async () => {
    const first = await openRepository();
    save(first.repository, [coffee]);
    first.repository.close();
    const { repository, wasRebuilt } = await openRepository({ path: first.path });
    expect(wasRebuilt).toBe(false);
    expect(repository.reader.findByBarcode('9520000000011')).toHaveLength(1);
  });

  test('another fingerprint empties everything', async () => {
    const first = await openRepository();
    save(first.repository, [coffee]);
    first.repository.recent.remember({ at: 1, text: 'x', answer: 'unknown', product: null });
    first.repository.close();
    const { repository } = await openRepository({ path: first.path, fingerprint: 'https://other.example.com 1' });
    expect(repository.reader.findById(id(1))).toEqual([]);
    expect(repository.search.search('cafe', 5)).toEqual([]);
    expect(repository.recent.list()).toEqual([]);
    expect(repository.stocks()).toMatchObject([{ copied: 0, progress: { since: null } }]);
  });

  test.each([
    ['cut off', `'{"lastPass":12,"fu'`],
    ['of another version', `json_set(progress, '$.fieldOfAnotherVersion', 1)`],
  ])('progress that is %s begins anew, above the passes that the rows were seen by', async (_name, damaged) => {
    const first = await openRepository({ stockIds: [stockOne, stockTwo] });
    save(first.repository, [coffee], { pass: 41 });
    save(first.repository, [coffee], { pass: 99, stock: 1 });
    for (const stock of first.repository.stocks()) {
      first.repository.saveProgress(stock, { ...noProgress, lastPass: 43, completeAsOf: 5 });
    }
    first.repository.close();
    const other = await Database.open(first.path, { kind: 'disposable', migrations: catalogueMigrations });
    other.exec(`UPDATE stocks SET progress = ${damaged} WHERE stock_id = ${stockOne}`);
    other.close();
    const { repository, wasRebuilt } = await openRepository({ path: first.path, stockIds: [stockOne, stockTwo] });
    expect(wasRebuilt).toBe(false);
    expect(repository.stocks()).toMatchObject([
      { copied: 1, progress: { ...noProgress, lastPass: 41 } },
      { copied: 1, progress: { ...noProgress, lastPass: 43, completeAsOf: 5 } },
    ]);
  });

  test('a file that is no database makes way', async () => {
    const first = await openRepository();
    first.repository.close();
    writeFileSync(first.path, 'x'.repeat(100_000));
    const { repository, wasRebuilt } = await openRepository({ path: first.path });
    expect(wasRebuilt).toBe(true);
    expect(repository.stocks()).toHaveLength(1);
  });

  test('damage in the middle shows as StorageError with isDamage, and rebuild makes way', async () => {
    const first = await openRepository();
    save(
      first.repository,
      Array.from({ length: 2_000 }, (_, place) =>
        elementOf({ id: BigInt(place + 1), code: `C${place}`, name: `Produto ${place}`, updatedAt: 0 }),
      ),
    );
    first.repository.close();
    const bytes = readFileSync(first.path);
    bytes.fill(0xa5, 4096 * 4);
    writeFileSync(first.path, bytes);
    const damaged = await openRepository({ path: first.path });
    if (!damaged.wasRebuilt) {
      let thrown: unknown;
      try {
        for (let place = 1; place <= 2_000; place += 1) {
          damaged.repository.reader.card(damaged.repository.reader.find(stockOne, id(place)) ?? 0);
        }
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(StorageError);
      expect((thrown as StorageError).isDamage).toBe(true);
    }
    damaged.repository.close();
    const { repository, wasRebuilt } = await openRepository({ path: first.path, rebuild: true });
    expect(wasRebuilt).toBe(true);
    expect(repository.reader.findById(id(1))).toEqual([]);
  });
});
