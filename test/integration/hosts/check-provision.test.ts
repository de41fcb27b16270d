// The proof that a technician is told what a provisioning file would change before it does, and that a terminal that was
// set up by hand hands over a file that sets others up alike, without its secrets.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../app/contract/settings.ts';
import { defaultStation } from '../../../app/contract/station.ts';
import { createProfiles } from '../../../app/settings/profiles.ts';
import { openSettings } from '../../../app/settings/settings.ts';
import { createShopFileHandlers } from '../../../app/terminal/provisioning/shop-file.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { checkProvision } from '../../../app/hosts/provisioning/check.ts';
import { parseProvision } from '../../../app/hosts/provisioning/file.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { hubAddressText } from '../../support/hub-register.ts';
import { openMachine, profileOf, openPlatformForTest, stateOf } from '../../support/machine.ts';
import { makeSettingsFile } from '../../support/ports.ts';
import { readOnlyVault } from '../../support/read-only-vault.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const pin = '2580';

/** A file of today, as it is written for the platform. */
const todaysFile = (platform: TrainingPlatform) => ({
  ...profileOf(platform),
  clientSecret: platform.clientSecret,
  language: 'pt-BR',
  managerLock: { pin, kinds: ['settings'], opensForMinutes: 5 },
});

function read(content: object) {
  const parsed = parseProvision(JSON.stringify(content));
  return parsed.ok ? parsed.value : expect.fail(parsed.failure.join('\n'));
}

/** The flag's output for a file for this machine, in English. */
function createCheck(machine: ReturnType<typeof openMachine>, folder = temporaryDirectory()) {
  return async (content: object, device: object = {}) => {
    const path = join(folder, 'shop.json');
    writeFileSync(path, JSON.stringify(content));
    const settings = JSON.stringify({ document: machine.settings(), device });
    writeFileSync(join(folder, 'settings.json'), settings);
    const secrets = new Map(machine.secrets);
    const checked = await checkProvision({
      path,
      dataDirectory: folder,
      language: 'en',
      choicesOf: ({ startsAtSignIn: _startsAtSignIn, ...choices }) => choices,
      startsAtSignIn: false,
      vault: readOnlyVault(machine.secrets),
    });
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe(settings);
    expect(machine.secrets).toEqual(secrets);
    return { ...checked, lines: checked.lines.map((line) => line.replace(path, 'FILE')) };
  };
}

async function signIn(terminal: Terminal, { email, password }: TrainingPlatform): Promise<void> {
  expect(await terminal.handlers['session:signIn']({ email, password })).toMatchObject({ ok: true });
}

test('tells field by field what a file would change, without secrets, and nothing once it is used', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const folder = temporaryDirectory();
  const check = createCheck(machine, folder);
  const file = todaysFile(platform);
  expect(await check(file)).toEqual({
    exitCode: 1,
    lines: [
      'FILE would change at this terminal:',
      `  platformUrl: none → ${platform.platformUrl}`,
      `  clientId: none → ${platform.clientId}`,
      '  clientSecret: another one than is kept',
      `  companyId: none → ${platform.companyId}`,
      `  stockIds: none → ${JSON.stringify(platform.stockIds)}`,
      '  language: none → pt-BR',
      '  managerLock.pin: another one than is kept',
      '  managerLock.kinds: ["coupons","users","settings","discarding"] → ["settings"]',
      '  managerLock.opensForMinutes: 0 → 5',
    ],
  });
  const terminal = await machine.start(read(file));
  const unchanged = { exitCode: 0, lines: ['FILE would change nothing at this terminal.'] };
  expect(await check(file)).toEqual(unchanged);

  const more = {
    ...file,
    clientSecret: 'another made-up one',
    otherProfiles: [
      { ...profileOf(platform), companyId: 7, clientId: 'ti\u001b[2Jll', clientSecret: 'made-up', name: 'Filial' },
    ],
    settings: { quietHours: { from: 21, to: 5 }, theme: 'system' },
    startsAtSignIn: true,
    statusFile: join(temporaryDirectory(), 'watched'),
    kiosk: true,
    hub: { address: hubAddressText, name: 'Caixa 1' },
    managerLock: { pin: '1357', kinds: ['settings'] },
  };
  const checked = await check(more, { isKiosk: true });
  expect(checked).toEqual({
    exitCode: 1,
    lines: [
      'FILE would change at this terminal:',
      '  clientSecret: another one than is kept',
      `  otherProfiles.0.platformUrl: none → ${platform.platformUrl}`,
      '  otherProfiles.0.clientId: none → ti�[2Jll',
      '  otherProfiles.0.clientSecret: another one than is kept',
      '  otherProfiles.0.companyId: none → 7',
      `  otherProfiles.0.stockIds: none → ${JSON.stringify(platform.stockIds)}`,
      '  otherProfiles.0.name: none → Filial',
      '  settings.quietHours: {"from":22,"to":6} → {"from":21,"to":5}',
      '  hub: another one than is kept',
      '  managerLock.pin: another one than is kept',
      `  statusFile: none → ${more.statusFile}`,
      '  startsAtSignIn: false → true',
    ],
  });
  const inside = await check({ ...file, statusFile: join(folder, 'settings') });
  expect(inside).toMatchObject({ exitCode: 2, lines: [expect.stringMatching(/^The status file may not lie in/)] });
  for (const secret of ['made-up', '1357', platform.clientSecret, hubAddressText]) {
    expect(checked.lines.join('\n')).not.toContain(secret);
  }
  // The terminal that runs has noticed nothing.
  expect((await stateOf(terminal)).profiles).toHaveLength(1);
});

