// Updates against an update server over real HTTP, on real files, with a stand-in for electron-updater that keeps what
// it fetched in memory; test/e2e/updates.test.ts has electron-updater itself.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setUpBy } from '../../../app/hosts/provisioning/set-up.ts';
import { startTerminal } from '../../../app/hosts/start.ts';
import { openKeptUpdate } from '../../../app/hosts/updates/kept-update.ts';
import { createUpdates, type Updater, type Updates } from '../../../app/hosts/updates/updates.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import { readFeedText } from '../../../build/sign-feed.ts';
import { Database } from '../../../app/storage/database.ts';
import { lockInstance } from '../../../app/storage/instance-lock.ts';
import { queueMigrations } from '../../../app/terminal/workspace/queue-migrations.ts';
import { hasRequestUnderWay } from '../../../app/terminal/under-way.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { plainStart } from '../../support/plain-start.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';
import { newSigningKey, startUpdateServer, type Release, type UpdateServer } from '../../support/update-server.ts';

const hourMs = 3_600_000;
const otherKey = Buffer.alloc(32, 9).toString('base64');
const dayMs = 24 * hourMs;
/** Within the year after the manual clock's beginning. */
const inSummer = new Date('2025-08-01T00:00:00.000Z');
const newer: Release = {
  version: '0.2.0',
  fileName: 'Tillside-0.2.0-linux-x64.AppImage',
  file: Buffer.from('the new one'),
  expires: inSummer,
};

let server: UpdateServer;
let directory: ReturnType<typeof makeTemporaryDirectory>;
let clock: ManualClock;
let logged: string[];
let fetched: Set<string>;
let whileFetching: () => void;
let replaced: number;
let forgotten: number;

beforeEach(async () => {
  server = await startUpdateServer();
  directory = makeTemporaryDirectory();
  clock = createManualClock();
  logged = [];
  fetched = new Set();
  whileFetching = () => undefined;
  replaced = 0;
  forgotten = 0;
});
afterEach(async () => {
  await server.close();
  directory.remove();
});

const read: Updater['read'] = readFeedText;

interface Start {
  readonly isUnattended?: boolean;
  readonly runs?: string;
  readonly fails?: boolean;
  readonly isUnderWay?: boolean;
  readonly publicKey?: readonly string[] | null;
}

function start({
  isUnattended = true,
  runs = '0.1.0',
  fails = false,
  isUnderWay = false,
  publicKey = [server.source.publicKey],
}: Start = {}): Updates {
  const updater: Updater = {
    read,
    isOffered: (feed) => Promise.resolve((read(feed)?.version ?? '') > runs),
    fetch: async (feed) => {
      whileFetching();
      fetched.add(feed);
    },
    keepOnly: (...feeds) => {
      fetched = new Set(feeds.filter((feed) => fetched.has(feed)));
    },
    prepare: (feed) =>
      Promise.resolve(
        fetched.has(feed)
          ? () => {
              replaced += 1;
              return fails ? Promise.reject(new Error('the installer failed')) : Promise.resolve();
            }
          : null,
      ),
  };
  return createUpdates({
    clock,
    random: { uuid: () => '', fraction: () => 0.5 },
    http: createAxiosHttp({ userAgent: 'test' }),
    log: (_level, message) => {
      logged.push(message);
    },
    kept: openKeptUpdate(directory.path),
    isUnattended,
    openUpdater: () => Promise.resolve(updater),
    source: publicKey === null ? null : { url: server.source.url, publicKey: [...publicKey] },
    version: runs,
    machine: { platform: 'linux', architecture: 'x64' },
    forgetFormer: () => {
      forgotten += 1;
      return true;
    },
    feedName: 'latest-linux.yml',
    isRequestUnderWay: () => Promise.resolve(isUnderWay),
  });
}

/** A day at work during which the update is found; the next start is the next morning. */
async function workADay(options: Start = {}): Promise<void> {
  const updates = start(options);
  updates.begin();
  await updates.check();
  updates.close();
  await clock.advance(12 * hourMs);
}

