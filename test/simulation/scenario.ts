import type { Habits } from './cashier.ts';
import { goodConditions, type NetworkConditions } from './network.ts';
import type { RefereeRules } from './referee.ts';
import type { ListingRules } from './referee-stock.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

const dayMs = 24 * 3_600_000;

/** Something that befalls the machine or the platform, and how often compared with the others. */
export type Fault =
  | 'kill'
  | 'killSoon'
  | 'quit'
  | 'reboot'
  | 'sleep'
  | 'clock'
  | 'expire'
  | 'revoke'
  | 'vault'
  | 'disk'
  | 'rot'
  | 'other'
  | 'users'
  | 'sell'
  | 'wipe';

export interface Phase {
  readonly name: string;
  readonly durationMs: number;
  readonly conditions: NetworkConditions;
  readonly habits: Habits;
  /** Between two things that a cashier does, on average. */
  readonly gapMs: number;
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  readonly faultGapMs: number;
  /** How likely a change ends in a 500. */
  readonly failing: number;
  /** Requests a minute that other terminals make. */
  readonly othersPerMinute: number;
  /** Between two changes of the assortment, on average. */
  readonly rearrangeGapMs: number;
}

/** Draws how this platform reads what its document leaves open. */
export function drawRules(random: SeededRandom): RefereeRules {
  const drawn: Omit<RefereeRules, 'couponsOf'> = {
    tokens: {
      lifeMs: random.pick([90_000, 300_000, 900_000, 7_200_000]),
      statesExpiry: random.chance(0.6),
      refreshToken: random.pick(['rotated', 'rotated', 'repeated', 'silent'] as const),
      refusal: random.fork('refusal').pick(['oauth', 'status', 'code', 'field'] as const),
      keys: random.fork('token keys').pick(['ignored', 'demanded', 'replayed', 'replayed'] as const),
      sessions: random.fork('sessions').pick(['many', 'many', 'many', 'many', 'one'] as const),
    },
    storesUnauthorized: random.chance(0.4),
    storesTooMany: random.chance(0.4),
    echoesAtGate: random.chance(0.5),
    replayed: random.pick(['true', 'TRUE', '1', null]),
    first: random.pick(['false', null]),
    limitWindow: random.pick(['sliding', 'sliding', 'fixed'] as const),
    retryAfter: random.pick(['seconds', 'date', 'absent'] as const),
    namesItems: random.chance(0.6),
    listsDisabled: random.chance(0.5),
    successStatus: random.chance(0.8) ? 204 : 200,
    echoes: random.chance(0.85),
    // A draw of its own: those above stay what they were.
    companylessStatus: random.fork('company').pick([null, null, 400, 403, 422] as const),
    itemsFrom: random.fork('items').pick([0, 1] as const),
    givesValues: random.fork('values').chance(0.6),
    keyRetentionMs: random.fork('retention').pick([null, null, null, 30 * 60_000, 24 * 3_600_000]),
    keysOf: random.fork('keys of').pick(['platform', 'client'] as const),
    listing: drawListing(random.fork('listing')),
  };
  // Without any echo a refusal counts only once other calls have succeeded; where the readings fail as well, that takes
  // longer than a seed waits.
  const couponsOf = random
    .fork('coupons of')
    .pick(['company', 'company', 'company', 'company', 'company', 'account', 400, 422, 403, 404] as const);
  return { ...drawn, couponsOf: drawn.echoes || couponsOf === 'account' ? couponsOf : 'company' };
}

/** Small pages, so that a small stock has many. */
function drawListing(random: SeededRandom): ListingRules {
  const dateOffMs = random.pick([0, 0, 0, 0, -dayMs, dayMs]);
  return {
    largestPage: random.pick([10, 15, 25, 100]),
    // A clock that is off by a day leaves the till's own, which is off by a minute and a half itself.
    lagMs: dateOffMs > 0 ? 0 : random.pick([0, 0, 3_000, 45_000]),
    updatedFrom: random.pick(['inclusive', 'inclusive', 'exclusive', 'ignored'] as const),
    salesAreUpdates: random.chance(0.7),
    dateOffMs,
    showsBarcodes: random.fork('barcodes').chance(0.8),
    beyondEnd: random.fork('beyond the end').pick([null, null, 400, 404, 422] as const),
  };
}

