// The proof that the settings document is read field by field, whatever it holds, and written whole.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultScanner } from '../../../app/contract/limits/scanner.ts';
import { defaultSounds } from '../../../app/contract/scanner.ts';
import { defaultSettings } from '../../../app/contract/settings.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { defaultLayouts } from '../../../app/domain/codes/scale-label.ts';
import { noLock } from '../../../app/lock/stored-lock.ts';
import { openSettings, type SettingsChange } from '../../../app/settings/settings.ts';

const good = {
  ...defaultSettings,
  language: 'en',
  theme: 'dark',
  mode: 'platform',
  profiles: [
    {
      id: 1,
      name: null,
      platformUrl: 'https://platform.example.com',
      clientId: 'c',
      companyId: '9007199254740993',
      stockIds: ['1'],
      vaultName: 'https://platform.example.com',
    },
    {
      id: 3,
      name: 'Depot',
      platformUrl: 'https://platform.example.com',
      clientId: 'd',
      companyId: '8',
      stockIds: ['2', '3'],
      vaultName: 'https://platform.example.com d',
    },
  ],
  profileId: 3,
  signIns: [
    { vaultName: 'https://platform.example.com', session: { email: 'ana@example.com' }, isSecretInVault: true },
  ],
  queueLimits: { historyDays: 7, askAfterHours: 0 },
  allowanceLimits: { limit: 120, windowSeconds: 30, reserve: 5 },
  planGraceMinutes: 0,
  quietHours: { from: 23, to: 5 },
  shelfLabel: { size: 'a4', copies: 24, withBalance: true },
  fileKind: 'csv',
  textSize: 'large',
  isTourSeen: true,
  scaleLayouts: ['20CCCCCKKKKKV'],
  scanner: {
    charactersAtLeast: 6,
    meanGapMs: 45,
    silenceMs: 200,
    terminator: 'tab',
    prefix: '~',
    suffix: '#',
    keyboard: 'american',
  },
  sounds: { isOn: false, volume: 80 },
  scannerDevice: {
    kind: 'serial',
    vendorId: 0x0c2e,
    productId: 0x0b81,
    serialNumber: 'A1',
    name: 'Example scanner',
    baudRate: 115_200,
  },
  companion: { shortcut: 'Control+Shift+F9', hideAfterSeconds: 0, keepInTray: true },
  lookupNeedsSignIn: true,
  cashierScreens: { stock: true, stocktakes: false },
  shownFields: [{ path: 'product.price', name: 'Price', on: ['card', 'label'] }],
  station: { isOn: true, stockWords: 'figures', fewBelow: 2.5, clearAfterSeconds: 45, greeting: 'Olá' },
  cashierChange: { keptDays: 7, lockAfterMinutes: 10, badges: true },
  cashiers: [
    {
      vaultName: 'https://shop.example.com',
      email: 'ana@example.com',
      pinHash: '$scrypt$ln=15,r=8,p=1$c2FsdA$b3du',
      pinLength: 5,
      badgeHash: `hmac-sha256:${'ab'.repeat(32)}`,
      wrong: 1,
      wrongAtMs: 99.5,
      signedInAt: 1_700_000_000_000,
    },
  ],
  cashierTime: { steadyMs: 1_700_000_000_000, wallMs: 1_700_000_100_000, uptimeMs: 12.5 },
  badgeAttempts: { wrong: 2, wrongAtMs: 12.5 },
  lock: {
    kinds: ['users'],
    opensForMinutes: 5,
    pinHash: '$scrypt$ln=15,r=8,p=1$c2FsdA$ZGlnZXN0',
    wrong: 2,
    wrongAtMs: 1234.5,
  },
  hub: {
    terminalId: '0f8fad5b-d9cb-469f-a165-70867728950e',
    terminalName: 'Caixa 2',
    host: '192.168.0.10',
    port: 5432,
    database: 'tillside',
  },
  hubInFile: 'a'.repeat(43),
};

function open(document: unknown) {
  return openSettings({ read: () => document, write: () => succeed(undefined) });
}

