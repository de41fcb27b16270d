// Proves over real HTTP and real files that cashiers change by their PIN, that only they do, and that whatever is done
// is theirs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../app/contract/audit.ts';
import { maxCashiers } from '../../../app/contract/cashiers.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { anasPin, beasPin, openTill, openTillAtWork, openTillWithPins, signIn } from '../../support/cashier-till.ts';
import { connect, connectionOf, copied, openPlatformForTest, stateOf } from '../../support/machine.ts';

const product = '1000003' as Id;
const otherProduct = '1000004' as Id;
const dayMs = 86_400_000;

async function entriesOf({ handlers }: Terminal): Promise<readonly AuditEntry[]> {
  const listed = await handlers['audit:list']({ group: 'all', offset: 0, limit: 200 });
  return listed.ok ? listed.value.rows.toReversed() : expect.fail(listed.failure.kind);
}

/** The same, once Ana has come back. */
async function entriesWith(terminal: Terminal, ana: Pick<TrainingPlatform, 'email'>): Promise<readonly AuditEntry[]> {
  await terminal.handlers['cashier:comeBack']({ email: ana.email, pin: anasPin });
  return entriesOf(terminal);
}

/** Who did what since, in words. */
async function actionsOf(terminal: Terminal, since = 0): Promise<string[]> {
  const entries = await entriesOf(terminal);
  return entries.slice(since).map(({ email, action }) => `${email ?? 'nobody'} ${action.kind}`);
}

const couponsOf = ({ platform }: { readonly platform: TrainingPlatform }): string[] =>
  platform.arrivals().flatMap(({ path, method }) => (method === 'PUT' && path.includes('coupon') ? [path] : []));

test('two change by PIN without a network, and each change is its cashier’s', async () => {
  const till = await openTillAtWork();
  const { terminal, handlers, machine, ana, bea, platform } = till;
  const before = (await entriesOf(terminal)).length;
  machine.isNetworkDown = true;
  expect(await handlers['coupon:refresh']({})).toMatchObject({ failure: { kind: 'unreachable' } });
  expect(await handlers['coupon:switch']({ productId: product, isEnabled: true })).toMatchObject({ ok: true });
  await handlers['cashier:lock']({});
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'signIn',
    session: { state: 'signedOut', email: null },
    cashiers: { lockedEmail: bea.email },
  });
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toEqual({ ok: true, value: {} });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { state: 'signedIn', email: ana.email } });
  expect(await handlers['coupon:switch']({ productId: otherProduct, isEnabled: true })).toMatchObject({ ok: true });
  expect(await stateOf(terminal)).toMatchObject({ queue: { pending: 1, ofKept: { count: 1, emails: [bea.email] } } });
  expect(await actionsOf(terminal, before)).toEqual([
    `${bea.email} coupon`,
    `${bea.email} tillLocked`,
    `${ana.email} cameBack`,
    `${ana.email} coupon`,
  ]);

  // Both leave while she is at the screen, each under its own sign-in.
  machine.isNetworkDown = false;
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  const settings = (): Record<string, boolean> => Object.fromEntries(platform.couponSettings());
  await expect.poll(settings, { timeout: 20_000 }).toMatchObject({ [otherProduct]: true, [product]: true });
  expect(couponsOf(till).length).toBeGreaterThanOrEqual(2);
});

test.for([
  ['the token is waited for', '/oauth/token', true],
  ['the stocks are asked, which are answered in the end', '/stocks/', true],
  ['the stocks are asked, which are refused in the end', '/stocks/', false],
] as const)('a PIN waits for no sign-in: %s', async ([, path, isAnswered]) => {
  const { handlers, machine, terminal, ana, bea } = await openTillAtWork();
  await copied(terminal);
  await handlers['cashier:lock']({});
  const held = Promise.withResolvers<void>();
  let waiting = 0;
  machine.between = async (url, next) => {
    if (!url.includes(path)) {
      return next();
    }
    waiting += 1;
    await held.promise;
    return isAnswered ? next() : succeed({ status: 404, headers: {}, body: '{}' });
  };
  const trying = signIn(terminal, ana);
  await expect.poll(() => waiting).toBeGreaterThan(0);
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toEqual({ ok: true, value: {} });
  const here = { phase: 'ready', session: { state: 'signedIn', email: bea.email } };
  expect(await stateOf(terminal)).toMatchObject(here);
  held.resolve();
  expect(await trying).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(await stateOf(terminal)).toMatchObject(here);
  // Ana has not lost what brings her back.
  await handlers['cashier:lock']({});
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toEqual({ ok: true, value: {} });
});

