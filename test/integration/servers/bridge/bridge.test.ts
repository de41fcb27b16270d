import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBridge, type Bridge } from '../../../../app/bridge/bridge.ts';
import { checkSource } from '../../../../app/bridge/check.ts';
import { readConfig } from '../../../../app/bridge/config.ts';
import { openSource } from '../../../../app/bridge/sources/open-source.ts';
import { connectMysql } from '../../../../app/bridge/sources/sql/mysql.ts';
import { connectPostgres } from '../../../../app/bridge/sources/sql/postgres.ts';
import { Database, StorageError } from '../../../../app/storage/database.ts';
import { hasOpenssl, makeCertificate } from '../../../support/openssl.ts';
import { hasPostgres, startPostgres } from '../../../support/postgres.ts';
import { hasMariadb, startMariadb } from '../../../support/mariadb.ts';
import { openWay } from '../../../support/silent-way.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { Caller, couponsPath, readListing, type Answer } from '../../../support/training-caller.ts';
import {
  calledAt,
  environmentOf,
  idOf,
  makeShop,
  noServers,
  openBridge,
  queries,
  writeConfig,
  type Engine,
  type OpenBridge,
  type Servers,
  type ShopDatabase,
} from '../../bridge/shop.ts';

let servers: Servers = noServers;
let shops = 0;
beforeAll(async () => {
  servers = {
    postgres: hasPostgres() ? await startPostgres({ hasTls: false, settings: ['max_connections = 40'] }) : null,
    mariadb: hasMariadb() ? await startMariadb() : null,
  };
});
afterAll(async () => {
  await servers.postgres?.remove();
  await servers.mariadb?.remove();
});

interface Opened extends OpenBridge {
  readonly shop: ShopDatabase;
  readonly folder: string;
  reopen(): Promise<OpenBridge>;
}

/** A bridge over a new shop, in which these statements were run; both are closed when the test is over. */
async function open(
  engine: Engine,
  now: () => number = Date.now,
  change: object = {},
  before: readonly string[] = [],
): Promise<Opened> {
  const source = { kind: 'sql', database: { env: 'SHOP' }, queries: { ...queries, ...change }, everySeconds: 86_400 };
  const folder = temporaryDirectory();
  shops += 1;
  const shop = await makeShop(engine, folder, servers, `shop_${shops}`);
  for (const sql of before) {
    await shop.run(sql);
  }
  let current = await openBridge(folder, shop.address, now, { source });
  const reopen = async (): Promise<OpenBridge> => {
    await current.bridge.close();
    current = await openBridge(folder, shop.address, now, { source });
    return current;
  };
  return { ...current, shop, folder, reopen };
}

/** A new shop, whose own programs wait for half a minute for what is locked, and its address by a way that can fall silent. */
async function openShopBehindWay(engine: Engine) {
  shops += 1;
  const shop = await makeShop(engine, temporaryDirectory(), servers, `shop_${shops}`);
  const address = new URL(shop.address);
  const way = await openWay(Number(address.port));
  address.port = String(way.port);
  await shop.run(
    `SET ${engine === 'postgres' ? "lock_timeout = '30s'" : 'innodb_lock_wait_timeout = 30, lock_wait_timeout = 30'}`,
  );
  return { shop, way, address: address.href };
}

/** Checks a bridge over the shop; by an address without a database, the queries name it in the place of DB. */
async function check(engine: Engine, change: object, before: readonly string[] = [], hasDatabase = true) {
  const folder = temporaryDirectory();
  shops += 1;
  const name = `shop_${shops}`;
  const shop = await makeShop(engine, folder, servers, name);
  for (const sql of before) {
    await shop.run(sql);
  }
  const source = { kind: 'sql', database: { env: 'SHOP' }, queries: { ...queries, ...change } };
  const named = JSON.parse(JSON.stringify(source).replaceAll('DB.', `${name}.`)) as object;
  const address = hasDatabase ? shop.address : shop.address.slice(0, -name.length);
  const { faults } = await checkSource(readConfig(writeConfig(folder, { source: named }), environmentOf(address)));
  const written = await shop.written();
  await shop.close();
  return { faults, written };
}

const plainQueries = { products: 'SELECT 1 AS id, 1 AS name', stock: 'SELECT 1 AS product, 1 AS stock, 1 AS amount' };
const namesIn = (answer: Answer): readonly string[] => readListing(answer).elements.map(({ name }) => name as string);

const engines: readonly Engine[] = [
  'sqlite',
  ...(hasPostgres() ? ['postgres' as const] : []),
  ...(hasMariadb() ? ['mariadb' as const] : []),
];

