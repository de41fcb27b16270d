import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { couponsPath, readListing } from '../../support/training-caller.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { idOf, makeShop, noServers, openBridge, queries } from './shop.ts';

const pageBytes = 4096;

test('a damaged copy is made anew at the next start', async () => {
  const folder = temporaryDirectory();
  const { address } = await makeShop('sqlite', folder, noServers, 'damaged');
  const { bridge } = await openBridge(folder, address);
  await bridge.close();
  const path = join(folder, 'bridge', 'snapshot.db');
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - pageBytes), 0, undefined, pageBytes);
  closeSync(file);
  const { caller, log } = await openBridge(folder, address);
  expect(log.join('')).toContain('snapshotDamaged');
  for (const asked of ['', 'term=cafe']) {
    expect(readListing(await caller.list(asked)).elements.length).toBeGreaterThan(0);
  }
});

test.each(['ledger.db', 'ids.db'])(
  'a damaged %s is named where the bridge does not start, and is left as it is',
  async (name) => {
    const folder = temporaryDirectory();
    const { address } = await makeShop('sqlite', folder, noServers, 'lost');
    const { bridge } = await openBridge(folder, address);
    await bridge.close();
    const path = join(folder, 'bridge', name);
    for (const spoil of [
      (): void => writeFileSync(path, Buffer.alloc(pageBytes, 7), { flag: 'r+' }),
      (): void => writeFileSync(path, readFileSync(path).subarray(0, 2 * pageBytes)),
    ]) {
      const whole = readFileSync(path);
      spoil();
      const spoilt = readFileSync(path);
      await expect(openBridge(folder, address)).rejects.toThrow(`${path} is damaged`);
      expect(readFileSync(path)).toEqual(spoilt);
      writeFileSync(path, whole);
    }
    await openBridge(folder, address);
  },
);

test('a row of ledger.db that nobody has written costs no other coupon, and no till its answer', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'rows');
  const source = {
    kind: 'sql',
    database: { env: 'SHOP' },
    queries: { ...queries, products: queries.products.replace('price', 'price, coupon') },
    everySeconds: 86_400,
  };
  const former = await openBridge(folder, shop.address, Date.now, { source });
  await former.bridge.close();
  const ledger = new DatabaseSync(join(folder, 'bridge', 'ledger.db'));
  ledger.exec(`
    INSERT INTO coupon_setting VALUES ('1', 'abc', 1), ('1', '01', 1), ('1', '', 1);
    INSERT INTO coupon_pending VALUES ('QUEIJO-1', 1, -5);
    INSERT INTO kept_answer (client_id, key, status, body) VALUES ('tills', 'key-0', 0, '');
  `);
  ledger.close();
  const opened = await openBridge(folder, shop.address, Date.now, { source });
  const { bridge, caller } = opened;
  const id = await idOf(opened, 'cafe-1');
  expect((await caller.put('key-1', [[id, true]])).status).toBe(204);
  for (const query of ['', `?product_id=${id}`]) {
    const { status, body } = await caller.send(`${couponsPath}${query}`);
    // What waited may have been read from the source already.
    const coupon: unknown = expect.objectContaining({ product_id: Number(id), is_enabled: true });
    expect([status, body['items']]).toEqual([200, expect.arrayContaining([coupon])]);
  }
  await bridge.deliver();
  expect(await shop.written()).toEqual(['QUEIJO-1=1', 'CAFE-1=1']);
  await bridge.update();
  const startedAt = performance.now();
  await expect(caller.put('key-0', [[id, true]])).rejects.toThrow('socket hang up');
  // A connection that is left as it is ends after a minute.
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

const spoilings: Readonly<Record<string, (path: string) => void>> = {
  removed: (path) => {
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(path + suffix, { force: true });
    }
  },
  replaced: (path) => {
    copyFileSync(path, `${path}.other`);
    renameSync(`${path}.other`, path);
  },
};

test.each(Object.entries(spoilings))(
  'a copy that is %s under a bridge takes no reading in, and a restart reads it anew',
  async (_how, spoil) => {
    const folder = temporaryDirectory();
    const shop = await makeShop('sqlite', folder, noServers, 'spoiled');
    const { bridge } = await openBridge(folder, shop.address);
    spoil(join(folder, 'bridge', 'snapshot.db'));
    await shop.run("UPDATE item SET title = 'Torrado' WHERE sku = 'CAFE-1'");
    for (const reading of [1, 2]) {
      await expect(bridge.update(), String(reading)).rejects.toThrow('snapshot.db is not the file any more');
    }
    await bridge.close();
    const { caller } = await openBridge(folder, shop.address);
    expect(readListing(await caller.list('term=torrado')).elements).toHaveLength(1);
  },
);

test.each([
  ...Object.entries(spoilings),
  [
    'put where nothing can be looked up',
    (path: string): void => {
      rmSync(path);
      symlinkSync(path, path);
    },
  ] as const,
])('a ledger.db that is %s under a bridge takes no change that a restart would not find', async (_how, spoil) => {
  const folder = temporaryDirectory();
  const { address } = await makeShop('sqlite', folder, noServers, 'ledger');
  const opened = await openBridge(folder, address);
  const { bridge, caller } = opened;
  const id = await idOf(opened, 'QUEIJO-1');
  expect((await caller.put('before', [[id, true]])).status).toBe(204);
  await bridge.deliver();
  spoil(join(folder, 'bridge', 'ledger.db'));
  expect((await caller.put('after', [[id, false]])).status).toBe(500);
  await expect(bridge.deliver()).rejects.toThrow('ledger.db is not the file any more');
  expect((await fetch(`${bridge.address}/ready`)).status).toBe(503);
  expect(await (await fetch(`${bridge.address}/health`)).json()).toMatchObject({ status: 'ledgerDown' });
  expect(opened.log.join('')).toContain('restart it');
});
