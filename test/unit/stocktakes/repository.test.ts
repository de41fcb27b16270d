import { expect, test } from 'vitest';
import { linesPageSchema, stocktakePageSchema } from '../../../app/contract/stocktakes.ts';
import { fail } from '../../../app/domain/result.ts';
import { maxStocktakes } from '../../../app/stocktakes/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { openStocktakeRepository } from '../../../app/stocktakes/repository.ts';
import { begin, entry, now, openDatabase, openRepository, product, shop } from './stocktake-fixture.ts';

test('those that are open come first, then the newest', async () => {
  const repository = await openRepository();
  const [first, second, third] = [begin(repository, 'one'), begin(repository, 'two'), begin(repository, 'three')];
  repository.close(third, now + 5);
  expect(repository.list(0, 10).rows.map(({ id }) => id)).toEqual([second, first, third]);
  expect(repository.list(1, 1)).toMatchObject({ total: 3, rows: [{ id: first, closedAt: null }] });
  expect(repository.find(third)).toMatchObject({ closedAt: now + 5, startedBy: 'ana@example.com', stockName: 'Loja' });
  repository.open(third);
  expect(repository.find(third)?.closedAt).toBeNull();
});

test.each([
  { ...shop, companyId: '8' as Id },
  { ...shop, stockIds: ['12' as Id] },
])('each stock of each company has its own: none at %j', async (other) => {
  const database = await openDatabase();
  const mine = openStocktakeRepository(database, { ...shop, stockIds: ['12', '11'] as Id[] });
  const others = openStocktakeRepository(database, other);
  const id = begin(mine);
  expect([mine.list(0, 10).total, mine.find(id)?.id, others.list(0, 10).total, others.find(id)]).toEqual([
    1,
    id,
    0,
    null,
  ]);
});

test('a count of a filter, and a line of a product, that a failing disk has altered hide no other', async () => {
  const database = await openDatabase();
  const repository = openStocktakeRepository(database, shop);
  const id = begin(repository);
  repository.lines.add(id, product(1), { ...entry(9), text: 'A-1', quantity: 9 });
  database.exec(
    `UPDATE stocktakes SET filter = '{"tdrm":"","amount":"all"}'; UPDATE lines SET product_id = '4\u00e91'`,
  );
  expect(stocktakePageSchema.parse(repository.list(0, 10)).rows).toMatchObject([{ id, filter: null }]);
  expect(linesPageSchema.parse(repository.lines.list(id, null, 0, 10)).rows).toMatchObject([{ productId: '0' }]);
});

test('none begins in a stock that is not open', async () => {
  const repository = openStocktakeRepository(await openDatabase(), { ...shop, stockIds: ['12' as Id] });
  const wanted = { name: 'x', stockId: '11' as Id, stockName: null, filter: null, at: now, email: null };
  expect(repository.prepare(wanted)).toEqual(fail({ kind: 'inputInvalid' }));
});

test('a deleted one is gone at once, its lines bit by bit, and those of others stay', async () => {
  const database = await openDatabase();
  const repository = openStocktakeRepository(database, shop);
  const [doomed, kept] = [begin(repository, 'doomed'), begin(repository, 'kept')];
  for (let number = 1; number <= 1_200; number += 1) {
    repository.lines.add(doomed, product(number), { ...entry(1), text: '', quantity: 1 });
  }
  repository.lines.add(kept, product(1), { ...entry(1), text: '', quantity: 1 });
  repository.remove(doomed);
  expect([repository.list(0, 10).total, repository.find(doomed)]).toEqual([1, null]);
  const left = (): number => database.prepare<{ left: number }>('SELECT count(*) AS left FROM lines').get()?.left ?? 0;
  expect(repository.forgetSome()).toBe(true);
  expect(left()).toBeGreaterThan(600);
  while (repository.forgetSome());
  expect(left()).toBe(1);
  const tallied = database.prepare<{ stocktake_id: number }>('SELECT stocktake_id FROM tallies').all();
  expect(new Set(tallied.map(({ stocktake_id: id }) => id))).toEqual(new Set([kept]));
  expect(repository.find(kept)?.lines.same).toBe(1);
});

test('what was being prepared when the app ended was never begun', async () => {
  const repository = await openRepository();
  const prepared = repository.prepare({
    name: 'x',
    stockId: '11' as Id,
    stockName: null,
    filter: null,
    at: now,
    email: null,
  });
  expect([prepared.ok, repository.list(0, 10).total]).toEqual([true, 0]);
  repository.removePrepared();
  while (repository.forgetSome());
  expect(repository.list(0, 10).total).toBe(0);
});

test('a terminal keeps so many, and says when there is no room for another', async () => {
  const repository = await openRepository();
  for (let number = 0; number < maxStocktakes; number += 1) {
    begin(repository, `count ${number}`);
  }
  const wanted = { name: 'x', stockId: '11' as Id, stockName: null, filter: null, at: now, email: null };
  expect(repository.prepare(wanted)).toEqual({ ok: false, failure: { kind: 'stocktakeFull' } });
});