describe.each(engines)('a bridge over %s', (engine) => {
  it('lists the products with figures, codes and prices, ordered, and a page at a time', async () => {
    const { caller } = await open(engine);
    const all = await caller.list('order_by_field=name&order_by_type=asc');
    expect(namesIn(all)).toEqual(['Arroz integral', 'Café moído', 'Queijo fresco']);
    expect(readListing(all).elements.slice(1)).toMatchObject([
      { code: 'CAFE-1', barcodes: ['9520000000011', '9520000000028'], unit: 'UN', price: 18.9, amount: 12 },
      { code: 'QUEIJO-1', barcodes: [], unit: 'KG', price: 42, amount: -1.25 },
    ]);
    const second = await caller.list('order_by_field=code&order_by_type=desc&per_page=2&page=2');
    expect([namesIn(second), readListing(second).meta]).toEqual([
      ['Arroz integral'],
      { current_page: 2, last_page: 2, per_page: 2, total: 3 },
    ]);
    expect(
      readListing(await caller.list('order_by_field=name&order_by_type=asc', '2')).elements.map(
        (element) => element['amount'],
      ),
    ).toEqual([0, 40, 0]);
  });

  it('finds by barcode, code, words and figure', async () => {
    const { caller } = await open(engine);
    const expected = {
      'term=9520000000028': ['Café moído'],
      'term=cafe-1': ['Café moído'],
      'term=CAFE': ['Café moído'],
      'term=952000000003': ['Arroz integral'],
      'term=nothing': [],
      'term=%CC%81': [],
      'term=%00': [],
      'term=caf%00e': [],
      'amount_in_stock=positive': ['Café moído'],
      'amount_in_stock=zero': ['Arroz integral'],
      'amount_in_stock=negative': ['Queijo fresco'],
      'product_ids=5': [],
    };
    const found: Record<string, readonly string[]> = {};
    for (const query of Object.keys(expected)) {
      found[query] = namesIn(await caller.list(`${query}&order_by_field=name&order_by_type=asc`));
    }
    expect(found).toEqual(expected);
  });

  it('reads a term of a thousand words as its first ones', async () => {
    const { caller } = await open(engine);
    expect(namesIn(await caller.list(`term=${'cafe+'.repeat(1100)}`))).toEqual(['Café moído']);
  });

  it('asks the shop itself for a balance, movements and batches', async () => {
    const opened = await open(engine);
    const { caller, shop } = opened;
    await shop.run("UPDATE stock SET qty = 11.5 WHERE sku = 'CAFE-1' AND place = 'loja'");
    const path = `/api/v3/stocks/1/products/${await idOf(opened, '9520000000011')}`;
    expect((await caller.send(`${path}/balance`)).body).toMatchObject({
      stock: { id: 1, name: 'Loja' },
      balance: 11.5,
    });
    const debt = `/api/v3/stocks/1/products/${await idOf(opened, 'queijo')}/balance`;
    expect((await caller.send(`${debt}?movement_type=out`)).body).toMatchObject({ balance: -1.25 });
    expect((await caller.send(`${debt}?movement_type=in`)).body).toMatchObject({ balance: 0 });
    const cheese = `/api/v3/stocks/1/products/${await idOf(opened, 'queijo')}/batches`;
    expect((await caller.send(cheese)).body['stock_movements']).toMatchObject([
      { lot_number: 'L-7', quantity: 3.5, expiration_date: '2026-12-31' },
    ]);
    expect((await caller.send('/api/v3/stocks/1/products/99/balance')).status).toBe(404);
    expect((await caller.send('/api/v3/stocks/3/products/99/balance')).status).toBe(404);
  });

  // The other engines have the one type that the shop was made with.
  it.each(engine === 'postgres' ? ['date', 'timestamp', 'timestamptz'] : ['date'])(
    'tells when a lot expires as the shop keeps it, as %s',
    async (type) => {
      const order = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET datestyle TO SQL, DMY', current_database()); END $$`;
      const change = `ALTER TABLE lot ALTER best_before TYPE ${type} USING best_before + time '12:00'`;
      const opened = await open(engine, Date.now, {}, engine === 'postgres' ? [change, order] : []);
      const cheese = `/api/v3/stocks/1/products/${await idOf(opened, 'queijo')}/batches`;
      expect((await opened.caller.send(cheese)).body['stock_movements']).toMatchObject([
        { expiration_date: '2026-12-31' },
      ]);
    },
  );

  it('commits a coupon, and reads all rows, whatever the server has set for others', async () => {
    const settings = engine === 'mariadb' ? ['SET GLOBAL autocommit = 0', 'SET GLOBAL sql_select_limit = 2'] : [];
    const opened = await open(engine, Date.now, {}, settings);
    const put = await opened.caller.put('key-1', [[await idOf(opened, '9520000000011'), true]]);
    await opened.bridge.deliver();
    expect(put.status).toBe(204);
    expect(await opened.shop.written()).toEqual(['CAFE-1=1']);
    expect(readListing(await opened.caller.list()).meta.total).toBe(3);
    for (const setting of settings) {
      await opened.shop.run(setting.replace(/= \d/, '= DEFAULT'));
    }
  });

  it('adds up what the shop says of a product in several rows, as in the listing', async () => {
    const opened = await open(engine);
    await opened.shop.run("INSERT INTO stock VALUES ('CAFE-1', 'loja', 5.1), ('CAFE-1', 'loja', -2.2)");
    await opened.bridge.update();
    const path = `/api/v3/stocks/1/products/${await idOf(opened, '9520000000011')}/balance`;
    expect(readListing(await opened.caller.list('term=cafe-1')).elements[0]).toMatchObject({ amount: 14.9 });
    const [all, entries, exits] = await Promise.all(
      ['all', 'in', 'out'].map(
        async (kind) => (await opened.caller.send(`${path}?movement_type=${kind}`)).body['balance'],
      ),
    );
    expect([all, entries, exits]).toEqual([14.9, 17.1, -2.2]);
  });

  it.each(['VARCHAR(40)', 'CHAR(40)'])('asks about and writes a product by its key of %s with blanks', async (type) => {
    const opened = await open(engine);
    if (engine !== 'sqlite') {
      await opened.shop.run(
        `ALTER TABLE item ${engine === 'postgres' ? 'ALTER COLUMN sku TYPE' : 'MODIFY sku'} ${type}`,
      );
    }
    const filling = engine === 'postgres' && type === 'CHAR(40)' ? '' : '  ';
    for (const table of ['item', 'ean', 'stock', 'lot']) {
      await opened.shop.run(`UPDATE ${table} SET sku = 'CAFE-1${filling}' WHERE sku = 'CAFE-1'`);
    }
    await opened.bridge.update();
    const id = await idOf(opened, '9520000000011');
    expect((await opened.caller.send(`/api/v3/stocks/1/products/${id}/balance`)).body).toMatchObject({ balance: 12 });
    expect((await opened.caller.put('key-1', [[id, true]])).status).toBe(204);
    await opened.bridge.deliver();
    expect((await opened.shop.written()).at(-1)).toMatch(/^CAFE-1 *=1$/);
  });

  it('writes a coupon as its column keeps it, and reads it again', async () => {
    const type = { sqlite: 'TEXT', postgres: 'BOOLEAN', mariadb: 'BIT(1)' }[engine];
    const coupon = engine === 'mariadb' ? 'in_use + 0' : 'in_use';
    const change = {
      products: `SELECT sku AS id, title AS name, ${coupon} AS coupon FROM item`,
      setCoupon: 'UPDATE item SET in_use = :enabled WHERE sku = :product',
    };
    const opened = await open(engine, Date.now, change, [`ALTER TABLE item ADD COLUMN in_use ${type}`]);
    const id = await idOf(opened, '9520000000011');
    for (const isEnabled of [true, false]) {
      await opened.caller.put(`key-${isEnabled}`, [[id, isEnabled]]);
      await opened.bridge.deliver();
      await opened.bridge.update();
      const { items } = (await opened.caller.send(`${couponsPath}?is_enabled=true`)).body;
      expect(items).toHaveLength(isEnabled ? 1 : 0);
    }
  });

  it.skipIf(engine === 'sqlite')('keeps nothing of the shop locked once its machine is gone amid a write', async () => {
    const { shop, way, address } = await openShopBehindWay(engine);
    const source = await openSource(
      { kind: 'sql', database: address, queries, everySeconds: 60 },
      { timeZone: 'UTC', stocks: [] },
    );
    onTestFinished(() => source.close());
    way.fallSilent((chunk) => chunk.includes('COMMIT'));
    const written = source.writeCoupon?.('CAFE-1', true).catch(() => 'lost');
    await expect.poll(way.isSilent).toBe(true);
    await shop.run("UPDATE item SET price = 20 WHERE sku = 'CAFE-1'");
    way.close();
    expect(await written).toBe('lost');
  });

  it.skipIf(engine === 'sqlite')('keeps no table of the shop once its machine is gone amid a reading', async () => {
    const { shop, way, address } = await openShopBehindWay(engine);
    const connection = (engine === 'postgres' ? connectPostgres : connectMysql)(address, 3000);
    onTestFinished(() => connection.close());
    const list = async (): Promise<void> => {
      const rows = connection.stream(queries.products)[Symbol.asyncIterator]();
      while ((await rows.next()).done !== true);
    };
    for (const [action, last] of [
      [list, 'ROLLBACK'],
      [() => connection.read(queries.products, {}), 'COMMIT'],
    ] as const) {
      way.fallSilent((chunk) => chunk.includes(last));
      const read = action().then(
        () => 'read',
        () => 'lost',
      );
      await expect.poll(way.isSilent).toBe(true);
      await shop.run('ALTER TABLE item ADD COLUMN extra INTEGER');
      await shop.run('ALTER TABLE item DROP COLUMN extra');
      way.close();
      expect(await read).toBe('lost');
      way.speak();
    }
  });

  it.skipIf(engine !== 'mariadb')('has written what was committed, also where the way is lost after that', async () => {
    const { shop, way, address } = await openShopBehindWay(engine);
    const connection = connectMysql(address);
    onTestFinished(() => connection.close());
    const write = () => connection.write(queries.setCoupon, { product: 'CAFE-1', enabled: true });
    way.fallSilent((chunk) => chunk.includes('wait_timeout = DEFAULT'));
    const written = write();
    await expect.poll(way.isSilent).toBe(true);
    way.close();
    expect(await written).toBe(1);
    way.speak();
    expect(await write(), 'by another connection').toBe(1);
    expect(await shop.written()).toHaveLength(2);
  });

  it('says which coupon was written and changed nothing in the shop', async () => {
    const opened = await open(engine, Date.now, { setCoupon: `${queries.setCoupon} AND 1 = 0` });
    await opened.caller.put('key-1', [[await idOf(opened, '9520000000011'), true]]);
    await opened.bridge.deliver();
    expect(opened.log.filter((line) => line.includes('couponChangedNothing'))).toEqual([
      expect.stringContaining('"product":"CAFE-1"'),
    ]);
  });

  it('says which coupon was written for a product that has left the shop meanwhile', async () => {
    const opened = await open(engine);
    await opened.caller.put('key-1', [[await idOf(opened, '9520000000011'), true]]);
    await opened.shop.run("DELETE FROM item WHERE sku = 'CAFE-1'");
    await opened.bridge.update();
    await opened.bridge.deliver();
    expect(opened.log.filter((line) => line.includes('couponChangedNothing'))).toEqual([
      expect.stringContaining('CAFE-1'),
    ]);
  });

  it('changes nothing in the shop by a query that reads', async () => {
    const amount =
      engine === 'postgres'
        ? "SELECT setval('touched', 5) AS amount WHERE :product <> :stock"
        : 'DELETE FROM stock WHERE sku = :product AND place = :stock RETURNING qty AS amount';
    const opened = await open(engine, Date.now, { amount });
    if (engine === 'postgres') {
      await opened.shop.run('CREATE SEQUENCE touched');
    }
    const path = `/api/v3/stocks/1/products/${await idOf(opened, '9520000000011')}`;
    expect((await opened.caller.send(`${path}/balance`)).status).toBe(500);
    expect(opened.log.join('')).toMatch(/requestFailed.*read[- ]?only/i);
    await opened.bridge.update();
    expect(readListing(await opened.caller.list('term=cafe-1')).elements[0]).toMatchObject({ amount: 12 });
  });

  // Over SQLite such a query is part of an INSERT, and can be nothing but a SELECT.
  it.skipIf(engine === 'sqlite')('changes nothing in the shop by a query that reads all of it', async () => {
    const stock =
      engine === 'postgres'
        ? `${queries.stock} WHERE sku <> 'ARROZ-1' UNION ALL SELECT 'ARROZ-1', 'loja', setval('touched', 5)`
        : "DELETE FROM stock WHERE sku = 'ARROZ-1' RETURNING sku AS product, place AS stock, qty AS amount";
    const { faults } = await check(engine, { stock }, engine === 'postgres' ? ['CREATE SEQUENCE touched'] : []);
    expect(faults).toEqual([expect.stringMatching(/^source.queries.stock: .*read[- ]?only/i)]);
  });

  it('tells a batch without the rest that binary fractions leave', async () => {
    const batches = `SELECT 3.5 + 5.6e-17 AS amount, 'A' AS name WHERE :product <> '' UNION ALL
      SELECT 5.6e-17, 'B' WHERE :stock <> '' ORDER BY 2`;
    const opened = await open(engine, Date.now, { batches });
    const path = `/api/v3/stocks/1/products/${await idOf(opened, '9520000000011')}/batches`;
    const listed = (await opened.caller.send(path)).body['stock_movements'] as readonly { readonly quantity: number }[];
    expect(listed.map(({ quantity }) => quantity)).toEqual([3.5, 0]);
  });

  it('leaves a query that answers one product without end', async () => {
    const batches = `WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 900)
      SELECT a.x AS amount FROM n a, n b WHERE :product <> ''`;
    const opened = await open(engine, Date.now, { batches });
    const path = `/api/v3/stocks/1/products/${await idOf(opened, '9520000000011')}`;
    expect((await opened.caller.send(`${path}/batches`)).status).toBe(500);
    expect(opened.log.join('')).toContain('the query answers more than 10000 rows');
    expect((await opened.caller.send(`${path}/balance`)).status).toBe(200);
  });

  it('gives the same ids for ever, and says what changed since', async () => {
    let now = Date.parse('2026-03-04T09:00:00Z');
    const opened = await open(engine, () => now);
    const idBefore = await idOf(opened, '9520000000011');
    now += 3_600_000;
    await opened.shop.run("UPDATE item SET title = 'Café torrado' WHERE sku = 'CAFE-1'");
    await opened.shop.run("UPDATE stock SET qty = 5 WHERE sku = 'ARROZ-1'");
    await opened.shop.run("DELETE FROM item WHERE sku = 'QUEIJO-1'");
    const reopened = await opened.reopen();
    expect(await idOf(reopened, '9520000000028')).toBe(idBefore);
    const since = encodeURIComponent('2026-03-04T06:30:00-03:00');
    const changed = await reopened.caller.list(`updated_from=${since}&order_by_field=name&order_by_type=asc`);
    expect(readListing(changed).elements).toMatchObject([
      { name: 'Arroz integral', amount: 5 },
      { name: 'Café torrado', amount: 12 },
    ]);
    expect(readListing(await reopened.caller.list()).meta.total).toBe(2);
  });

  it('writes a coupon to the shop once, however often its key comes, also after a restart', async () => {
    const opened = await open(engine);
    const id = await idOf(opened, '9520000000011');
    const first = await opened.caller.put('key-1', [[id, true]]);
    await opened.bridge.deliver();
    const again = await opened.caller.put('key-1', [[id, true]]);
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 204, 'true']);
    const { caller, bridge } = await opened.reopen();
    expect((await caller.put('key-1', [[id, true]])).headers.get('idempotency-replayed')).toBe('true');
    await bridge.deliver();
    expect((await caller.send(couponsPath)).body).toEqual({
      items: [{ product_id: Number(id), is_enabled: true, product_name: 'Café moído' }],
    });
    expect(await opened.shop.written()).toEqual(['CAFE-1=1']);
  });

  it.each([
    [queries.setCoupon, null],
    ['UPDATE item SET cupom = :enabled WHERE sku = :product', 'cupom'],
    ['UPDATE items SET coupon = :enabled WHERE sku = :product', 'items'],
  ])('is checked for a coupon by %s, which is not run', async (setCoupon, fault) => {
    const faults = fault === null ? [] : [expect.stringMatching(`^source.queries.setCoupon: .*${fault}`)];
    expect(await check(engine, { setCoupon })).toEqual({ faults, written: [] });
  });

  it.each([
    ['as it is wanted', queries.setCoupon, 'coupon', []],
    ['the other way round', queries.setCoupon.replace('1 ELSE 0', '0 ELSE 1'), 'coupon', ['on.*says off']],
    [
      'into a column of another type',
      'UPDATE item SET other = :enabled WHERE sku = :product',
      'other',
      // MariaDB takes a number for the place of a value in an ENUM.
      engine === 'mariadb' ? ['on.*says off'] : [],
    ],
  ])('is checked for a coupon %s by trying it, and has it as before', async (_way, setCoupon, column, faults) => {
    const type = { sqlite: 'TEXT', postgres: 'BOOLEAN', mariadb: "ENUM('0', '1')" }[engine];
    const readOnly = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`;
    const before = [`ALTER TABLE item ADD COLUMN other ${type} DEFAULT '0'`];
    const products = `SELECT sku AS id, title AS name, ${column} AS coupon FROM item`;
    const found = await check(engine, { products, setCoupon }, engine === 'postgres' ? [...before, readOnly] : before);
    const patterns = faults.map((fault): unknown =>
      expect.stringMatching(`^source.queries.setCoupon: .*switched ${fault}`),
    );
    expect(found).toEqual({ faults: patterns, written: [] });
  });

  it.each([
    ['off', queries.setCoupon, []],
    [
      'on',
      queries.setCoupon.replace('1 ELSE 0', '0 ELSE 0'),
      ['the coupon of "CAFE-1" is switched on, and products then says nothing of it'],
    ],
  ])('is checked for a coupon of which the shop says nothing when it is %s', async (_way, setCoupon, faults) => {
    const products = 'SELECT sku AS id, title AS name, CASE WHEN coupon = 1 THEN 1 END AS coupon FROM item';
    const found = await check(engine, { products, setCoupon }, ["UPDATE item SET coupon = 1 WHERE sku = 'CAFE-1'"]);
    expect(found).toEqual({
      faults: faults.map((fault) => `source.queries.setCoupon: ${fault}`),
      written: ['CAFE-1=1'],
    });
  });

  it('is checked for a coupon by reading no product after the one that is tried', async () => {
    // Fails, or takes longer than a test may, while the first product's coupon is on.
    const reached = {
      sqlite: 'abs(-9223372036854775807 - 1)',
      postgres: 'CAST(other.title AS INTEGER)',
      mariadb: 'SLEEP(100)',
    }[engine];
    const next = `(SELECT max(CASE WHEN other.coupon = 1 THEN ${reached} END) FROM item other WHERE other.sku <> item.sku)`;
    // MariaDB sends a row when the next one is long.
    const long = engine === 'mariadb' ? "REPEAT('x', 20000)" : "''";
    const columns = 'sku AS id, title AS name, coupon';
    const products = `SELECT * FROM (SELECT ${columns}, ${long} AS more FROM item WHERE sku <> 'QUEIJO-1' ORDER BY sku) AS own
      UNION ALL SELECT ${columns}, concat(${next}, sku) FROM item WHERE sku = 'QUEIJO-1'`;
    expect(await check(engine, { products })).toEqual({ faults: [], written: [] });
  });

  it.skipIf(engine !== 'mariadb')('is checked for a coupon without trying it where nothing takes it back', async () => {
    const products = 'SELECT sku AS id, title AS name, coupon FROM item';
    const setCoupon = queries.setCoupon.replace('1 ELSE 0', '0 ELSE 1');
    const found = await check(engine, { products, setCoupon }, ['ALTER TABLE written ENGINE = MyISAM']);
    expect(found).toEqual({ faults: [], written: [] });
  });

  it.skipIf(engine !== 'mariadb').each([
    ['a procedure that commits on its own', 'CALL set_coupon(:product, :enabled)'],
    ['such a one behind a comment', '/* own */ CALL set_coupon(:product, :enabled)'],
  ])('is checked for a coupon without running %s', async (_what, setCoupon) => {
    const products = 'SELECT sku AS id, title AS name, coupon FROM item';
    const procedure = `CREATE PROCEDURE set_coupon(p VARCHAR(40), e INT)
      BEGIN START TRANSACTION; UPDATE item SET coupon = e WHERE sku = p; COMMIT; END`;
    expect(await check(engine, { products, setCoupon }, [procedure])).toEqual({ faults: [], written: [] });
  });

  it.skipIf(engine !== 'mariadb')('is checked for a coupon without trying it where no database is named', async () => {
    const products = 'SELECT sku AS id, title AS name, coupon FROM DB.item';
    const stock = queries.stock.replace('FROM ', 'FROM DB.');
    const setCoupon = queries.setCoupon.replace('UPDATE ', 'UPDATE DB.');
    const asked = {
      products,
      stock,
      setCoupon,
      barcodes: undefined,
      amount: undefined,
      movements: undefined,
      batches: undefined,
    };
    const found = await check(engine, asked, ['ALTER TABLE written ENGINE = MyISAM'], false);
    expect(found).toEqual({ faults: [], written: [] });
  });

  it('says which coupon the shop has otherwise than it was told', async () => {
    const products = 'SELECT sku AS id, title AS name, sku AS code, coupon FROM item';
    const setCoupon = queries.setCoupon.replace('1 ELSE 0', '0 ELSE 1');
    const opened = await open(engine, Date.now, { products, setCoupon });
    await opened.caller.put('key-1', [[await idOf(opened, 'cafe'), true]]);
    await opened.bridge.deliver();
    await opened.bridge.update();
    await opened.bridge.update();
    expect(opened.log.filter((line) => line.includes('couponOtherwise'))).toEqual([
      expect.stringContaining('"level":"warning","event":"couponOtherwise","product":"CAFE-1"'),
    ]);
  });

  it('keeps a coupon that the shop cannot take now, and writes the last of each product when it can', async () => {
    const opened = await open(engine);
    const [coffee, rice] = [await idOf(opened, '9520000000011'), await idOf(opened, 'arroz')];
    await opened.shop.run('ALTER TABLE item RENAME TO item_away');
    expect((await opened.caller.put('key-1', [[coffee, true]])).status).toBe(204);
    await expect(opened.bridge.deliver()).rejects.toThrow(/item/);
    expect((await opened.caller.put('key-2', [[rice, true]])).status).toBe(204);
    expect((await opened.caller.put('key-3', [[coffee, false]])).status).toBe(204);
    const reopened = opened.bridge;
    await opened.shop.run('ALTER TABLE item_away RENAME TO item');
    await reopened.deliver();
    expect(await opened.shop.written()).toEqual(['ARROZ-1=1', 'CAFE-1=0']);
  });

  it('believes the coupons of the shop, but for what it has not been told', async () => {
    const products = 'SELECT sku AS id, title AS name, sku AS code, unit, price, coupon FROM item';
    const { bridge, caller, shop, ...more } = await open(engine, Date.now, { products });
    const [coffee, rice] = [
      await idOf({ bridge, caller, ...more }, '9520000000011'),
      await idOf({ bridge, caller, ...more }, 'arroz'),
    ];
    const enabled = async (): Promise<readonly string[]> => {
      const { items } = (await caller.send(`${couponsPath}?is_enabled=true`)).body as {
        readonly items: readonly { readonly product_id: string | number }[];
      };
      return items.map((item) => String(item.product_id)).toSorted((left, right) => left.localeCompare(right));
    };
    const both = [coffee, rice].toSorted((left, right) => left.localeCompare(right));
    expect(await enabled()).toEqual([]);
    await shop.run("UPDATE item SET coupon = 1 WHERE sku = 'CAFE-1'");
    await bridge.update();
    expect(await enabled()).toEqual([coffee]);
    // Switched here: at once, and as long as the shop refuses to be told.
    await caller.put('key-1', [
      [coffee, false],
      [rice, true],
    ]);
    expect(await enabled()).toEqual([rice]);
    await shop.run('ALTER TABLE item RENAME COLUMN sku TO away');
    await expect(bridge.deliver()).rejects.toThrow(/sku/);
    await shop.run('ALTER TABLE item RENAME COLUMN away TO sku');
    await bridge.update();
    expect(await enabled()).toEqual([rice]);
    // Told, and read since: from now on the shop says it, by whomever it was switched.
    await bridge.deliver();
    await bridge.update();
    expect(await enabled()).toEqual([rice]);
    await shop.run("UPDATE item SET coupon = 1 WHERE sku <> 'QUEIJO-1'");
    await bridge.update();
    expect(await enabled()).toEqual(both);
    expect((await caller.send(`${couponsPath}?product_id=${coffee}`)).body['items']).toHaveLength(1);
  });

  it('keeps what a till has switched where the shop says how coupons are, and cannot be told', async () => {
    const folder = temporaryDirectory();
    const shop = await makeShop(engine, folder, servers, `told_${engine}`);
    const { setCoupon: _, ...others } = queries;
    const products = 'SELECT sku AS id, title AS name, sku AS code, unit, price, coupon FROM item';
    const source = { kind: 'sql', database: { env: 'SHOP' }, queries: { ...others, products }, everySeconds: 86_400 };
    const opened = await openBridge(folder, shop.address, Date.now, { source });
    const coffee = await idOf(opened, '9520000000011');
    expect((await opened.caller.put('key-1', [[coffee, true]])).status).toBe(204);
    await opened.bridge.update();
    const { items } = (await opened.caller.send(`${couponsPath}?product_id=${coffee}`)).body;
    expect(items).toMatchObject([{ is_enabled: true }]);
  });

  it('lets a coupon that the shop always refuses hold back no other', async () => {
    const setCoupon =
      "UPDATE item SET coupon = CASE WHEN :enabled THEN 1 ELSE 0 END, title = CASE WHEN sku = 'CAFE-1' THEN NULL ELSE title END WHERE sku = :product";
    const opened = await open(engine, Date.now, { setCoupon });
    const [coffee, rice] = [await idOf(opened, '9520000000011'), await idOf(opened, 'arroz')];
    expect((await opened.caller.put('key-1', [[coffee, true]])).status).toBe(204);
    expect((await opened.caller.put('key-2', [[rice, true]])).status).toBe(204);
    await expect(opened.bridge.deliver()).rejects.toThrow(/null/i);
    expect((await fetch(`${opened.bridge.address}/ready`)).status).toBe(200);
    expect(await opened.shop.written()).toEqual(['ARROZ-1=1']);
  });

  it.skipIf(engine === 'sqlite')('lets a row that a program of the shop holds hold back no other coupon', async () => {
    const opened = await open(engine);
    const [coffee, rice] = [await idOf(opened, '9520000000011'), await idOf(opened, 'arroz')];
    await opened.caller.put('key-1', [[coffee, true]]);
    await opened.caller.put('key-2', [[rice, true]]);
    await opened.shop.run('BEGIN');
    await opened.shop.run("UPDATE item SET price = 20 WHERE sku = 'CAFE-1'");
    const delivered = opened.bridge.deliver().catch(() => 'heldUp');
    expect(await Promise.race([delivered, delay(10_000, 'still waiting')])).toBe('heldUp');
    await opened.shop.run('COMMIT');
    expect(await opened.shop.written()).toContain('ARROZ-1=1');
    await opened.bridge.deliver();
    expect((await opened.shop.written()).filter((line) => line === 'CAFE-1=1')).toHaveLength(1);
  });

  it('goes on with what it read where the source fails, answers nonsense or nothing, and says so', async () => {
    const { bridge, caller, shop } = await open(engine);
    await shop.run("INSERT INTO item (sku, title) VALUES ('BAD-1', '')");
    await expect(bridge.update()).rejects.toThrow(
      /source\.queries\.products: column name is missing or empty \(id=BAD-1/,
    );
    await shop.run('DELETE FROM item');
    await expect(bridge.update()).rejects.toThrow('the source answers no product at all, where it had 3');
    await shop.run('ALTER TABLE item RENAME TO item_away');
    await expect(bridge.update()).rejects.toThrow(/item/);
    await shop.run('ALTER TABLE item_away RENAME TO item');
    await shop.run("INSERT INTO item (sku, title) VALUES ('CAFE-1', 'Café')");
    await shop.run('DELETE FROM stock');
    await expect(bridge.update()).rejects.toThrow('the source answers no amount at all, where it had 3');
    expect(readListing(await caller.list()).meta.total).toBe(3);
  });
});

it('says of a stock that the configuration has at another place that all of it has changed', async () => {
  let now = Date.parse('2026-03-04T09:00:00Z');
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  const start = async (stocks: readonly object[]): Promise<OpenBridge> => {
    now += 3_600_000;
    return openBridge(folder, shop.address, () => now, { stocks });
  };
  const changedIn = async ({ caller }: OpenBridge) => {
    const since = encodeURIComponent(new Date(now - 60_000).toISOString().replace(/\.\d+Z/, '+00:00'));
    const listed = await caller.list(`updated_from=${since}&order_by_field=name&order_by_type=asc`);
    return readListing(listed).elements.map(({ name, amount }) => `${String(name)} ${String(amount)}`);
  };
  const loja = { id: '1', name: 'Loja', source: 'loja' };
  await (await start([loja])).bridge.close();
  const moved = await start([{ ...loja, source: 'deposito' }]);
  expect(await changedIn(moved)).toEqual(['Arroz integral 0', 'Café moído 40', 'Queijo fresco 0']);
  await moved.bridge.close();
  expect(await changedIn(await start([{ ...loja, name: 'Depósito', source: 'deposito' }]))).toEqual([]);
});

it('asks a SQLite file by a number where the id is one in a column without a type', async () => {
  const opened = await open('sqlite');
  await opened.shop.run('DROP TRIGGER note; DROP TABLE item; CREATE TABLE item (sku, title, unit, price, coupon)');
  await opened.shop.run('DROP TABLE stock; CREATE TABLE stock (sku, place, qty)');
  await opened.shop.run("INSERT INTO item VALUES (71, 'Café moído', 'UN', 18.9, 0)");
  await opened.shop.run("INSERT INTO stock VALUES (71, 'loja', 12)");
  await opened.bridge.update();
  expect((await opened.caller.send('/api/v3/stocks/1/products/71/balance')).body).toMatchObject({ balance: 12 });
  await opened.caller.put('key-1', [['71', true]]);
  await opened.bridge.deliver();
  await opened.shop.run('INSERT INTO written SELECT sku, coupon FROM item');
  expect(await opened.shop.written()).toEqual(['71=1']);
});

it('asks a SQLite file by a number where another table has the id as text', async () => {
  const products = 'SELECT 71 AS id, title AS name FROM item LIMIT 1';
  const opened = await open('sqlite', Date.now, { products, barcodes: undefined }, [
    "UPDATE stock SET sku = '71' WHERE sku = 'CAFE-1'",
  ]);
  expect((await opened.caller.send('/api/v3/stocks/1/products/71/balance')).body).toMatchObject({ balance: 12 });
});

it('tells its health to everybody and its figures to this machine', async () => {
  const { bridge } = await open('sqlite');
  const health = await fetch(`${bridge.address}/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok', since: null }]);
  const figures = await (await fetch(`${bridge.address}/metrics`)).text();
  expect(figures).toContain('tillside_bridge_products 3\n');
  expect(figures).toContain('tillside_bridge_pending_coupons 0\n');
});

