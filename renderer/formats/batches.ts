// Owns how the fields of an entry batch are written in the user's language, and how near a day is. Never reads the clock: it is told the present.
import type { BatchFact, ProductBatch } from '../../app/contract/batches.ts';
import type { Language } from '../../app/contract/contract.ts';
import { daysUntil } from '../../app/domain/date-time.ts';
import { byLanguage } from './by-language.ts';

/** From this many days before its expiry on a batch is marked. */
export const nearDays = 30;

const days = byLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }));
const moments = byLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC', hourCycle: 'h23' }));
const numbers = byLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 15 }));

/** A number with such a name counts nothing: its digits are written as they are. */
const nameOfCode = /(^|[._])(id|code|codigo|number|numero|lot|lote|batch)$/i;

/** The store's own calendar day "YYYY-MM-DD", such as "31 Jan 2026". */
export function formatDay(day: string, language: Language): string {
  return days(language).format(Date.parse(`${day}T00:00:00Z`));
}

/** A field's value in the user's form; a date and time is the store's own, whatever this machine's time zone. */
export function formatBatchFact(fact: BatchFact, language: Language): string {
  if (fact.kind === 'date') {
    return fact.value.length === 10 ? formatDay(fact.value, language) : moments(language).format(Date.parse(`${fact.value}Z`));
  }
  return fact.kind === 'number' ? (nameOfCode.test(fact.name) ? String(fact.value) : numbers(language).format(fact.value).replace('-', '\u2212')) : fact.value;
}

/** How near an expiry is by this machine's calendar: `today` still counts as good. */
export interface Nearness {
  readonly kind: 'expired' | 'today' | 'near' | 'later';
  /** Days still, or since. */
  readonly days: number;
}

/** Reads a day "YYYY-MM-DD" against the present. */
export function nearnessOf(day: string, nowMs: number): Nearness {
  const left = daysUntil(day, nowMs, -new Date(nowMs).getTimezoneOffset());
  return { kind: left < 0 ? 'expired' : left === 0 ? 'today' : left <= nearDays ? 'near' : 'later', days: Math.abs(left) };
}

/** The fields that are not told already as the expiry, the quantity or the lot. */
export function otherFacts({ facts, expiresOn, quantity, lot }: ProductBatch): readonly BatchFact[] {
  const told = new Set([expiresOn?.name, quantity?.name, lot?.name]);
  return facts.filter((fact) => !told.has(fact.name));
}
