// A shop's SQLite file, which a thread of its own asks.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { connectSqlite } from '../../../app/bridge/sources/sql/sqlite.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

function makeFile(): string {
  const path = join(temporaryDirectory(), 'shop.db');
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE item (sku TEXT, coupon INTEGER); INSERT INTO item VALUES ('CAFE-1', 0)");
  database.close();
  return path;
}

function open(path: string, timeoutMs?: number) {
  const connection = connectSqlite(path, timeoutMs);
  onTestFinished(() => connection.close());
  return connection;
}

const read = 'SELECT coupon FROM item WHERE sku = :product';
const long = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000000)
  SELECT count(*) AS amount FROM n WHERE :product > ''`;
const set = 'UPDATE item SET coupon = :enabled WHERE sku = :product';
const product = { product: 'CAFE-1' };

it('a question that takes long is an error, holds up nobody else, and is over when SQLite is', async () => {
  const connection = open(makeFile(), 300);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 10);
  onTestFinished(() => clearInterval(timer));
  const asked = connection.read(long, product);
  const after = connection.read(read, product);
  await expect(asked).rejects.toThrow('it takes longer than 300 ms');
  await expect(after).rejects.toThrow('the questions before it take too long');
  expect(turns).toBeGreaterThan(5);
  await expect
    .poll(() => connection.read(read, product).catch((error: unknown) => error), { timeout: 20_000 })
    .toEqual([{ coupon: 0n }]);
});

it('answers in the order of the questions, and tells what is wrong with one of them alone', async () => {
  const connection = open(makeFile());
  const asked = [
    connection.read(read, product),
    connection.read('SELECT 1 FROM saldo', {}),
    connection.write(set, { ...product, enabled: true }),
    connection.read(read, product),
  ];
  expect(
    (await Promise.allSettled(asked)).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
  ).toEqual([[{ coupon: 0n }], 'Error: no such table: saldo', 1, [{ coupon: 1n }]]);
});

it('reads by a SELECT, WITH or VALUES alone: VACUUM INTO writes a file, and ATTACH reads another', async () => {
  const connection = open(makeFile());
  const target = join(temporaryDirectory(), 'written.db');
  for (const sql of [`VACUUM INTO '${target}'`, `ATTACH '${target}' AS other`, '/* SELECT */ PRAGMA user_version']) {
    await expect(connection.read(sql, {}), sql).rejects.toThrow('it is to read only');
  }
  expect(existsSync(target)).toBe(false);
});

it('refuses a second statement, which SQLite would pass over, and no comment', async () => {
  const connection = open(makeFile());
  expect(await connection.read(`${read};; -- the coupon /* of one */`, product)).toEqual([{ coupon: 0n }]);
  await expect(connection.write(`${set}; DELETE FROM item`, { ...product, enabled: true })).rejects.toThrow(
    'it is more than one statement',
  );
  expect(() => connection.check(`${set}; DELETE FROM item`, {})).toThrow('it is more than one statement');
  expect(await connection.read(read, product)).toEqual([{ coupon: 0n }]);
});

it('goes on where the file was away for a while', async () => {
  const path = makeFile();
  const connection = open(path);
  renameSync(path, `${path}.away`);
  for (const attempt of [1, 2]) {
    await expect(connection.read(read, product), String(attempt)).rejects.toThrow('unable to open database file');
  }
  await expect(connection.write(set, { ...product, enabled: true })).rejects.toThrow('unable to open database file');
  expect(existsSync(path)).toBe(false);
  renameSync(`${path}.away`, path);
  expect(await connection.read(read, product)).toEqual([{ coupon: 0n }]);
});

it('asks the file that lies there now, where a compaction or a restore has put another in its place', async () => {
  const path = makeFile();
  const connection = open(path);
  const streamed = async (): Promise<unknown> => {
    for await (const rows of connection.stream('SELECT coupon FROM item')) {
      return rows;
    }
    return null;
  };
  expect([await connection.read(read, product), await streamed()]).toEqual([[{ coupon: 0n }], [{ coupon: 0n }]]);
  const other = makeFile();
  const shop = new DatabaseSync(other);
  shop.exec('UPDATE item SET coupon = 1');
  shop.close();
  renameSync(other, path);
  expect([await connection.read(read, product), await streamed()]).toEqual([[{ coupon: 1n }], [{ coupon: 1n }]]);
});

it('asks the file that was copied over the one before, though both were written by as many changes', async () => {
  const [path, other] = [makeFile(), makeFile()];
  const shop = new DatabaseSync(other);
  shop.exec('UPDATE item SET coupon = 1');
  shop.close();
  const before = new DatabaseSync(path);
  before.exec('UPDATE item SET coupon = 0');
  before.close();
  const connection = open(path);
  expect(await connection.read(read, product)).toEqual([{ coupon: 0n }]);
  copyFileSync(other, path);
  expect(await connection.read(read, product)).toEqual([{ coupon: 1n }]);
});

it('takes the last of two columns of one name, and each value as it is', async () => {
  const values = "NULL AS a, 1.5 AS b, 'x' AS c, x'00' AS d, 71 AS e";
  const rows: unknown[] = [];
  for await (const batch of open(makeFile()).stream(`SELECT coupon, *, ${values}, 7 AS coupon FROM item; -- end`)) {
    rows.push(...batch);
  }
  expect(rows).toEqual([{ coupon: 7n, sku: 'CAFE-1', a: null, b: 1.5, c: 'x', d: new Uint8Array(1), e: 71n }]);
});

it('lets the shop write while what was read is worked on', async () => {
  const path = makeFile();
  const shop = new DatabaseSync(path, { timeout: 0 });
  onTestFinished(() => shop.close());
  shop.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO item SELECT 'SKU-' || i, i FROM n`);
  let rows = 0;
  for await (const batch of open(path).stream('SELECT sku, coupon FROM item;')) {
    rows += batch.length;
    shop.exec('UPDATE item SET coupon = coupon + 1');
  }
  expect(rows).toBe(5001);
  expect(shop.prepare("SELECT coupon FROM item WHERE sku = 'CAFE-1'").get()).toEqual({ coupon: 6 });
});

