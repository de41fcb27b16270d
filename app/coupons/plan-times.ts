// When a plan is due. Its times are what a clock on the wall shows; the terminal's own rules of summer time make
// moments of them.
import type { PlanTimes } from '../contract/coupon-sets.ts';
import { instantOf, type OffsetMinutes } from '../domain/days.ts';

/** A moment of a plan: its day, by which it is known whatever the clocks do, and when that is now. */
export interface PlanMoment {
  readonly day: string;
  readonly isEnabled: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

const dayOf = (days: number): string => new Date(days * dayMs).toISOString().slice(0, 10);
const daysOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;

/**
 * The times of a plan that was made at `createdAt` by a clock that was `aheadMs` ahead, both in milliseconds. A weekly
 * one begins on the first such weekday since then; the day of one that comes once is what a person chose.
 */
export function timesOf(
  { times, createdAt, aheadMs }: { readonly times: PlanTimes; readonly createdAt: number; readonly aheadMs: number },
  offsetMinutes: OffsetMinutes,
): PlanTimes {
  if (times.repeats === 'once' || aheadMs === 0) {
    return times;
  }
  const localDays = (at: number): number => Math.floor((at + offsetMinutes(at) * minuteMs) / dayMs);
  const first = daysOf(times.day);
  const made = localDays(createdAt - aheadMs);
  if (first <= made) {
    return times;
  }
  const weeksAway = Math.floor((first - localDays(createdAt)) / 7);
  const earliest = made + 7 * weeksAway;
  return { ...times, day: dayOf(earliest + ((((first - earliest) % 7) + 7) % 7)) };
}

/** Those of one day of the plan, the earlier one first. One that would be over before it begins only ends. */
function momentsOfDay({ on, off }: PlanTimes, days: number, offsetMinutes: OffsetMinutes): readonly PlanMoment[] {
  const day = dayOf(days);
  const offDay = on !== null && off !== null && off <= on ? dayOf(days + 1) : day;
  const onAt = on === null ? null : instantOf(day, on, offsetMinutes);
  const offAt = off === null ? null : instantOf(offDay, off, offsetMinutes);
  return [
    ...(onAt === null || (offAt !== null && offAt <= onAt) ? [] : [{ day, isEnabled: true, at: onAt }]),
    ...(offAt === null ? [] : [{ day, isEnabled: false, at: offAt }]),
  ];
}

/** The plan's moments after `fromMs` and up to `toMs`, both in milliseconds since 1970, in their order. */
export function momentsOf(
  times: PlanTimes,
  fromMs: number,
  toMs: number,
  offsetMinutes: OffsetMinutes,
): readonly PlanMoment[] {
  const first = daysOf(times.day);
  const step = times.repeats === 'weekly' ? 7 : 1;
  // A day on either side, for the offset and for what is switched off on the next day.
  const skipped = Math.max(0, Math.floor((Math.floor(fromMs / dayMs) - 2 - first) / step));
  const last = times.repeats === 'weekly' ? Math.floor(toMs / dayMs) + 1 : first;
  const found: PlanMoment[] = [];
  for (let days = first + (times.repeats === 'weekly' ? skipped * step : 0); days <= last; days += step) {
    found.push(...momentsOfDay(times, days, offsetMinutes));
  }
  return found.filter(({ at }) => at > fromMs && at <= toMs).toSorted((one, other) => one.at - other.at);
}

/** The first moment of this kind after `fromMs`; null where there is none. */
export function nextMoment(
  times: PlanTimes,
  isEnabled: boolean,
  fromMs: number,
  offsetMinutes: OffsetMinutes,
): PlanMoment | null {
  // Past two weeks there is nothing that comes once, and everything that is weekly has come.
  const toMs = Math.max(fromMs, daysOf(times.day) * dayMs) + 16 * dayMs;
  return momentsOf(times, fromMs, toMs, offsetMinutes).find((moment) => moment.isEnabled === isEnabled) ?? null;
}