test('who comes back by their PIN while their own password is tried stays, whatever the stocks answer', async () => {
  const { handlers, machine, terminal, ana } = await openTillWithPins();
  const held = Promise.withResolvers<void>();
  let isAsked = false;
  machine.between = async (url, next) => {
    if (!url.includes('/stocks/')) {
      return next();
    }
    isAsked = true;
    await held.promise;
    return succeed({ status: 404, headers: {}, body: '{}' });
  };
  const trying = signIn(terminal, ana);
  await expect.poll(() => isAsked).toBe(true);
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toEqual({ ok: true, value: {} });
  held.resolve();
  expect(await trying).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { email: ana.email } });
});

test('while it is locked nothing can be changed or read of what people did, and the queue goes on', async () => {
  const { terminal, handlers, machine, platform, bea } = await openTillAtWork();
  await copied(terminal);
  machine.isNetworkDown = true;
  expect(await handlers['coupon:refresh']({})).toMatchObject({ failure: { kind: 'unreachable' } });
  await handlers['coupon:switch']({ productId: product, isEnabled: true });
  await handlers['cashier:lock']({});
  const closed = [
    handlers['coupon:switch']({ productId: otherProduct, isEnabled: true }),
    handlers['audit:list']({ group: 'all', offset: 0, limit: 1 }),
    handlers['queue:list']({ states: [], text: '', offset: 0, limit: 1 } as never),
    handlers['cashier:setPin']({ pin: null, oldPin: beasPin }),
    handlers['cashier:forget']({ email: bea.email }),
    handlers['settings:update']({ cashierChange: { keptDays: 365, lockAfterMinutes: 0, badges: true } }),
  ];
  for (const answer of closed) {
    expect(await answer).toEqual({ ok: false, failure: { kind: 'signInNeeded' } });
  }
  expect(await handlers['lookup:find']({ text: product, source: 'scan' })).toMatchObject({ ok: true });
  machine.isNetworkDown = false;
  await expect.poll(() => platform.couponSettings().get(product), { timeout: 20_000 }).toBe(true);
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: bea.email } });
});

test.for([
  ['a connection is tried and refused meanwhile', true],
  ['somebody who has left tries a connection', false],
] as const)('who is being signed in is at no screen before the stocks are answered: %s', async ([, isOverAtOnce]) => {
  const { terminal, handlers, machine, ana, bea } = await openTill();
  await signIn(terminal, ana);
  await copied(terminal);
  const elsewhere = await openPlatformForTest();
  const other = connectionOf(elsewhere);
  const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let isGranted = false;
  machine.between = async (url, next) => {
    isGranted ||= url.includes('token');
    if (url.startsWith(elsewhere.platformUrl) || (isGranted && url.includes('/stocks/'))) {
      asked.resolve(undefined);
      await answered.promise;
    }
    return next();
  };
  const trying = isOverAtOnce ? null : handlers['profile:connect'](other);
  await handlers['session:signOut']({});
  const signingIn = signIn(terminal, bea);
  await expect.poll(() => isGranted).toBe(true);
  await asked.promise;
  if (isOverAtOnce) {
    const refused = await handlers['profile:connect']({ ...other, platformUrl: 'http://shop.example' });
    expect(refused).toMatchObject({ ok: true, value: { passed: false } });
  }
  await expect.poll(async () => (await stateOf(terminal)).session.email).toBe(bea.email);
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn' });
  expect(await handlers['lock:setPin']({ pin: '7777' })).toEqual(fail({ kind: 'signInNeeded' }));
  answered.resolve(undefined);
  expect(await signingIn).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready' });
  expect(trying === null ? null : await trying).toEqual(isOverAtOnce ? null : fail({ kind: 'cancelled' }));
});

