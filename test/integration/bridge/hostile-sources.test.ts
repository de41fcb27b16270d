// What answers in place of a shop's system: it gives secrets back, has no end, is too large, or falls silent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { snapshotMigrations } from '../../../app/bridge/migrations.ts';
import { createPass } from '../../../app/bridge/snapshot/pass.ts';
import { createSnapshotSource } from '../../../app/bridge/snapshot/source.ts';
import type { ShopSource } from '../../../app/bridge/sources/shop-source.ts';
import { openSharedLedger } from '../../../app/bridge/ledger/shared-ledger.ts';
import { connectMysql } from '../../../app/bridge/sources/sql/mysql.ts';
import { connectPostgres } from '../../../app/bridge/sources/sql/postgres.ts';
import { createSqlSource } from '../../../app/bridge/sources/sql/sql.ts';
import { createTrytonSource } from '../../../app/bridge/sources/tryton/tryton.ts';
import { createWoocommerceSource, woocommerceSchema } from '../../../app/bridge/sources/woocommerce/woocommerce.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { Database } from '../../../app/storage/database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { listenLocally } from '../../support/listen.ts';

const key = 'ck_canary_0001';
const secret = 'cs_canary/0002';
const password = 'tryton "canary" 3';

async function portOf(server: Server): Promise<number> {
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  return port;
}

/** A server of the shop that answers so. */
async function openShop(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => unknown,
  its: { readonly secret: string; readonly password: string; readonly patienceMs?: number } = { secret, password },
) {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const document = answer(request, body, response);
      response.end(typeof document === 'string' ? document : JSON.stringify(document));
    });
  });
  const address = `http://127.0.0.1:${await portOf(server)}`;
  return {
    woocommerce: createWoocommerceSource({ kind: 'woocommerce', address, key, secret: its.secret, everySeconds: 300 }),
    tryton: createTrytonSource(
      { kind: 'tryton', address, database: 'shop', user: 'bridge', password: its.password, everySeconds: 60 },
      ['WH'],
      'UTC',
      its.patienceMs,
    ),
  };
}

async function readAll(source: ShopSource): Promise<void> {
  for await (const rows of source.read()) {
    expect(rows).toBeDefined();
  }
}

const messageOf = (action: Promise<unknown>): Promise<string> =>
  action.then(
    () => 'nothing thrown',
    (error: unknown) => String(error),
  );

/** As PHP writes it, too. */
const phpJson = (value: unknown): string => JSON.stringify(value).replaceAll('/', String.raw`\/`);

/** What a Tryton answers that lets the bridge in and has one stock; undefined to all else. */
function ofTryton(body: string, fields: object = {}): unknown {
  const results: readonly (readonly [string, unknown])[] = [
    ['login', [1, 'a-key']],
    ['get_preferences', {}],
    ['fields_get', fields],
    ['stock.location', [{ id: 1, type: 'storage', storage_location: null }]],
  ];
  return results.find(([name]) => body.includes(name))?.[1];
}

it.each([
  ['as JSON', (text: string) => ({ status: 500, text: JSON.stringify({ debug: text }) })],
  ['as PHP writes JSON', (text: string) => ({ status: 403, text: phpJson({ debug: text }) })],
  ['in what is no JSON', (text: string) => ({ status: 200, text })],
])('a secret that a shop gives back %s is in no message', async (_how, write) => {
  const { woocommerce, tryton } = await openShop(({ headers }, body, response) => {
    const [, basic = ''] = (headers.authorization ?? '').split(' ');
    const { status, text } = write(`${Buffer.from(basic, 'base64').toString()} ${basic} ${body}`);
    response.statusCode = status;
    return text;
  });
  const messages = [await messageOf(readAll(woocommerce)), await messageOf(readAll(tryton))].join('\n');
  expect(messages).toContain('http://127.0.0.1');
  expect(messages).not.toMatch(/canary|Y2tf/);
});

it('a secret that Tryton gives back in its error, or the key of the session, is in no message', async () => {
  let asked = 0;
  const { tryton } = await openShop(({ headers }, body) => {
    asked += 1;
    return asked === 2 ? { result: [1, 'a-key'] } : { error: ['UserError', [body, headers.authorization]] };
  });
  const first = await messageOf(readAll(tryton));
  const second = await messageOf(readAll(tryton));
  expect([first, second].join('\n')).toMatch(/common\.db\.login.*\n.*get_preferences/);
  expect(first + second).not.toMatch(/canary|YnJpZGdl/);
});

