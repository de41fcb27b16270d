import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import {
  defaultDataDirectory,
  isReachable,
  prepareDataDirectory,
  whyNotOurs,
  type FolderFacts,
} from '../../../app/hosts/node/data-directory.ts';
import { describeStartError } from '../../../app/hosts/messages.ts';
import { StartError } from '../../../app/hosts/node/start-error.ts';
import { openLog } from '../../../app/hosts/node/log-file.ts';
import { readAccount } from '../../../app/hosts/node/machine.ts';
import { autostartEntryPath } from '../../../app/hosts/electron/autostart-entry.ts';
import { openKeptJson } from '../../../app/hosts/node/kept-json.ts';
import { openJsonFile, openSettings, peekSettings } from '../../../app/hosts/node/settings-file.ts';
import { replaceFile } from '../../../app/hosts/status-file.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { writeWhole } from '../../../app/storage/write-whole.ts';
import { runLookup } from '../../../app/hosts/programs/command.ts';
import { checkProvision } from '../../../app/hosts/provisioning/check.ts';
import { leaveOut } from '../../../build/left-out.ts';
import { projectDirectory } from '../../../build/project.ts';
import { nodeEnvironment } from '../../support/child.ts';
import { shopFile } from '../../support/shop-file.ts';
import { readOnlyVault } from '../../support/read-only-vault.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('settings are null on a first run and survive a restart whole', () => {
  const folder = temporaryDirectory();
  const first = openSettings(folder, 0, openJsonFile);
  expect(first.settingsFile.read()).toBeNull();
  const document = { profile: { companyId: '9007199254740993', 'a.b': [1, null] } };
  expect(first.settingsFile.write(document)).toMatchObject({ ok: true });
  expect(openSettings(folder, 0, openJsonFile).settingsFile.read()).toEqual(document);
});

test.skipIf(process.platform === 'win32')('settings behind a link that leads nowhere are no first run', () => {
  const folder = temporaryDirectory();
  symlinkSync(join(folder, 'not-mounted'), join(folder, 'settings.json'));
  expect(() => openSettings(folder, 0, openJsonFile)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ kind: 'storageFailed' }) as unknown }) as Error,
  );
});

test.each(['{"document":', '[]', 'null', '', '{"document":"{}"}', '{"document":[]}', '{"document":null}'])(
  'a damaged settings file (%j) is set aside, not overwritten',
  (content) => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'settings.json'), content);
    const opened = openSettings(folder, Date.UTC(2026, 0, 5), openJsonFile);
    expect(opened.settingsFile.read()).toBeNull();
    expect(opened.settingsFile.write({ theme: 'dark' })).toMatchObject({ ok: true });
    expect(opened.setAside).toBe(join(folder, 'settings.json.damaged-2026-01-05T00-00-00.000Z'));
    expect(readFileSync(opened.setAside ?? '', 'utf8')).toBe(content);
  },
);

const withMark = (text: string, encoding: 'utf8' | 'utf16le' = 'utf8'): Buffer =>
  Buffer.from(`\uFEFF${text}`, encoding);

