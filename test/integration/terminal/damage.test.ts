import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import { describeStartFailure } from '../../../app/hosts/messages.ts';
import { updateChecksum, type UpdateRow } from '../../../app/queue/rows.ts';
import { StorageError } from '../../../app/storage/database.ts';
import {
  createWholeClock,
  describeUpdate,
  openTerminalOnFiles,
  whileTimePasses,
} from '../../endurance/terminal-on-files.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { readKeptUpdates } from '../../support/kept-updates.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';
import { leaveTills } from '../../support/left-tills.ts';
import { openCopied, stateOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';
import { sentences } from '../../support/sentences.ts';

const updates = 60;
const pageBytes = 4096;
const bitsPerPage = 5;
const languages = ['en', 'pt-BR', 'es'] as const;

/** The outcome of a start. `notice` is its kind, or null; rows are the queue's updates, oldest first. */
type Outcome =
  | {
      readonly kind: 'opened';
      readonly notice: string | null;
      readonly rows: readonly string[];
      readonly damaged: number;
    }
  | { readonly kind: 'refused'; readonly failure: string; readonly words: readonly string[] };

const base = makeTemporaryDirectory();
let [closed, cut] = ['', ''];
let rowsBefore: readonly string[] = [];

function openTill(directory: string) {
  const clock = createWholeClock(1_000_000);
  const opening = openTerminalOnFiles({
    directory,
    clock,
    random: createSeededRandom('damage'),
    http: { send: () => Promise.resolve(fail({ kind: 'unreachable' })) },
  });
  return { clock, opening };
}

const reportedKinds: ReadonlySet<string> = new Set(['queueSetAside', 'catalogueRebuilt', 'storageRefused']);

/** Starts a till in the folder, looks, and ends it. */
async function start(directory: string): Promise<Outcome> {
  const { clock, opening } = openTill(directory);
  try {
    const terminal = await whileTimePasses(clock, opening);
    const state = await terminal.handlers['terminal:read']({});
    await whileTimePasses(clock, terminal.close());
    if (!state.ok) {
      throw new Error(`the terminal does not answer: ${JSON.stringify(state)}`);
    }
    const rows = await readKeptUpdates(directory);
    const notice = state.value.notices.find(({ kind }) => reportedKinds.has(kind));
    return {
      kind: 'opened',
      notice: notice?.kind ?? null,
      rows: rows.map((row) => `${describeUpdate(row)} ${row.status}`),
      damaged: rows.filter(({ parkedBecause }) => parkedBecause === 'damaged').length,
    };
  } catch (error) {
    if (!(error instanceof StorageError)) {
      throw error;
    }
    return {
      kind: 'refused',
      failure: error.failure.kind,
      words: languages.map((language) => describeStartFailure(error.failure, language, '/data')),
    };
  }
}

beforeAll(async () => {
  ({ closed, cut } = await leaveTills(base.path, updates));
  const outcome = await start(closed);
  if (outcome.kind !== 'opened') {
    throw new Error('the till of the test does not open');
  }
  rowsBefore = outcome.rows;
  expect(rowsBefore).toHaveLength(updates);
  expect(statSync(join(cut, 'store', 'queue.db-wal')).size).toBeGreaterThan(10 * pageBytes);
});
afterAll(() => {
  base.remove();
});

/** A folder of the test's own with what lies in this one. */
function copyOf(till: string): string {
  const directory = join(temporaryDirectory(), 'till');
  cpSync(till, directory, { recursive: true });
  return directory;
}

const queueOf = (directory: string): string => join(directory, 'store', 'queue.db');
const catalogueOf = (directory: string): string =>
  join(
    directory,
    'store',
    readdirSync(join(directory, 'store')).find((name) => /^catalogue.*\.db$/.test(name)) ?? 'catalogue.db',
  );

/** Everything of the queue that lies in the folder, whatever it is called now. */
function queueBytes(directory: string): Map<string, Buffer> {
  const folder = join(directory, 'store');
  const names =
    existsSync(folder) && statSync(folder).isDirectory()
      ? readdirSync(folder).filter(
          (name) => name.startsWith('queue.db') && !name.endsWith('-shm') && statSync(join(folder, name)).isFile(),
        )
      : [];
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Updates in the folder that are no longer what was asked for, by their checksums. */
function countAltered(directory: string): number {
  const database = new DatabaseSync(queueOf(directory), { readOnly: true });
  try {
    const rows = database.prepare('SELECT * FROM updates').all() as unknown as UpdateRow[];
    return rows.filter((row) => row.checksum !== updateChecksum(row)).length;
  } finally {
    database.close();
  }
}

/** Q: nothing of the queue is lost. */
function expectUnharmed(outcome: Outcome, before: ReadonlyMap<string, Buffer>, directory: string): void {
  if (outcome.kind === 'opened' && outcome.notice !== 'queueSetAside') {
    return;
  }
  const after = [...queueBytes(directory).values()];
  for (const [name, bytes] of before) {
    expect([name, after.some((one) => one.equals(bytes))]).toEqual([name, true]);
  }
}

function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

function flipBit(path: string, bit: number): void {
  const bytes = readFileSync(path);
  const place = Math.floor(bit / 8);
  overwrite(path, place, Uint8Array.of((bytes[place] ?? 0) ^ (1 << (bit % 8))));
}

function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function setVersion(path: string, version: number): void {
  alter(path, `PRAGMA user_version = ${String(version)}`);
}

/**
 * 'whole': every update as it was; 'setAside', 'rebuilt' and 'refusing': told by that notice; else the failure that the
 * start is refused with.
 */
type Expected = 'whole' | 'setAside' | 'rebuilt' | 'refusing' | 'storageFailed' | 'storageFromFuture' | 'storageFull';

type Row = readonly [what: string, from: 'closed' | 'cut', damage: (directory: string) => void, expected: Expected];

const beDirectory = (path: string): void => {
  rmSync(path);
  mkdirSync(path);
};

const rows: readonly Row[] = [
  ['nothing', 'closed', () => undefined, 'whole'],
  ['a power cut', 'cut', () => undefined, 'whole'],
  ['the index of the log is missing', 'cut', (till) => rmSync(`${queueOf(till)}-shm`, { force: true }), 'whole'],
  [
    'the index of the log is another one',
    'cut',
    (till) => writeFileSync(`${queueOf(till)}-shm`, Buffer.alloc(32_768, 0x5a)),
    'whole',
  ],
  [
    'the log ends within a page, as the last thing that was written',
    'cut',
    (till) => truncateSync(`${queueOf(till)}-wal`, statSync(`${queueOf(till)}-wal`).size + 100),
    'whole',
  ],
  ['queue.db is emptied', 'closed', (till) => truncateSync(queueOf(till), 0), 'setAside'],
  ['a power cut, and queue.db is emptied', 'cut', (till) => truncateSync(queueOf(till), 0), 'whole'],
  ['a power cut, and queue.db is gone', 'cut', (till) => rmSync(queueOf(till)), 'whole'],
  ['queue.db is gone', 'closed', (till) => rmSync(queueOf(till)), 'setAside'],
  [
    "queue.db is emptied, and its log another database's",
    'closed',
    (till) => {
      foreignLog(till);
      truncateSync(queueOf(till), 0);
    },
    'setAside',
  ],
  [
    'a power cut, queue.db is gone, and its log has another head',
    'cut',
    (till) => {
      rmSync(queueOf(till));
      overwrite(`${queueOf(till)}-wal`, 0, Buffer.alloc(32, 0xa5));
    },
    'setAside',
  ],
  ['queue.db is cut within its first page', 'closed', (till) => truncateSync(queueOf(till), 700), 'setAside'],
  [
    'queue.db is a text',
    'closed',
    (till) => writeFileSync(queueOf(till), 'no database at all '.repeat(500)),
    'setAside',
  ],
  [
    'queue.db is full of noughts',
    'closed',
    (till) => writeFileSync(queueOf(till), Buffer.alloc(statSync(queueOf(till)).size)),
    'setAside',
  ],
  ['queue.db has another head', 'closed', (till) => overwrite(queueOf(till), 0, Buffer.alloc(64, 0xa5)), 'setAside'],
  ["the log is another database's", 'closed', (till) => foreignLog(till), 'setAside'],
  ["a rollback journal of another database's lies there", 'closed', (till) => foreignJournal(till), 'whole'],
  ["a power cut, and a rollback journal of another database's", 'cut', (till) => foreignJournal(till), 'whole'],
  ['queue.db is of a newer version', 'closed', (till) => setVersion(queueOf(till), 99), 'storageFromFuture'],
  ['queue.db is a directory', 'closed', (till) => beDirectory(queueOf(till)), 'storageFailed'],
  [
    'the store is a file',
    'closed',
    (till) => {
      rmSync(join(till, 'store'), { recursive: true });
      writeFileSync(join(till, 'store'), 'a file');
    },
    'storageFailed',
  ],
  ['the copy is emptied', 'closed', (till) => truncateSync(catalogueOf(till), 0), 'whole'],
  [
    'the copy is a text',
    'closed',
    (till) => writeFileSync(catalogueOf(till), 'no database at all '.repeat(500)),
    'rebuilt',
  ],
  ['the copy is cut off', 'closed', (till) => truncateSync(catalogueOf(till), 700), 'rebuilt'],
  [
    'queue.db has an integer that no number can hold',
    'closed',
    (till) => alter(queueOf(till), 'UPDATE steady_time SET wall_ms = 9223372036854775807'),
    'storageFailed',
  ],
  [
    'the copy has an integer that no number can hold',
    'closed',
    (till) => alter(catalogueOf(till), 'UPDATE stocks SET copied = 9223372036854775807'),
    'rebuilt',
  ],
  ['the copy is of a newer version', 'closed', (till) => setVersion(catalogueOf(till), 99), 'rebuilt'],
  ['the copy is a directory', 'closed', (till) => beDirectory(catalogueOf(till)), 'refusing'],
  ['the copy is gone', 'closed', (till) => rmSync(catalogueOf(till)), 'whole'],
];

function foreignLog(till: string): void {
  const other = join(temporaryDirectory(), 'other.db');
  const database = new DatabaseSync(other);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE other (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = database.prepare('INSERT INTO other (text) VALUES (?)');
  for (let number = 0; number < 200; number += 1) {
    insert.run('x'.repeat(300));
  }
  copyFileSync(`${other}-wal`, `${queueOf(till)}-wal`);
  database.close();
}

/** Beside each database of the store. */
function foreignJournal(till: string): void {
  const other = join(temporaryDirectory(), 'other.db');
  const database = new DatabaseSync(other);
  database.exec('PRAGMA cache_size = 5; CREATE TABLE other (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = database.prepare('INSERT INTO other (text) VALUES (?)');
  for (let number = 0; number < 200; number += 1) {
    insert.run('x'.repeat(1000));
  }
  database.exec("BEGIN; UPDATE other SET text = replace(text, 'x', 'y')");
  for (const name of readdirSync(join(till, 'store')).filter((one) => one.endsWith('.db'))) {
    copyFileSync(`${other}-journal`, join(till, 'store', `${name}-journal`));
  }
  database.exec('ROLLBACK');
  database.close();
}

test.each(rows)('%s', async (_what, from, damage, expected) => {
  const directory = copyOf(from === 'closed' ? closed : cut);
  damage(directory);
  const before = queueBytes(directory);
  const outcome = await start(directory);
  if (expected === 'whole' || expected === 'rebuilt' || expected === 'refusing') {
    expect(outcome).toEqual({
      kind: 'opened',
      notice: { whole: null, rebuilt: 'catalogueRebuilt', refusing: 'storageRefused' }[expected],
      rows: rowsBefore,
      damaged: 0,
    });
  } else if (expected === 'setAside') {
    expect(outcome).toEqual({ kind: 'opened', notice: 'queueSetAside', rows: [], damaged: 0 });
    for (const language of languages) {
      expect(sentences[language].ui.notice.queueSetAside).toContain('{{detail}}');
    }
  } else {
    expect(outcome).toMatchObject({ kind: 'refused', failure: expected });
    expect(new Set(outcome.kind === 'refused' ? outcome.words : []).size).toBe(languages.length);
  }
  expectUnharmed(outcome, before, directory);
  // The next start is as good as this one, and says once what is over.
  const again = await start(directory);
  expect(again).toEqual(outcome.kind === 'opened' && expected !== 'refusing' ? { ...outcome, notice: null } : outcome);
});

// As a log of another day beside the file leaves it, of which SQLite sees nothing.
test.each([
  ['barcode', 'UPDATE product_keys SET product = 51 - product WHERE product <= 50'],
  [
    'code',
    'UPDATE details SET number = number - 51 WHERE number <= 50; UPDATE details SET number = -number WHERE number < 0',
  ],
] as const)('a %s that leads to another product in the copy shows none: the copy is made anew', async (by, sql) => {
  const { machine, terminal, platform } = await openCopied();
  await terminal.close();
  alter(catalogueOf(machine.folder), sql);
  machine.isNetworkDown = true;
  const again = await machine.start();
  const { barcodes, code } = platform.products.at(0);
  const text = (by === 'barcode' ? barcodes[0] : code) ?? '';
  const found = await again.handlers['lookup:find']({ text, source: 'scan' });
  expect(found).toMatchObject({ ok: true, value: { kind: 'notCopied' } });
  await expect.poll(() => stateOf(again)).toMatchObject({ notices: [{ kind: 'catalogueRebuilt' }] });
});

test('a scan that finds the copy damaged is not counted as a code that nobody knows', async () => {
  const { machine, terminal, platform } = await openCopied();
  const [stockId = ''] = platform.stockIds;
  await terminal.handlers['stocktake:start']({ name: 'Shelf', stockId: stockId as Id, filter: null });
  await terminal.close();
  alter(catalogueOf(machine.folder), 'UPDATE product_keys SET product = 51 - product WHERE product <= 50');
  machine.isNetworkDown = true;
  const { handlers } = await machine.start();
  const text = platform.products.at(0).barcodes[0] ?? '';
  const scanned = await handlers['stocktake:scan']({ stocktakeId: 1, text, source: 'scan' });
  expect(scanned).toMatchObject({ ok: false, failure: { kind: 'notCopied' } });
  const { lines } = valueOf(await handlers['stocktake:read']({ stocktakeId: 1 }));
  expect(lines.unknownCode).toBe(0);
});

describe('page by page', () => {
  test('queue.db cut off after each of its pages is set aside, never read as if it were whole', async () => {
    const pages = statSync(queueOf(closed)).size / pageBytes;
    for (let kept = 1; kept < pages; kept += 1) {
      const directory = copyOf(closed);
      truncateSync(queueOf(directory), kept * pageBytes);
      const before = queueBytes(directory);
      const outcome = await start(directory);
      expect([kept, outcome]).toEqual([kept, { kind: 'opened', notice: 'queueSetAside', rows: [], damaged: 0 }]);
      expectUnharmed(outcome, before, directory);
    }
  });

  test('the log cut off anywhere leaves the beginning of what was done, each update whole', async () => {
    const random = createSeededRandom('log');
    const size = statSync(`${queueOf(cut)}-wal`).size;
    for (let number = 0; number < 12; number += 1) {
      const directory = copyOf(cut);
      truncateSync(`${queueOf(directory)}-wal`, random.integer(0, size));
      const outcome = await start(directory);
      expect(outcome).toMatchObject({ kind: 'opened', damaged: 0 });
      const seen = outcome.kind === 'opened' ? outcome.rows.map((row) => row.split(' ').slice(0, 3).join(' ')) : [];
      expect(seen).toEqual(rowsBefore.map((row) => row.split(' ').slice(0, 3).join(' ')).slice(0, seen.length));
    }
  });

  test(
    'a bit flipped in any page is noticed or harmless: no update is altered or lost unseen',
    { timeout: 240_000 },
    async () => {
      const random = createSeededRandom('bits');
      const pages = statSync(queueOf(closed)).size / pageBytes;
      const seen = { whole: 0, parked: 0, setAside: 0, refused: 0 };
      const wrong: unknown[] = [];
      for (let number = 0; number < pages * bitsPerPage; number += 1) {
        const page = number % pages;
        const directory = copyOf(closed);
        const bit = (page * pageBytes + random.integer(0, pageBytes - 1)) * 8 + random.integer(0, 7);
        flipBit(queueOf(directory), bit);
        const before = queueBytes(directory);
        const outcome = await start(directory).catch((error: unknown) => error);
        if (outcome instanceof Error) {
          wrong.push([bit, outcome.stack]);
          continue;
        }
        const opened = outcome as Outcome;
        expectUnharmed(opened, before, directory);
        if (opened.kind === 'refused') {
          // A name in the schema: the file is whole, and is left to a technician as it is.
          seen.refused += 1;
          continue;
        }
        if (opened.notice === 'queueSetAside') {
          seen.setAside += 1;
        } else if (opened.damaged > 0) {
          seen.parked += 1;
        } else {
          seen.whole += 1;
          const same = opened.rows.filter((row) => rowsBefore.includes(row)).length;
          // A waiting row that was altered is found out when its turn comes, and is never sent (Q6).
          if (same !== rowsBefore.length && opened.rows.length - same > countAltered(directory)) {
            wrong.push([bit, opened.rows.filter((row) => !rowsBefore.includes(row)), rowsBefore.length - same]);
          }
        }
      }
      console.log(`${String(pages * bitsPerPage)} flipped bits: ${JSON.stringify(seen)}`);
      expect(wrong).toEqual([]);
      expect(seen.setAside + seen.parked).toBeGreaterThan(0);
    },
  );
});
