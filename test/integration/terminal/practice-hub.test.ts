// Proves that two tills share one practice store: its hub, its limit, its stock list, live figures and coupons that wait.
import { expect, onTestFinished, test } from 'vitest';
import type { HubReading } from '../../../app/contract/hub.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { joinPractice } from '../../../app/training/second-till.ts';
import { createFastClock } from '../../support/fast-clock.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';
import { valueOf } from '../../support/value-of.ts';

const productId = '1000001' as Id;
const stockId = '1201' as Id;
const http = createAxiosHttp({ userAgent: 'Tillside/test' });
const patience = { timeout: 60_000 };
const clock = createFastClock(5);

async function openFirst(): Promise<PracticeTerminal> {
  const first = await openPracticeTerminal({ tillName: 'Till 1', productCount: 1000, clock, platformNow: clock.now });
  onTestFinished(first.close);
  return first;
}

async function openSecond({ platform }: PracticeTerminal) {
  const joined = await joinPractice(http, platform.controlUrl, 'second', (number) => `Till ${number}`);
  const practice = valueOf(joined);
  const second = await openPracticeTerminal({ clock, shell: { startPractice: () => Promise.resolve(practice) } });
  onTestFinished(second.close);
  return second;
}

async function readHub({ handlers }: Terminal): Promise<HubReading['hub']> {
  return valueOf(await handlers['hub:read']({})).hub;
}

async function isListed({ handlers }: Terminal): Promise<boolean> {
  const state = await handlers['terminal:read']({});
  return state.ok && state.value.catalogue.phase === 'complete';
}

test('a practice store alone shows no hub', async () => {
  const { terminal } = await openFirst();
  await expect.poll(() => isListed(terminal), patience).toBe(true);
  expect(await readHub(terminal)).toBeNull();
});

test('a second till shares the limit, the stock list, live figures and coupons that wait', async () => {
  const first = await openFirst();
  const { platform, terminal: one } = first;
  await expect.poll(() => isListed(one), patience).toBe(true);
  const listings = () => platform.arrivals().filter(({ path }) => path.endsWith('/products')).length;
  const before = listings();
  const { terminal: two } = await openSecond(first);
  await expect.poll(() => isListed(two), patience).toBe(true);
  // The first one's requests; the second one's own changes aside.
  expect(before).toBeGreaterThan(10);
  expect(listings() - before).toBeLessThanOrEqual(4);

  const state = { mode: 'shared', limit: 60 };
  await expect
    .poll(() => readHub(one), patience)
    .toMatchObject({
      terminalName: 'Till 1',
      host: '127.0.0.1',
      isPractice: true,
      state: {
        ...state,
        tills: [
          { name: 'Till 1', isSelf: true, share: 30 },
          { name: 'Till 2', share: 30 },
        ],
      },
    });
  expect(await readHub(two)).toMatchObject({ state: { ...state, tills: [{ name: 'Till 2' }, {}] } });

  expect(one.status().hub).toBe('shared');

  platform.changeBalance(stockId, productId, 77);
  expect(await one.handlers['product:refresh']({ stockId, productId })).toMatchObject({ ok: true });
  const cardOf = async ({ handlers }: Terminal) => {
    return valueOf(await handlers['product:read']({ stockId, productId }));
  };
  await expect.poll(async () => JSON.stringify(await cardOf(two)), patience).toContain('77');

  await expect.poll(async () => (await cardOf(two)).coupon.status, patience).toBe('confirmed');
  const { coupon } = await cardOf(two);
  expect(await two.handlers['practice:setNetwork']({ isDown: true })).toMatchObject({ ok: true });
  const isEnabled = coupon.isEnabled !== true;
  expect(await two.handlers['coupon:switch']({ productId, isEnabled })).toMatchObject({ ok: true });
  await expect
    .poll(async () => (await cardOf(one)).coupon.ofTill, patience)
    .toEqual({ till: 'Till 2', isEnabled, isParked: false });
  expect(await one.handlers['product:refresh']({ stockId, productId })).toMatchObject({ ok: true });
  expect(platform.isNetworkDown()).toBe(false);
  expect(await two.handlers['practice:setNetwork']({ isDown: false })).toMatchObject({ ok: true });
  await expect.poll(async () => (await cardOf(one)).coupon.ofTill, patience).toBeUndefined();
  expect(platform.effects().map(({ isEnabled: is }) => is)).toEqual([isEnabled]);
}, 180_000);

test('nobody joins without the key of this run', async () => {
  const { platform } = await openFirst();
  const join = (controlUrl: string) => joinPractice(http, controlUrl, 'stranger', String);
  expect(await join(platform.controlUrl.replace(/#.*$/, '#wrong'))).toMatchObject(fail({ kind: 'wrongPassword' }));
  await platform.close();
  expect(await join(platform.controlUrl)).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
});
