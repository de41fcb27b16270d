// The proof, over real HTTP, of switching many coupons at once at the training platform: found by a search, counted,
// kept without a network, sent in as few requests as there can be, taken back before anything left, and refused as a
// whole where coupons are off.
import { afterEach, expect, test } from 'vitest';
import type { CouponFilter } from '../../../app/contract/coupons.ts';
import { undoForMs } from '../../../app/coupons/bulk-switch.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createNodeClock } from '../../../app/hosts/node/node-ports.ts';
import { couponBulk, type CouponBulk } from '../../../renderer/coupons/coupon-bulk.ts';
import { createBulk } from '../../../renderer/stores/bulk-store.ts';
import { createFastClock } from '../../support/fast-clock.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';
import { makeLastingStore } from '../../../renderer/stores/make-store.ts';

const patience = { timeout: undoForMs + 20_000, interval: 100 };
let practice: PracticeTerminal;
/** The screen's store, over the terminal's handlers. */
let bulk: () => CouponBulk;

afterEach(() => practice.close());

/** A terminal whose copy is complete and whose settings have been read. */
async function open(
  productCount: number,
  clock = createFastClock(5),
): Promise<PracticeTerminal['terminal']['handlers']> {
  practice = await openPracticeTerminal({ productCount, clock });
  const { handlers } = practice.terminal;
  bulk = createBulk(
    makeLastingStore,
    couponBulk({ call: (channel, input) => handlers[channel](input), subscribe: () => () => undefined }),
    () => () => undefined,
    () => undefined,
  ).getState;
  await expect
    .poll(async () => {
      const state = await handlers['terminal:read']({});
      return (
        state.ok &&
        state.value.catalogue.stocks.length > 0 &&
        state.value.catalogue.stocks.every((stock) => stock.completeAsOf !== null)
      );
    }, patience)
    .toBe(true);
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  return handlers;
}

async function setNetwork(isDown: boolean): Promise<void> {
  const { handlers } = practice.terminal;
  expect(await handlers['practice:setNetwork']({ isDown })).toMatchObject({ ok: true });
  await expect
    .poll(async () => {
      await handlers['coupon:refresh']({});
      const state = await handlers['terminal:read']({});
      return state.ok ? state.value.connection.state : '';
    }, patience)
    .toBe(isDown ? 'offline' : 'online');
}

async function idsOf(filter: CouponFilter, term = ''): Promise<Id[]> {
  const found = await practice.terminal.handlers['coupon:listIds']({ filter, term, offset: 0, limit: 10_000 });
  return found.ok ? found.value.productIds : [];
}

const puts = () =>
  practice.platform.arrivals().filter(({ method, path }) => method === 'PUT' && path.endsWith('/consumption-coupons'));
const allIds = (): Id[] =>
  Array.from({ length: 300 }, (_unused, place) => String(practice.platform.products.idAt(place)) as Id);

test('300 without a setting are found by searches, switched on offline, and go out in three requests', async () => {
  await open(300);
  const known = new Set(await idsOf('all'));
  expect(known.size).toBeLessThan(300);
  // Every product has a code with a digit: the searches bring all of them, with and without a setting.
  const found = new Set(
    (await Promise.all(Array.from({ length: 10 }, (_unused, digit) => idsOf('all', String(digit))))).flat(),
  );
  expect([...found].filter((productId) => !known.has(productId)).length).toBeGreaterThan(0);
  const chosen = allIds();
  const on = (await idsOf('enabled')).length;

  await setNetwork(true);
  const { ask, confirm } = bulk();
  await ask('on', chosen, 0);
  expect(bulk().question?.counted).toMatchObject({ willChange: 300 - on, already: on, needed: 300 - on, room: 10_000 });
  await confirm();
  expect(bulk().outcome).toMatchObject({ count: 300 - on, failure: null });
  expect(await idsOf('waiting')).toHaveLength(300 - on);
  const before = puts().length;
  await setNetwork(false);
  await expect.poll(() => idsOf('waiting'), patience).toEqual([]);
  expect(puts().length - before).toBe(Math.ceil((300 - on) / 100));
  expect([...practice.platform.couponSettings().values()].filter((isEnabled) => isEnabled)).toHaveLength(300);
  expect(await idsOf('enabled')).toHaveLength(300);
});

test('taken back within its seconds, nothing reaches the platform', async () => {
  const handlers = await open(50, createNodeClock());
  const chosen = await idsOf('enabled');
  expect(chosen.length).toBeGreaterThan(0);
  await bulk().ask('off', chosen, 0);
  await bulk().confirm();
  expect(bulk().outcome).toMatchObject({ count: chosen.length });
  expect(await idsOf('enabled')).toEqual([]);
  await bulk().undo();
  expect(bulk().outcome).toMatchObject({ action: 'undo', count: chosen.length, sent: 0 });
  expect(await idsOf('enabled')).toEqual(chosen);
  // The rest is over at once: the next single switch leaves, alone.
  const one = chosen[0] as Id;
  expect(await handlers['coupon:switch']({ productId: one, isEnabled: false })).toMatchObject({ ok: true });
  await expect.poll(async () => (await idsOf('waiting')).length, { timeout: undoForMs / 2 }).toBe(0);
  expect(puts()).toHaveLength(1);
  expect(practice.platform.couponSettings().get(one)).toBe(false);
  expect([...practice.platform.couponSettings().values()].filter((isEnabled) => isEnabled)).toHaveLength(
    chosen.length - 1,
  );
});

test('where the company has coupons off, all of them are refused and wait under their own filter', async () => {
  const handlers = await open(50);
  practice.platform.setVariants({ hasCoupons: false });
  const chosen = await idsOf('enabled');
  await bulk().ask('off', chosen, 0);
  await bulk().confirm();
  await expect.poll(async () => (await idsOf('refused')).length, patience).toBe(chosen.length);
  const page = await handlers['coupon:list']({ filter: 'refused', term: '', offset: 0, limit: 1 });
  expect(page).toMatchObject(
    succeed({ rows: [{ coupon: { isEnabled: true, status: 'parked', failure: { code: 'uneditable_entity' } } }] }),
  );
  expect(await idsOf('enabled')).toEqual(chosen);
});
