import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { isFreeSetting } from '../../../app/contract/access.ts';
import type { InvokeInput } from '../../../app/contract/contract.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { anasPin, beasPin, openTill, openTillAtWork, openTillWithPins, signIn } from '../../support/cashier-till.ts';
import { channels, sampleInput } from '../../support/fuzz/samples.ts';
import {
  connect,
  connectionOf,
  copied,
  openPlatformForTest,
  stateOf,
  type openMachine,
} from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';

test('nobody signs out or forgets who is behind the lock, and another connection is set up all the same', async () => {
  const { terminal, handlers, machine, platform, ana, bea } = await openTillAtWork();
  await handlers['cashier:lock']({});
  const secretsBefore = [...machine.secrets.keys()];
  expect(await handlers['session:signOut']({})).toEqual({ ok: false, failure: { kind: 'signInNeeded' } });
  for (const email of [ana.email, bea.email]) {
    expect(await handlers['cashier:forget']({ email })).toEqual({ ok: false, failure: { kind: 'signInNeeded' } });
  }
  const elsewhere = await openPlatformForTest();
  const other = connectionOf(elsewhere);
  for (const change of [other, { companyId: platform.secondCompanyId }, { stockIds: platform.stockIds.slice(0, 1) }]) {
    const changed = { ...connectionOf(platform), ...change, profileId: 1 };
    expect(await handlers['profile:connect'](changed)).toEqual(fail({ kind: 'signInNeeded' }));
  }
  // A client secret that was mistyped, or has become another one, is no other connection.
  expect(await handlers['profile:connect']({ ...connectionOf(platform), profileId: 1 })).toMatchObject({ ok: true });
  expect([...machine.secrets.keys()]).toEqual(secretsBefore);
  expect(await stateOf(terminal)).toMatchObject({ profileId: 1, cashiers: { lockedEmail: bea.email } });
  expect(await handlers['profile:connect'](other)).toMatchObject({ ok: true, value: { passed: true } });
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: bea.email } });
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  expect(await handlers['session:signOut']({})).toMatchObject({ ok: true });
});

test.for(['the first screen', 'practice', 'the first screen after practice', 'another shop'] as const)(
  'nor does whoever goes to %s first put another connection in the place of theirs',
  async (way) => {
    const { terminal, handlers, machine, platform, bea } = await openTillAtWork();
    await handlers['cashier:lock']({});
    if (way === 'the first screen') {
      await handlers['profile:leave']({});
    } else if (way === 'another shop') {
      await connect(terminal, await openPlatformForTest());
    } else {
      await handlers['practice:start']({});
      if (way !== 'practice') {
        await handlers['session:signOut']({});
        await handlers['profile:leave']({});
      }
    }
    const secretsBefore = [...machine.secrets.keys()];
    const other = connectionOf(await openPlatformForTest());
    const sameUsers = { ...connectionOf(platform), companyId: platform.secondCompanyId, profileId: 1 };
    expect(await handlers['profile:connect']({ ...other, profileId: 1 })).toEqual(fail({ kind: 'signInNeeded' }));
    expect(await handlers['profile:connect'](sameUsers)).toEqual(fail({ kind: 'signInNeeded' }));
    expect([...machine.secrets.keys()]).toEqual(secretsBefore);
    await handlers['profile:switch']({ profileId: 1 });
    expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
    // Once no PIN leads back anybody may.
    await handlers['settings:update']({ cashierChange: { keptDays: 0, lockAfterMinutes: 0, badges: false } });
    await handlers['cashier:lock']({});
    expect(await handlers['profile:leave']({})).toMatchObject({ ok: true });
    expect(await handlers['profile:connect']({ ...other, profileId: 1 })).toMatchObject({ ok: true });
  },
);

