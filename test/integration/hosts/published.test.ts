// The proof, over a real https server and on real files, that the shop's provisioning file at an address is used with a
// known key's signature, on its days, for its shop and never backwards (P1 to P5), and that the last good one is kept.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { fail } from '../../../app/domain/result.ts';
import { openJsonFile } from '../../../app/hosts/node/settings-file.ts';
import { parseProvision } from '../../../app/hosts/provisioning/file.ts';
import { nextReadingAfter, openPublished, previewPublished } from '../../../app/hosts/provisioning/published.ts';
import { chooseFile, type PublishedFile } from '../../../app/hosts/set-up.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import { publicKeyOf } from '../../../build/sign-feed.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { hasOpenssl } from '../../support/openssl.ts';
import { startShopServer, type Publication } from '../../support/shop-server.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { newSigningKey } from '../../support/update-server.ts';
import { valueOf } from '../../support/value-of.ts';

const dayMs = 24 * 3_600_000;
const minuteMs = 60_000;
const before = getCACertificates('default');
afterAll(() => setDefaultCACertificates(before));
beforeEach(({ skip }) => skip(!hasOpenssl, 'no openssl'));

/** A server that is trusted as the system's store would have it, and a terminal's data directory. */
async function openShop() {
  const server = await startShopServer();
  setDefaultCACertificates([...before, readFileSync(server.certificatePath, 'utf8')]);
  const dataDirectory = temporaryDirectory();
  const clock = createManualClock();
  const logged: string[] = [];
  const start = (source: Partial<{ publicKey: string[]; shop: string; url: string }> = {}): PublishedFile =>
    openPublished({
      clock,
      random: { uuid: () => '', fraction: () => 0.5 },
      http: createAxiosHttp({ userAgent: 'test' }),
      log: (_level, message) => {
        logged.push(message);
      },
      dataDirectory,
      jsonFile: openJsonFile({ cwd: dataDirectory, name: 'settings' }),
      source: { ...server.source, publicKey: [server.source.publicKey], ...source },
    });
  const publish = (publication: Publication = {}): void =>
    server.publish({ at: new Date(clock.now()), ...publication });
  return { server, dataDirectory, clock, logged, start, publish };
}

/** Of the file that is kept. */
const themeOf = (published: PublishedFile): unknown => published.kept()?.file.settings?.theme;
const dark = { settings: { theme: 'dark' } };
const connection = { platformUrl: 'http://127.0.0.1:9', clientId: 'till', companyId: 1, stockIds: [1] };

test('a good file is kept, is due at a start, once, and is not sent again while it is the same', async () => {
  const { server, clock, logged, start, publish } = await openShop();
  publish({ fields: dark });
  const first = start();
  expect(first.state()).toMatchObject({ readAt: null, signedAt: null, isWaiting: false, lastReading: 'none' });
  await first.readAgain();
  expect(first.state()).toEqual({
    url: server.source.url,
    shop: 'Centro',
    readAt: clock.now(),
    signedAt: clock.now(),
    isWaiting: true,
    lastReading: 'good',
  });
  expect(logged).toEqual(['provisioning: a newer file is kept for the next start']);
  const second = start();
  expect(second.kept()).toMatchObject({ isDue: true, file: dark });
  expect(second.kept()?.file.clientSecret).toBeUndefined();
  second.noteUsed();
  await second.readAgain();
  expect(second.state()).toMatchObject({ isWaiting: false, lastReading: 'good' });
  expect(start().kept()).toMatchObject({ isDue: false });
  await clock.advance(minuteMs);
  publish({ fields: { settings: { theme: 'light' } } });
  await second.readAgain();
  expect(start().kept()).toMatchObject({ isDue: true, file: { settings: { theme: 'light' } } });
  expect(server.asked).toEqual(
    ['200', '.sig 200', '304', '200', '.sig 200'].map((end) => `/centro.json${end.startsWith('.') ? end : ` ${end}`}`),
  );
});

const refused: readonly (readonly [words: string, publication: Publication, lastReading: string])[] = [
  ['a key that is not known', { privateKey: newSigningKey() }, 'notSigned'],
  ['a file that was changed on its way', { changedText: '{"platformUrl":"https://other.example.com"}' }, 'notSigned'],
  [
    'a signed file that holds a secret',
    { signedText: '{"platformUrl":"https://platform.example.com","clientSecret":"made-up"}' },
    'invalid',
  ],
  ['no signature', { withoutSignature: true }, 'failed'],
  ['a server that refuses', { status: 503 }, 'failed'],
  ['a file without end', { changedText: '#'.repeat(200_000) }, 'failed'],
  ['a file that has expired', { at: new Date(Date.UTC(2025, 0, 1)) }, 'date'],
  ['a file of a far future', { at: new Date(Date.UTC(2099, 0, 1)) }, 'ahead'],
  ['an older file', { at: new Date(Date.UTC(2025, 4, 31)) }, 'older'],
  ['another file of the same moment', {}, 'older'],
];

