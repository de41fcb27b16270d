// The proof of F1 to F5 of shop-lists.ts, and of P7 of planner.ts: two tills of one shop, each with a queue.db of its own,
// and one platform that holds the settings of both.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { PlanTimes } from '../../../app/contract/coupon-sets.ts';
import { maxCouponPlans } from '../../../app/contract/limits/coupon-sets.ts';
import { startPlanner, type Planner } from '../../../app/coupons/planner.ts';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import { openCouponSets, type CouponSets } from '../../../app/coupons/sets.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { openSteadyTime } from '../../../app/queue/steady-time.ts';
import { openShopLists, type ShopListsCalls } from '../../../app/shop-lists/shop-lists.ts';
import { openMinima } from '../../../app/watch-list/minima.ts';
import { openWatchList, type WatchList } from '../../../app/watch-list/watch-list.ts';
import { createManualClock, settlePromises, type ManualClock } from '../../support/manual-clock.ts';
import { endCall } from '../../support/way.ts';
import { valueOf } from '../../support/value-of.ts';
import { ana, bia, enqueue, openShop, signed, type Shop } from '../queue/queue-shop.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A Friday. */
const noon = Date.UTC(2026, 10, 27, 12);
const stockIds = ['11', '12'] as Id[];
const id = (number: number): Id => String(number) as Id;
const tonight: PlanTimes = { repeats: 'once', day: '2026-11-27', on: '18:00', off: '23:00' };
const fridays: PlanTimes = { ...tonight, repeats: 'weekly' };

/** The settings that the platform has, and the updates that have changed one. */
interface Platform {
  readonly settings: Map<Id, boolean>;
  readonly changes: string[];
}

interface Till {
  readonly shop: Shop;
  readonly sets: CouponSets;
  readonly watchList: WatchList;
  readonly planner: Planner;
  readonly lists: ShopListsCalls;
  readonly missed: string[];
  isOffline: boolean;
}

const newPlatform = (): Platform => ({ settings: new Map(), changes: [] });

async function openTill(clock: ManualClock, platform = newPlatform(), scope = { ...ana, stockIds }): Promise<Till> {
  const shop = await openShop(undefined, clock);
  onTestFinished(() => shop.stop());
  const sets = openCouponSets(shop.database, scope);
  const steady = openSteadyTime(shop.database, clock);
  const watchList = openWatchList({
    minima: openMinima(shop.database, scope),
    clock,
    figureOf: () => 5,
    onChange: () => undefined,
  });
  const parts = { scope, clock, steady, offsetMinutes: () => 0, database: shop.database, sets, watchList };
  const missed: string[] = [];
  const planner = startPlanner(
    {
      ...parts,
      graceMinutes: () => 15,
      nameOf: () => null,
      pause: () => Promise.resolve(true),
      queue: shop.queue,
      queueRepository: shop.repository,
      coupons: openCouponRepository(shop.database),
      listFor: () => ({ ids: () => Promise.resolve(fail({ kind: 'notReady' })) }),
      onMade: () => undefined,
      onMissed: (name) => missed.push(name),
      log: () => undefined,
    },
    false,
  );
  onTestFinished(() => planner.close());
  const till = { shop, sets, watchList, planner, missed, isOffline: false };
  shop.readings.shift = () => () =>
    Promise.resolve(
      till.isOffline
        ? fail({ kind: 'unreachable' })
        : succeed([...platform.settings].map(([productId, isEnabled]) => ({ productId, isEnabled }))),
    );
  shop.replies.shift = () => (sending) => {
    if (till.isOffline) {
      return fail({ kind: 'unreachable' });
    }
    const { items } = JSON.parse(sending.body) as { items: { product_id: number; is_enabled: boolean }[] };
    for (const { product_id: product, is_enabled: isEnabled } of items) {
      if (platform.settings.get(id(product)) !== isEnabled) {
        platform.changes.push(`${product} ${isEnabled ? 'on' : 'off'}`);
      }
      platform.settings.set(id(product), isEnabled);
    }
    return signed(204)(sending);
  };
  const lists = openShopLists({ ...parts, nameOf: (productId) => `Product ${productId}` });
  return Object.assign(till, { lists });
}

