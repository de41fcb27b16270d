// What `npm run bridge -- --check` tells a technician.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkSource } from '../../../app/bridge/check.ts';
import { readConfig } from '../../../app/bridge/config.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { environmentOf, makeShop, noServers, queries, writeConfig } from './shop.ts';

/** What the check of a new shop in SQLite finds, with these queries changed. */
async function check(change: object, sql: readonly string[] = []) {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  for (const statement of sql) {
    await shop.run(statement);
  }
  const source = { kind: 'sql', database: { env: 'SHOP' }, queries: { ...queries, ...change }, everySeconds: 86_400 };
  const found = await checkSource(readConfig(writeConfig(folder, { source }), environmentOf(shop.address)));
  const written = await shop.written();
  await shop.close();
  return { ...found, written };
}

it('says how much a source holds, and sets no coupon', async () => {
  expect(await check({})).toEqual({
    lines: ['3 products, 3 barcodes', 'stock 1 (Loja): 3 amounts', 'stock 2 (Depósito): 1 amounts'],
    faults: [],
    written: [],
  });
});

it('counts a barcode that comes again for each batch once for the bound, as the reading does', async () => {
  const barcodes = `WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000)
    SELECT sku AS product, 9520000000000 + x % 300 AS barcode FROM item, n WHERE sku = 'CAFE-1'`;
  expect(await check({ barcodes })).toMatchObject({ faults: [] });
});

it.each<[name: string, change: object, faults: readonly string[]]>([
  ['a table that is not there', { stock: 'SELECT * FROM saldo' }, ['source.queries.stock: no such table: saldo']],
  [
    'every other query',
    {
      barcodes: 'SELECT sku FROM ean',
      amount: 'SELECT qty FROM stock WHERE sku = :product AND place = :stock',
      movements: 'SELECT 1 AS entered FROM moves WHERE sku = :product',
      batches: "SELECT 1 AS amount, '31/12/2026' AS expires_at WHERE :product > ''",
      setCoupon: 'UPDATE item SET cupom = :enabled WHERE sku = :product',
    },
    [
      'source.queries.barcodes: column product is missing or empty (sku=CAFE-1)',
      'source.queries.amount: column amount is not there (qty=12)',
      'source.queries.movements: no such table: moves',
      'source.queries.batches: column expires_at is no date (amount=1, expires_at=31/12/2026)',
      'source.queries.setCoupon: no such column: cupom',
    ],
  ],
  [
    'a product that comes twice',
    { products: 'SELECT sku AS id, title AS name FROM item JOIN ean USING (sku)' },
    ['the source answers the product CAFE-1 twice'],
  ],
  [
    'a product with barcodes without end',
    {
      barcodes: `WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000)
        SELECT sku AS product, 9520000000000 + x AS barcode FROM item, n WHERE sku = 'CAFE-1'`,
    },
    ['the product CAFE-1 has barcodes of more than 40000 characters'],
  ],
  ['no product', { products: "SELECT '' AS id WHERE 1 = 0" }, ['the source answers no product at all']],
  [
    'products that each query names in its own way',
    { products: "SELECT '00' || sku AS id, title AS name FROM item ORDER BY sku" },
    [
      'no barcode is of a product: it is said of "CAFE-1", and products have an id as "00ARROZ-1"',
      'no amount is of a product: it is said of "CAFE-1", and products have an id as "00ARROZ-1"',
    ],
  ],
])('names %s', async (_name, change, faults) => {
  expect((await check(change)).faults).toEqual(faults);
});

it('says what belongs to no product, which many shops have of products that they no longer sell', async () => {
  const { lines, faults } = await check({}, ["DELETE FROM item WHERE sku = 'CAFE-1'"]);
  expect([lines[0], lines.at(-1), faults]).toEqual([
    '2 products, 3 barcodes',
    'of no product, and not served: 2 barcodes, 2 amounts',
    [],
  ]);
});

it.each<[name: string, change: object, faults: readonly string[]]>([
  [
    'the first of several rows',
    { amount: `${queries.amount} ORDER BY qty DESC LIMIT 1` },
    ['of "CAFE-1" in "loja" the amount is 15 in the listing, and 12 where it is asked for alone'],
  ],
  [
    'a key that it does not have',
    { amount: `SELECT sum(qty) AS amount FROM stock WHERE 'x' || sku = :product AND place = :stock` },
    [
      'of "CAFE-1" in "loja" the amount is 15 in the listing, and 0 where it is asked for alone',
      'of "QUEIJO-1" in "loja" the amount is -1.25 in the listing, and 0 where it is asked for alone',
      'of "CAFE-1" in "deposito" the amount is 40 in the listing, and 0 where it is asked for alone',
    ],
  ],
  ['all of the rows', {}, []],
])('compares the amounts asked for alone with the listing where a query answers %s', async (_name, change, faults) => {
  const more = "INSERT INTO stock VALUES ('CAFE-1', 'loja', 5), ('CAFE-1', 'loja', -2)";
  expect((await check(change, [more])).faults).toEqual(faults);
});

it('says of the database itself that it cannot be opened', async () => {
  const folder = temporaryDirectory();
  const config = readConfig(writeConfig(folder), environmentOf('sqlite:shop.db'));
  rmSync(join(folder, 'shop.db'), { force: true });
  expect((await checkSource(config)).faults).toEqual([
    `source.database: unable to open database file (${join(folder, 'shop.db')})`,
  ]);
});