it('says that a disk which refuses keeps it from answering, and writes nothing to the shop until it does', async () => {
  const { bridge, caller, shop, ...more } = await open('sqlite');
  const states = async (): Promise<unknown> =>
    Promise.all(
      ['ready', 'health'].map(async (path) => {
        const answer = await fetch(`${bridge.address}/${path}`);
        return [answer.status, ((await answer.json()) as { status: string }).status];
      }),
    );
  const id = await idOf({ bridge, caller, ...more }, '9520000000011');
  expect((await caller.put('key-1', [[id, true]])).status).toBe(204);
  const disk = vi.spyOn(Database.prototype, 'transaction').mockImplementation(() => {
    throw new StorageError({ kind: 'storageFull', message: 'database or disk is full' });
  });
  onTestFinished(() => disk.mockRestore());
  const before = await shop.written();
  expect((await caller.list()).status).toBe(500);
  expect(await states()).toEqual([
    [503, 'notReady'],
    [503, 'ledgerDown'],
  ]);
  await expect(bridge.deliver()).rejects.toThrow('disk is full');
  expect([await states(), await shop.written()]).toEqual([
    [
      [503, 'notReady'],
      [503, 'ledgerDown'],
    ],
    before,
  ]);
  disk.mockRestore();
  await bridge.deliver();
  expect(await states()).toEqual([
    [200, 'ok'],
    [200, 'ok'],
  ]);
  expect(await shop.written()).toEqual(['CAFE-1=1']);
});