test.each<[string, (text: string) => string | Buffer]>([
  ['with CRLF and blanks', (text) => `\r\n${text.replaceAll('\n', '\r\n')} \t\r\n\r\n`],
  ['in UTF-8 with its mark', (text) => withMark(text)],
  ['in UTF-16', (text) => withMark(text, 'utf16le')],
  ['in UTF-16 of the other order', (text) => withMark(text, 'utf16le').swap16()],
])('a settings file that an editor saved %s is read, and written to, as it was', (_how, save) => {
  const folder = temporaryDirectory();
  const path = join(folder, 'settings.json');
  writeFileSync(path, save(JSON.stringify({ document: { name: 'Loja São João' }, size: 7 }, null, 2)));
  expect(peekSettings(folder)['size']).toBe(7);
  const { setAside, settingsFile, jsonFile } = openSettings(folder, 0, openJsonFile);
  expect([setAside, settingsFile.read(), jsonFile.get('size')]).toEqual([null, { name: 'Loja São João' }, 7]);
  expect(settingsFile.write({ name: 'Loja São José' })).toMatchObject({ ok: true });
  expect(openSettings(folder, 0, openJsonFile).settingsFile.read()).toEqual({ name: 'Loja São José' });
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test.skipIf(process.platform === 'win32')(
  'a link to a settings file in UTF-16 stays one, and what it leads to is read',
  () => {
    const [folder, elsewhere] = [temporaryDirectory(), join(temporaryDirectory(), 'settings.json')];
    writeFileSync(elsewhere, withMark('{"document":{"theme":"dark"}}', 'utf16le'));
    symlinkSync(elsewhere, join(folder, 'settings.json'));
    expect(openSettings(folder, 0, openJsonFile).settingsFile.write({ theme: 'light' })).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toEqual({ document: { theme: 'light' } });
  },
);

test.each(
  ['conf', 'own'].flatMap((kind) => [
    [kind, 'removed', []],
    [kind, 'emptied', ['']],
    [kind, 'put back from a backup', ['{"document":{"theme":"light"}}']],
  ]),
)(
  'by %s, a settings file that is %s meanwhile loses no choice, and is whole again with the next',
  (kind, _what, by) => {
    const folder = temporaryDirectory();
    const program = join(projectDirectory, 'test/support/spoil-settings.ts');
    const said = execFileSync(process.execPath, [program, folder, kind, ...by], {
      encoding: 'utf8',
      env: nodeEnvironment(),
    });
    expect(JSON.parse(said)).toEqual([{ isKiosk: true }, { theme: 'light' }, true]);
    expect(peekSettings(folder)).toEqual({ device: { isKiosk: true }, document: { theme: 'dark' } });
  },
);

test('a file of our own that an editor saved with a byte order mark is read as it was', () => {
  const path = join(temporaryDirectory(), 'kept.json');
  writeFileSync(path, withMark('{"count":7}\r\n'));
  expect(openKeptJson(path, z.object({ count: z.number() }).catch({ count: 0 }), 1_000).get()).toEqual({ count: 7 });
});

test('a full disk is storageFull, any other trouble storageFailed', () => {
  const failing = (code: string) =>
    openSettings(temporaryDirectory(), 0, () => ({
      get: () => undefined,
      set: () => {
        throw Object.assign(new Error(code), { code });
      },
    })).settingsFile.write({});
  expect(failing('ENOSPC')).toMatchObject({ ok: false, failure: { kind: 'storageFull' } });
  expect(failing('EDQUOT')).toMatchObject({ ok: false, failure: { kind: 'storageFull' } });
  expect(failing('EIO')).toMatchObject({ ok: false, failure: { kind: 'storageFailed' } });
});

test.skipIf(process.platform === 'win32').each([
  ['a person', {}, 'conf'],
  // For its own snaps conf writes in place.
  ['a snap', { SNAP: '/snap/other/1' }, 'conf'],
  ['a person, in the browser host', {}, 'own'],
  ['a snap, in the browser host', { SNAP: '/snap/other/1' }, 'own'],
] as const)(
  'what a disk takes in part only is no success, and leaves all choices as they were, started by %s',
  async (_who, startedBy, kind) => {
    const bundle = temporaryDirectory();
    const source = join(projectDirectory, 'test/support/write-settings.ts');
    if (kind === 'conf') {
      // As the built app has it: conf's own way of writing is left out of that.
      await build({
        configFile: false,
        logLevel: 'error',
        plugins: [leaveOut()],
        build: { ssr: source, outDir: bundle, minify: false },
        ssr: { noExternal: true },
      });
    }
    const program = kind === 'conf' ? join(bundle, readdirSync(bundle)[0] ?? '') : source;
    const folder = temporaryDirectory();
    const write = (letters: number, most: string): unknown => {
      // A limit on the size of files has the system do what a full disk has it do: write a part, and then nothing.
      const script = `trap '' XFSZ; ulimit -f ${most}; exec "$0" "$@"`;
      const parameters = ['-c', script, process.execPath, program, folder, String(letters), kind];
      return JSON.parse(
        execFileSync('bash', parameters, { encoding: 'utf8', env: { ...nodeEnvironment(), ...startedBy } }),
      );
    };
    const files = (): readonly string[] => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(write(3, 'unlimited')).toEqual([true, true]);
    const before = files();
    expect(before).toHaveLength(2);
    expect(write(5000, '2')).toEqual([false, false]);
    expect(files()).toEqual(before);
    expect(write(5000, 'unlimited')).toEqual([true, true]);
    expect(files().map((text) => text.includes('x'.repeat(5000)))).toEqual([true, true]);
  },
);

test('the log is one JSON line an event, and never grows beyond two files', () => {
  const dataDirectory = temporaryDirectory();
  const { write: log, lines } = openLog({ dataDirectory, now: () => 0, maxBytes: 1000 });
  log('info', 'first', { big: 9007199254740993n });
  const path = join(dataDirectory, 'logs', 'tillside.log');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    level: 'info',
    message: 'first',
    details: { big: '9007199254740993' },
  });
  for (let line = 0; line < 200; line += 1) {
    log('warning', `line ${line}`);
  }
  log('error', 'long', { text: 'x'.repeat(100_000) });
  const files = readdirSync(join(dataDirectory, 'logs'));
  expect(files.toSorted()).toEqual(['tillside.log', 'tillside.older.log']);
  for (const file of files) {
    expect(statSync(join(dataDirectory, 'logs', file)).size).toBeLessThan(7000);
  }
  expect(
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: string }).message)
      .at(-1),
  ).toBe('long');
  expect(
    lines()
      .map((line) => (JSON.parse(line) as { message: string }).message)
      .at(-1),
  ).toBe('long');
  expect(lines().length).toBeGreaterThan(3);
});

