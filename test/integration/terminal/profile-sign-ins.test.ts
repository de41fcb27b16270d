// Proves over real HTTP and real files what becomes of the sign-ins and client secrets of several profiles: at a switch,
// without a keychain, when one is refused, and when a profile goes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { beasPin } from '../../support/cashier-till.ts';
import {
  connect,
  connectionOf,
  openConnected,
  openMachine,
  openPlatformForTest,
  signIn,
  stateOf,
} from '../../support/machine.ts';

test('a sign-out that waits until another shop is open ends the sign-in there, too', async () => {
  const { platform, terminal, handlers } = await openConnected();
  await signIn(terminal, platform);
  await connect(terminal, platform, { stockIds: platform.stockIds.slice(0, 1) });
  const switching = handlers['profile:switch']({ profileId: 1 });
  expect(await handlers['session:signOut']({})).toMatchObject({ ok: true });
  expect(await switching).toMatchObject({ ok: true });
  expect(await stateOf(terminal)).toMatchObject({ profileId: 1, session: { state: 'signedOut' } });
});

test('a sign-out waits for no connection that is tried, and ends the attempt', async () => {
  const { platform, terminal, handlers } = await openConnected();
  await signIn(terminal, platform);
  const connecting = handlers['profile:connect']({
    ...connectionOf(platform),
    stockIds: platform.stockIds.slice(0, 1),
  });
  expect(await handlers['session:signOut']({})).toMatchObject({ ok: true });
  expect(await connecting).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(await stateOf(terminal)).toMatchObject({ profileId: 1, session: { state: 'signedOut' } });
});

/** Signed in at two shops of two platforms, the first of them open. */
async function openBesideAnother() {
  const { machine, platform, terminal, handlers } = await openConnected();
  await signIn(terminal, platform);
  const other = await openPlatformForTest();
  await connect(terminal, other);
  await signIn(terminal, other);
  await handlers['profile:switch']({ profileId: 1 });
  return { machine, other, terminal, handlers };
}

test('a profile that is opened while its connection is tried keeps its sign-in', async () => {
  const { machine, other, terminal, handlers } = await openBesideAnother();
  const answered = Promise.withResolvers<undefined>();
  let tokens = 0;
  machine.between = async (url, next) => {
    const answer = await next();
    tokens += url.startsWith(other.platformUrl) && url.includes('token') ? 1 : 0;
    // The platform has made a new token, and the till hears of it late.
    await (tokens === 1 ? answered.promise : undefined);
    return answer;
  };
  const connecting = handlers['profile:connect']({
    ...connectionOf(other),
    stockIds: other.stockIds.slice(0, 1),
    profileId: 2,
  });
  await expect.poll(() => tokens).toBe(1);
  const switching = handlers['profile:switch']({ profileId: 2 });
  answered.resolve(undefined);
  expect([await connecting, await switching]).toMatchObject([{ ok: true }, { ok: true }]);
  await expect.poll(async () => (await stateOf(terminal)).session.state).toBe('signedIn');
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
});

test('a platform that is tried and refuses for too many requests pauses itself alone', async () => {
  const { machine, other, handlers } = await openBesideAnother();
  machine.between = (url, next) =>
    url.startsWith(other.platformUrl)
      ? Promise.resolve(succeed({ status: 429, headers: { 'retry-after': '300' }, body: '' }))
      : next();
  const stockIds = other.stockIds.slice(0, 1);
  expect(await handlers['profile:connect']({ ...connectionOf(other), stockIds, profileId: 2 })).toMatchObject({
    ok: true,
    value: { passed: false },
  });
  expect(await handlers['rateLimit:read']({})).toMatchObject({ ok: true, value: { pausedUntil: null } });
});

test('a connection that is tried is given up with the shop that it is tried beside', async () => {
  const { terminal, handlers } = await openConnected();
  const asked = Promise.withResolvers<undefined>();
  const silent = createServer(() => asked.resolve(undefined));
  onTestFinished(() => {
    silent.close().closeAllConnections();
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const platformUrl = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;
  const other = await openPlatformForTest();
  const connecting = handlers['profile:connect']({ ...connectionOf(other), platformUrl });
  await asked.promise;
  expect(await handlers['profile:leave']({})).toEqual({ ok: true, value: {} });
  const late = new Promise((resolve) => setTimeout(resolve, 8_000, 'late'));
  expect(await Promise.race([connecting, late])).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'firstRun' });
});

