import type { Language } from '../../app/contract/basics.ts';

/** The part that is typed first: a year or a day. The example in the words of each language is written so. */
const order: Readonly<Record<Language, 'year' | 'day'>> = { en: 'year', 'pt-BR': 'day', es: 'day' };

const yearFirst = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T ,]+(?<hour>\d{1,2}):(?<minute>\d{2}))?$/;
const dayFirst =
  /^(?<day>\d{1,2})[/.-](?<month>\d{1,2})[/.-](?<year>\d{4})(?:[ ,]+(?<hour>\d{1,2}):(?<minute>\d{2}))?$/;

/** The moment that was typed, in milliseconds since 1970; a day alone begins at midnight. Null when it is none. */
export function parseTypedMoment(text: string, language: Language): number | null {
  const trimmed = text.trim();
  const parts = (yearFirst.exec(trimmed) ?? (order[language] === 'day' ? dayFirst.exec(trimmed) : null))?.groups;
  if (parts === undefined) {
    return null;
  }
  const [year, month, day, hour, minute] = ['year', 'month', 'day', 'hour', 'minute'].map((name) =>
    Number(parts[name] ?? 0),
  ) as [number, number, number, number, number];
  const moment = new Date(year, month - 1, day, hour, minute);
  // Of what runs over, such as 31 April or 25:00, the calendar would make another day.
  const isWhole =
    year >= 1970 && moment.getMonth() === month - 1 && moment.getDate() === day && hour < 24 && minute < 60;
  return isWhole ? moment.getTime() : null;
}

/** A day typed without its year, where the day comes first, with that of the next such day from `firstDay` on; any other text as it is. */
export function withYear(text: string, firstDay: string, language: Language): string {
  if (order[language] !== 'day' || !/^\d{1,2}[/.-]\d{1,2}$/.test(text.trim())) {
    return text;
  }
  const year = Number(firstDay.slice(0, 4));
  const [first, typed] = [firstDay, `${text.trim()}/${year}`].map((day) => parseTypedMoment(day, language) ?? 0) as [
    number,
    number,
  ];
  return `${text.trim()}/${typed < first ? year + 1 : year}`;
}

/** A day such as 2026-03-05 as it may be typed. */
export function formatTypedDay(day: string, language: Language): string {
  return order[language] === 'day' ? day.split('-').toReversed().join('/') : day;
}

/** The same moment as it may be typed. */
export function formatTypedMoment(atMs: number, language: Language): string {
  const at = new Date(atMs);
  const [day, month, hour, minute] = [at.getDate(), at.getMonth() + 1, at.getHours(), at.getMinutes()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${formatTypedDay(`${at.getFullYear()}-${month}-${day}`, language)} ${hour}:${minute}`;
}

/**
 * A time of day as it is typed, such as "18:00", "18.30", "18h" or "18", as "18:00"; null for nothing typed, undefined
 * for what is no time.
 */
export function readTime(text: string): string | null | undefined {
  const [whole, hours = '', minutes = '00'] = /^(\d{1,2})(?:[:.h]?(\d{2})|h)?$/i.exec(text.trim()) ?? [];
  if (whole === undefined) {
    return text.trim() === '' ? null : undefined;
  }
  return Number(hours) < 24 && Number(minutes) < 60 ? `${hours.padStart(2, '0')}:${minutes}` : undefined;
}
