// The moments of a shop's plans that are to come, were made or were missed, by the clock as it is now.
import type { Planned, PlannedMoment } from '../contract/coupon-sets.ts';
import type { Clock } from '../ports.ts';
import { nextMoment, timesOf, type PlanMoment } from './plan-times.ts';
import type { CouponSets, KeptMoment, KeptPlan } from './sets.ts';

const dayMs = 24 * 3_600_000;
/** A moment that was made is shown for so long. */
export const shownForMs = 7 * dayMs;

interface PlanClock {
  readonly clock: Clock;
  readonly offsetMinutes: (at: number) => number;
  readonly sets: CouponSets;
}

/** By what a moment of a plan is known. */
export const keyOf = ({ day, isEnabled }: Pick<PlanMoment, 'day' | 'isEnabled'>): string =>
  `${day} ${String(isEnabled)}`;

/** Null where the clock was not a day ahead when it was made. */
function aheadDaysOf({ aheadMs }: KeptPlan): number | null {
  const days = Math.round(aheadMs / dayMs);
  return days === 0 ? null : days;
}

/** With the times that it has by the clock as it is now. */
export const withTimes = (plan: KeptPlan, offsetMinutes: PlanClock['offsetMinutes']): KeptPlan => ({
  ...plan,
  times: timesOf(plan, offsetMinutes),
});

/** All plans, with the times that they have by the clock as it is now. */
export function plansOf({ sets, offsetMinutes }: Pick<PlanClock, 'sets' | 'offsetMinutes'>): readonly KeptPlan[] {
  return sets.plans().map((plan) => withTimes(plan, offsetMinutes));
}

/** A moment that has come and cannot be made yet, and why. */
export type WaitingMoment = PlanMoment & Pick<PlannedMoment, 'why'>;

function plannedOf(
  plan: KeptPlan,
  moment: PlanMoment | WaitingMoment,
  kept: KeptMoment | undefined,
  size: number | null,
): PlannedMoment {
  return {
    planId: plan.planId,
    setId: plan.setId,
    setName: plan.setName,
    email: plan.email,
    repeats: plan.times.repeats,
    isShared: plan.isShared,
    day: moment.day,
    isEnabled: moment.isEnabled,
    at: moment.at,
    state: kept?.state ?? 'planned',
    why: kept?.why ?? ('why' in moment ? moment.why : null),
    count: kept?.state === 'made' ? kept.made : size,
    clockAheadDays: plan.times.repeats === 'once' ? aheadDaysOf(plan) : null,
  };
}

/** The moments of plans that are to come or wait, were made or were missed. */
export function readPlanned(parts: PlanClock, waitingOf: (plan: KeptPlan) => readonly WaitingMoment[]): Planned {
  const { clock, offsetMinutes, sets } = parts;
  const now = clock.now();
  const sizes = new Map(sets.list().map(({ setId, how }) => [setId, how.kind === 'list' ? how.count : null] as const));
  const all = plansOf(parts).map((plan) => {
    const kept = sets.moments(plan.planId, now - shownForMs);
    const byKey = new Map(kept.map((moment) => [keyOf(moment), moment]));
    const toPlanned = (moment: PlanMoment | WaitingMoment): PlannedMoment =>
      plannedOf(plan, moment, byKey.get(keyOf(moment)), sizes.get(plan.setId) ?? null);
    return {
      next: [
        ...waitingOf(plan),
        ...[true, false].flatMap((isEnabled) => nextMoment(plan.times, isEnabled, now, offsetMinutes) ?? []),
      ].map(toPlanned),
      over: kept.map((moment) => toPlanned({ ...moment, at: moment.dueAt })),
    };
  });
  const over = all.flatMap((one) => one.over).toSorted((one, other) => other.at - one.at);
  return {
    next: all
      .flatMap((one) => one.next)
      .filter(({ state }) => state === 'planned' || state === 'skipped')
      .toSorted((one, other) => one.at - other.at),
    missed: over.filter(({ state }) => state === 'missed').slice(0, 500),
    made: over.filter(({ state, at }) => state === 'made' && Math.abs(now - at) < shownForMs).slice(0, 200),
  };
}
