import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { couponsPath, type Caller, readListing, startSignedIn } from '../../support/training-caller.ts';

let caller: Caller;
beforeEach(async () => {
  caller = await startSignedIn({ productCount: 300 });
});
afterEach(() => caller.platform.close());

const listStatus = (): Promise<number | 'lost'> =>
  caller.list().then(
    (answer) => answer.status,
    () => 'lost' as const,
  );

async function listTimes(times: number): Promise<(number | 'lost')[]> {
  const statuses: (number | 'lost')[] = [];
  for (let call = 0; call < times; call += 1) {
    statuses.push(await listStatus());
  }
  return statuses;
}

describe('the network', () => {
  it('is down until it is up again, for the API alone', async () => {
    caller.platform.setNetworkDown(true);
    expect(caller.platform.isNetworkDown()).toBe(true);
    expect(await listTimes(3)).toEqual(['lost', 'lost', 'lost']);
    expect(caller.platform.arrivals().at(-1)).toMatchObject({ status: null, fault: 'dropBeforeEffect' });
    expect((await fetch(`${caller.platform.platformUrl}/control/`)).status).toBe(503);
    expect((await fetch(`${caller.platform.platformUrl}/openapi.json`)).status).toBe(200);
    caller.platform.setNetworkDown(false);
    expect(await listTimes(1)).toEqual([200]);
  });

  it('loses as many as told, half of them after their effect, the same ones for the same seed', async () => {
    caller.platform.change({ lossPercent: 40 });
    const statuses = await listTimes(100);
    const lost = statuses.filter((status) => status === 'lost').length;
    expect(lost).toBeGreaterThan(25);
    expect(lost).toBeLessThan(55);
    const kinds = new Set(caller.platform.arrivals().map((arrival) => arrival.fault));
    expect(kinds).toEqual(new Set([null, 'dropBeforeEffect', 'dropAfterEffect']));
    const twin = await startSignedIn({ productCount: 300 });
    twin.platform.change({ lossPercent: 40 });
    const first = caller;
    caller = twin;
    expect(await listTimes(100)).toEqual(statuses);
    await first.platform.close();
  });

  it('takes its time on either way', async () => {
    caller.platform.change({ latencyMs: 80, answerLatencyMs: 80 });
    const begun = performance.now();
    await caller.list();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(155);
  });
});

describe('the platform', () => {
  it('answers 429 in a storm, also to those within their limit', async () => {
    caller.platform.change({ tooManyPercent: 100 });
    const answer = await caller.list();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
    caller.platform.change({ tooManyPercent: 50 });
    expect(new Set(await listTimes(40))).toEqual(new Set([200, 429]));
  });

  it.each([false, true])(
    'answers 500 and keeps that under the key; it took effect: %s',
    async (doServerErrorsTakeEffect) => {
      caller.platform.change({ serverErrorPercent: 100, doServerErrorsTakeEffect });
      expect((await caller.put('key', [['1000001', false]])).status).toBe(500);
      caller.platform.change({ serverErrorPercent: 0 });
      const again = await caller.put('key', [['1000001', false]]);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([500, 'true']);
      expect(caller.platform.effects()).toHaveLength(doServerErrorsTakeEffect ? 1 : 0);
    },
  );

  it('can begin under bad network conditions, but only with one that there is', async () => {
    const other = await startSignedIn({ productCount: 1, conditions: { latencyMs: 1 } });
    await other.platform.close();
    await expect(startSignedIn({ conditions: { lossPercent: 101 } })).rejects.toThrow(RangeError);
    await expect(startSignedIn({ elementShape: 'round' as 'flat' })).rejects.toThrow(RangeError);
  });
});

describe('what others do', () => {
  const total = async (query = '') => readListing(await caller.list(query)).meta.total;
  const moved = async () => total(`updated_from=${encodeURIComponent('2026-01-06T00:00:00-03:00')}`);

  it('is nothing unless told', async () => {
    caller.platform.letPass(3_600_000);
    expect(await moved()).toBe(0);
  });

  it('moves stock by itself, as often as told', async () => {
    // It also happens by itself: what the test itself takes is little beside a minute.
    caller.platform.change({ movementsPerMinute: 1 });
    caller.platform.letPass(30_000);
    expect(await moved()).toBe(0);
    caller.platform.change({ movementsPerMinute: 60 });
    caller.platform.letPass(119_500);
    const depot = readListing(
      await caller.list(`updated_from=${encodeURIComponent('2026-01-06T00:00:00-03:00')}`, '1202'),
    ).meta.total;
    // 120 movements over both stocks, some of them of the same product.
    expect((await moved()) + depot).toBeGreaterThan(80);
    expect((await moved()) + depot).toBeLessThanOrEqual(120);
  });

  it('renames products, takes some away and brings them back, while a listing is read', async () => {
    caller.platform.change({ productChangesPerMinute: 600 });
    caller.platform.letPass(60_000);
    const left = await total();
    expect(left).toBeLessThan(300);
    expect(left).toBeGreaterThanOrEqual(280);
    expect(await total('term=embalagem')).toBeGreaterThan(5);
  });

  it("switches coupons under somebody else's name", async () => {
    const before = (await caller.send(couponsPath)).text;
    caller.platform.change({ couponChangesPerMinute: 10 });
    caller.platform.letPass(60_000);
    expect(caller.platform.effects()).toHaveLength(10);
    expect(caller.platform.effects().every((effect) => effect.userId === null)).toBe(true);
    expect((await caller.send(couponsPath)).text).not.toBe(before);
  });

  it('happens by itself as well', async () => {
    caller.platform.change({ movementsPerMinute: 6000 });
    await expect.poll(moved, { timeout: 10_000, interval: 200 }).toBeGreaterThan(10);
  });

  it('is not made up for after a long sleep', async () => {
    caller.platform.change({ couponChangesPerMinute: 6000 });
    caller.platform.letPass(24 * 3_600_000);
    expect(caller.platform.effects()).toHaveLength(500);
  });
});
