// Whoever reaches a bridge without a sign-in, another user of its machine, and whoever writes its queries.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { startBridge } from '../../../../app/bridge/bridge.ts';
import { readConfig } from '../../../../app/bridge/config.ts';
import type { ShopSource } from '../../../../app/bridge/sources/shop-source.ts';
import { connectMysql } from '../../../../app/bridge/sources/sql/mysql.ts';
import { connectPostgres } from '../../../../app/bridge/sources/sql/postgres.ts';
import { createSqlSource } from '../../../../app/bridge/sources/sql/sql.ts';
import { hasOpenssl, makeCertificate } from '../../../support/openssl.ts';
import { hasMariadb, startMariadb } from '../../../support/mariadb.ts';
import { hasPostgres, startPostgres } from '../../../support/postgres.ts';
import { startChild } from '../../../support/child.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { readListing } from '../../../support/training-caller.ts';
import { environmentOf, makeShop, noServers, openBridge, writeConfig, type OpenBridge } from '../../bridge/shop.ts';

async function open(change: object = {}, folder = temporaryDirectory(), now = Date.now): Promise<OpenBridge> {
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  const opened = await openBridge(folder, shop.address, now, change);
  return opened;
}

it('who names an application without its secret uses up nothing of its limit', async () => {
  const { caller } = await open({ requestsPerMinute: 20 });
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await caller.token({ client_secret: 'a guess' })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await caller.list()).status).toBe(200);
});

it('who has a token that has ended uses up nothing of the limit, and no refusal is kept for ever', async () => {
  const folder = temporaryDirectory();
  let now = Date.now();
  const { bridge, caller } = await open({ requestsPerMinute: 20 }, folder, () => now);
  const statusesOf = async (token: string, paths: readonly string[]): Promise<readonly number[]> => {
    const headers = { authorization: `Bearer ${token}` };
    const send = async (path: string, place: number): Promise<number> =>
      (await caller.send(path, { method: 'PUT', key: `${token}-${place}`, body: '{}', headers })).status;
    return Promise.all(paths.map(send));
  };
  const coupons = Array.from({ length: 40 }, () => '/api/v3/products/consumption-coupons');
  const former = caller.accessToken;
  now += 30 * 3_600_000;
  await caller.signIn();
  expect(new Set(await statusesOf(former, coupons))).toEqual(new Set([401]));
  await statusesOf(
    former,
    Array.from({ length: 40 }, () => '/oauth/scopes'),
  );
  expect(new Set(await statusesOf(former, ['/api/v3/nothing', '/api/v3/products']))).toEqual(new Set([404]));
  expect((await caller.list()).status).toBe(200);
  expect(new Set(await statusesOf(caller.accessToken, coupons))).toEqual(new Set([422, 429]));
  await bridge.close();
  const ledger = new DatabaseSync(join(folder, 'bridge', 'ledger.db'), { readOnly: true });
  expect(ledger.prepare('SELECT DISTINCT status FROM kept_answer').all()).toEqual([{ status: 422 }]);
  ledger.close();
});

it('a refusal takes little room, however much of a request is refused', async () => {
  const folder = temporaryDirectory();
  const { bridge, caller } = await open({}, folder);
  const body = `{"items":[${'0,'.repeat(100_000)}0]}`;
  const refused = await caller.send('/api/v3/products/consumption-coupons', { method: 'PUT', key: 'large', body });
  expect(refused.status).toBe(422);
  await bridge.close();
  expect(statSync(join(folder, 'bridge', 'ledger.db')).size).toBeLessThan(200_000);
});

