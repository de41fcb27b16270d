// The proof of what really goes over the wire to the platform and what becomes of what comes back, with the app's own
// HTTP.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { writeJson } from '../../../app/domain/json.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { probePlatform } from '../../../app/platform/connection-test.ts';
import { emptyListing, htmlHeaders, openClient, portalPage } from './open-client.ts';
import { sayJson } from '../../support/scripted-platform.ts';
import { tokenOf, tokenUser } from '../../support/tokens.ts';
import { idleSlot } from '../../support/idle-slot.ts';

const stockId = '9007199254740993' as Id;
const productId = '9223372036854775807' as Id;

const person = { lane: 'person' } as const;

test('the listing asks with the required headers, every parameter encoded, and the "+" of an offset as %2B', async () => {
  const { platform, client } = await openClient();
  platform.answer = () => sayJson(200, emptyListing, { Date: 'Sun, 01 Jun 2025 10:00:00 GMT' });
  const listing = await client.listStockProducts(
    {
      stockId,
      page: 2,
      perPage: 100,
      orderByField: 'code',
      orderByType: 'asc',
      term: 'pão & café+ 50%',
      productIds: [productId, '1' as Id],
      amountInStock: 'all',
      updatedFrom: '2025-06-01T10:00:00+05:30',
    },
    person,
  );
  expect(listing).toEqual(
    succeed({
      elements: [],
      currentPage: 1,
      lastPage: 1,
      perPage: 30,
      total: 0,
      platformTime: Date.UTC(2025, 5, 1, 10),
    }),
  );
  const [asked] = platform.asked;
  expect(asked?.url).toBe(
    '/api/v3/stocks/9007199254740993/products?term=p%C3%A3o%20%26%20caf%C3%A9%2B%2050%25&order_by_field=code&order_by_type=asc&product_ids=9223372036854775807%2C1&amount_in_stock=all&page=2&per_page=100&updated_from=2025-06-01T10%3A00%3A00%2B05%3A30',
  );
  expect(asked?.headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: 'Bearer token-0',
    'service-company-id': '42',
  });
  expect(asked?.headers['idempotency-key']).toBeUndefined();
});

test('balance, batches and the list of settings carry the company, and the scopes carry not even a sign-in', async () => {
  const { platform, client } = await openClient();
  const product = { id: BigInt(productId), name: 'Café', sku: 'CF-1', unit_of_measure: { id: 3, code: 'KG' } };
  platform.answer = (asked) => {
    const [path = ''] = asked.url.split('?');
    if (path.endsWith('/balance')) {
      return {
        status: 200,
        body: writeJson({
          stock: { id: BigInt(stockId), name: 'Loja' },
          product,
          balance: -2.5,
          balance_options: [{ option_names: 'M', balance: 4 }, {}],
        }),
      };
    }
    if (path.endsWith('/batches')) {
      return {
        status: 200,
        body: writeJson({
          product,
          option_names: 'M azul',
          stock_movements: [{ lot: 'L1', amount: 3, expires_at: '2025-12-31T00:00:00-03:00' }],
        }),
      };
    }
    return path === '/oauth/scopes'
      ? sayJson(200, ['stock', 'coupons'])
      : sayJson(200, {
          items: [
            { product_id: 5, is_enabled: true },
            { product_id: 6, is_enabled: false },
          ],
        });
  };
  const known = { id: productId, name: 'Café', sku: 'CF-1', unit: 'KG' };
  expect(await client.readBalance({ stockId, productId }, person)).toEqual(
    succeed({
      stock: { id: stockId, name: 'Loja' },
      product: known,
      balance: -2.5,
      options: [{ name: 'M', amount: 4, ids: [] }],
    }),
  );
  expect(
    await client.readBalance({ stockId, productId, movementType: 'in', optionIds: [stockId, '2' as Id] }, person),
  ).toMatchObject({ ok: true });
  expect(await client.listBatches({ stockId, productId, optionIds: ['2' as Id] }, person)).toMatchObject(
    succeed({
      product: known,
      optionNames: 'M azul',
      total: 1,
      batches: [{ expiresOn: { name: 'expires_at', day: '2025-12-31' } }],
    }),
  );
  expect(await client.listBatches({ stockId, productId, optionIds: [] }, person)).toMatchObject({ ok: true });
  // This platform ignores filters: what was not asked for is left out.
  expect(await client.listCouponSettings({ productId: '6' as Id, isEnabled: false }, { lane: 'queue' })).toEqual(
    succeed([{ productId: '6', isEnabled: false }]),
  );
  expect(await client.listCouponSettings({ isEnabled: true }, { lane: 'queue' })).toEqual(
    succeed([{ productId: '5', isEnabled: true }]),
  );
  expect(await client.listScopes(person)).toEqual({ ok: true, value: ['stock', 'coupons'] });
  const ofProduct = '/api/v3/stocks/9007199254740993/products/9223372036854775807';
  expect(platform.asked.map(({ url, headers }) => [url, headers['service-company-id'], headers.authorization])).toEqual(
    [
      [`${ofProduct}/balance`, '42', 'Bearer token-0'],
      [`${ofProduct}/balance?movement_type=in&option_ids=9007199254740993%2C2`, '42', 'Bearer token-0'],
      [`${ofProduct}/batches?option_ids=2`, '42', 'Bearer token-0'],
      [`${ofProduct}/batches`, '42', 'Bearer token-0'],
      ['/api/v3/products/consumption-coupons?product_id=6&is_enabled=false', '42', 'Bearer token-0'],
      ['/api/v3/products/consumption-coupons?is_enabled=true', '42', 'Bearer token-0'],
      ['/oauth/scopes', undefined, undefined],
    ],
  );
});