test('a log that cannot be renamed loses no line, and is renamed when it can be again', () => {
  const dataDirectory = temporaryDirectory();
  const { write, lines } = openLog({ dataDirectory, now: () => 0, maxBytes: 1000 });
  // A folder in the place of the older file stands for a program that holds the file on Windows.
  const held = join(dataDirectory, 'logs', 'tillside.older.log');
  mkdirSync(join(held, 'not empty'), { recursive: true });
  for (let line = 0; line < 40; line += 1) {
    write('info', `line ${line}`);
  }
  expect(lines()).toHaveLength(40);
  rmSync(held, { recursive: true });
  write('info', 'line 40');
  expect(lines()).toHaveLength(41);
  expect(readFileSync(held, 'utf8').trimEnd().split('\n')).toHaveLength(40);
});

test('the log blots out what looks like a secret', () => {
  const dataDirectory = temporaryDirectory();
  const { write, lines } = openLog({ dataDirectory, now: () => 0 });
  write('error', 'sent Bearer canary-1.x', {
    password: 'canary-2',
    nested: [{ refresh_token: 'canary-3' }],
    words: 'see https://ana:canary-4@shop.example.com/?access_token=canary-5',
  });
  write('info', 'plain', { idempotencyKey: 'f3a1', isSecretNeeded: true });
  expect(lines().join('\n')).not.toContain('canary');
  expect(lines()[1]).toContain('"idempotencyKey":"f3a1","isSecretNeeded":true');
});

test('a log that cannot be written stops nothing', () => {
  const dataDirectory = temporaryDirectory();
  writeFileSync(join(dataDirectory, 'logs'), 'a file where the folder should be');
  openLog({ dataDirectory, now: () => 0 }).write('info', 'lost');
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  mkdirSync(join(dataDirectory, 'other'));
  openLog({ dataDirectory: join(dataDirectory, 'other'), now: () => 0 }).write('info', 'circular', circular);
  expect(readFileSync(join(dataDirectory, 'other', 'logs', 'tillside.log'), 'utf8')).toContain('…');
});

test.skipIf(process.platform === 'win32')('a log whose older file cannot be looked at is written all the same', () => {
  const dataDirectory = temporaryDirectory();
  mkdirSync(join(dataDirectory, 'logs'));
  // A link to itself, which stands for a folder that this user may not enter: the system looks at neither.
  symlinkSync('tillside.older.log', join(dataDirectory, 'logs', 'tillside.older.log'));
  const { write, lines } = openLog({ dataDirectory, now: () => 0 });
  write('info', 'kept');
  expect(lines()).toEqual([expect.stringContaining('kept')]);
});

