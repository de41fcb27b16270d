// API v3 §8: 60 requests of one application in any 60 seconds, token requests included.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TrainingService } from '../../app/training/service.ts';
import { Products } from '../../app/training/data/products.ts';
import { openTrainingRepository } from '../../app/training/data/repository.ts';
import { startTrainingPlatform } from '../../app/training/server.ts';
import { Caller } from '../support/training-caller.ts';

let now: number;
let caller: Caller;
beforeEach(async () => {
  now = Date.parse('2026-03-04T09:00:00-03:00');
  caller = new Caller(await startTrainingPlatform({ directory: null, port: 0, productCount: 10, now: () => now }));
  await caller.signIn();
});
afterEach(() => caller.platform.close());

async function callUntilRefused(): Promise<number> {
  for (let calls = 0; calls < 1000; calls += 1) {
    if ((await caller.list()).status === 429) {
      return calls;
    }
  }
  throw new Error('never refused');
}

describe('the rate limit', () => {
  it('lets 60 pass, the token request included, and says how long to wait', async () => {
    expect(await callUntilRefused()).toBe(59);
    now += 20_400;
    const answer = await caller.list();
    expect([answer.status, answer.body['code'], answer.headers.get('retry-after')]).toEqual([
      429,
      'too_many_requests',
      '40',
    ]);
    expect((await caller.token()).status).toBe(429);
  });

  it('lets one pass who waited as told, and does not count what it refused', async () => {
    await callUntilRefused();
    for (let refused = 0; refused < 30; refused += 1) {
      expect((await caller.list()).status).toBe(429);
    }
    now += 60_000;
    expect(await callUntilRefused()).toBe(60);
  });

  it('slides: what came early frees its place early', async () => {
    now += 30_000;
    for (let call = 0; call < 30; call += 1) {
      expect((await caller.list()).status).toBe(200);
    }
    now += 29_999;
    expect(await callUntilRefused()).toBe(29);
    now += 1;
    // The sign-in alone is a minute ago.
    expect(await callUntilRefused()).toBe(1);
    now += 30_000;
    expect(await callUntilRefused()).toBe(30);
  });

  it('is of each application', async () => {
    await callUntilRefused();
    const { clientId, clientSecret } = caller.platform.otherClient;
    await caller.signIn({ client_id: clientId, client_secret: clientSecret });
    expect((await caller.list()).status).toBe(200);
  });

  it('counts guesses at an application’s secret together, and nothing else of strangers', async () => {
    for (let call = 0; call < 60; call += 1) {
      expect((await caller.token({ client_secret: 'a guess' })).status).toBe(401);
    }
    expect((await caller.token({ client_secret: 'a guess' })).status).toBe(429);
    const { accessToken } = caller;
    caller.accessToken = '';
    for (let call = 0; call < 61; call += 1) {
      expect((await caller.list()).status).toBe(401);
    }
    caller.accessToken = accessToken;
    expect((await caller.list()).status).toBe(200);
  });

  it('can be set', async () => {
    caller.platform.setVariants({ requestsPerMinute: 5 });
    expect(await callUntilRefused()).toBe(4);
  });

  it('keeps the 429 of an update under its key, when keys are looked at first', async () => {
    await callUntilRefused();
    expect((await caller.put('key', [['1000001', true]])).status).toBe(429);
    now += 60_000;
    const again = await caller.put('key', [['1000001', true]]);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([429, 'true']);
    expect((await caller.put('new key', [['1000001', true]])).status).toBe(204);
  });
});

describe('the log of arrivals', () => {
  it('tells when, what and how it was answered', async () => {
    await caller.list('page=2');
    now += 1000;
    await caller.put('key', [['17', true]]);
    expect(caller.platform.arrivals()).toMatchObject([
      {
        method: 'POST',
        path: '/oauth/token',
        query: '',
        clientId: caller.platform.clientId,
        status: 200,
        idempotencyKey: null,
      },
      { at: now - 1000, method: 'GET', path: '/api/v3/stocks/1201/products', query: '?page=2', status: 200 },
      { at: now, method: 'PUT', idempotencyKey: 'key', status: 422, isReplayed: false, fault: null },
    ]);
  });

  it('keeps the newest within so many characters, whoever sends addresses and keys without end', async () => {
    const repository = await openTrainingRepository(null, now);
    const service = new TrainingService(repository, new Products(1, 1), () => now);
    const long = 'a'.repeat(2_000_000);
    for (let sent = 0; sent < 15; sent += 1) {
      await service.handle({
        method: 'GET',
        target: `/${long}?${long}`,
        headers: { 'idempotency-key': long },
        body: '',
      });
    }
    await service.handle({ method: 'GET', target: '/last', headers: {}, body: '' });
    const kept = service.arrivals;
    expect(kept.at(-1)).toMatchObject({ path: '/last', status: 404 });
    const characters = kept.map(({ path, query, idempotencyKey }) => `${path}${query}${idempotencyKey ?? ''}`.length);
    expect(characters.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(50_000_000);
    expect(kept.length).toBeGreaterThan(5);
    repository.close();
  });
});