test.for([
  'the locked till',
  'the first screen',
  'practice',
  'a locked till whose days are over',
  'the first screen after one whose days are over',
  'practice after one whose days are over',
] as const)('at %s nobody has another company read under the sign-in behind the lock', async (way) => {
  const { terminal, handlers, machine, platform, bea } = await openTillAtWork();
  await copied(terminal);
  if (way.endsWith('whose days are over')) {
    await handlers['settings:update']({ cashierChange: { keptDays: 0, lockAfterMinutes: 0, badges: false } });
  }
  await handlers['cashier:lock']({});
  if (way.startsWith('the first screen')) {
    await handlers['profile:leave']({});
  } else if (way.startsWith('practice')) {
    await handlers['practice:start']({});
  }
  const asked: string[] = [];
  machine.between = (url, next) => {
    asked.push(url);
    return next();
  };
  const { clientSecret: _, ...here } = connectionOf(platform);
  const ofSecond = { companyId: platform.secondCompanyId, stockIds: ['9007199254740993' as Id] };
  for (const change of [ofSecond, { stockIds: platform.stockIds.slice(0, 1) }]) {
    expect(await handlers['profile:connect']({ ...here, ...change })).toEqual(fail({ kind: 'signInNeeded' }));
  }
  expect(asked.filter((url) => url.startsWith(platform.platformUrl) && url.includes('/stocks/'))).toEqual([]);
  expect((await stateOf(terminal)).profiles).toHaveLength(1);
  if (way === 'the locked till') {
    expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
    expect(await handlers['profile:connect']({ ...here, ...ofSecond })).toMatchObject({ value: { passed: true } });
    expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', profileId: 2, session: { email: bea.email } });
  }
});

test('nor by who is signed in at another platform, until they are back at this one', async () => {
  const { terminal, handlers, platform, bea } = await openTillAtWork();
  await handlers['cashier:lock']({});
  const elsewhere = await openPlatformForTest();
  await connect(terminal, elsewhere);
  await signIn(terminal, elsewhere);
  const ofSecond = {
    ...connectionOf(platform),
    companyId: platform.secondCompanyId,
    stockIds: ['9007199254740993' as Id],
  };
  for (const inPlace of [{}, { profileId: 1 }]) {
    expect(await handlers['profile:connect']({ ...ofSecond, ...inPlace })).toEqual(fail({ kind: 'signInNeeded' }));
  }
  await handlers['profile:switch']({ profileId: 1 });
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  expect(await handlers['profile:connect'](ofSecond)).toMatchObject({ value: { passed: true } });
});

test('where nobody is signed in another company is set up, and read once somebody is back by PIN', async () => {
  const { terminal, handlers, platform, ana } = await openTillAtWork();
  expect(await handlers['session:signOut']({})).toEqual(succeed({}));
  expect(await handlers['profile:leave']({})).toEqual(succeed({}));
  const ofSecond = { companyId: platform.secondCompanyId, stockIds: ['9007199254740993' as Id] };
  await connect(terminal, platform, ofSecond);
  const { catalogue, ...state } = await stateOf(terminal);
  expect(state).toMatchObject({ phase: 'signIn', profileId: 2, session: { state: 'signedOut' } });
  expect(catalogue.copied).toBe(0);
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  await copied(terminal);
});

test.for(['practice', 'another shop', 'the first screen'] as const)(
  'nobody signs out who is behind the lock by asking for %s at the same time',
  async (way) => {
    const { terminal, handlers, machine, bea } = await openTillWithPins();
    if (way === 'another shop') {
      await connect(terminal, await openPlatformForTest());
      await handlers['profile:switch']({ profileId: 1 });
    }
    const secretsBefore = [...machine.secrets.keys()];
    const going = {
      practice: () => handlers['practice:start']({}),
      'another shop': () => handlers['profile:switch']({ profileId: 2 }),
      'the first screen': () => handlers['profile:leave']({}),
    }[way]();
    expect(await handlers['session:signOut']({})).toEqual(fail({ kind: 'signInNeeded' }));
    expect(await going).toEqual(succeed({}));
    expect([...machine.secrets.keys()]).toEqual(secretsBefore);
    await handlers['profile:switch']({ profileId: 1 });
    expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  },
);

test("practice's days for PINs let nobody replace the connection that PINs lead back to", async () => {
  const { handlers, machine, bea } = await openTillWithPins();
  const secretsBefore = [...machine.secrets.keys()];
  await handlers['practice:start']({});
  const cashierChange = { keptDays: 0, lockAfterMinutes: 0, badges: false };
  expect(await handlers['settings:update']({ cashierChange })).toEqual(succeed({}));
  const other = { ...connectionOf(await openPlatformForTest()), profileId: 1 };
  expect(await handlers['profile:connect'](other)).toEqual(fail({ kind: 'signInNeeded' }));
  expect([...machine.secrets.keys()]).toEqual(secretsBefore);
  await handlers['profile:switch']({ profileId: 1 });
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
});