test('a good document is read as it is, with fields of later versions or without', () => {
  expect(open(good).get()).toEqual({ ...good, unreadProfiles: [] });
  expect(open({ version: 9, later: true, ...good }).get()).toEqual({ ...good, unreadProfiles: [] });
});

test('a first run, and a document that is none, begin with nothing chosen', () => {
  for (const document of [
    null,
    undefined,
    'text',
    5,
    [],
    {
      language: 'xx',
      theme: 1,
      shelfLabel: { size: '1x1', copies: 0, withBalance: 1 },
      fileKind: 'xls',
      mode: {},
      profiles: [{ clientId: '' }],
      profileId: 0,
      signIns: 'yes',
      queueLimits: { historyDays: 0, askAfterHours: 1.5 },
      planGraceMinutes: 121,
      scaleLayouts: '2',
      scanner: 'fast',
      sounds: 7,
      scannerDevice: { kind: 'serial', name: 'COM1' },
      hub: { host: '192.168.0.10' },
      hubInFile: 7,
    },
  ]) {
    expect(open(document).get()).toEqual({
      ...defaultSettings,
      language: null,
      theme: 'system',
      shelfLabel: { size: '50x30', copies: 1, withBalance: false },
      fileKind: 'xlsx',
      textSize: 'normal',
      isTourSeen: false,
      mode: null,
      profiles: [],
      unreadProfiles: expect.any(Array),
      profileId: null,
      signIns: [],
      queueLimits: { historyDays: 30, askAfterHours: 72 },
      planGraceMinutes: 15,
      allowanceLimits: { limit: 60, windowSeconds: 60, reserve: 3 },
      quietHours: { from: 22, to: 6 },
      scaleLayouts: defaultLayouts,
      scanner: defaultScanner,
      sounds: defaultSounds,
      scannerDevice: null,
      companion: { shortcut: 'Control+Alt+Space', hideAfterSeconds: 20, keepInTray: false },
      lookupNeedsSignIn: false,
      cashierScreens: { stock: true, stocktakes: true },
      station: { isOn: false, stockWords: 'words', fewBelow: 5, clearAfterSeconds: 20, greeting: '' },
      cashierChange: { keptDays: 30, lockAfterMinutes: 0, badges: true },
      cashiers: [],
      cashierTime: null,
      badgeAttempts: { wrong: 0, wrongAtMs: 0 },
      lock: noLock,
      hub: null,
      hubInFile: null,
    });
  }
});

test('one bad field never costs the others, and nothing makes the reading throw', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(good)), fc.anything(), (field, junk) => {
      const read = open({ ...good, [field]: junk }).get();
      for (const [name, value] of Object.entries(good)) {
        // A present profile that is not there is none.
        if (name !== field && !(name === 'profileId' && field === 'profiles')) {
          expect(read[name as keyof typeof read]).toEqual(value);
        }
      }
    }),
    { seed: 1 },
  );
});

test('one bad choice about the bar never costs the others, and no program’s key becomes a shortcut', () => {
  expect(
    open({ ...good, companion: { shortcut: 'Control+C', hideAfterSeconds: 60, keepInTray: true } }).get().companion,
  ).toEqual({ shortcut: 'Control+Alt+Space', hideAfterSeconds: 60, keepInTray: true });
  expect(open({ ...good, companion: { shortcut: null, hideAfterSeconds: -1 } }).get().companion).toEqual({
    shortcut: null,
    hideAfterSeconds: 20,
    keepInTray: false,
  });
});

test('one bad limit of the queue never costs the other', () => {
  expect(open({ ...good, queueLimits: { historyDays: 5000, askAfterHours: 24 } }).get().queueLimits).toEqual({
    historyDays: 30,
    askAfterHours: 24,
  });
  expect(open({ ...good, queueLimits: { historyDays: 1 } }).get().queueLimits).toEqual({
    historyDays: 1,
    askAfterHours: 72,
  });
});