it('a check says that the file cannot be written', async () => {
  const path = makeFile();
  await open(path).check(set, { ...product, enabled: true });
  // Who may write is told by the header as well; root is stopped by nothing else.
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.from([3]), 0, 1, 18);
  closeSync(file);
  const connection = open(path);
  expect(await connection.read(read, product)).toEqual([{ coupon: 0n }]);
  expect(() => connection.check(set, { ...product, enabled: true })).toThrow('attempt to write a readonly database');
});

/** In the place of this process, which a pipe would hold up as well. */
function runApart(lines: string) {
  const of = (name: string): string =>
    JSON.stringify(new URL(`../../../app/bridge/sources/sql/${name}.ts`, import.meta.url));
  const script = `const { execFileSync } = await import('node:child_process');
    const { openFile } = await import(${of('sqlite-file')});
    const { connectSqlite } = await import(${of('sqlite')});
    ${lines}`;
  const options = { timeout: 10_000, encoding: 'utf8' } as const;
  const { signal, stderr } = spawnSync(process.execPath, ['-e', script], options);
  expect(signal).toBeNull();
  return stderr;
}

it.runIf(process.platform !== 'win32').each(['', '-journal', '-wal'])(
  'a pipe in the place of its file%s is refused, and waited for by nobody',
  (suffix) => {
    const path = makeFile();
    const link = join(temporaryDirectory(), 'link.db');
    symlinkSync(path, link);
    renameSync(path, `${path}.away`);
    if (suffix !== '') {
      renameSync(`${path}.away`, path);
    }
    execFileSync('mkfifo', [path + suffix]);
    for (const named of [path, link]) {
      expect(runApart(`openFile(${JSON.stringify(named)}).prepare('SELECT * FROM item').all()`)).toContain(
        `${realpathSync(path)}${suffix} is no file`,
      );
    }
  },
);

it.runIf(process.platform !== 'win32')(
  'a pipe that comes in the place of its journal later holds up no question',
  () => {
    const path = JSON.stringify(makeFile());
    const problem = runApart(`const connection = connectSqlite(${path});
    const ask = () => connection.read(${JSON.stringify(read)}, ${JSON.stringify(product)});
    await ask();
    execFileSync('mkfifo', [${path} + '-journal']);
    await ask().catch((error) => console.error(error.message));
    process.exit();`);
    expect(problem).toContain('-journal is no file');
  },
);
