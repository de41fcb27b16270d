// The proof of P1 to P5 of planner.ts, on a real queue.db with a clock that the test moves.
import { expect, test } from 'vitest';
import type { PlannedMoment, PlanTimes } from '../../../app/contract/coupon-sets.ts';
import { maxCouponPlans } from '../../../app/contract/limits/coupon-sets.ts';
import { startPlanner, type PlanMade, type Planner } from '../../../app/coupons/planner.ts';
import { openCouponSets, type CouponSets } from '../../../app/coupons/sets.ts';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import { maxQueueLength } from '../../../app/queue/capacity.ts';
import { openSteadyTime } from '../../../app/queue/steady-time.ts';
import { fillDisk } from '../../support/queue-database.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { endCall } from '../../support/way.ts';
import { ana, bia, openShop, type Shop } from '../queue/queue-shop.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const graceMs = 15 * minuteMs;
/** A Friday. */
const noon = Date.UTC(2026, 10, 27, 12);
const ids = (count: number): Id[] => Array.from({ length: count }, (_, place) => String(place + 1) as Id);
const once = (on: string | null, off: string | null): PlanTimes => ({ repeats: 'once', day: '2026-11-27', on, off });

interface Found {
  view: number;
  total: number;
  isCut: boolean;
  productIds: readonly Id[];
}

interface Repository {
  readonly shop: Shop;
  readonly sets: CouponSets;
  readonly planner: Planner;
  readonly made: PlanMade[];
  readonly missed: string[];
  /** The products that the search of a set finds. */
  search: Result<Found, Failure>;
  /** For whom it was asked. */
  readonly asked: (string | null)[];
  /** Called in the transaction of a moment. */
  onEnqueue: () => void;
  graceMinutes: number;
}

async function openRepository(shop: Shop, isCalm = false): Promise<Repository> {
  const sets = openCouponSets(shop.database, ana);
  const [made, missed]: [PlanMade[], string[]] = [[], []];
  const repository: Omit<Repository, 'planner'> & { planner?: Planner } = {
    shop,
    sets,
    made,
    missed,
    search: fail({ kind: 'notReady' }),
    asked: [],
    onEnqueue: () => undefined,
    graceMinutes: 15,
  };
  const planner = startPlanner(
    {
      scope: ana,
      clock: shop.clock,
      steady: openSteadyTime(shop.database, shop.clock),
      offsetMinutes: () => 0,
      graceMinutes: () => repository.graceMinutes,
      nameOf: (productId) => `Product ${productId}`,
      pause: () => Promise.resolve(true),
      database: shop.database,
      sets,
      queue: shop.queue,
      queueRepository: {
        ...shop.repository,
        enqueueMany: (wishes, asked) => {
          const accepted = shop.repository.enqueueMany(wishes, asked);
          repository.onEnqueue();
          return accepted;
        },
      },
      coupons: openCouponRepository(shop.database),
      listFor: (email) => ({
        ids: () => {
          repository.asked.push(email);
          return Promise.resolve(repository.search);
        },
      }),
      onMade: (one) => made.push(one),
      onMissed: (name) => missed.push(name),
      log: () => undefined,
    },
    isCalm,
  );
  await settlePromises();
  return Object.assign(repository, { planner });
}

async function freshRepository(): Promise<Repository> {
  // Nobody is signed in, so that what is made stays where it can be seen.
  const shop = await openShop(undefined, createManualClock({ now: noon }));
  shop.owner = null;
  return openRepository(shop);
}

function planOf(repository: Repository, times: PlanTimes, size = 3): void {
  const setId = repository.sets.save(null, 'Happy hour', { kind: 'list', productIds: ids(size) }, ana.email) ?? 0;
  expect(repository.planner.plan(setId, repository.shop.repository.ownerId(ana), times).ok).toBe(true);
}

const rows = ({ shop }: Repository): readonly string[] =>
  shop.repository.history
    .page(0, 20_000)
    .map(
      (row) => `${row.subject_id} ${row.is_enabled === 1 ? 'on' : 'off'} ${row.state} ${row.email} ${row.plan ?? ''}`,
    );

const reported = (list: readonly PlannedMoment[]): readonly string[] =>
  list.map(({ isEnabled, state, why, count }) => `${isEnabled ? 'on' : 'off'} ${state} ${why ?? ''} ${String(count)}`);

/** The machine was off, or asleep: nothing of this run is left but its files. */
async function restart(repository: Repository, offMs: number, uptimeMs = 5_000): Promise<Repository> {
  repository.planner.close();
  const now = repository.shop.clock.now() + offMs;
  repository.shop.stop();
  const shop = await openShop(repository.shop.directory, createManualClock({ now, uptimeMs }));
  shop.owner = null;
  return openRepository(shop);
}

