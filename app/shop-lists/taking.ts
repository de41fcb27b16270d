// Makes the sets and plans of this till those of a file.
import { momentsOf } from '../coupons/plan-times.ts';
import type { CouponSets } from '../coupons/sets.ts';
import type { SteadyTime } from '../queue/steady-time.ts';
import type { SetStep } from './changes.ts';
import type { SharedPlan } from './file.ts';

/** The user who takes the file. */
export interface Taker {
  readonly ownerId: number;
  readonly email: string;
}

interface TakingParts {
  readonly sets: CouponSets;
  readonly steady: Pick<SteadyTime, 'at'>;
  readonly offsetMinutes: (at: number) => number;
}

/** The moments of a plan that are to be left out and still to come. Throws StorageError. */
export function skippedOf(sets: Pick<CouponSets, 'moments'>, planId: number, now: number): SharedPlan['skipped'] {
  return sets
    .moments(planId, now)
    .filter(({ state, dueAt }) => state === 'skipped' && dueAt > now)
    .map(({ day, isEnabled, dueAt }) => ({ day, isEnabled, dueAt }));
}

/** Makes what takes all steps, inside the caller's transaction. What it answers throws StorageError. */
export function createTaking({ sets, steady, offsetMinutes }: TakingParts) {
  /** Which moments of the plan are to be left out, as the file says. */
  function takeSkipped(planId: number, { skipped }: SharedPlan, now: number): void {
    for (const { day, isEnabled } of skippedOf(sets, planId, now)) {
      sets.resume(planId, day, isEnabled);
    }
    for (const moment of skipped) {
      sets.keep(planId, { ...moment, state: 'skipped', why: null, made: 0 });
    }
  }

  /** F3; there is room for it. */
  function takePlan(setId: number, shared: SharedPlan, ownerId: number, now: number): void {
    const planId = sets.plan(setId, ownerId, shared.times, now, steady.at(now));
    if (planId === null) {
      return;
    }
    const past = shared.times.repeats === 'once' ? momentsOf(shared.times, 0, now, offsetMinutes) : [];
    for (const { day, isEnabled, at } of past) {
      sets.keep(planId, { day, isEnabled, dueAt: at, state: 'left', why: null, made: 0 });
    }
    sets.share(planId);
    takeSkipped(planId, shared, now);
  }

  /** Before anything comes, to make room. */
  function removeOf(step: SetStep): void {
    if (step.did === 'removed') {
      sets.remove(step.held.setId);
    } else {
      step.plans.removed.forEach(({ planId }) => sets.removePlan(planId));
    }
  }

  function takeSet(
    { did, held, shared, plans }: Exclude<SetStep, { did: 'removed' }>,
    taker: Taker,
    now: number,
  ): void {
    const setId = did === 'same' ? held.setId : sets.save(held?.setId ?? null, shared.name, shared.how, taker.email);
    if (setId === null) {
      return;
    }
    for (const { planId, shared: plan } of plans.kept) {
      sets.share(planId);
      takeSkipped(planId, plan, now);
    }
    plans.added.forEach((plan) => takePlan(setId, plan, taker.ownerId, now));
  }

  return (steps: readonly SetStep[], taker: Taker, now: number): void => {
    steps.forEach(removeOf);
    for (const step of steps) {
      if (step.did !== 'removed') {
        takeSet(step, taker, now);
      }
    }
  };
}
