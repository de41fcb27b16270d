// A plan over a search by the setting goes by settings that were read lately (P5 of planner.ts).
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { users } from '../../../app/training/data/world.ts';
import { whileTimePasses } from '../../endurance/terminal-on-files.ts';
import { joinAs, openHubShop, openSignedIn } from '../../support/hub-shop.ts';
import { stateOf } from '../../support/machine.ts';
import { stealTill } from '../../support/stolen-till.ts';
import { valueOf } from '../../support/value-of.ts';

const minuteMs = 60_000;

test.each([
  ['was off when the moment came', 'off', 4, 'own'],
  ['had no network when the moment came', 'offline', 4, 'own'],
  ['has no network until the moment is late', 'offline', 60, 'own'],
  ['may not name its company', 'on', 4, 'bad_request'],
] as const)('all that is on is switched off, or nothing, by a till that %s', async (_name, how, minutes, ofCompany) => {
  const shop = await openHubShop();
  const { clock, hall, machine } = shop;
  const { answer } = hall;
  hall.service.setVariants({ couponsOfCompany: ofCompany });
  // A platform half a second away.
  Object.assign(hall, {
    answer: async (request: Parameters<typeof answer>[0]) => {
      await new Promise<void>((resolve) => {
        clock.after(500, resolve);
      });
      return answer(request);
    },
  });
  const [mine, other] = [machine('one'), machine('two')];
  let one = await openSignedIn(shop, mine.start());
  const two = await openSignedIn(shop, other.start());
  await clock.advance(2 * minuteMs);
  const [first, second] = hall.products as [Id, Id];
  const set = async (till: Terminal, productId: Id, isEnabled: boolean): Promise<void> => {
    await whileTimePasses(clock, till.handlers['coupon:switch']({ productId, isEnabled }));
    await clock.advance(minuteMs / 2);
  };
  await set(one, first, true);
  await set(one, second, false);
  const search = { kind: 'search', filter: 'enabled', term: '' } as const;
  const { setId } = valueOf(await one.handlers['couponSet:save']({ setId: null, name: 'All', how: search }));
  const due = new Date(clock.now() + 40 * minuteMs).toISOString();
  const times = { repeats: 'once', day: due.slice(0, 10), on: null, off: due.slice(11, 16) } as const;
  valueOf(await one.handlers['couponSet:plan']({ setId, times }));

  mine.isOffline = how === 'offline';
  if (how === 'off') {
    await whileTimePasses(clock, one.close());
  }
  await whileTimePasses(clock, two.handlers['coupon:refresh']({}));
  await set(two, second, true);
  await clock.advance((40 + minutes) * minuteMs);
  mine.isOffline = false;
  if (how === 'off') {
    one = await mine.start();
  }
  await clock.advance(10 * minuteMs);
  const isOff = (productId: Id): boolean =>
    hall.service.effects.findLast((effect) => effect.productId === productId)?.isEnabled === false;
  const isLate = minutes > 15;
  expect([isOff(first), isOff(second)]).toEqual([!isLate, !isLate]);
  expect(valueOf(await one.handlers['couponSet:listPlanned']({})).missed).toHaveLength(isLate ? 1 : 0);
});

test('what a stolen till says of coupons adds none to a plan, and keeps none out', async () => {
  const shop = await openHubShop();
  const { clock, hall, machine } = shop;
  const one = await openSignedIn(shop, machine('one').start());
  await joinAs(shop, one, 'Caixa 1');
  await clock.advance(10 * minuteMs);
  const [off, on] = hall.products as [Id, Id];
  for (const [productId, isEnabled] of [
    [off, false],
    [on, true],
  ] as const) {
    await whileTimePasses(clock, one.handlers['coupon:switch']({ productId, isEnabled }));
    await clock.advance(minuteMs);
  }
  const search = { kind: 'search', filter: 'disabled', term: '' } as const;
  const { setId } = valueOf(await one.handlers['couponSet:save']({ setId: null, name: 'Happy hour', how: search }));
  const dueMs = Math.ceil(clock.now() / minuteMs) * minuteMs + 20 * minuteMs;
  const timeOf = (atMs: number): string => new Date(atMs).toISOString().slice(11, 16);
  const times = {
    repeats: 'once',
    day: new Date(dueMs).toISOString().slice(0, 10),
    on: timeOf(dueMs),
    off: timeOf(dueMs + 60 * minuteMs),
  } as const;
  valueOf(await one.handlers['couponSet:plan']({ setId, times }));
  const { profile } = await stateOf(one);
  const thief = await stealTill(shop, profile ?? expect.fail('no profile'));
  await clock.advance(dueMs - clock.now() - 1_000);
  const before = hall.service.effects.length;
  const lies = [
    { productId: off, isEnabled: true },
    { productId: on, isEnabled: false },
  ];
  for (let said = 0; said < 300; said += 1) {
    await whileTimePasses(clock, thief.claim('thief', [], lies));
    await clock.advance(1_000);
  }
  await clock.advance(90 * minuteMs);
  const switched = (productId: Id): boolean[] =>
    hall.service.effects
      .slice(before)
      .filter((effect) => effect.productId === productId)
      .map(({ isEnabled }) => isEnabled);
  expect({ off: switched(off), on: switched(on) }).toEqual({ off: [true, false], on: [] });
});