test('nor does whoever is being signed in, or was at the screen when it was tried, and its secret goes', async () => {
  const { terminal, handlers, machine, ana, bea } = await openTill();
  await signIn(terminal, ana);
  await copied(terminal);
  await handlers['cashier:setPin']({ pin: anasPin });
  const secretsBefore = [...machine.secrets.keys()];
  const elsewhere = await openPlatformForTest();
  const other = { ...connectionOf(elsewhere), profileId: 1 };
  /** Does it while the first of these addresses is unanswered. */
  const meanwhile = async <Value>(
    isHeld: (url: string) => boolean,
    ask: () => Promise<Value>,
    act: () => Promise<void>,
  ): Promise<Value> => {
    const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    machine.between = async (url, next) => {
      if (isHeld(url)) {
        asked.resolve(undefined);
        await answered.promise;
      }
      return next();
    };
    const asking = ask();
    await asked.promise;
    await act();
    answered.resolve(undefined);
    return asking;
  };
  const connecting = await meanwhile(
    (url) => url.startsWith(elsewhere.platformUrl),
    () => handlers['profile:connect'](other),
    async () => {
      expect(await handlers['cashier:lock']({})).toMatchObject({ ok: true });
    },
  );
  expect(connecting).toEqual(fail({ kind: 'signInNeeded' }));
  expect([...machine.secrets.keys()]).toEqual(secretsBefore);
  let tokens = 0;
  const signingIn = await meanwhile(
    (url) => {
      tokens += url.includes('token') ? 1 : 0;
      return tokens > 0 && url.includes('/stocks/');
    },
    () => signIn(terminal, bea),
    async () => {
      expect(await handlers['profile:connect'](other)).toEqual(fail({ kind: 'signInNeeded' }));
    },
  );
  expect(signingIn).toMatchObject({ ok: true, value: { passed: true } });
});

const productId = '1000003' as Id;
/** More of them by `TILLSIDE_SEEDS`. */
const seeds = Number(process.env['TILLSIDE_SEEDS'] ?? 8);
const steps = 60;
/** What only who has the PIN, the badge or the password can do, what ends the app, and what may hold practice's screen. */
const others: readonly string[] = [
  'cashier:comeBack',
  'cashier:scanBadge',
  'lock:unlock',
  'station:leave',
  'device:quit',
  'settings:update',
];
/** Of the settings, what is looked at by itself, and what follows whoever is there. */
const lookedAt: readonly string[] = [
  'mode',
  'profileId',
  'profiles',
  'cashiers',
  'cashierTime',
  'badgeAttempts',
  'signIns',
  'lock',
];

type Machine = ReturnType<typeof openMachine>;
type Call = readonly [name: string, input: unknown];

/** A call of whoever wants the place of those behind the lock, at their platform or with one of their own. */
function drawAttempt(random: SeededRandom, platform: TrainingPlatform, own: TrainingPlatform): Call {
  const profileId = random.integer(1, 3);
  const replaced = random.chance(0.6) ? { profileId } : {};
  const { clientSecret, ...place } = connectionOf(platform);
  const connection = {
    ...place,
    ...replaced,
    ...(random.chance(0.5) ? { companyId: platform.secondCompanyId, stockIds: ['9007199254740993'] } : {}),
    ...(random.chance(0.2) ? { clientId: 'other' } : {}),
    ...(random.chance(0.5) ? { clientSecret: random.pick([clientSecret, 'wrong']) } : {}),
  };
  const chosen: InvokeInput<'settings:update'> = random.pick([
    { cashierChange: { keptDays: random.pick([0, 365]), lockAfterMinutes: 0, badges: true } },
    { lookupNeedsSignIn: random.chance(0.5) },
    { rateLimitAccount: 'client' },
  ]);
  const email = random.pick([platform.email, platform.otherUser.email, 'nobody@example.com']);
  return random.pick<Call>([
    ['profile:connect', connection],
    ['profile:connect', { ...connectionOf(own), ...replaced }],
    ['profile:switch', { profileId }],
    ['profile:remove', { profileId }],
    ['profile:leave', {}],
    ['practice:start', {}],
    ['session:signIn', { email, password: 'wrong', ...(random.chance(0.3) ? { clientSecret: 'wrong' } : {}) }],
    ['session:signOut', {}],
    ['cashier:lock', {}],
    ['cashier:forget', { email }],
    ['cashier:setPin', { pin: '9999' }],
    ['lock:setPin', { pin: '1357' }],
    ['settings:update', chosen],
    ['coupon:switch', { productId, isEnabled: false }],
    ['queue:discard', { updateId: 1 }],
    ['hub:leave', {}],
  ]);
}