test.each(refused)(
  'with %s nothing of it is used, the last good one is kept, and the reason is told',
  async (_words, publication, lastReading) => {
    const { dataDirectory, logged, start, publish } = await openShop();
    publish({ fields: dark });
    const published = start();
    await published.readAgain();
    published.noteUsed();
    const kept = readFileSync(join(dataDirectory, 'provisioning.json'), 'utf8');
    publish({ fields: { settings: { theme: 'light' } }, ...publication });
    await published.readAgain();
    expect(published.state()).toMatchObject({ isWaiting: false, lastReading });
    expect(readFileSync(join(dataDirectory, 'provisioning.json'), 'utf8')).toBe(kept);
    expect(start().kept()).toMatchObject({ isDue: false, file: dark });
    expect(logged).toHaveLength(2);
  },
);

const light = { settings: { theme: 'light' } };

test('P6: a file signed by a clock ahead is refused and told; a server behind locks nobody out', async () => {
  const { clock, start, publish } = await openShop();
  const servedAt = new Date(clock.now());
  publish({ fields: dark, servedAt });
  const published = start();
  await published.readAgain();
  publish({ fields: light, at: new Date(clock.now() + 300 * dayMs), days: 60, servedAt });
  await published.readAgain();
  expect(published.state()).toMatchObject({ lastReading: 'ahead', signedAt: clock.now() });
  expect(themeOf(published)).toBe('dark');
  for (const [days, lastReading] of [
    [1, 'good'],
    [30, 'good'],
    [299, 'good'],
  ] as const) {
    clock.jumpWall(servedAt.getTime() + days * dayMs - clock.now());
    publish({ fields: light, at: new Date(clock.now()), servedAt });
    await published.readAgain();
    expect(published.state()).toMatchObject({ lastReading, signedAt: clock.now() });
  }
});

test('P6: a terminal with a clock behind takes what its server’s clock supports, and nothing older', async () => {
  const { clock, start, publish } = await openShop();
  const right = clock.now();
  clock.jumpWall(-60 * dayMs);
  const published = start();
  publish({ fields: dark, at: new Date(right), servedAt: new Date(right) });
  await published.readAgain();
  expect(published.state()).toMatchObject({ lastReading: 'good', signedAt: right });
  await published.readAgain();
  expect(published.state().lastReading).toBe('good');
  publish({ fields: light, at: new Date(right - 3 * dayMs), servedAt: new Date(right) });
  await published.readAgain();
  expect(published.state()).toMatchObject({ lastReading: 'older', signedAt: right });
  // Where neither clock supports it, the words name both.
  publish({ fields: light, at: new Date(right + minuteMs), servedAt: new Date(right - 40 * dayMs) });
  await published.readAgain();
  expect(published.state()).toMatchObject({ lastReading: 'ahead', signedAt: right });
});

test('P6: a file that was taken with a stamp ahead makes way for any right one, and stays away', async () => {
  const { server, dataDirectory, clock, start, publish } = await openShop();
  const servedAt = new Date(clock.now());
  const ahead = clock.now() + 300 * dayMs;
  // By a clock that was ahead as well.
  clock.jumpWall(300 * dayMs);
  publish({ fields: dark, at: new Date(ahead), days: 30, servedAt: new Date(ahead) });
  await start().readAgain();
  expect(JSON.parse(readFileSync(join(dataDirectory, 'provisioning.json'), 'utf8'))).toMatchObject({ readAt: ahead });
  clock.jumpWall(-300 * dayMs);
  const published = start();
  published.noteUsed();
  publish({ fields: light, servedAt });
  await published.readAgain();
  expect(published.state()).toMatchObject({ lastReading: 'good', signedAt: clock.now(), isWaiting: true });
  expect(start().kept()).toMatchObject({ isDue: true, file: light });
  publish({ fields: dark, at: new Date(ahead), days: 30, servedAt });
  await published.readAgain();
  expect(published.state()).toMatchObject({ lastReading: 'ahead', signedAt: clock.now() });
  expect(server.asked.length).toBeGreaterThan(0);
});

