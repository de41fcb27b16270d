// The proof of what a support technician is told: this terminal's circumstances read on this machine alone, and a
// bundle that helps without holding a secret or a person's name.
import { homedir, tmpdir } from 'node:os';
import { basename } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { maxBundleLength } from '../../../app/contract/support.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { readAccount, readMachine } from '../../../app/hosts/node/machine.ts';
import { createNodeClock, createNodeRandom } from '../../../app/hosts/node/node-ports.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import { createProfiles } from '../../../app/settings/profiles.ts';
import { noVault } from '../../../app/session/vaults.ts';
import { openSettings } from '../../../app/settings/settings.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createSupportHandlers } from '../../../app/terminal/support/support.ts';
import type { Workspace } from '../../../app/terminal/workspace/workspace.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';
import { openTillAtWork } from '../../support/cashier-till.ts';
import { copied, openConnected, signIn, stateOf } from '../../support/machine.ts';
import { makeSettingsFile, makeShell } from '../../support/ports.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { valueOf } from '../../support/value-of.ts';

const opened: PracticeTerminal[] = [];
afterEach(() => Promise.all(opened.splice(0).map((till) => till.close())));

async function openTill(options: Parameters<typeof openPracticeTerminal>[0] = {}): Promise<PracticeTerminal> {
  const till = await openPracticeTerminal(options);
  opened.push(till);
  return till;
}

test('tells versions, clock and keychain, and asks the platform nothing', async () => {
  let requests = 0;
  const till = await openTill({ wrapHttp: (http) => ({ send: (request) => ((requests += 1), http.send(request)) }) });
  await expect.poll(async () => (await till.terminal.handlers['terminal:read']({})).ok && requests).toBeGreaterThan(1);
  const before = requests;
  const report = await till.terminal.handlers['support:diagnose']({});
  expect(report).toMatchObject(
    succeed({
      versions: [{ name: 'Tillside', version: '0.0.0' }],
      keychain: { state: 'notUsed' },
      isSafeMode: false,
      log: [],
    }),
  );
  const aheadMs = report.ok ? (report.value.clock?.aheadMs ?? Number.NaN) : Number.NaN;
  // A Date header has whole seconds.
  expect(Math.abs(aheadMs)).toBeLessThan(5000);
  const state = await till.terminal.handlers['terminal:read']({});
  expect(state.ok && state.value.clockAheadMs).toBeNull();
  expect(requests - before).toBeLessThan(3);
});

test.each([3_600_000, -3_600_000, 10_800_000])(
  "tells that this machine's clock is %d ms ahead of the platform's",
  async (offMs) => {
    const clock = createNodeClock();
    const till = await openTill({ clock: { ...clock, now: () => clock.now() + offMs } });
    const aheadMs = async (): Promise<number> => {
      const report = await till.terminal.handlers['support:diagnose']({});
      return report.ok ? (report.value.clock?.aheadMs ?? Number.NaN) : Number.NaN;
    };
    // A Date header has whole seconds, and an answer takes its time.
    await expect.poll(async () => Math.abs((await aheadMs()) - offMs)).toBeLessThan(5000);
    // Every screen is told it to the nearest hour.
    const state = await till.terminal.handlers['terminal:read']({});
    expect(state.ok && state.value.clockAheadMs).toBe(offMs);
  },
);

test('the bundle holds the state, updates, attempts and log, and no secret, password or name', async () => {
  const till = await openTill({
    shell: {
      readLog: () => [
        `{"at":"2026-01-01","message":"token: canary-of-the-log, by ${till.platform.email}","details":{"email":"name.without.domain","key":"kept"}}`,
      ],
    },
  });
  expect(await till.terminal.handlers['coupon:switch']({ productId: '1' as Id, isEnabled: true })).toMatchObject({
    ok: true,
  });
  const { name, text } = valueOf(await till.terminal.handlers['support:readBundle']({}));
  expect(name).toMatch(/^tillside-support-\d{4}-\d{2}-\d{2}-\d{2}-\d{2}\.json$/);
  expect(JSON.parse(text)).toMatchObject({
    diagnostics: { isSafeMode: false },
    state: { mode: 'practice', phase: 'ready' },
    updates: [{ subject_id: '1' }],
  });
  for (const secret of [
    till.platform.clientSecret,
    till.platform.password,
    'canary-of-the-log',
    till.platform.email,
    'name.without.domain',
  ]) {
    expect(text).not.toContain(secret);
  }
  // The control: what was hidden was there to be found.
  expect(text).toContain('token: [redacted]');
  expect(text).toContain('kept');
  expect(text).toContain(`…@${till.platform.email.split('@')[1] ?? ''}`);
});

test('the bundle does not name who signs in by another name than an e-mail, though the platform names them', async () => {
  const { platform, machine, terminal, handlers } = await openConnected();
  let granted: ReturnType<Parameters<typeof machine.between>[1]> | null = null;
  machine.between = async (url, next) => {
    if (url.includes('token')) {
      granted ??= next();
      return granted;
    }
    const answer = await next();
    return answer.ok && url.endsWith('/consumption-coupons')
      ? succeed({
          ...answer.value,
          status: 422,
          body: '{"code":"unprocessable_entity","message":"maria.silva (MARIA.SILVA) may not change coupons"}',
        })
      : answer;
  };
  await signIn(terminal, platform);
  await handlers['session:signOut']({});
  await signIn(terminal, { ...platform, email: 'maria.silva' });
  await expect.poll(async () => (await stateOf(terminal)).catalogue.phase).toBe('complete');
  valueOf(await handlers['coupon:switch']({ productId: '1' as Id, isEnabled: true }));
  await expect.poll(async () => (await stateOf(terminal)).queue.parked).toBe(1);
  const { text } = valueOf(await handlers['support:readBundle']({}));
  expect(text).toContain('may not change coupons');
  expect(text.toLowerCase()).not.toContain('maria');
});

