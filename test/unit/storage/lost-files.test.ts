// The proof that a database that is gone or emptied is read from its log, or told, and that nothing of it is deleted; and
// that one whose making was cut off is neither.
import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { Database, type DatabaseOptions } from '../../../app/storage/database.ts';
import { openOrReplace } from '../../../app/storage/recover.ts';
import { faultOfLog } from '../../../app/storage/soundness.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const migrations = [{ version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT' }];
const options: DatabaseOptions = { kind: 'precious', migrations };
const first: DatabaseOptions = { ...options, madeBefore: /^later/ };
const now = Date.UTC(2026, 0, 5);
const asideName = 'notes.db.damaged-2026-01-05T00-00-00.000Z';

/** With 200 rows, of which the log has those from the given one on. */
async function cutWithLogFrom(from: number): Promise<string> {
  const [path, cut] = [join(temporaryDirectory(), 'notes.db'), join(temporaryDirectory(), 'notes.db')];
  const database = await Database.open(path, options);
  const insert = database.prepare('INSERT INTO notes (text) VALUES (?)');
  for (let number = 0; number < 200; number += 1) {
    if (number > 0 && number === from) {
      database.checkpoint();
    }
    insert.run('kept'.padEnd(500, '.'));
  }
  copyFileSync(path, cut);
  copyFileSync(`${path}-wal`, `${cut}-wal`);
  database.close();
  return cut;
}

async function open(path: string, how = options): Promise<{ replaced: string | null; count: unknown }> {
  const { database, replaced } = await openOrReplace(path, how, now);
  const count = database.prepare('SELECT count(*) AS count FROM notes').get()?.['count'];
  database.close();
  return { replaced, count };
}

const losses: readonly [string, (path: string) => void][] = [
  ['emptied', (path) => truncateSync(path, 0)],
  ['gone', (path) => rmSync(path)],
];

test.each(losses)('%s, beside a log that holds all of it: every row comes back', async (_, lose) => {
  const path = await cutWithLogFrom(0);
  lose(path);
  expect(await open(path)).toEqual({ replaced: null, count: 200 });
});

test.skipIf(process.platform === 'win32')(
  'emptied behind a link, beside such a log or a journal: as without a link',
  async () => {
    const [path, real] = [join(temporaryDirectory(), 'notes.db'), await cutWithLogFrom(0)];
    truncateSync(real, 0);
    symlinkSync(real, path);
    expect(await open(path)).toEqual({ replaced: null, count: 200 });
    // As an older version leaves one that is cut off at its first page.
    truncateSync(real, 0);
    writeFileSync(`${real}-journal`, '');
    expect(await open(path)).toEqual({ replaced: null, count: 0 });
  },
);

test.each(losses)('%s, beside a log of the newest rows: set aside and told, the log byte for byte', async (_, lose) => {
  const path = await cutWithLogFrom(190);
  lose(path);
  const log = readFileSync(`${path}-wal`);
  expect(await open(path)).toEqual({ replaced: join(dirname(path), asideName), count: 0 });
  expect(readFileSync(join(dirname(path), `${asideName}-wal`)).equals(log)).toBe(true);
  expect(readFileSync(join(dirname(path), asideName))).toHaveLength(0);
});

test.each(losses)('%s, beside a log that cannot be read: nothing of it is deleted', async (_, lose) => {
  for (const log of [Buffer.from('x'), Buffer.alloc(10_000, 0xa5)]) {
    const path = await cutWithLogFrom(0);
    lose(path);
    writeFileSync(`${path}-wal`, log);
    expect((await open(path)).replaced).not.toBeNull();
    expect(readFileSync(join(dirname(path), `${asideName}-wal`)).equals(log)).toBe(true);
  }
});

test.each(losses)("%s, beside another database's log: set aside", async (_, lose) => {
  const path = await cutWithLogFrom(0);
  lose(path);
  const other = join(temporaryDirectory(), 'other.db');
  const database = new DatabaseSync(other);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE other (id INTEGER PRIMARY KEY)');
  copyFileSync(`${other}-wal`, `${path}-wal`);
  database.close();
  expect(await open(path)).toEqual({ replaced: join(dirname(path), asideName), count: 0 });
});

test('looking at the log alone deletes nothing', async () => {
  const path = await cutWithLogFrom(190);
  truncateSync(path, 0);
  const log = readFileSync(`${path}-wal`);
  expect(faultOfLog(path, 100)).not.toBeNull();
  expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
});

test.each(losses)('%s, without a log, beside what was made after it: told', async (_, lose) => {
  const path = await cutWithLogFrom(0);
  lose(path);
  rmSync(`${path}-wal`);
  writeFileSync(join(dirname(path), 'later.db'), '');
  expect(await open(path, first)).toEqual({ replaced: join(dirname(path), asideName), count: 0 });
  expect(existsSync(join(dirname(path), asideName))).toBe(true);
  expect(await open(path, first)).toEqual({ replaced: null, count: 0 });
});

test.each(losses)('%s, beside nothing but what was made before it: a first start', async (_, lose) => {
  const path = await cutWithLogFrom(0);
  lose(path);
  rmSync(`${path}-wal`);
  writeFileSync(join(dirname(path), 'earlier.db'), '');
  expect(await open(path, first)).toEqual({ replaced: null, count: 0 });
});

test('one whose making was cut off, before or within what its log first holds, is made anew in silence', async () => {
  const path = join(temporaryDirectory(), 'notes.db');
  (await Database.open(path, { ...options, migrations: [] })).close();
  const page = readFileSync(path);
  const database = await Database.open(path, options);
  const log = readFileSync(`${path}-wal`);
  database.close();
  for (const length of [0, 20, 32, 5_000, log.length - 1]) {
    const cut = join(temporaryDirectory(), 'notes.db');
    writeFileSync(cut, page);
    writeFileSync(`${cut}-wal`, log.subarray(0, length));
    expect([length, await open(cut, first)]).toEqual([length, { replaced: null, count: 0 }]);
  }
});

test('one that was emptied, and before which nothing is made, is set aside', async () => {
  const path = join(temporaryDirectory(), 'notes.db');
  expect(await open(path)).toEqual({ replaced: null, count: 0 });
  truncateSync(path, 0);
  expect(await open(path)).toEqual({ replaced: join(dirname(path), asideName), count: 0 });
  expect(await open(path)).toEqual({ replaced: null, count: 0 });
});

test('for it stands under its name only once it is a database, wherever its making is cut off', async () => {
  const path = join(temporaryDirectory(), 'notes.db');
  const sizes: (number | undefined)[] = [];
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
    sizes.push(statSync(path, { throwIfNoEntry: false })?.size);
    throw new Error('cut off');
  });
  await expect(Database.open(path, options)).rejects.toThrow('cut off');
  exec.mockRestore();
  expect(sizes).toEqual([undefined]);
  expect(readdirSync(dirname(path))).toEqual([]);
  writeFileSync(`${path}.new`, 'left there by a start that was cut off');
  expect(await open(path)).toEqual({ replaced: null, count: 0 });
  expect(readdirSync(dirname(path))).toEqual(['notes.db']);
});
