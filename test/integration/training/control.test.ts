import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentSecurityPolicy, openPage } from '../../../app/hosts/page.ts';
import { type Caller, couponsPath, startSignedIn } from '../../support/training-caller.ts';

let caller: Caller;
let host: string;
let key: string;
beforeEach(async () => {
  caller = await startSignedIn({ productCount: 50, panel: openPage('dist/renderer') });
  ({ host } = new URL(caller.platform.platformUrl));
  key = new URL(caller.platform.controlUrl).hash.slice(1);
});
afterEach(() => caller.platform.close());

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ''): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      caller.platform.platformUrl + path,
      { method, headers: { ...headers, 'content-length': Buffer.byteLength(body) }, agent: false },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () => {
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const change = (document: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send('POST', '/control/change', { authorization: `Bearer ${key}`, ...headers }, JSON.stringify(document));
const statuses = async () => (await caller.list()).status;

describe('who gets in', () => {
  it('shows its page to anybody on this machine, and nothing else without the key of this run', async () => {
    const page = await send('GET', '/control/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).not.toContain(key);
    expect(await send('GET', '/control/assets/../index.html')).toMatchObject({ status: 404 });
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${key}` }, { cookie: key }]) {
      expect((await send('GET', '/control/state', headers)).status).toBe(401);
      expect((await send('POST', '/control/change', headers, '{"conditions":{"isNetworkDown":true}}')).status).toBe(
        401,
      );
    }
    expect(caller.platform.isNetworkDown()).toBe(false);
    expect((await send('GET', '/control/state', { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'http://shop.example.com' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring port', { 'sec-fetch-site': 'same-site' }],
  ])('refuses what names %s, with the key', async (_what, headers) => {
    expect((await change({ conditions: { isNetworkDown: true } }, headers)).status).toBe(403);
    expect(caller.platform.isNetworkDown()).toBe(false);
  });

  it.each(['shop.example.com', '127.0.0.1', '127.0.0.1:1', 'localhost.example.com'])(
    'gives a page that has the name %j led here nothing, the API neither (DNS rebinding)',
    async (name) => {
      caller.isChecked = false;
      const rebound = { headers: { host: name } };
      expect((await caller.send('/openapi.json', rebound)).status).toBe(421);
      expect((await caller.send(couponsPath, rebound)).status).toBe(421);
      expect((await caller.send('/oauth/token', { method: 'POST', body: '{}', ...rebound })).status).toBe(421);
      expect((await send('GET', '/control/', rebound.headers)).status).toBe(421);
      expect(caller.platform.arrivals().slice(1)).toEqual([]);
    },
  );

  it.each(['127.0.0.1', 'localhost', '[::1]'])('answers by its own name %s', async (name) => {
    const headers = { host: `${name}:${new URL(caller.platform.platformUrl).port}` };
    expect((await caller.send(couponsPath, { headers })).status).toBe(200);
  });

  it('lets no other page read or frame it', async () => {
    const { body } = await send('GET', '/control/');
    const assets = [...body.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => `/control${path}`);
    expect(assets.length).toBeGreaterThan(2);
    const expected: Readonly<Record<string, number>> = { '/control/state': 401, '/control/nothing': 404 };
    for (const path of ['/control/', ...assets, ...Object.keys(expected)]) {
      const { status, headers } = await send('GET', path);
      expect(status, path).toBe(expected[path] ?? 200);
      const policy = String(headers['content-security-policy']).replace(/'nonce-[^']+'/, '<nonce>');
      expect(policy, path).toBe(
        path === '/control/'
          ? contentSecurityPolicy('').replace("'nonce-'", '<nonce>')
          : "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect([
        headers['access-control-allow-origin'],
        headers['x-content-type-options'],
        headers['cache-control'],
      ]).toEqual([undefined, 'nosniff', 'no-store']);
    }
    expect((await send('OPTIONS', '/control/change', { origin: `http://${host}` })).status).toBe(404);
  });

  it('has another key in every run, and the API knows nothing of it', async () => {
    const other = await startSignedIn({ productCount: 1 });
    expect(new URL(other.platform.controlUrl).hash.slice(1)).not.toBe(key);
    await other.platform.close();
    caller.accessToken = key;
    expect(await statuses()).toBe(401);
  });
});

describe('what it shows', () => {
  it('is the world, the options and what arrived', async () => {
    await caller.list('page=2');
    const state = JSON.parse((await send('GET', '/control/state', { authorization: `Bearer ${key}` })).body) as Record<
      string,
      unknown
    >;
    expect(state).toMatchObject({
      platformUrl: caller.platform.platformUrl,
      productCount: 50,
      firstProductId: '1000001',
      variants: { elementShape: 'nested' },
      conditions: { isNetworkDown: false },
      arrivals: [{ path: '/oauth/token' }, { path: '/api/v3/stocks/1201/products', query: '?page=2', status: 200 }],
    });
    expect(JSON.stringify(state)).not.toContain(caller.accessToken);
    expect(JSON.stringify(state)).not.toContain('old-practice-secret');
  });
});

describe('what it changes', () => {
  it('conditions, variants and faults', async () => {
    const answer = await change({ conditions: { tooManyPercent: 100 }, variants: { retryAfter: 'none' } });
    expect(JSON.parse(answer.body)).toMatchObject({
      conditions: { tooManyPercent: 100 },
      variants: { retryAfter: 'none' },
    });
    const refused = await caller.list();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
    await change({ actions: [{ do: 'reset' }] });
    expect(await statuses()).toBe(200);
    await change({ faults: [{ kind: 'answer', status: 503, times: 1 }] });
    expect([await statuses(), await statuses()]).toEqual([503, 200]);
  });

  it('what others change by hand', async () => {
    await change({
      actions: [
        { do: 'changeCoupon', productId: '1000001', isEnabled: false },
        { do: 'changeBalance', stockId: '1201', productId: '1000002', amount: 3.5 },
        { do: 'renameProduct', productId: '1000003', name: 'Zabumba de Treino' },
        { do: 'removeProduct', productId: '1000004', isRemoved: true },
      ],
    });
    expect((await caller.send(couponsPath)).text).toContain('{"product_id":1000001,"is_enabled":false}');
    const listed = await caller.list('product_ids=1000002,1000003,1000004');
    expect(listed.text).toContain('"balance":3.5');
    expect(listed.text).toContain('Zabumba de Treino');
    expect(listed.body).toMatchObject({ meta: { total: 2 } });
  });

  it('sign-ins and users', async () => {
    await caller.send('/api/v3/users/703', { method: 'POST', key: 'a' });
    const deleted = { username: 'estoquista@example.com', password: 'praticar-aqui-3' };
    expect((await caller.token(deleted)).status).toBe(200);
    await change({ actions: [{ do: 'deleteUser', userId: '703' }] });
    expect((await caller.token(deleted)).status).toBe(401);
    await change({ actions: [{ do: 'expireAccessTokens' }] });
    expect(await statuses()).toBe(401);
  });
});

describe('what it refuses, changing nothing', () => {
  it.each<[unknown, string]>([
    [{ variants: { elementShape: 'round' } }, 'elementShape must be nested | flat | bare'],
    [{ conditions: { latencyMs: -1 } }, 'latencyMs must be 0 to 60000'],
    [{ conditions: { isNetworkDown: true }, variants: { nobody: 1 } }, 'there is no nobody'],
    [{ faults: [{ kind: 'fire' }] }, 'faults'],
    [{ actions: [{ do: 'explode' }] }, 'actions'],
    [{ actions: [{ do: 'changeBalance', stockId: '1201', productId: '17', amount: 1 }] }, 'no product 17'],
    [{ actions: [{ do: 'deleteUser', userId: '701' }] }, 'user 701'],
    [{ anything: 1 }, 'anything'],
    ['text', 'expected object'],
  ])('%j', async (document, words) => {
    const answer = await change(document);
    expect(answer.status).toBe(422);
    expect((JSON.parse(answer.body) as { message: string }).message).toContain(words);
    expect(caller.platform.isNetworkDown()).toBe(false);
    expect(await statuses()).toBe(200);
  });

  it('what is too long, and no JSON', async () => {
    expect((await send('POST', '/control/change', { authorization: `Bearer ${key}` }, ' '.repeat(70_000))).status).toBe(
      413,
    );
    expect((await send('POST', '/control/change', { authorization: `Bearer ${key}` }, '{')).status).toBe(422);
    expect((await send('DELETE', '/control/', { authorization: `Bearer ${key}` })).status).toBe(404);
  });
});