/** Ana, without a PIN, where as many have one as may; the keychain is slow for the first that gives way. */
async function openFullTill() {
  const { terminal: before, machine, ana, bea } = await openTill();
  await signIn(before, bea);
  await before.handlers['cashier:setPin']({ pin: beasPin });
  await before.close();
  const { cashiers } = machine.settings() as { readonly cashiers: object[] };
  const [last] = cashiers;
  for (const place of Array.from({ length: maxCashiers - 1 }).keys()) {
    cashiers.push({ ...last, email: `${String(place)}@example.com`, signedInAt: place });
  }
  const terminal = await machine.start();
  const { handlers } = terminal;
  await signIn(terminal, ana);
  const isListed = async (email: string): Promise<boolean> =>
    (await stateOf(terminal)).cashiers.users.some((user) => user.email === email);
  const held = Promise.withResolvers<undefined>();
  machine.keychainHeld = held.promise;
  const setting = handlers['cashier:setPin']({ pin: anasPin });
  await expect.poll(() => isListed('0@example.com')).toBe(false);
  const go = (): void => {
    machine.keychainHeld = null;
    held.resolve(undefined);
  };
  return { terminal, handlers, ana, bea, isListed, setting, go };
}

test('of too many PINs the oldest gives way, and who comes meanwhile stays at the screen', async () => {
  const { terminal, handlers, ana, bea, isListed, setting, go } = await openFullTill();
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toEqual({ ok: true, value: {} });
  go();
  expect(await setting).toEqual(fail({ kind: 'userChanged' }));
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { email: bea.email } });
  expect(await isListed(ana.email)).toBe(false);
});

test('a first PIN that waits for the oldest to give way takes the place of none that comes meanwhile', async () => {
  const { handlers, ana, isListed, setting, go } = await openFullTill();
  const other = handlers['cashier:setPin']({ pin: '9999' });
  await expect.poll(() => isListed(ana.email)).toBe(true);
  go();
  expect(await setting).toEqual(fail({ kind: 'cancelled' }));
  expect(await other).toEqual(succeed({}));
  await handlers['cashier:lock']({});
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: '9999' })).toEqual(succeed({}));
});

test('whoever guesses a PIN and opens practice before it is compared is on the list all the same', async () => {
  const { terminal, handlers, machine, ana, bea } = await openTillWithPins();
  const practice = await openPlatformForTest();
  machine.practice = practice;
  const before = (await entriesWith(terminal, ana)).length;
  await handlers['cashier:lock']({});
  const guess = handlers['cashier:comeBack']({ email: bea.email, pin: '0000' });
  expect(await handlers['practice:start']({})).toMatchObject({ ok: true });
  expect(await guess).toMatchObject({ failure: { kind: 'pinWrong' } });
  const { profiles } = await stateOf(terminal);
  await handlers['profile:switch']({ profileId: profiles[0]?.profileId ?? 0 });
  const listed = (await entriesWith(terminal, ana)).slice(before);
  expect(listed.filter(({ action }) => action.kind === 'ownPinWrong')).toMatchObject([
    { email: null, action: { name: bea.email } },
  ]);
});

test('a start locks, and so does another connection that is opened; the right PIN opens both', async () => {
  const { terminal, machine, bea, platform } = await openTillAtWork();
  await terminal.close();
  const again = await machine.start();
  expect(await stateOf(again)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: bea.email } });
  expect(await again.handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  expect(await again.handlers['coupon:refresh']({})).toMatchObject({ ok: true });

  // The same platform and client: he is at the screen still. Another one, and back: he must show it anew.
  const [stockId] = platform.stockIds as [Id];
  await connect(again, platform, { stockIds: [stockId] });
  expect(await stateOf(again)).toMatchObject({ phase: 'ready', profileId: 2, session: { email: bea.email } });
  const elsewhere = await openPlatformForTest();
  await connect(again, elsewhere);
  await signIn(again, elsewhere);
  await again.handlers['cashier:setPin']({ pin: '4321' });
  await again.handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(again)).toMatchObject({ phase: 'signIn', profileId: 1, cashiers: { lockedEmail: bea.email } });
  // A locked till can be left for another shop, and is locked when somebody comes back.
  expect(await again.handlers['profile:leave']({})).toMatchObject({ ok: true });
  await again.handlers['profile:switch']({ profileId: 1 });
  expect((await stateOf(again)).cashiers.lockedEmail).toBe(bea.email);
});

