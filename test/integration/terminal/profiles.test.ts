// Proves over real HTTP and real files what becomes of sign-ins, updates and copies when a terminal has several profiles: a settings document
// from before opens as it was, a switch keeps all of it, and a profile's removal takes its copy and its secrets with it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { Profile } from '../../../app/contract/profiles.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createNodeClock, createNodeRandom } from '../../../app/hosts/node-ports.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import type { Provision } from '../../../app/profile-handlers.ts';
import { openTerminal, type Terminal } from '../../../app/terminal.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../../app/training/server.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';

/** One machine with its disk and its keychain, on which the terminal can be opened again. */
function openMachine(document: unknown = null, hasKeychain = true) {
  const folder = makeTemporaryDirectory();
  onTestFinished(() => folder.remove());
  const secrets = new Map<string, string>();
  let settings = document;
  const machine = {
    secrets,
    /** Whether its keychain removes what it is told to. */
    removes: true,
    settings: () => settings as Record<string, unknown>,
    has: (file: string) => existsSync(join(folder.path, 'store', file)),
    start: async (provision?: Provision): Promise<Terminal> => {
      const terminal = await openTerminal(
        {
          clock: createNodeClock(),
          random: createNodeRandom(),
          http: createAxiosHttp({ userAgent: 'Tillside/test' }),
          vault: {
            read: (name) => Promise.resolve(succeed(secrets.get(name) ?? null)),
            write: (name, secret) => Promise.resolve(hasKeychain ? (secrets.set(name, secret), succeed(undefined)) : fail({ kind: 'vaultUnavailable' as const })),
            remove: (name) => Promise.resolve(machine.removes ? (secrets.delete(name), succeed(undefined)) : fail({ kind: 'vaultUnavailable' as const })),
          },
          settingsFile: { read: () => settings, write: (next) => ((settings = JSON.parse(JSON.stringify(next))), succeed(undefined)) },
          shell: { host: 'browser', version: '0.0.0', dataDirectory: folder.path, systemLanguage: 'en', offsetMinutes: () => 0, log: () => undefined, startPractice: () => Promise.reject(new Error('no practice here')) },
        },
        provision === undefined ? {} : { provision },
      );
      onTestFinished(() => terminal.close());
      return terminal;
    },
  };
  return machine;
}

async function startPlatform(): Promise<TrainingPlatform> {
  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 50, requestsPerMinute: 100_000 });
  onTestFinished(() => platform.close());
  return platform;
}

async function stateOf(terminal: Terminal): Promise<TerminalState> {
  const read = await terminal.handlers['terminal:read']({});
  if (!read.ok) {
    expect.fail(read.failure.kind);
  }
  return read.value;
}

const profileOf = ({ platformUrl, clientId, companyId, stockIds }: TrainingPlatform): Profile => ({ platformUrl, clientId, companyId, stockIds: [...stockIds] });

async function copied(terminal: Terminal): Promise<void> {
  await expect.poll(async () => (await stateOf(terminal)).catalogue.phase, { timeout: 15_000 }).toBe('complete');
}

test('a settings document from before there were several profiles opens with its one, still signed in, with the same copy and the same keychain entries', async () => {
  const platform = await startPlatform();
  const machine = openMachine({ version: 1, language: 'en', theme: 'dark', mode: null });
  const first = await machine.start();
  expect(await first.handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret })).toMatchObject({ ok: true, value: { passed: true } });
  expect(await first.handlers['session:signIn']({ email: platform.email, password: platform.password })).toMatchObject({ ok: true, value: { passed: true } });
  await copied(first);
  await first.close();
  expect([...machine.secrets.keys()].toSorted()).toEqual([`client-secret ${platform.platformUrl}`, `refresh-token ${platform.platformUrl}`]);

  // As version 1 wrote it.
  const { profiles: _profiles, profileId: _id, signIns: _signIns, ...rest } = machine.settings();
  const before = openMachine({ ...rest, version: 1, profile: profileOf(platform), isSecretInVault: true, session: { email: platform.email } });
  machine.secrets.forEach((secret, name) => before.secrets.set(name, secret));
  const second = await before.start();
  expect(await stateOf(second)).toMatchObject({
    phase: 'ready', mode: 'platform', theme: 'dark', profile: profileOf(platform), profileId: 1, isSecretNeeded: false,
    session: { state: 'signedIn', email: platform.email, keptIn: 'keychain' },
    profiles: [{ profileId: 1, name: null, email: platform.email }],
  });
  await copied(second);
  expect(before.has('catalogue.db')).toBe(true);
});

