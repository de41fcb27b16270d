// The proof of what becomes of the copy when a profile's stocks change.
import { expect, test } from 'vitest';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { id, openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

const coffee = { id: 1, name: 'Café torrado', code: 'CF-001', barcode: '9520000000011' };

function save(repository: CatalogueRepository, elements: readonly unknown[]): void {
  const [stock] = repository.stocks();
  repository.writer.save(stock ?? expect.unreachable('a stock'), listed(elements), {
    pass: 1,
    seenSince: 1,
    askedAt: 1,
  });
}

test('a stock that came is added; one that went is hidden and loses its rows alone, also after a crash', async () => {
  const first = await openRepository();
  save(first.repository, [
    coffee,
    { id: 2, name: 'Only here', barcode: '9520000000028' },
    { id: 3, name: 'Only here, too' },
  ]);
  first.repository.writer.saveAlias('95200002', id(2), 1, [stockOne]);
  first.repository.close();
  const second = await openRepository({ path: first.path, stockIds: [stockTwo, stockOne] });
  expect(second.repository.stocks().map(({ stockId, copied }) => [stockId, copied])).toEqual([
    [stockTwo, 0],
    [stockOne, 3],
  ]);
  save(second.repository, [coffee]);
  second.repository.saveProgress(second.repository.stocks()[0] ?? expect.unreachable(), {
    ...noProgress,
    completeAsOf: 5,
  });
  second.repository.close();

  const stockIds = [stockTwo];
  const third = await openRepository({ path: first.path, stockIds });
  const shown = (repository: CatalogueRepository) =>
    [1, 2, 3]
      .flatMap((productId) => repository.reader.findById(id(productId)))
      .flatMap((row) => repository.reader.hit(row)?.stockId ?? []);
  expect(shown(third.repository)).toEqual([stockTwo]);
  expect(third.repository.stocks()).toMatchObject([{ stockId: stockTwo, copied: 1, progress: { completeAsOf: 5 } }]);
  expect(third.repository.removeFormer(1)).toBe(true);
  third.repository.close();
  const { repository } = await openRepository({ path: first.path, stockIds });
  while (repository.removeFormer(2)) {
    expect(shown(repository)).toEqual([stockTwo]);
  }
  expect(repository.reader.findByBarcode('9520000000028')).toEqual([]);
  expect(repository.reader.findByAlias('95200002')).toEqual([]);
  expect(repository.search.search('only', 5)).toEqual([]);
  expect(repository.search.search('cafe', 5)).toHaveLength(1);
  repository.close();
  // Back again, it is copied anew.
  const last = await openRepository({ path: first.path, stockIds: [stockTwo, stockOne] });
  expect(last.repository.stocks().map(({ stockId, copied }) => [stockId, copied])).toEqual([
    [stockTwo, 1],
    [stockOne, 0],
  ]);
  expect(last.repository.removeFormer(2)).toBe(false);
});
