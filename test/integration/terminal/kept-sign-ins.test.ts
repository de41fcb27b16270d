// Proves over real HTTP and real files that what a cashier has asked for, or planned, goes out under their own kept
// sign-in whoever is at the screen, and until when; and that what waits elsewhere is told with its company (decision 63).
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { isAllSent } from '../../../app/hosts/electron/ending-view.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { anasPin, beasPin, openTillWithPins, signIn } from '../../support/cashier-till.ts';
import { createFastClock } from '../../support/fast-clock.ts';
import { copied, profileOf, stateOf } from '../../support/machine.ts';
import { openRelay, type Exchange, type Relay } from '../../support/relay.ts';
import { valueOf } from '../../support/value-of.ts';

const [hers, his] = ['1000003' as Id, '1000004' as Id];
const dayMs = 86_400_000;
const longer = { timeout: 20_000 };

const switchOn = ({ handlers }: Terminal, productId: Id) => handlers['coupon:switch']({ productId, isEnabled: true });

/** A till at which both have a PIN, which is locked and has no network. */
async function openOffline() {
  const till = await openTillWithPins(createFastClock(5));
  const { machine, terminal, handlers, ana, bea } = till;
  machine.isNetworkDown = true;
  const come = async (email: string, pin: string): Promise<void> => {
    expect(await handlers['cashier:comeBack']({ email, pin })).toEqual({ ok: true, value: {} });
  };
  /** Ana's update waits, and Bea is at the screen. */
  const anaAsks = async (): Promise<void> => {
    await come(ana.email, anasPin);
    expect(await switchOn(terminal, hers)).toMatchObject({ ok: true });
    await come(bea.email, beasPin);
  };
  const back = (): void => {
    machine.isNetworkDown = false;
  };
  return { ...till, come, anaAsks, back };
}

const isOn = (platform: TrainingPlatform, productId: Id) => () => platform.couponSettings().get(productId) === true;

/** Who has switched these, as the platform knows its users. */
const usersOf = (platform: TrainingPlatform, ...productIds: Id[]) =>
  productIds.map((productId) => platform.effects().find((effect) => effect.productId === productId)?.userId);

/** Whose access token stands in this header, by the grants that brought it. */
function whoseToken(exchanges: readonly Exchange[], authorization = ''): string | undefined {
  const users = new Map<string, string>();
  for (const { requestBody, responseBody } of exchanges.filter(
    ({ path, status }) => path === '/oauth/token' && status === 200,
  )) {
    const asked = JSON.parse(requestBody) as { readonly username?: string; readonly refresh_token?: string };
    const given = JSON.parse(responseBody) as { readonly access_token: string; readonly refresh_token: string };
    const user = asked.username ?? users.get(asked.refresh_token ?? '') ?? '';
    users.set(given.refresh_token, user);
    users.set(given.access_token, user);
  }
  return users.get(authorization.replace('Bearer ', ''));
}

test('what Ana asked for goes out as hers while Bea is at the screen, and his as his', async () => {
  const { platform, terminal, handlers, ana, anaAsks, back } = await openOffline();
  await anaAsks();
  await switchOn(terminal, his);
  expect(await stateOf(terminal)).toMatchObject({
    queue: { pending: 1, ofKept: { count: 1, emails: [ana.email] }, ofOthers: { count: 0 } },
  });
  expect(valueOf(await handlers['queue:list']({ statuses: ['pending'], offset: 0, limit: 9 })).rows).toMatchObject([
    { productId: his, isOwn: true, waitsFor: null },
    { productId: hers, isOwn: false, waitsFor: null, email: ana.email },
  ]);
  back();
  await handlers['coupon:refresh']({});
  await expect.poll(isOn(platform, hers), longer).toBe(true);
  await expect.poll(isOn(platform, his), longer).toBe(true);
  const [anas, beas] = usersOf(platform, hers, his);
  expect(anas).not.toBe(beas);
});

