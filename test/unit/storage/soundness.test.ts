import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { faultOfLog } from '../../../app/storage/soundness.ts';
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
