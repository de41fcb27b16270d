// A made-up shop's own database, in SQLite, PostgreSQL and MariaDB, and a bridge over it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { startBridge, type Bridge } from '../../../app/bridge/bridge.ts';
import { readConfig } from '../../../app/bridge/config.ts';
import { createLog } from '../../../app/bridge/health.ts';
import { onTestFinished } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { Caller, readListing, type CalledPlatform } from '../../support/training-caller.ts';
import type { Mariadb } from '../../support/mariadb.ts';
import type { Postgres } from '../../support/postgres.ts';

export type Engine = 'sqlite' | 'postgres' | 'mariadb';

/** Every write to a coupon is noted by the database itself. */
const tables = [
  'CREATE TABLE item (sku VARCHAR(40) PRIMARY KEY, title VARCHAR(200) NOT NULL, unit VARCHAR(10), price NUMERIC(10, 2), coupon INTEGER DEFAULT 0)',
  'CREATE TABLE ean (sku VARCHAR(40) NOT NULL, ean VARCHAR(20) NOT NULL)',
  'CREATE TABLE stock (sku VARCHAR(40) NOT NULL, place VARCHAR(20) NOT NULL, qty NUMERIC(12, 3) NOT NULL)',
  'CREATE TABLE lot (sku VARCHAR(40) NOT NULL, name VARCHAR(20), qty NUMERIC(12, 3) NOT NULL, best_before DATE)',
  'CREATE TABLE written (sku VARCHAR(40) NOT NULL, coupon INTEGER NOT NULL)',
];
const notes: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    'CREATE TRIGGER note AFTER UPDATE OF coupon ON item BEGIN INSERT INTO written VALUES (new.sku, new.coupon); END',
  ],
  postgres: [
    'CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO written VALUES (new.sku, new.coupon); RETURN new; END $$',
    'CREATE TRIGGER note AFTER UPDATE OF coupon ON item FOR EACH ROW EXECUTE FUNCTION note()',
  ],
  mariadb: ['CREATE TRIGGER note AFTER UPDATE ON item FOR EACH ROW INSERT INTO written VALUES (new.sku, new.coupon)'],
};
const rows = [
  "INSERT INTO item (sku, title, unit, price) VALUES ('CAFE-1', 'Café moído', 'UN', 18.9), ('ARROZ-1', 'Arroz integral', 'UN', 7.5), ('QUEIJO-1', 'Queijo fresco', 'KG', 42)",
  "INSERT INTO ean VALUES ('CAFE-1', '9520000000011'), ('CAFE-1', '9520000000028'), ('ARROZ-1', '9520000000035')",
  "INSERT INTO stock VALUES ('CAFE-1', 'loja', 12), ('CAFE-1', 'deposito', 40), ('ARROZ-1', 'loja', 0), ('QUEIJO-1', 'loja', -1.25)",
  "INSERT INTO lot VALUES ('QUEIJO-1', 'L-7', 3.5, '2026-12-31')",
];

export const queries = {
  products: 'SELECT sku AS id, title AS name, sku AS code, unit, price FROM item',
  barcodes: 'SELECT sku AS product, ean AS barcode FROM ean ORDER BY ean',
  stock: 'SELECT sku AS product, place AS stock, qty AS amount FROM stock',
  amount: 'SELECT qty AS amount FROM stock WHERE sku = :product AND place = :stock',
  movements:
    'SELECT CASE WHEN qty > 0 THEN qty ELSE 0 END AS entered, CASE WHEN qty < 0 THEN 0 - qty ELSE 0 END AS exited FROM stock WHERE sku = :product AND place = :stock',
  batches: 'SELECT name, qty AS amount, best_before AS expires_at FROM lot WHERE sku = :product',
  setCoupon: 'UPDATE item SET coupon = CASE WHEN :enabled THEN 1 ELSE 0 END WHERE sku = :product',
};

/** The shop's database, as the shop's own programs use it. */
export interface ShopDatabase {
  readonly address: string;
  run(sql: string): Promise<void>;
  /** What was written to coupons, in order. */
  written(): Promise<readonly string[]>;
  close(): Promise<void>;
}

function openSqliteShop(folder: string): ShopDatabase {
  const path = join(folder, 'shop.db');
  const database = new DatabaseSync(path, { timeout: 5000 });
  return {
    address: `sqlite:${path}`,
    run: (sql) => {
      database.exec(sql);
      return Promise.resolve();
    },
    written: () =>
      Promise.resolve(
        database
          .prepare('SELECT sku, coupon FROM written ORDER BY rowid')
          .all()
          .map(({ sku, coupon }) => `${String(sku)}=${String(coupon)}`),
      ),
    close: () => {
      if (database.isOpen) {
        database.close();
      }
      return Promise.resolve();
    },
  };
}