/** Bia takes it, and is signed in there. */
function take(till: Till, text: string) {
  till.shop.owner = bia;
  const counts = till.lists.take(text, { ownerId: till.shop.repository.ownerId(bia), email: bia.email });
  till.planner.noteChange();
  return counts;
}

function plan(till: Till, name: string, products: readonly number[], ...all: readonly PlanTimes[]): number {
  const setId = till.sets.save(null, name, { kind: 'list', productIds: products.map(id) }, ana.email) ?? 0;
  for (const times of all) {
    expect(till.planner.plan(setId, till.shop.repository.ownerId(ana), times).ok).toBe(true);
  }
  return setId;
}

const fileOf = (till: Till): string => valueOf(till.lists.write());
/** Without the moment, and what has no order in one order. */
const contentOf = (till: Till): unknown =>
  JSON.parse(fileOf(till), (name, value: unknown) => {
    const inOrder = Array.isArray(value)
      ? value.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
      : value;
    return name === 'savedAt' ? null : inOrder;
  });

const states = ({ shop }: Till): readonly string[] =>
  shop.repository.history
    .page(0, 100)
    .map((row) => `${row.subject_id} ${row.is_enabled === 1 ? 'on' : 'off'} ${row.parked_because ?? row.state}`)
    .toSorted();

function comeBack(till: Till): void {
  till.isOffline = false;
  endCall(till.shop.connection, null);
  till.shop.queue.resume();
}

/** The tills of one shop at the same moment. */
async function openTwo(): Promise<{ clock: ManualClock; platform: Platform; first: Till; second: Till }> {
  const clock = createManualClock({ now: noon });
  const platform = newPlatform();
  return { clock, platform, first: await openTill(clock, platform), second: await openTill(clock, platform) };
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  await clock.advance(ms);
  await settlePromises();
}

test('F1: a till that has taken the file has what the other has, and the file changes nothing more', async () => {
  const listed = fc.dictionary(fc.constantFrom('1', '2', '3', '9007199254740993'), fc.constantFrom(1, 2.5, 0.125));
  const times = fc.record({
    repeats: fc.constantFrom('once' as const, 'weekly' as const),
    day: fc.constantFrom('2026-11-27', '2026-12-04'),
    on: fc.constantFrom('18:00', null),
    off: fc.constant('23:00'),
  });
  const some = fc.record({
    minima: fc.tuple(listed, listed),
    sets: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('Sodas', 'Coffee', 'Happy hour'),
        products: fc.uniqueArray(fc.constantFrom(1, 2, 3), { minLength: 1 }),
        plans: fc.uniqueArray(times, { maxLength: 3, selector: (one) => JSON.stringify(one) }),
      }),
      { selector: ({ name }) => name },
    ),
  });
  const fill = (till: Till, { minima, sets }: typeof some extends fc.Arbitrary<infer Lists> ? Lists : never): void => {
    minima.forEach((ofStock, place) => {
      till.watchList.set(
        Object.entries(ofStock).map(([productId, minimum]) => ({
          stockId: stockIds[place] ?? id(0),
          productId: productId as Id,
          minimum,
        })),
      );
    });
    sets.forEach(({ name, products, plans }) => plan(till, name, products, ...plans));
  };
  await fc.assert(
    fc.asyncProperty(some, some, async (here, there) => {
      const { first, second } = await openTwo();
      fill(first, here);
      fill(second, there);
      const text = fileOf(first);
      const foreseen = second.lists.foresee(text);
      expect(take(second, text)).toEqual(succeed(foreseen.counts));
      expect(contentOf(second)).toEqual(contentOf(first));
      expect(second.lists.foresee(text)).toMatchObject({ counts: { minimum: 0, set: 0, plan: 0 }, changes: [] });
      // And what is in memory is what is on the disk.
      expect(openMinima(second.shop.database, { ...ana, stockIds }).list()).toHaveLength(
        second.watchList.minima().length,
      );
    }),
    { numRuns: 8 },
  );
});

