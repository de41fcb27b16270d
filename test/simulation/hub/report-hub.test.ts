import { expect, test } from 'vitest';
import type { HubEvidence, HubScenario } from './hub-world.ts';
import { judgeHub } from './report-hub.ts';

const minuteMs = 60_000;
const endMs = 40 * minuteMs;
const scenario: HubScenario = {
  seed: 1,
  terminals: 10,
  windowMs: minuteMs,
  isSetOnce: false,
  minutes: 40,
  faultEveryMs: Number.POSITIVE_INFINITY,
  outsidePerWindow: 0,
  isListed: false,
};
/** Fifty requests in each minute, of which nothing else is told. */
const evidence: HubEvidence = {
  arrivals: Array.from({ length: 2_000 }, (_, at) => (at * endMs) / 2_000),
  unknown: [],
  refusals: [],
  persons: [],
  background: [],
  modes: [],
  faults: [],
  idle: { forMs: 1_000, fromMs: 0 },
  endMs,
};

function rulesOf(reported: Partial<HubEvidence>): readonly string[] {
  return judgeHub(scenario, { ...evidence, ...reported }).map(({ rule }) => rule);
}

/** So many requests in the background by each terminal, in the end. */
function inTheEnd(counts: readonly number[]): Partial<HubEvidence> {
  return { background: counts.map((count) => Array.from({ length: count }, (_, at) => endMs - 1_000 * (at + 1))) };
}

test.each([
  ['one each to six of ten', [1, 1, 1, 1, 1, 1, 0, 0, 0, 0], []],
  ['two to one of ten, and none to five', [2, 1, 1, 1, 1, 0, 0, 0, 0, 0], ['H11']],
  ['ten or nine to each', [10, 9, 10, 9, 10, 9, 10, 9, 10, 9], []],
  ['twenty to half of them', [20, 20, 20, 20, 20, 0, 0, 0, 0, 0], ['H11']],
] as const)('whole requests are shared as well as they can be: %s (H11)', (_, counts, rules) => {
  expect(rulesOf(inTheEnd(counts))).toEqual(rules);
});

test('nobody waits longer than a second for a right that is free (L1)', () => {
  expect(rulesOf({})).toEqual([]);
  expect(rulesOf({ idle: { forMs: 1_050, fromMs: endMs - minuteMs } })).toEqual(['L1']);
});

test('of what nobody at the hub could know of, only that by itself must keep to the limit (H1)', () => {
  const burst = (count: number): number[] => Array.from({ length: count }, (_, at) => 20 * minuteMs + at);
  const arrivalsWith = (unknown: readonly number[]): number[] =>
    [...evidence.arrivals, ...unknown].sort((left, right) => left - right);
  const reported = (unknown: readonly number[], count: number): readonly string[] =>
    rulesOf({ arrivals: arrivalsWith(unknown), unknown: unknown.slice(0, count) });
  expect(reported(burst(60), 60)).toEqual([]);
  expect(reported(burst(61), 61)).toEqual(['H1']);
  expect(reported(burst(60), 0)).toEqual(['H1']);
});