const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** What whoever stands there must leave as it is. */
function keptOf(machine: Machine, { platformUrl }: TrainingPlatform): string {
  const settings = machine.settings() as Record<string, unknown> & {
    readonly cashiers: readonly object[];
    readonly profiles: readonly { readonly vaultName: string }[];
    readonly lock: object;
  };
  const kept = {
    cashiers: settings.cashiers.map((one) => ({ ...one, wrong: 0, wrongAtMs: 0, pinLength: 0 })),
    profiles: settings.profiles
      .filter(({ vaultName }) => vaultName === platformUrl)
      .map((one) => ({ ...one, name: null })),
    secrets: [...machine.secrets.keys()].filter((name) => name.endsWith(platformUrl)).toSorted(),
    settings: Object.entries(settings).filter(([name]) => !isFreeSetting(name) && !lookedAt.includes(name)),
    lock: { ...settings.lock, wrong: 0, wrongAtMs: 0 },
  };
  return JSON.stringify(kept, inOrder);
}

async function openLocked(random: SeededRandom) {
  const till = await openTillAtWork();
  const { terminal, handlers, machine, platform } = till;
  await copied(terminal);
  if (random.chance(0.5)) {
    await connect(terminal, platform, { stockIds: platform.stockIds.slice(1) });
  }
  machine.practice = await openPlatformForTest();
  await handlers['settings:update']({ lookupNeedsSignIn: random.chance(0.5) });
  machine.isNetworkDown = random.chance(0.5);
  await handlers['coupon:switch']({ productId, isEnabled: true });
  if (random.chance(0.3)) {
    await handlers['lock:setPin']({ pin: '4711' });
  }
  await handlers['cashier:lock']({});
  machine.isNetworkDown = false;
  return till;
}

test.each(Array.from({ length: seeds }, (_, place) => place + 1))(
  'whoever stands at a locked till takes nothing from those behind the lock (seed %i)',
  async (seed) => {
    const random = createSeededRandom(`locked till ${seed}`);
    const { handlers, machine, platform, bea } = await openLocked(random);
    const own = await openPlatformForTest();
    const calls: string[] = [];
    const underWay: Promise<unknown>[] = [];
    const foreignStocks: string[] = [];
    machine.between = (url, next) => {
      const stockId = /\/stocks\/(\d+)/.exec(url)?.[1];
      if (url.startsWith(platform.platformUrl) && stockId !== undefined && !platform.stockIds.includes(stockId as Id)) {
        foreignStocks.push(stockId);
      }
      return next();
    };
    const kept = keptOf(machine, platform);
    for (let step = 0; step < steps; step += 1) {
      const channel = random.pick(channels.filter((name) => !others.includes(name)));
      const [name, input] = random.chance(0.7)
        ? drawAttempt(random, platform, own)
        : ([channel, sampleInput(random, channel)] satisfies Call);
      const called = dispatch(handlers, name, input, () => undefined);
      underWay.push(called);
      calls.push(`${name} ${JSON.stringify(input)}`.slice(0, 300));
      if (random.chance(0.75)) {
        await called;
      }
      expect({ kept: keptOf(machine, platform), foreignStocks }, calls.join('\n')).toEqual({ kept, foreignStocks: [] });
    }
    await Promise.allSettled(underWay);
    await handlers['profile:switch']({ profileId: 1 });
    // Their sign-in is good, and what they had waiting arrives.
    const back = await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin });
    const refreshed = await handlers['coupon:refresh']({});
    expect({ back, refreshed }, calls.join('\n')).toMatchObject({ back: { ok: true }, refreshed: { ok: true } });
    await expect.poll(() => platform.couponSettings().get(productId)).toBe(true);
  },
);