it('a Tryton that refuses a method, or has no such model, is not signed in to anew for it', async () => {
  const asked: string[] = [];
  const { tryton } = await openShop((_request, body, response) => {
    const { method } = JSON.parse(body) as { readonly method: string };
    asked.push(method);
    // The third question's session has ended.
    const hasEnded = method.endsWith('fields_get') && asked.filter((one) => one === method).length === 3;
    response.statusCode = hasEnded ? 401 : 200;
    const results: Readonly<Record<string, unknown>> = {
      'common.db.login': { result: [1, 'a-key'] },
      'model.res.user.get_preferences': { result: {} },
      'model.stock.lot.fields_get': { error: ["'stock.lot'", 'KeyError'] },
    };
    return results[method] ?? { error: ['UserError', ['You are not allowed to access "Location"', '']] };
  });
  for (const _question of [1, 2, 3, 4]) {
    expect(await tryton.listBatches?.(1, 'WH')).toEqual([]);
    expect(await messageOf(tryton.readAmount?.(1, 'WH') ?? Promise.resolve())).toContain('not allowed');
  }
  expect(asked.filter((method) => method === 'common.db.login')).toHaveLength(2);
});

it('a secret that a shop gives back in a row that cannot be read is in no message, however long it is', async () => {
  const long = `${'k'.repeat(60)}canary`;
  const { woocommerce, tryton } = await openShop(
    ({ headers }, body, response) => {
      const { authorization = '' } = headers;
      response.setHeader('x-wp-total', 1);
      const [, basic = ''] = authorization.split(' ');
      if (body === '') {
        return [{ id: 1, type: 'simple', name: long, sku: basic, price: 'none', stock_quantity: 1 }];
      }
      const results: readonly (readonly [string, unknown])[] = [
        ['login', [1, 'the-key-of-the-session']],
        ['get_preferences', {}],
        ['product.category', []],
        ['stock.location', [{ id: 1, type: 'storage', storage_location: null }]],
        [
          'product.product',
          [{ id: 1, name: basic, code: `${long} the-key-of-the-session`, list_price: { decimal: 'none' } }],
        ],
        ['fields_get', {}],
        ['stock.lot', [{ [long]: 1, id: 1, number: password }]],
      ];
      return { result: results.find(([name]) => body.includes(name))?.[1] };
    },
    { secret: long, password: long },
  );
  const messages = [
    await messageOf(readAll(tryton)),
    await messageOf(tryton.listBatches?.('1', 'WH') ?? Promise.resolve()),
  ];
  for await (const { unreadable = [] } of woocommerce.read()) {
    messages.push(...unreadable);
  }
  expect(messages.join('\n')).toMatch(/price is no number.*\n.*quantity is missing.*\n.*price is no number/);
  expect(messages.join('\n')).not.toMatch(/kkkk|Y2tf|YnJpZGdl|session/);
});

it.each([1.5, 2 ** 53, '../orders', true])('an id %j of WooCommerce is taken for no product', async (id) => {
  const { woocommerce } = await openShop((_request, _body, response) => {
    response.setHeader('x-wp-total', 1);
    return [{ id, type: 'simple', name: 'Coffee', stock_quantity: 1 }];
  });
  expect(await messageOf(readAll(woocommerce))).toContain('"id"');
});

it('a figure that is told of another product than was asked for is none', async () => {
  const { woocommerce, tryton } = await openShop((_request, body) => {
    const other = { id: 8, quantity: 3, stock_quantity: 3 };
    const found = body.includes('[9]') ? [] : [other];
    return body === '' ? other : { result: ofTryton(body) ?? found };
  });
  const ask = ({ readAmount }: ShopSource, id: string, stock: string): Promise<string> =>
    messageOf(readAmount?.(id, stock) ?? Promise.resolve());
  expect(await ask(woocommerce, '7', 'shop')).toContain('answers the product 8 for 7');
  expect(await ask(woocommerce, '8/9', 'shop')).toContain('answers the product 8 for 8/9');
  expect(await ask(tryton, '7', 'WH')).toContain('answers the product 8 for 7');
  expect(await ask(tryton, '9', 'WH')).toContain('answers no product for 9');
  expect(await woocommerce.readAmount?.('7/8', 'shop')).toBe(3);
  expect(await tryton.readAmount?.('8', 'WH')).toBe(3);
});

