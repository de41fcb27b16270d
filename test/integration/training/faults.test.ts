import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { couponsPath, type Caller, startSignedIn } from '../../support/training-caller.ts';

const id = '1000001';

let caller: Caller;
beforeEach(async () => {
  caller = await startSignedIn({ productCount: 100 });
});
afterEach(() => caller.platform.close());

const put = (key: string) => caller.put(key, [[id, false]]);
const lastArrival = () => caller.platform.arrivals().at(-1);

describe('a connection that breaks', () => {
  it('before the effect leaves no trace', async () => {
    caller.platform.setFaults({ faults: [{ kind: 'dropBeforeEffect', times: 1 }] });
    await expect(put('key')).rejects.toThrow('socket hang up');
    expect(caller.platform.effects()).toEqual([]);
    expect(lastArrival()).toMatchObject({ status: null, fault: 'dropBeforeEffect', idempotencyKey: 'key' });
    expect((await put('key')).headers.get('idempotency-replayed')).toBe('false');
  });

  it('after the effect leaves the answer under the key', async () => {
    caller.platform.setFaults({ faults: [{ kind: 'dropAfterEffect', times: 1 }] });
    await expect(put('key')).rejects.toThrow('socket hang up');
    expect(lastArrival()).toMatchObject({ status: 204, fault: 'dropAfterEffect' });
    const again = await put('key');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true']);
    expect(caller.platform.effects()).toHaveLength(1);
  });

  it('hits as many matching requests as told, and no others', async () => {
    caller.platform.setFaults({
      faults: [{ kind: 'dropBeforeEffect', times: 2, method: 'PUT', path: '/consumption-coupons' }],
    });
    expect((await caller.list()).status).toBe(200);
    await expect(put('a')).rejects.toThrow('socket hang up');
    expect((await caller.send(couponsPath)).status).toBe(200);
    await expect(put('b')).rejects.toThrow('socket hang up');
    expect((await put('c')).status).toBe(204);
  });
});

describe('a hang', () => {
  it.each([
    ['hangBeforeEffect', 0],
    ['hangAfterEffect', 1],
  ] as const)('%s never answers', async (kind, effects) => {
    caller.platform.setFaults({ faults: [{ kind, times: 1 }] });
    const waiting = put('key').then(
      () => 'answered',
      () => 'broken off',
    );
    await expect.poll(() => lastArrival()?.fault).toBe(kind);
    expect(caller.platform.effects()).toHaveLength(effects);
    // Others are served meanwhile, and close() does not wait for it.
    expect((await caller.list()).status).toBe(200);
    await caller.platform.close();
    expect(await waiting).toBe('broken off');
  });
});

describe('a wrong answer', () => {
  it('of a captive portal is a page with status 200, and nothing happens', async () => {
    caller.isChecked = false;
    caller.platform.setFaults({ faults: [{ kind: 'captivePortal', times: 1 }] });
    const answer = await put('key');
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('idempotency-key')]).toEqual([
      200,
      'text/html; charset=utf-8',
      null,
    ]);
    expect(answer.text).toContain('<html>');
    expect(caller.platform.effects()).toEqual([]);
  });

  it('of a proxy is a page with status 502, without the headers of the key', async () => {
    caller.isChecked = false;
    caller.platform.setFaults({ faults: [{ kind: 'proxyPage', times: 1 }] });
    const answer = await put('key');
    expect([answer.status, answer.headers.get('idempotency-key')]).toEqual([502, null]);
    expect(caller.platform.effects()).toEqual([]);
  });

  it('breaks off in its middle', async () => {
    const whole = await caller.list();
    caller.isChecked = false;
    caller.platform.setFaults({ faults: [{ kind: 'truncate', times: 1 }] });
    const half = await caller.list();
    expect([half.status, half.body]).toEqual([200, null]);
    expect(whole.text.startsWith(half.text)).toBe(true);
    expect(half.text.length).toBeGreaterThan(0);
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [422, 'unprocessable_entity'],
    [500, 'internal_server_error'],
    [503, 'internal_server_error'],
  ] as const)('of status %s has an error body', async (status, code) => {
    caller.platform.setFaults({ faults: [{ kind: 'answer', status, times: 1 }] });
    const answer = await caller.list();
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect((await caller.list()).status).toBe(200);
  });

  it('of too many requests says how long to wait', async () => {
    caller.platform.setFaults({ faults: [{ kind: 'answer', status: 429, retryAfterSeconds: 7, times: 1 }] });
    expect((await caller.list()).headers.get('retry-after')).toBe('7');
  });
});

it('takes its time on either way', async () => {
  for (const plan of [{ latencyMs: 150 }, { answerLatencyMs: 150 }]) {
    caller.platform.setFaults(plan);
    const begun = performance.now();
    await caller.list();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(145);
  }
  caller.platform.setFaults({ answerLatencyMs: 10_000 });
  const waiting = put('key').catch(() => null);
  // The effect is there long before the answer.
  await expect.poll(() => caller.platform.effects().length).toBe(1);
  await caller.platform.close();
  expect(await waiting).toBeNull();
});