const lockAfterFiveMinutes = ({ handlers }: Terminal) =>
  handlers['settings:update']({ cashierChange: { keptDays: 30, lockAfterMinutes: 5, badges: true } });

test.each(['another shop', 'practice', 'the first screen'])(
  'whoever rests at %s is not back without a PIN',
  async (elsewhere) => {
    const { terminal, handlers, machine, bea } = await openTillAtWork();
    await lockAfterFiveMinutes(terminal);
    await handlers['cashier:noteActivity']({});
    if (elsewhere === 'practice') {
      expect(await handlers['practice:start']({})).toMatchObject({ ok: true });
    } else {
      await connect(terminal, await openPlatformForTest());
      expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', profileId: 2 });
    }
    if (elsewhere === 'the first screen') {
      expect(await handlers['profile:leave']({})).toMatchObject({ ok: true });
    }
    machine.aheadMs = 6 * 60_000;
    await handlers['cashier:noteActivity']({});
    expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
    expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: bea.email } });
    expect(await handlers['coupon:switch']({ productId: product, isEnabled: true })).toEqual(
      fail({ kind: 'signInNeeded' }),
    );
    expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  },
);

test('a rest that ends while one company makes way for another locks as well', async () => {
  const { terminal, handlers, machine, platform, bea } = await openTillAtWork();
  const [stockId] = platform.stockIds as [Id];
  await connect(terminal, platform, { stockIds: [stockId] });
  await lockAfterFiveMinutes(terminal);
  await handlers['cashier:noteActivity']({});
  // For as long as the test is between the two, however busy the machine.
  const held = Promise.withResolvers<void>();
  machine.keychainHeld = held.promise;
  const switching = handlers['profile:switch']({ profileId: 1 });
  await expect.poll(async () => (await stateOf(terminal)).phase, { interval: 1 }).toBe('firstRun');
  machine.aheadMs = 6 * 60_000;
  await handlers['cashier:noteActivity']({});
  held.resolve();
  expect(await switching).toMatchObject({ ok: true });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: bea.email } });
});

test('no other screen brings back whom the platform has refused', async () => {
  const { terminal, handlers, platform } = await openTillAtWork();
  platform.revokeRefreshTokens();
  platform.expireAccessTokens();
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: false });
  await expect.poll(async () => (await stateOf(terminal)).phase).toBe('signIn');
  expect(await handlers['profile:leave']({})).toMatchObject({ ok: true });
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn' });
  expect(await handlers['coupon:switch']({ productId: product, isEnabled: true })).toEqual(
    fail({ kind: 'signInNeeded' }),
  );
});

test('wrong PINs wait, each user’s for themselves and over a restart; the password opens all the same', async () => {
  const { terminal, machine, ana, bea } = await openTillAtWork();
  await terminal.handlers['cashier:lock']({});
  const tryPin = ({ handlers }: Terminal, pin: string) => handlers['cashier:comeBack']({ email: ana.email, pin });
  // The last of them makes the next wait for minutes: a busy machine is sure to be there before.
  const wrongPins = 8;
  for (let wrong = 0; wrong < wrongPins; wrong += 1) {
    machine.sleptMs += 15 * 60_000;
    expect(await tryPin(terminal, '0000')).toMatchObject({ ok: false, failure: { kind: 'pinWrong' } });
  }
  expect(await tryPin(terminal, anasPin)).toMatchObject({ ok: false, failure: { kind: 'pinWaits' } });
  expect(await terminal.handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
  expect((await actionsOf(terminal)).filter((action) => action.endsWith('ownPinWrong'))).toEqual(
    Array<string>(wrongPins).fill('nobody ownPinWrong'),
  );
  await terminal.close();
  const again = await machine.start();
  expect(await tryPin(again, anasPin)).toMatchObject({ ok: false, failure: { kind: 'pinWaits' } });
  expect(JSON.stringify(machine.settings())).not.toContain(anasPin);
  expect(await signIn(again, ana)).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf(again)).toMatchObject({ phase: 'ready', session: { email: ana.email } });
  await again.handlers['cashier:lock']({});
  expect(await tryPin(again, anasPin)).toMatchObject({ ok: true });
});

