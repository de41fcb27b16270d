// Proves what the tills of a shop see of one another through their hub, as whole terminals: the copy, a live figure, and
// a coupon's change that waits; and that no scan and no change suffers when the hub fails.
import { expect, test } from 'vitest';
import type { CouponState } from '../../../app/contract/coupons.ts';
import type { ProductCard } from '../../../app/contract/products.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { growAfterMs } from '../../../app/hub/document.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { whileTimePasses } from '../../endurance/terminal-on-files.ts';
import { joinAs, openHubShop, openSignedIn, type HubShop } from '../../support/hub-shop.ts';
import { stateOf } from '../../support/machine.ts';

const listing = /\/stocks\/\d+\/products$/;

async function openTwo() {
  const shop = await openHubShop();
  const { clock, machine } = shop;
  const machines = [machine('one'), machine('two')] as const;
  const one = await openSignedIn(shop, machines[0].start());
  expect(await joinAs(shop, one, 'Caixa 1')).toEqual(succeed({ wrongPart: null, failure: null }));
  await clock.advance(300_000);
  const two = await openSignedIn(shop, machines[1].start());
  machines[1].asked.length = 0;
  expect(await joinAs(shop, two, 'Caixa 2')).toEqual(succeed({ wrongPart: null, failure: null }));
  await clock.advance(60_000);
  return { ...shop, machines, one, two };
}

async function cardOf({ handlers }: Terminal, productId: Id): Promise<ProductCard> {
  const found = await handlers['lookup:find']({ text: productId, source: 'typed' });
  return found.ok && found.value.kind === 'found' && found.value.cards[0] !== undefined
    ? found.value.cards[0]
    : expect.fail('not found');
}

async function couponOf(terminal: Terminal, productId: Id): Promise<CouponState> {
  return (await cardOf(terminal, productId)).coupon;
}

test('the second till has the copy of the first, and a live figure of either', async () => {
  const { clock, hall, machines, one, two } = await openTwo();
  const [first, second] = [await stateOf(one), await stateOf(two)];
  expect(second.catalogue).toMatchObject({ phase: 'complete', copied: first.catalogue.copied });
  // Apart from its requests before it joined: its own changes, for its clock is not the first one's.
  expect(machines[1].asked.filter((path) => listing.test(path)).length).toBeLessThanOrEqual(2);

  const productId = hall.products[0] as Id;
  const { stockId } = await cardOf(one, productId);
  const shown = await cardOf(two, productId);
  const live = await whileTimePasses(clock, one.handlers['product:refresh']({ stockId, productId }));
  await clock.advance(1_000);
  expect(live.ok && live.value.balance.asOf).toBeGreaterThan(shown.balance.asOf ?? 0);
  expect((await cardOf(two, productId)).balance).toEqual(live.ok && live.value.balance);
  await clock.advance(20_000);
  const hub = await two.handlers['hub:read']({});
  const tills = hub.ok ? (hub.value.hub?.state?.tills ?? []) : [];
  expect(tills.map(({ name }) => name)).toEqual(['Caixa 2', 'Caixa 1']);
  for (const { history } of tills) {
    expect(Math.max(...history)).toBeGreaterThan(0);
  }
});

test('a coupon that one till switches offline waits before the eyes of the other, until it is delivered', async () => {
  const { clock, hall, machines, one, two } = await openTwo();
  const productId = hall.products[0] as Id;
  const before = await couponOf(two, productId);
  expect(before.ofTill).toBeUndefined();
  const isEnabled = before.isEnabled !== true;
  machines[0].isOffline = true;
  await whileTimePasses(clock, one.handlers['coupon:switch']({ productId, isEnabled }));
  await clock.advance(1_000);
  expect(await couponOf(two, productId)).toEqual({
    ...before,
    ofTill: { till: 'Caixa 1', isEnabled, isParked: false },
  });
  expect(await couponOf(one, productId)).toMatchObject({
    isEnabled,
    status: expect.stringMatching(/^(waiting|sending)$/),
  });
  const { queue } = await stateOf(two);
  expect(queue).toMatchObject({ pending: 0, inFlight: 0 });

  machines[0].isOffline = false;
  const asked = machines[1].asked.length;
  await clock.advance(120_000);
  expect(await couponOf(one, productId)).toMatchObject({ isEnabled, status: 'confirmed' });
  expect(await couponOf(two, productId)).toEqual({ isEnabled, status: 'confirmed', failure: null });
  expect(machines[1].asked.slice(asked).filter((path) => path.includes('coupons'))).toEqual([]);
});

test('a list is read again when a reading says otherwise than another till, and the same as the one before', async () => {
  const { clock, hall, one, two } = await openTwo();
  const productId = hall.products[0] as Id;
  hall.service.changeCouponSetting(productId, true);
  await whileTimePasses(clock, one.handlers['coupon:refresh']({}));
  await clock.advance(60_000);
  const isOn = async (): Promise<unknown> => {
    const list = await one.handlers['coupon:list']({ filter: 'all', term: '', offset: 0, limit: 10 });
    return list.ok && list.value.rows.find((row) => row.productId === productId)?.coupon.isEnabled;
  };
  expect(await isOn()).toBe(true);
  await whileTimePasses(clock, two.handlers['coupon:switch']({ productId, isEnabled: false }));
  await clock.advance(60_000);
  expect(await isOn()).toBe(false);
  // Somebody at no till takes it back.
  hall.service.changeCouponSetting(productId, true);
  const events: string[] = [];
  one.subscribe((name) => events.push(name));
  await whileTimePasses(clock, one.handlers['coupon:refresh']({}));
  await clock.advance(1_000);
  expect([await isOn(), events.includes('coupon:changed')]).toEqual([true, true]);
});

const failures: readonly [string, (register: HubShop['register']) => void][] = [
  ['is stopped', (register) => (register.failure = 'unreachable')],
  ['does not answer', (register) => (register.failure = 'noAnswer')],
  ['has lost everything', (register) => register.empty()],
];

test.each(failures)(
  'while the hub %s a scan is answered at once, and each change reaches the platform once and in order',
  async (_, breakHub) => {
    const { clock, hall, register, one } = await openTwo();
    const before = hall.service.effects.length;
    breakHub(register);
    await clock.advance(10_000);
    const wanted: { readonly productId: Id; readonly isEnabled: boolean }[] = [];
    for (const productId of hall.products) {
      const scannedAt = clock.now();
      const isEnabled = (await couponOf(one, productId)).isEnabled !== true;
      expect(clock.now()).toBe(scannedAt);
      wanted.push({ productId, isEnabled });
      await whileTimePasses(clock, one.handlers['coupon:switch']({ productId, isEnabled }));
      await clock.advance(5_000);
    }
    await clock.advance(growAfterMs(60_000) + 120_000);
    const effects = hall.service.effects.slice(before);
    expect(effects.map(({ productId, isEnabled }) => ({ productId, isEnabled }))).toEqual(wanted);
  },
);
