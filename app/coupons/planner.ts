//   P1  A moment of a plan makes its updates at most once: what became of it is kept in the same transaction, by its
//       day, whatever happens to the process, the clock or the clock's rules. One of a plan that repeats, made by a clock
//       days ahead, comes again when its day has really come.
//   P2  A moment that was not made although it has passed is kept as missed, and told until somebody answers. When the
//       clock is set back before it, it is still to come, unless the later one of its day has been made for good.
//   P3  Of several moments of a plan that have passed, only the last can still be made.
//   P4  The updates are those of the user who planned, of what that user's list shows, whoever is at the screen; they go
//       out like all the others of theirs.
//   P5  All of a set is switched, or nothing: an update for each product. The reading before they are sent settles what
//       is so already. What the on of a day has switched, its off switches too, whatever the set has by then. What a
//       search by the setting finds is of settings that this till has read lately, whatever others say: else the moment
//       waits for a reading, until it is late. An off then switches off what its on has switched, so that nothing stays on.
//   P6  A plan counts from when it was made by the clock as it is now: one that was made while the clock was ahead runs
//       as soon as the clock is right.
//   P7  A plan that other tills have too is made by each of them. All ask for the same; an update that goes out later than
//       a moment is made changes nothing without a person's word, for somebody may have changed it since.
import type { Planned, PlanTimes } from '../contract/coupon-sets.ts';
import { maxChosen } from '../contract/limits/coupons.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { Clock, Timer } from '../ports.ts';
import type { Queue } from '../queue/queue.ts';
import type { QueueRepository } from '../queue/repository.ts';
import { isLostClock, surelyBetween, type SteadyTime } from '../queue/steady-time.ts';
import { onlyStorageError, type Database } from '../storage/database.ts';
import { couponWishes, type WishPorts } from './bulk-switch.ts';
import type { CouponList } from './list.ts';
import { momentsOf, nextMoment, type PlanMoment } from './plan-times.ts';
import { keyOf, plansOf, readPlanned, shownForMs, withTimes, type WaitingMoment } from './planned.ts';
import type { CouponSets, KeptMoment, KeptPlan } from './sets.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A clock that is set, or a machine that slept, is noticed after so long. */
const lookEveryMs = 30_000;
/** Names that are read before anything else has its turn. */
const namesAtOnce = 500;
/** Of a plan that repeats, what is older is not told any more. */
const lookBackMs = 15 * dayMs;

export interface PlanMade {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly count: number;
  readonly email: string;
}