test('batches that were asked for in hours of their own are asked for in the quiet hours', () => {
  const read = open({ ...good, expiryAsking: { isOn: true, from: 1, to: 4 } }).get();
  expect(read.expiryAsking).toEqual({ isOn: true });
  expect(read.quietHours).toEqual(good.quietHours);
});

test('senseless or missing figures of the rate limit take defaults; the reserve stays below the limit', () => {
  const { allowanceLimits: _none, ...before } = good;
  expect(open(before).get().allowanceLimits).toEqual({ limit: 60, windowSeconds: 60, reserve: 3 });
  expect(
    open({ ...good, allowanceLimits: { limit: 0, windowSeconds: 601, reserve: 7 } }).get().allowanceLimits,
  ).toEqual({ limit: 60, windowSeconds: 60, reserve: 7 });
  expect(open({ ...good, allowanceLimits: { limit: 2, windowSeconds: 10, reserve: 9 } }).get().allowanceLimits).toEqual(
    { limit: 2, windowSeconds: 10, reserve: 1 },
  );
});

test('one bad figure of the scanner never costs the others; those that would catch a person are limited', () => {
  expect(
    open({
      ...good,
      scanner: { ...good.scanner, meanGapMs: 400, terminator: 'space', prefix: 'much too long a prefix' },
    }).get().scanner,
  ).toEqual({ ...good.scanner, meanGapMs: 35, terminator: 'enterOrTab', prefix: '' });
  expect(
    open({ ...good, scanner: { ...good.scanner, charactersAtLeast: 3, meanGapMs: 50, silenceMs: 50 } }).get().scanner,
  ).toMatchObject({ charactersAtLeast: 3, meanGapMs: 20, silenceMs: 50 });
  expect(open({ ...good, sounds: { isOn: false, volume: 101 } }).get().sounds).toEqual({ isOn: false, volume: 50 });
});

test('a change holds in this run although it could not be written, and says so', () => {
  const settings = openSettings({ read: () => good, write: () => fail({ kind: 'storageFull' }) });
  expect(settings.change({ theme: 'light' })).toEqual({ ok: false, failure: { kind: 'storageFull' } });
  expect(settings.get().theme).toBe('light');
});

test('a change for good changes nothing where it cannot be written, nor does a layout of it', () => {
  const settings = openSettings({ read: () => good, write: () => fail({ kind: 'storageFull' }) });
  const [before, layouts] = [settings.get(), settings.scaleLayouts()];
  const kept = settings.changeForGood({ lookupNeedsSignIn: true, scaleLayouts: [] });
  expect(kept).toEqual({ ok: false, failure: { kind: 'storageFull' } });
  expect(settings.get()).toEqual(before);
  expect(settings.scaleLayouts()).toEqual(layouts);
});

test('what is written is read again the same', () => {
  let written: unknown = null;
  const settings = openSettings({ read: () => good, write: (document) => ((written = document), succeed(undefined)) });
  settings.change({ profileId: 1, language: 'pt-BR' });
  expect(open(JSON.parse(JSON.stringify(written))).get()).toEqual(settings.get());
});

test('one bad layout never costs the others; none at all stays none, and a change is read at once', () => {
  const settings = open({ ...good, scaleLayouts: ['2CCCC0TTTTTTV', 'nonsense', 5, '20CCCCCKKKKKV'] });
  expect(settings.get().scaleLayouts).toEqual(['2CCCC0TTTTTTV', '20CCCCCKKKKKV']);
  expect(settings.scaleLayouts().map(({ figure }) => figure)).toEqual(['price', 'weight']);
  expect(settings.scaleLayouts()).toBe(settings.scaleLayouts());
  settings.change({ scaleLayouts: ['20CCCCCKKKKKV'] });
  expect(settings.scaleLayouts().map(({ text }) => text)).toEqual(['20CCCCCKKKKKV']);
  expect(open({ ...good, scaleLayouts: [] }).get().scaleLayouts).toEqual([]);
});

const versionOne = {
  version: 1,
  language: 'en',
  mode: 'platform',
  profile: {
    platformUrl: 'https://platform.example.com',
    clientId: 'c',
    companyId: '9007199254740993',
    stockIds: ['1'],
  },
  isSecretInVault: true,
  session: { email: 'ana@example.com' },
};

