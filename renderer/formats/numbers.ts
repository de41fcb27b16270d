// Owns how numbers are written in the user's language. Never rounds a quantity to fewer than three decimals.
import type { Language } from '../../app/contract/contract.ts';
import { byLanguage } from './by-language.ts';

const formats = byLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 3 }));

/** A quantity or a count, with at most three decimals and the language's grouping; a true minus sign. */
export function formatNumber(value: number, language: Language): string {
  // Avoids "-0", which a sum of movements can give.
  return formats(language).format(value === 0 ? 0 : value).replace('-', '\u2212');
}