it('an answer of megabytes does not hold up the process that answers tills', async () => {
  const { woocommerce } = await openShop(() => `[${'{},'.repeat(2_000_000)}{}]`);
  expect(await messageOf(woocommerce.readAmount?.('1', 'shop') ?? Promise.resolve())).toContain('is larger than');
});

it('an expiry date of Tryton that cannot be read is refused: a lot without one never expires', async () => {
  const lot = {
    id: 1,
    number: 'L-7',
    quantity: 1,
    create_date: null,
    expiration_date: { year: 2027, month: '1', day: 5 },
  };
  const { tryton } = await openShop((_request, body) => {
    return { result: ofTryton(body, { expiration_date: {} }) ?? [lot] };
  });
  expect(await messageOf(tryton.listBatches?.('1', 'WH') ?? Promise.resolve())).toContain(
    'Tryton: column expiration_date is no date',
  );
});

it('lists without end are left', async () => {
  const page = Array.from({ length: 500 }, () => ({ id: 7, type: 'variable', name: 'Coffee', quantity: 1 }));
  const { woocommerce, tryton } = await openShop((_request, body, response) => {
    response.setHeader('x-wp-total', 1e9);
    const { method = '' } = JSON.parse(body || '{}') as { method?: string };
    const results: readonly (readonly [string, unknown])[] = [
      ['login', [1, 'a-key']],
      ['get_preferences', {}],
      ['fields_get', {}],
      ['location', [{ id: 1, type: 'storage', storage_location: null }]],
    ];
    return body === '' ? page.slice(0, 100) : { result: results.find(([name]) => method.includes(name))?.[1] ?? page };
  });
  expect(await messageOf(readAll(woocommerce))).toContain('changed while it was read');
  expect(await messageOf(tryton.listBatches?.('1', 'WH') ?? Promise.resolve())).toContain('in no order');
  expect(await messageOf(readAll(tryton))).toContain('in no order');
});

it('more rows of Tryton than were asked for are not looked at: a till waits for them, and all others', async () => {
  const lot = (id: number): object => ({ id, number: 'L', quantity: 1 });
  const answers: readonly unknown[] = [Array(100_000).fill(1), Array.from({ length: 501 }, (_, id) => lot(id + 1))];
  for (const answer of answers) {
    const { tryton } = await openShop((_request, body) => {
      return { result: ofTryton(body) ?? answer };
    });
    const asked = [tryton.readAmount?.('1', 'WH'), tryton.readMovements?.('1', 'WH'), tryton.listBatches?.('1', 'WH')];
    const messages = await Promise.all(asked.map((one) => messageOf(one ?? Promise.resolve())));
    expect(messages.map((text) => text.slice(0, 200))).toEqual([
      expect.stringMatching(/rows where 1 were asked for/),
      expect.stringMatching(/rows where 500 were asked for/),
      expect.stringMatching(/rows where 500 were asked for/),
    ]);
  }
});

it.each([
  ['a session’s key', [1, '/'.repeat(100_000)], {}],
  ['a user’s own settings', [1, 'a-key'], { language: 'l'.repeat(100_000) }],
])('%s of a length that would hold up each request is refused', async (_what, login, preferences) => {
  const { tryton } = await openShop((_request, body) => ({ result: body.includes('login') ? login : preferences }));
  expect(await messageOf(tryton.readAmount?.('1', 'WH') ?? Promise.resolve())).toContain('is larger than 65536 bytes');
});

it('moves and lots that come a page at a time are left once no till waits for them any more', async () => {
  let listed = 0;
  const answer = (_request: IncomingMessage, body: string): unknown => {
    const page = (): unknown =>
      Array.from({ length: 500 }, () => ({ id: (listed += 1), number: 'L', quantity: 1, internal_quantity: 1 }));
    return { result: ofTryton(body) ?? page() };
  };
  const { tryton } = await openShop(answer, { secret, password, patienceMs: 1 });
  const left = 'not listed all of stock.';
  expect(await messageOf(tryton.readMovements?.('1', 'WH') ?? Promise.resolve())).toContain(`${left}move within 1 ms`);
  expect(await messageOf(tryton.listBatches?.('1', 'WH') ?? Promise.resolve())).toContain(`${left}lot within 1 ms`);
  expect(listed).toBeLessThan(5000);
});

