import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Id } from '../../app/domain/int64.ts';
import type { Provision } from '../../app/terminal/provisioning/provisioning.ts';
import { makeBadges, noBadges } from './badges.ts';
import { noCoverage, type Coverage } from './calls/coverage.ts';
import { createPressing } from './calls/pressing.ts';
import { createCashiers } from './cashier.ts';
import type { Shop } from './cashier-world.ts';
import { createCopyWatch } from './copy-watch.ts';
import { createEvidence } from './evidence.ts';
import { judge } from './invariants.ts';
import { foundByPlans, placeOf, type Violation } from './judging.ts';
import { createPlanning } from './planning.ts';
import { createMachine } from './machine.ts';
import { createFaults } from './faults.ts';
import { goodConditions, createNetwork } from './network.ts';
import { createReferee, type Referee } from './referee.ts';
import { secretMark } from './referee-tokens.ts';
import type { RefereeUser } from './referee-users.ts';
import { sampleProfile } from './sample-profile.ts';
import { drawPhase, drawRules, drawTurns } from './scenario.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { temporaryRoot } from './temporary-root.ts';
import { createTill } from './till.ts';
import { createTrace, type TraceLine } from './trace.ts';
import { createWorld } from './virtual-clock.ts';

export interface SeedReport {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly traceHash: string;
  readonly trace: readonly TraceLine[];
  readonly simulatedMs: number;
  readonly requests: number;
  readonly switches: number;
  readonly restorations: number;
  readonly crashes: number;
  /** The calls and settings of the contract that were played; empty where nobody makes every call. */
  readonly coverage: Coverage;
  /** The longest that a user's updates took to drain once the world was healthy. */
  readonly drainMs: number;
}

/** The phases of a shift by name, any when there are none; `turns`: people relieve one another. */
export type Shift = 'turns' | readonly string[];

export interface SeedOptions {
  readonly seed: number;
  /** How long the till is used, in simulated hours, before the world is healed. */
  readonly shiftHours: number;
  /** Whether somebody makes every call of the contract beside the cashiers; drawn by the seed unless told. */
  readonly isPressed?: boolean;
  /** Where its files go; by default where temporary ones do. */
  readonly directory?: string;
}

/**
 * Within this time a user's updates must have left a healthy terminal on a healthy network: a limit that others have
 * shrunk is whole again after nineteen minutes (C3 of app/rate-limit).
 */
const drainBoundMs = 20 * 60_000;
const minuteMs = 60_000;
/** Of the tills that work for two. */
const secondCompanyId = '8' as Id;
/** A row that fails for so long is waited for: it is given up after ten minutes at the soonest. */
const brokenForMs = 5 * minuteMs;
/** A person may wait for the rate limit, and for a pause that the platform asks for. */
const lookBoundMs = 6 * 60_000;
/** Changes come to an end long before. */
const maxLooks = 20;

function plan(seed: number, shift: Shift) {
  const random = createSeededRandom(`tillside ${String(seed)}`);
  const provision = { profile: sampleProfile, clientSecret: `${secretMark}client` } satisfies Provision;
  const users = ['ana@example.com', 'bia@example.com'].map((email) => ({
    email,
    password: `${secretMark}password of ${email}`,
  }));
  // A part of the tills work for two companies in turns, and a part asks before it sends what is older than an hour.
  const second = random.fork('companies').chance(0.5)
    ? { ...provision.profile, companyId: secondCompanyId, stockIds: ['2' as Id] }
    : null;
  // A part of the tills gets another client now and then, and the first one again.
  const clientIds = [provision.profile.clientId, ...(random.fork('clients').chance(0.25) ? ['other-client'] : [])];
  // Most tills ask for batches: at any hour, or from noon on, an hour after the world begins.
  const nights = [null, { from: 0, to: 0 }, { from: 0, to: 0 }, { from: 12, to: 14 }] as const;
  const night = random.fork('night').pick(nights);
  const queueLimits = random.fork('limits').chance(0.3) ? { historyDays: 30, askAfterHours: 1 } : null;
  const companyIds = [provision.profile.companyId, ...(second === null ? [] : [second.companyId])];
  // Of each company: three whom only this till restores, two whom others delete and restore, too, and one whose e-mail
  // is taken.
  const deletedUsers = companyIds.flatMap((companyId) =>
    ['deleted', 'deleted', 'deleted', 'deleted', 'active', 'taken'].map((status, place) => ({
      id: `${companyId}0${String(place)}`,
      companyId,
      status: status as RefereeUser['status'],
    })),
  );
  const busyUsers = deletedUsers.filter(({ id }) => /[34]$/.test(id)).map(({ id }) => id);
  // At a part of the tills the users have badges.
  const isOfTwo = shift !== 'turns' && shift.includes('renewals of two');
  const badges =
    isOfTwo || random.fork('badges of users').chance(0.25)
      ? makeBadges(users, provision.profile.platformUrl)
      : noBadges();
  const asking = night === null ? {} : { settings: { quietHours: night, expiryAsking: { isOn: true } } };
  const given = { ...provision, ...asking };
  return { random, badges, provision: given, night, users, clientIds, second, queueLimits, deletedUsers, busyUsers };
}

