import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Database } from '../../../app/storage/database.ts';
import { openOrReplace } from '../../../app/storage/recover.ts';
import { faultOfLog } from '../../../app/storage/soundness.ts';
import { queueOptions } from '../../../app/terminal/workspace/queue-migrations.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';

/** A file whose log has one page that the file lacks. */
function fileWithLog(): { readonly file: Buffer; readonly log: Buffer } {
  const folder = makeTemporaryDirectory();
  const path = join(folder.path, 'a.db');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA user_version = 3; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
  const copied = { file: readFileSync(path), log: readFileSync(`${path}-wal`) };
  database.close();
  folder.remove();
  return copied;
}

const whole = fileWithLog();
const cutOff: [string, Buffer][] = [
  ...[1, 31, 32, 33, 56, 32 + 24 + 4095].map((length): [string, Buffer] => [
    `after ${length} bytes`,
    whole.log.subarray(0, length),
  ]),
  ...[0, 1, 3, 8, 17, 24, 31].map((place): [string, Buffer] => {
    const log = Buffer.from(whole.log);
    log.writeUInt8(log.readUInt8(place) ^ 4, place);
    return [`in a sector that bears another byte ${place}`, log];
  }),
];

// SQLite takes ten seconds for some of these, and then refuses the file.
test.each(cutOff)('a log that a power cut has spoilt %s is passed over, and is no fault of the file', (_, log) => {
  const path = join(temporaryDirectory(), 'b.db');
  writeFileSync(path, whole.file);
  writeFileSync(`${path}-wal`, log);
  expect(faultOfLog(path, 100)).toBeNull();
});

test('a log of another file is a fault', () => {
  const path = join(temporaryDirectory(), 'c.db');
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 4; CREATE TABLE t (x)');
  newer.close();
  writeFileSync(`${path}-wal`, whole.log);
  expect(faultOfLog(path, 100)).toContain('not its own');
});

const migrations = [
  { version: 1, sql: 'CREATE TABLE t (state TEXT NOT NULL, seen INTEGER) STRICT; CREATE INDEX t_state ON t (state)' },
] as const;
const options = { ...queueOptions, migrations };

/** The file, closed, and its log before that. */
async function after(path: string, sql: string): Promise<{ readonly file: Buffer; readonly log: Buffer }> {
  const database = await Database.open(path, options);
  database.exec(sql);
  const log = readFileSync(`${path}-wal`);
  database.close();
  return { file: readFileSync(path), log };
}

test.each<[string, (path: string) => Promise<Buffer>]>([
  [
    'a failing disk',
    async (path) => {
      const { file } = await after(path, "INSERT INTO t VALUES ('pending', 0)");
      file.write('failing', file.lastIndexOf('pending'));
      return file;
    },
  ],
  [
    'a log of later, beside a file that was put back',
    async (path) => {
      const { file } = await after(path, "INSERT INTO t VALUES ('pending', 0)");
      await after(path, "UPDATE t SET state = 'sent'");
      const { log } = await after(path, 'UPDATE t SET seen = 1');
      writeFileSync(`${path}-wal`, log);
      return file;
    },
  ],
])('an index that lacks rows of its table by %s is damage, set aside as it was', async (_what, damage) => {
  const path = join(temporaryDirectory(), 'd.db');
  const file = await damage(path);
  writeFileSync(path, file);
  const { database, replaced } = await openOrReplace(path, options, 0);
  database.close();
  expect(replaced).toContain('d.db.damaged-');
  expect(readFileSync(replaced ?? '').equals(file)).toBe(true);
});
