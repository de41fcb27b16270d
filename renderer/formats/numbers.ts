// Owns how numbers are written in the user's language. Never rounds a quantity to fewer than three decimals.
import type { Language } from '../../app/contract/basics.ts';
import { byLanguage } from './by-language.ts';

const formats = byLanguage((language) => [0, 1, 2, 3].map((least) => new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: 3 })));

/** A quantity or a count, with at most three decimals, at least `leastDecimals`, and the language's grouping; a true minus sign. */
export function formatNumber(value: number, language: Language, leastDecimals: 0 | 1 | 2 | 3 = 0): string {
  // Avoids "-0", which a sum of movements can give.
  return (formats(language)[leastDecimals] as Intl.NumberFormat).format(value === 0 ? 0 : value).replace('-', '\u2212');
}
