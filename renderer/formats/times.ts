import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import { dayAt } from '../../app/domain/days.ts';
import { isAhead } from '../dom/clock.ts';
import { byLanguage } from './by-language.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const oldAfterMs = dayMs;

/** Whether this is older than may be told without a mark. */
export const isOldAge = (ageMs: number): boolean => ageMs > oldAfterMs;

/** Whether a figure is marked as old: it is, or nobody knows since a clock was set back. */
export const isOldFigure = (asOf: number | null, nowMs: number): boolean =>
  asOf !== null && (isOldAge(nowMs - asOf) || isAhead(asOf));

/** The day of a moment by this machine's calendar, or so many days later: "YYYY-MM-DD". */
export const localDay = (at: number, daysLater = 0): string => dayAt(at, -new Date(at).getTimezoneOffset(), daysLater);

/** The day after this one: "YYYY-MM-DD". */
export const nextDay = (day: string): string => dayAt(Date.parse(day), 0, 1);

/** A day with its weekday, such as "Sunday, November 29". */
export const nameOfDay = (day: string, language: Language): string => daysByName(language).format(Date.parse(day));

/** Only a figure no older than this is called live. */
export const liveForMs = minuteMs;

/** Below this an age is "just now". */
const justNowMs = 15_000;

const daysByName = byLanguage(
  (language) => new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
);
const timesOfDay = byLanguage(
  (language) => new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);
const dayAndTime = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const daysAndTimes = byLanguage((language) => new Intl.DateTimeFormat(language, dayAndTime));
const daysOfYears = byLanguage((language) => new Intl.DateTimeFormat(language, { ...dayAndTime, year: 'numeric' }));
const fullMoments = byLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' }),
);
const ages = byLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'always' }));

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();
/** Whether a date is told well enough without its year. */
export const isSameYear = (one: Date, other: Date): boolean => one.getFullYear() === other.getFullYear();

/** The time of day, with the date when it is not today's, and the year when it is not this year's. */
export function formatMoment(atMs: number, nowMs: number, language: Language): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  const withDate = isSameYear(at, now) ? daysAndTimes : daysOfYears;
  return (isSameDay(at, now) ? timesOfDay : withDate)(language).format(at);
}

/** The date and the time to the second. */
export function formatFullMoment(atMs: number, language: Language): string {
  return fullMoments(language).format(new Date(atMs));
}

/** In the largest unit of which there is one, or two days, rounded to the nearest. */
function roundSpan(spanMs: number): { readonly count: number; readonly unit: 'second' | 'minute' | 'hour' | 'day' } {
  const [seconds, minutes, hours] = [1000, minuteMs, hourMs].map((unitMs) => Math.round(spanMs / unitMs));
  if (seconds !== undefined && seconds < 60) {
    return { count: seconds, unit: 'second' };
  }
  if (minutes !== undefined && minutes < 60) {
    return { count: minutes, unit: 'minute' };
  }
  return hours !== undefined && hours < 48
    ? { count: hours, unit: 'hour' }
    : { count: Math.round(spanMs / dayMs), unit: 'day' };
}

/** How long ago, such as "3 minutes ago"; null when it is only just past, for which the locales hold a word. */
export function formatAge(atMs: number, nowMs: number, language: Language): string | null {
  const ageMs = Math.max(0, nowMs - atMs);
  if (ageMs < justNowMs) {
    return null;
  }
  const { count, unit } = roundSpan(ageMs);
  return ages(language).format(-count, unit);
}

/** How long ago, in words, also for what is only just past, and for what a clock said that has been set back since. */
export function ageInWords(atMs: number, nowMs: number, t: TFunction, language: Language): string {
  return isAhead(atMs) ? t('ui.age.clockSet') : (formatAge(atMs, nowMs, language) ?? t('ui.age.justNow'));
}

/** How long, such as "3 minutes". */
export function formatSpan(spanMs: number, language: Language): string {
  const { count, unit } = roundSpan(spanMs);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A countdown: "45 s" below a minute, else "12:05". */
export function formatSeconds(seconds: number, language: Language): string {
  return seconds < 60
    ? new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'short' }).format(seconds)
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** How long still, such as "2 minutes"; at least one second. */
export function formatWait(untilMs: number, nowMs: number, language: Language): string {
  return formatSpan(Math.max(1000, untilMs - nowMs), language);
}
