// The proof that whoever watches many terminals finds whole files that are true, and that a place that cannot be
// written costs the terminal nothing.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { liesIn } from '../../../app/hosts/node/data-directory.ts';
import { createStatusFile, prometheusOf, type PageSandboxState } from '../../../app/hosts/status-file.ts';
import { StorageError } from '../../../app/storage/database.ts';
import type { TerminalStatus } from '../../../app/terminal/support/status.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const status: TerminalStatus = {
  version: '1.2.3',
  host: 'electron',
  mode: 'platform',
  phase: 'ready',
  isSafeMode: false,
  connection: 'online',
  lastAnswerAgeSeconds: 7,
  storage: 'fine',
  refusals: 2,
  stocks: [
    { stockId: '1201' as Id, products: 4100, unreadable: 5, ageSeconds: 95 },
    { stockId: '1202' as Id, products: 12, unreadable: 0, ageSeconds: null },
  ],
  queue: { waiting: 3, toDecide: 1 },
  hub: 'shared',
};

function openStatusFile(
  place: (folder: string, dataDirectory: string) => string,
  replace = rename,
  pageSandbox: () => PageSandboxState = () => 'on',
) {
  const [folder, dataDirectory] = [temporaryDirectory(), temporaryDirectory()];
  const clock = createManualClock();
  const logged: string[] = [];
  const file = createStatusFile({
    clock,
    log: (level, message) => logged.push(`${level} ${message}`),
    path: place(folder, dataDirectory),
    dataDirectory,
    pageCrashes: () => 1,
    pageSandbox,
    rename: replace,
  });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { folder, dataDirectory, clock, logged, file, read };
}

/** Until it rests: its one timer is set, and nothing is being written. */
const rested = (clock: ReturnType<typeof createManualClock>) => expect.poll(() => clock.nextAlarmMs()).not.toBeNull();

test.each(['watched', 'watched.json', 'watched.PROM'])(
  'named %j, both files are written at once and each minute, by one timer, and never in halves',
  async (name) => {
    const { folder, clock, logged, file, read } = openStatusFile((within) => join(within, name));
    expect(clock.nextAlarmMs()).toBeNull();
    let now = status;
    file.begin(() => now);
    await rested(clock);
    expect(readdirSync(folder).toSorted()).toEqual(['watched.json', 'watched.prom']);
    expect(JSON.parse(read('watched.json'))).toEqual({
      ...status,
      writtenAt: new Date(clock.now()).toISOString(),
      disk: { freeBytes: expect.any(Number) as number, queueBytes: null },
      pageCrashes: 1,
      pageSandbox: 'on',
    });
    now = { ...status, queue: { waiting: 0, toDecide: 0 } };
    const dueMs = clock.nextAlarmMs() ?? 0;
    expect(dueMs - clock.uptimeMs()).toBe(60_000);
    await clock.advance(60_000);
    await rested(clock);
    expect(JSON.parse(read('watched.json'))).toMatchObject({ queue: { waiting: 0 } });
    expect(read('watched.prom')).toContain('\ntillside_queue_waiting 0\n');
    expect(file.state()).toEqual({ path: join(folder, 'watched'), writtenAt: clock.now(), failure: null });
    await file.close();
    expect(clock.nextAlarmMs()).toBeNull();
    expect(logged).toEqual([]);
  },
);

test('what is known anew is written at once, and by the one timer a minute after', async () => {
  let sandbox: PageSandboxState = 'unknown';
  let writes = 0;
  const { clock, file, read } = openStatusFile(
    (within) => join(within, 'till'),
    (from, to) => {
      writes += 1;
      return rename(from, to);
    },
    () => sandbox,
  );
  file.writeNow();
  file.begin(() => status);
  sandbox = 'off';
  // While the first is being written, and again.
  file.writeNow();
  await expect.poll(() => writes).toBe(4);
  await rested(clock);
  expect(JSON.parse(read('till.json'))).toMatchObject({ pageSandbox: 'off' });
  expect(read('till.prom')).toContain('\ntillside_page_sandbox{state="off"} 1\n');
  await clock.advance(59_000);
  expect(writes).toBe(4);
  await clock.advance(1000);
  await rested(clock);
  expect(writes).toBe(6);
  await file.close();
  file.writeNow();
  await file.close();
  expect(writes).toBe(6);
});