test('what is asked at the screen is asked as whoever is there, whoever else is kept', async () => {
  const relays: Relay[] = [];
  const { platform, terminal, handlers, ana, bea } = await openTillWithPins(undefined, async ({ platformUrl }) => {
    const relay = await openRelay(platformUrl);
    onTestFinished(() => relay.close());
    relays.push(relay);
    return relay.url;
  });
  const [relay = expect.fail('there is no relay')] = relays;
  const [stockId = expect.fail('there is no stock')] = platform.stockIds;
  for (const [{ email }, pin] of [
    [ana, anasPin],
    [bea, beasPin],
    [ana, anasPin],
  ] as const) {
    // A page of the listing that is under way when another comes was asked for as whoever was there.
    await copied(terminal);
    expect(await handlers['cashier:comeBack']({ email, pin })).toMatchObject({ ok: true });
    const before = relay.exchanges.length;
    expect(await handlers['product:refresh']({ stockId, productId: hers })).toMatchObject({ ok: true });
    expect(await handlers['product:readMovements']({ stockId, productId: his, optionIds: [] })).toMatchObject({
      ok: true,
    });
    expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
    const asked = relay.exchanges.slice(before).filter(({ method }) => method === 'GET');
    expect(asked.length).toBeGreaterThan(2);
    expect(
      new Set(asked.map(({ requestHeaders }) => whoseToken(relay.exchanges, requestHeaders.authorization))),
    ).toEqual(new Set([email]));
  }
});

test('and while nobody is: at a locked till after a restart, and at the sign-in screen', async () => {
  const { platform, machine, terminal, anaAsks } = await openOffline();
  await anaAsks();
  await terminal.close();
  const locked = await machine.start();
  expect(await stateOf(locked)).toMatchObject({ phase: 'signIn' });
  machine.isNetworkDown = false;
  await expect.poll(isOn(platform, hers), longer).toBe(true);

  const { platform: other, terminal: till, handlers, anaAsks: asks, back } = await openOffline();
  await asks();
  await handlers['session:signOut']({});
  expect(await stateOf(till)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: null } });
  back();
  await expect.poll(isOn(other, hers), longer).toBe(true);
});

test('a wrong client secret that a stranger gives offline signs out nobody behind the lock', async () => {
  const { platform, machine, terminal, handlers, ana, bea, anaAsks } = await openOffline();
  await anaAsks();
  expect(await switchOn(terminal, his)).toMatchObject({ ok: true });
  await handlers['cashier:lock']({});
  await terminal.close();
  const locked = await machine.start();
  const stranger = { email: 'nobody@example.com', password: 'guessed', clientSecret: 'guessed' };
  expect(await locked.handlers['session:signIn'](stranger)).toMatchObject({ failure: { kind: 'unreachable' } });
  machine.isNetworkDown = false;
  // Both are renewed at once, and the platform does not say that the secret is what it refuses.
  await expect.poll(isOn(platform, hers), longer).toBe(true);
  await expect.poll(isOn(platform, his), longer).toBe(true);
  for (const [{ email }, pin] of [
    [ana, anasPin],
    [bea, beasPin],
  ] as const) {
    expect(await locked.handlers['cashier:comeBack']({ email, pin })).toEqual({ ok: true, value: {} });
  }
});

test('what lies behind a locked keychain is not said to go out, holds up no end, and goes once it opens', async () => {
  const { platform, machine, terminal, ana, anaAsks } = await openOffline();
  await anaAsks();
  await terminal.close();
  machine.isKeychainLocked = true;
  const locked = await machine.start();
  machine.isNetworkDown = false;
  await expect
    .poll(async () => (await stateOf(locked)).queue, longer)
    .toMatchObject({ ofKept: { count: 0 }, ofOthers: { count: 1, emails: [ana.email] } });
  expect(isAllSent(await stateOf(locked), 0)).toBe(true);
  expect(isOn(platform, hers)()).toBe(false);
  machine.isKeychainLocked = false;
  await expect.poll(isOn(platform, hers), longer).toBe(true);
});

