// The proof that lists are told to read again when something of them has changed, and only then.
import { afterEach, expect, test } from 'vitest';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';

const patience = { timeout: 20_000, interval: 50 };
let practice: PracticeTerminal;

afterEach(() => practice.close());

test('copied pages and used slots move no list; each change of an update or a setting does', async () => {
  practice = await openPracticeTerminal({ productCount: 400 });
  const { handlers, subscribe } = practice.terminal;
  const completeAsOf = async (): Promise<readonly unknown[]> => {
    const state = await handlers['terminal:read']({});
    return state.ok ? state.value.catalogue.stocks.map((stock) => stock.completeAsOf) : [];
  };
  await expect.poll(completeAsOf, patience).not.toContain(null);
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  const list = await handlers['coupon:list']({ filter: 'enabled', term: '', offset: 0, limit: 1 });
  const productId = list.ok ? list.value.rows[0]?.productId : undefined;
  const hits = await handlers['lookup:search']({ text: '1', limit: 1 });
  const hit = hits.ok ? hits.value[0] : undefined;
  if (productId === undefined || hit === undefined) {
    throw new Error('nothing is listed');
  }
  const events: string[] = [];
  const lists = (): readonly string[] => [...new Set(events)].filter((name) => /^(queue|coupon):/.test(name));
  subscribe((name) => events.push(name));
  // Events left from the opening are sent with the next change.
  await handlers['settings:update']({ theme: 'dark' });
  await expect.poll(() => events, patience).toContain('terminal:changed');
  events.length = 0;

  const before = await completeAsOf();
  await handlers['catalogue:copy']({});
  await expect.poll(completeAsOf, patience).not.toEqual(before);
  await expect.poll(completeAsOf, patience).not.toContain(null);
  expect(lists()).toEqual([]);
  events.length = 0;
  expect(await handlers['product:refresh']({ stockId: hit.stockId, productId: hit.productId })).toMatchObject({
    ok: true,
  });
  await expect.poll(() => events, patience).toContain('terminal:changed');
  expect(lists()).toEqual([]);

  const reportedBy = async (action: () => Promise<unknown>, expected: readonly string[]): Promise<void> => {
    events.length = 0;
    await action();
    await expect.poll(lists, patience).toEqual(expected);
  };
  const both = ['queue:changed', 'coupon:changed'];
  // Somebody else has changed a setting: no update has changed.
  practice.platform.changeCouponSetting(productId, false);
  await reportedBy(() => handlers['coupon:refresh']({}), ['coupon:changed']);
  // A card that no event is sent for, as after many scans in the companion bar, is read again with its minimum.
  const { stockId } = hit;
  const minima = [{ stockId, productId: hit.productId, minimum: 3 }];
  await reportedBy(() => handlers['watchList:set']({ minima }), ['coupon:changed']);
  await handlers['practice:setNetwork']({ isDown: true });
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: false });
  await reportedBy(() => handlers['coupon:switch']({ productId, isEnabled: true }), both);
  const updateId = (await practice.updates())[0]?.id ?? 0;
  await reportedBy(() => handlers['queue:discard']({ updateId }), both);
  await reportedBy(() => handlers['queue:bringBack']({ updateIds: [updateId] }), both);
  // It is sent, and delivered.
  await reportedBy(() => handlers['practice:setNetwork']({ isDown: false }), both);
  await expect.poll(async () => (await practice.updates())[0]?.status, patience).toBe('delivered');
});