test('a document of version 1 opens with its one profile, under its keychain entries, still signed in', () => {
  expect(open(versionOne).get()).toMatchObject({
    mode: 'platform',
    profiles: [{ id: 1, name: null, ...versionOne.profile, vaultName: 'https://platform.example.com' }],
    profileId: 1,
    signIns: [
      { vaultName: 'https://platform.example.com', session: { email: 'ana@example.com' }, isSecretInVault: true },
    ],
  });
  expect(open({ ...versionOne, session: 5, isSecretInVault: 'yes' }).get().signIns).toEqual([
    { vaultName: 'https://platform.example.com', session: null, isSecretInVault: false },
  ]);
  expect(open({ ...versionOne, profile: { clientId: 'c' } }).get()).toMatchObject({
    profiles: [],
    profileId: null,
    signIns: [],
  });
});

test('one profile that makes no sense never costs the others, nor does a second one of the same number', () => {
  const [first, second] = good.profiles;
  const read = open({
    ...good,
    profiles: [{ ...first, stockIds: [] }, 5, second, { ...first, id: 3 }, { ...first, id: 12 }],
  }).get();
  expect(read.profiles).toEqual([second]);
  expect(read.profileId).toBe(3);
  expect(open({ ...good, profileId: 2 }).get().profileId).toBeNull();
  expect(open({ ...good, profiles: [{ ...second, name: '' }] }).get().profiles).toEqual([{ ...second, name: null }]);
});

test('a damaged PIN fits nothing, and one damaged cashier never costs the others', () => {
  const [ana] = good.cashiers;
  const cashiers = [
    { ...ana, pinHash: 7, wrong: -1 },
    { email: 'bea@example.com' },
    { ...ana, email: 'caio@example.com' },
  ];
  expect(open({ ...good, cashiers }).get().cashiers).toEqual([
    { ...ana, pinHash: '', wrong: 100 },
    { ...ana, email: 'caio@example.com' },
  ]);
});

/** With what it writes. */
function openWritten(document: unknown) {
  const written: unknown[] = [];
  const settings = openSettings({ read: () => document, write: (next) => (written.push(next), succeed(undefined)) });
  return { settings, written };
}

describe('what a newer version has written', () => {
  const newer = { ...good, version: 9, later: { x: 1 } };

  test('keeps its number and its own fields, whatever changes here', () => {
    const { settings, written } = openWritten(newer);
    settings.change({ theme: 'light', signIns: [] });
    expect(written).toEqual([{ ...newer, theme: 'light', signIns: [] }]);
    expect(openWritten(written[0]).settings.get()).toEqual(settings.get());
  });

  test('what an older one has written gets the number of this one, and keeps nothing that is not known', () => {
    const { settings, written } = openWritten({ ...good, version: 2, gone: true });
    settings.change({ theme: 'light' });
    expect(written).toEqual([{ ...good, version: 3, theme: 'light' }]);
  });

  test('never costs a shop, a sign-in, a person or the hub, because there is a field more in it', () => {
    const withMore = (entries: readonly object[]): object[] => entries.map((entry) => ({ ...entry, later: 1 }));
    const { settings } = openWritten({
      ...newer,
      profiles: withMore(good.profiles),
      signIns: withMore(good.signIns.map((one) => ({ ...one, session: { ...one.session, later: 1 } }))),
      cashiers: withMore(good.cashiers),
      cashierTime: { ...good.cashierTime, later: 1 },
      lock: { ...good.lock, later: 1 },
      hub: { ...good.hub, later: 1 },
    });
    expect(settings.get()).toEqual({ ...good, unreadProfiles: [] });
  });
});

