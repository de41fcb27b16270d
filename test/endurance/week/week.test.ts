import { expect, test } from 'vitest';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { partOf, shareOf, spread } from './plan.ts';

test('the parts of a week are the whole of it, and each happening has a slot of its own', () => {
  const whole = partOf(1);
  expect(whole).toEqual({ scans: 50_000, switches: 5_000, outages: 200, sleeps: 50 });
  const parts = Array.from({ length: 7 }, (_, day) => shareOf(whole, day, 7));
  expect(parts.reduce((sum, { sleeps }) => sum + sleeps, 0)).toBe(50);
  expect(parts.reduce((sum, { scans }) => sum + scans, 0)).toBe(50_000);
  const moments = spread(10, 1000, createSeededRandom('spread'));
  expect(moments.map((atMs) => Math.floor(atMs / 100))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