/** So many days pass, of which the machine is awake for half a minute of each hour. */
async function live({ shop: { clock } }: Repository, days: number): Promise<void> {
  for (let hour = 0; hour < days * 24; hour += 1) {
    clock.sleep(hourMs - minuteMs / 2);
    await clock.advance(minuteMs / 2);
  }
}

test('P1, P4: both moments are made when they are due, once, for the user who planned', async () => {
  const repository = await freshRepository();
  planOf(repository, once('18:00', '23:00'), 2);
  expect(reported(repository.planner.planned().next)).toEqual(['on planned  2', 'off planned  2']);
  await repository.shop.clock.advance(6 * hourMs - 1_000);
  expect(rows(repository)).toEqual([]);
  await repository.shop.clock.advance(2_000);
  expect(rows(repository)).toEqual([
    '1 on pending ana@example.com Happy hour',
    '2 on pending ana@example.com Happy hour',
  ]);
  expect(repository.made).toEqual([{ name: 'Happy hour', isEnabled: true, count: 2, email: ana.email }]);
  await repository.shop.clock.advance(5 * hourMs);
  expect(rows(repository).slice(2)).toEqual([
    '1 off pending ana@example.com Happy hour',
    '2 off pending ana@example.com Happy hour',
  ]);
  repository.shop.clock.jumpWall(48 * hourMs);
  await repository.shop.clock.advance(hourMs);
  expect(rows(repository)).toHaveLength(4);
  expect(reported(repository.planner.planned().made)).toEqual(['off made  2', 'on made  2']);
  expect(repository.missed).toEqual([]);
});

test('P5: of a large set each product has an update, whatever waits already, and every one is named', async () => {
  const repository = await freshRepository();
  openCouponRepository(repository.shop.database).confirm(ana, [{ productId: '1' as Id, isEnabled: true }], 0);
  const ownerId = repository.shop.repository.ownerId(ana);
  for (const [productId, isEnabled] of [
    ['2', true],
    ['3', false],
  ] as const) {
    const asked = { seen: null, ownerId, isSeenFresh: false, now: noon };
    repository.shop.repository.enqueue({ productId: productId as Id, isEnabled, ...asked });
  }
  planOf(repository, once('18:00', null), 1_200);
  await repository.shop.clock.advance(6 * hourMs + 1);
  expect(reported(repository.planner.planned().made)).toEqual(['on made  1200']);
  const waiting = repository.shop.repository.history.page(0, 20_000).filter(({ state }) => state === 'pending');
  expect(waiting.map(({ subject_id: productId }) => Number(productId)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 1_200 }, (_, place) => place + 1),
  );
  expect(new Set(waiting.map(({ plan }) => plan))).toEqual(new Set(['Happy hour']));
  expect(waiting.find(({ subject_id: productId }) => productId === '700')?.name).toBe('Product 700');
});

const reads = (...on: readonly string[]) =>
  succeed(['1', '2'].map((productId) => ({ productId: productId as Id, isEnabled: on.includes(productId) })));

/** A plan at 18:00 of what an old reading showed to be on, made without a network; online from 18:05 on. */
async function offlineAtSix(isEnabled: boolean): Promise<Repository> {
  const repository = await freshRepository();
  openCouponRepository(repository.shop.database).confirm(
    ana,
    ['1', '2'].map((productId) => ({ productId: productId as Id, isEnabled: true })),
    0,
  );
  repository.shop.owner = ana;
  endCall(repository.shop.connection, { kind: 'unreachable' });
  planOf(repository, isEnabled ? once('18:00', null) : once(null, '18:00'), 2);
  await repository.shop.clock.advance(6 * hourMs + 5 * minuteMs);
  expect(rows(repository)).toHaveLength(2);
  return repository;
}

test('P5: one reading finds what is so already and sends nothing; what was switched off elsewhere is told', async () => {
  const repository = await offlineAtSix(true);
  const { shop } = repository;
  shop.readings.push(reads('1'));
  endCall(shop.connection, null);
  await settlePromises();
  expect([shop.counts.reads, shop.sent]).toEqual([1, []]);
  const states = shop.repository.history
    .page(0, 10)
    .map((row) => `${row.subject_id} ${row.state} ${row.parked_because ?? ''}`);
  expect(new Set(states)).toEqual(new Set(['1 delivered ', '2 parked conflict']));
  const conflict = shop.repository.history.page(0, 10).find(({ state }) => state === 'parked');
  expect(conflict).toMatchObject({ theirs: 0, plan: 'Happy hour' });
  shop.queue.retry(conflict?.id ?? 0);
  await settlePromises();
  expect(shop.sent.map(({ body }) => body)).toEqual(['{"items":[{"product_id":2,"is_enabled":true}]}']);
});

test('P5: what is to be switched off, and is off by now elsewhere, sends nothing either', async () => {
  const { shop } = await offlineAtSix(false);
  shop.readings.push(reads('1'));
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.sent.map(({ body }) => body)).toEqual(['{"items":[{"product_id":1,"is_enabled":false}]}']);
  expect(shop.repository.history.page(0, 10).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
});