test('a plan goes at its moment under the sign-in of who planned it', async () => {
  const { platform, machine, terminal, handlers, ana, bea, come, back } = await openOffline();
  back();
  await copied(terminal);
  await come(ana.email, anasPin);
  const how = { kind: 'list' as const, productIds: [hers] };
  const saved = valueOf(await handlers['couponSet:save']({ setId: null, name: 'Happy hour', how }));
  const on = new Date(Date.now() + 120_000).toISOString();
  const times = { repeats: 'once', day: on.slice(0, 10), on: on.slice(11, 16), off: null } as const;
  expect(await handlers['couponSet:plan']({ setId: saved.setId, times })).toMatchObject({ ok: true });
  await come(bea.email, beasPin);
  await terminal.close();
  machine.sleptMs = 180_000;
  const locked = await machine.start();
  expect(await stateOf(locked)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: bea.email } });
  await expect.poll(isOn(platform, hers), longer).toBe(true);
});

test.each([
  [
    'Ana has signed out',
    async ({ come, ana, bea, handlers, terminal }: Awaited<ReturnType<typeof openOffline>>) => {
      await come(ana.email, anasPin);
      await switchOn(terminal, hers);
      await handlers['session:signOut']({});
      await come(bea.email, beasPin);
    },
  ],
  [
    'the days of her PIN are over',
    async ({ anaAsks, handlers, machine }: Awaited<ReturnType<typeof openOffline>>) => {
      await anaAsks();
      const cashierChange = { keptDays: 1, lockAfterMinutes: 0, badges: true };
      expect(await handlers['settings:update']({ cashierChange })).toMatchObject({ ok: true });
      machine.sleptMs = 1.1 * dayMs;
    },
  ],
  [
    'the manager has taken her PIN away',
    async ({ anaAsks, handlers, ana }: Awaited<ReturnType<typeof openOffline>>) => {
      await anaAsks();
      expect(await handlers['cashier:forget']({ email: ana.email })).toMatchObject({ ok: true });
    },
  ],
  [
    'the platform refuses her sign-in',
    async ({ anaAsks, platform }: Awaited<ReturnType<typeof openOffline>>) => {
      await anaAsks();
      platform.revokeRefreshTokens();
      platform.expireAccessTokens();
    },
  ],
])('when %s hers waits for her to sign in, and is told so', async (what, end) => {
  const till = await openOffline();
  const { platform, terminal, handlers, ana, bea, back } = till;
  await end(till);
  back();
  if (what === 'the platform refuses her sign-in') {
    // Bea's own is refused as well, and given again.
    await handlers['coupon:refresh']({});
    await expect.poll(async () => (await stateOf(terminal)).phase, longer).toBe('signIn');
    expect(await signIn(terminal, bea)).toMatchObject({ ok: true, value: { passed: true } });
  }
  await switchOn(terminal, his);
  await handlers['coupon:refresh']({});
  await expect.poll(isOn(platform, his), longer).toBe(true);
  await expect
    .poll(async () => (await stateOf(terminal)).queue, longer)
    .toMatchObject({ heldBy: 'otherUser', ofOthers: { count: 1, emails: [ana.email] }, ofKept: { count: 0 } });
  expect(isOn(platform, hers)()).toBe(false);
  expect(valueOf(await handlers['queue:list']({ statuses: ['pending'], offset: 0, limit: 9 })).rows).toMatchObject([
    { productId: hers, waitsFor: 'signIn' },
  ]);
  await signIn(terminal, ana);
  await expect.poll(isOn(platform, hers), longer).toBe(true);
});

/** A till with a PIN's day for a day, locked by Ana, without a network; what she asked for waits. */
async function openLockedByAna() {
  const till = await openOffline();
  const { terminal, handlers, ana, come } = till;
  await come(ana.email, anasPin);
  const cashierChange = { keptDays: 1, lockAfterMinutes: 0, badges: true };
  expect(await handlers['settings:update']({ cashierChange })).toMatchObject({ ok: true });
  expect(await switchOn(terminal, hers)).toMatchObject({ ok: true });
  await handlers['cashier:lock']({});
  return till;
}