export interface PlannerParts extends Pick<WishPorts, 'scope' | 'coupons'> {
  readonly clock: Clock;
  readonly steady: Pick<SteadyTime, 'at' | 'keep'>;
  readonly offsetMinutes: (at: number) => number;
  /** A moment that is over for longer is not made any more; asked anew each time, in minutes. */
  readonly graceMinutes: () => number;
  readonly database: Pick<Database, 'transaction'>;
  readonly sets: CouponSets;
  readonly queue: Pick<Queue, 'noticeRows'>;
  /** Null where the copy has no such product. */
  readonly nameOf: (productId: Id) => string | null;
  /** Lets everything else have its turn; false when the store closes. */
  readonly pause: () => Promise<boolean>;
  readonly queueRepository: Pick<QueueRepository, 'openOfProduct' | 'openCoupons' | 'enqueueMany' | 'room'>;
  /** The list of coupons as this user sees it in these stocks alone; null for whoever is at the screen. */
  readonly listFor: (email: string | null, stockIds: readonly Id[]) => Pick<CouponList, 'ids'>;
  readonly onMade: (made: PlanMade) => void;
  /** Calls back with the name of a set of which something has been missed. */
  readonly onMissed: (name: string) => void;
  readonly log: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

export type Planner = ReturnType<typeof startPlanner>;

type Passed = PlanMoment & { readonly plan: KeptPlan };

const keptAs = (
  { day, isEnabled, at }: PlanMoment,
  state: KeptMoment['state'],
  why: KeptMoment['why'],
  made = 0,
): KeptMoment => ({ day, isEnabled, dueAt: at, state, why, made });

/** All products of a set now for this user, null for whoever is at the screen. */
async function productsOf(
  { sets, listFor }: Pick<PlannerParts, 'sets' | 'listFor'>,
  setId: number,
  email: string | null,
): Promise<Result<readonly Id[], Failure>> {
  const how = sets.how(setId);
  if (how === null) {
    return fail({ kind: 'notFoundHere' });
  }
  if (how.kind === 'list') {
    return succeed(how.productIds);
  }
  if (sets.elsewhereOf(how.stockIds).length > 0) {
    return fail({ kind: 'otherStocks' });
  }
  // mutant: a set's search finds what stocks have that it was not saved in (P4)
  const found = await listFor(email, how.stockIds).ids({ filter: how.filter, term: how.term }, 0, maxChosen);
  if (!found.ok) {
    return found;
  }
  const { productIds, isCut, total } = found.value;
  return isCut || total > maxChosen ? fail({ kind: 'setNotWhole' }) : succeed(productIds);
}

/** Before the transaction, so that nobody waits for them in it. Null when the store closes. */
async function readNames(
  { nameOf, pause }: Pick<PlannerParts, 'nameOf' | 'pause'>,
  productIds: readonly Id[],
): Promise<ReadonlyMap<Id, string | null> | null> {
  const names = new Map<Id, string | null>();
  for (const [place, productId] of productIds.entries()) {
    if (place > 0 && place % namesAtOnce === 0 && !(await pause())) {
      return null;
    }
    names.set(productId, nameOf(productId));
  }
  return names;
}

/** Handles a clock that was set back, for one plan. */
function createSettingBack({ steady, offsetMinutes, sets, queue, log }: PlannerParts) {
  /** P6: Notes how far ahead the clock was that a plan was made by, once it is seen to be set back. */
  function anchor(plan: KeptPlan, now: number): KeptPlan {
    const { planId, createdAt, createdSteadyMs, aheadMs } = plan;
    const steadyMs = steady.at(now);
    const sinceMs = createdSteadyMs === null ? 0 : surelyBetween(createdSteadyMs, steadyMs);
    const isSure = createdSteadyMs !== null && sinceMs === steadyMs - createdSteadyMs;
    const byNowMs = Math.max(0, createdAt - (now - sinceMs));
    // It is less than was thought where the clock that spoke against the plan was itself behind.
    const isOther = createdAt - aheadMs > now || (isSure && byNowMs < aheadMs - minuteMs);
    if (isOther) {
      sets.setAhead(planId, byNowMs);
      log('the clock was ahead when a plan was made', { plan: planId, aheadMs: byNowMs });
      queue.noticeRows();
    }
    return withTimes(isOther ? { ...plan, aheadMs: byNowMs } : plan, offsetMinutes);
  }

  return (kept: KeptPlan, now: number): KeptPlan => {
    const plan = anchor(kept, now);
    if (plan.times.repeats === 'weekly') {
      sets.expectMadeAgain(plan.planId, now, steady.at(now)); // P1
    }
    if (sets.expectAgain(plan.planId, now)) {
      queue.noticeRows();
    }
    return plan;
  };
}

/** Makes the moments of one plan that have come, and reports those that have passed. */
function createMaking(parts: PlannerParts, isClosed: () => boolean) {
  const { clock, steady, offsetMinutes, graceMinutes, database, sets, queue, queueRepository, onMade, onMissed, log } =
    parts;
  // No clock wakes anybody at the very moment: a minute is the least.
  const graceMs = (): number => Math.max(1, graceMinutes()) * minuteMs;
  const setBack = createSettingBack(parts);
  /** Why moments that were due could not be looked up; they are tried again until they are late. */
  const unready = new Map<string, 'unready' | 'otherStocks'>();

  /** The moments that have passed of a plan since it was made, and were neither made nor missed yet. */
  function passedOf(plan: KeptPlan, now: number): readonly Passed[] {
    // One that comes once was still to come when it was planned, whatever the clock says since.
    // mutant: a weekly plan counts from when a clock that was ahead says that it was made (I24)
    const from =
      plan.times.repeats === 'weekly'
        ? Math.max(plan.createdAt - plan.aheadMs, now - lookBackMs) // P6
        : Number.MIN_SAFE_INTEGER;
    // By its day a moment is known also where the rules of the clock have made it due at another hour since.
    const kept = new Set(sets.moments(plan.planId, from - 2 * dayMs).map(keyOf));
    return momentsOf(plan.times, from, now, offsetMinutes)
      .filter((moment) => !kept.has(keyOf(moment)))
      .map((moment) => ({ ...moment, plan }));
  }

  /** P2 */
  function miss(passed: readonly Passed[], why: NonNullable<KeptMoment['why']>): void {
    const [first] = passed;
    if (first === undefined) {
      return;
    }
    database.transaction(() => {
      for (const moment of passed) {
        // mutant: what a plan has missed is told nobody (I24)
        sets.keep(moment.plan.planId, keptAs(moment, 'missed', why));
      }
    });
    log('a moment was missed', { plan: first.plan.planId, why });
    onMissed(first.plan.setName);
    queue.noticeRows();
  }

  /**
   * P1, P4, P5: What an old reading shows, or what waits and may yet be taken back, leaves no product out. Answers what
   * was made; null when it had been before, or the queue has no room.
   */
  function switchAll(
    moment: Passed,
    productIds: readonly Id[],
    names: ReadonlyMap<Id, string | null>,
    now: number,
  ): PlanMade | 'noRoom' | null {
    const { planId, ownerId, setName, email } = moment.plan;
    const { isEnabled } = moment;
    // mutant: the mark of a moment and its updates are in two transactions (P1)
    return database.transaction(() => {
      // mutant: a plan leaves out what an old reading shows to be so already (I28)
      const { wishes, needed } = couponWishes(parts, productIds, isEnabled, ownerId, () => false);
      if (needed > queueRepository.room()) {
        return 'noRoom';
      }
      if (!sets.keep(planId, keptAs(moment, 'made', null, wishes.length))) {
        return null;
      }
      // mutant: a plan leaves on what its set has lost since (P5)
      sets.keepUnderWay(planId, moment.day, isEnabled && moment.plan.times.off !== null ? productIds : null);
      // P7
      const untilSteadyMs = moment.plan.isShared ? steady.at(now) + moment.at - now + graceMs() : null;
      queueRepository.enqueueMany(wishes, { ownerId, isSeenFresh: false, now, plan: setName, names, untilSteadyMs });
      return { name: setName, isEnabled, count: wishes.length, email };
    });
  }

  async function make(moment: Passed): Promise<void> {
    const { planId, setId, email } = moment.plan;
    const ofSet = await productsOf(parts, setId, email);
    const underWay = moment.isEnabled ? [] : sets.underWay(planId, moment.day);
    const isLast = clock.now() + 2 * lookEveryMs >= moment.at + graceMs();
    // mutant: what a plan has switched on stays on where its set cannot be looked up (P5)
    const known = underWay.length > 0 && isLast && !ofSet.ok ? succeed<readonly Id[]>([]) : ofSet;
    const found = mapResult(known, (productIds) => [...new Set([...productIds, ...underWay])]);
    const names = await readNames(parts, found.ok ? found.value : []);
    const now = clock.now();
    if (names === null || isClosed() || !sets.plans().some((plan) => plan.planId === planId)) {
      return;
    }
    if (!found.ok) {
      const isElsewhere = found.failure.kind === 'otherStocks';
      unready.set(`${planId} ${keyOf(moment)}`, isElsewhere ? 'otherStocks' : 'unready');
      queue.noticeRows();
      return;
    }
    const made = switchAll(moment, found.value, names, now);
    if (made === 'noRoom') {
      miss([moment], 'noRoom');
    } else if (made !== null) {
      queue.noticeRows();
      onMade(made);
    }
  }

  async function lookAt(kept: KeptPlan): Promise<void> {
    const now = clock.now();
    // A clock that is lost speaks against nothing: it will be right again.
    const plan = isLostClock(now) ? withTimes(kept, offsetMinutes) : setBack(kept, now);
    const { planId } = plan;
    const passed = passedOf(plan, now);
    const last = passed.at(-1);
    if (last === undefined) {
      return;
    }
    if (now - last.at > graceMs()) {
      miss(passed, unready.get(`${planId} ${keyOf(last)}`) ?? 'late');
      return;
    }
    // By nobody nothing is sent (P4).
    if (plan.email === '') {
      miss(passed, 'unready');
      return;
    }
    miss(passed.slice(0, -1), 'overtaken'); // P3
    await make(last);
  }

  return {
    lookAt,
    /** The moment of this plan that has come and cannot be made yet. Throws StorageError. */
    waitingOf: (plan: KeptPlan): readonly WaitingMoment[] => {
      const now = clock.now();
      const last = passedOf(plan, now).at(-1);
      const why = last === undefined ? undefined : unready.get(`${plan.planId} ${keyOf(last)}`);
      return last === undefined || why === undefined || now - last.at > graceMs() ? [] : [{ ...last, why }];
    },
    /** Another one whenever something else waits, or for another reason. */
    waiting: (): string => [...unready].join(' '),
  };
}

/**
 * Removes plans that came once and are over, to make room: by the steady time as well, for a clock that is ahead may be
 * set back before they have come.
 */
export function tidy(sets: CouponSets, steady: Pick<SteadyTime, 'at'>, now: number): void {
  for (const { planId, times, createdAt, aheadMs, createdSteadyMs } of sets.plans()) {
    const kept = times.repeats === 'once' ? sets.moments(planId) : [];
    const passedMs = createdSteadyMs === null ? Number.MAX_VALUE : surelyBetween(createdSteadyMs, steady.at(now));
    // mutant: a plan that a clock ahead calls over is removed to make room
    const overBefore = Math.min(now, createdAt - aheadMs + passedMs) - shownForMs;
    if (
      times.repeats === 'once' &&
      kept.length === [times.on, times.off].filter((time) => time !== null).length &&
      kept.every(({ state, dueAt }) => state !== 'missed' && dueAt < overBefore)
    ) {
      sets.removePlan(planId);
    }
  }
}

/** Starts what makes the plans of one open store; `isCalm`: nothing is made by itself. */
export function startPlanner(parts: PlannerParts, isCalm: boolean) {
  const { clock, steady, offsetMinutes, sets, queue, onMissed, log } = parts;
  const { lookAt, waitingOf, waiting } = createMaking(parts, () => isClosed);
  let timer: Timer | null = null;
  let isLooking = false;
  let isClosed = false;

  async function look(): Promise<void> {
    isLooking = true;
    try {
      // A clock that was set must not be taken for time that passed.
      steady.keep();
      for (const plan of sets.plans()) {
        if (!isClosed) {
          await lookAt(plan);
        }
      }
    } catch (error) {
      // Nothing of it is kept; the disk may have room again at the next look.
      log('a plan cannot be looked at', { kind: onlyStorageError(error).failure.kind });
    }
    isLooking = false;
    waitForNext();
  }

  function nextAfterMs(plans: readonly KeptPlan[], now: number): number {
    const soonest = plans
      .flatMap(({ times }) => [true, false].map((isEnabled) => nextMoment(times, isEnabled, now, offsetMinutes)?.at))
      .reduce<number>((least, at) => Math.min(least, at ?? least), now + lookEveryMs);
    return Math.max(0, soonest - now);
  }

  /** Without a plan there is nothing to wait for. */
  function waitForNext(isStart = false): void {
    timer?.cancel();
    timer = null;
    if (isClosed || isCalm || isLooking) {
      return;
    }
    let waitMs: number | null = lookEveryMs;
    try {
      const plans = plansOf(parts);
      const soonest = isStart ? 0 : nextAfterMs(plans, clock.now());
      waitMs = plans.length === 0 ? null : soonest;
    } catch (error) {
      log('the plans cannot be read', { kind: onlyStorageError(error).failure.kind });
    }
    timer = waitMs === null ? null : clock.after(waitMs, () => void look());
  }

  for (const name of new Set(readPlanned(parts, waitingOf).missed.map(({ setName }) => setName))) {
    onMissed(name);
  }
  // Something may be due already.
  waitForNext(true);

  return {
    /**
     * The moments to come or that wait, those made lately, and those missed that nobody has been told of. Throws
     * StorageError.
     */
    planned: (): Planned => readPlanned(parts, waitingOf),
    waiting,
    /**
     * All products of a set now. Fails with `notFoundHere`, `otherStocks`, `setNotWhole`, or as the list of coupons does.
     * Throws StorageError.
     */
    productsOf: (setId: number): Promise<Result<readonly Id[], Failure>> => productsOf(parts, setId, null),
    /** Fails with `inputInvalid` where one of its moments is over, and with `plansFull`. Throws StorageError. */
    plan: (setId: number, ownerId: number, times: PlanTimes): Result<number, Failure> => {
      const now = clock.now();
      const isOver = [true, false].some(
        (isEnabled) =>
          (isEnabled ? times.on : times.off) !== null && nextMoment(times, isEnabled, now, offsetMinutes) === null,
      );
      if (isOver) {
        return fail({ kind: 'inputInvalid' });
      }
      tidy(sets, steady, now);
      const planId = sets.plan(setId, ownerId, times, now, steady.at(now));
      waitForNext();
      return planId === null ? fail({ kind: 'plansFull' }) : succeed(planId);
    },
    /** A moment that is still to come is skipped, or no longer. False where it is none. Throws StorageError. */
    setSkipped: (planId: number, day: string, isEnabled: boolean, isSkipped: boolean) => {
      const now = clock.now();
      const plan = plansOf(parts).find((one) => one.planId === planId);
      const moment = plan === undefined ? null : nextMoment(plan.times, isEnabled, now, offsetMinutes);
      if (moment?.day !== day) {
        return false;
      }
      if (isSkipped) {
        return sets.keep(planId, keptAs(moment, 'skipped', null));
      }
      sets.resume(planId, day, isEnabled);
      return true;
    },
    /** A plan, or what a plan is about, has come, gone or changed. */
    noteChange: () => {
      waitForNext();
      queue.noticeRows();
    },
    close: () => {
      isClosed = true;
      timer?.cancel();
    },
  };
}