test('P5: what a person takes back or gives up is still switched by the plan', async () => {
  const repository = await freshRepository();
  const { shop } = repository;
  planOf(repository, once('18:00', null), 1);
  await shop.clock.advance(6 * hourMs - 1_000);
  const ownerId = shop.repository.ownerId(ana);
  const wishes = [{ productId: '1' as Id, isEnabled: true, seen: false }];
  const [mine = 0] = shop.repository.enqueueMany(wishes, { ownerId, isSeenFresh: false, now: shop.clock.now() });
  await shop.clock.advance(2_000);
  shop.repository.takeBack([mine], shop.clock.now());
  shop.repository.discard(mine, shop.clock.now());
  expect(rows(repository).filter((row) => row.includes('pending'))).toEqual([
    '1 on pending ana@example.com Happy hour',
  ]);
});

test.each([
  ['after the moment was kept', 1],
  ['before anything was kept', 0],
])('P1: a crash %s makes it neither twice nor half', async (_name, kept) => {
  let repository = await freshRepository();
  planOf(repository, once('18:00', null));
  if (kept === 0) {
    repository.onEnqueue = () => {
      fillDisk(repository.shop.database);
      repository.shop.database.exec(
        "INSERT INTO owners (platform, company_id, email) VALUES ('a', 'b', hex(zeroblob(900000)))",
      );
    };
  }
  await repository.shop.clock.advance(6 * hourMs + 1);
  expect(rows(repository)).toHaveLength(3 * kept);
  repository = await restart(repository, 2 * minuteMs);
  await repository.shop.clock.advance(minuteMs);
  expect(rows(repository)).toHaveLength(3);
  repository = await restart(repository, 2 * minuteMs);
  await repository.shop.clock.advance(hourMs);
  expect(rows(repository)).toHaveLength(3);
});

test('P1: a clock that is set back, and a zone that changes, make nothing twice', async () => {
  const repository = await freshRepository();
  planOf(repository, { ...once('18:00', null), repeats: 'weekly' });
  await repository.shop.clock.advance(6 * hourMs + 1);
  expect(rows(repository)).toHaveLength(3);
  repository.shop.clock.jumpWall(-3 * hourMs);
  await repository.shop.clock.advance(6 * hourMs);
  expect(rows(repository)).toHaveLength(3);
  expect(reported(repository.planner.planned().next)).toEqual(['on planned  3']);
});

test('a clock set forward skips nothing silently, and what it missed comes again when it is set back', async () => {
  const repository = await freshRepository();
  planOf(repository, once('18:00', null));
  repository.shop.clock.jumpWall(24 * hourMs);
  await repository.shop.clock.advance(minuteMs);
  expect(reported(repository.planner.planned().missed)).toEqual(['on missed late 3']);
  expect(repository.missed).toEqual(['Happy hour']);
  repository.shop.clock.jumpWall(-24 * hourMs);
  await repository.shop.clock.advance(minuteMs);
  expect(reported(repository.planner.planned().missed)).toEqual([]);
  await repository.shop.clock.advance(6 * hourMs);
  expect(rows(repository)).toHaveLength(3);
});

test('P2: slept through for less than the grace, it is made late; for longer, it is told until answered', async () => {
  let repository = await freshRepository();
  planOf(repository, once('18:00', null));
  repository = await restart(repository, 6 * hourMs + graceMs - minuteMs);
  await repository.shop.clock.advance(1);
  expect(rows(repository)).toHaveLength(3);

  let late = await freshRepository();
  planOf(late, once('18:00', null));
  late = await restart(late, 6 * hourMs + graceMs + minuteMs);
  await late.shop.clock.advance(minuteMs);
  expect(rows(late)).toEqual([]);
  late = await restart(late, hourMs);
  expect(late.missed).toEqual(['Happy hour']);
  const [missed] = late.planner.planned().missed;
  expect(missed).toMatchObject({ state: 'missed', why: 'late', setName: 'Happy hour' });
  late.sets.leave(missed?.planId ?? 0);
  expect(late.planner.planned().missed).toEqual([]);
  await late.shop.clock.advance(minuteMs);
  expect(late.planner.planned().missed).toEqual([]);
  expect(rows(late)).toEqual([]);
});

test.each([
  [0, 59_000, 3],
  [0, 61_000, 0],
  [120, 119 * minuteMs, 3],
  [120, 121 * minuteMs, 0],
])('P2: with a grace of %i minutes, %i ms late, %i updates are made', async (graceMinutes, lateMs, count) => {
  const repository = await freshRepository();
  repository.graceMinutes = graceMinutes;
  planOf(repository, once('18:00', null));
  // The machine slept; its next look comes half a minute after it woke at the latest.
  repository.shop.clock.jumpWall(6 * hourMs + lateMs - 30_000);
  await repository.shop.clock.advance(30_000);
  expect(rows(repository)).toHaveLength(count);
  expect(repository.missed).toHaveLength(count === 0 ? 1 : 0);
});

