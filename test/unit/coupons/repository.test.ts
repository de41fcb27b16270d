// The proof that confirmed settings never go back in time, in whatever order readings and deliveries are told.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxHeard, openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';

const scope = { platform: 'https://platform.example.com', companyId: '7' as Id };
const [one, two] = ['1', '9007199254740993'] as [Id, Id];
const on = (productId: Id) => ({ productId, isEnabled: true });
const off = (productId: Id) => ({ productId, isEnabled: false });

const rest = () => Promise.resolve(true);

let readings = 0;
const asked = (mark: number) => ({ mark, number: (readings += 1), leftMs: 0 });

async function open() {
  return openCouponRepository(await openQueueDatabase(temporaryDirectory()));
}

test('nobody knows before the first reading; after it, what was not listed is off', async () => {
  const repository = await open();
  expect([repository.confirmed(scope, one), repository.readAt(scope)]).toEqual([null, null]);
  await repository.replaceAll(scope, [on(two)], asked(0), 123, rest);
  expect([repository.confirmed(scope, one), repository.confirmed(scope, two), repository.readAt(scope)]).toEqual([
    false,
    true,
    123,
  ]);
});

test('a reading that was asked for before a delivery never undoes it; one asked for after does', async () => {
  const repository = await open();
  await repository.replaceAll(scope, [off(one), on(two)], asked(0), 1, rest);
  repository.confirm(scope, [on(one)], 5);
  await repository.replaceAll(scope, [off(one)], asked(4), 2, rest);
  expect([repository.confirmed(scope, one), repository.confirmed(scope, two)]).toEqual([true, false]);
  await repository.replaceAll(scope, [off(one)], asked(5), 3, rest);
  expect(repository.confirmed(scope, one)).toBe(false);
});

test('a long reading is kept in slices; a newer one between two of them holds, an older never begins', async () => {
  const repository = await open();
  const products = Array.from({ length: 1200 }, (_unused, place) => String(place + 1) as Id);
  await repository.replaceAll(scope, products.map(off), asked(1), 1, rest);
  let pauses = 0;
  await repository.replaceAll(scope, products.map(on), asked(2), 2, async () => {
    pauses += 1;
    // The settings that a delivery has changed since the reading was asked for stay.
    repository.confirm(scope, [off(products[1199] ?? one)], 3);
    await repository.replaceAll(scope, products.slice(0, 1).map(off), asked(1), 7, rest);
    return true;
  });
  expect([
    pauses,
    repository.readAt(scope),
    repository.list(scope).filter(({ isEnabled }) => isEnabled).length,
  ]).toEqual([2, 2, 1199]);
  await repository.replaceAll(scope, products.map(off), asked(4), 4, async () => {
    await repository.replaceAll(scope, products.slice(0, 10).map(on), asked(5), 5, rest);
    return true;
  });
  expect(repository.list(scope)).toEqual(
    products
      .slice(0, 10)
      .map(on)
      .toSorted((left, right) => (left.productId < right.productId ? -1 : 1)),
  );
  expect(repository.readAt(scope)).toBe(5);
});

test('a reading that left earlier and is told later changes nothing, also with no attempt between', async () => {
  const repository = await open();
  const [earlier, later] = [asked(0), asked(0)];
  await repository.replaceAll(scope, [off(one)], later, 1, rest);
  await repository.replaceAll(scope, [on(one)], earlier, 2, rest);
  expect([repository.confirmed(scope, one), repository.readAt(scope)]).toEqual([false, 1]);
});

test('a reading that is given up says nothing of what was not listed', async () => {
  const repository = await open();
  const products = Array.from({ length: 600 }, (_unused, place) => String(place + 1) as Id);
  await repository.replaceAll(scope, products.map(on), asked(1), 1, () => Promise.resolve(false));
  expect([repository.confirmed(scope, two), repository.readAt(scope)]).toEqual([null, null]);
});

test('many are read at once, in any order, as each of them is', async () => {
  const repository = await open();
  const three = '12' as Id;
  const read = (of = scope) => [three, one, two].map(repository.confirmedOf(of, [two, three, one]));
  repository.confirm(scope, [off(two), on(three)], 1);
  expect(read()).toEqual([true, null, false]);
  await repository.replaceAll(scope, [on(three)], asked(1), 1, rest);
  expect(read()).toEqual([true, false, false]);
  expect(read({ ...scope, companyId: '8' as Id })).toEqual([null, null, null]);
});