test('a switch between two platforms keeps sign-ins, copies and updates, and sends nothing under another profile', async () => {
  const [one, other] = [await startPlatform(), await startPlatform()];
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers } = terminal;
  const setUp = async (platform: TrainingPlatform, name: string): Promise<void> => {
    expect(await handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret, name })).toMatchObject({ ok: true, value: { passed: true } });
    expect(await handlers['session:signIn']({ email: platform.email, password: platform.password })).toMatchObject({ ok: true, value: { passed: true } });
    await copied(terminal);
  };
  await setUp(one, 'Front');
  const productId = String(one.products.idAt(3)) as Id;
  one.setNetworkDown(true);
  expect(await handlers['coupon:switch']({ productId, isEnabled: true })).toMatchObject({ ok: true });
  expect(await handlers['profile:leave']({})).toMatchObject({ ok: false, failure: { kind: 'inputInvalid' } });
  expect(await handlers['profile:leave']({ staysSignedIn: true })).toMatchObject({ ok: true });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'firstRun', profiles: [{ name: 'Front', email: one.email }] });
  await setUp(other, 'Back');
  expect(await stateOf(terminal)).toMatchObject({
    profileId: 2, queue: { pending: 0, ofOthers: { count: 1 } },
    profiles: [{ profileId: 1, name: 'Front', waiting: 1 }, { profileId: 2, name: 'Back', waiting: null }],
  });

  const phases = new Set<string>();
  terminal.subscribe((name, payload) => name === 'terminal:changed' && 'phase' in payload && phases.add(payload.phase));
  one.setNetworkDown(false);
  expect(await handlers['profile:switch']({ profileId: 1 })).toEqual({ ok: true, value: {} });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', profileId: 1, session: { state: 'signedIn', email: one.email } });
  expect((await stateOf(terminal)).catalogue.copied).toBeGreaterThan(0);
  await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 15_000 }).toBe(1);
  expect(other.arrivals().filter(({ method }) => method === 'PUT')).toEqual([]);
  expect(one.arrivals().filter(({ method }) => method === 'PUT')).toHaveLength(1);
  expect([...phases]).toEqual(['ready']);
  expect(machine.has('catalogue.db') && machine.has('catalogue-2.db')).toBe(true);

  await terminal.close();
  const again = await machine.start();
  expect(await stateOf(again)).toMatchObject({ phase: 'ready', profileId: 1, session: { state: 'signedIn' } });
  expect(await again.handlers['profile:switch']({ profileId: 2 })).toEqual({ ok: true, value: {} });
  expect(await stateOf(again)).toMatchObject({ phase: 'ready', session: { state: 'signedIn', email: other.email } });
  expect(await again.handlers['profile:switch']({ profileId: 3 })).toMatchObject({ ok: false, failure: { kind: 'notFoundHere' } });
});

test('another company of the same platform goes on with the sign-in where it is open to them, and asks for one where it is not', async () => {
  const platform = await startPlatform();
  const machine = openMachine();
  const { handlers, ...terminal } = await machine.start();
  const connect = (more: Partial<Profile>) => handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret, ...more });
  await connect({});
  await handlers['session:signIn']({ email: platform.email, password: platform.password });
  const secretsBefore = [...machine.secrets.keys()].toSorted();
  const [stockId] = platform.stockIds as [Id];
  expect(await connect({ stockIds: [stockId] })).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf({ handlers, ...terminal })).toMatchObject({ phase: 'ready', profileId: 2, session: { state: 'signedIn', email: platform.email } });
  expect(await connect({ companyId: platform.forbiddenCompanyId })).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf({ handlers, ...terminal })).toMatchObject({ phase: 'signIn', profileId: 3, session: { state: 'signedOut' } });
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  expect(await stateOf({ handlers, ...terminal })).toMatchObject({ phase: 'ready', session: { state: 'signedIn', email: platform.email } });
  expect([...machine.secrets.keys()].toSorted()).toEqual(secretsBefore);
});

