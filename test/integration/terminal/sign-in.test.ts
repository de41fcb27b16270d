// Proves over real HTTP that the screen which asked for a sign-in stays until the company and the stocks have been
// tried: a till that opened meanwhile would throw the form and its report away.
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { startTrainingPlatform } from '../../../app/training/server.ts';
import { anasPin, openTill, openTillWithPins, signIn } from '../../support/cashier-till.ts';
import { connectionOf, copied, openPlatformForTest, stateOf } from '../../support/machine.ts';
import { makeVault } from '../../support/ports.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';
import { valueOf } from '../../support/value-of.ts';

test('a sign-in that the company refuses never leaves the sign-in screen; one that it grants does', async () => {
  const { terminal, close } = await openPracticeTerminal();
  onTestFinished(close);
  const { handlers } = terminal;
  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 5 });
  onTestFinished(() => platform.close());
  const { platformUrl, clientId, clientSecret, email, password } = platform;
  const connect = (companyId: Id) =>
    handlers['profile:connect']({ platformUrl, clientId, clientSecret, companyId, stockIds: [...platform.stockIds] });
  expect(await handlers['session:signOut']({})).toMatchObject({ ok: true });
  expect(await connect(platform.forbiddenCompanyId)).toMatchObject({ ok: true, value: { passed: true } });
  const phases = new Set<string>();
  terminal.subscribe((channel, payload) => {
    if (channel === 'terminal:changed' && 'phase' in payload) {
      phases.add(payload.phase);
    }
  });
  // Longer than the terminal waits before it tells of a change.
  platform.setFaults({ answerLatencyMs: 300 });

  const refused = await handlers['session:signIn']({ email, password });
  expect(refused.ok && refused.value.steps.find(({ outcome }) => outcome === 'failed')?.step).toBe('company');
  expect([...phases]).toEqual(['signIn']);

  expect(await handlers['profile:leave']({})).toMatchObject({ ok: true });
  expect(await connect(platform.companyId)).toMatchObject({ ok: true, value: { passed: true } });
  expect(await handlers['session:signIn']({ email, password })).toMatchObject({ ok: true, value: { passed: true } });
  expect(await handlers['terminal:read']({})).toMatchObject({ ok: true, value: { phase: 'ready' } });
});

test('a sign-in whose token the platform then refuses is told as that, and leaves nothing in the keychain', async () => {
  const { terminal, machine, ana } = await openTill();
  let tokens = 0;
  machine.between = (url, next) => {
    tokens += url.includes('/oauth/token') ? 1 : 0;
    const isRefused = url.includes('/stocks/') || tokens > 1;
    const body = '{"error":"invalid_grant"}';
    return isRefused ? Promise.resolve(succeed({ status: tokens > 1 ? 400 : 401, headers: {}, body })) : next();
  };
  const answer = await signIn(terminal, ana);
  expect(answer.ok && answer.value.steps.find(({ outcome }) => outcome === 'failed')?.step).toBe('user');
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', session: { state: 'signedOut', email: null } });
  expect([...machine.secrets.keys()].filter((name) => name.startsWith('refresh-token'))).toEqual([]);
});

test('whoever signs in after another whose sign-in has ended is named by the list of actions', async () => {
  const { terminal, handlers, ana, bea, platform } = await openTill();
  await signIn(terminal, ana);
  await copied(terminal);
  platform.expireAccessTokens();
  platform.revokeRefreshTokens();
  await handlers['coupon:refresh']({});
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { state: 'ended', email: ana.email } });
  await signIn(terminal, bea);
  const { rows } = valueOf(await handlers['audit:list']({ group: 'all', offset: 0, limit: 50 }));
  expect(rows.slice(0, 2).map(({ email, action }) => [email, action.kind])).toEqual([
    [bea.email, 'signIn'],
    [ana.email, 'signIn'],
  ]);
});