test('whose token the platform refuses is out at the next answer, and comes back with the password alone', async () => {
  const { terminal, handlers, platform, ana, bea } = await openTillAtWork();
  platform.revokeRefreshTokens();
  platform.expireAccessTokens();
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: false });
  await expect.poll(async () => (await stateOf(terminal)).phase).toBe('signIn');
  expect(await stateOf(terminal), 'nothing goes on behind it, and it is told').toMatchObject({
    session: { state: 'ended', email: null },
    cashiers: { lockedEmail: null },
  });
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toEqual(
    fail({ kind: 'signInNeeded' }),
  );
  // Hers is found out by the first answer after she came.
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  await handlers['coupon:refresh']({});
  await expect.poll(async () => (await stateOf(terminal)).phase).toBe('signIn');
  expect((await stateOf(terminal)).cashiers.users.map(({ canComeBack }) => canComeBack)).toEqual([false, false]);
  expect(await signIn(terminal, bea)).toMatchObject({ ok: true, value: { passed: true } });
  await handlers['cashier:lock']({});
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
});

test('tokens lie apart in the keychain, and go with a sign-out, the manager’s days or the manager', async () => {
  const { terminal, handlers, machine, ana, bea, platform } = await openTillAtWork();
  const entry = ({ email }: { readonly email: string }): string => `refresh-token ${email} ${platform.platformUrl}`;
  const entries = (): string[] => [...machine.secrets.keys()].filter((name) => name.startsWith('refresh')).toSorted();
  expect(entries()).toEqual([entry(ana), entry(bea)].toSorted());

  machine.sleptMs = 31 * dayMs;
  await handlers['cashier:lock']({});
  expect((await stateOf(terminal)).cashiers.users.map(({ canComeBack }) => canComeBack)).toEqual([false, false]);
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({
    failure: { kind: 'signInNeeded' },
  });
  await expect.poll(entries).toEqual([entry(bea)]);
  await signIn(terminal, ana);
  await expect.poll(entries).toEqual([entry(ana)]);

  expect(await handlers['cashier:forget']({ email: bea.email })).toMatchObject({ ok: true });
  expect((await stateOf(terminal)).cashiers.users.map(({ email }) => email)).toEqual([ana.email]);
  machine.removes = false;
  await handlers['session:signOut']({});
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', cashiers: { lockedEmail: null } });
  machine.removes = true;
  await terminal.close();
  const again = await machine.start();
  expect(entries()).toEqual([]);
  expect((await stateOf(again)).cashiers.users).toEqual([
    { email: ana.email, canComeBack: false, waitUntil: null, pinLength: 4, hasBadge: false },
  ]);
});

test('a cashier’s PIN is in no file, log, event or answer; the settings have a slow hash and its length', async () => {
  const [pin, other] = ['91827364', '73645546'];
  const { terminal, machine, ana } = await openTill();
  await terminal.close();
  const said: unknown[] = [];
  machine.around = { log: (...line) => void said.push(line) };
  const again = await machine.start();
  again.subscribe((...event) => void said.push(event));
  said.push(await signIn(again, ana));
  for (const input of [{ pin: other }, { pin, oldPin: '00000000' }, { pin, oldPin: other }]) {
    said.push(await again.handlers['cashier:setPin'](input));
  }
  said.push(await again.handlers['cashier:lock']({}));
  for (const tried of [other, pin]) {
    said.push(await again.handlers['cashier:comeBack']({ email: ana.email, pin: tried }));
  }
  said.push(await again.handlers['cashier:makeBadge']({ pin }), await entriesOf(again), await stateOf(again));
  said.push(await again.handlers['support:readBundle']({}));
  await again.close();
  expect(machine.settings()).toMatchObject({
    cashiers: [{ email: ana.email, pinHash: expect.stringMatching(/^\$scrypt\$/) as string, pinLength: 8 }],
  });
  const everything = [
    ...[...said, machine.settings(), [...machine.secrets]].map((one) => JSON.stringify(one)),
    ...readdirSync(machine.store).map((name) => readFileSync(join(machine.store, name), 'latin1')),
  ];
  for (const secret of [pin, other]) {
    expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  }
  // The search can find: what was noted is there.
  expect(everything.some((text) => text.includes('pinWrong'))).toBe(true);
});

