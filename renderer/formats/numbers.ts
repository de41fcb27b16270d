import type { Language } from '../../app/contract/basics.ts';
import { writeDecimal } from '../../app/domain/decimal.ts';
import { byLanguage } from './by-language.ts';

const wholes = byLanguage((language) => new Intl.NumberFormat(language));
const points = byLanguage(
  (language) =>
    wholes(language)
      .formatToParts(1.5)
      .find(({ type }) => type === 'decimal')?.value ?? '.',
);

/**
 * A quantity or a count with all its decimals, at least `leastDecimals`, and the language's grouping; a true minus
 * sign, and none before nought.
 */
export function formatNumber(value: number, language: Language, leastDecimals = 0): string {
  const [whole = '0', given = ''] = writeDecimal(Math.abs(value)).split('.');
  const decimals = given.padEnd(leastDecimals, '0');
  return `${value < 0 ? '\u2212' : ''}${wholes(language).format(BigInt(whole))}${decimals === '' ? '' : points(language) + decimals}`;
}

/** Digits as the platform wrote them, with the language's decimal sign; not grouped, for they may be a code. */
export function withDecimalSign(digits: string, language: Language): string {
  return digits.replace('.', points(language));
}

/**
 * A written number in two: up to its third decimal, and the decimals after that, which may stand in smaller letters.
 * Together they are the whole.
 */
export function partDecimals(text: string): { readonly main: string; readonly more: string } {
  // A group of thousands has three digits as well, but no further one follows it.
  const [, main = text, more = ''] = /^(.*?[.,]\d{3})(\d+)$/.exec(text) ?? [];
  return { main, more };
}
