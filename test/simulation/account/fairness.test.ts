// The proof that terminals which never talk settle at a shared account, whatever it counts: much of the limit is used,
// by all alike, with few refusals; whoever comes gets a part, and what one leaves the others take.
import { describe, expect, test } from 'vitest';
import { shareOf } from '../../support/night.ts';
import { jainOf, runFairness, type Fairness, type FairnessPlan } from './fairness.ts';
import { startTerminal } from './sharing-terminal.ts';

const sliding = { window: 'sliding', countsRefused: false, retryAfter: 'seconds' } as const;
const accounts = [
  ['a sliding window', sliding],
  ['a sliding window that counts refused requests', { ...sliding, countsRefused: true }],
  ['a sliding window, without Retry-After', { ...sliding, retryAfter: 'absent' }],
  ['fixed windows', { ...sliding, window: 'fixed' }],
] as const;

function run(plan: Partial<FairnessPlan> & Pick<FairnessPlan, 'terminals'>): Promise<Fairness> {
  return runFairness(
    { seed: 1, account: sliding, settleMinutes: 30, minutes: 150, scanGapMs: 60_000, ...plan },
    startTerminal,
  );
}

/** Passed requests a minute of one terminal, from one minute to another. */
function rateOf({ byMinute }: Fairness, terminal: number, fromMinute: number, toMinute: number): number {
  const minutes = byMinute.slice(fromMinute, toMinute);
  return minutes.reduce((sum, counts) => sum + (counts[terminal] ?? 0), 0) / minutes.length;
}

test('Jain: 1 for equal parts, 1/n when one has all', () => {
  expect(jainOf([5, 5, 5, 5])).toBe(1);
  expect(jainOf([8, 0, 0, 0])).toBe(0.25);
});

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe.each(accounts)('%s', (_name, account) => {
  test.each(shareOf([5, 2, 10], 1))('%i terminals settle to equal parts', async (terminals) => {
    // One history alone says little: refusals are chance.
    const fairness = await Promise.all([1, 2, 3].map((seed) => run({ seed, terminals, account })));
    expect(mean(fairness.map(({ throughput }) => throughput))).toBeGreaterThanOrEqual(0.84);
    expect(mean(fairness.map(({ jain }) => jain))).toBeGreaterThanOrEqual(0.9);
    expect(mean(fairness.map(({ refusalsPerMinute }) => refusalsPerMinute))).toBeLessThanOrEqual(2);
    // Nine scans of ten have their live figure within seconds, though all copy without end.
    const scanMs = fairness.flatMap((one) => one.scanMs);
    expect(scanMs.filter((waitMs) => waitMs <= 6_000).length / scanMs.length).toBeGreaterThanOrEqual(0.9);
  });
});

test('a terminal alone uses all but the reserve, is never refused, and a scan leaves within 50 ms', async () => {
  const { throughput, refusalsPerMinute, scanLeftMs } = await run({ terminals: 1, minutes: 60 });
  expect(throughput).toBeGreaterThanOrEqual(0.94);
  expect(refusalsPerMinute).toBe(0);
  expect(Math.max(...scanLeftMs)).toBeLessThanOrEqual(50);
});

test('whoever comes has half of an equal part within half an hour; when they leave, others have it again', async () => {
  const visits = [1, 2, 3].map(() => ({ fromMinute: 30, toMinute: 90 }));
  const seen = await Promise.all([1, 2, 3].map((seed) => run({ seed, terminals: 2, minutes: 130, visits })));
  const ratesOf = (fromMinute: number, toMinute: number, terminals: readonly number[]): number[][] =>
    seen.map((fairness) => terminals.map((terminal) => rateOf(fairness, terminal, fromMinute, toMinute)));
  const sumOf = (rates: readonly number[]): number => rates.reduce((sum, rate) => sum + rate, 0);
  const shared = ratesOf(60, 90, [0, 1, 2, 3, 4]);
  expect(mean(shared.map((rates) => Math.min(...rates)))).toBeGreaterThanOrEqual(60 / 5 / 2);
  expect(mean(shared.map(sumOf))).toBeGreaterThanOrEqual(0.85 * 60);
  const after = ratesOf(110, 130, [0, 1]);
  expect(mean(after.map(sumOf))).toBeGreaterThanOrEqual(0.8 * 60);
});

/** Every reading of "60 requests per minute" (API v3 §8). */
const readings = (['sliding', 'fixed', 'bucket'] as const).flatMap((window) =>
  [false, true].flatMap((countsRefused) =>
    (['seconds', 'absent'] as const).map((retryAfter) => ({ window, countsRefused, retryAfter })),
  ),
);

test.each(readings)(
  'a newcomer’s part in 5 minutes (B7): $window, refused count: $countsRefused, Retry-After $retryAfter',
  async (account) => {
    for (const seed of shareOf([1, 2, 3, 5, 12], 1)) {
      const visits = [{ fromMinute: 30, toMinute: 60 }];
      const fairness = await run({ seed, terminals: 1, account, minutes: 60, scanGapMs: null, visits });
      const fairFrom = Array.from({ length: 28 }, (_, minute) => minute).findIndex((minute) => {
        const [from, to] = [30 + minute, 32 + minute];
        return jainOf([rateOf(fairness, 0, from, to), rateOf(fairness, 1, from, to)]) >= 0.95;
      });
      expect(fairFrom, `seed ${seed}`).toBeGreaterThanOrEqual(0);
      expect(fairFrom, `seed ${seed}`).toBeLessThanOrEqual(5);
    }
  },
);

test('a stray 429 costs a terminal that is alone less than two minutes of work', async () => {
  const stray = { ...sliding, strayAtMinute: 40 };
  const { byMinute, refusalsPerMinute } = await run({ terminals: 1, minutes: 80, account: stray, scanGapMs: null });
  expect(refusalsPerMinute).toBeCloseTo(1 / 50);
  const passed = (fromMinute: number, toMinute: number): number =>
    byMinute.slice(fromMinute, toMinute).reduce((sum, [count]) => sum + (count ?? 0), 0);
  expect(passed(20, 40) - passed(40, 60)).toBeLessThanOrEqual(2 * 57);
  expect(passed(60, 80)).toBeGreaterThanOrEqual(passed(20, 40) - 20);
});