test('without a keychain a switch keeps the sign-ins until the app closes, no longer than users want', async () => {
  const [one, other] = [await openPlatformForTest(), await openPlatformForTest()];
  const machine = openMachine(null, false);
  const terminal = await machine.start();
  const { handlers } = terminal;
  for (const platform of [one, other]) {
    await connect(terminal, platform);
    await signIn(terminal, platform);
  }
  expect((await stateOf(terminal)).profiles.map(({ email }) => email)).toEqual([one.email, other.email]);
  expect(JSON.stringify(machine.settings())).not.toContain(one.email);
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    isSecretNeeded: false,
    session: { state: 'signedIn', email: one.email, keptIn: 'memory' },
  });
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });

  await handlers['session:signOut']({});
  await handlers['profile:switch']({ profileId: 2 });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    session: { state: 'signedIn', email: other.email },
    profiles: [{ email: null }, { email: other.email }],
  });
  await handlers['profile:switch']({ profileId: 1 });
  expect((await stateOf(terminal)).phase).toBe('signIn');
  await handlers['profile:switch']({ profileId: 2 });
  await terminal.close();
  expect(await stateOf(await machine.start())).toMatchObject({ phase: 'signIn', profileId: 2, isSecretNeeded: true });
});

test('without a keychain a client secret stays until the app closes, whoever leaves or removes it', async () => {
  const { platform, terminal, handlers } = await openConnected(openMachine(null, false));
  await signIn(terminal, platform);
  await handlers['practice:start']({});
  await handlers['session:signOut']({});
  expect(await handlers['profile:leave']({})).toMatchObject({ ok: true });
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', isSecretNeeded: false });
  await handlers['session:signOut']({});
  expect(await handlers['profile:leave']({})).toMatchObject({ ok: true });
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', isSecretNeeded: false });

  await signIn(terminal, platform);
  await connect(terminal, platform, { stockIds: platform.stockIds.slice(0, 1) });
  expect(await handlers['profile:remove']({ profileId: 2 })).toMatchObject({ ok: true });
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({ isSecretNeeded: false });
  await signIn(terminal, platform);
});

test('a mistyped client secret locks no other profile of its client out', async () => {
  const { platform, machine, terminal, handlers } = await openConnected();
  const [stockId] = platform.stockIds as [Id];
  const connectSecond = () => connect(terminal, platform, { stockIds: [stockId], clientSecret: 'mistyped' });
  await signIn(terminal, platform);
  const kept = () => machine.secrets.get(`client-secret ${platform.platformUrl}`);

  // Its renewal goes on with the one that was right.
  await connectSecond();
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    profileId: 2,
    isSecretNeeded: false,
    session: { state: 'signedIn' },
  });
  expect(kept()).toBe(platform.clientSecret);

  // With nobody signed in it is tried by the sign-in, which fails; then the one before is back, and the form may bring
  // another.
  await handlers['session:signOut']({});
  await connectSecond();
  const refused = await handlers['session:signIn']({ email: platform.email, password: platform.password });
  expect(refused).toMatchObject({ ok: false, failure: { kind: 'credentialsRejected' } });
  expect(await stateOf(terminal)).toMatchObject({ isSecretNeeded: true });
  expect(kept()).toBe(platform.clientSecret);
  await signIn(terminal, platform);
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    isSecretNeeded: false,
    session: { state: 'signedIn' },
  });
});

test('the form asks for a client secret that the platform refuses, and a right one takes its place', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const terminal = await machine.start();
  const enter = (clientSecret?: string, password = platform.password) =>
    terminal.handlers['session:signIn']({
      email: platform.email,
      password,
      ...(clientSecret === undefined ? {} : { clientSecret }),
    });
  await connect(terminal, platform, { clientSecret: 'mistyped' });
  expect((await stateOf(terminal)).isSecretNeeded).toBe(false);
  expect(await enter()).toMatchObject({ ok: false, failure: { kind: 'credentialsRejected' } });
  expect((await stateOf(terminal)).isSecretNeeded).toBe(true);
  expect(await enter('mistyped too')).toMatchObject({ ok: false, failure: { kind: 'credentialsRejected' } });
  expect(await enter(platform.clientSecret)).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', isSecretNeeded: false });
  expect(machine.secrets.get(`client-secret ${platform.platformUrl}`)).toBe(platform.clientSecret);
  // From then on a mistyped password is no reason to ask for it.
  await terminal.handlers['session:signOut']({});
  expect(await enter(undefined, 'mistyped')).toMatchObject({ ok: false, failure: { kind: 'credentialsRejected' } });
  expect((await stateOf(terminal)).isSecretNeeded).toBe(false);
});

test('S9: a keychain that does not take the client secret again gives the older one after the next start', async () => {
  const { platform, machine, terminal: first } = await openConnected();
  await first.close();
  machine.isKeychainLocked = true;
  const locked = await machine.start();
  const { email, password, clientSecret } = platform;
  expect((await stateOf(locked)).isSecretNeeded).toBe(true);
  expect(await locked.handlers['session:signIn']({ email, password, clientSecret })).toMatchObject({ ok: true });
  await locked.close();
  machine.isKeychainLocked = false;
  expect((await stateOf(await machine.start())).isSecretNeeded).toBe(false);
});