/** A connection to a new database of the server. */
export async function createDatabase({ owner }: Pick<Postgres, 'owner'>, name: string): Promise<pg.Client> {
  const connect = async (database: string): Promise<pg.Client> => {
    const { host, port, user, password } = owner;
    const client = new pg.Client({ host, port, user, password, database });
    // The server may end while nobody asks.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const maker = await connect(owner.database);
  await maker.query(`CREATE DATABASE ${name}`);
  await maker.end();
  return connect(name);
}

async function openPostgresShop({ owner }: Postgres, name: string): Promise<ShopDatabase> {
  const client = await createDatabase({ owner }, name);
  return {
    address: `postgres://${owner.user}:${owner.password}@${owner.host}:${owner.port}/${name}`,
    run: async (sql) => {
      await client.query(sql);
    },
    written: async () => {
      const { rows: found } = await client.query<{ sku: string; coupon: number }>(
        'SELECT sku, coupon FROM written ORDER BY ctid',
      );
      return found.map(({ sku, coupon }) => `${sku}=${coupon}`);
    },
    close: () => client.end(),
  };
}

async function openMariadbShop({ addressOf }: Mariadb, name: string): Promise<ShopDatabase> {
  const client = await createConnection({ uri: addressOf('') });
  await client.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await client.query(`USE ${name}`);
  return {
    address: addressOf(name),
    run: async (sql) => {
      await client.query(sql);
    },
    written: async () => {
      const [found] = await client.query("SELECT concat(sku, '=', coupon) AS line FROM written");
      return (found as { readonly line: string }[]).map(({ line }) => line);
    },
    close: () => client.end(),
  };
}

/** The servers that were started. */
export interface Servers {
  readonly postgres: Postgres | null;
  readonly mariadb: Mariadb | null;
}

export const noServers: Servers = { postgres: null, mariadb: null };

/** Makes the shop in the folder, or as a database of this name on the engine's server; it is closed after the test. */
export async function makeShop(engine: Engine, folder: string, { postgres, mariadb }: Servers, name: string) {
  const open = async (): Promise<ShopDatabase> => {
    if (engine === 'postgres' && postgres !== null) {
      return openPostgresShop(postgres, name);
    }
    return engine === 'mariadb' && mariadb !== null ? openMariadbShop(mariadb, name) : openSqliteShop(folder);
  };
  const shop = await open();
  onTestFinished(shop.close);
  for (const sql of [...tables, ...notes[engine], ...rows]) {
    await shop.run(sql);
  }
  return shop;
}

/** Writes the bridge's configuration into the folder; answers its path. */
export function writeConfig(folder: string, change: object = {}): string {
  const path = join(folder, 'shop.json');
  const config = {
    listen: { port: 0 },
    folder: 'bridge',
    timeZone: 'America/Sao_Paulo',
    requestsPerMinute: 100_000,
    company: { id: '1', name: 'Mercearia de Exemplo' },
    stocks: [
      { id: '1', name: 'Loja', source: 'loja' },
      { id: '2', name: 'Depósito', source: 'deposito' },
    ],
    applications: [{ clientId: 'tills', secret: { env: 'TILLS' } }],
    users: [{ id: '7', email: 'caixa@example.com', password: { env: 'CASHIER' } }],
    source: { kind: 'sql', database: { env: 'SHOP' }, queries, everySeconds: 86_400 },
  };
  writeFileSync(path, JSON.stringify({ ...config, ...change }));
  return path;
}

/** The secrets of a configuration; of a database its address. */
export const environmentOf = (shop: string | Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  ...(typeof shop === 'string' ? { SHOP: shop } : shop),
  TILLS: 'a-secret-of-the-tills',
  CASHIER: 'a-password-for-tests',
});

/** How a till signs in at a bridge of this configuration. */
export const calledAt = (platformUrl: string): CalledPlatform => ({
  platformUrl,
  clientId: 'tills',
  clientSecret: 'a-secret-of-the-tills',
  email: 'caixa@example.com',
  password: 'a-password-for-tests',
  companyId: '1' as Id,
  stockIds: ['1' as Id, '2' as Id],
});

export interface OpenBridge {
  readonly bridge: Bridge;
  readonly caller: Caller<CalledPlatform>;
  readonly log: readonly string[];
}

/** Starts a bridge over the shop, which has read it once, with a caller who is signed in; it is closed after the test. */
export async function openBridge(
  folder: string,
  shop: string | Readonly<Record<string, string>>,
  now: () => number = Date.now,
  change: object = {},
): Promise<OpenBridge> {
  const log: string[] = [];
  const config = readConfig(writeConfig(folder, change), environmentOf(shop));
  const bridge = await startBridge(
    config,
    createLog((line) => void log.push(line), now),
    now,
  );
  onTestFinished(bridge.close);
  await bridge.update();
  const caller = new Caller(calledAt(bridge.address));
  await caller.signIn();
  return { bridge, caller, log };
}

/** The id of the first product that the term finds. */
export const idOf = async ({ caller }: OpenBridge, term: string): Promise<string> =>
  String(readListing(await caller.list(`term=${term}`)).elements[0]?.['product_id']);
