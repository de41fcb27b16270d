// The share of the kill loop that every test run makes, and the proof that it finds a bug of the kind that it is there for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNight } from '../support/night.ts';
import { makeTemporaryDirectory } from '../support/temporary.ts';
import { buildHost } from './build-host.ts';
import { runKills, summarizeKills } from './kill-run.ts';
import { runTill, type KillReport } from './kill-till.ts';
import type { MadePart } from './sittings.ts';

/** Of each of two tills. */
const kills = isNight ? 100 : 4;
const folder = makeTemporaryDirectory();
let script = '';
beforeAll(async () => {
  script = await buildHost(folder.path);
});
afterAll(folder.remove);

test('a host that is killed again and again loses, doubles and reorders nothing (K1 to K6)', async () => {
  const made: MadePart<KillReport>[] = [];
  const startedAt = performance.now();
  await runKills({
    script,
    tills: [
      { seed: 1, count: kills },
      { seed: 2, count: kills },
    ],
    tillsAtATime: 2,
    onTill: (till) => {
      made.push(till);
    },
  });
  console.log(summarizeKills(made, (performance.now() - startedAt) / 1000));
  expect(made.flatMap(({ failures }) => failures)).toEqual([]);
  expect(made.map(({ report }) => report?.kills)).toEqual([kills, kills]);
  // A run in which nothing happened proves nothing.
  const sumOf = (count: 'acknowledged' | 'effects' | 'unknown'): number =>
    made.reduce((sum, { report }) => sum + (report?.[count] ?? 0), 0);
  expect(sumOf('acknowledged')).toBeGreaterThan(kills / 2);
  expect(sumOf('effects')).toBeGreaterThan(kills / 4);
  expect(sumOf('unknown')).toBeGreaterThan(0);
});

test('a host that acknowledges before it commits is caught', async () => {
  const { violations } = await runTill({ script, seed: 'planted', kills: 12, plantedBug: 'hasty-commit.ts' });
  expect(violations.map(({ rule }) => rule)).toContain('K1');
});