it('ends what was signed in under another secret of the application', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  const start = async (secret: string): Promise<Bridge> => {
    const environment = { ...environmentOf(shop.address), TILLS: secret };
    const bridge = await startBridge(readConfig(writeConfig(folder), environment), () => undefined);
    await bridge.update();
    return bridge;
  };
  const before = await start('a-secret-of-the-tills');
  const caller = new Caller(calledAt(before.address));
  await caller.signIn();
  const statuses: number[] = [];
  const ask = async ({ address }: Bridge): Promise<void> => {
    const again = new Caller(calledAt(address));
    again.accessToken = caller.accessToken;
    statuses.push((await again.list()).status);
  };
  await ask(before);
  await before.close();
  for (const secret of ['another-secret', 'a-secret-of-the-tills']) {
    const bridge = await start(secret);
    await ask(bridge);
    await bridge.close();
  }
  await shop.close();
  expect(statuses).toEqual([200, 401, 200]);
});

it('counts the requests of the minute also over a restart', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  const first = await openBridge(folder, shop.address, () => 1_700_000_000_000, { requestsPerMinute: 3 });
  expect((await first.caller.list()).status).toBe(200);
  await first.bridge.close();
  const config = readConfig(join(folder, 'shop.json'), environmentOf(shop.address));
  const again = await startBridge(
    config,
    () => {},
    () => 1_700_000_030_000,
  );
  onTestFinished(again.close);
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const body = JSON.stringify({ client_id: 'tills', client_secret: 'a-secret-of-the-tills', grant_type: 'password' });
  const ask = (): Promise<Response> => fetch(`${again.address}/oauth/token`, { method: 'POST', headers, body });
  expect([(await ask()).status, (await ask()).status]).toEqual([401, 429]);
});

