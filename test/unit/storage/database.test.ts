// The proof of opening, migrating, transacting and replacing databases, on real files, with disks that are full and
// files that are damaged.
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { Database, StorageError, type DatabaseOptions, type Migration } from '../../../app/storage/database.ts';
import { queueMigrations } from '../../../app/terminal/workspace/queue-migrations.ts';
import { openOrReplace } from '../../../app/storage/recover.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const first: Migration = { version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT' };
const second: Migration = { version: 2, sql: "ALTER TABLE notes ADD COLUMN colour TEXT NOT NULL DEFAULT 'plain'" };
const third: Migration = { version: 3, sql: 'CREATE INDEX notes_colour ON notes (colour)' };
const broken: Migration = { version: 3, sql: "UPDATE notes SET text = 'lost'; CREATE TABLE notes (id INTEGER)" };
const now = Date.UTC(2025, 5, 1, 12);

const precious = (...migrations: Migration[]): DatabaseOptions => ({ kind: 'precious', migrations });
const disposable = (...migrations: Migration[]): DatabaseOptions => ({ kind: 'disposable', migrations });

function pathOf(directory = temporaryDirectory()): string {
  return join(directory, 'notes.db');
}

async function write(path: string, options: DatabaseOptions, ...texts: string[]): Promise<void> {
  const database = await Database.open(path, options);
  database.transaction(() => {
    for (const text of texts) {
      database.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
    }
  });
  database.close();
}

async function read(path: string, options: DatabaseOptions): Promise<unknown[]> {
  const database = await Database.open(path, options);
  const rows = database.prepare('SELECT * FROM notes ORDER BY id').all();
  database.close();
  return rows;
}

async function failureOfOpening(opening: Promise<unknown>): Promise<StorageError> {
  try {
    await opening;
  } catch (error) {
    if (error instanceof StorageError) {
      return error;
    }
    throw error;
  }
  throw new Error('it opened');
}

/** Overwrites bytes in the middle of a file, as a failing disk would. */
function scribble(path: string, offset: number, length: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, offset);
  closeSync(file);
}

test('the migrations that ship are numbered from 1 without a gap', () => {
  expect(queueMigrations.map(({ version }) => version)).toEqual(queueMigrations.map((_, place) => place + 1));
});

test('a new file gets every migration; an old one those that it lacks, and keeps its rows', async () => {
  const path = pathOf();
  await write(path, precious(first), 'kept');
  expect(await read(path, precious(first, second, third))).toEqual([{ id: 1, text: 'kept', colour: 'plain' }]);
  expect(await read(pathOf(), precious(first, second, third))).toEqual([]);
});

test('a precious database is backed up before it is migrated, and only then', async () => {
  const path = pathOf();
  await write(path, precious(first), 'kept');
  expect(await read(path, precious(first))).toHaveLength(1);
  expect(existsSync(`${path}.before-1`)).toBe(false);
  await read(path, precious(first, second));
  expect(await read(`${path}.before-2`, precious(first))).toEqual([{ id: 1, text: 'kept' }]);
  const other = pathOf();
  await write(other, disposable(first), 'copied');
  await read(other, disposable(first, second));
  expect(existsSync(`${other}.before-2`)).toBe(false);
});

test('a migration that fails leaves the database at the version before, whole', async () => {
  const path = pathOf();
  await write(path, precious(first), 'kept');
  expect((await failureOfOpening(Database.open(path, precious(first, second, broken)))).failure.kind).toBe(
    'storageFailed',
  );
  expect(await read(path, precious(first, second))).toEqual([{ id: 1, text: 'kept', colour: 'plain' }]);
});

test('a precious database from the future is refused and not touched', async () => {
  const path = pathOf();
  await write(path, precious(first, second), 'kept');
  const before = readFileSync(path);
  expect((await failureOfOpening(Database.open(path, precious(first)))).failure.kind).toBe('storageFromFuture');
  expect((await failureOfOpening(openOrReplace(path, precious(first), now))).failure.kind).toBe('storageFromFuture');
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(join(path, '..'))).toEqual(['notes.db']);
});