test('a plan that waits for a reading asks for one at a time, however long the platform holds all back', async () => {
  const shop = await openHubShop();
  const { clock, hall, machine } = shop;
  const { answer } = hall;
  let heldUntil = 0;
  let readings: number[] = [];
  Object.assign(hall, {
    answer: (request: Parameters<typeof answer>[0]) => {
      if (request.method === 'GET' && request.url.includes('coupons')) {
        readings.push(clock.now());
      }
      const restMs = heldUntil - clock.now();
      const headers = { 'retry-after': String(Math.ceil(restMs / 1_000)) };
      return restMs > 0 ? Promise.resolve({ status: 429, headers, body: '{}' }) : answer(request);
    },
  });
  const one = await openSignedIn(shop, machine('one').start());
  await joinAs(shop, one, 'Caixa 1');
  const two = await openSignedIn(shop, machine('two').start());
  await joinAs(shop, two, 'Caixa 2');
  await clock.advance(10 * minuteMs);
  const [off, on] = hall.products as [Id, Id];
  hall.service.changeCouponSetting(off, false);
  const search = { kind: 'search', filter: 'disabled', term: '' } as const;
  const { setId } = valueOf(await one.handlers['couponSet:save']({ setId: null, name: 'Happy hour', how: search }));
  const dueMs = Math.ceil(clock.now() / minuteMs) * minuteMs + 20 * minuteMs;
  const due = new Date(dueMs).toISOString();
  const times = { repeats: 'once', day: due.slice(0, 10), on: due.slice(11, 16), off: null } as const;
  valueOf(await one.handlers['couponSet:plan']({ setId, times }));
  await clock.advance(dueMs - clock.now() - 3 * minuteMs);
  await whileTimePasses(clock, two.handlers['coupon:switch']({ productId: on, isEnabled: false }));
  await clock.advance(dueMs - clock.now() - 1_000);
  heldUntil = clock.now() + 4 * minuteMs;
  await clock.advance(4 * minuteMs);
  readings = [];
  await clock.advance(8 * minuteMs);
  expect(valueOf(await one.handlers['couponSet:listPlanned']({})).made).toHaveLength(1);
  // The plan's, the one before what it switches is sent, and what both tills read every quarter of an hour.
  expect(readings.length).toBeLessThan(5);
});

test.each([
  ['when somebody else has signed out', true],
  ['when the till is locked', false],
])('a plan by the setting is made under the kept sign-in of who planned it, %s', async (_name, hasOther) => {
  const shop = await openHubShop();
  const { clock, hall, machine } = shop;
  const one = await openSignedIn(shop, machine('one').start());
  valueOf(await whileTimePasses(clock, one.handlers['cashier:setPin']({ pin: '2580' })));
  await clock.advance(10 * minuteMs);
  const [off] = hall.products as [Id];
  hall.service.changeCouponSetting(off, false);
  valueOf(await whileTimePasses(clock, one.handlers['coupon:refresh']({})));
  const search = { kind: 'search', filter: 'disabled', term: '' } as const;
  const { setId } = valueOf(await one.handlers['couponSet:save']({ setId: null, name: 'Happy hour', how: search }));
  const due = new Date(clock.now() + 40 * minuteMs).toISOString();
  const times = { repeats: 'once', day: due.slice(0, 10), on: due.slice(11, 16), off: null } as const;
  valueOf(await one.handlers['couponSet:plan']({ setId, times }));
  await one.handlers['cashier:lock']({});
  if (hasOther) {
    const [, { email, password }] = users;
    valueOf(await whileTimePasses(clock, one.handlers['session:signIn']({ email, password })));
    valueOf(await whileTimePasses(clock, one.handlers['session:signOut']({})));
  }
  await clock.advance(50 * minuteMs);
  expect(hall.service.effects.findLast(({ productId }) => productId === off)?.isEnabled).toBe(true);
});