test('a check station that stays off for want of a PIN is no change, however often the file is used', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const check = createCheck(machine);
  const { managerLock, ...file } = {
    ...todaysFile(platform),
    settings: { station: { ...defaultStation, isOn: true } },
  };
  for (const _start of [1, 2]) {
    await (await machine.start(read(file))).close();
  }
  expect(await check(file)).toEqual({ exitCode: 0, lines: ['FILE would change nothing at this terminal.'] });
  const terminal = await machine.start();
  await signIn(terminal, platform);
  const listed = await terminal.handlers['audit:list']({ group: 'all', offset: 0, limit: 10 });
  const kinds = listed.ok ? listed.value.rows.map(({ action }) => action.kind) : [];
  expect(kinds.filter((kind) => kind === 'provisioned')).toHaveLength(1);

  const withPin = await check({ ...file, managerLock });
  expect(withPin).toMatchObject({ exitCode: 1 });
  expect(withPin.lines.join()).toContain('settings.station');
});

test('a file that cannot be used is refused with what is wrong with it', async () => {
  const check = createCheck(openMachine());
  expect(await check({ platformUrl: 'platform' })).toEqual({
    exitCode: 2,
    lines: [
      'FILE cannot be used:\n  platformUrl: must be an address such as https://platform.example.com\n  clientId: is missing\n  clientSecret: is missing\n  companyId: is missing\n  stockIds: is missing',
    ],
  });
});

