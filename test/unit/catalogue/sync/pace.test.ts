// The proof of the copying's pace, T1 to T4 of pace.ts, and of the order in which pages that are read ahead are handed
// over, R1 to R4 of prefetch.ts.
import { describe, expect, test } from 'vitest';
import { createPace, type RateLimit } from '../../../../app/catalogue/sync/pace.ts';
import { createPrefetch, maxAhead } from '../../../../app/catalogue/sync/prefetch.ts';
import { succeed, fail, type Result } from '../../../../app/domain/result.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import type { ListingPage, PlatformClient } from '../../../../app/platform/client.ts';
import type { ListingQuery } from '../../../../app/platform/query.ts';
import { settlePromises } from '../../../support/manual-clock.ts';
import { createClock, stockOne } from '../catalogue-fixture.ts';

const minuteMs = 60_000;

/** A rate limit that stays as it is. */
function steady(perMinute: number): RateLimit {
  return { perMinute: () => perMinute, forecastMs: (requests) => (requests * minuteMs) / perMinute };
}

/** When so many requests leave that are asked for as soon as the one before has left. */
function departures(count: number, perWindow = 57, fromMs = 0): readonly number[] {
  const pace = createPace(steady(perWindow));
  let nowMs = fromMs;
  return Array.from({ length: count }, () => {
    nowMs = pace.depart(nowMs).atMs;
    return nowMs;
  });
}

describe('the pace', () => {
  test('T1, T2: twenty at once, the rest of the minute spread, then evenly; never more than the rate limit', () => {
    const times = departures(300);
    expect(times[19]).toBe(0);
    expect(times[20]).toBeGreaterThan(1_000);
    for (const [place, time] of times.entries()) {
      expect((times[place + 57] ?? Number.POSITIVE_INFINITY) - time, `from ${place}`).toBeGreaterThanOrEqual(
        minuteMs - 1,
      );
    }
    expect((times[299] ?? 0) / ((299 / 57) * minuteMs)).toBeCloseTo(1, 1);
    const gaps = times.slice(120).map((time, place) => time - (times[place + 119] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(1_100);
  });

  test('T3: what was held up is caught up with, a little', () => {
    const pace = createPace(steady(57));
    let nowMs = 0;
    for (let count = 0; count < 120; count += 1) {
      nowMs = pace.depart(nowMs).atMs;
    }
    const laterMs = nowMs + 5_000;
    expect([1, 2, 3, 4].map(() => pace.depart(laterMs).atMs)).toEqual([laterMs, laterMs, laterMs, laterMs]);
    expect(pace.depart(laterMs).atMs).toBeGreaterThan(laterMs);
  });

  test('T4: tells nothing before the first page, and then what the plan takes', () => {
    const pace = createPace(steady(57));
    expect(pace.timeLeftMs(100, 0)).toBeNull();
    pace.depart(0);
    pace.note(300, 300, 0);
    const leftMs = pace.timeLeftMs(569, 300) ?? 0;
    expect(leftMs / (10 * minuteMs)).toBeCloseTo(1, 1);
  });

  test('a rate limit of next to nothing stops nothing for ever', () => {
    expect(departures(5, 0).at(-1)).toBeLessThanOrEqual(5 * minuteMs);
    expect(departures(5, -3).at(-1)).toBeLessThanOrEqual(5 * minuteMs);
  });
});

describe('reading ahead', () => {
  const page: ListingPage = { elements: [], currentPage: 1, lastPage: 9, perPage: 100, total: 900, platformTime: null };
  const query = (number: number): ListingQuery => ({ stockId: stockOne, page: number, perPage: 100 });
  const signal = new AbortController().signal;

  function prepare() {
    const clock = createClock();
    const asked = new Map<number, (answer: Result<ListingPage, Failure>) => void>();
    const order: number[] = [];
    const client = {
      listStockProducts: ({ page: number }: ListingQuery) => {
        order.push(number);
        return new Promise<Result<ListingPage, Failure>>((resolve) => asked.set(number, resolve));
      },
    } as Partial<PlatformClient> as PlatformClient;
    const prefetch = createPrefetch({ client, clock, pace: createPace(steady(57)) });
    const answer = (
      number: number,
      result: Result<ListingPage, Failure> = succeed({ ...page, currentPage: number }),
    ): void => asked.get(number)?.(result);
    return { clock, prefetch, answer, order };
  }

  test('R1, R2: hands over in order whatever comes first, each page once, and asks for no more than it may', async () => {
    const { prefetch, answer, order } = prepare();
    const first = prefetch.read('full 1', [1, 2, 3, 4, 5, 6, 7, 8].map(query), signal);
    await settlePromises();
    expect(order).toEqual([1, 2, 3, 4, 5, 6].slice(0, maxAhead));
    for (const number of [3, 6, 1, 2]) {
      answer(number);
    }
    expect((await first).answer).toMatchObject({ value: { currentPage: 1 } });
    expect((await prefetch.read('full 1', [2, 3].map(query), signal)).answer).toMatchObject({
      value: { currentPage: 2 },
    });
    expect((await prefetch.read('full 1', [3].map(query), signal)).answer).toMatchObject({ value: { currentPage: 3 } });
    expect(order).toHaveLength(maxAhead);
  });

  test('R3: one failure stops the reading ahead until it was handed over', async () => {
    const { prefetch, answer, order } = prepare();
    const first = prefetch.read('full 1', [1, 2].map(query), signal);
    await settlePromises();
    answer(2, fail({ kind: 'unreachable' }));
    answer(1);
    await first;
    const second = await prefetch.read('full 1', [2, 3, 4].map(query), signal);
    expect(second.answer).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
    expect(order).toEqual([1, 2]);
  });

  test('R4: an answer that waited for more than a minute is asked for anew, and so is one of another pass', async () => {
    const { clock, prefetch, answer, order } = prepare();
    const first = prefetch.read('full 1', [1, 2, 3].map(query), signal);
    await settlePromises();
    [1, 2, 3].forEach((number) => answer(number));
    await first;
    clock.sleep(61_000);
    void prefetch.read('full 1', [2].map(query), signal);
    await settlePromises();
    expect(order).toEqual([1, 2, 3, 2]);
    answer(2);
    void prefetch.read('full 2', [3].map(query), signal);
    await settlePromises();
    expect(order).toEqual([1, 2, 3, 2, 3]);
  });
});
