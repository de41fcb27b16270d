import { describe, expect, it } from 'vitest';
import { endings, paths, playBursts } from '../../../support/paused-scans.ts';

const bursts = 2_000;

describe.each(paths)('a scanner at $name', (path) => {
  it.each(endings)(
    '%s terminator is read whole in at least 999 of 1,000 scans, and no other product is ever shown',
    (ending) => {
      const { figures, faults } = playBursts(path, ending, bursts, 12);
      expect(figures.otherProduct, JSON.stringify(faults)).toBe(0);
      expect(figures.whole / bursts, JSON.stringify(faults.slice(0, 5))).toBeGreaterThanOrEqual(0.999);
    },
  );
});