test('what is found by day is installed at the first start of the next, and no sooner (U2, U4)', async () => {
  server.offer(newer);
  const updates = start();
  updates.begin();
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'ready', version: '0.2.0', lastCheck: 'good' });
  updates.close();
  expect(replaced).toBe(0);

  await clock.advance(10 * 60_000);
  expect(await start().installAtStart()).toBe(false);
  await clock.advance(6 * 60_000);
  expect(await start().installAtStart()).toBe(true);
  expect(replaced).toBe(1);
});

test('the former program is removed when this one is open, and not at its start (U10)', async () => {
  const updates = start();
  await updates.installAtStart();
  expect(forgotten).toBe(0);
  updates.begin();
  expect(forgotten).toBe(1);
  updates.close();
});

test('a power cut leaves the time at which it was open to five minutes (U4)', async () => {
  server.offer(newer);
  const updates = start();
  updates.begin();
  await updates.check();
  await clock.advance(11 * 60_000);
  // Nothing is closed.
  await clock.advance(4 * 60_000);
  expect(await start().installAtStart()).toBe(false);
  updates.close();
});

test('what has been installed is forgotten, and an older one changes nothing (U6)', async () => {
  server.offer(newer);
  await workADay();
  const after = start({ runs: '0.2.0' });
  expect(await after.installAtStart()).toBe(false);
  expect(after.state()).toMatchObject({ state: 'upToDate', version: null });
  server.offer({ ...newer, version: '0.1.9' });
  await after.check();
  expect(after.state()).toMatchObject({ state: 'upToDate', version: null, lastCheck: 'good' });
});

test('an older feed that is still good does not take the place of what lies ready, and later may (U6)', async () => {
  server.offer({ ...newer, version: '0.10.0' });
  await workADay();
  server.offer({ ...newer, version: '0.9.0', expires: new Date('2025-12-01T00:00:00.000Z') });
  const updates = start();
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'ready', version: '0.10.0', lastCheck: 'good' });
  // What has expired is installed no more (U8), and holds nothing up.
  clock.jumpWall(90 * dayMs);
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'ready', version: '0.9.0' });
});

test.each<[string, Partial<Release>]>([
  ['another key', { privateKey: newSigningKey() }],
  ['no signature', { withoutSignature: true }],
  ['a feed that was changed on its way', { changedFeed: 'version: 9.9.9\nfiles: []\n' }],
  ['a server that refuses', { status: 500 }],
  ['a feed that does not say until when it is good', { expires: null }],
  [
    'a genuine file for another processor under this name (U9)',
    { machine: { platform: 'linux', architecture: 'arm64' }, fileName: 'Tillside-0.2.0-linux-arm64.AppImage' },
  ],
  [
    'one for another processor that is named as one for this (U9)',
    { machine: { platform: 'linux', architecture: 'arm64' } },
  ],
  ['a file for another system (U9)', { machine: { platform: 'win32', architecture: 'x64' } }],
  ['a file that says of no machine that it is for it (U9)', { machine: null }],
  ['a file that people install, such as a deb (U9)', { fileName: 'Tillside-0.2.0-linux-x64.deb' }],
  ['a feed without end', { changedFeed: `version: 0.2.0\n${'#'.repeat(200_000)}` }],
])('with %s nothing is believed, and Tillside works as it is (U1)', async (_words, change) => {
  server.offer({ ...newer, ...change });
  const updates = start();
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'upToDate', version: null, checkedAt: null, lastCheck: 'failed' });
  expect(fetched.size).toBe(0);
});

test.each([
  ['a feed that has expired, though it offers a newer version', 62 * dayMs],
  ['a clock that is far ahead', 20 * 365 * dayMs],
  ['a clock that is far behind', -25 * 365 * dayMs],
])('with %s nothing is used, and the reason is told (U8)', async (_words, ms) => {
  server.offer(newer);
  clock.jumpWall(ms);
  const updates = start();
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'upToDate', version: null, checkedAt: null, lastCheck: 'date' });
  expect(logged.join('\n')).toContain('date of this machine');
  expect(fetched.size).toBe(0);
  clock.jumpWall(-ms);
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'ready', version: '0.2.0', lastCheck: 'good' });
});