test('F1: what would change is told before, with names', async () => {
  const { first, second } = await openTwo();
  const minimum = (productId: number, amount: number | null) => ({
    stockId: id(11),
    productId: id(productId),
    minimum: amount,
  });
  first.watchList.set([minimum(1, 4), minimum(2, 6)]);
  second.watchList.set([minimum(2, 5), minimum(3, 9)]);
  plan(first, 'Sodas', [1, 2], fridays);
  plan(second, 'Sodas', [1], tonight);
  plan(second, 'Old', [3]);
  expect(second.lists.foresee(fileOf(first))).toEqual({
    fault: null,
    savedAt: noon,
    takenSavedAt: null,
    counts: { minimum: 3, set: 2, plan: 2 },
    ofOtherStocks: 0,
    setsOfOtherStocks: 0,
    changes: [
      { kind: 'set', did: 'changed', name: 'Sodas' },
      { kind: 'plan', did: 'added', name: 'Sodas', times: fridays },
      { kind: 'plan', did: 'removed', name: 'Sodas', times: tonight },
      { kind: 'set', did: 'removed', name: 'Old' },
      { kind: 'minimum', stockId: '11', productId: '1', name: 'Product 1', from: null, to: 4 },
      { kind: 'minimum', stockId: '11', productId: '2', name: 'Product 2', from: 5, to: 6 },
      { kind: 'minimum', stockId: '11', productId: '3', name: 'Product 3', from: 9, to: null },
    ],
  });
});

test.each([
  ['no file at all', () => 'minimum;code', 'unreadable'],
  ['with a field that nobody knows', (text: string) => text.replace('"sets"', '"more":1,"sets"'), 'unreadable'],
  ['with a minimum below zero', (text: string) => text.replace('"1":4', '"1":-4'), 'unreadable'],
  ['of a later version', (text: string) => text.replace('"version":2', '"version":3,"more":1'), 'newer'],
  ['of another company', (text: string) => text.replace('"companyId":"7"', '"companyId":"8"'), 'otherShop'],
  ['of another platform', (text: string) => text.replace('platform.example.com', 'other.example.com'), 'otherShop'],
])('F2: a file %s is named and changes nothing', async (_what, change, fault) => {
  const { first, second } = await openTwo();
  first.watchList.set([{ stockId: id(11), productId: id(1), minimum: 4 }]);
  plan(second, 'Sodas', [1], fridays);
  const before = contentOf(second);
  const text = change(fileOf(first));
  expect(second.lists.foresee(text)).toMatchObject({ fault, changes: [] });
  expect(take(second, text)).toEqual(fail({ kind: 'inputInvalid' }));
  expect(contentOf(second)).toEqual(before);
});

test('F2: minimums of stocks that this till does not have are left out, and its own other stocks stay', async () => {
  const clock = createManualClock({ now: noon });
  const first = await openTill(clock, newPlatform(), { ...ana, stockIds: [id(11), id(13)] });
  const second = await openTill(clock);
  first.watchList.set([
    { stockId: id(11), productId: id(1), minimum: 4 },
    { stockId: id(13), productId: id(1), minimum: 4 },
  ]);
  second.watchList.set([{ stockId: id(12), productId: id(2), minimum: 7 }]);
  expect(second.lists.foresee(fileOf(first))).toMatchObject({ ofOtherStocks: 1, counts: { minimum: 1 } });
  take(second, fileOf(first));
  expect(second.watchList.minima()).toEqual([
    { stockId: '12', productId: '2', minimum: 7 },
    { stockId: '11', productId: '1', minimum: 4 },
  ]);
});

