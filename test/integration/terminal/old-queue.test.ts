// Proves Q15 of app/queue/settled.ts with whole tills: an older queue.db that is put back sends nothing that this till
// has settled since, over what somebody has set meanwhile; and all that it has not.
import { cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { signInForTraining, whileTimePasses } from '../../endurance/terminal-on-files.ts';
import { joinAs, openHubShop, openSignedIn } from '../../support/hub-shop.ts';

const hourMs = 3_600_000;

/**
 * Two tills of a shop. The first has asked for something that did not reach the platform. It is closed, its folder is
 * copied, and later put back.
 */
async function openShopWithBackup(isSealed = false) {
  const shop = await openHubShop();
  const { clock, hall, machine } = shop;
  const [first, backup, third] = [machine('one'), machine('two'), machine('three')];
  const one = await openSignedIn(shop, first.start());
  await joinAs(shop, one, 'Caixa 1');
  const three = await openSignedIn(shop, third.start());
  await joinAs(shop, three, 'Caixa 3');
  await clock.advance(60_000);
  const [productId, another] = hall.products as [Id, Id];
  const couponOf = async ({ handlers }: Terminal, product = productId): Promise<boolean> => {
    const found = await handlers['lookup:find']({ text: product, source: 'typed' });
    const card = found.ok && found.value.kind === 'found' ? found.value.cards[0] : undefined;
    if (!isSealed) {
      // After it a till knows whether the platform is in reach.
      await whileTimePasses(clock, handlers['product:refresh']({ stockId: card?.stockId as Id, productId: product }));
    }
    return card?.coupon?.isEnabled === true;
  };
  const switchAt = async ({ handlers }: Terminal, isEnabled: boolean, product = productId): Promise<void> => {
    await whileTimePasses(clock, handlers['coupon:switch']({ productId: product, isEnabled }));
    await clock.advance(2_000);
  };
  first.isOffline = true;
  const before = await couponOf(one);
  await switchAt(one, !before);
  await whileTimePasses(clock, one.close());
  cpSync(first.directory, backup.directory, { recursive: true });

  /** What has reached the platform since, of which the answer is asked. */
  function effects() {
    const from = hall.service.effects.length;
    return () => hall.service.effects.slice(from).map((effect) => [effect.productId, effect.isEnabled]);
  }
  return {
    shop,
    first,
    backup,
    three,
    another,
    before,
    couponOf,
    switchAt,
    effects,
    /** The till as it goes on. */
    goOn: async (): Promise<Terminal> => {
      first.isOffline = false;
      const newer = await openSignedIn(shop, first.start());
      await clock.advance(60_000);
      return newer;
    },
    /** The copy takes its place after so long, in which all machines sleep, or runs beside it. */
    putBack: async (newer: Terminal | null, afterMs = 600_000): Promise<Terminal> => {
      if (newer !== null) await whileTimePasses(clock, newer.close());
      clock.sleep(afterMs);
      first.secrets.forEach((secret, entry) => backup.secrets.set(entry, secret));
      return backup.start();
    },
    statesAt: async ({ handlers }: Terminal) => {
      const page = await handlers['queue:list']({ statuses: [], offset: 0, limit: 10 });
      return page.ok ? page.value.rows.map(({ status }) => status) : page.failure;
    },
  };
}

test.each([
  [10 * 60_000, false],
  [30 * hourMs, false],
  [10 * 60_000, true],
  [30 * hourMs, true],
])('Q15: what was delivered %i ms ago is not sent again; sealed: %s', async (afterMs, isSealed) => {
  const { shop, three, before, goOn, putBack, switchAt, effects, statesAt } = await openShopWithBackup(isSealed);
  const newer = await goOn();
  await switchAt(three, before);
  await shop.clock.advance(30_000);
  // A run that has delivered nothing itself keeps what the one before has said.
  await whileTimePasses(shop.clock, newer.close());
  const last = await goOn();
  const sent = effects();
  const back = await putBack(last, afterMs);
  await signInForTraining(back, shop.clock);
  await shop.clock.advance(90_000);
  expect([sent(), await statesAt(back)]).toEqual([[], ['delivered']]);
});

test('Q15: what gave way to a newer change is not sent again', async () => {
  const { shop, first, before, putBack, switchAt, effects, statesAt } = await openShopWithBackup();
  const newer = await first.start();
  await switchAt(newer, before);
  first.isOffline = false;
  await shop.clock.advance(900_000);
  expect(await statesAt(newer)).toEqual(['delivered', 'superseded']);
  const sent = effects();
  const back = await putBack(newer);
  await signInForTraining(back, shop.clock);
  await shop.clock.advance(90_000);
  expect([sent(), await statesAt(back)]).toEqual([[], ['superseded']]);
});

test('Q15: what was not settled since goes out, and what is asked for anew under a number used before', async () => {
  const { shop, backup, three, before, another, couponOf, goOn, putBack, switchAt, effects } =
    await openShopWithBackup();
  const newer = await goOn();
  const beforeOfAnother = await couponOf(newer, another);
  await switchAt(newer, !beforeOfAnother, another);
  await shop.clock.advance(30_000);
  await switchAt(three, beforeOfAnother, another);
  await shop.clock.advance(30_000);
  const sent = effects();
  [backup.isOffline, shop.register.failure] = [true, 'unreachable'];
  const back = await putBack(newer);
  // The number of the same change in the other copy, asked for at another moment.
  await switchAt(back, !beforeOfAnother, another);
  await shop.clock.advance(30_000);
  [backup.isOffline, shop.register.failure] = [false, null];
  await shop.clock.advance(120_000);
  expect(sent()).toEqual([[another, !beforeOfAnother]]);
  expect([await couponOf(back), await couponOf(three)]).toEqual([!before, !before]);
});

test('Q15: a copy that runs beside the till sends nothing that this one has delivered (H16)', async () => {
  const { shop, first, backup, three, before, goOn, putBack, switchAt, effects, statesAt } = await openShopWithBackup();
  await goOn();
  await switchAt(three, before);
  await shop.clock.advance(30_000);
  const sent = effects();
  const copy = await putBack(null);
  await shop.clock.advance(120_000);
  expect([sent(), await statesAt(copy)]).toEqual([[], ['delivered']]);
  expect(backup.settings()['hub']?.['terminalId']).not.toBe(first.settings()['hub']?.['terminalId']);
});

test.each(['removed by another till', 'left by itself, and joined again'])(
  'Q15: a till that was %s meanwhile sends nothing that it has settled',
  async (how) => {
    const { shop, first, three, before, goOn, putBack, switchAt, effects, couponOf } = await openShopWithBackup();
    const { clock } = shop;
    const newer = await goOn();
    await switchAt(three, before);
    await clock.advance(30_000);
    const sent = effects();
    const id = String(first.settings()['hub']?.['terminalId']);
    if (how.startsWith('left')) {
      await whileTimePasses(clock, newer.handlers['hub:leave']({}));
      await clock.advance(30_000);
      await joinAs(shop, newer, 'Caixa 1');
      await clock.advance(400_000);
    }
    await whileTimePasses(clock, newer.close());
    if (how.startsWith('removed')) {
      await clock.advance(400_000);
      await whileTimePasses(clock, three.handlers['hub:remove']({ ids: [id] }));
      await clock.advance(60_000);
    }
    const back = await putBack(null);
    await signInForTraining(back, clock);
    await clock.advance(700_000);
    expect([sent(), await couponOf(back), await couponOf(three)]).toEqual([[], before, before]);
  },
);

async function couponShownAt({ handlers }: Terminal, productId: Id): Promise<unknown> {
  const found = await handlers['lookup:find']({ text: productId, source: 'typed' });
  return found.ok && found.value.kind === 'found' ? found.value.cards[0]?.coupon : found;
}

test('Q15: what is settled by the hub is shown as this till has set it, also without the platform', async () => {
  const { shop, backup, three, before, goOn, putBack } = await openShopWithBackup();
  const newer = await goOn();
  await shop.clock.advance(30_000);
  const shownAt = (till: Terminal) => couponShownAt(till, shop.hall.products[0] as Id);
  backup.isOffline = true;
  const back = await putBack(newer);
  await shop.clock.advance(30_000);
  const asSet = { isEnabled: !before, status: 'confirmed' };
  expect([await shownAt(three), await shownAt(back)]).toMatchObject([asSet, asSet]);
});

test.each(['the platform is away', 'nobody is signed in'])(
  'Q15: what is settled by the hub is no news for other tills while %s there',
  async (how) => {
    const { shop, backup, three, before, goOn, putBack, switchAt } = await openShopWithBackup();
    const newer = await goOn();
    await switchAt(three, before);
    await shop.clock.advance(30_000);
    backup.isOffline = how === 'the platform is away';
    const back = await putBack(newer);
    if (!backup.isOffline) await whileTimePasses(shop.clock, back.handlers['session:signOut']({}));
    const seen: unknown[] = [];
    for (let seconds = 0; seconds < 40; seconds += 1) {
      await shop.clock.advance(1_000);
      seen.push(await couponShownAt(three, shop.hall.products[0] as Id));
    }
    expect(seen).toEqual(seen.map(() => ({ isEnabled: before, status: 'confirmed', failure: null })));
  },
);