it('lots in order, but without end, are left: a till waits for them', async () => {
  let lots = 0;
  const { tryton } = await openShop((_request, body) => {
    const page = (): unknown => Array.from({ length: 500 }, () => ({ id: (lots += 1), number: 'L', quantity: 1 }));
    return { result: lots > 20_000 ? [] : (ofTryton(body) ?? page()) };
  });
  expect(await messageOf(tryton.listBatches?.('1', 'WH') ?? Promise.resolve())).toContain('lists more than 10000');
});

it('a redirect is not followed: it would hand on the password, which Tryton takes in the body', async () => {
  const bodies: string[] = [];
  const { tryton, woocommerce } = await openShop(({ url = '' }, body, response) => {
    if (url.includes('/elsewhere')) {
      bodies.push(body);
    } else {
      response.writeHead(307, { location: '/elsewhere' });
    }
    return { result: [1, 'a-key'] };
  });
  for (const source of [tryton, woocommerce]) {
    expect(await messageOf(readAll(source))).toContain('unexpected redirect');
  }
  expect(bodies).toEqual([]);
});

it('a shop’s server that falls silent before its answer, or amid it, is left', async () => {
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(60_000);
    const silence = new AbortController();
    setTimeout(() => silence.abort(new Error('fallen silent')), 200);
    return silence.signal;
  });
  onTestFinished(() => patience.mockRestore());
  for (const begin of ['', '{"result":']) {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'x-wp-total': '1' });
      response.flushHeaders();
      response.write(begin);
    });
    const address = `http://127.0.0.1:${await portOf(server)}`;
    onTestFinished(() => server.closeAllConnections());
    const source = createWoocommerceSource({ kind: 'woocommerce', address, key, secret, everySeconds: 300 });
    expect(await messageOf(readAll(source))).toContain('fallen silent');
  }
});

it('an address that names a password, which would stand in the log, is refused', () => {
  const parsed = woocommerceSchema.safeParse({
    kind: 'woocommerce',
    address: 'https://shop:word@shop.example.com',
    key: { env: 'KEY' },
    secret: { env: 'SECRET' },
  });
  expect(parsed.error?.issues[0]?.message).toBe('must name no user and no password');
});

const facts = { code: null, department: null, unit: null, price: null, supplier: null, aisle: null, coupon: null };
const nothing: ShopSource = {
  read: async function* none() {},
  readAmount: null,
  readMovements: null,
  listBatches: null,
  writeCoupon: null,
  close: () => Promise.resolve(),
};