test('whoever names a file moves no cursor, hides nothing and adds no line to what is said of it', async () => {
  const platform = await openPlatformForTest();
  const folder = temporaryDirectory();
  const named = `shop.json would change nothing${process.platform === 'win32' ? '\u009B8m\u202E' : '\n\u001B[8m\u009B8m\u202E'}`;
  writeFileSync(join(folder, named), JSON.stringify(todaysFile(platform)));
  for (const path of [join(folder, named), join(folder, `no ${named}`), `https://shop.example/${named}`]) {
    const { lines } = await checkProvision({
      path,
      dataDirectory: temporaryDirectory(),
      language: 'en',
      choicesOf: () => ({}),
      startsAtSignIn: null,
      vault: readOnlyVault(),
    });
    const said = lines.join('\n');
    expect(said.replaceAll(/[\n\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '')).toBe('');
    expect(said.split('\n')).toHaveLength(path.startsWith(join(folder, 'shop')) ? 10 : 2);
  }
});

test('the shop’s file of a terminal set up by hand has no secrets, and sets another one up alike', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const terminal = await machine.start(read(todaysFile(platform)));
  expect(await terminal.handlers['provisioning:export']({})).toEqual(fail({ kind: 'signInNeeded' }));
  await signIn(terminal, platform);
  expect(await terminal.handlers['provisioning:export']({})).toEqual(fail({ kind: 'locked' }));
  await terminal.handlers['lock:unlock']({ pin, opens: 'settings' });
  const { scanner } = defaultSettings;
  const chosen = { quietHours: { from: 20, to: 4 }, lookupNeedsSignIn: true, scanner, isTourSeen: true };
  expect(await terminal.handlers['settings:update'](chosen)).toMatchObject({ ok: true });

  await terminal.handlers['lock:unlock']({ pin, opens: 'provisioning' });
  const exported = await terminal.handlers['provisioning:export']({});
  const text = exported.ok ? exported.value.text : expect.fail(exported.failure.kind);
  const document = JSON.parse(text) as Record<string, object>;
  expect(document).toEqual({
    $schema: 'provisioning.schema.json',
    ...profileOf(platform),
    clientSecret: '',
    language: 'pt-BR',
    settings: { quietHours: { from: 20, to: 4 }, lookupNeedsSignIn: true },
    managerLock: { pin: '', kinds: ['settings'], opensForMinutes: 5 },
  });
  const { pinHash } = (machine.settings() as { lock: { pinHash: string } }).lock;
  for (const secret of [platform.clientSecret, platform.email, pinHash, ...machine.secrets.values()]) {
    expect(text).not.toContain(secret);
  }
  await terminal.handlers['lock:unlock']({ pin, opens: 'audit' });
  expect(await terminal.handlers['audit:list']({ group: 'settings', offset: 0, limit: 1 })).toMatchObject(
    succeed({ rows: [{ action: { kind: 'shopFileSaved' }, isWithPin: true }] }),
  );

  const check = createCheck(machine);
  expect((await check(document)).lines[0]).toBe(
    'FILE cannot be used:\n  clientSecret: must not be empty\n  managerLock.pin: must be 4 to 12 digits, as text',
  );
  const filledIn = {
    ...document,
    clientSecret: platform.clientSecret,
    managerLock: { ...document['managerLock'], pin },
  };
  expect(await check(filledIn)).toMatchObject({ exitCode: 0 });
  const other = await openMachine().start(read(filledIn));
  expect(await stateOf(other)).toMatchObject({
    language: 'pt-BR',
    quietHours: { from: 20, to: 4 },
    lookupNeedsSignIn: true,
    isTourSeen: false,
    lock: { hasPin: true, kinds: ['settings'] },
  });
});

test('all profiles and what is chosen of the machine stand in the file; what is one till’s own does not', async () => {
  const of = (id: number) => ({
    id,
    name: id === 2 ? 'Filial' : null,
    platformUrl: 'https://platform.example.com',
    clientId: 'till',
    companyId: String(id),
    stockIds: ['1'],
    vaultName: 'https://platform.example.com',
  });
  const settings = openSettings(
    makeSettingsFile({
      profiles: [of(1), of(2)],
      profileId: 2,
      hub: {
        terminalId: randomUUID(),
        terminalName: 'Caixa 1',
        host: '192.168.0.10',
        port: 5432,
        database: 'tillside',
      },
      localApi: { ...defaultSettings.localApi, isOn: true },
      localApiTokenHash: 'h'.repeat(43),
    }),
  );
  const { 'provisioning:export': handOver } = createShopFileHandlers({
    shell: { machineFields: { kiosk: true, statusFile: '/srv/watch/till' } },
    settings,
    profiles: createProfiles(settings),
  });
  const exported = await handOver({});
  const profile = { platformUrl: 'https://platform.example.com', clientId: 'till', clientSecret: '', stockIds: ['1'] };
  expect(exported.ok ? JSON.parse(exported.value.text) : exported.failure).toEqual({
    $schema: 'provisioning.schema.json',
    ...profile,
    companyId: '2',
    name: 'Filial',
    otherProfiles: [{ ...profile, companyId: '1' }],
    settings: { localApi: { ...defaultSettings.localApi, isOn: true } },
    kiosk: true,
    hub: { address: '' },
  });
});

test('where there is no profile there is nothing to hand over', async () => {
  const terminal = await openMachine().start();
  expect(await terminal.handlers['provisioning:export']({})).toEqual(fail({ kind: 'notFoundHere' }));
});