test('P3: of both moments missed nothing is switched, and the last one alone can still be made', async () => {
  let repository = await freshRepository();
  planOf(repository, once('18:00', '23:00'));
  repository = await restart(repository, 12 * hourMs);
  await repository.shop.clock.advance(minuteMs);
  expect(rows(repository)).toEqual([]);
  expect(reported(repository.planner.planned().missed)).toEqual(['off missed late 3', 'on missed late 3']);
  expect(repository.missed).toEqual(['Happy hour']);

  let soon = await freshRepository();
  planOf(soon, once('18:00', '23:00'));
  soon = await restart(soon, 11 * hourMs + minuteMs);
  await soon.shop.clock.advance(1);
  // Nobody knows what is on; so all are switched off.
  expect(rows(soon)).toHaveLength(3);
  expect(reported(soon.planner.planned().missed)).toEqual(['on missed overtaken 3']);
});

test('a moment that is skipped is neither made nor missed, and the next week comes as planned', async () => {
  const repository = await freshRepository();
  planOf(repository, { ...once('18:00', null), repeats: 'weekly' });
  const [next] = repository.planner.planned().next;
  const { planId = 0, day = '' } = next ?? {};
  expect(repository.planner.setSkipped(planId, '2026-12-04', true, true)).toBe(false);
  expect(repository.planner.setSkipped(planId, day, true, true)).toBe(true);
  expect(reported(repository.planner.planned().next)).toEqual(['on skipped  3']);
  expect(repository.planner.setSkipped(planId, day, true, false)).toBe(true);
  expect(repository.planner.setSkipped(planId, day, true, true)).toBe(true);
  await repository.shop.clock.advance(7 * hourMs);
  expect(rows(repository)).toEqual([]);
  expect(repository.planner.planned().missed).toEqual([]);
  repository.shop.clock.jumpWall(7 * 24 * hourMs - 2 * hourMs);
  await repository.shop.clock.advance(2 * hourMs);
  expect(rows(repository)).toHaveLength(3);
});

test('P5: a set that finds no room is told, and nothing of it is made', async () => {
  const repository = await freshRepository();
  const many = ids(maxQueueLength - 1).map((productId) => ({ productId, isEnabled: true, seen: null }));
  const ownerId = repository.shop.repository.ownerId(bia);
  repository.shop.repository.enqueueMany(many, { ownerId, isSeenFresh: false, now: noon });
  planOf(repository, once('18:00', null));
  await repository.shop.clock.advance(7 * hourMs);
  expect(rows(repository)).toHaveLength(maxQueueLength - 1);
  expect(reported(repository.planner.planned().missed)).toEqual(['on missed noRoom 3']);
});

test('a search is looked up when it is due; while it cannot be read whole it is tried again, then told', async () => {
  const repository = await freshRepository();
  const { sets } = repository;
  const how = { kind: 'search', filter: 'all', term: 'soda' } as const;
  const setId = repository.sets.save(null, 'Sodas', how, ana.email) ?? 0;
  repository.planner.plan(setId, repository.shop.repository.ownerId(ana), once('18:00', '19:00'));
  await repository.shop.clock.advance(6 * hourMs - 1_000);
  expect(reported(repository.planner.planned().next)).toEqual(['on planned  null', 'off planned  null']);
  const before = repository.planner.waiting();
  await repository.shop.clock.advance(minuteMs);
  expect(rows(repository)).toEqual([]);
  expect(reported(repository.planner.planned().next)).toEqual(['on planned unready null', 'off planned  null']);
  expect(repository.planner.waiting()).not.toBe(before);
  repository.shop.clock.jumpWall(-5 * minuteMs);
  expect(reported(repository.planner.planned().next)).toEqual(['on planned  null', 'off planned  null']);
  repository.shop.clock.jumpWall(5 * minuteMs);
  repository.search = succeed({ view: 1, total: 2, isCut: false, productIds: ids(2) });
  await repository.shop.clock.advance(minuteMs);
  expect(rows(repository)).toHaveLength(2);
  expect(new Set(repository.asked)).toEqual(new Set([ana.email])); // P4
  expect(reported(repository.planner.planned().next)).toEqual(['off planned  null']);
  const cut = succeed({ view: 1, total: 2, isCut: true, productIds: ids(2) });
  for (const search of [succeed({ view: 1, total: 10_001, isCut: false, productIds: ids(2) }), cut]) {
    repository.search = search;
    expect(await repository.planner.productsOf(setId)).toEqual(fail({ kind: 'setNotWhole' }));
  }
  sets.keepUnderWay(1, '2026-11-27', null);
  await repository.shop.clock.advance(2 * hourMs);
  expect(rows(repository)).toHaveLength(2);
  expect(reported(repository.planner.planned().missed)).toEqual(['off missed unready null']);
  expect(repository.planner.planned().next).toEqual([]);
});