/** A packet of MySQL's protocol. */
function packet(sequence: number, ...parts: readonly (string | readonly number[])[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([...part]))),
  );
  return Buffer.concat([Buffer.from([body.length, 0, 0, sequence]), body]);
}
const greeting = packet(
  0,
  [10],
  '8.0.0\0',
  [1, 0, 0, 0],
  '12345678\0',
  [0x09, 0x82, 45, 2, 0, 0x28, 0, 21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  '123456789012\0mysql_native_password\0',
);

/** A server that takes a sign-in, answers so many statements that all is well, and then nothing, or is gone. */
async function openSilent(answers: number, isGone = false): Promise<string> {
  const server = createTcpServer((socket: Socket) => {
    let left = answers + 1;
    socket.on('error', () => undefined).write(greeting);
    socket.on('data', (sent: Buffer) => {
      left -= 1;
      if (left >= 0) {
        socket.write(packet((sent[3] ?? 0) + 1, [0, 0, 0, 2, 0, 0, 0]));
      } else if (isGone) {
        socket.destroy();
      }
    });
  });
  return `mysql://shop:word@127.0.0.1:${await portOf(server)}/shop`;
}

it('readings of a MySQL server one after the other leave nothing at the connection that they share', async () => {
  // Node warns of more than ten listeners, which fails a test.
  const sql = connectMysql(await openSilent(1000));
  onTestFinished(sql.close);
  for (let reading = 0; reading < 20; reading += 1) {
    for await (const rows of sql.stream('SELECT 1')) {
      expect(rows).toBeDefined();
    }
  }
});

it.each([
  ['at the beginning', 0],
  ['at the statement', 1],
  ['at the end', 2],
])('a MySQL server that falls silent %s of a reading is left, and one that is gone at once', async (_when, answers) => {
  const readStream = async (address: string, timeoutMs: number): Promise<void> => {
    for await (const rows of connectMysql(address, timeoutMs).stream('SELECT 1')) {
      expect(rows).toBeDefined();
    }
  };
  expect(await messageOf(readStream(await openSilent(answers), 200))).toContain('fallen silent');
  expect(await messageOf(readStream(await openSilent(answers, true), 5000))).toContain('Connection lost');
  // With parameters a statement is prepared first.
  const asked = connectMysql(await openSilent(Math.min(answers, 1)), 200).read('SELECT 1', {});
  expect(await messageOf(asked)).toContain('fallen silent');
});

/** A server at this machine that says this, one after the other, to each thing that is said to it; and what it heard last. */
async function openFalse(says: readonly Buffer[], first?: Buffer) {
  const heard: string[] = [];
  const server = createTcpServer((socket: Socket) => {
    let said = 0;
    socket.on('error', () => undefined);
    if (first !== undefined) {
      socket.write(first);
    }
    socket.on('data', (sent: Buffer) => {
      heard.push(sent.toString('latin1'));
      const next = says[said];
      said += 1;
      if (next === undefined) {
        socket.destroy();
      } else {
        socket.write(next);
      }
    });
  });
  return { place: `shop:the-canary@127.0.0.1:${await portOf(server)}/shop`, heard };
}

/** A message of PostgreSQL's protocol. */
function message(type: string, body: string | Iterable<number>, length?: number): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from([...body]);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(length ?? bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}
const letIn = Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', 'I')]);

it.each([
  ['a row that is cut', message('D', [0, 5, 0, 0])],
  ['a message of no length', message('D', '', 0)],
  ['more columns than it names', message('T', [0x7f, 0xff, 0x61])],
  ['a text without an end', message('E', 'SERROR')],
  ['a length without end', message('D', '', -5)],
])('%s in the place of an answer of PostgreSQL ends or holds up no bridge', async (_what, nonsense) => {
  for (const says of [[nonsense], [letIn, nonsense]]) {
    const { place } = await openFalse(says);
    const connection = connectPostgres(`postgres://${place}`);
    expect(await messageOf(connection.read('SELECT 1', {}))).toMatch(/cannot be read|without end/);
    await connection.close();
  }
});

/** The answer to a question: one column of a type, in each of so many rows one value or, without one, so many of nothing. */
function answerOf(type: number, value: string | null, { columns = 1, rows = 1 } = {}): Buffer {
  const size = (bytes: number, number: number): Buffer =>
    Buffer.from(number.toString(16).padStart(2 * bytes, '0'), 'hex');
  const column = Buffer.concat([Buffer.from('a\0'), Buffer.alloc(6), size(4, type), Buffer.alloc(8)]);
  const field = value === null ? Buffer.alloc(4, 0xff) : Buffer.concat([size(4, value.length), Buffer.from(value)]);
  const each = (part: Buffer): number[] => [...size(2, columns), ...Buffer.concat(Array<Buffer>(columns).fill(part))];
  const row = message('D', each(field));
  return Buffer.concat([message('T', each(column)), ...Array<Buffer>(rows).fill(row), message('C', 'FETCH\0'), inside]);
}
const inside = message('Z', 'T');
const done = Buffer.concat([message('C', 'SET\0'), inside]);
const declared = Buffer.concat([message('1', ''), message('2', ''), message('n', ''), done]);

async function askFalse(answer: Buffer): Promise<readonly object[]> {
  const { place } = await openFalse([letIn, done, done, declared, answer, done]);
  const connection = connectPostgres(`postgres://${place}`);
  onTestFinished(() => connection.close());
  return connection.read('SELECT 1', {});
}

it.each([
  // Of one stroke alone, pg's own would look for ever.
  ['bytes', 17, String.raw`\x7a`, {}],
  ['a list', 1007, '{1,2}', {}],
  ['a moment', 1184, '2026-01-02 03:04:05.6+00', new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 600))],
  ['a moment without an end', 1184, '1'.repeat(60_000), {}],
  ['a list of moments without an end', 1185, `{${'1'.repeat(60_000)}}`, {}],
  ['a filled text', 1042, `${' '.repeat(60_000)}a  `, `${' '.repeat(60_000)}a`],
  ['a number', 23, '7', 7],
  ['a decimal', 701, '1.5', 1.5],
  ['a truth', 16, 't', true],
  ['JSON', 3802, '"a"', 'a'],
  ['a list of JSON', 114, ' [1]', {}],
  ['a long number', 20, '9007199254740993', '9007199254740993'],
  ['a text', 25, 'a  ', 'a  '],
])('%s of PostgreSQL is read in proportion to its length, or not at all', async (_what, type, value, read) => {
  const startedAt = performance.now();
  expect(await askFalse(answerOf(type, value))).toEqual([{ a: read }]);
  expect(performance.now() - startedAt).toBeLessThan(1500);
});