test('a disposable database from the future is begun anew', async () => {
  const path = pathOf();
  await write(path, disposable(first, second), 'copied');
  const { database, replaced } = await openOrReplace(path, disposable(first), now);
  expect(replaced).toBe('');
  expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
  database.close();
});

test('a precious database waits for the disk at every commit, a disposable one does not', async () => {
  for (const [options, level] of [
    [precious(first), 2],
    [disposable(first), 1],
  ] as const) {
    const database = await Database.open(pathOf(), options);
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: level });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    database.close();
  }
});

test('a precious database is held by one opener alone', async () => {
  const path = pathOf();
  const database = await Database.open(path, precious(first));
  expect((await failureOfOpening(Database.open(path, precious(first)))).failure.kind).toBe('alreadyRunning');
  expect((await failureOfOpening(openOrReplace(path, precious(first), now))).failure.kind).toBe('alreadyRunning');
  database.close();
  expect(await read(path, precious(first))).toEqual([]);
});

const damages: readonly (readonly [string, (path: string) => void])[] = [
  [
    'text instead of a database',
    (path) => {
      writeFileSync(path, 'this is no database, and long enough to be read as one'.repeat(200));
    },
  ],
  [
    'a damaged head',
    (path) => {
      scribble(path, 0, 64);
    },
  ],
  [
    'a damaged page',
    (path) => {
      scribble(path, 4096, 4096);
    },
  ],
  [
    'the last page cut off',
    (path) => {
      truncateSync(path, statSync(path).size - 4096);
    },
  ],
  [
    'cut in the middle of a page',
    (path) => {
      truncateSync(path, 4096 + 100);
    },
  ],
];

test.each(damages)('precious, %s: it is set aside byte for byte, and a new one begun', async (_what, damage) => {
  const path = pathOf();
  await write(path, precious(first), ...Array.from({ length: 500 }, (_, place) => `note ${place} ${'x'.repeat(50)}`));
  damage(path);
  const bytes = readFileSync(path);
  const { database, replaced } = await openOrReplace(path, precious(first), now);
  expect(replaced).toBe(`${path}.damaged-2025-06-01T12-00-00.000Z`);
  expect(readFileSync(replaced ?? '').equals(bytes)).toBe(true);
  expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
  database.close();
  // Damaged again at the same moment, as a clock may tell it: the first one is not overwritten.
  writeFileSync(path, 'damaged once more'.repeat(500));
  const again = await openOrReplace(path, precious(first), now);
  again.database.close();
  expect(readFileSync(replaced ?? '').equals(bytes)).toBe(true);
  expect(
    readdirSync(join(path, '..')).filter((name) => name.includes('.damaged-') && !/-(wal|shm)$/.test(name)),
  ).toHaveLength(2);
});

test.each(damages.slice(0, 2))('disposable, %s: it is begun anew and nothing is set aside', async (_what, damage) => {
  const path = pathOf();
  await write(path, disposable(first), 'copied');
  damage(path);
  const { database, replaced } = await openOrReplace(path, disposable(first), now);
  expect(replaced).toBe('');
  expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
  database.close();
  expect(readdirSync(join(path, '..')).filter((name) => name.includes('damaged'))).toEqual([]);
});

test('damage that shows only later is told as damage', async () => {
  const path = pathOf();
  await write(path, disposable(first), ...Array.from({ length: 500 }, () => 'x'.repeat(50)));
  scribble(path, 4096, 4096);
  const database = await Database.open(path, disposable(first));
  let thrown: unknown = null;
  try {
    database.prepare('SELECT * FROM notes').all();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ isDamage: true, failure: { kind: 'storageFailed' } });
  database.close();
});

test('an integer that no number can hold, which no row of ours has, is told as damage', async () => {
  const database = await Database.open(pathOf(), precious(first));
  database.exec("INSERT INTO notes VALUES (9223372036854775807, 'altered')");
  const ids = database.prepare('SELECT id FROM notes');
  const asks: (() => unknown)[] = [() => ids.get(), () => ids.all(), () => database.transaction(() => ids.all())];
  for (const ask of asks) {
    await expect(Promise.resolve().then(ask)).rejects.toMatchObject({
      isDamage: true,
      failure: { kind: 'storageFailed' },
    });
  }
  // A mistake in the program stays one.
  expect(() => database.transaction(() => Buffer.alloc(1).readUInt8(5))).toThrow(RangeError);
  expect(() => database.transaction(() => Buffer.alloc(1).readUInt8(5))).not.toThrow(StorageError);
  database.close();
});