it('starts with the arrivals of a power cut, which are no whole database', async () => {
  const { folder, reopen, bridge } = await open('sqlite');
  await bridge.close();
  const path = join(folder, 'bridge', 'arrivals.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, 4096));
  expect((await (await reopen()).caller.list()).status).toBe(200);
});

it('ends at once also while a pass is under way, without a word of trouble', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  await shop.run(
    `INSERT INTO item (sku, title) SELECT 'MORE-' || n, 'More ' || n FROM (
       WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 200000) SELECT n FROM number
     )`,
  );
  const log: string[] = [];
  const config = readConfig(writeConfig(folder), environmentOf(shop.address));
  const bridge = await startBridge(config, (level, event) => void log.push(`${level} ${event}`));
  await bridge.close();
  await shop.close();
  expect(log).toEqual(['info started', 'info ended']);
});

it('logs no secret', async () => {
  const { log, caller } = await open('sqlite');
  await caller.token({ password: 'wrong-password' });
  expect(log.join('')).toContain('"event":"sourceRead"');
  expect(log.join('')).not.toMatch(/a-secret-of-the-tills|a-password-for-tests|wrong-password/);
});

it('refuses the movements that the shop does not tell', async () => {
  const opened = await open('sqlite', Date.now, { movements: undefined });
  const path = `/api/v3/stocks/1/products/${await idOf(opened, 'arroz')}/balance`;
  expect((await opened.caller.send(`${path}?movement_type=out`)).body).toMatchObject({
    meta: [{ field: 'movement_type', validations: [{ type: 'in', value: ['all'] }] }],
  });
});