test('a search that was saved in stocks that the open profile does not show is not made there', async () => {
  const repository = await freshRepository();
  const { shop } = repository;
  const how = { kind: 'search', filter: 'all', term: 'soda' } as const;
  repository.search = succeed({ view: 1, total: 2, isCut: false, productIds: ids(2) });
  const of = (stockIds: readonly Id[]) => openCouponSets(shop.database, { ...ana, stockIds });
  const elsewhere = of(ids(2)).save(null, 'At the depot', how, ana.email) ?? 0;
  const here = of([]).save(null, 'Here', how, ana.email) ?? 0;
  expect(await repository.planner.productsOf(elsewhere)).toEqual(fail({ kind: 'otherStocks' }));
  for (const setId of [elsewhere, here]) {
    repository.planner.plan(setId, shop.repository.ownerId(ana), once('18:00', null));
  }
  await shop.clock.advance(7 * hourMs);
  expect(repository.made.map(({ name }) => name)).toEqual(['Here']);
  expect(reported(repository.planner.planned().missed)).toEqual(['on missed otherStocks null']);
  expect([of(ids(3)), of(ids(1))].map((sets) => sets.list()[0]?.how)).toEqual(
    [[], ['2']].map((stockIds) => ({ ...how, elsewhere: stockIds })),
  );
});

test('nothing is made in safe mode, by a removed plan or set, or for a time that is over', async () => {
  const repository = await freshRepository();
  planOf(repository, once('18:00', null));
  const plan = repository.sets.plans()[0];
  expect(repository.planner.plan(plan?.setId ?? 0, 1, once('11:59', null))).toEqual(fail({ kind: 'inputInvalid' }));
  expect(repository.planner.plan(plan?.setId ?? 0, 1, once('11:59', '13:00'))).toEqual(fail({ kind: 'inputInvalid' }));
  repository.planner.close();
  const calm = await openRepository(repository.shop, true);
  await repository.shop.clock.advance(6 * hourMs + minuteMs);
  expect(rows(calm)).toEqual([]);
  const again = await openRepository(repository.shop);
  again.sets.remove(plan?.setId ?? 0);
  again.planner.noteChange();
  await repository.shop.clock.advance(hourMs);
  expect(again.sets.plans()).toEqual([]);
  expect(rows(again)).toEqual([]);
});

test('as many plans as there may be are told as such, and not as a time that is over', async () => {
  const repository = await freshRepository();
  planOf(repository, once('18:00', null));
  const [plan] = repository.sets.plans();
  for (let count = 1; count < maxCouponPlans; count += 1) {
    expect(repository.planner.plan(plan?.setId ?? 0, plan?.ownerId ?? 0, once('18:00', null)).ok).toBe(true);
  }
  expect(repository.planner.plan(plan?.setId ?? 0, 1, once('18:00', null))).toEqual(fail({ kind: 'plansFull' }));
  expect(repository.planner.plan(plan?.setId ?? 0, 1, once('11:59', null))).toEqual(fail({ kind: 'inputInvalid' }));
});

test('a set belongs to its company and can be changed; a single plan makes room when it is over', async () => {
  const repository = await freshRepository();
  planOf(repository, once('18:00', null));
  const [set] = repository.sets.list();
  expect(set).toMatchObject({ name: 'Happy hour', how: { kind: 'list', count: 3 }, email: ana.email });
  const other = openCouponSets(repository.shop.database, { ...ana, companyId: '8' as Id });
  expect([other.list(), other.plans(), other.how(set?.setId ?? 0)]).toEqual([[], [], null]);
  expect(repository.sets.save(set?.setId ?? 0, 'Late hour', { kind: 'search', filter: 'enabled', term: '' }, '')).toBe(
    set?.setId,
  );
  expect(repository.sets.list()).toMatchObject([{ name: 'Late hour', how: { kind: 'search', filter: 'enabled' } }]);
  expect(repository.sets.save(99, 'None', null, '')).toBeNull();
  repository.sets.save(set?.setId ?? 0, 'Late hour', { kind: 'list', productIds: ids(1) }, '');
  await repository.shop.clock.advance(7 * hourMs);
  expect(repository.made).toMatchObject([{ name: 'Late hour', count: 1 }]);
  await live(repository, 8);
  repository.planner.plan(set?.setId ?? 0, 1, { ...once('18:00', null), day: '2027-01-01' });
  expect(repository.sets.plans()).toHaveLength(1);
});

