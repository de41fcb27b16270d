// Proves how many answers are kept, and which go.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { id, openRepository, stockOne } from '../catalogue-fixture.ts';

test('2,000 answers are kept, however often one of them was asked for, and then the oldest goes', async () => {
  const { repository } = await openRepository();
  const keep = (product: number): void => repository.keptAnswers.keep('movements', stockOne, id(product), product);
  const has = (product: number): boolean =>
    repository.keptAnswers.find('movements', stockOne, id(product), z.number()) === product;
  repository.transaction(() => {
    for (let product = 1; product <= 2_000; product += 1) keep(product);
    for (let asked = 0; asked < 2_000; asked += 1) keep(7);
  });
  expect([1, 2, 7, 2_000].map(has)).toEqual([true, true, true, true]);
  keep(2_001);
  expect([1, 2, 7, 2_000, 2_001].map(has)).toEqual([false, true, true, true, true]);
});