test('the list of settings names the company whatever was refused before, unless asked for without it', async () => {
  const { platform, client, tokens, rateLimit } = await openClient();
  tokens.refusal = { kind: 'signInNeeded' };
  for (const status of [400, 401, 403, 404, 405, 422, 429, 500]) {
    platform.answer = () => sayJson(status, {});
    expect(await client.listCouponSettings({}, person)).toMatchObject(fail({ kind: expect.anything() }));
  }
  platform.answer = () => sayJson(200, { items: [{ product_id: 5, is_enabled: true }] });
  const settings = { ok: true, value: [{ productId: '5', isEnabled: true }] };
  expect(await client.listSettingsOfUnnamedCompany({}, person)).toEqual(settings);
  expect(await client.listCouponSettings({}, person)).toEqual(settings);
  expect(platform.asked.map(({ headers }) => headers['service-company-id'])).toEqual([
    ...Array.from({ length: 8 }, () => '42'),
    undefined,
    '42',
  ]);
  expect(rateLimit.state().used).toBe(10);
});

test('what speaks of another product or stock is not kept under this one', async () => {
  const { platform, client } = await openClient();
  platform.answer = () => sayJson(200, { product: { id: 6 }, balance: 1, stock_movements: [] });
  for (const answer of [
    await client.readBalance({ stockId, productId: '5' as Id }, person),
    await client.listBatches({ stockId, productId: '5' as Id }, person),
  ]) {
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'answerMalformed' } });
  }
  expect(await client.readBalance({ stockId, productId: '6' as Id }, person)).toMatchObject({ ok: true });
  platform.answer = () => sayJson(200, { stock: { id: 7 }, product: { id: 6 }, balance: 1 });
  expect(await client.readBalance({ stockId, productId: '6' as Id }, person)).toMatchObject(
    fail({ kind: 'answerMalformed' }),
  );
});

test.each([
  [{ page: 0 }, 'page'],
  [{ page: 1.5 }, 'page'],
  [{ perPage: 101 }, 'per_page'],
  [{ perPage: 0, page: Number.NaN }, 'page, per_page'],
  [{ productIds: [] }, 'product_ids'],
  [{ updatedFrom: '2025-06-01T10:00:00' }, 'updated_from'],
  [{ updatedFrom: '2025-06-01T10:00:00Z' }, 'updated_from'],
])('a listing that the platform must refuse is not sent: %j', async (wrong, message) => {
  const { platform, client, rateLimit } = await openClient();
  expect(await client.listStockProducts({ stockId, page: 1, perPage: 30, ...wrong }, person)).toEqual(
    fail({ kind: 'inputInvalid', message }),
  );
  expect([platform.asked.length, rateLimit.state().used]).toEqual([0, 0]);
});