test('a removed profile takes its copy and its secrets along, the open one cannot be removed, and a failed trial leaves nothing behind', async () => {
  const [one, other] = [await startPlatform(), await startPlatform()];
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers } = terminal;
  await handlers['profile:connect']({ ...profileOf(one), clientSecret: one.clientSecret });
  await handlers['session:signIn']({ email: one.email, password: one.password });
  await handlers['profile:leave']({ staysSignedIn: true });
  expect(await handlers['profile:connect']({ ...profileOf(other), platformUrl: 'http://127.0.0.1:9', clientSecret: 'made-up' })).toMatchObject({ ok: true, value: { passed: false } });
  expect(machine.has('catalogue-2.db')).toBe(false);
  await handlers['profile:connect']({ ...profileOf(other), clientSecret: other.clientSecret });
  await handlers['session:signIn']({ email: other.email, password: other.password });
  expect(machine.secrets.size).toBe(4);

  expect(await handlers['profile:remove']({ profileId: 2 })).toMatchObject({ ok: false, failure: { kind: 'inputInvalid' } });
  expect(await handlers['profile:rename']({ profileId: 2, name: 'Depot' })).toMatchObject({ ok: true });
  expect(await handlers['profile:remove']({ profileId: 1 })).toEqual({ ok: true, value: {} });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', profileId: 2, profiles: [{ profileId: 2, name: 'Depot' }] });
  expect(machine.has('catalogue.db')).toBe(false);
  expect([...machine.secrets.keys()].every((name) => name.endsWith(other.platformUrl))).toBe(true);
});

test('a provisioning file takes up the profile of its company, changed stocks and all, and adds another company\'s', async () => {
  const platform = await startPlatform();
  const machine = openMachine();
  const provision = { profile: profileOf(platform), clientSecret: platform.clientSecret };
  const first = await machine.start(provision);
  await first.handlers['session:signIn']({ email: platform.email, password: platform.password });
  await first.close();
  const [stockId] = platform.stockIds as [Id];
  const second = await machine.start({ ...provision, profile: { ...provision.profile, stockIds: [stockId] } });
  expect(await stateOf(second)).toMatchObject({ phase: 'ready', profileId: 1, profile: { stockIds: [stockId] }, profiles: [{ profileId: 1 }], session: { state: 'signedIn' } });
  await second.close();
  const third = await machine.start({ ...provision, profile: { ...provision.profile, companyId: platform.forbiddenCompanyId } });
  expect((await stateOf(third)).profiles.map(({ profileId, companyId }) => [profileId, companyId])).toEqual([[1, platform.companyId], [2, platform.forbiddenCompanyId]]);
});

test('nobody who leaves a profile waits until its allowance is free', async () => {
  const platform = await startPlatform();
  const machine = openMachine();
  const first = await machine.start({ profile: profileOf(platform), clientSecret: platform.clientSecret });
  expect(await first.handlers['session:signIn']({ email: platform.email, password: platform.password })).toMatchObject({ ok: true });
  await copied(first);
  // What was sent so far is more than this allows for ten minutes.
  expect(await first.handlers['settings:update']({ allowanceLimits: { limit: 2, windowSeconds: 600, reserve: 1 } })).toMatchObject({ ok: true });
  await first.close();

  const second = await machine.start();
  const { handlers } = second;
  // To send this the token must be renewed first, and the queue waits for that as that waits for a slot.
  expect(await handlers['coupon:switch']({ productId: String(platform.products.idAt(0)) as Id, isEnabled: true })).toMatchObject({ ok: true });
  await expect.poll(async () => (await stateOf(second)).queue.pending).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const startedAt = performance.now();
  expect(await handlers['profile:leave']({ staysSignedIn: true })).toMatchObject({ ok: true });
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect((await stateOf(second)).phase).toBe('firstRun');
}, 20_000);

test('without a keychain a switch keeps the sign-ins until the app is closed, and no longer than their users want', async () => {
  const [one, other] = [await startPlatform(), await startPlatform()];
  const machine = openMachine(null, false);
  const terminal = await machine.start();
  const { handlers } = terminal;
  for (const platform of [one, other]) {
    await handlers['profile:leave']({ staysSignedIn: true });
    expect(await handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret })).toMatchObject({ ok: true, value: { passed: true } });
    expect(await handlers['session:signIn']({ email: platform.email, password: platform.password })).toMatchObject({ ok: true, value: { passed: true } });
  }
  expect((await stateOf(terminal)).profiles.map(({ email }) => email)).toEqual([one.email, other.email]);
  expect(JSON.stringify(machine.settings())).not.toContain(one.email);
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', isSecretNeeded: false, session: { state: 'signedIn', email: one.email, keptIn: 'memory' } });
  expect(await handlers['coupon:refresh']({})).toMatchObject({ ok: true });

  await handlers['session:signOut']({});
  await handlers['profile:switch']({ profileId: 2 });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { state: 'signedIn', email: other.email }, profiles: [{ email: null }, { email: other.email }] });
  await handlers['profile:switch']({ profileId: 1 });
  expect((await stateOf(terminal)).phase).toBe('signIn');
  await handlers['profile:switch']({ profileId: 2 });
  await terminal.close();
  expect(await stateOf(await machine.start())).toMatchObject({ phase: 'signIn', profileId: 2, isSecretNeeded: true });
});