test.skipIf(process.platform === 'win32').each(['', 'relative'])(
  "where HOME is %j, the system's own list of users names the home",
  (named) => {
    vi.stubEnv('HOME', named);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { homedir: home } = userInfo();
    expect(defaultDataDirectory('linux', undefined, {})).toBe(join(home, '.local', 'share', 'Tillside'));
    expect(autostartEntryPath(undefined, {})).toBe(join(home, '.config', 'autostart', 'tillside.desktop'));
    // Else what is handed to a technician would not be without it.
    expect(readAccount().home).toBe(home);
  },
);

test("the default data directory is where each operating system keeps a user's own data", () => {
  const usual = join('/home/ana', '.local', 'share', 'Tillside');
  expect(defaultDataDirectory('linux', '/home/ana', {})).toBe(usual);
  expect(defaultDataDirectory('linux', '/home/ana', { XDG_DATA_HOME: '/data' })).toBe(join('/data', 'Tillside'));
  expect(defaultDataDirectory('linux', '/home/ana', { XDG_DATA_HOME: 'relative' })).toBe(usual);
  expect(defaultDataDirectory('darwin', '/Users/ana', {})).toBe(
    join('/Users/ana', 'Library', 'Application Support', 'Tillside'),
  );
  expect(defaultDataDirectory('win32', 'C:\\Users\\ana', { LOCALAPPDATA: 'L' })).toMatch(/^L.Tillside$/);
});

test.skipIf(process.platform === 'win32')(
  "a data directory is its owner's alone, and one that was left open is closed to everybody else",
  () => {
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    const made = join(temporaryDirectory(), 'a', 'b');
    expect(modeOf(prepareDataDirectory(made))).toBe(0o700);
    for (const [before, after] of [
      [0o755, 0o750],
      [0o770, 0o770],
      [0o700, 0o700],
    ] as const) {
      chmodSync(made, before);
      expect(modeOf(prepareDataDirectory(made))).toBe(after);
    }
    expect(readdirSync(made), 'what was written to try it is gone').toEqual([]);
  },
);