test('an answer of millions of values is not read: that would hold up every scan', async () => {
  const { platform, client } = await openClient();
  const endless = `{"items":[1234567890123456${',{}'.repeat(5_000_000)}]}`;
  const before = process.cpuUsage();
  platform.answer = () => ({ status: 200, body: endless });
  expect(await client.listCouponSettings({}, person)).toMatchObject({ failure: { kind: 'answerMalformed' } });
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
});

test('of an answer no more than sixteen megabytes are read', async () => {
  const { platform, client } = await openClient();
  const read = async (megabytes: number) => {
    platform.answer = () => ({ status: 200, body: `{"items":[]}${' '.repeat(megabytes * 1024 * 1024)}` });
    return client.listCouponSettings({}, person);
  };
  expect(await read(15)).toEqual(succeed([]));
  expect(await read(16)).toMatchObject(fail({ kind: 'answerTooLarge' }));
});

test('the coupon settings of a shop of 230,000 products are read', async () => {
  const { platform, client } = await openClient();
  const items = Array.from({ length: 230_000 }, (_, place) => ({
    id: place,
    product_id: place + 1,
    company_id: null,
    is_enabled: true,
  }));
  platform.answer = () => sayJson(200, { items });
  const read = await client.listCouponSettings({}, person);
  expect(read.ok && read.value.length).toBe(items.length);
});

test('of a refusal that is longer than a hundred thousand characters only the status is read', async () => {
  const { platform, client } = await openClient();
  const refuse = async (length: number): Promise<unknown> => {
    const refusal = { code: 'uneditable_entity', message: 'said', pad: '' };
    const bare = JSON.stringify(refusal).length;
    platform.answer = () => sayJson(422, { ...refusal, pad: 'x'.repeat(length - bare) });
    const read = await client.listCouponSettings({}, person);
    return read.ok ? null : read.failure.message;
  };
  expect(await refuse(100_000)).toBe('said');
  expect(await refuse(100_001)).toBeUndefined();
});

test('half a character in a term goes out as a replacement, not as a crash', async () => {
  const { platform, client } = await openClient();
  platform.answer = () => sayJson(200, emptyListing);
  expect(await client.listStockProducts({ stockId, page: 1, perPage: 30, term: 'café \ud83d' }, person)).toMatchObject({
    ok: true,
  });
  expect(platform.asked[0]?.url).toContain('term=caf%C3%A9%20%EF%BF%BD&');
});

const other = 'bia@example.com';

test.each([
  ['the named user is not signed in', { user: other }, tokenUser],
  ['another user signs in while the slot is waited for', {}, other],
  ['nobody is signed in any more when the slot comes', {}, null],
  ['another user, and the call is for that one', { user: other }, other],
] as const)('a reading does not leave, and costs no slot, when %s', async (_what, options, later) => {
  const { platform, client, tokens, rateLimit } = await openClient();
  const reading = client.listCouponSettings({}, { ...person, ...options });
  // The token has been handed out by then, and the call waits for its slot.
  tokens.signedIn = later;
  expect(await reading).toEqual({ ok: false, failure: { kind: 'userChanged' } });
  expect(platform.asked).toEqual([]);
  expect(rateLimit.state().used).toBe(0);
});