test('a ready update waits while its feed is not good, and survives a clock wrong for a day (U8)', async () => {
  server.offer(newer);
  await workADay();
  clock.jumpWall(62 * dayMs);
  expect(await start().installAtStart()).toBe(false);
  expect(start().state()).toMatchObject({ state: 'ready', version: '0.2.0' });
  clock.jumpWall(-62 * dayMs);
  expect(await start().installAtStart()).toBe(true);
});

test('a feed that was signed again for longer takes the place of the one that lies ready (U8)', async () => {
  server.offer(newer);
  await workADay();
  clock.jumpWall(62 * dayMs);
  server.offer({ ...newer, expires: new Date('2025-11-01T00:00:00.000Z') });
  await workADay();
  expect(await start().installAtStart()).toBe(true);
});

test('a feed of any key that this terminal knows is believed (U1)', async () => {
  server.offer(newer);
  const updates = start({ publicKey: [otherKey, server.source.publicKey] });
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'ready', version: '0.2.0' });
});

test('without a key nobody is asked (U1)', async () => {
  server.offer(newer);
  const updates = start({ publicKey: null });
  updates.begin();
  await updates.check();
  await clock.advance(24 * hourMs);
  expect(updates.state().state).toBe('off');
  expect(server.asked).toEqual([]);
  updates.close();
});

test('a ready update is checked again before it is installed: the file about it is not trusted (U1)', async () => {
  server.offer(newer);
  await workADay();
  const path = join(directory.path, 'updates.json');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('0.2.0', '0.3.0'));
  expect(await start().installAtStart()).toBe(false);
  expect(logged.join('\n')).toContain('not signed');
  await workADay();
  expect(await start({ publicKey: [otherKey] }).installAtStart()).toBe(false);
  expect(replaced).toBe(0);
});

test('what is no longer whole is fetched again instead of installed', async () => {
  server.offer(newer);
  await workADay();
  fetched.clear();
  const next = start();
  expect(await next.installAtStart()).toBe(false);
  await next.check();
  expect(fetched.size).toBe(1);
  expect(next.state().state).toBe('ready');
});

test.each<[string, (updates: Updates) => void]>([
  [
    'cannot be fetched',
    () => {
      throw new Error('cut off');
    },
  ],
  [
    'comes when Tillside ends',
    (updates) => {
      updates.close();
    },
  ],
])('a newer version that %s leaves what lies ready', async (_words, happens) => {
  server.offer(newer);
  await workADay();
  server.offer({ ...newer, version: '0.3.0' });
  const updates = start();
  whileFetching = () => {
    happens(updates);
  };
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'ready', version: '0.2.0' });
  expect(await start().installAtStart()).toBe(true);
});

test('a newer version takes the place of what lay ready', async () => {
  server.offer(newer);
  await workADay();
  server.offer({ ...newer, version: '0.3.0' });
  await workADay();
  expect([...fetched].map((feed) => read(feed)?.version)).toEqual(['0.3.0']);
  expect(await start().installAtStart()).toBe(true);
});

test('it waits for a request that is under way (U3)', async () => {
  server.offer(newer);
  await workADay();
  expect(await start({ isUnderWay: true }).installAtStart()).toBe(false);
  expect(await start().installAtStart()).toBe(true);
});

test('an installer that fails is tried twice, told as such, and never again for this version (U5)', async () => {
  server.offer(newer);
  await workADay();
  for (const _ of [1, 2, 3, 4]) {
    expect(await start({ fails: true }).installAtStart()).toBe(false);
  }
  expect(replaced).toBe(2);
  expect(start().state()).toMatchObject({ state: 'failed', version: '0.2.0' });
  server.offer({ ...newer, version: '0.2.1' });
  await workADay();
  expect(await start().installAtStart()).toBe(true);
});

test('a version that ends before its window each time is tried twice, and told as failed (U5)', async () => {
  server.offer(newer);
  for (const isTried of [true, true, false, false]) {
    await workADay();
    expect(await start().installAtStart()).toBe(isTried);
    if (isTried) {
      // It ends, and the former one comes back (U10).
      expect(await start({ runs: '0.2.0' }).installAtStart()).toBe(false);
    }
  }
  expect(start().state()).toMatchObject({ state: 'failed', version: '0.2.0' });
  // Put in place by hand it has its window: whoever goes back from there wants no attempt of before counted.
  const byHand = start({ runs: '0.2.0' });
  await byHand.installAtStart();
  byHand.begin();
  byHand.close();
  await workADay();
  expect(start().state()).toMatchObject({ state: 'ready', version: '0.2.0' });
});

