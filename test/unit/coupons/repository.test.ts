// The proof that confirmed settings never go back in time, in whatever order readings and deliveries are told.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';

const scope = { platform: 'https://platform.example.com', companyId: '7' as Id };
const [one, two] = ['1', '9007199254740993'] as [Id, Id];
const on = (productId: Id) => ({ productId, isEnabled: true });
const off = (productId: Id) => ({ productId, isEnabled: false });

const rest = () => Promise.resolve(true);

let readings = 0;
const asked = (mark: number) => ({ mark, number: (readings += 1) });

async function open() {
  return openCouponRepository(await openQueueDatabase(temporaryDirectory()));
}

test('nobody knows before the first reading; after it, what was not listed is off', async () => {
  const store = await open();
  expect([store.confirmed(scope, one), store.readAt(scope)]).toEqual([null, null]);
  await store.replaceAll(scope, [on(two)], asked(0), 123, rest);
  expect([store.confirmed(scope, one), store.confirmed(scope, two), store.readAt(scope)]).toEqual([false, true, 123]);
});

test('a reading that was asked for before a delivery never undoes it; one asked for after does', async () => {
  const store = await open();
  await store.replaceAll(scope, [off(one), on(two)], asked(0), 1, rest);
  store.confirm(scope, [on(one)], 5);
  await store.replaceAll(scope, [off(one)], asked(4), 2, rest);
  expect([store.confirmed(scope, one), store.confirmed(scope, two)]).toEqual([true, false]);
  await store.replaceAll(scope, [off(one)], asked(5), 3, rest);
  expect(store.confirmed(scope, one)).toBe(false);
});

test('a long reading is kept in slices; a newer one between two of them holds, an older never begins', async () => {
  const store = await open();
  const products = Array.from({ length: 1200 }, (_unused, place) => String(place + 1) as Id);
  await store.replaceAll(scope, products.map(off), asked(1), 1, rest);
  let pauses = 0;
  await store.replaceAll(scope, products.map(on), asked(2), 2, async () => {
    pauses += 1;
    // The settings that a delivery has changed since the reading was asked for stay.
    store.confirm(scope, [off(products[1199] ?? one)], 3);
    await store.replaceAll(scope, products.slice(0, 1).map(off), asked(1), 7, rest);
    return true;
  });
  expect([pauses, store.readAt(scope), store.list(scope).filter(({ isEnabled }) => isEnabled).length]).toEqual([
    2, 2, 1199,
  ]);
  await store.replaceAll(scope, products.map(off), asked(4), 4, async () => {
    await store.replaceAll(scope, products.slice(0, 10).map(on), asked(5), 5, rest);
    return true;
  });
  expect(store.list(scope)).toEqual(
    products
      .slice(0, 10)
      .map(on)
      .toSorted((left, right) => (left.productId < right.productId ? -1 : 1)),
  );
  expect(store.readAt(scope)).toBe(5);
});

test('a reading that left earlier and is told later changes nothing, also with no attempt between', async () => {
  const store = await open();
  const [earlier, later] = [asked(0), asked(0)];
  await store.replaceAll(scope, [off(one)], later, 1, rest);
  await store.replaceAll(scope, [on(one)], earlier, 2, rest);
  expect([store.confirmed(scope, one), store.readAt(scope)]).toEqual([false, 1]);
});

test('a reading that is given up says nothing of what was not listed', async () => {
  const store = await open();
  const products = Array.from({ length: 600 }, (_unused, place) => String(place + 1) as Id);
  await store.replaceAll(scope, products.map(on), asked(1), 1, () => Promise.resolve(false));
  expect([store.confirmed(scope, two), store.readAt(scope)]).toEqual([null, null]);
});

test('many are read at once, in any order, as each of them is', async () => {
  const store = await open();
  const three = '12' as Id;
  const read = (of = scope) => [three, one, two].map(store.confirmedOf(of, [two, three, one]));
  store.confirm(scope, [off(two), on(three)], 1);
  expect(read()).toEqual([true, null, false]);
  await store.replaceAll(scope, [on(three)], asked(1), 1, rest);
  expect(read()).toEqual([true, false, false]);
  expect(read({ ...scope, companyId: '8' as Id })).toEqual([null, null, null]);
});

test('a later delivery replaces an earlier one, and companies and platforms are apart', async () => {
  const store = await open();
  store.confirm(scope, [on(one)], 1);
  store.confirm(scope, [off(one)], 2);
  const other = { ...scope, companyId: '8' as Id };
  const elsewhere = { ...scope, platform: 'https://other.example.com' };
  expect([store.confirmed(scope, one), store.confirmed(other, one), store.confirmed(elsewhere, one)]).toEqual([
    false,
    null,
    null,
  ]);
  await store.replaceAll(other, [on(one)], asked(9), 1, rest);
  expect(store.list(scope)).toEqual([off(one)]);
  expect(store.list(other)).toEqual([on(one)]);
});

test('whatever the order of readings, the newest that is known of a product holds', async () => {
  const stateEvents = fc.record({
    kind: fc.constantFrom('delivery' as const, 'reading' as const),
    isEnabled: fc.boolean(),
    mark: fc.integer({ min: 1, max: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(stateEvents, { minLength: 1, maxLength: 12 }), async (reports) => {
      const directory = makeTemporaryDirectory();
      const database = await openQueueDatabase(directory.path);
      const store = openCouponRepository(database);
      let known = { mark: 0, isEnabled: false };
      for (const { kind, isEnabled, mark } of reports) {
        if (kind === 'delivery') {
          store.confirm(scope, [{ productId: one, isEnabled }], mark);
        } else {
          await store.replaceAll(scope, [{ productId: one, isEnabled }], asked(mark), 1, rest);
        }
        known = mark >= known.mark ? { mark, isEnabled } : known;
        expect(store.confirmed(scope, one)).toBe(known.isEnabled);
      }
      database.close();
      directory.remove();
    }),
    { numRuns: 50, seed: 1 },
  );
});

test('I4: what was told without a name is known as such from its first slice until a whole reading with it', async () => {
  const store = await open();
  const other = { ...scope, companyId: '8' as Id };
  const products = Array.from({ length: 600 }, (_, place) => String(place + 1) as Id);
  expect(store.isUnnamed(scope)).toBe(false);
  await store.replaceAll(scope, products.map(on), { ...asked(1), isUnnamed: true }, 1, () => Promise.resolve(false));
  expect([store.isUnnamed(scope), store.isUnnamed(other)]).toEqual([true, false]);
  await store.replaceAll(scope, products.map(off), asked(2), 2, () => Promise.resolve(false));
  expect(store.isUnnamed(scope)).toBe(true);
  await store.replaceAll(scope, products.map(off), asked(3), 3, rest);
  expect([store.isUnnamed(scope), store.readAt(scope)]).toEqual([false, 3]);
  await store.replaceAll(scope, [on(one)], { ...asked(4), isUnnamed: true }, 4, rest);
  await store.replaceAll(other, [on(one)], asked(4), 4, rest);
  store.forget(scope);
  expect([store.isUnnamed(scope), store.list(scope), store.readAt(scope), store.confirmed(scope, one)]).toEqual([
    false,
    [],
    null,
    null,
  ]);
  expect(store.confirmed(other, one)).toBe(true);
});