test('with a file of another shop, and one with a secret, nothing is used', async () => {
  const { server, dataDirectory, clock, start, publish } = await openShop();
  const published = start();
  publish({ fields: { source: { ...server.source, shop: 'Norte' } } });
  await published.readAgain();
  expect(published.state().lastReading).toBe('otherShop');
  const at = new Date(clock.now());
  for (const fields of [
    { clientSecret: 'made-up' },
    { managerLock: { pin: '2580' } },
    { hub: { address: 'tillside-hub://' } },
    {
      otherProfiles: [
        { platformUrl: 'http://127.0.0.1:9', clientId: 'a', companyId: 2, stockIds: [1], clientSecret: 'x' },
      ],
    },
  ]) {
    expect(() => server.publish({ at, fields })).toThrow('must not be in a file at an address');
    // Whoever signs it by other means puts no secret on the disk of the tills.
    const file = { ...connection, source: server.source, ...fields };
    const signed = { at: at.toISOString(), until: new Date(at.getTime() + dayMs).toISOString() };
    publish({ signedText: JSON.stringify({ ...file, signed }) });
    await published.readAgain();
    expect(published.state().lastReading).toBe('invalid');
  }
  expect(existsSync(join(dataDirectory, 'provisioning.json'))).toBe(false);
});

test('what has expired while it lay here is not used, and is told though it is still the same', async () => {
  const { clock, start, publish } = await openShop();
  publish({ fields: dark, days: 30 });
  const published = start();
  await published.readAgain();
  clock.jumpWall(31 * dayMs);
  expect(start().kept()).toMatchObject({ isDue: false });
  await published.readAgain();
  expect(published.state().lastReading).toBe('date');
  clock.jumpWall(-31 * dayMs);
  expect(start().kept()).toMatchObject({ isDue: true });
});

test('at another address it is read whole: what the first server has said of it says nothing there', async () => {
  const { server, start, publish } = await openShop();
  publish({ fields: dark });
  await start().readAgain();
  const moved = start({ url: `${server.source.url}?moved` });
  await moved.readAgain();
  expect(server.asked.slice(2)).toEqual(['/centro.json?moved 200', '/centro.json?moved.sig 200']);
  expect(moved.state()).toMatchObject({ lastReading: 'good' });
  const other = start({ url: `${server.source.url}?other` });
  publish({ fields: dark, status: 304 });
  await other.readAgain();
  expect(other.state()).toMatchObject({ readAt: null, lastReading: 'failed' });
});