function secondShop(
  profile: Shop['profile'],
  referee: Referee,
  quietOf: (profile: Shop['profile'], productIds: readonly string[]) => ReadonlySet<string>,
  userIds: readonly string[],
): Shop {
  const stock = referee.stocks.get(profile.companyId);
  if (stock === undefined) {
    throw new Error('the platform does not know the second company');
  }
  const { productIds } = stock;
  const products = new Map([
    ['ana@example.com', [...productIds.slice(0, 25), ...productIds.slice(50)]],
    ['bia@example.com', [...productIds.slice(50), ...productIds.slice(25, 50)]],
  ]);
  return { profile, stock, products, shared: productIds.slice(50, 52), quiet: quietOf(profile, productIds), userIds };
}

/** Runs one seed; with `turns`, people relieve one another whenever the settings are read. */
export async function runSeed(
  { seed, shiftHours, isPressed, directory = temporaryRoot }: SeedOptions,
  shift: Shift = [],
): Promise<SeedReport> {
  const { random, badges, provision, night, users, clientIds, second, queueLimits, deletedUsers, busyUsers } = plan(
    seed,
    shift,
  );
  const world = createWorld();
  const nowMs = (): number => world.nowMs();
  const trace = createTrace(nowMs);
  const evidence = createEvidence();
  const root = mkdtempSync(join(directory, 'tillside-simulation-'));
  const referee = createReferee(
    {
      nowMs,
      random: random.fork('referee'),
      trace,
      companyId: provision.profile.companyId,
      stockId: '1',
      clientIds,
      clientSecret: provision.clientSecret,
      users,
      products: 250,
      refusedProducts: 5,
      deletedUsers,
      ...(second === null
        ? {}
        : { second: { companyId: second.companyId, stockId: '2', products: 60, firstPlace: 23 } }),
    },
    drawRules(random.fork('rules')),
  );
  const network = createNetwork(world, random.fork('network'), trace, referee);
  // Chances of its own, so that the other draws stay what they were.
  const pressing =
    (isPressed ?? random.fork('is pressed').chance(0.5))
      ? createPressing({
          world,
          random: random.fork('pressing'),
          trace,
          evidence,
          settings: queueLimits === null ? {} : { queueLimits },
          restart: () => faults.restart(),
        })
      : null;
  evidence.keepsAskingAge = queueLimits !== null;
  const breakDown = (what: string, error: unknown): void => {
    evidence.breakdowns.push({
      atMs: nowMs(),
      what: `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    });
  };
  const inspect = (where: string, text: string): void => {
    if (where === 'log' && text.includes('a page cannot be read') && text.includes('"perPage":1,')) {
      evidence.copy.jumps.push(nowMs());
    }
    if (where === 'settings') {
      pressing?.hearSettings(text);
    }
    if (text.includes(secretMark)) {
      const place = text.indexOf(secretMark);
      evidence.leaks.push({ atMs: nowMs(), what: `${where}: ...${text.slice(Math.max(0, place - 60), place + 20)}` });
    }
  };
  const machine = createMachine({
    world,
    random: random.fork('machine'),
    trace,
    network: pressing?.beside(network) ?? network,
    root,
    ...(pressing === null ? {} : { around: pressing.around }),
    ...(badges.settings === undefined ? {} : { settings: badges.settings }),
    inspect,
    onCrash: () => {
      faults.recover();
    },
    onThrow: (error) => {
      breakDown('a timer threw', error);
    },
  });
  // Some tills are provisioned on every start, others only once.
  const isProvisionedAlways = random.chance(0.7);
  let isProvisioned = false;
  const till = createTill({
    world,
    machine,
    trace,
    evidence,
    inspect,
    provision: () => {
      const isNow = (isProvisionedAlways || !isProvisioned) && pressing?.isNew !== true;
      isProvisioned = true;
      return isNow ? provision : null;
    },
    ...(pressing === null ? {} : { options: pressing.options, hearAnswer: pressing.hearAnswer }),
  });

  evidence.wallClock.push({ atMs: nowMs(), offMs: machine.clockOffMs() });
  evidence.copy.clockOffs.push({ atMs: nowMs(), byMs: machine.clockOffMs() });
  const watch = createCopyWatch({ world, till, evidence });

  // The first products can never be switched; the next ones somebody else switches, too; then the two users share some;
  // the rest is one user's own.
  const { productIds } = referee.stock;
  // At a part of the tills somebody plans; some products are for that alone.
  const planRandom = random.fork('plans');
  const isPlanned = (shift !== 'turns' && shift.includes('planned')) || planRandom.chance(0.3);
  const kept = isPlanned ? 10 : 0;
  // Where every call is made, somebody else switches what plans switch, too.
  const plannedToo = pressing === null ? [] : productIds.slice(180 - kept, 180 - kept / 2);
  const others = [...productIds.slice(5, 13), ...plannedToo];
  const shared = productIds.slice(13, 23);
  const products = new Map([
    ['ana@example.com', [...productIds.slice(23, 40), ...productIds.slice(2, 18), ...productIds.slice(40, 180 - kept)]],
    [
      'bia@example.com',
      [...productIds.slice(180, 190), ...productIds.slice(0, 23), ...productIds.slice(190, 250 - kept)],
    ],
  ]);
  const elsewhere = second === null ? [] : (referee.stocks.get(second.companyId)?.productIds ?? []);
  // The last ten of the second company's are both users'; where settings are the account's, all are both companies'.
  const ofBoth = referee.rules.couponsOf === 'account' ? elsewhere : [];
  // Of those that can never be switched both ask for some, too.
  const contested = new Set([
    ...[...productIds.slice(2, 5), ...others, ...shared, ...ofBoth].map((productId) =>
      placeOf({ ...provision.profile, productId }),
    ),
    ...[...elsewhere.slice(50), ...ofBoth].map((productId) => placeOf({ companyId: secondCompanyId, productId })),
  ]);
  const quietOf = ({ companyId }: Shop['profile'], ids: readonly string[]): ReadonlySet<string> =>
    new Set(
      ids.filter((productId) => !referee.refused.has(productId) && !contested.has(placeOf({ companyId, productId }))),
    );
  const userIdsOf = (companyId: string): readonly string[] => [
    ...deletedUsers.flatMap((user) => (user.companyId === companyId ? [user.id] : [])),
    `${companyId}99`,
  ];
  const first: Shop = {
    profile: provision.profile,
    stock: referee.stock,
    products,
    shared: shared.slice(0, 3),
    quiet: quietOf(provision.profile, productIds),
    userIds: userIdsOf(provision.profile.companyId),
  };
  const secondShops = second === null ? [] : [secondShop(second, referee, quietOf, userIdsOf(second.companyId))];
  const shops = [first, ...secondShops] as const;
  const cashiers = createCashiers({
    world,
    random: random.fork('cashiers'),
    trace,
    till,
    machine,
    evidence,
    watch,
    users,
    shops,
    clientIds,
    clientSecret: provision.clientSecret,
    badges: badges.codes,
    queueLimits,
    ...(pressing === null ? {} : { isTillTaken: pressing.isTillTaken, leftSettings: pressing.leftSettings }),
  });
  // Somebody elsewhere switches what plans are about, too.
  const planned = isPlanned ? [...productIds.slice(180 - kept, 180), ...productIds.slice(250 - kept)] : [];
  for (const productId of planned) {
    contested.add(placeOf({ ...provision.profile, productId }));
  }
  const planning = createPlanning({
    world,
    random: planRandom,
    trace,
    till,
    machine,
    evidence,
    referee,
    companyId: provision.profile.companyId,
    products: new Map([
      ['ana@example.com', productIds.slice(180 - kept, 180)],
      ['bia@example.com', productIds.slice(250 - kept)],
    ]),
  });
  if (shift === 'turns') {
    const turns = random.fork('turns');
    network.watch = ({ method, path }, ended) => {
      if (method === 'GET' && path.endsWith('/consumption-coupons') && turns.chance(0.5)) {
        cashiers.relieve(ended);
      }
    };
  }
  const faults = createFaults({
    world,
    random: random.fork('mishaps'),
    trace,
    machine,
    till,
    referee,
    evidence,
    others,
    busyUsers,
    hasOneClient: clientIds.length === 1,
  });
  const scenario = random.fork('scenario');
  const assortment = random.fork('assortment');
  let rearrangeGapMs = Number.POSITIVE_INFINITY;

  /** Somebody changes the assortment, at the platform, for as long as the shift lasts. */
  function rearrange(): void {
    world.after(Math.min(minuteMs, assortment.waitMs(Math.min(minuteMs, rearrangeGapMs))), () => {
      if (rearrangeGapMs === Number.POSITIVE_INFINITY) {
        return;
      }
      assortment.pick([...referee.stocks.values()]).rearrange();
      rearrange();
    });
  }

  async function workShift(): Promise<void> {
    const shiftMs = Math.round(shiftHours * 3_600_000);
    rearrangeGapMs = minuteMs;
    rearrange();
    if (isPlanned) {
      planning.begin(5 * minuteMs);
    }
    pressing?.begin({ till, machine, users, shops, clientSecret: provision.clientSecret, badges: badges.codes });
    for (let workedMs = 0; workedMs < shiftMs;) {
      const phase = shift === 'turns' ? drawTurns(scenario) : drawPhase(scenario, shift);
      trace.add(`phase ${phase.name}`);
      network.conditions = phase.conditions;
      Object.assign(referee.trouble, { failing: phase.failing, othersPerMinute: phase.othersPerMinute });
      rearrangeGapMs = phase.rearrangeGapMs;
      cashiers.work(phase.habits, phase.gapMs);
      faults.begin(phase.faults, phase.faultGapMs);
      const durationMs = Math.min(phase.durationMs, shiftMs - workedMs);
      workedMs += durationMs;
      await world.runUntil(nowMs() + durationMs);
      // Sleep does not count as work.
      while (machine.awakeAtMs() > nowMs()) {
        await world.runUntil(machine.awakeAtMs() + Math.round(durationMs / 2));
      }
    }
  }

  /** I4: after a reading, what is shown as confirmed is what the platform has. */
  async function checkShown(companyId: string): Promise<void> {
    for (let look = 1; look <= maxLooks; look += 1) {
      const effectsBefore = referee.effects.length;
      const seen: { wrong?: readonly string[] | null } = {};
      void cashiers
        .misshown(() => referee.enabled(companyId))
        .then((wrong) => {
          seen.wrong = wrong;
        });
      await world.runUntil(nowMs() + lookBoundMs, () => seen.wrong !== undefined);
      if (seen.wrong === undefined || seen.wrong === null || seen.wrong.length === 0) {
        return;
      }
      // A change may come between the reading and the look at it.
      if (referee.effects.length === effectsBefore) {
        evidence.untrueAnswers.push({
          atMs: nowMs(),
          what: `after a reading, ${seen.wrong.join(', ')} are shown as confirmed otherwise than they are`,
        });
        return;
      }
    }
  }

  async function drain(): Promise<void> {
    trace.add('the world heals');
    rearrangeGapMs = Number.POSITIVE_INFINITY;
    planning.end();
    network.conditions = goodConditions;
    network.watch = () => undefined;
    Object.assign(referee.trouble, { failing: 0, othersPerMinute: 0 });
    faults.heal();
    await pressing?.heal();
    // Whoever regrets having given up an update brings it back, whoever is signed in by then; its owner's turn comes
    // again.
    for (let isAgain = true; isAgain;) {
      isAgain = cashiers.undosLeft() > 0;
      await drainLanes();
      await world.runUntil(nowMs() + drainBoundMs, () => cashiers.undosLeft() === 0);
    }
  }

  /** I8: what others have asked for goes out whoever is at the screen, or nobody, under their kept sign-ins. */
  async function drainKept(beside: string, companyId: string): Promise<void> {
    const startMs = nowMs();
    let left: number | null = null;
    while (left !== 0 && nowMs() - startMs < drainBoundMs) {
      await world.runUntil(nowMs() + 1000);
      left = await cashiers.waitingOfKept();
    }
    const email = `others beside ${beside}`;
    evidence.drains.push({ email, companyId, tookMs: left === 0 ? nowMs() - startMs : null });
    trace.add(`drained ${email}: ${String(left)} left`);
  }

  async function drainLanes(): Promise<void> {
    if (badges.codes.size > 0) {
      trace.add('nobody is at the screen');
      cashiers.leave();
      await drainKept('nobody', '');
    }
    const lanes = shops.flatMap(({ profile }) => users.map(({ email }) => ({ email, companyId: profile.companyId })));
    for (const { email, companyId } of lanes) {
      trace.add(`drain ${email} at ${companyId}`);
      cashiers.insist(email, companyId);
      const startMs = nowMs();
      let left: number | null = null;
      while (left !== 0 && nowMs() - startMs < drainBoundMs) {
        await world.runUntil(nowMs() + 1000);
        left = await cashiers.waiting();
      }
      evidence.drains.push({ email, companyId, tookMs: left === 0 ? nowMs() - startMs : null });
      trace.add(`drained ${email}: ${String(left)} left`);
      if (left === 0) {
        await checkShown(companyId);
        await drainKept(email, companyId);
      }
      // Plans look every half minute whether their clock was set.
      if (isPlanned && nowMs() - (evidence.clockShifts.at(-1) ?? Number.NEGATIVE_INFINITY) > minuteMs) {
        await planning.look();
      }
    }
  }

  /**
   * I15 to I17: what the copy is, once everything is at rest; nothing that a later listing would bring can hide what an
   * earlier one has lost.
   */
  async function readCopy(): Promise<void> {
    const { profile } = shops.at(-1) ?? first;
    const stock = referee.stocks.get(profile.companyId) ?? referee.stock;
    const troubled = random.fork('listing trouble');
    // The copy is made anew last, for that hides whatever the old one kept too long.
    for (const after of ['changes', 'hiding', 'listing', 'anew'] as const) {
      // Listings may show for so long what has gone since.
      await world.runUntil(nowMs() + referee.rules.listing.lagMs);
      trace.add(`read the copy of ${profile.companyId} after ${after}`);
      if (after === 'anew') {
        // Once the first page is read its first row goes, and one further on cannot be read for a while.
        stock.trouble.onFirstPage = stock.lead();
        stock.trouble.broken = { productId: troubled.pick(stock.productIds), forMs: brokenForMs };
        await world.runUntil(nowMs() + minuteMs);
        faults.wipe();
      }
      const hidden = after === 'hiding' ? [1, 2, 3].map(() => troubled.pick(stock.productIds)) : [];
      hidden.forEach((productId) => stock.trouble.hidden.add(productId));
      await watch.read(profile, stock, after);
      stock.trouble.hidden.clear();
    }
    // Somebody may be signing in still.
    const fromMs = nowMs();
    while ((await cashiers.waiting()) === null && nowMs() - fromMs < 5 * minuteMs) {
      await world.runUntil(nowMs() + 1000);
    }
    cashiers.rest();
  }

  function searchFiles(): void {
    for (const name of readdirSync(machine.folder(), { recursive: true, encoding: 'utf8' })) {
      if (/\.db(-wal)?$/.test(name)) {
        inspect(name, readFileSync(join(machine.folder(), name), 'latin1'));
      }
    }
  }

  const onRejection = (reason: unknown): void => {
    breakDown('unhandled', reason);
  };
  process.on('unhandledRejection', onRejection);
  try {
    till.open();
    await workShift();
    await drain();
    await readCopy();
    await cashiers.readRows();
    faults.finish();
    till.quit();
    await world.runUntil(nowMs() + 60_000);
    searchFiles();
    if (till.isRunning()) {
      evidence.breakdowns.push({ atMs: nowMs(), what: 'the terminal still runs after it was told to close' });
    }
  } finally {
    pressing?.close();
    process.off('unhandledRejection', onRejection);
    rmSync(root, { recursive: true, force: true });
  }

  for (const place of foundByPlans(evidence)) {
    contested.add(place);
  }
  const violations = judge({
    evidence,
    referee,
    exchanges: network.exchanges,
    refusals: network.refusals,
    practice: pressing?.signInsOfPractice() ?? null,
    contested,
    busyUsers: new Set(busyUsers),
    night,
    askAfterMs: (queueLimits?.askAfterHours ?? 72) * 3_600_000,
    endMs: nowMs(),
  });
  for (const { rule, atMs, what } of violations) {
    trace.add(`VIOLATION ${rule} at ${String(atMs)} ms: ${what}`);
  }
  return {
    seed,
    violations,
    traceHash: trace.hash(),
    trace: trace.lines(),
    simulatedMs: nowMs(),
    requests: network.exchanges.length,
    switches: evidence.intents.length,
    restorations: evidence.restorations.length,
    crashes: machine.crashes(),
    coverage: pressing?.coverage() ?? noCoverage,
    drainMs: Math.max(0, ...evidence.drains.map(({ tookMs }) => tookMs ?? drainBoundMs)),
  };
}
