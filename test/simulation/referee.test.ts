// The proof that the referee itself judges as API v3 says: stored answers and their replay, the limit, tokens, paging.
import { expect, test } from 'vitest';
import { createReferee, type RefereeRules, type WireAnswer } from './referee.ts';
import { plainListing } from './referee-stock.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createTrace } from './trace.ts';

const rules: RefereeRules = {
  tokens: {
    lifeMs: 100_000,
    statesExpiry: true,
    refreshToken: 'rotated',
    refusal: 'status',
    keys: 'ignored',
    sessions: 'many',
  },
  storesUnauthorized: false,
  storesTooMany: false,
  echoesAtGate: true,
  echoes: true,
  replayed: 'true',
  first: 'false',
  limitWindow: 'sliding',
  retryAfter: 'seconds',
  couponsOf: 'company',
  companylessStatus: null,
  namesItems: true,
  itemsFrom: 0,
  givesValues: true,
  listsDisabled: true,
  successStatus: 204,
  keyRetentionMs: null,
  keysOf: 'platform',
  listing: plainListing,
};
const user = { email: 'ana@example.com', password: 'sample' };
const colleague = { email: 'bia@example.com', password: 'sample' };

function makePlatform(change: Partial<RefereeRules> = {}) {
  let timeMs = 0;
  const referee = createReferee(
    {
      nowMs: () => timeMs,
      random: createSeededRandom('referee'),
      trace: createTrace(() => timeMs),
      companyId: '7',
      stockId: '1',
      clientIds: ['client'],
      clientSecret: 'secret',
      users: [user, colleague],
      products: 250,
      refusedProducts: 1,
      second: { companyId: '8', stockId: '2', products: 10, firstPlace: 245 },
      deletedUsers: [
        { id: '70', companyId: '7', status: 'deleted' },
        { id: '71', companyId: '7', status: 'taken' },
        { id: '80', companyId: '8', status: 'deleted' },
      ],
    },
    { ...rules, ...change },
  );
  const send = (method: string, path: string, headers: Record<string, string>, body: unknown): WireAnswer =>
    referee.answer(
      {
        method,
        url: `https://platform.example.com${path}`,
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      },
      false,
    );
  const grant = (fields: Record<string, string>): WireAnswer =>
    send('POST', '/oauth/token', {}, { client_id: 'client', client_secret: 'secret', ...fields });
  const tokens = (answer: WireAnswer) =>
    JSON.parse(answer.body) as { access_token: string; refresh_token: string; expires_in: number };
  const signIn = () => tokens(grant({ grant_type: 'password', username: user.email, password: user.password }));
  const put = (token: string, key: string, productId: string, isEnabled: boolean): WireAnswer =>
    send(
      'PUT',
      '/api/v3/products/consumption-coupons',
      { authorization: `Bearer ${token}`, 'idempotency-key': key, 'service-company-id': '7' },
      `{"items":[{"product_id":${productId},"is_enabled":${String(isEnabled)}}]}`,
    );
  return {
    referee,
    send,
    grant,
    tokens,
    signIn,
    put,
    wait: (ms: number) => {
      timeMs += ms;
    },
  };
}

const [refused, first, second] = makePlatform().referee.stock.productIds as [string, string, string];

test('a key takes effect once, and its first answer is replayed with the echo (API v3 §8 rules 3 to 5)', () => {
  const { referee, signIn, put } = makePlatform();
  const { access_token: token } = signIn();
  const answers = [put(token, 'k1', first, true), put(token, 'k1', second, false)];
  expect(
    answers.map(({ status, headers }) => [status, headers['idempotency-key'], headers['idempotency-replayed']]),
  ).toEqual([
    [204, 'k1', 'false'],
    [204, 'k1', 'true'],
  ]);
  expect(referee.effects).toHaveLength(1);
  expect(referee.effects[0]).toMatchObject({ productId: first, isEnabled: true, key: 'k1', email: user.email });
  expect(referee.setting(first)).toBe(true);
});

test('an error is stored, too, and names the item at fault (API v3 §8 rule 3, §7)', () => {
  const { referee, signIn, put } = makePlatform();
  const { access_token: token } = signIn();
  const answers = [put(token, 'k1', refused, true), put(token, 'k1', first, true)];
  expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  expect(answers[0]?.body).toContain('items.0.product_id');
  expect(referee.effects).toEqual([]);
});

