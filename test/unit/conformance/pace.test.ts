import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPace, leastPerMinute, mostPerMinute } from '../../../app/conformance/pace.ts';

const never = (): void => undefined;

/** The most that arrive in any 60 seconds. */
const mostInAMinute = (arrivals: readonly number[]): number =>
  Math.max(0, ...arrivals.map((first) => arrivals.filter((at) => at >= first && at < first + 60_000).length));

it('lets at most so many through in any 60 seconds, whenever they arrive and however long they take', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: leastPerMinute, max: mostPerMinute }),
      fc.array(fc.record({ before: fc.nat(20_000), after: fc.nat(20_000), isLast: fc.boolean() }), { maxLength: 150 }),
      async (perMinute, requests) => {
        let now = 0;
        const wait = (ms: number): Promise<void> => {
          now += ms;
          return Promise.resolve();
        };
        const pace = createPace(perMinute, { now: () => now, wait }, never);
        const arrivals: number[] = [];
        for (const { before, after, isLast } of requests) {
          const end = await pace(isLast, null);
          now += before;
          arrivals.push(now);
          now += after;
          end();
        }
        expect(mostInAMinute(arrivals)).toBeLessThanOrEqual(perMinute);
      },
    ),
    { numRuns: 300 },
  );
});

it('leaves four requests free for what puts a coupon back', async () => {
  const waits: number[] = [];
  let now = 0;
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    now += ms;
    return Promise.resolve();
  };
  const pace = createPace(mostPerMinute, { now: () => now, wait }, never);
  for (let sent = 0; sent < 26; sent += 1) (await pace(false, null))();
  for (let sent = 0; sent < 4; sent += 1) (await pace(true, null))();
  expect(waits).toEqual([]);
  (await pace(false, null))();
  expect(waits).toEqual([61_000]);
});

it('waits no longer for who has stopped the run', async () => {
  const stop = new AbortController();
  const wait = (): Promise<void> => {
    stop.abort();
    return Promise.resolve();
  };
  const pace = createPace(leastPerMinute, { now: () => 0, wait }, never);
  for (let sent = 0; sent < 3; sent += 1) (await pace(false, stop.signal))();
  expect(stop.signal.aborted).toBe(true);
});
