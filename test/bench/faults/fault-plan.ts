import { goodConditions, type NetworkConditions } from '../../simulation/network.ts';
import type { RefereeRules } from '../../simulation/referee.ts';
import { plainListing } from '../../simulation/referee-stock.ts';
import { drawRules, lightFaults as light } from '../../simulation/scenario.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';

/** One switch of a coupon that a person makes. */
export interface PlannedIntent {
  readonly id: number;
  readonly atMs: number;
  /** The product's place in the platform's assortment. */
  readonly product: number;
  readonly isEnabled: boolean;
}

interface PlannedPhase {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly conditions: NetworkConditions;
  /** How likely a change ends in a stored 5xx. */
  readonly failing: number;
  /** Requests a minute that other terminals make. */
  readonly othersPerMinute: number;
}

export interface FaultPlan {
  readonly seed: number;
  readonly rules: RefereeRules;
  readonly phases: readonly PlannedPhase[];
  readonly intents: readonly PlannedIntent[];
  readonly kills: readonly { readonly atMs: number; readonly downMs: number }[];
  readonly expiriesAtMs: readonly number[];
  /** From here on the world is healthy. */
  readonly healAtMs: number;
}

/** How many products the platform has; all can be switched. */
export const planProducts = 60;

const minuteMs = 60_000;
/** Before this nobody switches anything: every policy signs in and comes to rest first. */
const firstPhaseMs = 4 * minuteMs;

const foul: NetworkConditions = {
  isOutage: false,
  latencyMs: [20, 2000],
  fates: {
    lostBefore: 0.05,
    lostAfter: 0.12,
    hangBefore: 0.015,
    hangAfter: 0.03,
    late: 0.015,
    twice: 0.05,
    portal: 0.02,
    proxyBefore: 0.03,
    proxyAfter: 0.06,
    truncated: 0.03,
    stripped: 0.05,
    crossed: 0.01,
  },
};

interface PhaseDraw {
  readonly name: string;
  readonly minutes: readonly [low: number, high: number];
  readonly conditions: NetworkConditions;
  readonly failing?: number;
  readonly others?: readonly [low: number, high: number];
  readonly intents: number;
  /** Between two of a person's switches, on average. */
  readonly gapMs: number;
  /** Of all products, how many are switched. */
  readonly spread: number;
  readonly kills: number;
}

const phaseDraws: readonly PhaseDraw[] = [
  { name: 'calm', minutes: [10, 16], conditions: light, intents: 15, gapMs: 30_000, spread: planProducts, kills: 0 },
  { name: 'burst', minutes: [8, 12], conditions: foul, intents: 40, gapMs: 500, spread: planProducts, kills: 2 },
  { name: 'churn', minutes: [6, 10], conditions: foul, intents: 30, gapMs: 5000, spread: 1, kills: 2 },
  {
    name: 'backlog',
    minutes: [15, 40],
    conditions: { ...goodConditions, isOutage: true },
    intents: 40,
    gapMs: 10_000,
    spread: 25,
    kills: 1,
  },
  {
    name: 'storm',
    minutes: [8, 12],
    conditions: foul,
    failing: 0.25,
    intents: 25,
    gapMs: 10_000,
    spread: 12,
    kills: 2,
  },
  {
    name: 'ailing',
    minutes: [6, 10],
    conditions: light,
    failing: 0.6,
    intents: 15,
    gapMs: 12_000,
    spread: 8,
    kills: 1,
  },
  {
    name: 'portal',
    minutes: [3, 6],
    conditions: { ...light, fates: { portal: 0.9 } },
    intents: 10,
    gapMs: 8000,
    spread: planProducts,
    kills: 0,
  },
  {
    name: 'proxy',
    minutes: [3, 6],
    conditions: { ...light, fates: { proxyBefore: 0.3, proxyAfter: 0.5 } },
    intents: 10,
    gapMs: 8000,
    spread: 8,
    kills: 0,
  },
  {
    name: 'shared',
    minutes: [6, 10],
    conditions: light,
    others: [35, 58],
    intents: 20,
    gapMs: 1500,
    spread: planProducts,
    kills: 1,
  },
];

function shuffle<Value>(list: readonly Value[], random: SeededRandom): readonly Value[] {
  return list
    .map((value) => ({ value, place: random.fraction() }))
    .sort((left, right) => left.place - right.place)
    .map(({ value }) => value);
}

/** Draws the plan of a seed. */
export function drawFaultPlan(seed: number): FaultPlan {
  const random = createSeededRandom(`fault benchmark ${String(seed)}`);
  const phases: PlannedPhase[] = [];
  const intents: PlannedIntent[] = [];
  const kills: { atMs: number; downMs: number }[] = [];
  const settings = new Map<number, boolean>();
  let startMs = firstPhaseMs;
  for (const draw of shuffle(phaseDraws, random.fork('order'))) {
    const chance = random.fork(draw.name);
    const endMs = startMs + chance.integer(draw.minutes[0] * minuteMs, draw.minutes[1] * minuteMs);
    const { name, conditions, failing = 0.02, others = [0, 0] } = draw;
    phases.push({ name, startMs, endMs, conditions, failing, othersPerMinute: chance.integer(others[0], others[1]) });
    const first = chance.integer(0, planProducts - draw.spread);
    const mine: PlannedIntent[] = [];
    // The rest of the phase is left for the queue to work in.
    const lastMs = endMs - minuteMs;
    for (
      let atMs = startMs + chance.integer(1000, 20_000);
      mine.length < draw.intents;
      atMs = Math.min(lastMs + mine.length, atMs + chance.waitMs(draw.gapMs))
    ) {
      const product = chance.integer(first, first + draw.spread - 1);
      const isEnabled = !(settings.get(product) ?? false);
      settings.set(product, isEnabled);
      mine.push({ id: intents.length + mine.length + 1, atMs, product, isEnabled });
    }
    intents.push(...mine);
    for (let left = draw.kills; left > 0; left -= 1) {
      // Soon after a switch, while there is something to lose.
      kills.push({ atMs: chance.pick(mine).atMs + chance.integer(50, 4000), downMs: chance.integer(1500, 20_000) });
    }
    startMs = endMs;
  }
  const chance = random.fork('tokens');
  return {
    seed,
    // 204 is the documented success, and a listing that can be filtered by what is on holds what is off, too (API v3
    // §4.6, §4.7). It is told to whoever names the company, for only a reading tells what an unanswered change has done. All else stays as open as the document leaves it.
    rules: {
      ...drawRules(random.fork('rules')),
      successStatus: 204,
      listsDisabled: true,
      couponsOf: 'company',
      keyRetentionMs: null,
      keysOf: 'platform',
      listing: plainListing,
    },
    phases,
    intents,
    kills: kills.sort((left, right) => left.atMs - right.atMs),
    expiriesAtMs: [1, 2, 3].map(() => chance.integer(firstPhaseMs, startMs)),
    healAtMs: startMs,
  };
}