it('who asks without a token uses up no limit that tills share, and writes nothing', async () => {
  const folder = temporaryDirectory();
  const { bridge, caller } = await open({ requestsPerMinute: 20 }, folder);
  const ask = async (path: string, headers: Record<string, string>): Promise<number> =>
    (
      await fetch(bridge.address + path, {
        headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      })
    ).status;
  const paths = [
    '/api/v3/products/consumption-coupons',
    '/api/v3/stocks/1/products',
    '/api/v3/nothing',
    '/oauth/scopes',
  ];
  const strangers = Array.from({ length: 100 }, (_, place) =>
    ask(paths[place % paths.length] ?? '', place % 3 === 0 ? {} : { authorization: `Bearer stranger${place}` }),
  );
  expect(new Set(await Promise.all(strangers))).toEqual(new Set([200, 401, 404]));
  // As a till asks whether the bridge is there, and what scopes it has.
  expect(await ask('/api/v3/products/consumption-coupons', {})).toBe(401);
  expect(await ask('/oauth/scopes', {})).toBe(200);
  expect((await caller.list()).status).toBe(200);
  await bridge.close();
  const arrivals = new DatabaseSync(join(folder, 'bridge', 'arrivals.db'), { readOnly: true });
  expect(arrivals.prepare('SELECT DISTINCT client_id FROM arrival').all()).toHaveLength(1);
  arrivals.close();
});

it('of a token request no more is read than a till sends: many long ones keep no till waiting', async () => {
  const { caller } = await open();
  expect((await caller.token({ more: 'x'.repeat(4000) })).status).toBe(200);
  expect((await caller.token({ more: Array.from({ length: 10_000 }, () => 1) })).status).toBe(400);
});

it('is not begun where the environment has certificates not looked at', () => {
  const environment = { ...environmentOf('sqlite:shop.db'), NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(() => readConfig(writeConfig(temporaryDirectory()), environment)).toThrow('NODE_TLS_REJECT_UNAUTHORIZED=0');
});

it('a pass that comes to nothing keeps none of its new ids, which would fill the file for good', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  const { bridge } = await openBridge(folder, shop.address);
  const countIds = (): unknown => {
    const ids = new DatabaseSync(join(folder, 'bridge', 'ids.db'), { readOnly: true });
    const row = ids.prepare('SELECT count(*) AS count FROM id_of').get();
    ids.close();
    return row?.['count'];
  };
  await shop.run("INSERT INTO item (sku, title) VALUES ('NEW-1', 'Chá'), ('NEW-2', 'Mate')");
  await shop.run("INSERT INTO stock VALUES ('NEW-1', 'loja', 'a lot')");
  await expect(bridge.update()).rejects.toThrow('column amount is no number');
  expect(countIds()).toBe(3);
  await shop.run("UPDATE stock SET qty = 1 WHERE sku = 'NEW-1'");
  await bridge.update();
  expect(countIds()).toBe(5);
  await shop.run("INSERT INTO item (sku, title) VALUES ('NEW-3', 'Erva')");
  await shop.run('DELETE FROM stock');
  await expect(bridge.update()).rejects.toThrow('the source answers no amount at all');
  expect(countIds()).toBe(5);
});

it('who begins requests, does not end them and comes again keeps no till out', async () => {
  const { bridge } = await open();
  const port = Number(new URL(bridge.address).port);
  let isOver = false;
  const strangers = new Set<Socket>();
  const begin = (): void => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /health HTTP/1.1\r\nHost:'));
    strangers.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      strangers.delete(socket);
      if (!isOver) {
        begin();
      }
    });
  };
  onTestFinished(() => {
    isOver = true;
    strangers.forEach((socket) => socket.destroy());
  });
  Array.from({ length: 500 }, begin);
  await expect.poll(() => [...strangers].filter(({ readyState }) => readyState === 'open').length).toBe(500);
  for (let turn = 0; turn < 20; turn += 1) {
    const { status } = await fetch(`${bridge.address}/health`, { headers: { connection: 'close' } });
    expect(status).toBe(200);
  }
});