test('who tries to sign in without end leaves no attempt that others would have to wait behind', async () => {
  const { handlers, bea } = await openTillWithPins();
  const guess = (): Promise<unknown> => handlers['session:signIn']({ email: bea.email, password: 'guess' });
  const attempts: Promise<unknown>[] = [];
  // Until the limit is used up, and the last one waits.
  do {
    attempts.push(guess());
  } while ((await Promise.race([attempts.at(-1), setTimeout(1_000, 'waits')])) !== 'waits');
  attempts.push(...Array.from({ length: 5 }, guess));
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  // They would wait for most of a minute, and others behind them.
  const answers = await Promise.race([Promise.all(attempts), setTimeout(10_000, [])]);
  expect(answers.slice(-6)).toEqual(Array(6).fill(fail({ kind: 'cancelled' })));
});

test('who asks for other shops without end keeps nobody waiting for all of them', async () => {
  const { terminal, handlers, bea } = await openTillWithPins();
  await connect(terminal, await openPlatformForTest());
  const asked = Array.from({ length: 100 }, (_, place) =>
    place % 3 === 0 ? handlers['practice:start']({}) : handlers['profile:switch']({ profileId: 1 + (place % 2) }),
  );
  const done = (await Promise.all(asked)).filter(({ ok }) => ok);
  expect(done.length).toBeGreaterThan(1);
  expect(done.length).toBeLessThan(21);
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
});

test('who tries connections without end leaves no trial that others would have to wait behind', async () => {
  const { handlers, platform, bea } = await openTillWithPins();
  const elsewhere = await openPlatformForTest();
  const tried = Array.from({ length: 150 }, (_, place) =>
    handlers['profile:connect']({ ...connectionOf(place % 2 === 0 ? platform : elsewhere), profileId: 1 }),
  );
  const ofOthers = Array.from({ length: 150 }, () => handlers['profile:connect'](connectionOf(elsewhere)));
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  expect(valueOf(await handlers['rateLimit:read']({})).waitingCount).toBeLessThan(20);
  expect((await Promise.all([...tried, ...ofOthers])).filter(({ ok }) => ok).length).toBeLessThan(20);
  expect(await handlers['profile:connect']({ ...connectionOf(platform), profileId: 1 })).toMatchObject({ ok: true });
});

test('nor from practice, where they are tried in turn', async () => {
  const { handlers, platform, bea } = await openTillWithPins();
  let asked = 0;
  const slow = createServer((_request, response) => {
    asked += 1;
    void setTimeout(100).then(() => response.writeHead(503).end());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void slow.close());
  await once(slow, 'listening');
  const platformUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  await handlers['practice:start']({});
  const connecting = () => handlers['profile:connect']({ ...connectionOf(platform), platformUrl });
  const first = connecting();
  await expect.poll(() => asked).toBe(1);
  const later = Array.from({ length: 9 }, connecting);
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  expect(asked).toBe(2);
  const answers = await Promise.all(later);
  expect(answers.slice(0, -1)).toEqual(Array(8).fill(fail({ kind: 'cancelled' })));
  for (const tried of [await first, answers[8]]) {
    expect(tried).toMatchObject({ ok: true, value: { passed: false } });
  }
});

test('who signs out without end keeps nobody waiting for all of it', async () => {
  const { handlers, ana, machine } = await openTillAtWork();
  let changes = 0;
  const slowly = () => {
    changes += 1;
    return setTimeout(10);
  };
  Object.defineProperty(machine, 'keychainHeld', { get: slowly });
  const asked = Array.from({ length: 100 }, () => handlers['session:signOut']({}));
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  expect(changes).toBeLessThan(30);
  expect((await Promise.all(asked)).filter(({ ok }) => ok).length).toBeLessThan(20);
  expect(await handlers['session:signOut']({})).toMatchObject({ ok: true });
});

test('who asks for support files without end has one made at a time', async () => {
  const { handlers, bea } = await openTillWithPins();
  const asked = Array.from({ length: 100 }, () => handlers['support:readBundle']({}));
  const diagnosed = Array.from({ length: 100 }, () => handlers['support:diagnose']({}));
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  expect((await Promise.all(asked)).filter(({ ok }) => ok)).toHaveLength(1);
  expect((await Promise.all(diagnosed)).filter(({ ok }) => ok).length).toBeLessThan(20);
  expect(await handlers['support:readBundle']({})).toMatchObject({ ok: true });
});
