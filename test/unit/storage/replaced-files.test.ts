// A precious file in whose place another lies, or none, while it is open.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Database, type DatabaseOptions } from '../../../app/storage/database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const options: DatabaseOptions = {
  kind: 'precious',
  migrations: [{ version: 1, sql: 'CREATE TABLE notes (text TEXT NOT NULL) STRICT' }],
};

// Windows lets nobody move a file that is open.
test.skipIf(process.platform === 'win32').each<[string, (path: string) => void]>([
  ['a backup lies', (path) => renameSync(`${path}.backup`, path)],
  ['nothing lies', () => undefined],
])('nothing is kept where %s in the place of an open file: no start would find it', async (_what, replace) => {
  const path = join(temporaryDirectory(), 'notes.db');
  (await Database.open(path, options)).close();
  copyFileSync(path, `${path}.backup`);
  const database = await Database.open(path, options);
  const insert = database.prepare("INSERT INTO notes VALUES ('kept')");
  insert.run();
  renameSync(path, `${path}.away`);
  replace(path);
  const refused = expect.objectContaining({ failure: expect.objectContaining({ kind: 'storageFailed' }) as unknown });
  expect(() => insert.run()).toThrow(refused);
  expect(() => database.transaction(() => insert.run())).toThrow(refused);
  expect(() => database.tryWriting()).toThrow('is not the file any more');
  expect(database.prepare('SELECT * FROM notes').all()).toHaveLength(1);
  rmSync(path, { force: true });
  renameSync(`${path}.away`, path);
  insert.run();
  expect(database.prepare('SELECT * FROM notes').all()).toHaveLength(2);
  database.close();
});

// Until it is closed SQLite writes into the log that it has open; a killed process leaves nothing of that.
test.skipIf(process.platform === 'win32').each<[string, (log: string) => void]>([
  ['another lies', (log) => copyFileSync(`${log}.away`, log)],
  ['nothing lies', () => undefined],
])('nothing is kept where %s in the place of its log', async (_what, replace) => {
  const path = join(temporaryDirectory(), 'notes.db');
  const log = `${path}-wal`;
  const database = await Database.open(path, options);
  const insert = database.prepare("INSERT INTO notes VALUES ('kept')");
  insert.run();
  renameSync(log, `${log}.away`);
  replace(log);
  expect(() => insert.run()).toThrow('is not the file any more');
  rmSync(log, { force: true });
  renameSync(`${log}.away`, log);
  insert.run();
  database.close();
  const again = await Database.open(path, options);
  expect(again.prepare('SELECT * FROM notes').all()).toHaveLength(2);
  again.prepare("INSERT INTO notes VALUES ('kept')").run();
  again.close();
});