it('who sends a head or a body drop by drop is hung up on once the time for it is over', async () => {
  const folder = temporaryDirectory();
  const { address } = await makeShop('sqlite', folder, noServers, 'shop');
  const config = readConfig(writeConfig(folder), environmentOf(address));
  const deadlines = {
    handshakeTimeout: 400,
    headersTimeout: 400,
    requestTimeout: 800,
    connectionsCheckingInterval: 50,
  };
  const bridge = await startBridge(config, () => undefined, Date.now, deadlines);
  onTestFinished(bridge.close);
  const drip = async (start: string): Promise<string> => {
    const socket = connect(Number(new URL(bridge.address).port), '127.0.0.1');
    let said = '';
    socket.on('error', () => undefined).on('data', (part) => (said += String(part)));
    const closed = new Promise((done) => socket.once('close', () => done('')));
    socket.write(start);
    const drops = setInterval(() => socket.write('a'), 20);
    const end = await Promise.race([closed, delay(5_000, 'still open', { ref: false })]);
    clearInterval(drops);
    socket.destroy();
    return `${String(end)}${said.split('\r\n', 1)[0] ?? ''}`;
  };
  const head = 'POST /oauth/token HTTP/1.1\r\nHost: till\r\n';
  const said = await Promise.all([head, `${head}Content-Length: 8000\r\n\r\n`].map(drip));
  // A drop that comes after the end has the answer thrown away with the connection.
  expect(['', 'HTTP/1.1 408 Request Timeout']).toEqual(expect.arrayContaining(said));
});

it('holds five hundred connections, and one more takes the place of the oldest', async () => {
  const { bridge } = await open();
  const strangers = new Set<Socket>();
  onTestFinished(() => strangers.forEach((socket) => socket.destroy()));
  for (let count = 0; count < 520; count += 1) {
    const socket = connect(Number(new URL(bridge.address).port), '127.0.0.1');
    strangers.add(socket.on('error', () => undefined).on('close', () => strangers.delete(socket)));
    socket.write('GET / HTTP/1.1\r\n');
  }
  await expect.poll(() => strangers.size).toBe(500);
  await delay(300);
  expect(strangers.size).toBe(500);
});