it.each(engines.filter((engine) => engine !== 'sqlite'))(
  'lives on when the server of the shop, %s, is cut off in the middle of an answer',
  async (engine) => {
    const isPostgres = engine === 'postgres';
    const own = isPostgres
      ? await startPostgres({ hasTls: false, settings: ["log_statement = 'all'"] })
      : await startMariadb();
    onTestFinished(() => own.remove());
    const folder = temporaryDirectory();
    const shop = await makeShop(engine, folder, { ...noServers, [engine]: own }, 'shop');
    await shop.close();
    const sleep = isPostgres ? 'pg_sleep(30)' : 'sleep(30)';
    const amount = `SELECT qty AS amount, ${sleep} FROM stock WHERE sku = :product AND place = :stock`;
    const source = { kind: 'sql', database: { env: 'SHOP' }, queries: { ...queries, amount }, everySeconds: 86_400 };
    const opened = await openBridge(folder, shop.address, Date.now, { source });
    const id = await idOf(opened, '9520000000011');
    const asked = opened.caller.send(`/api/v3/stocks/1/products/${id}/balance`);
    await expect.poll(() => own.log(), { timeout: 10_000 }).toContain(sleep);
    await own.kill();
    expect((await asked).status).toBe(500);
    expect(readListing(await opened.caller.list()).meta.total).toBe(3);
  },
  60_000,
);

