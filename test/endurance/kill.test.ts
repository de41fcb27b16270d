// The share of the kill loop that every test run makes: fifty kills, and the proof that it finds a bug of the kind that
// it is there for.
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { runKills, tellKills } from './kill-run.ts';
import { runTill } from './kill-till.ts';

test('a host that is killed fifty times loses, doubles and reorders nothing (K1 to K6)', async () => {
  const run = await runKills({
    kills: 50,
    seed: 1,
    tillsAtATime: Math.min(2, availableParallelism()),
    onFailure: console.error,
  });
  console.log(tellKills(run));
  expect(run.failures).toEqual([]);
  expect(run.reports.reduce((sum, { kills }) => sum + kills, 0)).toBe(50);
  // A run in which nothing happened proves nothing.
  for (const { acknowledged, effects, unknown } of run.reports) {
    expect(acknowledged).toBeGreaterThan(20);
    expect(effects).toBeGreaterThan(10);
    expect(unknown).toBeGreaterThan(0);
  }
});

test('a host that acknowledges before it commits is caught', async () => {
  const { violations } = await runTill({ seed: 'planted', kills: 12, plantedBug: 'hasty-commit.ts' });
  expect(violations.map(({ rule }) => rule)).toContain('K1');
});
