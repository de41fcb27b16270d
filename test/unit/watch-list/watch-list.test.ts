// The proof of the watch list: its counts are those of a plain count of everything after any change, and it reads no
// more of the copy than what changed.
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { WatchedMinimum } from '../../../app/contract/watch-list.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { Database } from '../../../app/storage/database.ts';
import { queueMigrations } from '../../../app/terminal/workspace/queue-migrations.ts';
import { openMinima, type WatchScope } from '../../../app/watch-list/minima.ts';
import { openWatchList } from '../../../app/watch-list/watch-list.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { createClock, id, stockOne, stockTwo } from '../catalogue/catalogue-fixture.ts';

const scope: WatchScope = {
  platform: 'https://platform.example.com',
  companyId: id(7),
  stockIds: [stockOne, stockTwo],
};

const place = (productId: number | bigint, stockId: Id = stockOne) => ({ stockId, productId: id(productId) });
const min = (productId: number | bigint, minimum: number | null, stockId?: Id): WatchedMinimum => ({
  ...place(productId, stockId),
  minimum,
});

async function openShop(path = join(temporaryDirectory(), 'queue.db'), theirs = scope) {
  const database = await Database.open(path, { kind: 'precious', migrations: queueMigrations });
  onTestFinished(() => database.close());
  const clock = createClock();
  const figures = new Map<string, number | null>();
  const keyOf = ({ stockId, productId }: { stockId: string; productId: string }) => `${stockId} ${productId}`;
  let reads = 0;
  let changes = 0;
  const list = openWatchList({
    minima: openMinima(database, theirs),
    clock,
    figureOf: (one) => {
      reads += 1;
      return figures.get(keyOf(one));
    },
    onChange: () => {
      changes += 1;
    },
  });
  list.noteAll();
  await clock.advance(1);
  return {
    path,
    database,
    list,
    clock,
    reads: () => reads,
    changes: () => changes,
    /** The copy has this figure now; undefined: it does not have the product. */
    figure: (productId: number, amount: number | null | undefined, stockId: Id = stockOne) => {
      if (amount === undefined) {
        figures.delete(keyOf(place(productId, stockId)));
      } else {
        figures.set(keyOf(place(productId, stockId)), amount);
      }
      list.noteFigure(place(productId, stockId));
    },
  };
}

test('a product with less than its minimum is below; with as much it is not', async () => {
  const { list, figure } = await openShop();
  figure(1, 4.9);
  figure(2, 5);
  figure(3, -2);
  expect(list.set([min(1, 5), min(2, 5), min(3, 0.5)])).toBe(3);
  expect(list.state()).toEqual({ watched: 3, below: 2, unknown: 0, absent: 0 });
  expect(list.places('below')).toMatchObject([place(1), place(3)]);
  expect(list.minimumOf(place(2))).toBe(5);
  expect(list.minimumOf(place(2, stockTwo))).toBeNull();
});

test('L3: an unknown figure is neither zero nor enough, and a product that is gone keeps its minimum', async () => {
  const { list, figure, clock } = await openShop();
  figure(1, null);
  figure(2, 1);
  list.set([min(1, 5), min(2, 5)]);
  expect(list.state()).toEqual({ watched: 2, below: 1, unknown: 1, absent: 0 });
  figure(2, undefined);
  await clock.advance(1);
  expect(list.state()).toEqual({ watched: 2, below: 0, unknown: 1, absent: 1 });
  expect(list.minimumOf(place(2))).toBe(5);
  figure(2, 2);
  await clock.advance(1);
  expect(list.state()).toEqual({ watched: 2, below: 1, unknown: 1, absent: 0 });
});

test('a minimum of a product that the copy does not have is not kept, and one can always be taken off', async () => {
  const { list, figure } = await openShop();
  figure(1, 1);
  expect(list.set([min(1, 5), min(99, 5)])).toBe(1);
  figure(1, undefined);
  expect(list.set([min(1, null), min(99, null)])).toBe(2);
  expect(list.state()).toEqual({ watched: 0, below: 0, unknown: 0, absent: 0 });
});

test('what is kept is there after a restart, of this company and these stocks alone', async () => {
  const first = await openShop();
  first.figure(1, 1);
  first.figure(2, 9, stockTwo);
  // An id that no number of JavaScript holds, and a minimum with decimals.
  const large = 9_007_199_254_740_993n;
  first.database.prepare('INSERT INTO minima VALUES (?, ?, ?, ?, ?)').run(scope.platform, '8', stockOne, '1', 3);
  first.list.set([min(1, 2.125), min(2, 7, stockTwo)]);
  first.database
    .prepare('INSERT INTO minima VALUES (?, ?, ?, ?, ?)')
    .run(scope.platform, scope.companyId, stockOne, String(large), 4);
  first.database.close();
  const again = await openShop(first.path);
  expect(again.list.places('watched')).toMatchObject([min(1, 2.125), min(large, 4), min(2, 7, stockTwo)]);
  // Nothing has been copied yet.
  expect(again.list.state()).toEqual({ watched: 3, below: 0, unknown: 0, absent: 3 });
  again.database.close();
  const narrower = await openShop(first.path, { ...scope, stockIds: [stockTwo] });
  expect(narrower.list.places('watched')).toMatchObject([min(2, 7, stockTwo)]);
  narrower.database.close();
  expect((await openShop(first.path, { ...scope, companyId: id(8) })).list.places('watched')).toMatchObject([
    min(1, 3),
  ]);
});