/** An answer of no rows, with so many columns of no name. */
const describing = (columns: number): Buffer =>
  Buffer.concat([
    message('T', [columns >> 8, columns & 0xff, ...Buffer.alloc(columns * 19)]),
    message('C', 'FETCH 1\0'),
  ]);

it('values without end, of which each takes many times its bytes, are left', async () => {
  const answer = answerOf(25, null, { columns: 1600, rows: 250 });
  expect(await messageOf(askFalse(answer))).toContain('without end');
});

it.each([
  ['a row without the values of its columns', [describing(1000), message('D', [0, 0])], 'cannot be read'],
  ['a description without end', Array<Buffer>(20).fill(describing(1000)), 'without end'],
])('%s in an answer of PostgreSQL, which would fill the memory, is refused', async (_what, parts, said) => {
  expect(await messageOf(askFalse(Buffer.concat([...parts, done])))).toContain(said);
});

it('rows without end in the place of an answer of PostgreSQL hold up no bridge', async () => {
  const row = message('D', [0, 1, 0, 0, 0, 1, 0x31]);
  const rows = Buffer.concat(Array.from({ length: 20_000 }, () => row));
  const { place } = await openFalse([letIn, Buffer.concat([message('T', [0, 1, 0x61, 0, ...Buffer.alloc(18)]), rows])]);
  const connection = connectPostgres(`postgres://${place}`);
  expect(await messageOf(connection.read('SELECT 1', {}))).toContain('without end');
  await connection.close();
});

it('of an answer of PostgreSQL about one product no more is taken than of a shop’s server', async () => {
  expect(await messageOf(askFalse(answerOf(25, 'x'.repeat(5_000_000))))).toContain('without end');
});

/** pg goes by the last. */
const twoModes = '?sslmode=verify-full&sslmode=disable';

it.each([
  ['PostgreSQL', 'postgres', [message('R', [0, 0, 0, 3])], undefined],
  ['PostgreSQL, once signed in', 'postgres', [letIn, message('R', [0, 0, 0, 3])], undefined],
  ['PostgreSQL, by the last of two modes', 'postgres', [message('R', [0, 0, 0, 3])], undefined, twoModes],
  ['MariaDB', 'mariadb', [packet(2, [254], 'sha256_password\0', '12345678901234567890\0')], greeting],
  ['MariaDB, of a newer MySQL', 'mariadb', [packet(2, [254], 'caching_sha2_password\0', '1234567890\0')], greeting],
])(
  'who listens in the place of %s at this machine is not told the password',
  async (_what, kind, says, first?: Buffer, query = '') => {
    const { place, heard } = await openFalse(says, first);
    const address = `${kind}://${place}${query}`;
    const connection = kind === 'postgres' ? connectPostgres(address) : connectMysql(address);
    expect(await messageOf(connection.read('SELECT 1', {}))).toContain('needs ?sslmode=verify-full');
    // To "which key?" it would be told the password.
    expect(heard).toHaveLength(says.length);
    expect(heard.join('')).not.toContain('canary');
  },
);

