import { describe, expect, test } from 'vitest';
import { firstExploredSeed } from './explored-seeds.ts';
import { runSeed } from './run-seed.ts';
import { verdict } from './verdict.ts';

const shiftHours = 0.25;

test('every commit explores a row of seeds of its own, and the same ones again', () => {
  const [one, other] = ['563301f0a1b2c3d4', '7865e16aa1b2c3d4'].map(firstExploredSeed);
  expect(firstExploredSeed('563301f0a1b2c3d4')).toBe(one);
  expect(other).not.toBe(one);
  expect(Number.isSafeInteger(firstExploredSeed(null))).toBe(true);
});

describe('the composed terminal under a faulty world (I0 to I20)', () => {
  test.for([3, 4, 5, 6])('holds its promises in seed %i', async (seed) => {
    const report = await runSeed({ seed, shiftHours });
    expect(verdict(report)).toBe('all hold');
    // A shift in which nothing happened proves nothing.
    expect(report.requests).toBeGreaterThan(50);
    expect(report.switches).toBeGreaterThan(10);
  });

  test('gives the same trace for the same seed, and another for another', async () => {
    const [first, second, other] = [
      await runSeed({ seed: 21, shiftHours: 0.1 }),
      await runSeed({ seed: 21, shiftHours: 0.1 }),
      await runSeed({ seed: 22, shiftHours: 0.1 }),
    ];
    expect(second.traceHash).toBe(first.traceHash);
    expect(other.traceHash).not.toBe(first.traceHash);
  });
});
