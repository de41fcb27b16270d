// The share of the kill loop that every test run makes: fifty kills, and the proof that it finds a bug of the kind that
// it is there for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/temporary.ts';
import { buildHost } from './build-host.ts';
import { runKills, summarizeKills } from './kill-run.ts';
import { runTill, type KillReport } from './kill-till.ts';
import type { MadePart } from './sittings.ts';

const folder = makeTemporaryDirectory();
let script = '';
beforeAll(async () => {
  script = await buildHost(folder.path);
});
afterAll(folder.remove);

test('a host that is killed fifty times loses, doubles and reorders nothing (K1 to K6)', async () => {
  const made: MadePart<KillReport>[] = [];
  const startedAt = performance.now();
  await runKills({
    script,
    tills: [
      { seed: 1, count: 25 },
      { seed: 2, count: 25 },
    ],
    tillsAtATime: 2,
    onTill: (till) => {
      made.push(till);
    },
  });
  console.log(summarizeKills(made, (performance.now() - startedAt) / 1000));
  expect(made.flatMap(({ failures }) => failures)).toEqual([]);
  expect(made.map(({ report }) => report?.kills)).toEqual([25, 25]);
  // A run in which nothing happened proves nothing.
  const sumOf = (count: 'acknowledged' | 'effects' | 'unknown'): number =>
    made.reduce((sum, { report }) => sum + (report?.[count] ?? 0), 0);
  expect(sumOf('acknowledged')).toBeGreaterThan(20);
  expect(sumOf('effects')).toBeGreaterThan(10);
  expect(sumOf('unknown')).toBeGreaterThan(0);
});

test('a host that acknowledges before it commits is caught', async () => {
  const { violations } = await runTill({ script, seed: 'planted', kills: 12, plantedBug: 'hasty-commit.ts' });
  expect(violations.map(({ rule }) => rule)).toContain('K1');
});