test('S9: a client secret that the keychain did not take is given to it again with the next token', async () => {
  const { platform, machine, terminal } = await openConnected(openMachine(null, false));
  const entry = `client-secret ${platform.platformUrl}`;
  await signIn(terminal, platform);
  expect(machine.secrets.get(entry)).toBeUndefined();
  machine.hasKeychain = true;
  await signIn(terminal, platform);
  expect(machine.secrets.get(entry)).toBe(platform.clientSecret);
});

test('without a keychain a removed profile takes its sign-in along: whoever connects it again signs in', async () => {
  const { platform: one, terminal, handlers } = await openConnected(openMachine(null, false));
  const other = await openPlatformForTest();
  await signIn(terminal, one);
  await connect(terminal, other);
  await signIn(terminal, other);
  expect(await handlers['profile:remove']({ profileId: 1 })).toEqual({ ok: true, value: {} });
  await connect(terminal, one);
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'signIn',
    session: { state: 'signedOut', email: null },
    profiles: [{ email: other.email }, { email: null }],
  });
});

test('a token that the keychain did not remove at the sign-out is said, and removed at the next start', async () => {
  const { platform, machine, terminal: first } = await openConnected();
  await signIn(first, platform);
  machine.removes = false;
  expect(await first.handlers['session:signOut']({})).toMatchObject({ ok: true });
  expect(await stateOf(first)).toMatchObject({ phase: 'signIn', notices: [{ kind: 'vaultUnavailable' }] });
  await first.close();
  await (await machine.start()).close();
  const entries = () => [...machine.secrets.keys()];
  expect(entries()).toContain(`refresh-token ${platform.platformUrl}`);
  machine.removes = true;
  const third = await machine.start();
  expect(entries()).toEqual([`client-secret ${platform.platformUrl}`]);
  expect(await stateOf(third)).toMatchObject({ phase: 'signIn', isSecretNeeded: false });

  // An entry kept by a later sign-in stays.
  machine.removes = false;
  await signIn(third, platform);
  await third.handlers['session:signOut']({});
  await signIn(third, platform);
  await third.close();
  machine.removes = true;
  expect(await stateOf(await machine.start())).toMatchObject({ phase: 'ready', session: { state: 'signedIn' } });
});

test('what the keychain did not remove of a removed profile is removed at the next start', async () => {
  const { platform, machine, terminal: first } = await openConnected();
  await signIn(first, platform);
  expect(await first.handlers['cashier:setPin']({ pin: '2580' })).toMatchObject({ ok: true });
  machine.removes = false;
  expect(await first.handlers['profile:remove']({ profileId: 1 })).toMatchObject({ ok: true });
  const entries = () => [...machine.secrets.keys()];
  expect(entries()).toHaveLength(2);
  await first.close();
  await (await machine.start()).close();
  expect(entries()).toHaveLength(2);
  machine.removes = true;
  const third = await machine.start();
  expect(entries()).toEqual([]);
  expect(machine.settings()).toMatchObject({ signIns: [], cashiers: [] });

  // Nobody comes back by what was left there.
  await connect(third, platform);
  await signIn(third, platform);
  await third.handlers['cashier:setPin']({ pin: '2580' });
  machine.removes = false;
  await third.handlers['profile:remove']({ profileId: 1 });
  await connect(third, platform);
  expect(await stateOf(third)).toMatchObject({
    phase: 'signIn',
    session: { state: 'signedOut' },
    cashiers: { users: [] },
  });
  await signIn(third, platform);
  await third.close();
  machine.removes = true;
  expect(await stateOf(await machine.start())).toMatchObject({ phase: 'ready', session: { state: 'signedIn' } });
});

test.each([
  ['signs out', false],
  ['makes way for a cashier with a PIN', true],
])('an end in the middle leaves no token of who %s after the next start', async (_how, isChange) => {
  const { platform, machine, terminal, handlers } = await openConnected();
  const bea = { ...platform, ...platform.otherUser };
  if (isChange) {
    await signIn(terminal, bea);
    expect(await handlers['cashier:setPin']({ pin: beasPin })).toEqual(succeed({}));
    await handlers['cashier:lock']({});
  }
  await signIn(terminal, platform);
  const held = Promise.withResolvers<void>();
  machine.keychainHeld = held.promise;
  const leaving = isChange
    ? handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })
    : handlers['session:signOut']({});
  await expect.poll(() => JSON.stringify(machine.settings()['signIns'])).not.toContain(platform.email);
  const after = openMachine(machine.settings());
  machine.secrets.forEach((secret, name) => after.secrets.set(name, secret));
  expect([...after.secrets.values()].join(' ')).toContain(platform.email);
  held.resolve();
  await leaving;

  const again = await after.start();
  expect(await stateOf(again)).toMatchObject({ phase: 'signIn', session: { email: null } });
  expect([...after.secrets.values()].join(' ')).not.toContain(platform.email);
});