describe.skipIf(process.platform === 'win32')('a folder that other users have', () => {
  const mine: FolderFacts = {
    system: process.platform,
    environment: {},
    realPath: (path) => path,
    fileSystemOf: () => 0,
    userId: process.getuid?.() ?? null,
    setMode: chmodSync,
    isReachable: () => true,
  };

  test('another user owns: it is refused in words, and nothing is written or closed', () => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o777);
    expect(() => prepareDataDirectory(folder, { ...mine, userId: (mine.userId ?? 0) + 1 })).toThrow(
      new StartError('foreignFolder'),
    );
    expect(statSync(folder).mode & 0o777).toBe(0o777);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.skipIf(mine.userId !== 0)('a link that anybody may have put there leads to no folder, whosever that is', () => {
    const around = temporaryDirectory();
    const link = join(around, 'link');
    const older = temporaryDirectory();
    symlinkSync(older, link);
    expect(prepareDataDirectory(link, mine)).toBe(link);
    expect(whyNotOurs(link, mine)).toBeNull();
    lchownSync(link, 2001, 2001);
    expect(prepareDataDirectory(link, mine), 'whoever has the folder around it let them').toBe(link);
    chmodSync(around, 0o777);
    mkdirSync(join(older, 'data'));
    for (const path of [link, join(link, 'data')]) {
      expect(() => prepareDataDirectory(path, mine)).toThrow(new StartError('foreignFolder'));
      expect(whyNotOurs(path, mine)).toBe('foreignFolder');
    }
    expect(readdirSync(join(older, 'data'))).toEqual([]);
    chmodSync(around, 0o755);
    chownSync(around, 2001, 2001);
    expect(prepareDataDirectory(link, mine), 'nobody else could put one there').toBe(link);
  });

  test('has a file or a device in its place: it is refused with its rights as they were', () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    // Closed by root, /dev/null would be closed to all programs of the machine.
    expect(() => prepareDataDirectory(file, mine)).toThrow(StorageError);
    expect(statSync(file).mode & 0o777).toBe(0o666);
  });

  test('everybody could write: one that holds something is refused at each start, an empty one is closed', () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'settings.json'), '{}');
    for (const mode of [0o777, 0o703, 0o1777]) {
      chmodSync(folder, mode);
      for (const _start of ['first', 'second']) {
        expect(() => prepareDataDirectory(folder, mine)).toThrow(new StartError('openFolder'));
        expect(statSync(folder).mode & 0o1777).toBe(mode);
      }
    }
    rmSync(join(folder, 'settings.json'));
    expect(prepareDataDirectory(folder, mine)).toBe(folder);
    expect(statSync(folder).mode & 0o007).toBe(0);
  });

  test('none is made where everybody could move it away, as they may have done with the one before', () => {
    const around = temporaryDirectory();
    const folder = join(around, 'till', 'data');
    chmodSync(around, 0o777);
    expect(() => prepareDataDirectory(folder, mine)).toThrow(new StartError('openParent'));
    expect(readdirSync(around)).toEqual([]);
    const closed = join(around, 'closed');
    mkdirSync(join(closed, 'open'), { recursive: true });
    chmodSync(closed, 0o750);
    chmodSync(join(closed, 'open'), 0o777);
    expect(isReachable(join(closed, 'open'))).toBe(false);
    expect(isReachable('/')).toBe(true);
    expect(prepareDataDirectory(join(closed, 'open', 'data'), { ...mine, isReachable }), 'nobody comes there').toBe(
      join(closed, 'open', 'data'),
    );
    // A sticky folder, such as /tmp, lets nobody move what is another's; one that is there is as safe as it ever was.
    for (const mode of [0o1777, 0o775, 0o777]) {
      chmodSync(around, mode);
      expect(prepareDataDirectory(folder, mine)).toBe(folder);
    }
  });

  test('one that cannot be closed is refused: its disk knows no rights, or does not let them be changed', () => {
    const folder = temporaryDirectory();
    const asked: number[] = [];
    const disk = { ...mine, setMode: (_path: string, mode: number) => void asked.push(mode) };
    for (const mode of [0o755, 0o777, 0o701]) {
      chmodSync(folder, mode);
      expect(() => prepareDataDirectory(folder, disk)).toThrow(new StartError('unclosedFolder'));
      expect(asked.splice(0)).toEqual([mode & 0o770]);
    }
    expect(readdirSync(folder)).toEqual([]);
    // Closed already, it needs no rights.
    chmodSync(folder, 0o750);
    expect(prepareDataDirectory(folder, disk)).toBe(folder);
    if (process.platform === 'linux') {
      // A folder of this user's whose rights nobody changes.
      expect(() => prepareDataDirectory(`/proc/${process.pid}/task`)).toThrow(new StartError('unclosedFolder'));
    }
  });

  test.each<[string, string, (folder: string) => unknown]>([
    [
      'takes the place of a file',
      'settings.json.new',
      (folder) => {
        writeWhole(join(folder, 'settings.json'), 'ours', { mode: 0o600 });
      },
    ],
    [
      'takes the place of the status',
      'watched.json.new',
      async (folder) => {
        await replaceFile(join(folder, 'watched.json'), 'ours');
      },
    ],
  ])('a link that comes in the way just before what %s is written is not followed', async (_words, name, write) => {
    const folder = temporaryDirectory();
    const target = join(temporaryDirectory(), 'target');
    const remove = fs.rmSync;
    vi.spyOn(fs, 'rmSync').mockImplementation((path, options) => {
      remove(path, options);
      // The last that is looked at before.
      if (path === join(folder, `${name}-journal`)) {
        symlinkSync(target, join(folder, name));
      }
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
    await expect(Promise.resolve(folder).then(write)).rejects.toThrow(/EEXIST/);
    expect(statSync(target, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a command that only asks believes such a folder no more than the app, and changes nothing', async () => {
    const folder = temporaryDirectory();
    const file = join(temporaryDirectory(), 'shop.json');
    writeFileSync(file, JSON.stringify(shopFile));
    const commands = async () => ({
      lookup: await runLookup({ code: '1', isJson: true, dataDirectory: folder, language: 'en' }),
      check: await checkProvision({
        path: file,
        dataDirectory: folder,
        language: 'es',
        choicesOf: () => ({}),
        startsAtSignIn: null,
        vault: readOnlyVault(),
      }),
    });
    chmodSync(folder, 0o777);
    expect(JSON.parse((await commands()).lookup.output), 'nothing lies in it').toMatchObject({ error: 'notRunning' });
    writeFileSync(join(folder, 'programs.json'), JSON.stringify({ socket: '/x', token: 'x'.repeat(43) }));
    chmodSync(folder, 0o1777);
    const { lookup, check } = await commands();
    expect(lookup.exitCode).toBe(2);
    expect(JSON.parse(lookup.output)).toEqual({
      error: 'openFolder',
      message: describeStartError(new StartError('openFolder'), 'en', folder),
    });
    expect(check).toEqual({ lines: [describeStartError(new StartError('openFolder'), 'es', folder)], exitCode: 2 });
    expect(statSync(folder).mode & 0o1777).toBe(0o1777);
    expect(whyNotOurs(folder, { ...mine, userId: (mine.userId ?? 0) + 1 })).toBe('foreignFolder');
    expect(whyNotOurs(folder, { ...mine, userId: null })).toBeNull();
    expect(whyNotOurs(join(folder, 'not', 'there'), mine)).toBeNull();
    chmodSync(folder, 0o775);
    expect(JSON.parse((await commands()).lookup.output)).toMatchObject({ error: 'notRunning' });
    expect((await commands()).check.exitCode).toBe(1);
  });

  test.each(['foreignFolder', 'openFolder', 'openParent', 'unclosedFolder'] as const)(
    '%s is said in three languages, with the folder',
    (reason) => {
      const said = ['en', 'pt-BR', 'es'].map((language) =>
        describeStartError(new StartError(reason), language, '/x/$&'),
      );
      expect(new Set(said).size).toBe(3);
      for (const words of said) {
        expect(words).toContain('/x/$&');
        expect(words).toContain('--data-dir');
      }
    },
  );
});

test('a data directory that cannot be made or written is told, and never tried for ever', () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  for (const path of [
    file,
    join(file, 'below'),
    ...(process.platform === 'linux' ? ['/proc/tillside', '/proc/tillside/below'] : []),
  ]) {
    expect(() => prepareDataDirectory(path), path).toThrow(StorageError);
  }
});

describe('a folder that is unfit for a terminal', () => {
  const onWindows = (real: string, environment: NodeJS.ProcessEnv = {}): FolderFacts => ({
    system: 'win32',
    environment,
    realPath: () => real,
    fileSystemOf: () => 0,
    userId: null,
    setMode: chmodSync,
    isReachable: () => true,
  });
  const onLinux = (type: number): FolderFacts => ({
    system: 'linux',
    environment: {},
    realPath: (path) => path,
    fileSystemOf: () => type,
    userId: process.getuid?.() ?? null,
    setMode: chmodSync,
    isReachable: () => true,
  });
  const home = 'C:\\Users\\till';
  const synced = { OneDrive: `${home}\\OneDrive`, OneDriveCommercial: `${home}\\OneDrive - Example Shop` };

  test.each([
    ['a share of a server', 'networkFolder', onWindows('\\\\server\\share\\Tillside')],
    ['OneDrive', 'syncedFolder', onWindows(`${home}\\onedrive\\Tillside`, synced)],
    ["a company's OneDrive", 'syncedFolder', onWindows(`${home}\\OneDrive - Example Shop`, synced)],
    ['a path without room for names', 'tooLongFolder', onWindows(`C:\\${'long\\'.repeat(30)}`)],
    ['NFS', 'networkFolder', onLinux(0x6969)],
    ['CIFS', 'networkFolder', onLinux(0xff534d42)],
  ] as const)('%s is refused in words', (_, reason, facts) => {
    const folder = join(temporaryDirectory(), 'Tillside');
    expect(() => prepareDataDirectory(folder, facts)).toThrow(new StartError(reason));
    for (const language of ['en', 'pt-BR', 'es']) {
      expect(describeStartError(new StartError(reason), language, 'Z:\\$&')).toContain(' Z:\\$& ');
    }
  });

  test.each([
    ['the default', onWindows(`${home}\\AppData\\Local\\Tillside`, synced)],
    ['a name that only begins like it', onWindows(`${home}\\OneDrive2\\Tillside`, synced)],
    ['another disk', onWindows('D:\\Tillside', synced)],
    ['ext4', onLinux(0xef53)],
  ] as const)('%s is fit', (_, facts) => {
    const folder = join(temporaryDirectory(), 'Tillside');
    expect(prepareDataDirectory(folder, facts)).toBe(folder);
  });
});