it.skipIf(!hasOpenssl)('speaks TLS with the certificate that lies beside its configuration', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  makeCertificate(folder);
  const tls = { certificate: 'server.crt', key: 'server.key' };
  const path = writeConfig(folder, { listen: { port: 0, tls } });
  const config = readConfig(path, environmentOf(shop.address));
  const bridge = await startBridge(config, () => undefined);
  onTestFinished(bridge.close);
  await bridge.update();
  const ca = readFileSync(join(folder, 'server.crt'));
  const status = await new Promise((resolve, reject) => {
    get(`${bridge.address}/health`, { ca, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });
  expect([bridge.address.startsWith('https://'), status]).toEqual([true, 200]);
});

it.skipIf(!hasOpenssl || !hasMariadb())('asks MariaDB over TLS by the named certificate alone', async () => {
  const folder = temporaryDirectory();
  for (const name of ['server', 'other']) {
    makeCertificate(folder, name, 'DNS:localhost');
  }
  const own = await startMariadb(folder);
  const addressWith = (name: string): string =>
    `${own.addressOf('mysql').replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${join(folder, name)}`;
  const read = async (address: string): Promise<number> => {
    const source = await openSource(
      { kind: 'sql', database: address, queries: plainQueries, everySeconds: 60 },
      { timeZone: 'UTC', stocks: [] },
    );
    onTestFinished(() => source.close());
    let count = 0;
    for await (const { products = [] } of source.read()) {
      count += products.length;
    }
    return count;
  };
  onTestFinished(() => own.remove());
  expect(await read(addressWith('server.crt'))).toBe(1);
  await expect(read(addressWith('other.crt'))).rejects.toThrow(/certificate/);
  await expect(read(own.addressOf('mysql'))).rejects.toThrow(/insecure|denied/);
  // One that the authority gave to another host.
  const renewing = await createConnection({ uri: own.addressOf('mysql'), ssl: { rejectUnauthorized: false } });
  makeCertificate(folder, 'server', 'DNS:shop.example.com');
  await renewing.query('FLUSH SSL');
  await renewing.end();
  await expect(read(addressWith('server.crt'))).rejects.toThrow(/altnames|does not match/);
});