/** Some faults at any time, as on a fair network. */
export const lightFaults: NetworkConditions = {
  isOutage: false,
  latencyMs: [20, 300],
  fates: {
    lostBefore: 0.01,
    lostAfter: 0.01,
    hangAfter: 0.005,
    twice: 0.01,
    proxyAfter: 0.005,
    stripped: 0.01,
    truncated: 0.005,
  },
};

function drawBadConditions(random: SeededRandom): NetworkConditions {
  const upTo = (max: number): number => max * random.fraction();
  return {
    isOutage: false,
    latencyMs: [20, random.pick([200, 1000, 6000])],
    fates: {
      lostBefore: upTo(0.1),
      lostAfter: upTo(0.25),
      hangBefore: upTo(0.03),
      hangAfter: upTo(0.06),
      late: upTo(0.02),
      twice: upTo(0.1),
      portal: upTo(0.05),
      proxyBefore: upTo(0.06),
      proxyAfter: upTo(0.12),
      truncated: upTo(0.06),
      stripped: upTo(0.1),
      crossed: upTo(0.03),
    },
  };
}

const outage: NetworkConditions = { ...goodConditions, isOutage: true };
const commonFaults = {
  killSoon: 3,
  kill: 2,
  quit: 1,
  expire: 2,
  other: 2,
  users: 1,
  sell: 3,
  revoke: 0.3,
  clock: 0.5,
  vault: 0.3,
  disk: 0.5,
  rot: 0.3,
  sleep: 0.1,
};

const defaultPhase = {
  gapMs: 3000,
  faults: commonFaults,
  faultGapMs: 40_000,
  failing: 0.02,
  othersPerMinute: 0,
  rearrangeGapMs: 15_000,
};

/**
 * Few slots are left to the queue, and most answers leave it in doubt: it reads the settings, and waits long for a
 * slot.
 */
export function drawTurns(random: SeededRandom): Phase {
  const conditions: NetworkConditions = { isOutage: false, latencyMs: [300, 2500], fates: { stripped: 0.7 } };
  return {
    ...defaultPhase,
    name: 'turns',
    durationMs: random.integer(2 * 60_000, 4 * 60_000),
    conditions,
    habits: { switch: 3 },
    failing: 0.6,
    othersPerMinute: 36,
    faults: { expire: 1 },
    faultGapMs: 60_000,
  };
}

type PhaseDraw = Pick<Phase, 'name' | 'habits'> &
  Partial<Pick<Phase, 'gapMs' | 'faults' | 'faultGapMs' | 'failing'>> & {
    readonly minutes: readonly [low: number, high: number];
    readonly conditions: NetworkConditions | ((random: SeededRandom) => NetworkConditions);
    /** The part of a phase that is drawn beside, after the conditions. */
    readonly drawn?: (random: SeededRandom) => Partial<Phase>;
  };

