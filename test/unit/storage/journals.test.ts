// The proof that a rollback journal beside a database is played into it only where it can be its own.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Database, type DatabaseOptions } from '../../../app/storage/database.ts';
import { openOrReplace } from '../../../app/storage/recover.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const migrations = [{ version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT' }];
const kinds = ['precious', 'disposable'] as const;
const rows = 200;
const pageBytes = 4096;

/** As a power cut leaves it: one transaction of a database in rollback mode, half written, and its journal. */
function cutInRollbackMode(): { readonly file: Buffer; readonly journal: Buffer } {
  const path = join(temporaryDirectory(), 'other.db');
  const database = new DatabaseSync(path);
  database.exec(`${migrations[0]?.sql ?? ''}; PRAGMA user_version = 1; PRAGMA cache_size = 5`);
  const fill = database.prepare('INSERT INTO notes (text) VALUES (?)');
  for (let number = 0; number < rows; number += 1) {
    fill.run('before'.padEnd(1000, '.'));
  }
  database.exec("BEGIN; UPDATE notes SET text = replace(text, 'before', 'after!')");
  const cut = { file: readFileSync(path), journal: readFileSync(`${path}-journal`) };
  database.exec('ROLLBACK');
  database.close();
  expect(cut.file.includes('after!')).toBe(true);
  return cut;
}

async function write(path: string, kind: DatabaseOptions['kind']): Promise<Database> {
  const database = await Database.open(path, { kind, migrations });
  const insert = database.prepare('INSERT INTO notes (text) VALUES (?)');
  database.transaction(() => {
    for (let number = 0; number < rows; number += 1) {
      insert.run('kept');
    }
  });
  return database;
}

async function textsIn(path: string, kind: DatabaseOptions['kind']): Promise<unknown> {
  const { database, replaced } = await openOrReplace(path, { kind, migrations }, Date.UTC(2026, 0, 5));
  const texts = database.prepare('SELECT substr(text, 1, 6) AS text, count(*) AS count FROM notes GROUP BY 1').all();
  database.close();
  return { replaced, texts };
}

const kept = { replaced: null, texts: [{ text: 'kept', count: rows }] };
const asides = (path: string): readonly string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.includes('journal'))
    .toSorted();

test.each(kinds)("%s: another database's journal is moved aside, whatever lies there, and not played", async (kind) => {
  const { journal } = cutInRollbackMode();
  const path = join(temporaryDirectory(), 'notes.db');
  (await write(path, kind)).close();
  for (const aside of ['notes.db.foreign-journal', 'notes.db.foreign-2-journal']) {
    writeFileSync(`${path}-journal`, journal);
    const bytes = readFileSync(path);
    expect(await textsIn(path, kind)).toEqual(kept);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readFileSync(join(dirname(path), aside)).equals(journal)).toBe(true);
  }
  expect(asides(path)).toEqual(['notes.db.foreign-2-journal', 'notes.db.foreign-journal']);
});

/** What is at the end of a journal of a transaction over several databases: the name of the one for all of them. */
function endNaming(file: string): Buffer {
  const name = Buffer.from(file);
  const end = Buffer.alloc(4 + name.length + 16);
  // The page of the bytes that are locked, which no database has.
  end.writeUInt32BE(0x40_00_00_00 / pageBytes + 1, 0);
  name.copy(end, 4);
  end.writeUInt32BE(name.length, 4 + name.length);
  end.writeUInt32BE(
    [...name].reduce((sum, byte) => sum + byte, 0),
    8 + name.length,
  );
  end.write('d9d505f920a163d7', 12 + name.length, 'hex');
  return end;
}

