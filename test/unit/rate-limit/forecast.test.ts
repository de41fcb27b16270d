// The proof that the rate limit forecasts how long background requests take: as it is, and as it grows back after a
// 429.
import { expect, test } from 'vitest';
import { openOnDisk } from './rate-limit-fixture.ts';

const minuteMs = 60_000;

test('with the whole rate limit, requests take their part of a minute each', async () => {
  const { rateLimit } = await openOnDisk();
  expect(rateLimit.forecastMs(570)).toBeCloseTo(10 * minuteMs, 3);
  expect(rateLimit.forecastMs(0)).toBe(0);
});

test.each([
  [10, 1],
  [100, 1],
  [400, 1],
  [100, 3],
  [400, 3],
])('after a 429, %i requests take as long as was forecast when it had come %i times', async (requests, refusals) => {
  const { clock, rateLimit } = await openOnDisk();
  const sentAtMs: number[] = [];
  const send = async (): Promise<void> => {
    for (;;) {
      const taken = await rateLimit.take('catalogue');
      if (!taken.ok) {
        return;
      }
      sentAtMs.push(clock.uptimeMs());
      taken.value.settle();
    }
  };
  void send();
  for (let refusal = 0; refusal < refusals; refusal += 1) {
    await clock.advance(minuteMs + 1_000);
    rateLimit.slowDown();
  }
  const before = sentAtMs.length;
  const forecastMs = rateLimit.forecastMs(requests);
  const startMs = clock.uptimeMs();
  await clock.advance(1.2 * forecastMs + 2 * minuteMs);
  const tookMs = (sentAtMs[before + requests - 1] ?? Number.POSITIVE_INFINITY) - startMs;
  // They leave in bursts here, up to a minute before an even pace would have let them.
  expect(tookMs - forecastMs).toBeGreaterThan(-minuteMs - 2_000);
  expect(tookMs - forecastMs).toBeLessThan(Math.max(2_000, forecastMs / 10));
  rateLimit.close();
});