test('an attempt that the disk does not take is none: it would be made at every start (U5)', async () => {
  server.offer(newer);
  await workADay();
  const next = start();
  const path = join(directory.path, 'updates.json');
  rmSync(path);
  mkdirSync(path);
  expect(await next.installAtStart()).toBe(false);
  expect(replaced).toBe(0);
});

test('attempts that the disk did not take are not counted once it has room again (U5)', async () => {
  server.offer(newer);
  await workADay();
  const path = join(directory.path, 'updates.json');
  for (const _morning of [1, 2]) {
    const updates = start();
    rmSync(path);
    mkdirSync(path);
    expect(await updates.installAtStart()).toBe(false);
    rmSync(path, { recursive: true });
    updates.begin();
    expect(updates.state()).toMatchObject({ state: 'ready', version: '0.2.0' });
    updates.close();
    await clock.advance(12 * hourMs);
  }
  expect(await start().installAtStart()).toBe(true);
});

test('where an administrator is needed it is only told (U7)', async () => {
  server.offer(newer);
  const updates = start({ isUnattended: false });
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'announced', version: '0.2.0' });
  expect(fetched.size).toBe(0);
});

test('without a network it is tried again within two hours', async () => {
  const updates = start();
  server.offer({ ...newer, status: 503 });
  updates.begin();
  await clock.advance(10 * 60_000);
  await updates.check();
  expect(updates.state().lastCheck).toBe('failed');
  server.offer(newer);
  await expect
    .poll(async () => {
      await clock.advance(hourMs / 2);
      return updates.state().state;
    })
    .toBe('ready');
  updates.close();
});

test('a damaged or missing memory costs nothing but a download', async () => {
  writeFileSync(join(directory.path, 'updates.json'), '{"ready":');
  expect(await start().installAtStart()).toBe(false);
  writeFileSync(join(directory.path, 'updates.json'), '{"ready":{"version":5},"attempts":"many","lastOpenAt":null}');
  expect(await start().installAtStart()).toBe(false);
  server.offer(newer);
  const updates = start();
  await updates.check();
  expect(updates.state().state).toBe('ready');
});

test('a request that was sealed and has no answer is seen in the queue’s own file (U3)', async () => {
  const path = join(directory.path, 'queue.db');
  const database = await Database.open(path, { kind: 'precious', migrations: queueMigrations });
  // Whoever holds the file may be sending.
  expect(await hasRequestUnderWay(path)).toBe(true);
  database.exec(
    "INSERT INTO owners (platform, company_id, email) VALUES ('https://platform.example.com', '1', 'caixa@example.com')",
  );
  database.close();
  expect(await hasRequestUnderWay(path)).toBe(false);
  const again = await Database.open(path, { kind: 'precious', migrations: queueMigrations });
  again.exec(
    "INSERT INTO requests (owner_id, idempotency_key, body, created_at, checksum) VALUES (1, 'k', '{}', 0, '')",
  );
  again.close();
  expect(await hasRequestUnderWay(path)).toBe(true);
});

test('a former version is asked to leave the data folder, and no other process is waited for (U10)', async () => {
  const setUp = setUpBy(null, { isProvisionLasting: false }, () => ({}));
  const options = { ...plainStart, dataDirectory: directory.path, setUp };
  const former = lockInstance(directory.path);
  // The former one may lie where this user removes nothing.
  for (const ask of [() => false, () => expect.fail('EACCES')]) {
    await expect(startTerminal({ ...options, askHolderToLeave: ask })).rejects.toMatchObject({
      failure: { kind: 'alreadyRunning' },
    });
  }
  let asked = 0;
  const askHolderToLeave = (): boolean => {
    asked += 1;
    setTimeout(() => former.release(), 3000);
    return true;
  };
  await (await startTerminal({ ...options, askHolderToLeave })).close();
  expect(asked).toBe(1);
});