test('F2: a search keeps its stocks, and is told where this till lacks one; an older file has none', async () => {
  const clock = createManualClock({ now: noon });
  const first = await openTill(clock, newPlatform(), { ...ana, stockIds: [id(11), id(13)] });
  const second = await openTill(clock);
  const how = { kind: 'search', filter: 'all', term: 'soda' } as const;
  first.sets.save(null, 'Sodas', how, ana.email);
  const text = fileOf(first);
  const howHere = (): unknown => second.sets.list().map((set) => set.how);
  expect(second.lists.foresee(text)).toMatchObject({ setsOfOtherStocks: 1, counts: { set: 1 } });
  take(second, text);
  expect(howHere()).toEqual([{ ...how, elsewhere: ['13'] }]);
  expect(second.lists.foresee(text)).toMatchObject({ counts: { set: 0 } });

  const older = text.replace('"version":2', '"version":1').replace(',"stockIds":["11","13"]', '');
  expect(second.lists.foresee(older)).toMatchObject({ fault: null, setsOfOtherStocks: 0, counts: { set: 0 } });
  second.sets.remove(second.sets.list()[0]?.setId ?? 0);
  take(second, older);
  expect(howHere()).toEqual([{ ...how, elsewhere: [] }]);
  // The same words in other stocks are another set's content.
  expect(second.lists.foresee(text)).toMatchObject({ changes: [{ kind: 'set', did: 'changed' }] });
});

test('F2: a search without words is of every stock, also one that was saved or is named with some', async () => {
  const clock = createManualClock({ now: noon });
  const first = await openTill(clock, newPlatform(), { ...ana, stockIds: [id(11), id(13)] });
  const second = await openTill(clock);
  const how = { kind: 'search', filter: 'enabled', term: ' ' } as const;
  const setId = first.sets.save(null, 'All that is on', { ...how, stockIds: [id(11), id(13)] }, ana.email) ?? 0;
  const file = fileOf(first);
  first.shop.database.exec(`UPDATE coupon_sets SET search = '{"filter":"enabled","term":" "}'`);
  for (const text of [file, fileOf(first), file.replace('"stockIds":[]', '"stockIds":["13"]')]) {
    expect(second.lists.foresee(text)).toMatchObject({ setsOfOtherStocks: 0 });
    take(second, text);
    expect(second.sets.list().map((set) => set.how)).toEqual([{ ...how, elsewhere: [] }]);
    expect(second.lists.foresee(text)).toMatchObject({ counts: { set: 0 } });
  }
  expect(first.sets.how(setId)).toEqual({ ...how, stockIds: [] });
});

test('an older file than the one that was taken says so; of two in a row the later one holds', async () => {
  const { clock, first, second } = await openTwo();
  plan(first, 'Sodas', [1], fridays);
  const older = fileOf(first);
  await pass(clock, hourMs);
  plan(first, 'Coffee', [2], fridays);
  const newer = fileOf(first);
  expect(second.lists.foresee(older)).toMatchObject({ takenSavedAt: null });
  take(second, older);
  take(second, newer);
  expect(contentOf(second)).toEqual(contentOf(first));
  expect(second.lists.foresee(older)).toMatchObject({ savedAt: noon, takenSavedAt: noon + hourMs, counts: { set: 1 } });
});

const dayMs = 24 * hourMs;
const savedAt = (text: string, at: number): string =>
  JSON.stringify({ ...(JSON.parse(text) as object), savedAt: new Date(at).toISOString() });

test('F5: a file saved by a clock that is ahead is named and not taken; a day is only a little wrong', async () => {
  const { clock, first, second } = await openTwo();
  plan(first, 'Sodas', [1], fridays);
  const text = fileOf(first);
  const far = savedAt(text, Date.UTC(9999, 11, 31));
  expect(second.lists.foresee(far)).toMatchObject({ fault: 'ahead', changes: [] });
  expect(take(second, far)).toEqual(fail({ kind: 'inputInvalid' }));
  expect(second.sets.list()).toEqual([]);
  expect(take(second, savedAt(text, noon + dayMs)).ok).toBe(true);
  expect(second.lists.foresee(text)).toMatchObject({ takenSavedAt: noon + dayMs });
  await pass(clock, dayMs + hourMs);
  expect(second.lists.foresee(fileOf(first))).toMatchObject({ fault: null, takenSavedAt: null });
});

test('F5: one that was taken all the same makes way for a right one', async () => {
  const { clock, first, second } = await openTwo();
  const kept = second.shop.database.prepare(
    'INSERT INTO taken_lists (platform, company_id, saved_at) VALUES (?, ?, ?)',
  );
  kept.run(ana.platform, ana.companyId, Date.UTC(9999, 11, 31));
  plan(first, 'Sodas', [1], fridays);
  const older = fileOf(first);
  await pass(clock, hourMs);
  const newer = fileOf(first);
  expect(second.lists.foresee(newer)).toMatchObject({ fault: null, takenSavedAt: null });
  take(second, newer);
  expect(second.lists.foresee(older)).toMatchObject({ takenSavedAt: noon + hourMs });
});