const phaseDraws: readonly PhaseDraw[] = [
  {
    name: 'calm',
    minutes: [1, 4],
    conditions: lightFaults,
    habits: { scan: 5, switch: 3, tidy: 1, refresh: 1, ask: 1, restore: 0.3 },
    gapMs: 8000,
  },
  {
    name: 'rush',
    minutes: [2, 4],
    conditions: lightFaults,
    habits: { scan: 20, switch: 2, copy: 1, ask: 2 },
    faults: { kill: 2, killSoon: 2, quit: 1, reboot: 1, expire: 1, sell: 4 },
    faultGapMs: 25_000,
    drawn: (random) => ({ gapMs: random.integer(250, 700) }),
  },
  {
    name: 'burst',
    minutes: [1, 3],
    conditions: drawBadConditions,
    habits: { switch: 8, burst: 1, scan: 1, tidy: 1, restore: 0.5 },
    gapMs: 900,
    faultGapMs: 30_000,
  },
  {
    name: 'churn',
    minutes: [1, 3],
    conditions: drawBadConditions,
    habits: { churn: 20, switch: 1, scan: 1 },
    gapMs: 1500,
    faultGapMs: 25_000,
  },
  {
    name: 'backlog',
    minutes: [1, 4],
    conditions: outage,
    habits: { switch: 10, burst: 2, churn: 2, scan: 2, restore: 1, changeUser: 0.3, changeShop: 0.2 },
    gapMs: 1000,
    faults: { killSoon: 2, kill: 1, other: 4, users: 1, reboot: 0.5, clock: 0.5, sleep: 0.3, rot: 0.7 },
  },
  {
    name: 'storm',
    minutes: [1, 3],
    conditions: drawBadConditions,
    habits: { scan: 4, switch: 4, churn: 4, burst: 0.5, tidy: 1, copy: 0.3, restore: 1 },
    gapMs: 1000,
    faultGapMs: 12_000,
    failing: 0.2,
  },
  {
    name: 'shared',
    minutes: [1, 3],
    conditions: lightFaults,
    habits: { scan: 6, switch: 6, churn: 4, changeUser: 0.1 },
    gapMs: 1000,
    drawn: (random) => ({ othersPerMinute: random.integer(25, 62) }),
  },
  {
    name: 'ailing',
    minutes: [1, 3],
    conditions: lightFaults,
    habits: { switch: 6, churn: 6, scan: 1, restore: 1 },
    gapMs: 1500,
    drawn: (random) => ({ failing: random.pick([0.3, 0.6, 0.95]) }),
  },
  {
    name: 'portal',
    minutes: [1, 2],
    conditions: { ...lightFaults, fates: { portal: 0.9 } },
    habits: { switch: 4, scan: 2, churn: 2 },
  },
  // A load balancer accepts everything, and forwards it when the terminal has long given it up.
  {
    name: 'stalled front',
    minutes: [2, 4],
    conditions: (random) => ({ ...lightFaults, fates: { late: random.pick([0.5, 0.9]) } }),
    habits: { scan: 20, switch: 3, copy: 2, ask: 2, churn: 2 },
    faults: { kill: 1, quit: 1, reboot: 0.5, expire: 1, sell: 2 },
    faultGapMs: 30_000,
    drawn: (random) => ({ gapMs: random.integer(400, 1000) }),
  },
  {
    name: 'proxy',
    minutes: [1, 3],
    conditions: { ...lightFaults, fates: { proxyBefore: 0.3, proxyAfter: 0.5 } },
    habits: { switch: 4, scan: 1, churn: 4 },
    gapMs: 2000,
  },
  {
    name: 'keychain',
    minutes: [1, 3],
    conditions: lightFaults,
    habits: { switch: 4, scan: 4, changeUser: 1 },
    faults: { vault: 6, quit: 3, kill: 2, expire: 4, disk: 2 },
    faultGapMs: 15_000,
  },
  {
    name: 'changeover',
    minutes: [2, 4],
    conditions: drawBadConditions,
    habits: { switch: 8, churn: 4, changeUser: 2, changeShop: 0.7, restore: 1, scan: 1 },
    gapMs: 2000,
  },
  {
    name: 'short sign-ins',
    minutes: [1, 3],
    conditions: { ...lightFaults, fates: { lostAfter: 0.35, hangAfter: 0.03, stripped: 0.05 } },
    habits: { switch: 4, churn: 2 },
    gapMs: 2500,
    faults: { expire: 1 },
    faultGapMs: 5000,
  },
  // Two users over the same few products, each signed in while the other's updates are still in doubt.
  {
    name: 'contention',
    minutes: [2, 4],
    conditions: { ...lightFaults, fates: { lostBefore: 0.15, lostAfter: 0.2, hangAfter: 0.02 } },
    habits: { contend: 8, changeUser: 1.5, tidy: 0.2 },
    gapMs: 2000,
    faults: { quit: 0.5, kill: 1, killSoon: 1 },
  },
  {
    name: 'two shops',
    minutes: [2, 4],
    conditions: (random) => (random.chance(0.5) ? lightFaults : drawBadConditions(random)),
    habits: { switch: 8, churn: 2, changeShop: 3, changeUser: 0.5, restore: 1 },
    gapMs: 2000,
  },
  // More calls than the rate limit has, while people come and go.
  {
    name: 'crowd',
    minutes: [2, 4],
    conditions: lightFaults,
    habits: { scan: 30, switch: 4, copy: 1, changeUser: 0.5 },
    gapMs: 400,
    faults: { expire: 1, quit: 0.5, reboot: 0.7 },
    faultGapMs: 40_000,
  },
  {
    name: 'restorations',
    minutes: [1, 3],
    conditions: drawBadConditions,
    habits: { restore: 4, switch: 3, tidy: 1 },
    gapMs: 2000,
    faults: { users: 4, killSoon: 2, kill: 1, expire: 1 },
    faultGapMs: 20_000,
    drawn: (random) => ({ failing: random.pick([0, 0.3]) }),
  },
  {
    name: 'bad disk',
    minutes: [1, 3],
    conditions: drawBadConditions,
    habits: { switch: 6, churn: 2, contend: 2, burst: 0.3, restore: 0.5, tidy: 0.5 },
    gapMs: 1500,
    faults: { disk: 5, rot: 3, other: 3, kill: 0.5 },
    faultGapMs: 15_000,
  },
  // Everything is moved while it is listed, and listed while it is moved.
  {
    name: 'stocktaking',
    minutes: [1, 3],
    conditions: (random) => ({ ...lightFaults, latencyMs: [100, random.pick([300, 2000])] }),
    habits: { scan: 8, copy: 2, ask: 2, switch: 0.5 },
    gapMs: 1500,
    faults: { kill: 1, killSoon: 3, quit: 0.5, sell: 6, wipe: 2 },
    faultGapMs: 12_000,
    drawn: (random) => ({ rearrangeGapMs: random.pick([150, 400]) }),
  },
  // The rate limit is the listing's alone, but for a scan now and then.
  {
    name: 'listing',
    minutes: [3, 5],
    conditions: goodConditions,
    habits: { scan: 1, copy: 2 },
    gapMs: 15_000,
    faults: { sell: 4 },
  },
  {
    name: 'strange clocks',
    minutes: [1, 3],
    conditions: drawBadConditions,
    habits: { switch: 6, churn: 4, scan: 2 },
    gapMs: 2000,
    faults: { clock: 4, sleep: 2, reboot: 2, kill: 1 },
    faultGapMs: 20_000,
  },
];

