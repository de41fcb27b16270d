import type { Language } from '../../app/contract/basics.ts';
import type { CodeFact } from '../../app/domain/codes/code-facts.ts';
import { byLanguage } from './by-language.ts';
import { formatNumber } from './numbers.ts';
import { localDay } from './times.ts';

const days = byLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }));
const months = byLanguage(
  (language) => new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);
function formatPrice(amount: number, currency: string | null, language: Language): string {
  // A code of ISO 4217 in digits is one that this app has no letters for.
  if (currency === null || /^\d/.test(currency)) {
    return [formatNumber(amount, language, 2), currency].filter((part) => part !== null).join(' ');
  }
  const parts = new Intl.NumberFormat(language, { style: 'currency', currency }).formatToParts(1);
  const decimals = parts.find(({ type }) => type === 'fraction')?.value.length ?? 0;
  // The number stands where the language has it, and is not rounded to the currency's decimals.
  return parts
    .filter(({ type }) => type !== 'decimal' && type !== 'fraction')
    .map(({ type, value }) => (type === 'integer' ? formatNumber(amount, language, decimals) : value))
    .join('');
}

/** A fact's value, such as "1.234 kg", "31 Dec 2026" or "December 2026". */
export function formatFact(fact: CodeFact, language: Language): string {
  switch (fact.kind) {
    case 'netWeightKg':
    case 'grossWeightKg':
      return `${formatNumber(fact.amount, language)} kg`;
    case 'netWeightLb':
    case 'grossWeightLb':
      return `${formatNumber(fact.amount, language)} lb`;
    case 'pieces':
      return formatNumber(fact.amount, language);
    case 'price':
    case 'payable':
    case 'pricePerUnit':
      return formatPrice(fact.amount, fact.currency, language);
    case 'production':
    case 'due':
    case 'packaging':
    case 'bestBefore':
    case 'sellBy':
    case 'expiry':
      return (fact.date.length > 7 ? days : months)(language).format(Date.parse(fact.date));
    case 'lot':
    case 'serial':
    case 'variant':
    case 'addOn':
    case 'item':
    case 'other':
      return fact.text;
  }
}

/** Dates after which a product should not go over the counter unseen. */
export type Deadline = 'bestBefore' | 'sellBy' | 'expiry';

/**
 * Which deadline has passed by this machine's calendar; null when none has. The day itself still counts, as does the
 * whole month of a date without a day.
 */
export function passedDeadline(fact: CodeFact, nowMs: number): Deadline | null {
  if (fact.kind !== 'bestBefore' && fact.kind !== 'sellBy' && fact.kind !== 'expiry') {
    return null;
  }
  return fact.date < localDay(nowMs).slice(0, fact.date.length) ? fact.kind : null;
}