test('how long a PIN is is kept with it, and learnt of one of before when it is right', async () => {
  const { terminal, handlers, machine, ana, bea } = await openTillAtWork();
  const lengths = async (open: Terminal): Promise<unknown> =>
    Object.fromEntries((await stateOf(open)).cashiers.users.map(({ email, pinLength }) => [email, pinLength]));
  expect(await lengths(terminal)).toEqual({ [ana.email]: 4, [bea.email]: 6 });
  expect(await handlers['cashier:setPin']({ pin: '13579', oldPin: beasPin })).toMatchObject({ ok: true });
  expect(await lengths(terminal)).toEqual({ [ana.email]: 4, [bea.email]: 5 });
  await terminal.close();
  for (const cashier of machine.settings()['cashiers'] as Record<string, unknown>[]) {
    delete cashier['pinLength'];
  }
  const again = await machine.start();
  expect(await lengths(again)).toEqual({ [ana.email]: null, [bea.email]: null });
  await again.handlers['cashier:comeBack']({ email: ana.email, pin: '258013' });
  expect(await lengths(again)).toEqual({ [ana.email]: null, [bea.email]: null });
  expect(await again.handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  expect(await lengths(again)).toEqual({ [ana.email]: 4, [bea.email]: null });
});

test('a clock ahead at the password makes no day longer, and one that is set back shuts nobody out', async () => {
  const { terminal, handlers, machine, bea } = await openTillAtWork();
  await handlers['settings:update']({ cashierChange: { keptDays: 1, lockAfterMinutes: 0, badges: true } });
  machine.aheadMs = 400 * dayMs;
  await signIn(terminal, bea);
  machine.aheadMs = 0;
  const comesBack = async (): Promise<boolean> => {
    await handlers['cashier:lock']({});
    return (await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).ok;
  };
  expect(await comesBack()).toBe(true);
  machine.sleptMs = 2 * dayMs;
  expect(await comesBack()).toBe(false);
  await signIn(terminal, bea);
  machine.aheadMs = -400 * dayMs;
  expect(await comesBack()).toBe(true);
});

test('a PIN is changed and removed with the old one alone; without one the till is not locked', async () => {
  const { terminal, handlers, bea } = await openTillAtWork();
  expect(await handlers['cashier:setPin']({ pin: '9999' })).toMatchObject({ failure: { kind: 'pinWrong' } });
  expect(await handlers['cashier:setPin']({ pin: '9999', oldPin: beasPin })).toMatchObject({ ok: true });
  expect(await handlers['cashier:setPin']({ pin: null, oldPin: beasPin })).toMatchObject({
    failure: { kind: 'pinWrong' },
  });
  expect(await handlers['cashier:setPin']({ pin: null, oldPin: '9999' })).toMatchObject({ ok: true });
  await handlers['cashier:lock']({});
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { email: bea.email } });
  expect((await actionsOf(terminal)).slice(-4)).toEqual([
    `${bea.email} ownPinWrong`,
    `${bea.email} ownPinChanged`,
    `${bea.email} ownPinWrong`,
    `${bea.email} ownPinRemoved`,
  ]);
});