test("a renewal that brings another user's token repeats nothing", async () => {
  const { platform, client, tokens } = await openClient();
  platform.answer = () => sayJson(401, { code: 'unauthorized' });
  tokens.renew = () => {
    tokens.signedIn = other;
    return Promise.resolve(succeed({ text: 'theirs', user: other }));
  };
  expect(await client.listCouponSettings({}, person)).toEqual({ ok: false, failure: { kind: 'userChanged' } });
  expect(platform.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-0']);
});

test.each([
  [tokenOf('token'), other, other],
  [tokenOf('token'), tokenUser, other],
  [tokenOf('token'), tokenUser, null],
  [{ text: 'theirs', user: other }, tokenUser, tokenUser],
] as const)(
  'the token %j does not carry an update of %s while %s is signed in',
  async (accessToken, user, signedIn) => {
    const { platform, client, tokens } = await openClient();
    tokens.signedIn = signedIn;
    const sending = {
      method: 'PUT',
      path: '/api/v3/products/consumption-coupons',
      body: '{}',
      idempotencyKey: 'key-1',
      slot: idleSlot,
    } as const;
    expect(await client.write({ ...sending, accessToken, user })).toEqual(fail({ kind: 'userChanged' }));
    expect(platform.asked).toEqual([]);
    tokens.signedIn = tokenUser.toUpperCase();
    expect(await client.write({ ...sending, accessToken: tokenOf('token'), user: tokenUser })).toMatchObject({
      ok: true,
    });
  },
);

test('a key that the platform would not take is not sent', async () => {
  const { platform, client } = await openClient();
  const sending = {
    method: 'PUT',
    path: '/api/v3/products/consumption-coupons',
    body: '{}',
    accessToken: tokenOf('token'),
    user: tokenUser,
    slot: idleSlot,
  } as const;
  for (const idempotencyKey of ['', 'k'.repeat(101), 'two\r\nlines', 'chave é']) {
    expect(await client.write({ ...sending, idempotencyKey })).toMatchObject(fail({ kind: 'inputInvalid' }));
  }
  expect(platform.asked).toEqual([]);
  expect(await client.write({ ...sending, idempotencyKey: 'k'.repeat(100) })).toMatchObject({ ok: true });
});

test('an update carries its key and exact bytes, takes no slot of its own, and any answer is handed over', async () => {
  const { platform, client, rateLimit } = await openClient();
  const body = '{"items":[{"product_id":9007199254740993,"is_enabled":true}]}';
  for (const status of [204, 401, 422, 500]) {
    platform.answer = (asked) => ({
      status,
      headers: { 'Idempotency-Key': String(asked.headers['idempotency-key']), 'Idempotency-Replayed': 'false' },
    });
    expect(
      await client.write({
        method: 'PUT',
        path: '/api/v3/products/consumption-coupons',
        body,
        idempotencyKey: 'key-1',
        accessToken: tokenOf('token-9'),
        user: tokenUser,
        slot: idleSlot,
      }),
    ).toMatchObject({ ok: true, value: { status, headers: { 'idempotency-key': 'key-1' } } });
  }
  expect(platform.asked[0]).toMatchObject({ method: 'PUT', url: '/api/v3/products/consumption-coupons', body });
  expect(platform.asked[0]?.headers).toMatchObject({
    'idempotency-key': 'key-1',
    authorization: 'Bearer token-9',
    'service-company-id': '42',
    'content-type': 'application/json',
  });
  expect(rateLimit.state().used).toBe(0);
});

test('an expired token is renewed once, and the call made again with its own slot', async () => {
  const { platform, client, renewals, rateLimit } = await openClient();
  platform.answer = (asked) =>
    asked.headers.authorization === 'Bearer token-0'
      ? sayJson(401, { code: 'unauthorized' })
      : sayJson(200, { items: [] });
  expect(await client.listCouponSettings({}, person)).toEqual({ ok: true, value: [] });
  expect(renewals).toEqual(['token-0']);
  expect(rateLimit.state().used).toBe(2);
});

test('the caller is told of each request when it leaves, with its slot taken', async () => {
  const { platform, client, rateLimit } = await openClient();
  platform.answer = (asked) =>
    asked.headers.authorization === 'Bearer token-0'
      ? sayJson(401, { code: 'unauthorized' })
      : sayJson(200, { items: [] });
  const reported: (readonly [asked: number, used: number])[] = [];
  await client.listCouponSettings(
    {},
    { ...person, onLeaving: () => reported.push([platform.asked.length, rateLimit.state().used]) },
  );
  expect(reported).toEqual([
    [0, 1],
    [1, 2],
  ]);
});

test('what nobody wants any more when its slot is granted does not leave, and costs none (I22)', async () => {
  const { platform, client, rateLimit } = await openClient();
  platform.answer = () => sayJson(200, { items: [] });
  const wanted = new AbortController();
  const whileWanted = wanted.signal;
  const asking = client.listCouponSettings({}, { ...person, whileWanted, onLeaving: () => wanted.abort() });
  expect(await asking).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  expect([platform.asked.length, rateLimit.state().used]).toEqual([0, 0]);
});

test('an expired authentication is known by its code as well, whatever the status (API v3 §5 rule 6)', async () => {
  const { platform, client, renewals } = await openClient();
  platform.answer = (asked) =>
    asked.headers.authorization === 'Bearer token-0'
      ? sayJson(403, { code: 'unauthorized' })
      : sayJson(200, { items: [] });
  expect(await client.listCouponSettings({}, person)).toEqual({ ok: true, value: [] });
  expect(renewals).toEqual(['token-0']);
});

test('a token that is refused again is not renewed again', async () => {
  const { platform, client, renewals } = await openClient();
  platform.answer = () => sayJson(401, { code: 'unauthorized' });
  expect(await client.listCouponSettings({}, person)).toMatchObject({ ok: false, failure: { kind: 'unauthorized' } });
  expect([renewals.length, platform.asked.length]).toEqual([1, 2]);
});

test("a renewal that fails is the call's failure", async () => {
  const { platform, client, tokens } = await openClient();
  tokens.refusal = { kind: 'signInNeeded' };
  platform.answer = () => ({ status: 401 });
  expect(await client.listCouponSettings({}, person)).toEqual({ ok: false, failure: { kind: 'signInNeeded' } });
});

test.each([
  [{ 'Retry-After': '7' }, 7_000],
  [{ 'Retry-After': 'Sun, 01 Jun 2025 10:00:09 GMT', Date: 'Sun, 01 Jun 2025 10:00:00 GMT' }, 9_000],
  [{}, undefined],
] as const)('429 shrinks the rate limit, %j', async (headers, retryAfterMs) => {
  const { platform, client, slowDowns } = await openClient();
  platform.answer = () => sayJson(429, { code: 'too_many_requests' }, headers);
  expect(await client.listCouponSettings({}, person)).toMatchObject(fail({ kind: 'tooManyRequests' }));
  expect(slowDowns).toEqual([retryAfterMs]);
});

test('429 to a question without a token, which strangers may have caused, shrinks nothing', async () => {
  const { platform, client, slowDowns, exchange, rateLimit, connection } = await openClient();
  platform.answer = () => sayJson(429, { code: 'too_many_requests' }, { 'Retry-After': '48' });
  expect(await probePlatform(exchange, rateLimit, 'person')).toEqual({ ok: true, value: undefined });
  expect(await client.listScopes(person)).toMatchObject({ ok: false, failure: { kind: 'tooManyRequests' } });
  expect(platform.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  expect([slowDowns, connection.way().state]).toEqual([[], 'open']);
});

test.each([
  ['a captive portal', { status: 200, headers: htmlHeaders, body: portalPage }, 'notThePlatform', 'offline'],
  [
    'a redirect to a portal',
    { status: 302, headers: { Location: 'https://portal.example.com' } },
    'notThePlatform',
    'offline',
  ],
  ["a firewall's page", { status: 403, headers: htmlHeaders, body: portalPage }, 'notThePlatform', 'offline'],
  ["a proxy's page of 502", { status: 502, headers: htmlHeaders, body: portalPage }, 'platformFailed', 'unknown'],
  ['JSON that is cut off', { status: 200, body: '{"items":[' }, 'answerMalformed', 'open'],
  ['another shape', sayJson(200, { items: 'none' }), 'answerMalformed', 'open'],
  ['nothing at all', { status: 200 }, 'answerMalformed', 'open'],
  ['a reset', 'reset', 'unreachable', 'offline'],
] as const)('%s is named, and says what it tells of the way', async (_what, said, kind, state) => {
  const { platform, client, connection, exchange, rateLimit } = await openClient();
  platform.answer = () => said;
  expect(await client.listCouponSettings({}, person)).toMatchObject({ ok: false, failure: { kind } });
  expect(connection.way().state).toBe(state);
  expect(connection.successes()).toBe(kind === 'answerMalformed' ? 1 : 0);
  // Whoever tests the connection is told the same.
  const probed = await probePlatform(exchange, rateLimit, 'person');
  expect(probed.ok ? null : probed.failure.kind).toBe(kind === 'answerMalformed' ? null : kind);
});

test('a hanging call is called off by its signal, and its slot counts from then', async () => {
  const { platform, client, rateLimit } = await openClient();
  platform.answer = () => 'hang';
  const cancellation = new AbortController();
  const asking = client.listCouponSettings({}, { ...person, signal: cancellation.signal });
  await expect.poll(() => platform.asked.length).toBe(1);
  cancellation.abort();
  expect(await asking).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  expect(rateLimit.state().used).toBe(1);
});
