import { expect, test } from 'vitest';
import { isFreeSetting } from '../../../app/contract/access.ts';
import type { InvokeInput } from '../../../app/contract/contract.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { beasPin, openTillWithPins } from '../../support/cashier-till.ts';
import { channels, sampleInput } from '../../support/fuzz/samples.ts';
import { connect, connectionOf, copied, openPlatformForTest, type openMachine } from '../../support/machine.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';

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
  const till = await openTillWithPins();
  const { terminal, handlers, machine, platform, bea } = till;
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
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