type File = Readonly<Record<string, unknown>> & {
  readonly sets: readonly (Record<string, unknown> & { plans: object[] })[];
};
/** The file with its first set otherwise. */
function withSet(text: string, change: (set: File['sets'][number]) => readonly object[]): string {
  const file = JSON.parse(text) as File;
  return JSON.stringify({ ...file, sets: file.sets.flatMap(change) });
}

test('two sets of one name are no such file, also where only what nobody sees tells them apart', async () => {
  const { first, second } = await openTwo();
  plan(first, 'Sodas', [1], fridays);
  for (const name of ['Sodas', 'Sodas ', '\u202eSodas', 'So\u200bdas']) {
    const text = withSet(fileOf(first), (set) => [set, { ...set, name }]);
    expect(second.lists.foresee(text)).toMatchObject({ fault: 'unreadable' });
    expect(take(second, text)).toEqual(fail({ kind: 'inputInvalid' }));
  }
});

test('nor does a till make two sets of one name, by a new one or by another name', async () => {
  const { first } = await openTwo();
  const how = { kind: 'list' as const, productIds: [id(1)] };
  const setId = plan(first, 'Sodas', [1]);
  const other = plan(first, 'Coffee', [2]);
  expect(first.sets.save(null, 'Sodas', how, ana.email)).toBeNull();
  expect(first.sets.save(other, 'Sodas', null, ana.email)).toBeNull();
  expect(first.sets.save(setId, 'Sodas', how, ana.email)).toBe(setId);
  expect(first.sets.list().map(({ name }) => name)).toEqual(['Coffee', 'Sodas']);
});

test('a plan, a product and what is left out are one each, however often a file names them', async () => {
  const { first, second } = await openTwo();
  plan(first, 'Sodas', [1], fridays);
  const skip = { day: '2026-11-27', isEnabled: true, dueAt: noon + 6 * hourMs };
  const text = withSet(fileOf(first), (set) => [
    {
      ...set,
      how: { kind: 'list', productIds: ['1', '1', '1'] },
      plans: Array.from({ length: 3 }, () => ({ times: fridays, skipped: [skip, skip] })),
    },
  ]);
  expect(second.lists.foresee(text)).toMatchObject({ counts: { set: 1, plan: 1 } });
  expect(take(second, text)).toEqual(succeed({ minimum: 0, set: 1, plan: 1 }));
  expect(second.sets.plans()).toHaveLength(1);
  expect(second.lists.foresee(text)).toMatchObject({ counts: { set: 0, plan: 0 } });
});

test.each([
  ['\u202eabc', 'abc'],
  ['A\u0000B', 'A B'],
  ['\ud800', '\ufffd'],
  ['a\u2028b ', 'a b'],
])('a set that a file names %j is %j here, and the file changes nothing more', async (name, shown) => {
  const { first, second } = await openTwo();
  plan(first, 'Sodas', [1], fridays);
  const text = withSet(fileOf(first), (set) => [{ ...set, name }]);
  expect(second.lists.foresee(text)).toMatchObject({ changes: [{ name: shown }, { name: shown }] });
  expect(take(second, text).ok).toBe(true);
  expect(second.sets.list()).toMatchObject([{ name: shown }]);
  expect(second.lists.foresee(text)).toMatchObject({ fault: null, counts: { set: 0, plan: 0 } });
});

test.each(['', ' ', '\u200b', '\u0000'])('a set of the name %j is no such file', async (name) => {
  const { first, second } = await openTwo();
  plan(first, 'Sodas', [1], fridays);
  const text = withSet(fileOf(first), (set) => [{ ...set, name }]);
  expect(second.lists.foresee(text)).toMatchObject({ fault: 'unreadable' });
});

