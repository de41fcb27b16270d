// The proof that a file which could only be read when it was opened is written to once it can be, by what had it open.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { countChanges } from '../../../app/storage/change-counter.ts';
import { Database, type DatabaseOptions } from '../../../app/storage/database.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { bareEnvironment } from '../../support/child.ts';
import { refuseLogs } from '../../support/refuse-logs.ts';
import { fileOf, kinds, migrations } from '../../support/notes-file.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';

async function openedToRead(options: DatabaseOptions) {
  const path = await fileOf(options);
  const takeLogs = refuseLogs();
  const database = await Database.open(path, options);
  onTestFinished(() => database.close());
  return { path, database, takeLogs };
}

test.each(kinds)('%s: it is refused as long as it is, and then written to by the same statements', async (kind) => {
  const { path, database, takeLogs } = await openedToRead({ kind, migrations });
  const all = database.prepare<{ text: string }>('SELECT text FROM notes');
  const add = database.prepare('INSERT INTO notes (text) VALUES (?)');
  const changed = countChanges(database, 'notes');
  expect(() => database.tryWriting()).toThrow('unable to open');
  expect(() => database.transaction(() => add.run('refused'))).toThrow('unable to open');
  expect(all.all()).toEqual([{ text: 'kept' }]);
  takeLogs();
  database.tryWriting();
  database.transaction(() => add.run('taken'));
  expect([all.all(), changed()]).toEqual([[{ text: 'kept' }, { text: 'taken' }], 1]);
  // Closing what it was read by has let go of no lock.
  const program = `const { DatabaseSync } = require('node:sqlite');
    try { new DatabaseSync(process.argv[1]).exec('SELECT 1 FROM notes'); } catch (error) { console.log(error.message); }`;
  const env = { ...bareEnvironment(), NODE_NO_WARNINGS: '1' };
  const said = execFileSync(process.execPath, ['--eval', program, path], { env, encoding: 'utf8' });
  expect(said.trim()).toBe(process.platform === 'win32' && kind === 'disposable' ? '' : 'database is locked');
});

test.each(kinds)('%s: one that another program has written to since is written to after a new start', async (kind) => {
  for (const change of [
    (path: string) => utimesSync(path, 0, 0),
    (path: string) => appendFileSync(`${path}-wal`, 'a log'),
  ]) {
    const { path, database, takeLogs } = await openedToRead({ kind, migrations });
    takeLogs();
    change(path);
    expect(() => database.tryWriting()).toThrow('start Tillside again');
    expect(database.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'kept' }]);
  }
});

test('nobody waits at each write while another program holds it', async () => {
  const { path, database, takeLogs } = await openedToRead({ kind: 'precious', migrations });
  takeLogs();
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const began = performance.now();
  expect(() => database.tryWriting()).toThrow('locked');
  expect(performance.now() - began).toBeLessThan(500);
  other.exec('COMMIT');
  other.close();
  rmSync(`${path}-wal`, { force: true });
  database.tryWriting();
  expect(database.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'kept' }]);
});

const isRoot = process.getuid?.() === 0;
/** "nobody": root is bound by no mark. */
const boundUser = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const compiled = makeTemporaryDirectory();
let program = '';
beforeAll(async () => {
  program = await bundleProgram(compiled.path, 'test/support/mark-and-write.ts');
  chmodSync(compiled.path, 0o755);
  return () => compiled.remove();
});

test.skipIf(process.platform === 'win32').each(kinds.flatMap((kind) => ['file', 'folder'].map((what) => [kind, what])))(
  '%s: the mark of its %s is taken away while it is open',
  (kind, what) => {
    const folder = join(temporaryDirectory(), 'of-the-user');
    mkdirSync(folder);
    if (isRoot) {
      chmodSync(dirname(folder), 0o755);
      chownSync(folder, 65_534, 65_534);
    }
    const line = execFileSync(process.execPath, [program, folder, kind ?? '', what ?? ''], {
      ...boundUser,
      env: { ...bareEnvironment(), NODE_NO_WARNINGS: '1' },
      encoding: 'utf8',
    });
    expect(JSON.parse(line)).toEqual({ whileMarked: 'storageFailed', after: ['kept', 'taken'] });
  },
);
