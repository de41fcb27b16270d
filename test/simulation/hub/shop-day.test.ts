import { describe, expect, test } from 'vitest';
import { percentile } from '../../bench/statistics.ts';
import { shareOf } from '../../support/night.ts';
import { watchIdle } from './idle-watch.ts';
import { runShopDay } from './shop-day.ts';
import { countWrites, later, minuteMs, openShop, type Shop } from './shop.ts';

const mean = (waitsMs: readonly number[]): number => waitsMs.reduce((sum, ms) => sum + ms, 0) / waitsMs.length;

/** Nobody waits so long while a right is free (L1). */
const longestIdleMs = 1_000;

describe('scans at tills whose copies are complete wait hardly longer than in one ideal queue (L1)', () => {
  const days = [
    { seed: 1, tills: 1, scanEveryMs: 2_000, minutes: 20 },
    // More than the account has for a while; in some of these, tills come to wait at the same moment.
    { seed: 28, tills: 3, scanEveryMs: 3_600, minutes: 20 },
    { seed: 2, tills: 10, scanEveryMs: 12_000, minutes: 10 },
    { seed: 11, tills: 5, scanEveryMs: 6_500, minutes: 20 },
    { seed: 1, tills: 20, scanEveryMs: 24_000, minutes: 10 },
  ];
  test.for(shareOf(days, 3))('$tills tills, a scan each $scanEveryMs ms', async (day) => {
    const { waitsMs, idealMs, idle } = await runShopDay(day);
    expect(idle.forMs).toBeLessThanOrEqual(longestIdleMs);
    expect(waitsMs).toHaveLength(idealMs.length);
    expect(percentile(waitsMs, 0.5)).toBeLessThanOrEqual(50);
    // Where the account has more scans than it may send, each small delay adds up, and what tills keep for themselves.
    expect(mean(waitsMs) - mean(idealMs)).toBeLessThanOrEqual(250);
  });
});

describe('scans that one listing can answer wait a second at most where the limit is nearly used (H15)', () => {
  const days = [
    { seed: 1, tills: 12, scanEveryMs: 14_400, minutes: 20 },
    { seed: 2, tills: 20, scanEveryMs: 24_000, minutes: 20 },
  ];
  test.for(shareOf(days, 1))('$tills tills, a scan each $scanEveryMs ms', async (day) => {
    const { waitsMs, idealMs, idle, joinedPercent } = await runShopDay({ ...day, isListed: true });
    expect(waitsMs).toHaveLength(idealMs.length);
    expect(idle.forMs).toBeLessThanOrEqual(longestIdleMs);
    expect(percentile(waitsMs, 0.5)).toBeLessThanOrEqual(50);
    expect(percentile(waitsMs, 0.99)).toBeLessThanOrEqual(1_000);
    // Each by itself would wait for longer, in whatever order.
    expect(percentile(idealMs, 0.99)).toBeGreaterThan(2_000);
    expect(joinedPercent).toBeGreaterThan(1);
  });
});

const copyingDays = [
  { seed: 1, tills: 10, scanEveryMs: 15_000, minutes: 15, copying: 10 },
  { seed: 2, tills: 20, scanEveryMs: 30_000, minutes: 15, copying: 1 },
];
test.for(shareOf(copyingDays, 1))(
  'scans wait little longer while $copying of $tills tills copy (H13, H15)',
  async (day) => {
    const { waitsMs, idle, ...evidence } = await runShopDay({ ...day, isListed: true });
    expect(idle.forMs).toBeLessThanOrEqual(longestIdleMs);
    expect(percentile(waitsMs, 0.5)).toBeLessThanOrEqual(50);
    expect(percentile(waitsMs, 0.99)).toBeLessThanOrEqual(1_500);
    // What people leave is used.
    expect(evidence.pagesPerMinute).toBeGreaterThan(10);
    expect(evidence.mostInAWindow).toBeLessThanOrEqual(60);
  },
);

test('three tills that scan fourteen products each at once wait no second for any of them (L1)', async () => {
  const shop = openShop(3);
  await later(shop, 2 * minuteMs);
  const waits = [0, 1, 2].map((at) => shop.ask(at, 'person', 14));
  await later(shop, 5_000);
  expect(waits.map((own) => own.length)).toEqual([14, 14, 14]);
  expect(Math.max(...waits.flat())).toBeLessThanOrEqual(longestIdleMs);
});