test('F3: a plan under way has its off time here too, and nothing of it is told as missed', async () => {
  const { clock, platform, first, second } = await openTwo();
  plan(first, 'Happy hour', [1], tonight);
  await pass(clock, 7 * hourMs);
  expect(platform.settings.get(id(1))).toBe(true);
  take(second, fileOf(first));
  await pass(clock, minuteMs);
  expect(second.missed).toEqual([]);
  expect(states(second)).toEqual([]);
  first.isOffline = true;
  first.planner.close();
  await pass(clock, 5 * hourMs);
  expect(platform.settings.get(id(1))).toBe(false);
  expect(states(second)).toEqual(['1 off delivered']);
});

test('F3: a plan that is over is left out; one that is here stays with its user and its moments', async () => {
  const { clock, first, second } = await openTwo();
  const setId = plan(first, 'Happy hour', [1], tonight, fridays);
  const text = fileOf(first);
  plan(second, 'Happy hour', [1], fridays);
  const [, weekly] = first.sets.plans();
  expect(first.planner.setSkipped(weekly?.planId ?? 0, '2026-11-27', false, true)).toBe(true);
  await pass(clock, 6 * hourMs + minuteMs);
  take(second, fileOf(first));
  const [own] = second.sets.plans();
  expect(own).toMatchObject({ email: ana.email, isShared: true });
  // What was skipped there is skipped here.
  expect(second.sets.moments(own?.planId ?? 0).map(({ isEnabled, state }) => [isEnabled, state])).toEqual([
    [true, 'made'],
    [false, 'skipped'],
  ]);
  await pass(clock, 5 * hourMs);
  expect(second.lists.foresee(text)).toMatchObject({
    counts: { minimum: 0, set: 0, plan: 0 },
    changes: [{ did: 'over', times: tonight }],
  });
  const third = await openTill(clock);
  expect(third.lists.foresee(text).changes.map((change) => 'did' in change && change.did)).toEqual(
    ['added', 'over', 'added'].toSorted(),
  );
  expect(first.sets.find(setId)).not.toBeNull();
});

test('without room for the plans that come nothing is taken', async () => {
  const { first, second } = await openTwo();
  plan(first, 'Sodas', [1], fridays);
  const past = { ...tonight, day: '2026-11-20' };
  const setId = plan(second, 'Sodas', [2]);
  for (let made = 0; made < maxCouponPlans; made += 1) {
    second.sets.plan(setId, second.shop.repository.ownerId(ana), past, noon, noon);
  }
  expect(take(second, fileOf(first))).toEqual(fail({ kind: 'plansFull' }));
  expect(second.sets.how(setId)).toEqual({ kind: 'list', productIds: ['2'] });
});

test('where the disk refuses the minimums, none of the sets and plans is taken, as is said', async () => {
  const clock = createManualClock({ now: noon });
  const [first, second] = await Promise.all([openTill(clock), openTill(clock)]);
  plan(first, 'Happy hour', [7], fridays);
  first.watchList.set([{ stockId: id(11), productId: id(7), minimum: 3 }]);
  const text = valueOf(first.lists.write());
  second.shop.database.exec("CREATE TRIGGER full BEFORE INSERT ON minima BEGIN SELECT RAISE(ABORT, 'no room'); END");
  expect(() => take(second, text)).toThrow('no room');
  expect([second.sets.list(), second.sets.plans(), second.watchList.minima()]).toEqual([[], [], []]);
  second.shop.database.exec('DROP TRIGGER full');
  expect(valueOf(take(second, text))).toEqual({ minimum: 1, set: 1, plan: 1 });
  expect(second.watchList.minima()).toHaveLength(1);
});

test('P7: two tills with one plan change each coupon once', async () => {
  const { clock, platform, first, second } = await openTwo();
  plan(first, 'Happy hour', [1, 2], tonight);
  take(second, fileOf(first));
  await pass(clock, 6 * hourMs + minuteMs);
  expect(platform.changes.toSorted()).toEqual(['1 on', '2 on']);
  await pass(clock, 5 * hourMs);
  expect(platform.changes.toSorted()).toEqual(['1 off', '1 on', '2 off', '2 on']);
  const all = ['1 off delivered', '1 on delivered', '2 off delivered', '2 on delivered'];
  expect([states(first), states(second)]).toEqual([all, all]);
});

