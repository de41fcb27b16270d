import { expect, test } from 'vitest';
import type { Id } from '../../../../app/domain/int64.ts';
import { openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

test('a product counts once, in however many stocks it is; and counting stops when it is told to', async () => {
  const { repository } = await openRepository({ stockIds: [stockOne, stockTwo] });
  expect(await repository.products.count(() => Promise.resolve(true))).toBe(0);
  const ids = ['0', '9007199254740993', ...Array.from({ length: 5_100 }, (_, place) => String(place + 1))];
  for (const [place, stock] of repository.stocks().entries()) {
    const elements = ids
      .slice(0, place === 0 ? undefined : 40)
      .map((own) => ({ id: BigInt(own), name: `Produto ${own}` }));
    repository.writer.save(stock, listed(elements), { pass: 1, seenSince: 1, askedAt: 1 });
  }
  expect(await repository.products.count(() => Promise.resolve(true))).toBe(ids.length);
  expect(await repository.products.count(() => Promise.resolve(false))).toBeNull();
});

test('a product with stock counts in each stock, but for those that are left out', async () => {
  const { repository } = await openRepository({ stockIds: [stockOne, stockTwo] });
  for (const [place, stock] of repository.stocks().entries()) {
    const elements = Array.from({ length: 3 + place }, (_, at) => ({ id: at + 1, name: `Produto ${at}`, balance: at }));
    repository.writer.save(stock, listed(elements), { pass: 1, seenSince: 1, askedAt: 1 });
  }
  const count = (...without: Id[]) => repository.stocked.count(() => Promise.resolve(true), new Set(without));
  expect([await count(), await count(stockTwo), await count(stockOne, stockTwo)]).toEqual([5, 2, 0]);
});