/** A weekly plan made while the clock was so many days ahead, and the store once it is right again. */
async function plannedAhead(days: number, whileWrongMs: number, isRestarted: boolean): Promise<Repository> {
  const shop = await openShop(undefined, createManualClock({ now: noon + days * dayMs }));
  shop.owner = null;
  let repository = await openRepository(shop);
  const day = new Date(shop.clock.now()).toISOString().slice(0, 10);
  planOf(repository, { repeats: 'weekly', day, on: '18:00', off: '23:00' }, 1);
  await shop.clock.advance(whileWrongMs);
  if (isRestarted) {
    repository = await restart(repository, minuteMs - days * dayMs, 10_000_000);
  } else {
    shop.clock.jumpWall(-days * dayMs);
  }
  await repository.shop.clock.advance(minuteMs);
  return repository;
}

test.each([
  [60, false],
  [60, true],
  [10, false],
  [3, true],
  [0.5, false],
  [700, true],
])(
  'P6: a weekly plan made by a clock %d days ahead runs each week once it is right; restarted: %s',
  async (days, isRestarted) => {
    const repository = await plannedAhead(days, minuteMs, isRestarted);
    const weekday = new Date(noon + days * dayMs).getUTCDay();
    expect(repository.planner.planned().next[0]?.at).toBeLessThan(noon + 8 * dayMs);
    await live(repository, 35);
    expect(repository.made.map(({ isEnabled }) => isEnabled)).toEqual(
      Array.from({ length: 10 }, (_, place) => place % 2 === 0),
    );
    expect(repository.missed).toEqual([]);
    const weekdays = repository.planner.planned().made.map(({ day }) => new Date(`${day}T00:00:00Z`).getUTCDay());
    expect(new Set(weekdays)).toEqual(new Set([weekday]));
  },
);

test('P1: what a clock ahead has made comes again on the real day; a clock behind makes nothing twice', async () => {
  const ahead = await plannedAhead(14, 14 * hourMs, false);
  expect(ahead.made).toHaveLength(2);
  await live(ahead, 28);
  expect(ahead.made).toHaveLength(2 + 8);

  const behind = await freshRepository();
  planOf(behind, { ...once('18:00', '23:00'), repeats: 'weekly' }, 1);
  await behind.shop.clock.advance(6 * hourMs + minuteMs);
  expect(behind.made).toHaveLength(1);
  behind.shop.clock.jumpWall(-3 * dayMs);
  await behind.shop.clock.advance(2 * minuteMs);
  behind.shop.clock.jumpWall(3 * dayMs);
  await behind.shop.clock.advance(5 * hourMs);
  expect([behind.made.map(({ isEnabled }) => isEnabled), behind.missed]).toEqual([[true, false], []]);
});

test('a plan that a clock ahead called missed comes on its day, whatever else is planned meanwhile', async () => {
  const repository = await freshRepository();
  const { clock, repository: queue } = repository.shop;
  planOf(repository, once('18:00', null));
  clock.jumpWall(30 * dayMs);
  await clock.advance(minuteMs);
  // A person has read it, and plans something else.
  const [missed] = repository.planner.planned().missed;
  repository.sets.leave(missed?.planId ?? 0);
  const other = repository.sets.save(null, 'Other', { kind: 'list', productIds: ids(1) }, ana.email) ?? 0;
  const later: PlanTimes = { repeats: 'once', day: '2026-12-31', on: '18:00', off: null };
  const planLater = () => repository.planner.plan(other, queue.ownerId(ana), later).ok;
  expect(planLater()).toBe(true);
  clock.jumpWall(-30 * dayMs);
  await clock.advance(6 * hourMs + 2 * minuteMs);
  expect(rows(repository)).toHaveLength(3);
  // It makes room when a week has passed by both clocks.
  await live(repository, 8);
  expect([planLater(), repository.sets.plans().length]).toEqual([true, 2]);
});

test('P6: a plan made by a clock ahead tells what it missed, also once its own stamp has come', async () => {
  const shop = await openShop(undefined, createManualClock({ now: noon + 12 * hourMs }));
  shop.owner = null;
  let repository = await openRepository(shop);
  planOf(repository, { repeats: 'weekly', day: '2026-12-04', on: '18:00', off: null });
  shop.clock.jumpWall(-12 * hourMs);
  await shop.clock.advance(minuteMs);
  repository = await restart(repository, 13 * hourMs);
  await repository.shop.clock.advance(minuteMs);
  expect(reported(repository.planner.planned().missed)).toEqual(['on missed late 3']);
});

