import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceState } from '../../app/contract/device.ts';
import { fail } from '../../app/domain/result.ts';
import { findElectron } from '../support/electron.ts';
import { isNight, shareOf } from '../support/night.ts';
import { drivablePackage, launchPackaged, whyNoPackage, type PackagedSession } from '../support/packaged.ts';
import { launchPlatform, type Platform } from '../support/platform.ts';
import { appImageFor, appImageThatRuns } from '../support/program-files.ts';
import { startChild } from '../support/child.ts';
import { makeTemporaryDirectory } from '../support/temporary.ts';
import { newSigningKey, startUpdateServer, type Release, type UpdateServer } from '../support/update-server.ts';
import { invoke } from './story.ts';

const isAsked = !['', '0', 'false', undefined].includes(process.env['TILLSIDE_PACKAGED']);
const isMissing = 'missing' in findElectron() || whyNoPackage() !== null;

/** What the new version of this folder runs. */
const scriptOf = (folder: string): string => join(folder, 'new-one.sh');

/** Stands for the new version: it leaves word that it was started, and with which flags. */
function newApp(folder: string): Buffer {
  writeFileSync(
    scriptOf(folder),
    `printf '%s\\n' "$@" > '${folder}/new-one-started'\nexit "$(cat '${folder}/ends-with' 2>/dev/null || echo 0)"\n`,
  );
  return appImageThatRuns(scriptOf(folder));
}

async function ask(session: PackagedSession, channel: 'device:read' | 'device:checkForUpdate'): Promise<DeviceState> {
  const answer = (await invoke(session.page, channel)) as { readonly ok: boolean; readonly value: DeviceState };
  expect(answer.ok).toBe(true);
  return answer.value;
}