/** A till at which nobody has a PIN, and where Ana waits for her stocks, which are answered when `answer` is called. */
async function openWaiting() {
  const till = await openTill();
  const { machine, terminal, ana } = till;
  const held = Promise.withResolvers<undefined>();
  let isAsked = false;
  machine.between = async (url, next) => {
    isAsked ||= url.includes('/stocks/');
    await (url.includes('/stocks/') ? held.promise : undefined);
    return next();
  };
  const trying = signIn(terminal, ana);
  await expect.poll(() => isAsked).toBe(true);
  return { ...till, trying, answer: () => held.resolve(undefined) };
}

const keptTokens = ({ secrets }: { readonly secrets: ReadonlyMap<string, string> }) =>
  [...secrets.keys()].filter((name) => name.startsWith('refresh-token'));

test('an attempt that another one overtakes is over, also where that one fails', async () => {
  const { terminal, machine, bea, trying, answer } = await openWaiting();
  const wrong = { ...bea, password: 'a wrong one' };
  expect((await Promise.all([signIn(terminal, wrong), signIn(terminal, wrong)])).map(({ ok }) => ok)).toEqual([
    false,
    false,
  ]);
  answer();
  expect(await trying).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', session: { state: 'signedOut', email: null } });
  expect(keptTokens(machine)).toEqual([]);
});

test('whoever leaves the sign-in while the stocks are asked ends it', async () => {
  const { terminal, handlers, machine, trying, answer } = await openWaiting();
  expect(await handlers['profile:leave']({})).toEqual({ ok: true, value: {} });
  answer();
  expect(await trying).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'firstRun' });
  expect(keptTokens(machine)).toEqual([]);
});

test.each(['a PIN', 'practice'])(
  '%s waits for no connection that is tried, and a late answer opens nothing',
  async (way) => {
    const { handlers, terminal, machine, ana } = await openTillWithPins();
    const other = await openPlatformForTest();
    const answers = Promise.withResolvers<undefined>();
    machine.between = async (url, next) => {
      await (url.startsWith(other.platformUrl) ? answers.promise : undefined);
      return next();
    };
    const connecting = handlers['profile:connect'](connectionOf(other));
    const came =
      way === 'practice'
        ? handlers['practice:start']({})
        : handlers['cashier:comeBack']({ email: ana.email, pin: anasPin });
    expect(await came).toMatchObject({ ok: true });
    expect(await stateOf(terminal)).toMatchObject({ phase: 'ready' });
    answers.resolve(undefined);
    expect(await connecting).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    const { profiles, phase } = await stateOf(terminal);
    expect([profiles.length, phase]).toEqual([1, 'ready']);
    expect([...machine.secrets.keys()].filter((name) => name.includes(new URL(other.platformUrl).port))).toEqual([]);
  },
);

test('whoever does what needs the keychain is asked for the keychain’s password, whatever was said before', async () => {
  let asked = 0;
  const vault = { ...makeVault(true), askAnew: () => (asked += 1) };
  const { terminal, close } = await openPracticeTerminal({ vault });
  onTestFinished(close);
  const connection = {
    platformUrl: 'not an address',
    clientId: 'made-up',
    companyId: '1' as Id,
    stockIds: ['1' as Id],
  };
  const calls = [
    () => terminal.handlers['session:signIn']({ email: 'ana@example.com', password: 'made-up' }),
    () => terminal.handlers['session:keep']({}),
    () => terminal.handlers['cashier:comeBack']({ email: 'ana@example.com', pin: '1357' }),
    () => terminal.handlers['cashier:scanBadge']({ code: 'made-up' }),
    () => terminal.handlers['cashier:makeBadge']({ pin: '1357' }),
    () => terminal.handlers['profile:switch']({ profileId: 1 }),
    () => terminal.handlers['profile:connect'](connection),
    () => terminal.handlers['cashier:forget']({ email: 'ana@example.com' }),
    () => terminal.handlers['profile:remove']({ profileId: 1 }),
    () => terminal.handlers['support:diagnose']({}),
    () => terminal.handlers['session:signOut']({}),
  ];
  for (const [before, call] of calls.entries()) {
    expect(asked).toBe(before);
    await call();
  }
  await terminal.handlers['terminal:read']({});
  expect(asked).toBe(calls.length);
});