test('what lies on the disk is checked again before it is used: that file is not trusted', async () => {
  const { dataDirectory, start, publish } = await openShop();
  publish({ fields: dark });
  await start().readAgain();
  expect(start({ publicKey: [publicKeyOf(newSigningKey())] }).kept()).toBeNull();
  expect(start({ shop: 'Norte' }).kept()).toBeNull();
  const path = join(dataDirectory, 'provisioning.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('dark', 'light'));
  expect(start().kept()).toBeNull();
});

test('one key takes the place of another while both are named', async () => {
  const { server, clock, start, publish } = await openShop();
  const nextKey = newSigningKey();
  const keys = [server.source.publicKey, publicKeyOf(nextKey)];
  publish({ fields: { ...dark, source: { ...server.source, publicKey: keys } } });
  await start().readAgain();
  const both = start().kept()?.file.device.source;
  expect(both?.publicKey).toEqual(keys);
  await clock.advance(minuteMs);
  publish({ fields: { settings: { theme: 'light' } }, privateKey: nextKey });
  const published = start(both);
  await published.readAgain();
  expect(themeOf(published)).toBe('light');
});

test('a server that nobody vouches for is not believed', async () => {
  const { start, publish } = await openShop();
  setDefaultCACertificates(before);
  publish({ fields: dark });
  const published = start();
  await published.readAgain();
  expect(published.state()).toMatchObject({ readAt: null, lastReading: 'failed' });
});

test('it is read soon after the start, then once an hour, and more and more rarely while it fails', async () => {
  const { server, clock, start, publish } = await openShop();
  const published = start();
  published.begin();
  const pauses: number[] = [];
  for (const fails of [true, true, true, false, false]) {
    publish(fails ? { status: 503 } : {});
    const dueMs = clock.nextAlarmMs() ?? 0;
    pauses.push((dueMs - clock.uptimeMs()) / minuteMs);
    const count = server.asked.length;
    await clock.advance(dueMs - clock.uptimeMs());
    await expect.poll(() => clock.nextAlarmMs()).not.toBeNull();
    expect(server.asked.length).toBeGreaterThan(count);
  }
  published.close();
  expect(clock.nextAlarmMs()).toBeNull();
  expect(pauses).toEqual([2.5, 5, 10, 20, 60]);
});

test('the pause after failures is bounded, and a thousand terminals do not ask together', () => {
  const minutes = (failures: number, fraction: number): number => nextReadingAfter(failures, fraction) / minuteMs;
  expect([0, 0.5, 1].map((fraction) => minutes(0, fraction))).toEqual([45, 60, 75]);
  expect([1, 2, 7, 8, 1000].map((failures) => minutes(failures, 0.5))).toEqual([5, 10, 320, 360, 360]);
});

/** What is kept of the shop's file is lost, or damaged. */
function spoil(dataDirectory: string, how: string): void {
  const path = join(dataDirectory, 'provisioning.json');
  if (how === 'lost') rmSync(path);
  else writeFileSync(path, '{"text":');
}

test.each(['lost', 'damaged'])(
  'P5: a file that has been used is not due again where what is kept of it was %s',
  async (how) => {
    const { dataDirectory, start, publish } = await openShop();
    publish({ fields: dark });
    const first = start();
    await first.readAgain();
    first.noteUsed();
    const file = valueOf(parseProvision(JSON.stringify({ ...connection, clientSecret: 'x' })));
    expect(chooseFile({ file, isFileLasting: true }, null)).toMatchObject({ file });
    spoil(dataDirectory, how);
    const second = start();
    // Else the one that is named for every start would undo what it has set.
    expect(chooseFile({ file, isFileLasting: true }, second)).toMatchObject({ file: null });
    await second.readAgain();
    expect(second.state()).toMatchObject({ isWaiting: false, lastReading: 'good' });
    expect(start().kept()).toMatchObject({ isDue: false, file: dark });
  },
);

test.each(['lost', 'damaged'])(
  'P3: nothing older than a used file is taken where what is kept of it was %s',
  async (how) => {
    const { server, clock, dataDirectory, start, publish } = await openShop();
    publish({ fields: dark });
    const first = start();
    await first.readAgain();
    first.noteUsed();
    spoil(dataDirectory, how);
    publish({ fields: { settings: { theme: 'light' } }, at: new Date(clock.now() - minuteMs) });
    const second = start();
    await second.readAgain();
    expect(second.state()).toMatchObject({ isWaiting: false, lastReading: 'older' });
    const asked = {
      http: createAxiosHttp({ userAgent: 'test' }),
      dataDirectory,
      source: { ...server.source, publicKey: [server.source.publicKey] },
      clock,
      used: openJsonFile({ cwd: dataDirectory, name: 'settings' }),
    };
    expect(await previewPublished(asked, server.source.url)).toMatchObject(fail({ reason: 'older' }));
    const other = start({ shop: 'Norte' });
    const source = { ...server.source, shop: 'Norte' };
    publish({ fields: { source }, at: new Date(clock.now() - minuteMs) });
    await other.readAgain();
    expect(other.state()).toMatchObject({ isWaiting: true, lastReading: 'good' });
  },
);

test('P3: an older good file that is put back is not used, and nothing older than the used one is taken', async () => {
  const { clock, dataDirectory, start, publish } = await openShop();
  const path = join(dataDirectory, 'provisioning.json');
  const first = start();
  publish({ fields: dark });
  await first.readAgain();
  first.noteUsed();
  const backup = readFileSync(path);
  const usedAt = clock.now() + 2 * minuteMs;
  clock.jumpWall(2 * minuteMs);
  publish({ fields: light });
  await first.readAgain();
  first.noteUsed();
  writeFileSync(path, backup);
  const second = start();
  expect(second.kept()).toBeNull();
  expect(second.state()).toMatchObject({ isWaiting: false });
  publish({ fields: dark, at: new Date(usedAt - minuteMs) });
  await second.readAgain();
  expect(second.state()).toMatchObject({ isWaiting: false, lastReading: 'older' });
  publish({ fields: light, at: new Date(usedAt) });
  await second.readAgain();
  expect(second.state()).toMatchObject({ isWaiting: false, lastReading: 'good', signedAt: usedAt });
});

test('a file that has been used is due again once the settings are lost', async () => {
  const { dataDirectory, start, publish } = await openShop();
  publish({ fields: dark });
  const first = start();
  await first.readAgain();
  first.noteUsed();
  expect(start().kept()).toMatchObject({ isDue: false });
  rmSync(join(dataDirectory, 'settings.json'));
  expect(start().kept()).toMatchObject({ isDue: true });
});

test.each(['provisioning.json', 'settings.json'])(
  'what an earlier version has used, as %s has it, is used, and nothing older is taken where it is lost',
  async (name) => {
    const { clock, dataDirectory, start, publish } = await openShop();
    publish({ fields: dark });
    const first = start();
    await first.readAgain();
    const used = { [name === 'settings.json' ? 'shopFileUsedAt' : 'usedAt']: first.state().signedAt };
    const path = join(dataDirectory, name);
    const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as object) : {};
    writeFileSync(path, JSON.stringify({ ...kept, ...used }));
    expect(start().kept()).toMatchObject({ isDue: false });
    rmSync(join(dataDirectory, 'provisioning.json'));
    publish({ fields: light, at: new Date(clock.now() - minuteMs) });
    const later = start();
    await later.readAgain();
    expect(later.state()).toMatchObject({ isWaiting: false, lastReading: 'older' });
  },
);