test('of two first PINs at once the first one counts, and one that is taken away meanwhile is gone', async () => {
  const { handlers, terminal, ana } = await openTill();
  await signIn(terminal, ana);
  const late = fail({ kind: 'cancelled' });
  const both = await Promise.all([anasPin, '9999'].map((pin) => handlers['cashier:setPin']({ pin })));
  expect(both).toEqual([succeed({}), late]);
  const changes = ['9999', '8888'].map((pin) => handlers['cashier:setPin']({ pin, oldPin: anasPin }));
  expect(await Promise.all(changes)).toEqual([succeed({}), late]);
  const changing = handlers['cashier:setPin']({ pin: anasPin, oldPin: '9999' });
  // The old one has been compared, and the new one is being hashed.
  await new Promise(setImmediate);
  expect(await handlers['cashier:forget']({ email: ana.email })).toEqual(succeed({}));
  expect(await changing).toEqual(late);
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', cashiers: { users: [] } });
});

test.each(['9999', null])('a PIN that a full disk keeps from becoming %s is the old one, as is said', async (pin) => {
  const { terminal, handlers, machine, bea } = await openTillAtWork();
  machine.isSettingsDiskFull = true;
  expect(await handlers['cashier:setPin']({ pin, oldPin: beasPin })).toEqual(fail({ kind: 'storageFull' }));
  await handlers['cashier:lock']({});
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', session: { email: null } });
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toMatchObject({ ok: true });
});

test('whose PIN a full disk does not forget is not said to be forgotten, and is so once there is room', async () => {
  const { handlers, machine, terminal, ana } = await openTillAtWork();
  machine.isSettingsDiskFull = true;
  const forget = () => handlers['cashier:forget']({ email: ana.email });
  expect(await forget()).toEqual(fail({ kind: 'storageFull' }));
  expect((await stateOf(terminal)).cashiers.users.map(({ email }) => email)).toContain(ana.email);
  machine.isSettingsDiskFull = false;
  expect(await forget()).toMatchObject({ ok: true });
  await terminal.close();
  const again = await machine.start();
  expect((await stateOf(again)).cashiers.users.map(({ email }) => email)).not.toContain(ana.email);
});