test.each([
  [0, true, 'items.0.product_id', [refused]],
  [1, true, 'items.1.product_id', [refused]],
  [1, false, 'items.1.product_id', []],
] as const)('items count from %i, with values: %s (API v3 §2 "Error body")', (itemsFrom, givesValues, field, value) => {
  const { signIn, put } = makePlatform({ itemsFrom, givesValues });
  expect(JSON.parse(put(signIn().access_token, 'k1', refused, true).body)).toMatchObject({
    meta: [{ field, validations: [{ type: 'exists', value }] }],
  });
});

test('a 500 may come before or after the change, and is replayed', () => {
  const { referee, signIn, put } = makePlatform();
  const { access_token: token } = signIn();
  referee.trouble.failing = 1;
  const statuses = Array.from({ length: 20 }, (_, number) => put(token, `k${String(number)}`, first, true).status);
  expect(statuses.every((status) => status >= 500)).toBe(true);
  expect(referee.effects.length).toBeGreaterThan(0);
  expect(referee.effects.length).toBeLessThan(20);
  referee.trouble.failing = 0;
  expect(put(token, 'k0', first, true).status).toBe(statuses[0]);
});

test.for([true, false])('an expired token is refused; stored under the key: %s', (storesUnauthorized) => {
  const { wait, signIn, put } = makePlatform({ storesUnauthorized });
  const { access_token: old } = signIn();
  wait(100_000);
  expect(put(old, 'k1', first, true).status).toBe(401);
  expect(put(signIn().access_token, 'k1', first, true).status).toBe(storesUnauthorized ? 401 : 204);
});

test('a refresh token serves once when it rotates, and not after a revocation (RFC 6749 §6)', () => {
  const { referee, signIn, grant, tokens, put } = makePlatform();
  const { refresh_token: old, expires_in: seconds } = signIn();
  expect(seconds).toBe(100);
  const renewed = tokens(grant({ grant_type: 'refresh_token', refresh_token: old }));
  expect(put(renewed.access_token, 'k1', first, true).status).toBe(204);
  expect(grant({ grant_type: 'refresh_token', refresh_token: old }).status).toBe(401);
  referee.tokens.revokeAll();
  expect(grant({ grant_type: 'refresh_token', refresh_token: renewed.refresh_token }).status).toBe(401);
  expect(grant({ grant_type: 'password', username: user.email, password: 'wrong' }).status).toBe(401);
});

test.for(['many', 'one'] as const)('a sign-in leaves %s sessions at this client', (sessions) => {
  const { referee, signIn, grant, tokens, put } = makePlatform({ tokens: { ...rules.tokens, sessions } });
  const { access_token: access, refresh_token: refresh } = signIn();
  const renewed = tokens(grant({ grant_type: 'refresh_token', refresh_token: refresh }));
  tokens(grant({ grant_type: 'password', username: colleague.email, password: colleague.password }));
  const isKept = sessions === 'many';
  expect(put(renewed.access_token, 'k1', first, true).status).toBe(isKept ? 204 : 401);
  expect(put(access, 'k2', first, true).status).toBe(isKept ? 204 : 401);
  expect(grant({ grant_type: 'refresh_token', refresh_token: renewed.refresh_token }).status).toBe(isKept ? 200 : 401);
  expect(referee.tokens.overtaken).toEqual(isKept ? [] : [{ email: user.email, atMs: 0 }]);
});

test('the 61st arrival in a minute is answered with 429, whatever it asks for (API v3 §8)', () => {
  const { wait, signIn, put, send, referee } = makePlatform();
  const { access_token: token } = signIn();
  for (let number = 1; number < 60; number += 1) {
    expect(send('GET', '/api/v3/products/consumption-coupons', { authorization: `Bearer ${token}` }, '').status).toBe(
      200,
    );
  }
  const refusal = put(token, 'k1', first, true);
  expect([refusal.status, refusal.headers['idempotency-key']]).toEqual([429, 'k1']);
  expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
  wait(60_000);
  expect(put(token, 'k1', first, true).status).toBe(204);
  expect(referee.arrivals).toHaveLength(62);
});

test('the listing has pages of at most 100, keeps ids whole and tells what has changed (API v3 §4.3)', () => {
  const { wait, signIn, send, referee } = makePlatform();
  const { access_token: token } = signIn();
  const list = (query: string): WireAnswer =>
    send(
      'GET',
      `/api/v3/stocks/1/products?${query}`,
      { authorization: `Bearer ${token}`, 'service-company-id': '7' },
      '',
    );
  const page = list('order_by_field=code&order_by_type=asc&per_page=100&page=3');
  expect(page.status).toBe(200);
  const total = 250 + referee.stock.strays();
  expect(page.body).toContain(`"meta":{"current_page":3,"last_page":3,"per_page":100,"total":${total}}`);
  expect(page.body).toContain(`"id":${referee.stock.productIds[249] ?? ''},`);
  expect(list('per_page=101').status).toBe(422);
  wait(60_000);
  referee.stock.sell();
  const { body } = list(`updated_from=${encodeURIComponent('2031-01-06T11:01:00+00:00')}`);
  expect(referee.stock.productIds.filter((id) => body.includes(`"id":${id},`))).toHaveLength(1);
});