test('a mistyped client secret locks no other profile of its client out', async () => {
  const platform = await startPlatform();
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers } = terminal;
  const [stockId] = platform.stockIds as [Id];
  const connectSecond = (clientSecret: string) => handlers['profile:connect']({ ...profileOf(platform), stockIds: [stockId], clientSecret });
  await handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret });
  await handlers['session:signIn']({ email: platform.email, password: platform.password });
  const kept = () => machine.secrets.get(`client-secret ${platform.platformUrl}`);

  // Its renewal goes on with the one that was right.
  expect(await connectSecond('mistyped')).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', profileId: 2, isSecretNeeded: false, session: { state: 'signedIn' } });
  expect(kept()).toBe(platform.clientSecret);

  // With nobody signed in it is tried by the sign-in, which fails; then the one before is back, and the form may bring another.
  await handlers['session:signOut']({});
  await connectSecond('mistyped');
  const refused = await handlers['session:signIn']({ email: platform.email, password: platform.password });
  expect(refused).toMatchObject({ ok: false, failure: { kind: 'credentialsRejected' } });
  expect(await stateOf(terminal)).toMatchObject({ isSecretNeeded: true });
  expect(kept()).toBe(platform.clientSecret);
  expect(await handlers['session:signIn']({ email: platform.email, password: platform.password })).toMatchObject({ ok: true, value: { passed: true } });
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', isSecretNeeded: false, session: { state: 'signedIn' } });
});

test('the sign-in form asks for a client secret that the platform refuses, and one that proves right takes its place', async () => {
  const platform = await startPlatform();
  const machine = openMachine();
  const terminal = await machine.start();
  const signIn = (clientSecret?: string, password = platform.password) => terminal.handlers['session:signIn']({ email: platform.email, password, ...(clientSecret === undefined ? {} : { clientSecret }) });
  await terminal.handlers['profile:connect']({ ...profileOf(platform), clientSecret: 'mistyped' });
  expect((await stateOf(terminal)).isSecretNeeded).toBe(false);
  expect(await signIn()).toMatchObject({ ok: false, failure: { kind: 'credentialsRejected' } });
  expect((await stateOf(terminal)).isSecretNeeded).toBe(true);
  expect(await signIn('mistyped too')).toMatchObject({ ok: false, failure: { kind: 'credentialsRejected' } });
  expect(await signIn(platform.clientSecret)).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', isSecretNeeded: false });
  expect(machine.secrets.get(`client-secret ${platform.platformUrl}`)).toBe(platform.clientSecret);
  // From then on a mistyped password is no reason to ask for it.
  await terminal.handlers['session:signOut']({});
  expect(await signIn(undefined, 'mistyped')).toMatchObject({ ok: false, failure: { kind: 'credentialsRejected' } });
  expect((await stateOf(terminal)).isSecretNeeded).toBe(false);
});

test('without a keychain a removed profile takes its sign-in along: whoever connects it again signs in', async () => {
  const platform = await startPlatform();
  const terminal = await openMachine(null, false).start();
  const { handlers } = terminal;
  await handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret });
  await handlers['session:signIn']({ email: platform.email, password: platform.password });
  await handlers['profile:leave']({ staysSignedIn: true });
  expect(await handlers['profile:remove']({ profileId: 1 })).toEqual({ ok: true, value: {} });
  expect(await handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret })).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', session: { state: 'signedOut', email: null }, profiles: [{ email: null }] });
});

test('a token that the keychain did not remove at the sign-out is said, and removed at the next start', async () => {
  const platform = await startPlatform();
  const machine = openMachine();
  const first = await machine.start();
  await first.handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret });
  await first.handlers['session:signIn']({ email: platform.email, password: platform.password });
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

  // What is kept by a later sign-in stays.
  machine.removes = false;
  await third.handlers['session:signIn']({ email: platform.email, password: platform.password });
  await third.handlers['session:signOut']({});
  await third.handlers['session:signIn']({ email: platform.email, password: platform.password });
  await third.close();
  machine.removes = true;
  expect(await stateOf(await machine.start())).toMatchObject({ phase: 'ready', session: { state: 'signedIn' } });
});