test('a plan for one day that was made while the clock was days ahead says so, until it is made anew', async () => {
  const shop = await openShop(undefined, createManualClock({ now: noon + 60 * dayMs }));
  shop.owner = null;
  const repository = await openRepository(shop);
  const day = new Date(shop.clock.now()).toISOString().slice(0, 10);
  planOf(repository, { repeats: 'once', day, on: '18:00', off: null });
  expect(repository.planner.planned().next[0]?.clockAheadDays).toBeNull();
  shop.clock.jumpWall(-60 * dayMs);
  await shop.clock.advance(minuteMs);
  expect(repository.planner.planned().next[0]).toMatchObject({ day, clockAheadDays: 60 });
  // The clock that was behind is right again.
  shop.clock.jumpWall(60 * dayMs);
  await shop.clock.advance(minuteMs);
  expect(repository.planner.planned().next[0]?.clockAheadDays).toBeNull();
});

test('P6: a lost clock changes nothing of a plan, and a moment before it was made is never made up for', async () => {
  const repository = await freshRepository();
  planOf(repository, { ...once('11:59', null), repeats: 'weekly' }, 1);
  repository.shop.clock.jumpWall(Date.UTC(2000, 0, 1) - noon);
  await repository.shop.clock.advance(minuteMs);
  repository.shop.clock.jumpWall(noon - Date.UTC(2000, 0, 1));
  await repository.shop.clock.advance(minuteMs);
  expect([repository.made, repository.missed]).toEqual([[], []]);
  await live(repository, 8);
  expect(repository.made).toHaveLength(1);
});

test.each(['once', 'weekly'] as const)(
  'a clock that was hours ahead leaves no coupon on whose off is made: a plan that comes %s',
  async (repeats) => {
    const repository = await freshRepository();
    const { clock } = repository.shop;
    planOf(repository, { ...once('18:00', '23:00'), repeats }, 1);
    // Between its moments, until after the last one.
    clock.jumpWall(8 * hourMs);
    await clock.advance(3 * hourMs + minuteMs);
    expect(repository.made.map(({ isEnabled }) => isEnabled)).toEqual([false]);
    clock.jumpWall(-8 * hourMs);
    await clock.advance(minuteMs);
    expect(repository.planner.planned().next).toEqual([]);
    await clock.advance(12 * hourMs);
    expect(rows(repository).at(-1)).toMatch(/^1 off/);
    expect(reported(repository.planner.planned().missed)).toEqual(['on missed late 1']);
  },
);

test('P5: what the on of a day has switched its off switches too, though the set has lost it since', async () => {
  let repository = await freshRepository();
  const newest = (): readonly (string | undefined)[] => [
    ...new Map(rows(repository).map((row) => [row.split(' ')[0], row.split(' ')[1]])).values(),
  ];
  planOf(repository, { ...once('18:00', '23:00'), repeats: 'weekly' });
  await repository.shop.clock.advance(6 * hourMs + minuteMs);
  const setId = repository.sets.list()[0]?.setId ?? 0;
  repository.sets.save(setId, 'Happy hour', { kind: 'list', productIds: ids(2) }, ana.email);
  repository = await restart(repository, 4 * hourMs);
  await repository.shop.clock.advance(hourMs);
  expect(newest()).toEqual(['off', 'off', 'off']);
  // A week later it is no longer the plan's.
  await live(repository, 7);
  expect(rows(repository)).toHaveLength(10);
});

test('P5: a clock a week ahead between a day and its off leaves nothing on that the day has switched', async () => {
  const repository = await freshRepository();
  const { clock } = repository.shop;
  planOf(repository, { ...once('18:00', '23:00'), repeats: 'weekly' });
  await clock.advance(6 * hourMs + minuteMs);
  const setId = repository.sets.list()[0]?.setId ?? 0;
  repository.sets.save(setId, 'Happy hour', { kind: 'list', productIds: ids(2) }, ana.email);
  clock.jumpWall(7 * dayMs);
  await clock.advance(minuteMs);
  clock.jumpWall(-7 * dayMs);
  await clock.advance(5 * hourMs);
  expect(repository.made.map(({ isEnabled }) => isEnabled)).toEqual([true, true, false]);
  expect(rows(repository).filter((row) => row.includes(' off '))).toHaveLength(3);
});

test('P5: a day that a clock ahead has switched on, and its real morning again, is switched off whole', async () => {
  const repository = await freshRepository();
  const { clock } = repository.shop;
  planOf(repository, { ...once('18:00', '23:00'), repeats: 'weekly' });
  await clock.advance(12 * hourMs);
  clock.jumpWall(7 * dayMs - 6 * hourMs);
  await clock.advance(minuteMs);
  clock.jumpWall(6 * hourMs - 7 * dayMs);
  const setId = repository.sets.list()[0]?.setId ?? 0;
  repository.sets.save(setId, 'Happy hour', { kind: 'list', productIds: ids(2) }, ana.email);
  await live(repository, 7);
  expect(repository.made.map(({ isEnabled }) => isEnabled)).toEqual([true, false, true, true, false]);
  expect(repository.made.at(-1)?.count).toBe(3);
});

