import { describe, expect, test } from 'vitest';
import { shareOf } from '../support/night.ts';
import { runSeed, type SeedReport } from './run-seed.ts';
import { verdict } from './verdict.ts';

const shiftHours = 0.25;
const reports = new Map<number, Promise<SeedReport>>();

/** Plays a seed once for all tests of this file. */
function playOnce(seed: number): Promise<SeedReport> {
  const report = reports.get(seed) ?? runSeed({ seed, shiftHours });
  reports.set(seed, report);
  return report;
}

describe('the composed terminal under a faulty world (I0 to I20)', () => {
  test.for(shareOf([3, 4, 5, 6], 2))('holds its promises in seed %i', async (seed) => {
    const report = await playOnce(seed);
    expect(verdict(report)).toBe('all hold');
    // A shift in which nothing happened proves nothing.
    expect(report.requests).toBeGreaterThan(50);
    expect(report.switches).toBeGreaterThan(10);
  });

  // That a seed gives the same trace again, calls/calls.test.ts proves.
  test('gives another trace for another seed', async () => {
    const [first, other] = [await playOnce(4), await playOnce(3)];
    expect(other.traceHash).not.toBe(first.traceHash);
  });
});