test.skipIf(process.platform === 'win32')('another user, such as the monitoring, may read them', async () => {
  const { folder, clock, file } = openStatusFile((within) => join(within, 'till'));
  const usual = process.umask(0o077);
  try {
    file.begin(() => status);
    await rested(clock);
  } finally {
    process.umask(usual);
  }
  const modes = ['till.json', 'till.prom'].map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o644, 0o644]);
  await file.close();
});

test.skipIf(process.platform === 'win32')(
  'a link in the place of the file is replaced, and what it leads to stays',
  async () => {
    const { folder, clock, file, read } = openStatusFile((within) => join(within, 'till'));
    writeFileSync(join(folder, 'mine'), 'mine');
    symlinkSync(join(folder, 'mine'), join(folder, 'till.json.new'));
    symlinkSync(join(folder, 'mine'), join(folder, 'till.json'));
    file.begin(() => status);
    await rested(clock);
    expect(read('mine')).toBe('mine');
    expect(JSON.parse(read('till.json'))).toMatchObject({ version: '1.2.3' });
    await file.close();
  },
);

test('the size of the queue is that of the open store, its write-ahead log included', async () => {
  const { dataDirectory, clock, file, read } = openStatusFile((within) => join(within, 'till'));
  prepare(dataDirectory);
  file.begin(() => status);
  await rested(clock);
  expect(JSON.parse(read('till.json'))).toMatchObject({ disk: { queueBytes: 15 } });
  await file.close();
});

function prepare(folder: string): void {
  mkdirSync(join(folder, 'store'));
  writeFileSync(join(folder, 'store', 'queue.db'), 'ten bytes.');
  writeFileSync(join(folder, 'store', 'queue.db-wal'), 'five.');
}

test('a place in the data folder is told, and nothing there is written over', async () => {
  const { dataDirectory, clock, logged, file } = openStatusFile((_folder, data) => join(data, 'settings.json'));
  writeFileSync(join(dataDirectory, 'settings.json'), '{}');
  file.begin(() => status);
  await rested(clock);
  expect(readFileSync(join(dataDirectory, 'settings.json'), 'utf8')).toBe('{}');
  expect(readdirSync(dataDirectory)).toEqual(['settings.json']);
  expect(logged).toEqual(['warning status file: cannot be written']);
  expect(file.state().failure).toContain('data folder');
  await file.close();
});

test.skipIf(process.platform === 'win32')('what lies in the data folder does so through a link as well', () => {
  const data = temporaryDirectory();
  const link = join(temporaryDirectory(), 'link');
  symlinkSync(data, link);
  expect([data, link].map((folder) => liesIn(data, join(folder, 'till')))).toEqual([true, true]);
  expect([data, link].map((folder) => liesIn(link, join(folder, 'new', 'till')))).toEqual([true, true]);
  expect(liesIn(data, `${data}-beside/till`)).toBe(false);
  expect(liesIn(data, join(link, '..', 'till'))).toBe(false);
  // As of a folder that is mounted twice, or behind macOS' /System/Volumes/Data: the same one by another path.
  const same = join(data, '..', 'same');
  const identityOf = (folder: string): string => folder.replace(/same$/, basename(data));
  expect(['', 'store', 'store/new'].map((below) => liesIn(data, join(same, below, 'till'), identityOf))).toEqual([
    true,
    true,
    true,
  ]);
  expect(liesIn(data, join(`${same}-beside`, 'till'), identityOf)).toBe(false);
  expect(liesIn(join(data, 'none'), join(data, 'other', 'till'))).toBe(false);
});

