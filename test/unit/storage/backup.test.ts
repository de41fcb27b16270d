// The proof that what lies beside a database, under a name that is to be used, is never taken for its damage.
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Database, type DatabaseOptions, type Migration } from '../../../app/storage/database.ts';
import { freeName, freshName } from '../../../app/storage/names-beside.ts';
import { openOrReplace } from '../../../app/storage/recover.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const pending = 3_000;
const first: Migration = { version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT' };
const second: Migration = { version: 2, sql: "ALTER TABLE notes ADD COLUMN colour TEXT NOT NULL DEFAULT 'plain'" };
const options = (...migrations: Migration[]): DatabaseOptions => ({ kind: 'precious', migrations });

async function formerVersion(): Promise<string> {
  const path = join(temporaryDirectory(), 'notes.db');
  const database = await Database.open(path, options(first));
  const insert = database.prepare("INSERT INTO notes (text) VALUES ('waits')");
  database.transaction(() => {
    for (let count = 0; count < pending; count += 1) {
      insert.run();
    }
  });
  database.close();
  return path;
}

function countIn(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return {
      ...database.prepare('SELECT count(*) AS rows FROM notes').get(),
      ...database.prepare('PRAGMA user_version').get(),
    };
  } finally {
    database.close();
  }
}

function makeFolder(place: string): void {
  mkdirSync(place);
}

const leftovers: readonly (readonly [string, (place: string) => void, string])[] = [
  ['nothing', () => undefined, ''],
  ['a damaged database', (place) => writeFileSync(place, 'no database at all '.repeat(500)), ''],
  ['a database cut off after its head', (place) => writeFileSync(place, 'SQLite format 3\0'.padEnd(100, 'x')), ''],
  ['a folder', makeFolder, '-2'],
  [
    'a folder with a file in it',
    (place) => {
      mkdirSync(place);
      writeFileSync(join(place, 'kept'), '');
    },
    '-2',
  ],
  ['a link into nowhere', (place) => symlinkSync(join(dirname(place), 'nowhere'), place), ''],
  ['a damaged half of a copy', (place) => writeFileSync(`${place}.new`, 'half'.repeat(5_000)), ''],
  ['a folder for half of a copy', (place) => mkdirSync(`${place}.new`), ''],
  [
    'a journal that belongs to no file',
    (place) => {
      writeFileSync(`${place}-journal`, 'journal'.repeat(500));
      writeFileSync(`${place}.new-journal`, 'journal'.repeat(500));
      writeFileSync(`${place}.new-wal`, 'log'.repeat(500));
    },
    '',
  ],
];

test.skipIf(process.platform === 'win32').each(leftovers)(
  'under the name of the backup lies %s: the source is sound, migrated and backed up whole',
  async (_what, leave, suffix) => {
    const path = await formerVersion();
    leave(`${path}.before-2`);
    const { database, replaced } = await openOrReplace(path, options(first, second), 0);
    database.close();
    expect(replaced).toBeNull();
    expect(countIn(path)).toEqual({ rows: pending, user_version: 2 });
    expect(countIn(`${path}.before-2${suffix}`)).toEqual({ rows: pending, user_version: 1 });
    expect(readdirSync(dirname(path)).filter((name) => name.includes('damaged'))).toEqual([]);
    expect(existsSync(join(dirname(path), 'nowhere'))).toBe(false);
  },
);

test('where no backup can be made, the start is refused and nothing of the source is touched', async () => {
  const path = await formerVersion();
  for (let count = 1; count <= 100; count += 1) {
    mkdirSync(`${path}.before-2.new${count === 1 ? '' : `-${count}`}`);
  }
  const before = readFileSync(path);
  await expect(openOrReplace(path, options(first, second), 0)).rejects.toMatchObject({
    isDamage: false,
    failure: { kind: 'storageFailed' },
  });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dirname(path)).filter((name) => name.includes('damaged'))).toEqual([]);
});

test('a damaged file is set aside beside a folder of that name, and its log with it', async () => {
  const path = await formerVersion();
  writeFileSync(path, 'no database at all '.repeat(500));
  mkdirSync(`${path}.damaged-1970-01-01T00-00-00.000Z`);
  const { database, replaced } = await openOrReplace(path, options(first), 0);
  database.close();
  expect(replaced).toBe(`${path}.damaged-1970-01-01T00-00-00.000Z-2`);
  expect(readFileSync(replaced ?? '', 'utf8')).toContain('no database');
});

test('a free name is one that nothing bears, a fresh one may be that of a leftover', () => {
  const wanted = join(temporaryDirectory(), 'name');
  writeFileSync(`${wanted}-wal`, '');
  expect(freeName(wanted)).toBe(`${wanted}-2`);
  expect(freshName(wanted)).toBe(wanted);
  expect(existsSync(`${wanted}-wal`)).toBe(false);
  mkdirSync(wanted);
  expect([freeName(wanted), freshName(wanted)]).toEqual([`${wanted}-2`, `${wanted}-2`]);
});
