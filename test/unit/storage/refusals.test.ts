// The proof that what a disk refuses is no damage: a sound file is kept, read where it can be, and called by its cause.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Database, type DatabaseOptions } from '../../../app/storage/database.ts';
import { openOrReplace } from '../../../app/storage/recover.ts';
import { bareEnvironment } from '../../support/child.ts';
import { fileOf, kinds, migrations } from '../../support/notes-file.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const isWindows = process.platform === 'win32';

test.skipIf(isWindows).each(kinds)(
  '%s: nothing beside an open file is mapped into the process, so a full disk cannot end it',
  async (kind) => {
    const path = await fileOf({ kind, migrations });
    const database = await Database.open(path, { kind, migrations });
    database.prepare("INSERT INTO notes (text) VALUES ('more')").run();
    expect(readdirSync(dirname(path)).toSorted()).toEqual(['notes.db', 'notes.db-wal']);
    if (process.platform === 'linux') {
      expect(readFileSync('/proc/self/maps', 'utf8')).not.toContain(path);
    }
    database.close();
  },
);

test.skipIf(isWindows)('the look at a log that was left maps nothing either, and leaves nothing behind', async () => {
  const options: DatabaseOptions = { kind: 'precious', migrations };
  const path = await fileOf(options);
  const database = await Database.open(path, options);
  database.prepare("INSERT INTO notes (text) VALUES ('in the log')").run();
  const cut = join(temporaryDirectory(), 'notes.db');
  writeFileSync(cut, readFileSync(path));
  writeFileSync(`${cut}-wal`, readFileSync(`${path}-wal`));
  database.close();
  const again = await Database.open(cut, options);
  expect(again.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'kept' }, { text: 'in the log' }]);
  expect(existsSync(`${cut}-shm`)).toBe(false);
  again.close();
});

test.skipIf(isWindows).each(kinds)(
  '%s: too many open files are no damage, and the file is read again once there are fewer',
  async (kind) => {
    const path = await fileOf({ kind, migrations });
    const url = (name: string): string => pathToFileURL(join(import.meta.dirname, '../../../app/storage', name)).href;
    const program = `
      import { closeSync, openSync } from 'node:fs';
      import { openOrReplace } from ${JSON.stringify(url('recover.ts'))};
      const [path, options] = [${JSON.stringify(path)}, { kind: ${JSON.stringify(kind)}, migrations: ${JSON.stringify(migrations)} }];
      const open = async () => {
        try {
          const { database, replaced } = await openOrReplace(path, options, 0);
          const rows = database.prepare('SELECT text FROM notes').all();
          database.close();
          return { replaced, rows };
        } catch (error) {
          return { failure: error.failure?.kind, isDamage: error.isDamage };
        }
      };
      const told = [await open()];
      const taken = [];
      for (let isFull = false; !isFull; ) {
        try { taken.push(openSync('/dev/null', 'r')); } catch { isFull = true; }
      }
      told.push(await open());
      taken.forEach((file) => closeSync(file));
      told.push(await open());
      console.log(JSON.stringify(told));`;
    const line = execFileSync(
      'sh',
      ['-c', 'ulimit -n 200; exec "$0" --input-type=module -e "$1"', process.execPath, program],
      { encoding: 'utf8', env: { ...bareEnvironment(), NODE_NO_WARNINGS: '1' } },
    );
    const whole = { replaced: null, rows: [{ text: 'kept' }] };
    expect(JSON.parse(line)).toEqual([whole, { failure: 'storageFailed', isDamage: false }, whole]);
  },
);

test.each(kinds)('%s: a folder of its name is no damage', async (kind) => {
  const path = join(temporaryDirectory(), 'notes.db');
  mkdirSync(path);
  await expect(openOrReplace(path, { kind, migrations }, 0)).rejects.toMatchObject({
    isDamage: false,
    failure: { kind: 'storageFailed' },
  });
  expect(readdirSync(dirname(path))).toEqual(['notes.db']);
  rmSync(path, { recursive: true });
  const { database, replaced } = await openOrReplace(path, { kind, migrations }, 0);
  expect(replaced).toBeNull();
  database.tryWriting();
  database.close();
});

test
  .skipIf(isWindows)
  .each(kinds.flatMap((kind) => ['-wal', '-journal', '-shm'].map((suffix) => [kind, suffix] as const)))(
  '%s: a folder where SQLite would lay %s, before a migration too, is no damage and costs nothing',
  async (kind, suffix) => {
    const path = await fileOf({ kind, migrations });
    const newer = [...migrations, { version: 2, sql: 'CREATE TABLE more (text TEXT) STRICT' }];
    mkdirSync(path + suffix);
    const opened = await openOrReplace(path, { kind, migrations: newer }, 0).catch((error: unknown) => error);
    if (opened instanceof Error) {
      expect(opened).toMatchObject({ isDamage: false, failure: { kind: 'storageFailed' } });
    } else {
      const { database, replaced } = opened as Awaited<ReturnType<typeof openOrReplace>>;
      expect(replaced).toBeNull();
      database.close();
    }
    rmSync(path + suffix, { recursive: true, force: true });
    const { database, replaced } = await openOrReplace(path, { kind, migrations: newer }, 0);
    expect([replaced, database.prepare('SELECT text FROM notes').all()]).toEqual([null, [{ text: 'kept' }]]);
    database.close();
  },
);

test('a statement that does not fit the tables is told from what the disk refuses', async () => {
  const path = await fileOf({ kind: 'disposable', migrations });
  const database = await Database.open(path, { kind: 'disposable', migrations });
  let thrown: unknown = null;
  try {
    database.prepare('SELECT nothing FROM nowhere');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ isMisfit: true, isDamage: false });
  database.close();
});
