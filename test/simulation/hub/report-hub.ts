import { noCoverage } from '../calls/coverage.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { jainOf } from '../account/fairness.ts';
import type { Violation } from '../judging.ts';
import type { SeedOptions, SeedReport } from '../run-seed.ts';
import { healedMs, runHub, type HubEvidence, type HubScenario } from './hub-world.ts';

const limit = 60;
/** Nobody waits so long while a right is free (L1). */
const longestIdleMs = 1_000;

export interface HubOptions extends Pick<SeedOptions, 'seed'> {
  /** How many terminals share the hub; drawn by the seed unless told. */
  readonly terminals?: number;
  /** As `HubScenario.isListed`; false unless told. */
  readonly isListed?: boolean;
}

/** A world in which things go wrong, or one in which the terminals are judged for how well they share. */
function scenarioOf({ seed, terminals: reported, isListed = false }: HubOptions): HubScenario {
  const random = createSeededRandom(`hub scenario ${seed}`);
  const isCalm = random.chance(0.2);
  const drawn = Number(random.pickWeighted({ 1: 1, 2: 5, 3: 2, 5: 2, 10: 1 }));
  const terminals = reported ?? drawn;
  const windows = random.fork('windows');
  // In a window of ten minutes more than ten terminals would have next to nothing to share.
  const windowMs = terminals > 10 ? 60_000 : Number(windows.pickWeighted({ 60_000: 6, 120_000: 1, 600_000: 2 }));
  const healed = healedMs({ windowMs }) / 60_000;
  const outsidePerWindow = isCalm && random.chance(0.5) ? 20 : 0;
  // Who shares with others settles in windows, not in minutes (C3 of app/rate-limit).
  const settlingMinutes = outsidePerWindow > 0 ? (25 * windowMs) / 60_000 : 25;
  return {
    seed,
    terminals,
    windowMs,
    isSetOnce: windows.chance(0.5),
    minutes: isCalm || terminals > 10 ? settlingMinutes + healed : 75 + healed,
    faultEveryMs: isCalm ? Number.POSITIVE_INFINITY : random.pick([60_000, 150_000, 300_000]),
    outsidePerWindow,
    isListed,
  };
}

/** When a window of the platform saw more than the limit; null when none did. Arrivals are in order. */
function tooManyAt(arrivals: readonly number[], windowMs: number): number | null {
  return arrivals.find((timeMs, at) => timeMs - (arrivals[at - limit] ?? -windowMs) < windowMs) ?? null;
}

/** The arrivals without these of them; both in order. */
function without(arrivals: readonly number[], left: readonly number[]): readonly number[] {
  let at = 0;
  return arrivals.filter((timeMs) => {
    const isLeft = left[at] === timeMs;
    at += isLeft ? 1 : 0;
    return !isLeft;
  });
}

/** The best that Jain's index can be for so few whole requests: one to each as far as they go. */
function bestJain(granted: readonly number[]): number {
  const sum = granted.reduce((total, count) => total + count, 0);
  return jainOf(granted.map((_, at) => Math.floor((sum + at) / granted.length)));
}

/** Judges a scenario by the rules H1, H6, H11, H12 and L1 of app/hub/README.md. */
export function judgeHub(scenario: HubScenario, evidence: HubEvidence): readonly Violation[] {
  const { arrivals, unknown, refusals, persons, background, modes, idle, endMs } = evidence;
  const { windowMs } = scenario;
  const violations: Violation[] = [];
  const violate = (rule: Violation['rule'], atMs: number, what: string): void => {
    violations.push({ rule, atMs, what });
  };
  const isShared = scenario.outsidePerWindow > 0;
  const lastMs = endMs - (isShared ? 5 * windowMs : healedMs(scenario) / 3);
  // Requests that nobody at the hub could know of are no part of what was shared out; by itself it keeps to the limit
  // as well.
  const tooMany = isShared ? null : (tooManyAt(without(arrivals, unknown), windowMs) ?? tooManyAt(unknown, windowMs));
  if (tooMany !== null) {
    violate('H1', tooMany, `more than ${limit} requests in a window`);
  }
  if (modes.some((mode) => mode !== 'shared')) {
    violate('H6', endMs, `in the end the terminals are ${modes.join(', ')}`);
  }
  const lastWindows = (endMs - lastMs) / windowMs;
  const perWindow = arrivals.filter((timeMs) => timeMs >= lastMs).length / lastWindows;
  if (!isShared && perWindow < 40) {
    violate('H6', endMs, `in the end ${perWindow.toFixed(1)} requests a window`);
  }
  const late = persons.filter(({ atMs }) => atMs >= lastMs);
  const waited = late.filter(({ waitedMs }) => waitedMs > 1_000);
  if (!isShared && waited.length > Math.max(4, late.length / 4)) {
    violate('H11', endMs, `${waited.length} of ${late.length} persons waited longer than a second`);
  }
  if (!isShared && idle.forMs > longestIdleMs) {
    violate('L1', idle.fromMs, `a person who might go waited ${idle.forMs} ms`);
  }
  // Where persons leave little, ten minutes have one page for each: three for each tell who goes first.
  const newest = background.flat().toSorted((left, right) => right - left);
  const sharedFromMs = Math.min(lastMs, newest[3 * background.length - 1] ?? 0);
  const lately = background.map((granted) => granted.filter((timeMs) => timeMs >= sharedFromMs).length);
  const jain = jainOf(lately);
  if (jain < 0.9 * bestJain(lately)) {
    violate('H11', endMs, `background work is shared with Jain ${jain.toFixed(2)}`);
  }
  const refusedPerWindow = refusals.filter((timeMs) => timeMs >= endMs / 2).length / (endMs / 2 / windowMs);
  if (refusedPerWindow > 2) {
    violate('H12', endMs, `${refusedPerWindow.toFixed(1)} refusals a window`);
  }
  return violations;
}

/** Runs and judges terminals that share a hub; its length is its own. */
export async function reportHub(options: HubOptions): Promise<SeedReport> {
  const scenario = scenarioOf(options);
  const evidence = await runHub(scenario);
  return {
    seed: scenario.seed,
    violations: judgeHub(scenario, evidence),
    traceHash: '',
    trace: [],
    simulatedMs: evidence.endMs,
    requests: evidence.arrivals.length,
    switches: evidence.persons.length,
    restorations: 0,
    crashes: evidence.faults.length,
    coverage: noCoverage,
    drainMs: 0,
  };
}