test('P5: what a clock ahead has switched on for a day is off after it, though the day finds nothing', async () => {
  const repository = await freshRepository();
  const { clock } = repository.shop;
  const found = (productIds: readonly Id[]): Result<Found, Failure> =>
    succeed({ view: 1, total: productIds.length, isCut: false, productIds });
  repository.search = found(ids(3));
  const how = { kind: 'search', filter: 'disabled', term: '' } as const;
  const setId = repository.sets.save(null, 'Off', how, ana.email) ?? 0;
  const times = { ...once('18:00', '23:00'), repeats: 'weekly' } as const;
  repository.planner.plan(setId, repository.shop.repository.ownerId(ana), times);
  await clock.advance(12 * hourMs);
  clock.jumpWall(7 * dayMs - 6 * hourMs);
  await clock.advance(minuteMs);
  clock.jumpWall(6 * hourMs - 7 * dayMs);
  repository.search = found([]);
  await live(repository, 7);
  expect(repository.made.map(({ isEnabled }) => isEnabled)).toEqual([true, false, true, true, false]);
  expect(repository.made.at(-1)?.count).toBe(3);
});

test('P5: days that have switched nothing on push out none that has', async () => {
  const { sets, planner, shop } = await freshRepository();
  const setId = sets.save(null, 'Off', { kind: 'list', productIds: ids(3) }, ana.email) ?? 0;
  planner.plan(setId, shop.repository.ownerId(ana), { ...once('18:00', '23:00'), repeats: 'weekly' });
  sets.keepUnderWay(1, '2026-11-20', ids(3));
  for (const day of ['2026-11-27', '2026-12-04', '2026-12-11', '2026-12-18']) {
    sets.keepUnderWay(1, day, []);
  }
  expect(sets.underWay(1, '2026-11-20')).toEqual(ids(3));
});

test('P5: what a search for what is off has switched on is switched off again', async () => {
  const repository = await freshRepository();
  const found = (productIds: readonly Id[]): Result<Found, Failure> =>
    succeed({ view: 1, total: productIds.length, isCut: false, productIds });
  repository.search = found(ids(3));
  const how = { kind: 'search', filter: 'disabled', term: '' } as const;
  const setId = repository.sets.save(null, 'Off', how, ana.email) ?? 0;
  repository.planner.plan(setId, repository.shop.repository.ownerId(ana), once('18:00', '23:00'));
  await repository.shop.clock.advance(6 * hourMs + minuteMs);
  repository.search = found([]);
  await repository.shop.clock.advance(5 * hourMs);
  expect(rows(repository).filter((row) => row.includes(' off '))).toHaveLength(3);
});

test.each([
  ['settings were not read lately', false],
  ['the open profile does not show the stocks', true],
] as const)('P5: what a search has switched on is off before it is too late, though %s', async (_why, isElsewhere) => {
  let repository = await freshRepository();
  repository.search = succeed({ view: 1, total: 2, isCut: false, productIds: ids(2) });
  const how = { kind: 'search', filter: 'all', term: 'soda' } as const;
  const setId = repository.sets.save(null, 'Sodas', how, ana.email) ?? 0;
  repository.planner.plan(setId, repository.shop.repository.ownerId(ana), once('18:00', '19:00'));
  await repository.shop.clock.advance(6 * hourMs + minuteMs);
  if (isElsewhere) {
    openCouponSets(repository.shop.database, { ...ana, stockIds: ids(1) }).save(setId, 'Sodas', how, ana.email);
  }
  repository = await restart(repository, 50 * minuteMs);
  await repository.shop.clock.advance(15 * minuteMs);
  expect(rows(repository)).toHaveLength(2);
  const why = isElsewhere ? 'otherStocks' : 'unready';
  expect(reported(repository.planner.planned().next)).toEqual([`off planned ${why} null`]);
  await repository.shop.clock.advance(10 * minuteMs);
  expect(repository.made).toEqual([{ name: 'Sodas', isEnabled: false, count: 2, email: ana.email }]);
  expect(repository.planner.planned().missed).toEqual([]);
});

test('a plan whose owner a failing disk has altered is shown, misses its moments and holds up no other', async () => {
  const repository = await freshRepository();
  planOf(repository, once('12:30', null));
  const { database, repository: queue } = repository.shop;
  database.exec('PRAGMA foreign_keys = OFF; UPDATE coupon_plans SET owner_id = 1000; PRAGMA foreign_keys = ON');
  expect(repository.planner.plan(1, queue.ownerId(ana), once('12:31', null)).ok).toBe(true);
  expect(repository.planner.planned().next.map(({ email }) => email)).toEqual(['', ana.email]);
  await repository.shop.clock.advance(31 * minuteMs);
  expect(reported(repository.planner.planned().missed)).toEqual(['on missed unready 3']);
  expect(repository.missed).toEqual(['Happy hour']);
  expect(reported(repository.planner.planned().made)).toEqual(['on made  3']);
  expect(rows(repository)).toHaveLength(3);
});
