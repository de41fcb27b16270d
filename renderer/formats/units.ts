// Owns the words for units of measure (API v3 §2 "Units of measure"). Never changes an amount; a unit that the platform's
// document does not list is shown as it came.
import type { Language } from '../../app/contract/contract.ts';
import english from '../locales/units.en.json' with { type: 'json' };
import portuguese from '../locales/units.pt-BR.json' with { type: 'json' };
import { byLanguage } from './by-language.ts';

/** Codes with the word for one and the word for several. */
const units: Readonly<Record<Language, Readonly<Record<string, readonly string[]>>>> = { en: english, 'pt-BR': portuguese };

const plurals = byLanguage((language) => new Intl.PluralRules(language));

/** The word for a unit beside this amount. */
export function formatUnit(code: string | null, amount: number | null, language: Language): string {
  if (code === null) {
    return '';
  }
  const words = units[language][code.toUpperCase()];
  const [one, several] = [words?.[0] ?? code, words?.[1] ?? code];
  // Both languages' plural rules agree with usage except for nought, of which shops speak in the plural.
  return amount !== null && amount !== 0 && plurals(language).select(Math.abs(amount)) === 'one' ? one : several;
}
