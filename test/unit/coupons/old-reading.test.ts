// The proof of M5 of bulk-switch.ts: what an old reading shows to be so already is asked for as well, and one reading says
// of which somebody has changed it since.
import { expect, test } from 'vitest';
import { createCouponMany } from '../../../app/coupons/bulk-switch.ts';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { ana, openShop } from '../queue/queue-shop.ts';

test.each([3, 600])(
  'M5: of %i that were on at an old reading each is asked for, and none is sent unread',
  async (howMany) => {
    const shop = await openShop();
    const coupons = openCouponRepository(shop.database);
    let isReadFresh = true;
    const many = createCouponMany({
      scope: ana,
      clock: shop.clock,
      owner: () => shop.owner,
      isOnline: () => shop.connection.isAnswered(),
      isReadFresh: () => isReadFresh,
      queue: shop.queue,
      queueRepository: shop.repository,
      coupons,
    });
    const productIds = Array.from({ length: howMany }, (_unused, place) => String(place + 1) as Id);
    const settings = productIds.map((productId) => ({ productId, isEnabled: true }));
    await coupons.replaceAll(ana, settings, { mark: 0, number: 1, leftMs: 0 }, 1, () => Promise.resolve(true));
    const slice = { productIds, isEnabled: true, ownerId: shop.repository.ownerId(ana), needed: howMany };
    expect(many.switchSlice(slice)).toMatchObject({ value: { updateIds: [], already: howMany } });
    isReadFresh = false;
    expect(many.count(productIds, true)).toMatchObject({ value: { willChange: 0, unsure: howMany, needed: howMany } });
    const switched = many.switchSlice(slice);
    const updateIds = switched.ok ? switched.value.updateIds : [];
    expect(updateIds).toHaveLength(howMany);
    // They wait by now.
    expect(many.switchSlice(slice)).toMatchObject({ value: { updateIds: [], already: howMany } });
    shop.readings.push({ ok: true, value: settings.map((one) => ({ ...one, isEnabled: one.productId !== '2' })) });
    await shop.clock.advance(10_000);
    expect([shop.counts.reads, shop.sent]).toEqual([1, []]);
    const states = shop.repository.history.page(0, 1_000).map(({ state }) => state);
    expect([states.filter((state) => state === 'delivered').length, states.length]).toEqual([howMany - 1, howMany]);
    expect(shop.repository.find(updateIds[1] ?? 0)).toMatchObject({
      state: 'parked',
      parked_because: 'conflict',
      theirs: 0,
    });
    // An update that was never sent has not left.
    expect(many.takeBack(updateIds.slice(0, 1), true)).toEqual({ ok: true, value: { takenBack: 0, sent: 0 } });
  },
);