it('a page of a browser that comes by another name reads no figures', async () => {
  const { bridge } = await open();
  const statusFor = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${bridge.address}/metrics`, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  expect(await statusFor(new URL(bridge.address).host)).toBe(200);
  expect(await statusFor('rebound.example.com')).toBe(404);
});

it('nobody reads figures where a proxy is in front, through which everybody comes from this machine', async () => {
  const { bridge } = await open({ listen: { port: 0, isBehindProxy: true } });
  expect((await fetch(`${bridge.address}/metrics`)).status).toBe(404);
  expect((await fetch(`${bridge.address}/health`)).status).toBe(200);
});

it.skipIf(process.platform === 'win32')(
  'its folder is closed to others, and one that they may have filled is refused',
  async () => {
    const folder = temporaryDirectory();
    mkdirSync(join(folder, 'bridge'));
    chmodSync(join(folder, 'bridge'), 0o755);
    const { caller } = await open({}, folder);
    expect(statSync(join(folder, 'bridge')).mode & 0o007).toBe(0);
    // Whoever reads it all the same, as from a backup, finds no token that is good.
    const kept = ['', '-wal'].map((end) => readFileSync(join(folder, 'bridge', `ledger.db${end}`), 'latin1')).join('');
    expect(kept).toContain(createHash('sha256').update(caller.accessToken).digest('hex'));
    expect(kept).not.toContain(caller.accessToken);

    const other = temporaryDirectory();
    mkdirSync(join(other, 'bridge'));
    chmodSync(join(other, 'bridge'), 0o777);
    writeFileSync(join(other, 'bridge', 'ledger.db'), '');
    const config = readConfig(writeConfig(other), environmentOf('sqlite:shop.db'));
    await expect(startBridge(config, () => undefined)).rejects.toThrow('everybody could write there');
  },
);

it.skipIf(!hasOpenssl || process.platform === 'win32')(
  'a key of its certificate that others may read is refused',
  async () => {
    const folder = temporaryDirectory();
    makeCertificate(folder);
    chmodSync(join(folder, 'server.key'), 0o644);
    const listen = { port: 0, tls: { certificate: 'server.crt', key: 'server.key' } };
    const config = readConfig(writeConfig(folder, { listen }), environmentOf('sqlite:shop.db'));
    await expect(startBridge(config, () => undefined)).rejects.toThrow('listen.tls.key: others may read');
    for (const name of ['server.key', 'server.crt']) {
      makeCertificate(folder);
      rmSync(join(folder, name));
      execFileSync('mkfifo', ['-m', '600', join(folder, name)]);
      await expect(
        startBridge(config, () => undefined),
        name,
      ).rejects.toThrow('is no file');
      rmSync(join(folder, name));
    }
  },
);

it('a text of the shop commands no terminal, and one without end changes nothing', async () => {
  const folder = temporaryDirectory();
  const shop = await makeShop('sqlite', folder, noServers, 'shop');
  await shop.run(
    "INSERT INTO stock VALUES ('CAFE-1', 'x' || char(27) || '[2J' || char(10) || 'stock 9' || char(155) || char(8238), 1)",
  );
  const child = startChild(
    process.execPath,
    [join(import.meta.dirname, '../../../../build/bridge.ts'), '--config', writeConfig(folder), '--check'],
    { environment: environmentOf(shop.address) },
  );
  expect((await child.ended).code).toBe(0);
  expect(child.lines.at(-1)).toBe(String.raw`not served: "x\u001b[2J\nstock 9��"`);

  const { bridge, caller } = await openBridge(folder, shop.address);
  await shop.run("INSERT INTO item (sku, title) VALUES ('LONG', char(27) || printf('%.*c', 2000, 'x'))");
  await expect(bridge.update()).rejects.toThrow('column name is longer than 2000 characters');
  expect(readListing(await caller.list()).meta.total).toBe(3);
});

it.skipIf(process.platform === 'win32')(
  'a file of the shop that is read without end holds up the end of the bridge for some seconds alone',
  { timeout: 60_000 },
  async () => {
    const folder = temporaryDirectory();
    const shop = await makeShop('sqlite', folder, noServers, 'shop');
    await shop.run('DROP TABLE ean');
    await shop.run(
      'CREATE VIEW ean AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS sku, x AS ean FROM n WHERE x < 0',
    );
    const child = startChild(
      process.execPath,
      [join(import.meta.dirname, '../../../../build/bridge.ts'), '--config', writeConfig(folder)],
      { environment: environmentOf(shop.address) },
    );
    await child.waitForLine(/"event":"started"/);
    // Until SQLite is at it.
    await delay(2000);
    expect(await Promise.race([child.stop('SIGTERM'), delay(20_000)])).toEqual({ code: null, signal: 'SIGTERM' });
  },
);

it.each([
  ['postgres://shop:word@192.0.2.1/shop', 'sslmode=verify-full'],
  ['postgres://shop:word@db.example.com/shop?sslmode=require', 'sslmode=verify-full'],
  ['postgres://shop:word@127.0.0.1/shop?host=192.0.2.1', 'sslmode=verify-full'],
  ['postgres://shop:a/word@127.0.0.1/shop', 'is no address'],
  ['postgres://shop:word@192.0.2.1/shop?sslmode=disable', null],
  ['postgres://shop:word@localhost/shop', null],
  ['mariadb://shop:word@192.0.2.1/shop', 'sslmode=verify-full'],
  ['mysql://shop:word@db.example.com/shop?sslmode=disable', null],
  ['mariadb://shop:word@db.example.com/shop?host=localhost', 'sslmode=verify-full'],
  ['postgres://shop:word@127.0.0.1/shop?host=localhost&host=192.0.2.1', 'sslmode=verify-full'],
])('the password of %s goes to no stranger', async (address, fault) => {
  const connected = (): Promise<ShopSource> =>
    createSqlSource({ kind: 'sql', database: address, queries: { products: '', stock: '' }, everySeconds: 60 }, 'UTC');
  if (fault === null) {
    await (await connected()).close();
  } else {
    await expect(connected).rejects.toThrow(fault);
  }
});

it.skipIf(!hasPostgres())(
  'no query has a second statement, which could end the transaction that only reads',
  async () => {
    const server = await startPostgres({ hasTls: false, settings: [] });
    onTestFinished(() => server.remove());
    const shop = await makeShop('postgres', temporaryDirectory(), { ...noServers, postgres: server }, 'shop');
    const connection = connectPostgres(shop.address);
    onTestFinished(() => connection.close());
    const second = "COMMIT; UPDATE item SET title = 'changed'";
    const refusal = 'multiple commands';
    const list = connection.stream(`SELECT 1 AS id; ${second}`)[Symbol.asyncIterator]();
    await expect(list.next()).rejects.toThrow(refusal);
    await expect(connection.read(`SELECT 1 AS amount; ${second}`, {})).rejects.toThrow(refusal);
    await expect(connection.write(`SELECT 1; ${second}`, {})).rejects.toThrow(refusal);
    const titles = await connection.read('SELECT title FROM item ORDER BY title', {});
    expect(titles).toEqual(['Arroz integral', 'Café moído', 'Queijo fresco'].map((title) => ({ title })));
  },
  60_000,
);

it.skipIf(!hasMariadb())(
  'no query that reads MariaDB is a statement that ends its transaction, or writes a file',
  async () => {
    const server = await startMariadb();
    onTestFinished(() => server.remove());
    const shop = await makeShop('mariadb', temporaryDirectory(), { ...noServers, mariadb: server }, 'shop');
    const connection = connectMysql(shop.address);
    onTestFinished(() => connection.close());
    for (const query of [
      'DROP TABLE lot',
      "BEGIN NOT ATOMIC COMMIT; UPDATE item SET title = 'changed'; SELECT 1 AS id; END",
      'LOCK TABLES item WRITE',
      '/*M! DROP TABLE lot */',
      '/*M! BEGIN NOT ATOMIC COMMIT; DROP TABLE lot; */ SELECT 1 AS id; END',
      '/*! BEGIN NOT ATOMIC COMMIT; DROP TABLE lot; */ SELECT 1 AS id; END',
      '-- SELECT\nDROP TABLE lot',
      '/* SELECT */ (DROP TABLE lot)',
      '/* */ BEGIN NOT ATOMIC COMMIT; DROP TABLE lot; /* */ SELECT 1 AS id; END',
      'COMMIT',
    ]) {
      const list = connection.stream(query)[Symbol.asyncIterator]();
      await expect(list.next()).rejects.toThrow('it is to read only');
      await expect(connection.read(query, {})).rejects.toThrow('it is to read only');
    }
    const file = join(temporaryDirectory(), 'written');
    for (const query of [
      `SELECT title FROM item INTO OUTFILE '${file}'`,
      `SELECT 1 AS id /*! INTO DUMPFILE '${file}' */`,
      `SELECT title FROM item INTO /*!50000OUTFILE '${file}' */`,
    ]) {
      const list = connection.stream(query)[Symbol.asyncIterator]();
      await expect(list.next()).rejects.toThrow('it is to read only');
      await expect(connection.read(query, {})).rejects.toThrow('it is to read only');
    }
    expect(existsSync(file)).toBe(false);
    const query =
      "/* the shop's */ -- one\n# two\n (SELECT name AS title FROM lot) UNION SELECT title FROM item ORDER BY title";
    expect(await connection.read(query, {})).toEqual(
      ['Arroz integral', 'Café moído', 'L-7', 'Queijo fresco'].map((title) => ({ title })),
    );
  },
  60_000,
);