// SQLite 3.51.3 deletes the file of that name, whatever it is (https://sqlite.org/fileformat2.html#the_rollback_journal).
test.each(kinds)('%s: nor one that names another file, also where the database is in rollback mode', async (kind) => {
  const { file, journal } = cutInRollbackMode();
  for (const isLink of process.platform === 'win32' ? [false] : [false, true]) {
    const [path, elsewhere] = [join(temporaryDirectory(), 'notes.db'), join(temporaryDirectory(), 'other.db')];
    // SQLite looks for the journal beside what a link leads to.
    const real = isLink ? elsewhere : path;
    const name = join(dirname(path), 'of the user');
    writeFileSync(name, 'kept');
    writeFileSync(real, file);
    writeFileSync(`${real}-journal`, Buffer.concat([journal, endNaming(name)]));
    if (isLink) {
      symlinkSync(real, path);
    }
    await textsIn(path, kind);
    expect(asides(real)).toEqual([`${basename(real)}.foreign-journal`]);
    expect(readFileSync(name, 'utf8')).toBe('kept');
  }
});

test.skipIf(process.platform === 'win32').each(kinds)(
  '%s: one that cannot be read is moved aside from a database in its usual mode',
  async (kind) => {
    const path = join(temporaryDirectory(), 'notes.db');
    (await write(path, kind)).close();
    mkdirSync(`${path}-journal`);
    expect(await textsIn(path, kind)).toEqual(kept);
    expect(asides(path)).toEqual(['notes.db.foreign-journal']);
  },
);

test.each(kinds)('%s: nor into a database of which all but the first page is still in its log', async (kind) => {
  const { journal } = cutInRollbackMode();
  const [path, cut] = [join(temporaryDirectory(), 'notes.db'), join(temporaryDirectory(), 'notes.db')];
  const database = await write(path, kind);
  copyFileSync(path, cut);
  copyFileSync(`${path}-wal`, `${cut}-wal`);
  database.close();
  expect(readFileSync(cut)).toHaveLength(pageBytes);
  writeFileSync(`${cut}-journal`, journal);
  expect(await textsIn(cut, kind)).toEqual(kept);
  expect(asides(cut)).toEqual(['notes.db.foreign-journal']);
});

test('what is damaged is set aside as it was, and no journal played into it before', async () => {
  const { journal } = cutInRollbackMode();
  const path = join(temporaryDirectory(), 'notes.db');
  const bytes = Buffer.from('no database at all, '.repeat(1000));
  writeFileSync(path, bytes);
  writeFileSync(`${path}-journal`, journal);
  const { replaced } = (await textsIn(path, 'precious')) as { readonly replaced: string };
  expect(readFileSync(replaced).equals(bytes)).toBe(true);
});

test.each(kinds)('%s: one whose making was cut off, with its own journal, is made anew', async (kind) => {
  const path = join(temporaryDirectory(), 'notes.db');
  (await Database.open(path, { kind, migrations: [] })).close();
  // As SQLite has them while it switches a new file to WAL: https://sqlite.org/fileformat2.html#the_rollback_journal
  const journal = Buffer.alloc(512);
  journal.write('d9d505f920a163d7', 'hex');
  journal.writeUInt32BE(512, 20);
  journal.writeUInt32BE(pageBytes, 24);
  for (const length of [0, 512, pageBytes]) {
    const cut = join(temporaryDirectory(), 'notes.db');
    copyFileSync(path, cut);
    truncateSync(cut, length);
    writeFileSync(`${cut}-journal`, journal);
    expect([length, await textsIn(cut, kind)]).toEqual([length, { replaced: null, texts: [] }]);
    expect(asides(cut)).toEqual([]);
  }
});

test.each(kinds)('%s: a file in rollback mode takes back by its own journal what was half written', async (kind) => {
  const { file, journal } = cutInRollbackMode();
  const path = join(temporaryDirectory(), 'notes.db');
  writeFileSync(path, file);
  writeFileSync(`${path}-journal`, journal);
  expect(await textsIn(path, kind)).toEqual({ replaced: null, texts: [{ text: 'before', count: rows }] });
  expect(existsSync(`${path}-journal`)).toBe(false);
});