test.each([
  ['while the terminal runs', false, 0],
  ['while it is off', true, 0],
  ['while it is off, and its clock is set back', true, -3 * dayMs],
])(
  'behind the lock hers waits for her password once the days of her PIN are over, %s',
  async (_when, isOff, aheadMs) => {
    const { platform, machine, terminal, ana, bea, back } = await openLockedByAna();
    if (isOff) {
      await terminal.close();
    }
    machine.sleptMs = 1.1 * dayMs;
    machine.aheadMs = aheadMs;
    const locked = isOff ? await machine.start() : terminal;
    back();
    await copied(locked);
    await expect.poll(async () => (await stateOf(locked)).connection.state, longer).toBe('online');
    expect(await stateOf(locked)).toMatchObject({
      phase: 'signIn',
      cashiers: { lockedEmail: null, users: [{ email: ana.email, canComeBack: false }, { email: bea.email }] },
      queue: { pending: 0, heldBy: 'signIn', nextTryAt: null, ofOthers: { count: 1, emails: [ana.email] } },
    });
    expect(isOn(platform, hers)()).toBe(false);
    expect(await signIn(locked, ana)).toMatchObject({ ok: true, value: { passed: true } });
    await expect.poll(isOn(platform, hers), longer).toBe(true);
  },
);

test('behind the lock hers goes out while the days of her PIN are not over', async () => {
  const { platform, machine, terminal, ana, back } = await openLockedByAna();
  await terminal.close();
  machine.sleptMs = 0.9 * dayMs;
  const locked = await machine.start();
  back();
  await expect.poll(isOn(platform, hers), longer).toBe(true);
  expect(await stateOf(locked)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: ana.email } });
});

test('what waits for the password since the days are over goes out once the manager gives it more of them', async () => {
  const { platform, machine, terminal, handlers, ana, anaAsks, back } = await openOffline();
  await anaAsks();
  const change = (keptDays: number) =>
    handlers['settings:update']({ cashierChange: { keptDays, lockAfterMinutes: 0, badges: true } });
  machine.sleptMs = 1.1 * dayMs;
  expect(await change(1)).toMatchObject({ ok: true });
  await switchOn(terminal, his);
  back();
  await handlers['coupon:refresh']({});
  await expect.poll(isOn(platform, his), longer).toBe(true);
  expect(await stateOf(terminal)).toMatchObject({ queue: { ofOthers: { count: 1, emails: [ana.email] } } });
  expect(await change(30)).toMatchObject({ ok: true });
  await expect.poll(isOn(platform, hers), longer).toBe(true);
});

test('the same user’s changes for another company name it, and go out after a switch to its profile', async () => {
  const { platform, terminal, handlers, ana, come, back, machine } = await openOffline();
  back();
  await come(ana.email, anasPin);
  const second = { ...profileOf(platform), companyId: platform.secondCompanyId, stockIds: [platform.kioskStockId] };
  const opened = await handlers['profile:connect']({ ...second, clientSecret: platform.clientSecret });
  expect(opened).toMatchObject({ ok: true });
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  machine.isNetworkDown = true;
  await switchOn(terminal, hers);
  expect(await handlers['profile:switch']({ profileId: 2 })).toMatchObject({ ok: true });
  back();
  await handlers['coupon:refresh']({});
  expect(await stateOf(terminal)).toMatchObject({
    session: { email: ana.email },
    queue: {
      heldBy: null,
      ofOthers: { count: 0, emails: [] },
      elsewhere: [{ platformUrl: platform.platformUrl, companyId: platform.companyId, count: 1, emails: [ana.email] }],
    },
  });
  expect(valueOf(await handlers['queue:list']({ statuses: ['pending'], offset: 0, limit: 9 })).rows).toMatchObject([
    { productId: hers, isOwn: false, waitsFor: 'company' },
  ]);
  expect(isOn(platform, hers)()).toBe(false);
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  await expect.poll(isOn(platform, hers), longer).toBe(true);
  expect(await stateOf(terminal)).toMatchObject({ queue: { elsewhere: [] } });
});