test('a later delivery replaces an earlier one, and companies and platforms are apart', async () => {
  const repository = await open();
  repository.confirm(scope, [on(one)], 1);
  repository.confirm(scope, [off(one)], 2);
  const other = { ...scope, companyId: '8' as Id };
  const elsewhere = { ...scope, platform: 'https://other.example.com' };
  expect([
    repository.confirmed(scope, one),
    repository.confirmed(other, one),
    repository.confirmed(elsewhere, one),
  ]).toEqual([false, null, null]);
  await repository.replaceAll(other, [on(one)], asked(9), 1, rest);
  expect(repository.list(scope)).toEqual([off(one)]);
  expect(repository.list(other)).toEqual([on(one)]);
});

test('what another till says is shown until it is read, and is never kept as read', async () => {
  const database = await openQueueDatabase(temporaryDirectory());
  const repository = openCouponRepository(database);
  await repository.replaceAll(scope, [on(one)], asked(0), 1, rest);
  repository.hear(scope, [{ ...off(one), atMs: 1 }], 1);
  expect([repository.confirmed(scope, one), repository.confirmedOf(scope, [one])(one)]).toEqual([false, false]);
  expect([repository.list(scope), repository.listRead(scope)]).toEqual([[off(one)], [on(one)]]);
  expect(openCouponRepository(database).confirmed(scope, one)).toBe(true);
  for (let from = 0; from < maxHeard + 400; from += 200) {
    const many = Array.from({ length: 200 }, (_, place) => ({ ...on(String(1000 + from + place) as Id), atMs: 2 }));
    repository.hear(scope, many, 1);
  }
  expect(repository.hearsay(scope).size).toBe(maxHeard);
  expect(repository.confirmed(scope, String(1000 + maxHeard + 399) as Id)).toBe(true);
  const before = repository.hearsayDropped();
  await repository.replaceAll(scope, [on(one)], { ...asked(1), leftMs: 3 }, 2, rest);
  expect([repository.hearsay(scope).size, repository.list(scope)]).toEqual([0, [on(one)]]);
  const after = repository.hearsayDropped();
  await repository.replaceAll(scope, [on(one)], { ...asked(2), leftMs: 4 }, 3, rest);
  expect([after !== before, repository.hearsayDropped()]).toEqual([true, after]);
  repository.hear(scope, [{ ...off(one), atMs: 4 }], 1);
  repository.forget(scope);
  expect(repository.confirmed(scope, one)).toBeNull();
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
      const repository = openCouponRepository(database);
      let known = { mark: 0, isEnabled: false };
      for (const { kind, isEnabled, mark } of reports) {
        if (kind === 'delivery') {
          repository.confirm(scope, [{ productId: one, isEnabled }], mark);
        } else {
          await repository.replaceAll(scope, [{ productId: one, isEnabled }], asked(mark), 1, rest);
        }
        known = mark >= known.mark ? { mark, isEnabled } : known;
        expect(repository.confirmed(scope, one)).toBe(known.isEnabled);
      }
      database.close();
      directory.remove();
    }),
    { numRuns: 50, seed: 1 },
  );
});

test('I4: what was told without a name is known as such from its first slice until a whole reading with it', async () => {
  const repository = await open();
  const other = { ...scope, companyId: '8' as Id };
  const products = Array.from({ length: 600 }, (_, place) => String(place + 1) as Id);
  expect(repository.isUnnamed(scope)).toBe(false);
  await repository.replaceAll(scope, products.map(on), { ...asked(1), isUnnamed: true }, 1, () =>
    Promise.resolve(false),
  );
  expect([repository.isUnnamed(scope), repository.isUnnamed(other)]).toEqual([true, false]);
  await repository.replaceAll(scope, products.map(off), asked(2), 2, () => Promise.resolve(false));
  expect(repository.isUnnamed(scope)).toBe(true);
  await repository.replaceAll(scope, products.map(off), asked(3), 3, rest);
  expect([repository.isUnnamed(scope), repository.readAt(scope)]).toEqual([false, 3]);
  await repository.replaceAll(scope, [on(one)], { ...asked(4), isUnnamed: true }, 4, rest);
  await repository.replaceAll(other, [on(one)], asked(4), 4, rest);
  repository.forget(scope);
  expect([
    repository.isUnnamed(scope),
    repository.list(scope),
    repository.readAt(scope),
    repository.confirmed(scope, one),
  ]).toEqual([false, [], null, null]);
  expect(repository.confirmed(other, one)).toBe(true);
});
