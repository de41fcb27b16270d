// The proof of what becomes of the copy when a profile's stocks change.
import { expect, test } from 'vitest';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import type { CatalogueStore } from '../../../../app/catalogue/store/store.ts';
import { id, openStore, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

const coffee = { id: 1, name: 'Café torrado', code: 'CF-001', barcode: '9520000000011' };

function save(store: CatalogueStore, elements: readonly unknown[]): void {
  const [stock] = store.stocks();
  store.writer.save(stock ?? expect.unreachable('a stock'), listed(elements), { pass: 1, seenSince: 1, askedAt: 1 });
}

test('a stock that came is added; one that went is hidden and loses its rows alone, also after a crash', async () => {
  const first = await openStore();
  save(first.store, [
    coffee,
    { id: 2, name: 'Only here', barcode: '9520000000028' },
    { id: 3, name: 'Only here, too' },
  ]);
  first.store.writer.saveAlias('95200002', id(2), 1);
  first.store.close();
  const second = await openStore({ path: first.path, stockIds: [stockTwo, stockOne] });
  expect(second.store.stocks().map(({ stockId, copied }) => [stockId, copied])).toEqual([
    [stockTwo, 0],
    [stockOne, 3],
  ]);
  save(second.store, [coffee]);
  second.store.saveProgress(second.store.stocks()[0] ?? expect.unreachable(), { ...noProgress, completeAsOf: 5 });
  second.store.close();

  const stockIds = [stockTwo];
  const third = await openStore({ path: first.path, stockIds });
  const shown = (store: CatalogueStore) =>
    [1, 2, 3]
      .flatMap((productId) => store.reader.findById(id(productId)))
      .flatMap((row) => store.reader.hit(row)?.stockId ?? []);
  expect(shown(third.store)).toEqual([stockTwo]);
  expect(third.store.stocks()).toMatchObject([{ stockId: stockTwo, copied: 1, progress: { completeAsOf: 5 } }]);
  expect(third.store.removeFormer(1)).toBe(true);
  third.store.close();
  const { store } = await openStore({ path: first.path, stockIds });
  while (store.removeFormer(2)) {
    expect(shown(store)).toEqual([stockTwo]);
  }
  expect(store.reader.findByBarcode('9520000000028')).toEqual([]);
  expect(store.reader.findByAlias('95200002')).toEqual([]);
  expect(store.search.search('only', 5)).toEqual([]);
  expect(store.search.search('cafe', 5)).toHaveLength(1);
  store.close();
  // Back again, it is copied anew.
  const last = await openStore({ path: first.path, stockIds: [stockTwo, stockOne] });
  expect(last.store.stocks().map(({ stockId, copied }) => [stockId, copied])).toEqual([
    [stockTwo, 1],
    [stockOne, 0],
  ]);
  expect(last.store.removeFormer(2)).toBe(false);
});
