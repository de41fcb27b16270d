// Tills of several OAuth clients at one hub, where the platform counts each client by itself (H17).
import { expect, test } from 'vitest';
import { succeed } from '../../../app/domain/result.ts';
import { growAfterMs } from '../../../app/hub/document.ts';
import type { HubReading, HubRowChange } from '../../../app/hub/link.ts';
import { createSealedDocument } from '../../../app/hub/sealed-document.ts';
import { documentOf } from '../../support/hub-document.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { hubKey } from './hub-terminal.ts';
import { shopAccount } from './register.ts';
import { cut, later, minuteMs, openShop, type Shop } from './shop.ts';

/** The most of these moments in any minute. */
function mostInAMinute(moments: readonly number[]): number {
  return Math.max(0, ...moments.map((fromMs) => moments.filter((ms) => ms >= fromMs && ms < fromMs + minuteMs).length));
}

/** One till each; the accounts are changed by what is kept here, and hold from a till's next start on. */
function openAt(first: readonly (string | null)[]) {
  const accounts = [...first];
  /** At whose limit each request counts, whatever the tills are set to. */
  const sent: { readonly client: string; readonly ms: number }[] = [];
  const clients = first.map((account, at) => account ?? `client ${at}`);
  const shop: Shop = openShop(first.length, undefined, undefined, undefined, (at) => accounts[at] ?? null);
  shop.arrivals.forEach((own, at) => {
    const push = own.push.bind(own);
    own.push = (...all) => {
      sent.push(...all.map((ms) => ({ client: clients[at] ?? '', ms })));
      return push(...all);
    };
  });
  return {
    shop,
    /** A till is closed, and starts with this setting; as the client it names, or as before. */
    change: async (at: number, account: string | null): Promise<void> => {
      void shop.terminals[at]?.close();
      await later(shop, 5_000);
      accounts[at] = account;
      clients[at] = account ?? clients[at] ?? '';
      shop.terminals[at]?.start(false);
    },
    most: (client?: string): number =>
      mostInAMinute(sent.filter((one) => client === undefined || one.client === client).map(({ ms }) => ms)),
  };
}

/** All that the tills may send in some minutes. */
async function askAll(shop: Shop, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    shop.terminals.forEach((_, at) => {
      shop.ask(at, 'queue', 70);
      shop.ask(at, 'person', 5);
    });
    await later(shop, minuteMs);
  }
}

/** Of either account so much was sent that its limit matters, and no more than it allows. */
function expectNearEachLimit(most: ReturnType<typeof openAt>['most']): void {
  for (const account of ['one', 'other']) {
    expect(most(account)).toBeGreaterThan(55);
    expect(most(account)).toBeLessThanOrEqual(60);
  }
}

test('tills of two accounts have a limit each, and those of one share it (H17)', async () => {
  const { shop, most } = openAt(['one', 'other', 'other']);
  await later(shop, minuteMs);
  await askAll(shop, 4);
  expectNearEachLimit(most);
  expect(shop.terminals.map((till) => till.member()?.state().share)).toEqual([60, 30, 30]);
});

test('the copies of two accounts keep an even pace each (H17)', async () => {
  const { shop } = openAt(['one', 'other']);
  await later(shop, minuteMs);
  for (let minute = 0; minute < 4; minute += 1) {
    shop.ask(0, 'catalogue', 70);
    shop.ask(1, 'catalogue', 70);
    await later(shop, minuteMs);
  }
  expect(shop.arrivals.map((own) => own.length).filter((sent) => sent < 4 * 50)).toEqual([]);
});

test('tills that count by the platform share one limit, whatever their clients (H17)', async () => {
  const { shop, most } = openAt([null, null]);
  await later(shop, minuteMs);
  await askAll(shop, 4);
  expect(most()).toBeGreaterThan(55);
  expect(most()).toBeLessThanOrEqual(60);
});

test('as long as one till counts by the platform all do, and then each account has its own limit (H17)', async () => {
  const { shop, change, most } = openAt([null, null, null]);
  await later(shop, minuteMs);
  await askAll(shop, 1);
  await change(0, 'one');
  await askAll(shop, 1);
  await change(1, 'other');
  await askAll(shop, 6);
  expect(most()).toBeLessThanOrEqual(60);
  expect(most()).toBeGreaterThan(55);
  await change(2, 'other');
  await askAll(shop, 6);
  expectNearEachLimit(most);
});