test('the bundle holds nothing of the queue and the listing for whoever stands at a locked till', async () => {
  const { handlers, machine, terminal, platform } = await openTillAtWork();
  await copied(terminal);
  machine.isNetworkDown = true;
  valueOf(await handlers['coupon:switch']({ productId: String(platform.products.at(3).id) as Id, isEnabled: true }));
  const { name } = platform.products.at(3);
  const read = async () => valueOf(await handlers['support:readBundle']({})).text;
  expect(await read()).toContain(name);
  await handlers['cashier:lock']({});
  expect(await handlers['queue:export']({ after: 0 })).toMatchObject({ failure: { kind: 'signInNeeded' } });
  const text = await read();
  expect(text).not.toContain(name);
  expect(JSON.parse(text)).toMatchObject({
    updates: null,
    unreadable: null,
    rateLimit: null,
    state: { phase: 'signIn' },
  });
});

test('the bundle says nowhere whose account this runs under, though the screen shows where the data lies', async () => {
  const home = tmpdir();
  const till = await openTill({
    shell: {
      account: { home, names: ['joana.prado'] },
      machine: () => readMachine(`${home}/gone`),
      readLog: () => [`Error: EACCES ${home}/log`, 'the folder of joana.prado'],
    },
  });
  expect(await till.terminal.handlers['support:diagnose']({})).toMatchObject(
    succeed({ machine: { dataDirectory: till.directory } }),
  );
  const bundle = await till.terminal.handlers['support:readBundle']({});
  const text = bundle.ok ? bundle.value.text : '';
  expect(JSON.parse(text)).toMatchObject({
    diagnostics: { machine: { dataDirectory: till.directory.replace(home, '~') } },
    log: ['Error: EACCES ~/log', 'the folder of [user]'],
  });
  expect(text).not.toContain(home);
});

test('the process knows whose account it runs under', () => {
  const { home, names } = readAccount();
  expect(home).toBe(homedir());
  expect(names).toContain(basename(home));
});

test('the bundle is no longer than the bridge lets through: of a longer log it has the newest lines', async () => {
  // As a stack with Windows paths in JSON within JSON: each character of it takes two in a text, or seven.
  const lines = Array.from(
    { length: 3000 },
    (_unused, place) => `${String(place)} ${String.raw`\"`.repeat(750)}${'\u0001'.repeat(50)}`,
  );
  const till = await openTill({ shell: { readLog: () => lines } });
  const bundle = await dispatch(till.terminal.handlers, 'support:readBundle', {}, () => undefined);
  const { text } = (bundle as { value: { text: string } }).value;
  expect(text.length).toBeGreaterThan(maxBundleLength * 0.99);
  const { log, state } = JSON.parse(text) as { log: string[]; state: unknown };
  expect(state).toMatchObject({ mode: 'practice' });
  expect(log).toEqual(lines.slice(-log.length));
  expect(await dispatch(till.terminal.handlers, 'support:diagnose', {}, () => undefined)).toMatchObject({ ok: true });
});

test('what can be read is told and handed over when the queue cannot be', async () => {
  const settings = openSettings(makeSettingsFile({ mode: 'platform' }));
  const shell = makeShell(temporaryDirectory(), { readLog: () => ['the last line'] });
  const fail = () => {
    throw new StorageError({ kind: 'storageFailed' }, true);
  };
  const workspace = {
    session: { state: () => ({ keptIn: null }) },
    platformClock: () => null,
    catalogue: { unreadable: () => [] },
    rateLimit: { read: fail },
    queueRepository: { history: { list: fail } },
  } as unknown as Workspace;
  const handlers = createSupportHandlers({
    ports: {
      clock: createNodeClock(),
      random: createNodeRandom(),
      http: { send: () => expect.fail() },
      vault: noVault,
      settingsFile: makeSettingsFile(),
      shell,
    },
    settings,
    profiles: createProfiles(settings),
    snapshot: fail,
    shops: { shop: { workspace: () => workspace }, accessFacts: () => ({ person: 'signedIn' }) },
  });
  expect(await handlers['support:diagnose']({})).toMatchObject({ ok: true, value: { log: ['the last line'] } });
  const bundle = await handlers['support:readBundle']({});
  expect(JSON.parse(bundle.ok ? bundle.value.text : '')).toMatchObject({
    state: { unreadable: 'storageFailed' },
    settings: { mode: 'platform' },
    unreadable: [],
    rateLimit: { unreadable: 'storageFailed' },
    updates: { unreadable: 'storageFailed' },
    log: ['the last line'],
  });
});

test('the machine tells itself, files by name and size alone', async () => {
  const directory = temporaryDirectory();
  const facts = await readMachine(directory);
  expect(facts.versions.map(({ name }) => name)).toContain('Node');
  expect(facts.memoryBytes).toBeGreaterThan(facts.freeMemoryBytes);
  expect(facts.freeDiskBytes).toBeGreaterThan(0);
  expect(facts.files).toEqual([]);
  expect((await readMachine(`${directory}/gone`)).freeDiskBytes).toBeNull();
});