/** Too rare a case for a shift of any phases: drawn where it is named. */
const namedPhaseDraws: readonly PhaseDraw[] = [
  // The terminal is closed while the keychain takes what a renewal at its start has brought.
  {
    name: 'short runs',
    minutes: [3, 5],
    conditions: goodConditions,
    habits: { switch: 1 },
    faults: { quit: 1 },
    faultGapMs: 1500,
  },
  // The answer of a machine in between to a renewal says nothing of the platform's own.
  {
    name: 'renewals through a proxy',
    minutes: [3, 5],
    conditions: { ...goodConditions, fates: { proxyAfter: 0.3, truncated: 0.1 } },
    habits: { switch: 1 },
    faults: { expire: 1 },
    faultGapMs: 5000,
  },
  // One user's renewal is in doubt while another has the till and renews their own.
  {
    name: 'renewals of two',
    minutes: [4, 6],
    conditions: { ...goodConditions, fates: { lostAfter: 0.3, truncated: 0.1 } },
    habits: { switch: 3, changeUser: 3 },
    gapMs: 2500,
    faults: { expire: 1 },
    faultGapMs: 4000,
  },
  // Users are deleted anew while answers of their restorations are awaited.
  {
    name: 'fleeting users',
    minutes: [3, 5],
    conditions: lightFaults,
    habits: { restore: 1 },
    gapMs: 20_000,
    faults: { users: 1 },
    faultGapMs: 1000,
    failing: 0.5,
  },
  // Answers come while the disk is full, and others change what was asked for.
  {
    name: 'planned',
    minutes: [10, 20],
    conditions: lightFaults,
    habits: { switch: 2, scan: 1 },
    gapMs: 8000,
    faults: { kill: 4, killSoon: 6, sleep: 1, clock: 1, reboot: 1 },
    faultGapMs: 20_000,
  },
  {
    name: 'full disk',
    minutes: [2, 4],
    conditions: lightFaults,
    habits: { switch: 4, contend: 4 },
    gapMs: 2000,
    faults: { disk: 6, other: 3 },
    faultGapMs: 4000,
  },
];

/** Draws one phase, of these names where some are given. */
export function drawPhase(random: SeededRandom, names: readonly string[] = []): Phase {
  const named = [...phaseDraws, ...namedPhaseDraws].filter(({ name }) => names.includes(name));
  const { minutes, conditions, drawn, ...phase } = random.pick(names.length === 0 ? phaseDraws : named);
  const [low, high] = minutes;
  return {
    ...defaultPhase,
    ...phase,
    durationMs: random.integer(low * 60_000, high * 60_000),
    conditions: typeof conditions === 'function' ? conditions(random) : conditions,
    ...drawn?.(random),
  };
}