test('whether a PIN can be set is told before the first digit: keychain absent, locked, back or working', async () => {
  const { terminal, handlers, machine, ana } = await openTill(false);
  const keep = () => handlers['session:keep']({});
  expect(await keep()).toMatchObject({ failure: { kind: 'signInNeeded' } });
  await signIn(terminal, ana);
  expect(await stateOf(terminal)).toMatchObject({ session: { keptIn: 'memory' } });
  expect(await keep()).toEqual({ ok: false, failure: { kind: 'vaultUnavailable' } });

  // It was only away while somebody signed in.
  machine.hasKeychain = true;
  expect(await keep()).toEqual({ ok: true, value: { outcome: 'kept' } });
  expect(await stateOf(terminal)).toMatchObject({ session: { email: ana.email, keptIn: 'keychain' } });
  expect(await handlers['cashier:setPin']({ pin: anasPin })).toMatchObject({ ok: true });

  machine.isKeychainLocked = true;
  expect(await keep()).toMatchObject({ ok: false, failure: { kind: 'vaultLocked' } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { email: ana.email } });
  machine.isKeychainLocked = false;
  expect(await keep()).toEqual({ ok: true, value: { outcome: 'kept' } });
  await terminal.close();
  const again = await machine.start();
  expect(await again.handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  expect(await again.handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  expect(await stateOf(again)).toMatchObject({ isSecretNeeded: false, session: { keptIn: 'keychain', failure: null } });
});

test('a keychain that was locked at the start is no longer told as locked once it gives what it has', async () => {
  const { terminal, machine, ana } = await openTill();
  await signIn(terminal, ana);
  await terminal.close();
  machine.isKeychainLocked = true;
  const again = await machine.start();
  await again.handlers['coupon:refresh']({});
  expect((await stateOf(again)).notices.map(({ kind }) => kind)).toEqual(['vaultLocked']);
  machine.isKeychainLocked = false;
  expect(await again.handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  expect(await stateOf(again)).toMatchObject({
    notices: [],
    session: { failure: null },
    connection: { state: 'online' },
  });
});

test('nobody can set one without a keychain, where the manager allows none, or in practice', async () => {
  const { terminal, handlers, ana } = await openTill(false);
  await signIn(terminal, ana);
  expect(await handlers['cashier:setPin']({ pin: anasPin })).toMatchObject({ failure: { kind: 'vaultUnavailable' } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', cashiers: { users: [] } });
  await handlers['settings:update']({ cashierChange: { keptDays: 0, lockAfterMinutes: 5, badges: true } });
  expect(await handlers['cashier:setPin']({ pin: anasPin })).toMatchObject({ failure: { kind: 'notReady' } });
});

test('where nobody has a PIN a lock, a rest and a start change nothing', async () => {
  const { terminal, handlers, machine, ana, platform } = await openTill();
  await signIn(terminal, ana);
  await handlers['cashier:lock']({});
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', cashiers: { lockedEmail: null, users: [] } });
  await terminal.close();
  expect(await stateOf(await machine.start())).toMatchObject({ phase: 'ready', session: { email: ana.email } });
  expect([...machine.secrets.keys()]).toContain(`refresh-token ${platform.platformUrl}`);
});

test('who signed in with other letters of their e-mail is the same person after an end at any moment', async () => {
  const { terminal, handlers, machine, ana } = await openTillAtWork();
  await signIn(terminal, ana);
  expect(await handlers['cashier:setPin']({ pin: null, oldPin: anasPin })).toMatchObject({ ok: true });
  await terminal.close();
  // The app ended after the keychain had the token, and before the list of cashiers knew of the sign-in.
  const document = machine.settings();
  const cashiers = document['cashiers'] as { readonly email: string }[];
  document['cashiers'] = cashiers.map((one) =>
    one.email === ana.email ? { ...one, email: ana.email.toUpperCase(), signedInAt: null } : one,
  );
  for (const [name, secret] of machine.secrets) {
    machine.secrets.set(name, secret.replace(`"${ana.email}"`, `"${ana.email.toUpperCase()}"`));
  }
  const again = await machine.start();
  expect(await stateOf(again)).toMatchObject({ phase: 'ready', session: { state: 'signedIn', failure: null } });
  expect(await again.handlers['coupon:refresh']({})).toMatchObject({ ok: true });
});

test('a sign-out that waited while a colleague came back ends the sign-in of who asked for it alone', async () => {
  const { terminal, handlers, machine, ana, bea, platform } = await openTillAtWork();
  await connect(terminal, platform, { stockIds: platform.stockIds.slice(0, 1) });
  const held = Promise.withResolvers<void>();
  machine.keychainHeld = held.promise;
  // While another shop is opened, whoever comes or goes waits.
  const switching = handlers['profile:switch']({ profileId: 1 });
  await expect.poll(async () => (await stateOf(terminal)).session.email).toBe(bea.email);
  const coming = handlers['cashier:comeBack']({ email: ana.email, pin: anasPin });
  // As long as a PIN takes to be compared, and longer.
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: anasPin })).toMatchObject({ ok: false });
  const { newestEntry } = (await stateOf(terminal)).lock;
  const signingOut = Promise.all([handlers['session:signOut']({}), handlers['session:signOut']({})]);
  held.resolve();
  expect([await switching, await coming, ...(await signingOut)].map(({ ok }) => ok)).toEqual([true, true, true, true]);
  const { phase, session, cashiers, lock } = await stateOf(terminal);
  // That she came back, the switch, and one of the two.
  expect(lock.newestEntry - newestEntry).toBe(3);
  expect({ phase, email: session.email }).toEqual({ phase: 'ready', email: ana.email });
  expect(cashiers.users).toEqual([
    expect.objectContaining({ email: ana.email, canComeBack: true }),
    expect.objectContaining({ email: bea.email, canComeBack: false }),
  ]);
});

test('a sign-out ends a sign-in that is under way, and leaves nothing of it', async () => {
  const { terminal, handlers, bea, machine } = await openTillAtWork();
  const signingIn = signIn(terminal, { ...bea, email: bea.email.toUpperCase() });
  expect(await handlers['session:signOut']({})).toEqual({ ok: true, value: {} });
  expect(await signingIn).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'signIn',
    session: { email: null },
    profiles: [{ email: null }],
    catalogue: { phase: 'idle' },
  });
  expect([...machine.secrets.values()].filter((text) => text.toLowerCase().includes(bea.email.toLowerCase()))).toEqual(
    [],
  );
});