const well = (sequence: number): Buffer => packet(sequence, [0, 0, 0, 2, 0, 0, 0]);
const prepared = packet(1, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const column = packet(2, [3], 'def', [0, 0, 0, 1], 'a', [0, 12, 45, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0]);

const columnsAlone = Buffer.concat([packet(1, [1]), column, well(3), well(4)]);

it.each([
  ['no end of the columns, and one more', [well(2), well(1), well(1), prepared, columnsAlone]],
  ['an error without its number, unasked', [well(2), Buffer.concat([well(1), packet(1, [255])])]],
])('%s, in the place of an answer of MySQL, end no bridge', async (_what, says) => {
  const { place } = await openFalse(says, greeting);
  const connection = connectMysql(`mysql://${place}`, 200);
  expect(await messageOf(connection.read('SELECT 1', {}))).toMatch(/fallen silent|lost|closed state/);
});

it.each([
  ['PostgreSQL', 'postgres', [message('E', 'SFATAL\0C28P01\0Mno: the-canary\0\0')], undefined],
  ['MySQL', 'mysql', [packet(2, [255, 21, 4], '#28000', 'no: the-canary')], greeting],
  // As the address writes it, and as the server knows it.
  ['PostgreSQL', 'postgres', [message('E', 'SFATAL\0C28P01\0Mno: the-c@nary\0\0')], undefined, 'the-c%40nary'],
  ['MySQL', 'mysql', [packet(2, [255, 21, 4], '#28000', 'no: the-c@nary')], greeting, 'the-c%40nary'],
])(
  'the password of a database that %s gives back is in no message',
  async (_what, kind, says, first?: Buffer, written = 'the-canary') => {
    const { place } = await openFalse(says, first);
    const [database, stock] = [`${kind}://${place.replace('the-canary', written)}`, 'SELECT 1'];
    const source = await createSqlSource(
      { kind: 'sql', database, queries: { products: stock, stock }, everySeconds: 60 },
      'UTC',
    );
    const said = await messageOf(readAll(source));
    expect(said).toContain('source.database: no: ');
    expect(said).not.toContain('nary');
  },
);

it('the password of a shared ledger that its server gives back is in no message', async () => {
  const { place } = await openFalse([message('E', 'SFATAL\0C28P01\0Mno: the-canary\0\0')]);
  const found = await messageOf(openSharedLedger(`postgres://${place}`).countPending());
  expect(found).toContain('ledger: no: ');
  expect(found).not.toContain('canary');
});

it('a source that does not answer about one product holds no till up', async () => {
  const options = { kind: 'disposable', migrations: snapshotMigrations } as const;
  const database = await Database.open(join(temporaryDirectory(), 'snapshot.db'), options);
  onTestFinished(() => database.close());
  const never = (): Promise<never> => new Promise(() => {});
  const silent: ShopSource = { ...nothing, readAmount: never, readMovements: never, listBatches: never };
  await createPass(database, (ids) => ids.map(Number)).load({
    ...nothing,
    read: async function* one() {
      yield { products: [{ sourceId: '1', name: 'Café', barcodes: [], ...facts }] };
    },
  });
  database.exec('INSERT INTO product SELECT *, 1 FROM incoming; INSERT INTO pass VALUES (1, 1, 1, 0)');
  const listed = createSnapshotSource(database, silent, new Map(), null, 20);
  const stock = { id: '1' as Id, name: 'Loja', companyId: '1' as Id };
  const asked = [
    listed.readBalance(stock, 1n, 'all'),
    listed.readBalance(stock, 1n, 'in'),
    listed.listBatches(stock, 1n, null),
  ];
  for (const one of asked) {
    expect(await messageOf(one)).toContain('has not answered within 20 ms');
  }
});

it('a source that holds more than a pass may read is left, and the copy stays as it was', async () => {
  const options = { kind: 'disposable', migrations: snapshotMigrations } as const;
  const database = await Database.open(join(temporaryDirectory(), 'snapshot.db'), options);
  onTestFinished(() => database.close());
  async function* many() {
    for (let place = 1; place <= 5000; place += 1) {
      yield { products: [{ sourceId: String(place), name: 'x'.repeat(1000), barcodes: [], ...facts }] };
      await Promise.resolve();
    }
  }
  const pass = createPass(database, (ids) => ids.map(Number), 1_000_000);
  expect(await messageOf(pass.load({ ...nothing, read: many }))).toMatch(/holds more than 1000000 bytes/);
  expect(database.prepare<{ count: number }>('SELECT count(*) AS count FROM product').get()?.count).toBe(0);
});
