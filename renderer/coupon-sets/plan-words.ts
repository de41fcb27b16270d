import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import type { CouponSet, CouponSetHow, PlanTimes } from '../../app/contract/coupon-sets.ts';
import { formatNumber } from '../formats/numbers.ts';
import { isSameYear } from '../formats/times.ts';

const dayOf = (day: string, language: Language, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** The weekday of a plan that comes every week. */
export const nameOfWeekday = (day: string, language: Language): string => dayOf(day, language, { weekday: 'long' });

/** The date of a plan that comes once. */
export const formatPlanDay = (day: string, language: Language): string =>
  dayOf(day, language, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** When a plan switches, such as "Every Friday: on 18:00, off 23:00". */
export function wordsOfTimes({ repeats, day, on, off }: PlanTimes, t: TFunction, language: Language): string {
  const when =
    repeats === 'weekly' ? t('couponSets.every', { day: nameOfWeekday(day, language) }) : formatPlanDay(day, language);
  const isNextDay = on !== null && off !== null && off < on;
  const times = [
    ...(on === null ? [] : [t('couponSets.onAt', { time: on })]),
    ...(off === null ? [] : [t(isNextDay ? 'couponSets.offNextDay' : 'couponSets.offAt', { time: off })]),
  ];
  return `${when}: ${times.join(', ')}`;
}

/** A moment of a plan, such as "Fri, Nov 27, 18:00"; with the year when it is not this year's. */
export function formatPlanMoment(at: number, nowMs: number, language: Language): string {
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isSameYear(new Date(at), new Date(nowMs)) ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(at));
}

/** Describes the content of a set. */
export function wordsOfHow(
  how: Extract<CouponSet['how'], { kind: 'list' }> | Extract<CouponSetHow, { kind: 'search' }>,
  t: TFunction,
  language: Language,
): string {
  if (how.kind === 'list') {
    return t('couponSets.products', { count: how.count, formatted: formatNumber(how.count, language) });
  }
  const filter = t(`coupons.filter.${how.filter}`);
  return how.term.trim() === ''
    ? t('couponSets.searchOfAll', { filter })
    : t('couponSets.search', { filter, term: how.term.trim() });
}