test('what a killed process committed is read from its log, though the file itself was never written to', async () => {
  const path = pathOf();
  const database = await Database.open(path, disposable(first));
  database.prepare('INSERT INTO notes (text) VALUES (?)').run('kept');
  const copy = pathOf();
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  database.close();
  expect(await read(copy, disposable(first))).toEqual([{ id: 1, text: 'kept' }]);
});

test('a transaction is kept whole or not at all, nested or not', async () => {
  const database = await Database.open(pathOf(), precious(first));
  const insert = database.prepare('INSERT INTO notes (text) VALUES (?)');
  expect(() =>
    database.transaction(() => {
      insert.run('one');
      database.transaction(() => {
        insert.run('two');
      });
      throw new Error('a bug');
    }),
  ).toThrow('a bug');
  expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
  expect(database.transaction(() => insert.run('three').lastId)).toBe(1);
  database.close();
});

test('a full disk is storageFull, rolls back whole, and can be used again when there is room', async () => {
  const database = await Database.open(pathOf(), precious(first));
  const insert = database.prepare('INSERT INTO notes (text) VALUES (?)');
  insert.run('kept');
  database.exec('PRAGMA max_page_count = 10');
  let thrown: unknown = null;
  try {
    database.transaction(() => {
      for (let count = 0; count < 1_000; count += 1) {
        insert.run('x'.repeat(1_000));
      }
    });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ failure: { kind: 'storageFull' }, isDamage: false });
  expect(database.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'kept' }]);
  database.exec('PRAGMA max_page_count = 1000000');
  insert.run('after');
  expect(database.prepare('SELECT count(*) AS total FROM notes').get()).toEqual({ total: 2 });
  database.close();
});

test('a folder that is not there is storageFailed, which is no damage', async () => {
  const path = join(temporaryDirectory(), 'missing', 'notes.db');
  expect(await failureOfOpening(Database.open(path, precious(first)))).toMatchObject({
    failure: { kind: 'storageFailed' },
    isDamage: false,
  });
});

test('a mistake in SQL is a failure, not damage', async () => {
  const database = await Database.open(pathOf(), precious(first));
  let thrown: unknown = null;
  try {
    database.prepare('SELECT nothing FROM nowhere');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ isDamage: false, failure: { kind: 'storageFailed' } });
  database.close();
});

test('what memory believes of a write is undone with it, the newest first, and of one that is kept never', async () => {
  const database = await Database.open(pathOf(), precious(first));
  const undone: string[] = [];
  const believe = (name: string): void => database.ifRolledBack(() => undone.push(name));
  believe('without a transaction');
  database.transaction(() => believe('kept'));
  expect(() =>
    database.transaction(() => {
      believe('one');
      database.transaction(() => believe('within'));
      throw new Error('no room');
    }),
  ).toThrow('no room');
  database.transaction(() => believe('after'));
  expect(undone).toEqual(['within', 'one']);
  database.close();
});

test('what was thrown is explained by damage also where that keeps the file from being looked through', async () => {
  const path = pathOf();
  await write(path, disposable(first), 'kept');
  const database = await Database.open(path, disposable(first));
  database.exec('PRAGMA shrink_memory');
  writeFileSync(path, Buffer.alloc(100, 7), { flag: 'r+' });
  expect(database.explain(new RangeError('thrown'))).toMatchObject({ isDamage: true });
  database.close();
});

test('a file that explains nothing is looked through once', async () => {
  const path = pathOf();
  await write(path, disposable(first), 'kept');
  const database = await Database.open(path, disposable(first));
  const looks = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const thrown = new RangeError('thrown');
  expect([database.explain(thrown), database.explain(thrown)]).toEqual([thrown, thrown]);
  expect(looks).toHaveBeenCalledTimes(1);
  looks.mockRestore();
  database.close();
});
