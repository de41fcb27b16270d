import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { openBatchesRepository, type Asked } from '../../../app/expiring/repository.ts';
import { batchesMigrations } from '../../../app/expiring/migrations.ts';
import { Database } from '../../../app/storage/database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const stockIds = ['11', '12'] as Id[];
const asked = (number: number, days: readonly string[], more: Partial<Asked> = {}): Asked => ({
  stockId: '11' as Id,
  productId: String(number) as Id,
  askedAt: 1_000 + number,
  isUnasked: true,
  batches: days.length,
  expiries: days.map((day) => ({ day, quantity: 2, lot: null })),
  nameKey: `product ${String(number)}`,
  words: `product ${String(number)} a-${String(number)}`,
  ...more,
});

async function open(most?: number, directory = temporaryDirectory()) {
  const database = await Database.open(join(directory, 'batches.db'), {
    kind: 'disposable',
    migrations: batchesMigrations,
  });
  onTestFinished(() => database.close());
  return { database, directory, repository: openBatchesRepository(database, 'platform 7', stockIds, most) };
}

test('lists by day and name, within the days and of what fits the text', async () => {
  const { repository } = await open();
  repository.keep(asked(3, ['2031-01-05', '2031-02-01']));
  repository.keep(asked(2, ['2031-01-05']));
  repository.keep(asked(1, ['2030-12-31']));
  repository.keep(asked(4, ['2031-01-05'], { stockId: '99' as Id }));
  const list = (from: string | null, to: string | null, term = '') =>
    repository.page({ from, to }, term, 0, 10).rows.map(({ productId, day }) => `${productId} ${day}`);
  expect(list('2031-01-01', '2031-01-31')).toEqual(['2 2031-01-05', '3 2031-01-05']);
  expect(list('2031-01-01', null)).toEqual(['2 2031-01-05', '3 2031-01-05', '3 2031-02-01']);
  expect(list(null, '2031-01-01')).toEqual(['1 2030-12-31']);
  expect(list(null, null, 'a-3')).toEqual(['3 2031-01-05', '3 2031-02-01']);
  expect(list(null, null, '%')).toEqual([]);
  expect(repository.page({ from: null, to: null }, '', 1, 1)).toMatchObject({ total: 4, rows: [{ productId: '2' }] });
});

test('an answer takes the place of the one before, also of one that a clock since set back noted ahead', async () => {
  const { repository } = await open();
  const place = { stockId: '11' as Id, productId: '1' as Id };
  expect(repository.known(place, '2031-01-10')).toBeNull();
  repository.keep(asked(1, ['2031-01-01', '2031-01-12'], { askedAt: 50 }));
  expect(repository.known(place, '2031-01-10')).toEqual({ askedAt: 50, batches: 2, nearestDay: '2031-01-12' });
  expect(repository.known(place, '2031-01-03')?.nearestDay).toBe('2031-01-01');
  repository.keep(asked(1, ['2031-06-01'], { askedAt: 40 }));
  expect(repository.known(place, '2031-01-10')).toEqual({ askedAt: 40, batches: 1, nearestDay: '2031-06-01' });
  repository.keep(asked(1, [], { askedAt: 60, isUnasked: false }));
  expect(repository.known(place, '2031-01-10')).toEqual({ askedAt: 60, batches: 0, nearestDay: null });
  expect(repository.countUnasked(0, 100)).toBe(0);
});

test('what a clock since set back noted ahead counts for no night, and of too many products goes first', async () => {
  const { repository } = await open(3);
  repository.keep(asked(1, ['2031-01-05'], { askedAt: 9_000 }));
  repository.keep(asked(2, ['2031-01-05'], { askedAt: 8_000 }));
  repository.keep(asked(3, ['2031-01-05'], { askedAt: 100 }));
  expect(repository.countUnasked(0, 200)).toBe(1);
  repository.keep(asked(4, ['2031-01-05'], { askedAt: 200 }));
  repository.keep(asked(5, ['2031-01-05'], { askedAt: 300 }));
  expect(repository.products(0, 10).map(({ productId }) => productId)).toEqual(['3', '4', '5']);
  repository.keep(asked(6, ['2031-01-05'], { askedAt: 400 }));
  expect(repository.products(0, 10).map(({ productId }) => productId)).toEqual(['4', '5', '6']);
});

test('what is out is left out until it is told again, and of too many products the oldest answers go', async () => {
  const { repository } = await open(3);
  for (const number of [1, 2, 3, 4, 5]) {
    repository.keep(asked(number, ['2031-01-05']));
  }
  expect(repository.products(0, 10).map(({ productId }) => productId)).toEqual(['3', '4', '5']);
  const [first] = repository.products(0, 1);
  repository.setOut(first?.id ?? 0, true);
  const shown = () => repository.page({ from: null, to: null }, '', 0, 10).rows.map(({ productId }) => productId);
  expect(shown()).toEqual(['4', '5']);
  repository.keep(asked(3, ['2031-01-05'], { askedAt: 9_000 }));
  expect(shown()).toEqual(['3', '4', '5']);
});

test('another shop sees nothing of it', async () => {
  const { repository, database } = await open();
  repository.keep(asked(1, ['2031-01-05']));
  const other = openBatchesRepository(database, 'platform 8', stockIds);
  expect(other.page({ from: null, to: null }, '', 0, 10).total).toBe(0);
  expect(other.products(0, 10)).toEqual([]);
});