test('a place that cannot be written, or a store that cannot be read, is told once and tried each minute', async () => {
  const { folder, clock, logged, file, read } = openStatusFile((within) => join(within, 'gone', 'till'));
  // A file where the folder should be: refused on every system, also to an administrator.
  writeFileSync(join(folder, 'gone'), '');
  let fails = false;
  file.begin(() => {
    if (fails) {
      throw new StorageError({ kind: 'storageFailed', message: 'damaged' });
    }
    return status;
  });
  await rested(clock);
  await clock.advance(60_000);
  await rested(clock);
  expect(logged).toEqual(['warning status file: cannot be written']);
  expect(file.state()).toMatchObject({ writtenAt: null, failure: expect.stringMatching(/^E[A-Z]+$/) as string });
  rmSync(join(folder, 'gone'));
  mkdirSync(join(folder, 'gone'));
  await clock.advance(60_000);
  await rested(clock);
  expect(read('gone/till.prom')).toContain('tillside_online 1');
  expect(file.state().failure).toBeNull();
  fails = true;
  await clock.advance(60_000);
  await rested(clock);
  expect(file.state().failure).toContain('damaged');
  expect(logged).toEqual([
    'warning status file: cannot be written',
    'info status file: written again',
    'warning status file: cannot be written',
  ]);
  await file.close();
});

test.each([
  [2, null],
  [1000, 'EBUSY'],
])('a file that another program holds %d times is replaced as soon as it can be', async (times, failure) => {
  let heldTimes = 0;
  const { folder, clock, file } = openStatusFile(
    (within) => join(within, 'till'),
    (from, to) => {
      heldTimes += 1;
      return heldTimes <= times
        ? Promise.reject(Object.assign(new Error('held'), { code: 'EBUSY' }))
        : rename(from, to);
    },
  );
  file.begin(() => status);
  await rested(clock);
  expect(file.state().failure).toBe(failure);
  expect(readdirSync(folder).includes('till.json')).toBe(failure === null);
  expect(heldTimes).toBeLessThan(10);
  await file.close();
});

test('the text for Prometheus has each figure once, with help and type, and omits unknown ones', () => {
  const text = prometheusOf({
    ...status,
    writtenAt: Date.UTC(2026, 0, 5),
    disk: { freeBytes: 5_000_000_000, queueBytes: null },
    pageCrashes: null,
    pageSandbox: null,
    lastAnswerAgeSeconds: null,
  });
  const [samples, comments] = [
    /^tillside_\w+(\{(\w+="[^"\\\n]*",?)+\})? -?\d+(\.\d+)?$/,
    /^# (HELP|TYPE) tillside_\w+ .+$/,
  ];
  const lines = text.trimEnd().split('\n');
  expect(lines.filter((line) => !samples.test(line) && !comments.test(line))).toEqual([]);
  expect(lines.filter((line) => !line.startsWith('#'))).toEqual([
    'tillside_info{version="1.2.3",host="electron",mode="platform"} 1',
    'tillside_written_timestamp_seconds 1767571200',
    'tillside_signed_in 1',
    'tillside_safe_mode 0',
    'tillside_online 1',
    'tillside_connection{state="online"} 1',
    'tillside_refusals_ten_minutes 2',
    'tillside_copy_products{stock="1201"} 4100',
    'tillside_copy_products{stock="1202"} 12',
    'tillside_copy_unreadable{stock="1201"} 5',
    'tillside_copy_unreadable{stock="1202"} 0',
    'tillside_copy_age_seconds{stock="1201"} 95',
    'tillside_queue_waiting 3',
    'tillside_queue_to_decide 1',
    'tillside_storage_refuses 0',
    'tillside_disk_free_bytes 5000000000',
    'tillside_hub{mode="shared"} 1',
  ]);
  expect(text.endsWith('\n')).toBe(true);
});

test('a folder where the next file is written does not keep the status from being told', async () => {
  const { folder, clock, file, read } = openStatusFile((within) => join(within, 'watched'));
  mkdirSync(join(folder, 'watched.json.new', 'inside'), { recursive: true });
  file.begin(() => ({ ...status, storage: 'full' }));
  await rested(clock);
  expect(JSON.parse(read('watched.json'))).toMatchObject({ storage: 'full' });
  expect(read('watched.prom')).toContain('tillside_storage_refuses 1\n');
  expect(readdirSync(folder).toSorted()).toEqual(['watched.json', 'watched.json.new', 'watched.prom']);
  await file.close();
});