test('a deleted user comes back once, never to a taken e-mail or another company (API v3 §4.8)', () => {
  const { referee, signIn, send } = makePlatform();
  const { access_token: token } = signIn();
  const restore = (userId: string, key: string): number =>
    send(
      'POST',
      `/api/v3/users/${userId}`,
      { authorization: `Bearer ${token}`, 'idempotency-key': key, 'service-company-id': '7' },
      '{}',
    ).status;
  expect([
    restore('70', 'k1'),
    restore('70', 'k1'),
    restore('70', 'k2'),
    restore('71', 'k3'),
    restore('80', 'k4'),
    restore('99', 'k5'),
  ]).toEqual([204, 204, 404, 400, 404, 404]);
  expect(referee.users.changes).toEqual([
    { atMs: 0, userId: '70', companyId: '7', change: 'restored', key: 'k1', email: user.email },
  ]);
  referee.users.remove('70');
  expect(restore('70', 'k6')).toBe(204);
});

const listed = (answer: WireAnswer): readonly string[] =>
  [...answer.body.matchAll(/"product_id":(\d+),"is_enabled":true/g)].map(([, id]) => id ?? '');

test('two companies have settings of their own, also of the products that both have', () => {
  const { referee, signIn, send } = makePlatform();
  const { access_token: token } = signIn();
  const products = referee.stocks.get('8')?.productIds ?? [];
  const [both = '', foreign = ''] = [products[1], products[9]];
  const put = (companyId: string, key: string, productId: string): number =>
    send(
      'PUT',
      '/api/v3/products/consumption-coupons',
      { authorization: `Bearer ${token}`, 'idempotency-key': key, 'service-company-id': companyId },
      `{"items":[{"product_id":${productId},"is_enabled":true}]}`,
    ).status;
  expect([referee.stock.productIds.includes(both), referee.stock.productIds.includes(foreign)]).toEqual([true, false]);
  const wasOn = referee.setting(both);
  expect([...referee.enabled('7')].toSorted()).not.toEqual([...referee.enabled('8')].toSorted());
  expect([put('7', 'k1', foreign), put('8', 'k2', foreign), put('9', 'k3', foreign), put('8', 'k4', both)]).toEqual([
    422, 204, 400, 204,
  ]);
  expect(referee.effects).toMatchObject([
    { productId: foreign, companyId: '8' },
    { productId: both, companyId: '8' },
  ]);
  expect([referee.enabled('8').has(both), referee.enabled('7').has(both)]).toEqual([true, wasOn]);
});

test.each([
  ['company', null, '7', '8', '7'],
  ['company', 403, '7', '8', 403],
  ['account', null, '7', '7', '7'],
  [422, null, 422, 422, '7'],
  [404, 400, 404, 404, 400],
] as const)(
  'the list of settings for %s, and without a company %s (API v3 §4.6)',
  (couponsOf, companylessStatus, ofFirst, ofSecond, ofNone) => {
    const { referee, signIn, send } = makePlatform({ couponsOf, companylessStatus });
    const { access_token: token } = signIn();
    const list = (companyId: string | undefined): number | readonly string[] => {
      const headers = { authorization: `Bearer ${token}` };
      const named = companyId === undefined ? headers : { ...headers, 'service-company-id': companyId };
      const answer = send('GET', '/api/v3/products/consumption-coupons', named, '');
      return answer.status === 200 ? listed(answer).toSorted() : answer.status;
    };
    const expected = [ofFirst, ofSecond, ofNone].map((what) =>
      typeof what === 'number' ? what : [...referee.enabled(what)].toSorted(),
    );
    expect([list('7'), list('8'), list(undefined)]).toEqual(expected);
  },
);

test('a platform that forgets a key lets it take effect again, and says so', () => {
  const { referee, signIn, put, wait } = makePlatform({ keyRetentionMs: 50_000 });
  const { access_token: token } = signIn();
  const statuses = [put(token, 'k1', first, true).status];
  wait(50_000);
  statuses.push(put(token, 'k1', first, true).status);
  expect([statuses, referee.effects.length, referee.forgotten.size]).toEqual([[204, 204], 1, 0]);
  wait(1);
  put(token, 'k1', first, true);
  expect(referee.effects).toHaveLength(2);
  expect([...referee.forgotten]).toEqual(['k1']);
});
