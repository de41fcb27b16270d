import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { Http, HttpRequest, PracticePlatform } from '../../../app/ports.ts';
import { onlyLoopback } from '../../../app/terminal/workspace/targets.ts';
import { openTerminal } from '../../../app/terminal/terminal.ts';
import { startTrainingPlatform } from '../../../app/training/server.ts';
import { createCheckedHttp, type CheckedHttp } from '../../support/checked-http.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { makeShell } from '../../support/ports.ts';
import { makePorts } from '../../support/real-ports.ts';
import { connect, stateOf } from '../../support/machine.ts';

const productId = '1000001' as Id;
const stockId = '1201' as Id;

let practice: PracticeTerminal | null = null;
afterEach(async () => {
  await practice?.close();
  practice = null;
});

async function openChecked() {
  let http: CheckedHttp | null = null;
  const vaultCalls: string[] = [];
  const refuse = (call: string) => {
    vaultCalls.push(call);
    return Promise.resolve(fail({ kind: 'vaultUnavailable' as const }));
  };
  practice = await openPracticeTerminal({
    wrapHttp: (inner) => (http = createCheckedHttp(inner)),
    vault: { read: () => refuse('read'), write: () => refuse('write'), remove: () => refuse('remove') },
  });
  return { practice, http: http as unknown as CheckedHttp, vaultCalls };
}

it('signs in anew by itself after every sign-in has ended, for its password is on no screen', async () => {
  const { practice: open } = await openChecked();
  const { terminal, platform } = open;
  platform.expireAccessTokens();
  platform.revokeRefreshTokens();
  await terminal.handlers['profile:test']({});
  expect(await stateOf(terminal)).toMatchObject({ session: { state: 'ended' } });
  expect(await terminal.handlers['practice:signIn']({})).toMatchObject({ ok: true });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    session: { state: 'signedIn', email: platform.email, failure: null },
  });
});

describe('the way out of the practice store', () => {
  const sent: string[] = [];
  const guarded = onlyLoopback({
    send: (request) => (sent.push(request.url), Promise.resolve(fail({ kind: 'unreachable' }))),
  });
  const send = (url: string) => guarded.send({ method: 'GET', url, headers: {}, timeoutMs: 1, maxBytes: 1 });

  it.each([
    'http://shop.example.com/',
    'https://127.0.0.1:4000/',
    'http://localhost:4000/',
    'http://127.0.0.1.example.com/',
    'http://127.0.0.1@shop.example.com/',
    'http://10.0.0.1/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/',
    'ftp://127.0.0.1/',
    'data:,x',
    'no address',
    '',
  ])('is closed to %s', async (url) => {
    expect(await send(url)).toMatchObject({ ok: false, failure: { kind: 'addressNotSecure' } });
    expect(sent).not.toContain(url);
  });

  it.each(['http://127.0.0.1:4000/x', 'http://127.9.9.9/', 'http://[::1]:4000/', 'http://127.1/'])(
    'is open to %s',
    async (url) => {
      expect(await send(url)).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
      expect(sent).toContain(url);
    },
  );

  it('stays closed when a practice platform names another machine', async () => {
    const requests: HttpRequest[] = [];
    const http: Http = { send: (request) => (requests.push(request), Promise.resolve(fail({ kind: 'unreachable' }))) };
    const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 10 });
    onTestFinished(() => platform.close());
    const elsewhere: PracticePlatform = { ...platform, platformUrl: 'https://shop.example.com' };
    const shell = makeShell(temporaryDirectory(), { startPractice: () => Promise.resolve(elsewhere) });
    const terminal = await openTerminal(makePorts({ http, shell }));
    onTestFinished(() => terminal.close());
    expect(await terminal.handlers['practice:start']({})).toMatchObject(fail({ kind: 'addressNotSecure' }));
    expect(requests).toEqual([]);
  });
});