describe.skipIf(!isAsked && isMissing)('the packaged app', () => {
  let parent: ReturnType<typeof makeTemporaryDirectory>;
  /** Of the test that runs. */
  let folder: string;
  let server: UpdateServer;
  /** Each takes 60 requests a minute, from all tills together. */
  const platforms: Platform[] = [];
  /** Of the session that was started last. */
  let platform: Platform;
  /** That of the session that has fetched a version. */
  let fetchedAt: Platform | null = null;
  const toBeEnded: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    drivablePackage();
    parent = makeTemporaryDirectory();
    folder = join(parent.path, 'folder');
    server = await startUpdateServer();
  });
  beforeEach(() => {
    mkdirSync(folder);
    writeFileSync(appImage(), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  });
  afterEach(async () => {
    for (const end of toBeEnded.splice(0).toReversed()) {
      await end();
    }
    rmSync(folder, { recursive: true });
  });
  afterAll(async () => {
    await Promise.all(platforms.map(({ child }) => child.kill()));
    await server.close();
    parent.remove();
  });

  const dataDirectory = (): string => join(folder, 'data');
  const appImage = (): string => join(folder, 'Tillside.AppImage');
  const environment = (): Record<string, string> => ({
    APPIMAGE: appImage(),
    APPDIR: drivablePackage(),
    XDG_CONFIG_HOME: join(folder, 'config'),
  });
  const release = (change: Partial<Release> = {}): Release => ({
    version: '99.0.0',
    fileName: 'Tillside-99.0.0-linux-x64.AppImage',
    file: newApp(folder),
    ...change,
  });

  async function start(
    flags: readonly string[] = [],
    more: Readonly<Record<string, string>> = {},
  ): Promise<PackagedSession> {
    const session = await launchPackaged(['--data-dir', dataDirectory(), '--lang', 'en', ...flags], {
      environment: { ...environment(), ...more },
    });
    toBeEnded.push(() => session.kill());
    return session;
  }

  /** Starts it for the first time, for the shop of a platform of its own. */
  async function startProvisioned(
    settings: object = {},
    more: Readonly<Record<string, string>> = {},
  ): Promise<PackagedSession> {
    platform = await launchPlatform();
    platforms.push(platform);
    const { url: platformUrl, clientId, clientSecret, companyId, stockIds } = platform;
    const shop = { platformUrl, clientId, clientSecret, companyId, stockIds: stockIds.split(',').map(Number) };
    const provision = join(folder, 'provision.json');
    writeFileSync(provision, JSON.stringify({ ...shop, updates: server.source, ...settings }));
    return start(['--provision', provision], more);
  }

  /** Only whoever is signed in may look for another version. */
  async function signIn({ page }: PackagedSession): Promise<void> {
    const { email, password, clientSecret } = platform;
    // Without a keychain, the secret of the file is gone after a start.
    expect(await invoke(page, 'session:signIn', { email, password, clientSecret })).toMatchObject({ ok: true });
  }

  /** Starts it without waiting for a window: there may be none. */
  function startBlind(more: Readonly<Record<string, string>> = {}): ReturnType<typeof startChild> {
    const child = startChild(
      join(drivablePackage(), 'tillside'),
      [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--data-dir', dataDirectory(), '--lang', 'en'],
      { environment: { ...environment(), ...more } },
    );
    toBeEnded.push(() => child.kill());
    return child;
  }

  const pendingFiles = (): string[] => {
    const cache = join(dataDirectory(), 'updates');
    return existsSync(cache)
      ? readdirSync(cache, { recursive: true })
          .map(String)
          .filter((name) => name.includes('AppImage'))
      : [];
  };
  const leaveAlone = (hours: number): void => {
    const path = join(dataDirectory(), 'updates.json');
    const kept = JSON.parse(readFileSync(path, 'utf8')) as { lastOpenAt: number };
    writeFileSync(path, JSON.stringify({ ...kept, lastOpenAt: kept.lastOpenAt - hours * 3_600_000 }));
  };

  /** The test begins with a version that lies ready: fetched once, by a session that has ended, and copied for each. */
  async function layReady(): Promise<void> {
    const kept = join(parent.path, 'with-version-ready');
    server.offer(release());
    if (fetchedAt === null) {
      const session = await startProvisioned();
      await signIn(session);
      expect((await ask(session, 'device:checkForUpdate')).update.state).toBe('ready');
      await session.close();
      cpSync(folder, kept, { recursive: true });
      fetchedAt = platform;
    }
    platform = fetchedAt;
    rmSync(folder, { recursive: true });
    cpSync(kept, folder, { recursive: true });
  }

  it('believes only what is newer, signed, whole and offered to it (U1, U6)', async () => {
    const session = await startProvisioned();
    expect((await ask(session, 'device:read')).update).toEqual({
      state: 'upToDate',
      version: null,
      checkedAt: null,
      lastCheck: 'good',
    });

    await signIn(session);
    const refused: readonly [string, Partial<Release>, DeviceState['update']['lastCheck']][] = [
      ['for another processor', { file: appImageFor('arm64') }, 'failed'],
      ['a script', { file: Buffer.from('#!/bin/sh\nexit 0\n') }, 'failed'],
      ['signed for another processor', { machine: { platform: 'linux', architecture: 'arm64' } }, 'failed'],
      ['of another key', { privateKey: newSigningKey() }, 'failed'],
      ['without a signature', { withoutSignature: true }, 'failed'],
      ['changed on its way', { changedFeed: 'version: 99.0.0\nfiles: []\n' }, 'failed'],
      ['not there', { status: 404 }, 'failed'],
      ['with another digest', { sha512: Buffer.alloc(64, 1).toString('base64') }, 'failed'],
      ['broken off', { cutAfterBytes: 10 }, 'failed'],
      ['without an end', { isEndless: true }, 'failed'],
      ['redirected without an end', { redirects: true }, 'failed'],
      ['of another host', { fileName: 'https://updates.example.com/x.AppImage' }, 'failed'],
      ['expired', { expires: new Date(Date.now() - 1000) }, 'date'],
      ['good for longer than any', { expires: new Date(Date.now() + 400 * 24 * 3_600_000) }, 'date'],
      ['older', { version: '0.0.1' }, 'good'],
      [
        'the same',
        { version: (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version },
        'good',
      ],
      ['offered to nobody yet', { stagingPercentage: 0 }, 'good'],
    ];
    for (const [words, change, lastCheck] of refused) {
      server.offer(release(change));
      const { update } = await ask(session, 'device:checkForUpdate');
      expect([words, update.state, update.version, update.lastCheck]).toEqual([words, 'upToDate', null, lastCheck]);
      expect([words, pendingFiles().filter((name) => !name.includes('temp-'))]).toEqual([words, []]);
      // Nothing of it goes on.
      await expect.poll(() => [words, server.sending()], { timeout: 5000 }).toEqual([words, 0]);
    }
    expect(server.asked.filter((path) => path.endsWith('.AppImage')).length).toBeLessThanOrEqual(refused.length);
    expect(session.watch.complaints).toEqual([]);

    server.offer(release({ stagingPercentage: 100 }));
    expect((await ask(session, 'device:checkForUpdate')).update).toMatchObject({
      state: 'ready',
      version: '99.0.0',
      lastCheck: 'good',
    });
    expect(pendingFiles()).toHaveLength(1);
    // Neither now nor at the end (U2).
    await session.close();
    expect(statSync(appImage()).size).toBeLessThan(20);
    expect(existsSync(join(folder, 'new-one-started'))).toBe(false);
  });

  it('goes on answering, however often it leaves a file that is more than its feed says', async () => {
    server.offer(release({ file: appImageFor('x64', Buffer.alloc(3_000_000)), isEndless: true }));
    const session = await startProvisioned();
    await signIn(session);
    for (let times = 1; times <= (isNight ? 20 : 6); times += 1) {
      const { update } = await ask(session, 'device:checkForUpdate');
      expect([times, update.lastCheck]).toEqual([times, 'failed']);
    }
    expect((await ask(session, 'device:read')).update.state).toBe('upToDate');
    await session.close();
    const log = readFileSync(join(dataDirectory(), 'logs', 'tillside.log'), 'utf8');
    expect(log.split('\n').filter((line) => line.includes('nobody caught'))).toEqual([]);
  });

  it('keeps what lies ready until a newer one is whole', async () => {
    server.offer(release());
    const session = await startProvisioned();
    await signIn(session);
    expect((await ask(session, 'device:checkForUpdate')).update.state).toBe('ready');
    const ready = pendingFiles();
    expect(ready).toHaveLength(1);
    // The folder may be a link to another disk, with more on it.
    const theirs = join(dataDirectory(), 'updates', "a person's own");
    const old = join(dataDirectory(), 'updates', 'a'.repeat(32));
    mkdirSync(theirs);
    mkdirSync(old);
    const newer = {
      version: '99.1.0',
      fileName: 'Tillside-99.1.0-linux-x64.AppImage',
      file: Buffer.concat([newApp(folder), Buffer.from('newer')]),
    };
    const faults: readonly [string, Partial<Release>][] = [
      ['broken off', { cutAfterBytes: 10 }],
      ['for another processor', { file: appImageFor('arm64') }],
      ['without an end', { isEndless: true }],
    ];
    for (const [words, fault] of faults) {
      server.offer(release({ ...newer, ...fault }));
      const { update } = await ask(session, 'device:checkForUpdate');
      expect([words, update.state, update.version, update.lastCheck, ...pendingFiles()]).toEqual([
        words,
        'ready',
        '99.0.0',
        'failed',
        ...ready,
      ]);
    }
    // A renewed feed names the same file, which is not fetched again.
    server.offer(release({ expires: new Date(Date.now() + 20 * 24 * 3_600_000), cutAfterBytes: 10 }));
    expect((await ask(session, 'device:checkForUpdate')).update).toMatchObject({
      state: 'ready',
      version: '99.0.0',
      lastCheck: 'good',
    });
    expect(pendingFiles()).toEqual(ready);
    expect([theirs, old].map((path) => existsSync(path))).toEqual([true, false]);
    await session.close();
    leaveAlone(10);
    const last = startBlind();
    await expect.poll(() => existsSync(join(folder, 'new-one-started')), { timeout: 30_000 }).toBe(true);
    await last.stop();
  });

  it('installs at a start after a pause, whole, and starts the new one with its own flags (U2, U4)', async () => {
    await layReady();

    const soon = await start();
    expect((await ask(soon, 'device:read')).update).toMatchObject({ state: 'ready', version: '99.0.0' });
    await soon.close();

    leaveAlone(10);
    const last = startBlind();
    await expect.poll(() => existsSync(join(folder, 'new-one-started')), { timeout: 30_000 }).toBe(true);
    await expect.poll(() => last.process.exitCode, { timeout: 20_000 }).toBe(0);
    expect(readFileSync(appImage())).toEqual(newApp(folder));
    expect(statSync(appImage()).mode & 0o111).toBe(0o111);
    // It has never answered.
    expect(readFileSync(`${appImage()}.former`, 'utf8')).toBe('#!/bin/sh\nexit 1\n');
    expect(readFileSync(join(folder, 'new-one-started'), 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['--data-dir', dataDirectory()]),
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('.Tillside'))).toEqual([]);
  });

  it('has let the data folder go when the new one starts, and waits for that all the same (U10)', async () => {
    await layReady();
    const [take, word] = [join(folder, 'take.mjs'), join(folder, 'taken')];
    writeFileSync(
      take,
      `import { DatabaseSync } from 'node:sqlite';
       import { writeFileSync } from 'node:fs';
       const lock = new DatabaseSync('${join(dataDirectory(), 'instance.lock')}');
       let taken = 'taken';
       try { lock.exec('BEGIN EXCLUSIVE'); } catch (error) { taken = String(error); }
       writeFileSync('${word}', taken);`,
    );
    writeFileSync(scriptOf(folder), `'${process.execPath}' '${take}'\nrm '${appImage()}.former'\n`);
    leaveAlone(10);
    const last = startBlind();
    await expect.poll(() => existsSync(word), { timeout: 30_000 }).toBe(true);
    expect(readFileSync(word, 'utf8')).toBe('taken');
    await expect.poll(() => last.process.exitCode, { timeout: 20_000 }).toBe(0);
  });

  it('puts the former program back when the new one ends badly before it has answered (U10)', async () => {
    await layReady();
    writeFileSync(join(folder, 'ends-with'), '3');
    leaveAlone(10);
    const last = startBlind();
    await expect.poll(() => last.process.exitCode, { timeout: 30_000 }).toBe(0);
    expect(existsSync(join(folder, 'new-one-started'))).toBe(true);
    expect(readFileSync(appImage(), 'utf8')).toBe('#!/bin/sh\nexit 1\n');
    expect(existsSync(`${appImage()}.former`)).toBe(false);
  });

  it('leaves the new program in its place where a person has started it once more meanwhile (U10)', async () => {
    await layReady();
    const log = join(dataDirectory(), 'logs', 'tillside.log');
    const flags = `${process.getuid?.() === 0 ? '--no-sandbox ' : ''}--data-dir '${dataDirectory()}' --safe-mode`;
    writeFileSync(
      scriptOf(folder),
      `'${join(drivablePackage(), 'tillside')}' ${flags} & echo $! > '${folder}/pid'
       until grep -q '"isSafeMode":true' '${log}'; do sleep 0.05; done
       exit 1\n`,
    );
    leaveAlone(10);
    const last = startBlind();
    await expect.poll(() => last.process.exitCode, { timeout: 30_000 }).toBe(0);
    toBeEnded.push(async () => {
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      process.kill(pid);
      await expect.poll(() => existsSync(`/proc/${pid}/cwd`)).toBe(false);
    });
    expect(readFileSync(appImage()).equals(appImageThatRuns(scriptOf(folder)))).toBe(true);
  });

  it('neither replaces, tidies nor names the AppImage of another program, of which it inherits the name', async () => {
    writeFileSync(`${appImage()}.former`, 'kept by its own program');
    mkdirSync(join(folder, 'config'));
    server.offer(release());
    const session = await startProvisioned({}, { APPDIR: folder });
    await signIn(session);
    expect((await ask(session, 'device:checkForUpdate')).update.state).toBe('announced');
    expect(await invoke(session.page, 'device:setStartsAtSignIn', { isOn: true })).toMatchObject({ ok: true });
    await session.close();
    expect(readFileSync(join(folder, 'config', 'autostart', 'tillside.desktop'), 'utf8')).not.toContain('AppImage');
    expect(readFileSync(`${appImage()}.former`, 'utf8')).toBe('kept by its own program');
    expect(pendingFiles()).toEqual([]);
  });

  it('starts as it is when what lay ready was damaged, half written, or cannot be put in place', async () => {
    await layReady();
    const [fetched = ''] = readdirSync(join(dataDirectory(), 'updates'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.AppImage'));
    const path = join(dataDirectory(), 'updates', fetched);
    const whole = `${folder}/whole`;
    copyFileSync(path, whole);

    // A power cut while it was written.
    writeFileSync(path, readFileSync(path).subarray(0, 20));
    leaveAlone(10);
    const damaged = await start();
    expect((await ask(damaged, 'device:read')).update).toMatchObject({ state: 'upToDate', version: null });
    // That it is not asked for now is no fault.
    const warnings = readFileSync(join(dataDirectory(), 'logs', 'tillside.log'), 'utf8').match(/"warning".*updat.*/g);
    expect(warnings).toEqual([expect.stringContaining('checksum'), expect.stringContaining('not whole any more')]);
    await signIn(damaged);
    expect((await ask(damaged, 'device:checkForUpdate')).update.state).toBe('ready');
    await damaged.close();

    // The leftover of an earlier attempt at installing that a power cut ended.
    writeFileSync(join(folder, '.Tillside.AppImage.new'), 'half');
    chmodSync(appImage(), 0o755);
    leaveAlone(10);
    const last = startBlind();
    await expect.poll(() => existsSync(join(folder, 'new-one-started')), { timeout: 30_000 }).toBe(true);
    await last.stop();
    expect(readFileSync(appImage())).toEqual(readFileSync(whole));
    expect(existsSync(join(folder, '.Tillside.AppImage.new'))).toBe(false);
  });

  it('starts as it is where a pipe or a link is in the place of a file of an update, and fetches it again', async () => {
    await layReady();
    const log = join(dataDirectory(), 'logs', 'tillside.log');
    const precious = join(folder, 'precious');
    writeFileSync(precious, 'precious');
    const faults: readonly [string, (path: string) => void, DeviceState['update']['state']][] = [
      ['update-info.json', (path) => execFileSync('mkfifo', [path]), 'upToDate'],
      ['linux-x64.AppImage', (path) => symlinkSync(precious, path), 'upToDate'],
      // Chromium's own folder: what lies there is not ours to remove.
      ['.updaterId', (path) => execFileSync('mkfifo', [path]), 'ready'],
    ];
    for (const [name, put, state] of shareOf(faults, 2)) {
      const paths = readdirSync(dataDirectory(), { recursive: true }).map(String);
      const path = join(dataDirectory(), paths.find((one) => one.endsWith(name)) ?? expect.fail(name));
      rmSync(path);
      put(path);
      leaveAlone(10);
      const session = await start();
      expect([name, (await ask(session, 'device:read')).update.state]).toEqual([name, state]);
      expect(readFileSync(log, 'utf8')).toContain(`${path} is no file`);
      if (state === 'ready') {
        rmSync(path);
      } else {
        await signIn(session);
        expect([name, (await ask(session, 'device:checkForUpdate')).update.state]).toEqual([name, 'ready']);
      }
      await session.close();
    }
    expect(readFileSync(precious, 'utf8')).toBe('precious');
    leaveAlone(10);
    const last = startBlind();
    await expect.poll(() => existsSync(join(folder, 'new-one-started')), { timeout: 30_000 }).toBe(true);
    await last.stop();
  });

  it('tries nothing, and counts no attempt, where the disk of the program is full (U5)', async ({ skip }) => {
    await layReady();
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    skip(
      process.getuid?.() !== 0 || spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0,
      'only root, with mount, can make a small disk here',
    );
    toBeEnded.push(() => {
      execFileSync('umount', [disk]);
      return Promise.resolve();
    });
    const there = { APPIMAGE: join(disk, 'Tillside.AppImage') };
    copyFileSync(appImage(), there.APPIMAGE);
    expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(65_536))).toThrow('ENOSPC');
    for (const _morning of [1, 2]) {
      leaveAlone(10);
      const session = await start([], there);
      expect((await ask(session, 'device:read')).update.state).toBe('ready');
      await session.close();
    }
    // Room that an ended process has taken beside it is made before it is looked at.
    renameSync(join(disk, 'filler'), join(disk, '.Tillside.AppImage.new-3999999'));
    leaveAlone(10);
    const last = startBlind(there);
    await expect.poll(() => existsSync(join(folder, 'new-one-started')), { timeout: 30_000 }).toBe(true);
    await last.stop();
  });

  it('refuses in words to go back one version, and harms nothing', async () => {
    const first = await startProvisioned();
    await first.close();
    const path = join(dataDirectory(), 'store', 'queue.db');
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 9999');
    newer.close();
    const before = readFileSync(path);
    const older = startBlind();
    await older.waitForErrorLine(
      /^The data of this terminal was written by a newer version of Tillside\. Install that version again; nothing is lost\.$/,
    );
    await older.stop('SIGKILL');
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(
      readdirSync(join(dataDirectory(), 'store')).filter((name) => name.includes('before') || name.includes('damaged')),
    ).toEqual([]);
  });

  it('starts at sign-in, and stops doing so, as the provisioning file and then the settings say', async () => {
    mkdirSync(join(folder, 'config'));
    const session = await startProvisioned({ startsAtSignIn: true });
    const entry = join(folder, 'config', 'autostart', 'tillside.desktop');
    expect((await ask(session, 'device:read')).startsAtSignIn).toBe(true);
    // Whoever could write it would choose what starts.
    expect(statSync(entry).mode & 0o777).toBe(0o600);
    expect(readFileSync(entry, 'utf8')).toContain(`Exec="${appImage()}" "--data-dir" "${dataDirectory()}"`);
    // Nobody is signed in at the provisioned store, and whoever stands there shall not change what starts.
    expect(await invoke(session.page, 'device:setStartsAtSignIn', { isOn: false })).toMatchObject(
      fail({ kind: 'signInNeeded' }),
    );
    expect(existsSync(entry)).toBe(true);
    await signIn(session);
    expect(await invoke(session.page, 'device:setStartsAtSignIn', { isOn: false })).toMatchObject({ ok: true });
    expect(existsSync(entry)).toBe(false);
    expect((await ask(session, 'device:read')).startsAtSignIn).toBe(false);
    await session.close();
  });
});