test('of two tills whose queues begin at once each gets its part (H11)', async () => {
  const shop = openShop(2);
  await later(shop, 2 * minuteMs);
  const waits = [0, 1].map((at) => shop.ask(at, 'queue', 60));
  await later(shop, 30_000);
  expect(waits.flat()).toHaveLength(54);
  expect(Math.min(...waits.map(({ length }) => length))).toBeGreaterThan(24);
});

test('two tills that copy share their turns, at one even pace once half of the limit is used (H11, H13)', async () => {
  const shop = openShop(2);
  await later(shop, 2 * minuteMs);
  const startMs = shop.world.nowMs();
  [0, 1].forEach((at) => shop.ask(at, 'catalogue', 200));
  await later(shop, 2 * minuteMs);
  const all = shop.arrivals.flat().toSorted((left, right) => left - right);
  expect(Math.min(...shop.arrivals.map(({ length }) => length))).toBeGreaterThan(0.4 * all.length);
  expect(all.length).toBeGreaterThan(100);
  // The second minute; what was taken in a burst came free in its beginning.
  const calm = all.filter((ms) => ms > startMs + 80_000);
  expect(calm.length).toBeGreaterThan(20);
  const gaps = calm.slice(1).map((ms, place) => ms - (calm[place] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(500);
});

test('of fifty tills hardly one is in the way of another that writes, at rest or copying (H14)', async () => {
  const { written, linkOf } = countWrites();
  const shop = openShop(50, linkOf);
  const lostPercent = async (minutes: number): Promise<number> => {
    const before = { ...written };
    await later(shop, minutes * minuteMs);
    return (100 * (written.lost - before.lost)) / (written.all - before.all);
  };
  await later(shop, 2 * minuteMs);
  expect(await lostPercent(1)).toBeLessThanOrEqual(1);
  for (const [at] of shop.terminals.entries()) {
    shop.world.after((at * minuteMs) / 50, () => shop.ask(at, 'catalogue', 10));
  }
  expect(await lostPercent(3)).toBeLessThanOrEqual(5);
});

/** Of twelve tills the first uses the whole limit; its first slot comes free twenty seconds before the others. */
async function takeAll(afterMs = 0): Promise<Shop> {
  const shop = openShop(12);
  await later(shop, 2 * minuteMs + afterMs);
  shop.ask(0, 'person', 1);
  await later(shop, 20_000);
  shop.ask(0, 'person', 59);
  await later(shop, 39_000);
  return shop;
}

/** Somebody waits at the third till, and after that at the second. */
async function twoWait(
  afterMs = 0,
): Promise<{ readonly shop: Shop; readonly waits: readonly number[]; giveUp(): void }> {
  const shop = await takeAll(afterMs);
  const waits = shop.ask(2, 'person', 1);
  await later(shop, 300);
  const controller = new AbortController();
  void shop.terminals[1]?.rateLimit()?.take('person', controller.signal);
  await later(shop, 300);
  return {
    shop,
    waits,
    giveUp: () => {
      controller.abort();
    },
  };
}

// Wherever the moment lies at which the record would be written again in any case (H14).
test.for([0, 500, 1_000, 1_500])('who waits no more keeps nobody waiting, after %i ms (L1)', async (afterMs) => {
  const { shop, waits, giveUp } = await twoWait(afterMs);
  giveUp();
  await later(shop, longestIdleMs);
  expect(waits).toHaveLength(1);
});

test('a till that dies while it waits keeps the others waiting for five seconds at most (L1)', async () => {
  const { shop, waits } = await twoWait();
  shop.terminals[1]?.crash();
  await later(shop, 6_000);
  expect(waits).toHaveLength(1);
});

test('eleven tills wait no second for rights that come free at once (L1)', async () => {
  const shop = await takeAll();
  await later(shop, 10_000);
  const waits = shop.terminals.slice(1).map((_, at) => shop.ask(at + 1, 'person', 1));
  await later(shop, 500);
  const idle = watchIdle(shop.world, shop.terminals);
  await later(shop, 15_000);
  expect(waits.flat()).toHaveLength(11);
  const [first = 0, ...others] = waits.flat().toSorted((left, right) => left - right);
  expect(Math.max(...others) - (others[0] ?? first)).toBeLessThanOrEqual(longestIdleMs);
  expect(idle.longest().forMs).toBeLessThanOrEqual(longestIdleMs);
});