test('P7: a till that comes online late undoes nothing that a person has changed since, and asks', async () => {
  const { clock, platform, first, second } = await openTwo();
  plan(first, 'Happy hour', [1, 2], tonight);
  take(second, fileOf(first));
  second.isOffline = true;
  await pass(clock, 6 * hourMs + minuteMs);
  await enqueue(first.shop, '1', false);
  await pass(clock, 30 * minuteMs);
  expect(platform.settings.get(id(1))).toBe(false);
  comeBack(second);
  await pass(clock, 10 * minuteMs);
  expect(platform.settings.get(id(1))).toBe(false);
  expect(states(second)).toEqual(['1 on conflict', '2 on delivered']);
  // And what a person then says holds.
  const [asks] = second.shop.repository.history.page(0, 10).filter(({ state }) => state === 'parked');
  expect(second.shop.queue.retry(asks?.id ?? 0).ok).toBe(true);
  await pass(clock, 20 * minuteMs);
  expect(platform.settings.get(id(1))).toBe(true);
});

test('P7: what no till could send is sent by itself within the time in which a plan is still made', async () => {
  const { clock, platform, first, second } = await openTwo();
  plan(first, 'Happy hour', [1, 2], tonight);
  take(second, fileOf(first));
  [first.isOffline, second.isOffline] = [true, true];
  await pass(clock, 6 * hourMs + 5 * minuteMs);
  expect(platform.changes).toEqual([]);
  [first, second].forEach(comeBack);
  await pass(clock, 8 * minuteMs);
  expect(platform.changes.toSorted()).toEqual(['1 on', '2 on']);
});

test('what is left out of a plan of both tills goes by the next file, and is a change that is shown', async () => {
  const { first, second } = await openTwo();
  plan(first, 'Happy hour', [1], fridays);
  take(second, fileOf(first));
  expect(second.lists.foresee(fileOf(first)).counts).toEqual({ minimum: 0, set: 0, plan: 0 });
  const [planned] = first.planner.planned().next;
  expect(first.planner.setSkipped(planned?.planId ?? 0, '2026-11-27', true, true)).toBe(true);
  const text = fileOf(first);
  expect(second.lists.foresee(text)).toMatchObject({
    counts: { minimum: 0, set: 0, plan: 1 },
    changes: [{ kind: 'plan', did: 'changed', name: 'Happy hour' }],
  });
  take(second, text);
  expect(second.lists.foresee(text).counts.plan).toBe(0);
  expect(contentOf(second)).toEqual(contentOf(first));
});

test('a till that only takes files has room again once plans that came once are over', async () => {
  const { first, second } = await openTwo();
  const long = noon - 30 * 24 * hourMs;
  const old: PlanTimes = { ...tonight, day: '2026-10-28' };
  const setId = second.sets.save(null, 'Old', { kind: 'list', productIds: [id(1)] }, ana.email) ?? 0;
  for (let number = 0; number < maxCouponPlans; number += 1) {
    const planId = second.sets.plan(setId, second.shop.repository.ownerId(ana), old, long, long) ?? 0;
    for (const isEnabled of [true, false]) {
      second.sets.keep(planId, { day: old.day, isEnabled, dueAt: long, state: 'made', why: null, made: 1 });
    }
  }
  plan(first, 'Late', [2], fridays);
  expect(take(second, fileOf(first)).ok).toBe(true);
  expect(second.sets.plans().map(({ setName }) => setName)).toEqual(['Late']);
});

test('a weekly plan that a clock ahead has made begins at the other till when it does here', async () => {
  const { clock, first, second } = await openTwo();
  clock.jumpWall(364 * 24 * hourMs);
  plan(first, 'Happy hour', [1], { ...fridays, day: '2027-11-26' });
  clock.jumpWall(-364 * 24 * hourMs);
  await pass(clock, minuteMs);
  const text = fileOf(first);
  take(second, text);
  const days = ({ planner }: Till) => planner.planned().next.map(({ day, at }) => `${day} ${at}`);
  expect(days(second)).toEqual(days(first));
  expect(first.lists.foresee(text)).toMatchObject({ changes: [] });
});