test('L1: with 5,000 watched products a change costs one reading, a product that is not watched none', async () => {
  const shop = await openShop();
  const all = Array.from({ length: 5_000 }, (_unused, index) => index + 1);
  for (const productId of all) {
    shop.figure(productId, productId % 10);
  }
  for (let from = 0; from < all.length; from += 100) {
    shop.list.set(all.slice(from, from + 100).map((productId) => min(productId, 5)));
  }
  expect(shop.list.state()).toMatchObject({ watched: 5_000, below: 2_500 });
  const [readsBefore, changesBefore] = [shop.reads(), shop.changes()];
  // The minimums that a scan asks for.
  expect(all.map((productId) => shop.list.minimumOf(place(productId)))).toEqual(all.map(() => 5));
  expect(shop.reads()).toBe(readsBefore);
  shop.figure(9_999, 1);
  shop.figure(7, 2);
  shop.figure(7, 1);
  await shop.clock.advance(1);
  expect([shop.reads() - readsBefore, shop.changes() - changesBefore]).toEqual([1, 1]);
  expect(shop.list.state()).toMatchObject({ watched: 5_000, below: 2_501 });
  // The same figure again is nothing new.
  shop.figure(7, 1);
  await shop.clock.advance(1);
  expect(shop.changes() - changesBefore).toBe(1);
});

test('the counts are told only when all have been read, and others have their turn in between', async () => {
  const first = await openShop();
  const all = Array.from({ length: 250 }, (_unused, index) => index + 1);
  all.forEach((productId) => first.figure(productId, 1));
  first.list.set(all.slice(0, 100).map((productId) => min(productId, 5)));
  first.list.set(all.slice(100, 200).map((productId) => min(productId, 5)));
  first.list.set(all.slice(200).map((productId) => min(productId, 5)));
  first.database.close();
  const database = await Database.open(first.path, { kind: 'precious', migrations: queueMigrations });
  onTestFinished(() => database.close());
  const clock = createClock();
  const list = openWatchList({
    minima: openMinima(database, scope),
    clock,
    figureOf: () => {
      clock.sleep(1);
      return 1;
    },
    onChange: () => undefined,
  });
  expect(list.state()).toBeNull();
  const seen: unknown[] = [];
  list.noteAll();
  clock.after(150, () => seen.push(list.state()));
  await clock.advance(500);
  expect(seen).toEqual([null]);
  expect(list.state()).toMatchObject({ watched: 250, below: 250 });
});

test('after any changes the counts are those of a plain count', async () => {
  const act = fc.oneof(
    fc.record({
      kind: fc.constant('set' as const),
      productId: fc.integer({ min: 1, max: 4 }),
      minimum: fc.constantFrom(null, 1, 5),
    }),
    fc.record({
      kind: fc.constant('figure' as const),
      productId: fc.integer({ min: 1, max: 4 }),
      amount: fc.constantFrom(undefined, null, 0, 1, 3, 7),
    }),
    fc.record({ kind: fc.constant('rest' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
      const shop = await openShop();
      const [figures, minima] = [new Map<number, number | null | undefined>(), new Map<number, number>()];
      for (const one of acts) {
        if (one.kind === 'rest') {
          await shop.clock.advance(1);
        } else if (one.kind === 'figure') {
          figures.set(one.productId, one.amount);
          shop.figure(one.productId, one.amount);
        } else {
          shop.list.set([min(one.productId, one.minimum)]);
          if (one.minimum === null) {
            minima.delete(one.productId);
          } else if (figures.get(one.productId) !== undefined) {
            minima.set(one.productId, one.minimum);
          }
        }
      }
      await shop.clock.advance(1);
      const watched = [...minima].map(([productId, minimum]) => ({ minimum, figure: figures.get(productId) }));
      expect(shop.list.state()).toEqual({
        watched: watched.length,
        below: watched.filter(({ figure, minimum }) => typeof figure === 'number' && figure < minimum).length,
        unknown: watched.filter(({ figure }) => figure === null).length,
        absent: watched.filter(({ figure }) => figure === undefined).length,
      });
    }),
    { seed: 1, numRuns: 60 },
  );
});