test('settings from before a PIN opened one kind: the usual two minutes become one action, others stay', () => {
  const lockOf = (version: number | undefined, opensForMinutes: number) => {
    const lock = { ...noLock, pinHash: 'text', opensForMinutes };
    const document = { ...good, version, lock };
    return openSettings({ read: () => document, write: () => succeed(undefined) }).get().lock;
  };
  expect(lockOf(undefined, 2)).toMatchObject({ pinHash: 'text', opensForMinutes: 0 });
  expect(lockOf(1, 2)).toMatchObject({ pinHash: 'text', opensForMinutes: 0 });
  expect(lockOf(2, 2)).toMatchObject({ pinHash: 'text', opensForMinutes: 0 });
  expect(lockOf(2, 5)).toMatchObject({ pinHash: 'text', opensForMinutes: 5 });
  expect(lockOf(3, 2)).toMatchObject({ pinHash: 'text', opensForMinutes: 2 });
});

test('a document of before, in which practice kept a lock, opens without that one', () => {
  const lock = { ...noLock, pinHash: 'ours' };
  const { settings, written } = openWritten({ ...good, lock, practiceLock: { ...noLock, pinHash: 'tried out' } });
  expect(settings.get().lock.pinHash).toBe('ours');
  settings.change({ theme: 'dark' });
  expect(JSON.stringify(written)).not.toContain('tried out');
});

describe('practice', () => {
  const opened = (): ReturnType<typeof openWritten> =>
    openWritten({ ...good, theme: 'dark', localApiTokenHash: 'x'.repeat(43), lock: { ...noLock, pinHash: 'ours' } });

  test('begins as the terminal is, without its lock and its token', () => {
    const { settings } = opened();
    const before = settings.get();
    settings.beginPractice();
    expect(settings.get()).toEqual({ ...before, lock: noLock, localApiTokenHash: null });
    expect(settings.terminal.get()).toBe(before);
  });

  test('keeps what is chosen in it to itself, writes nothing, and is forgotten at its end', () => {
    const { settings, written } = opened();
    const before = settings.get();
    settings.beginPractice();
    const chosen: SettingsChange = { theme: 'light', scaleLayouts: [], lock: { ...noLock, pinHash: 'tried out' } };
    expect(settings.change(chosen)).toEqual(succeed(undefined));
    expect(settings.get()).toMatchObject(chosen);
    expect(settings.scaleLayouts()).toEqual([]);
    expect(settings.terminal.scaleLayouts()).not.toEqual([]);
    expect(written).toEqual([]);
    settings.endPractice();
    expect(settings.get()).toBe(before);
    settings.beginPractice();
    expect(settings.get()).toMatchObject({ theme: 'dark', lock: noLock });
  });

  test("is the terminal's before there is a profile, all but lock and token", () => {
    const { settings, written } = openWritten({ theme: 'dark' });
    settings.beginPractice();
    const lock = { ...noLock, pinHash: 'tried out' };
    settings.change({ theme: 'light', lock, localApiTokenHash: 'y'.repeat(43) });
    expect(written).toMatchObject([{ theme: 'light', lock: noLock, localApiTokenHash: null }]);
    settings.change({ lock });
    expect(written).toHaveLength(1);
    settings.endPractice();
    expect(settings.get()).toMatchObject({ theme: 'light', lock: noLock });
  });

  test("keeps what is the machine's at once, and none of its own beside it", () => {
    const { settings, written } = opened();
    settings.beginPractice();
    settings.change({ theme: 'light', mode: 'practice' });
    expect(written).toMatchObject([{ mode: 'practice', theme: 'dark', lock: { pinHash: 'ours' } }]);
    expect(settings.get()).toMatchObject({ mode: 'practice', theme: 'light' });
    settings.change({ isTourSeen: true });
    expect(settings.terminal.get()).toMatchObject({ isTourSeen: true, theme: 'dark' });
    settings.terminal.change({ profileId: null });
    expect(settings.get()).toMatchObject({ profileId: null, theme: 'light' });
  });

  test('tells who listens when it has ended, and nobody where it had not begun', () => {
    const { settings } = opened();
    const heard: (string | null)[] = [];
    settings.listen(() => heard.push(settings.get().lock.pinHash));
    settings.endPractice();
    settings.beginPractice();
    settings.endPractice();
    expect(heard).toEqual(['ours']);
  });
});