test('one till that counts by the platform again brings all together (H17)', async () => {
  const { shop, change } = openAt(['one', 'other']);
  await later(shop, minuteMs);
  await askAll(shop, 2);
  await change(0, null);
  await askAll(shop, 3);
  const fromMs = shop.world.nowMs();
  await askAll(shop, 3);
  expect(mostInAMinute(shop.arrivals.flat().filter((ms) => ms >= fromMs))).toBeLessThanOrEqual(60);
});

test.each(['in touch', 'cut off'])('who goes over to another account breaks neither limit, %s (H17)', async (how) => {
  const { shop, change, most } = openAt(['one', 'one', 'other']);
  await later(shop, 2 * minuteMs);
  shop.ask(0, 'queue', 45);
  shop.ask(2, 'queue', 70);
  shop.ask(2, 'person', 10);
  await later(shop, 5_000);
  if (how === 'cut off') {
    cut(shop.terminals[0], true);
  }
  await change(0, 'other');
  shop.ask(0, 'person', 10);
  shop.ask(1, 'queue', 70);
  shop.ask(1, 'person', 10);
  await later(shop, 20_000);
  if (how === 'cut off') {
    expect(shop.arrivals[0]?.length).toBe(45);
  }
  await later(shop, minuteMs);
  cut(shop.terminals[0], false);
  await askAll(shop, 4);
  expectNearEachLimit(most);
});

test('who goes over and back between two starts uses at neither account what the other lent (H17)', async () => {
  const { shop, change, most } = openAt(['one', 'one', 'other']);
  await later(shop, 2 * minuteMs);
  await change(0, 'other');
  // Until only the new account is named.
  await later(shop, 5 * minuteMs);
  shop.ask(1, 'queue', 70);
  shop.ask(1, 'person', 10);
  await later(shop, 5_000);
  cut(shop.terminals[0], true);
  await change(0, 'one');
  shop.ask(0, 'person', 10);
  await later(shop, growAfterMs(minuteMs) + minuteMs);
  expect(most('one')).toBeGreaterThan(55);
  expect(most('one')).toBeLessThanOrEqual(60);
  expect(shop.arrivals[0]?.length).toBe(0);
});

test('a till that starts again at its account goes on with what it had (H17)', async () => {
  const { shop, change } = openAt(['one', 'other']);
  await later(shop, 2 * minuteMs);
  cut(shop.terminals[0], true);
  await change(0, 'one');
  shop.ask(0, 'person', 3);
  await later(shop, 5_000);
  expect(shop.arrivals[0]?.length).toBe(3);
});

test.each([{ accounts: ['one', 'one', 'other'] }, { accounts: [null, null, null] }])(
  'a hub of ten days that loses all soon lends and tells as before, $accounts (H8, H12, H13)',
  async ({ accounts }) => {
    const { shop } = openAt(accounts);
    const { register, terminals } = shop;
    const link = { read: () => Promise.resolve(succeed(register.read())) };
    const random = createSeededRandom('ten days');
    const sealed = createSealedDocument({ random, account: shopAccount, key: hubKey, link: { ...link, write } });
    function write(account: string, before: HubReading, document: string, _timeoutMs: number, rows: HubRowChange[]) {
      return Promise.resolve(succeed(register.write(account, before.version, before.serverMs, document, rows)));
    }
    const [reading, days] = [register.read(), 10 * 24 * 60 * minuteMs];
    const { serverMs } = reading;
    await sealed.write(reading, documentOf({}, { loMs: days, hiMs: days, serverMs }));
    await later(shop, minuteMs);
    [0, 1, 2].forEach((at) => shop.ask(at, 'catalogue', 5));
    await later(shop, minuteMs);
    shop.status = 429;
    shop.ask(0, 'person', 1);
    await later(shop, 1_000);
    shop.status = 200;
    await later(shop, 30 * minuteMs);

    register.empty();
    await later(shop, growAfterMs(minuteMs) + minuteMs);
    terminals[1]?.crash();
    terminals[1]?.start(false);
    await later(shop, minuteMs);
    const copied = [0, 1].map((at) => shop.ask(at, 'catalogue', 200));
    await later(shop, 2 * minuteMs);
    expect(Math.min(...copied.map(({ length }) => length))).toBeGreaterThan(20);
    shop.status = 429;
    shop.ask(0, 'person', 1);
    await later(shop, 1_000);
    shop.status = 200;
    expect(terminals[1]?.rateLimit()?.refusal().pauseMs).toBeGreaterThan(0);
  },
);