test('all that is done in it goes to its own platform on loopback, by API v3, into its own folder', async () => {
  const {
    practice: { platform, terminal, updates, directory },
    http,
    vaultCalls,
  } = await openChecked();
  const { handlers } = terminal;
  await expect.poll(async () => (await stateOf(terminal)).catalogue.phase, { timeout: 15_000 }).toBe('complete');
  expect(await handlers['lookup:find']({ text: '000001', source: 'typed' })).toMatchObject(succeed({ kind: 'found' }));
  expect(await handlers['lookup:ask']({ text: '9520000000000' })).toMatchObject({ ok: true });
  expect(await handlers['product:refresh']({ stockId, productId })).toMatchObject({ ok: true });
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  expect(await handlers['coupon:switch']({ productId, isEnabled: false })).toMatchObject({ ok: true });
  expect(await handlers['user:restore']({ userId: '703' as Id })).toMatchObject({ ok: true });
  expect(await handlers['profile:test']({})).toMatchObject({ ok: true, value: { passed: true } });
  await expect
    .poll(async () => (await updates()).map((update) => update.status), { timeout: 15_000 })
    .toEqual(['delivered', 'delivered']);

  expect(new Set(http.requests.map((request) => new URL(request.url).origin))).toEqual(new Set([platform.platformUrl]));
  expect(new URL(platform.platformUrl).hostname).toBe('127.0.0.1');
  // The connection test knocks without a token on purpose: a 401 is what tells the platform from another machine.
  expect(http.wrongs.filter((wrong) => !wrong.endsWith('/consumption-coupons: authorization is missing'))).toEqual([]);
  for (const operation of [
    'obtainToken',
    'listStockProducts',
    'readStockProductBalance',
    'listConsumptionCoupons',
    'updateConsumptionCoupons',
    'restoreUser',
  ]) {
    expect(http.met).toContain(operation);
  }
  expect(vaultCalls).toEqual([]);
  // Beside its folder only the terminal's own list of who did what, which marks what was practice.
  expect(readdirSync(directory).filter((name) => !name.startsWith('audit.db'))).toEqual(['practice']);
  expect((await stateOf(terminal)).session.email).toMatch(/@example\.com$/);
});

describe('a practised outage', () => {
  it('is seen at once, keeps what is asked meanwhile, and ends at once', async () => {
    const {
      practice: { platform, terminal, updates },
    } = await openChecked();
    await expect.poll(async () => (await stateOf(terminal)).catalogue.phase, { timeout: 15_000 }).toBe('complete');
    expect((await stateOf(terminal)).practice).toEqual({ isNetworkDown: false, hasPanel: true });
    expect(await terminal.handlers['practice:setNetwork']({ isDown: true })).toEqual({ ok: true, value: {} });
    await expect.poll(async () => (await stateOf(terminal)).connection.state).toBe('offline');
    expect((await stateOf(terminal)).practice).toEqual({ isNetworkDown: true, hasPanel: true });
    await terminal.handlers['coupon:switch']({ productId, isEnabled: false });
    expect(await terminal.handlers['lookup:find']({ text: '000001', source: 'typed' })).toMatchObject(
      succeed({ kind: 'found' }),
    );
    expect((await updates()).map((update) => update.status)).toEqual(['pending']);
    expect(platform.effects()).toEqual([]);
    expect(await terminal.handlers['practice:setNetwork']({ isDown: false })).toEqual({ ok: true, value: {} });
    await expect.poll(async () => (await stateOf(terminal)).connection.state).toBe('online');
    await expect
      .poll(async () => (await updates()).map((update) => update.status), { timeout: 15_000 })
      .toEqual(['delivered']);
    expect(platform.effects()).toHaveLength(1);
  });

  it('comes with the way to the control panel', async () => {
    const {
      practice: { platform, terminal },
    } = await openChecked();
    expect(await terminal.handlers['practice:openPanel']({})).toEqual(succeed({ url: platform.controlUrl }));
  });

  it('does not exist in a real store, nor before one is open', async () => {
    const real = await startTrainingPlatform({ directory: null, port: 0, productCount: 10 });
    onTestFinished(() => real.close());
    const { http } = await openChecked();
    const shell = makeShell(temporaryDirectory(), {
      host: 'electron',
      openInBrowser: () => {
        throw new Error('nothing is opened');
      },
    });
    const terminal = await openTerminal(makePorts({ http, shell }));
    onTestFinished(() => terminal.close());
    const notReady = { ok: false, failure: { kind: 'notReady' } };
    expect(await terminal.handlers['practice:setNetwork']({ isDown: true })).toEqual(notReady);
    await connect(terminal, real);
    expect(await stateOf(terminal)).toMatchObject({ mode: 'platform', practice: null });
    expect(await terminal.handlers['practice:setNetwork']({ isDown: true })).toEqual(notReady);
    expect(await terminal.handlers['practice:openPanel']({})).toEqual(notReady);
    expect(real.isNetworkDown()).toBe(false);
  });
});
