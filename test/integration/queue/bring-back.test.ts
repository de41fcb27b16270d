// The proof, over real HTTP, of what becomes of changes that were given up together and brought back: each goes out
// once, what stays given up never does, and what is told of the day and of the copy agrees with it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';

let practice: PracticeTerminal;
let productIds: readonly Id[];

beforeEach(async () => {
  practice = await openPracticeTerminal();
  const { platform, terminal } = practice;
  productIds = [3, 4, 5].map((place) => String(platform.products.idAt(place)) as Id);
  await expect
    .poll(
      async () => {
        const state = await terminal.handlers['terminal:read']({});
        return state.ok ? state.value.catalogue.phase : '';
      },
      { timeout: 15_000 },
    )
    .toBe('complete');
  await terminal.handlers['coupon:refresh']({});
  platform.setFaults({ faults: [{ kind: 'dropBeforeEffect' }] });
  await terminal.handlers['coupon:refresh']({});
  for (const productId of productIds) {
    platform.changeCouponSetting(productId, false);
    expect(await terminal.handlers['coupon:switch']({ productId, isEnabled: true })).toMatchObject({ ok: true });
  }
});

afterEach(() => practice.close());

const statuses = async (): Promise<readonly string[]> =>
  (await practice.updates()).map(({ status }) => status).toReversed();

test('what is brought back goes out once, what stays given up never does, and the day adds up', async () => {
  const { platform, terminal } = practice;
  const updateIds = (await practice.updates()).map(({ id }) => id).toReversed();
  const [first = 0, second = 0, third = 0] = updateIds;
  expect(await terminal.handlers['queue:countMany']({ updateIds })).toMatchObject(succeed({ pending: 3, gone: 0 }));
  expect(await terminal.handlers['queue:discardMany']({ updateIds })).toEqual({ ok: true, value: { updateIds } });
  expect(await statuses()).toEqual(['discarded', 'discarded', 'discarded']);
  // Something newer is asked for of the second: that one stays given up.
  await terminal.handlers['coupon:switch']({ productId: productIds[1] as Id, isEnabled: true });
  expect(await terminal.handlers['queue:bringBack']({ updateIds: [first, second] })).toEqual(
    succeed({ broughtBack: 1 }),
  );
  expect(await terminal.handlers['queue:bringBack']({ updateIds: [first] })).toEqual(succeed({ broughtBack: 0 }));

  platform.setFaults({});
  await expect
    .poll(
      async () => {
        await terminal.handlers['coupon:refresh']({});
        return statuses();
      },
      { timeout: 15_000 },
    )
    .toEqual(['delivered', 'discarded', 'discarded', 'delivered']);
  const settings = platform.couponSettings();
  expect(productIds.map((productId) => settings.get(productId))).toEqual([true, true, false]);
  expect(await terminal.handlers['queue:retryMany']({ updateIds: [third] })).toEqual(succeed({ retried: 0 }));

  const day = await terminal.handlers['queue:readDay']({});
  const sum = (what: 'added' | 'delivered' | 'givenUp'): number =>
    day.ok ? day.value.hours.reduce((total, hour) => total + hour[what], 0) : -1;
  expect([sum('added'), sum('delivered'), sum('givenUp')]).toEqual([4, 2, 2]);
  expect(day.ok && day.value.hours.at(-1)?.open).toBe(0);
});

test('changes are found by a product’s name and by who made them, and the copy tells its age', async () => {
  const { terminal } = practice;
  const [update] = await practice.updates();
  const name = update?.kind === 'coupon' ? (update.productName ?? '') : '';
  expect(name).not.toBe('');
  const found = await terminal.handlers['queue:list']({ statuses: [], term: name, offset: 0, limit: 10 });
  expect(found.ok && found.value.rows.map(({ id }) => id)).toContain(update?.id);
  const mine = await terminal.handlers['queue:listIds']({
    statuses: ['pending'],
    term: update?.email ?? '',
    offset: 0,
    limit: 10_000,
  });
  expect(mine.ok && mine.value.updateIds.length).toBe(3);
  expect(
    await terminal.handlers['queue:list']({ statuses: [], kind: 'restoreUser', offset: 0, limit: 10 }),
  ).toMatchObject({ ok: true, value: { total: 0 } });

  const age = await terminal.handlers['catalogue:readAge']({});
  expect(age).toMatchObject({ ok: true, value: { isSample: false } });
  if (age.ok) {
    const { bands, withoutFigure, counted, stocks, readAt } = age.value;
    expect(bands.reduce((total, count) => total + count, withoutFigure)).toBe(counted);
    expect(counted).toBeGreaterThanOrEqual(50);
    expect(stocks.every(({ listedAt }) => listedAt !== null && listedAt <= readAt)).toBe(true);
  }
});
