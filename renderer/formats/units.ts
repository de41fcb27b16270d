// The words for units of measure (API v3 §2 "Units of measure") and how their figures are written.
import type { Language } from '../../app/contract/basics.ts';
import { unitCodeOf, unitsOfMeasure, type UnitCode } from '../../app/domain/units.ts';
import english from '../locales/units.en.json' with { type: 'json' };
import spanish from '../locales/units.es.json' with { type: 'json' };
import portuguese from '../locales/units.pt-BR.json' with { type: 'json' };
import { byLanguage } from './by-language.ts';
import { formatNumber } from './numbers.ts';

/** Codes with the name of one, the name of several, and the abbreviation for where there is little room. */
const units: Readonly<Record<Language, Readonly<Record<UnitCode, readonly string[]>>>> = {
  en: english,
  'pt-BR': portuguese,
  es: spanish,
};

const plurals = byLanguage((language) => new Intl.PluralRules(language));

function wordsOf(
  code: string,
  language: Language,
): { readonly one: string; readonly several: string; readonly short: string } {
  const listed = unitCodeOf(code);
  const [one = code, several = code, short = code] = listed === null ? [] : units[language][listed];
  return { one, several, short };
}

/** The name of a unit beside this amount, in full; empty without a unit. */
export function nameOfUnit(code: string | null, amount: number | null, language: Language): string {
  if (code === null) {
    return '';
  }
  const { one, several } = wordsOf(code, language);
  // The languages' plural rules agree with usage except for nought, of which shops speak in the plural.
  return amount !== null && amount !== 0 && plurals(language).select(Math.abs(amount)) === 'one' ? one : several;
}

/** The unit beside a figure: its symbol where it has one, else its name. */
export function formatUnit(code: string | null, amount: number | null, language: Language): string {
  const listed = unitCodeOf(code);
  return listed !== null && unitsOfMeasure[listed].hasSymbol
    ? shortUnit(listed, language)
    : nameOfUnit(code, amount, language);
}

/** "12 kg"; a dash for an amount that nobody knows. */
export function formatAmount(amount: number | null, unit: string | null, language: Language): string {
  return amount === null
    ? '\u2013'
    : `${formatQuantity(amount, unit, language)} ${formatUnit(unit, amount, language)}`.trimEnd();
}

/** More units are not named: they would fill the dialog. */
const maxNamed = 4;

/** The one unit of several products, or the names of theirs; three dots stand for what else there may be. */
export function unitOfAll(
  all: readonly (string | null)[],
  hasMore: boolean,
  language: Language,
): { readonly unit: string | null; readonly units?: string } {
  // One unit may be written in several ways.
  const names = new Set(all.map((unit) => formatUnit(unit, 2, language)));
  if (names.size + Number(hasMore) < 2) {
    return { unit: all[0] ?? null };
  }
  const named = [...names].filter((name) => name !== '');
  const rest = hasMore || named.length > maxNamed ? ['\u2026'] : [];
  return { unit: null, units: [...named.slice(0, maxNamed), ...rest].join(', ') };
}

/** The unit's abbreviation, for where a name has no room; empty without a unit. */
export const shortUnit = (code: string | null, language: Language): string =>
  code === null ? '' : wordsOf(code, language).short;

/**
 * A figure of this unit: whole as it is, else with the unit's decimals, and with all that it has where those are more.
 */
export function formatQuantity(amount: number, code: string | null, language: Language): string {
  const listed = unitCodeOf(code);
  return formatNumber(
    amount,
    language,
    listed === null || Number.isInteger(amount) ? 0 : unitsOfMeasure[listed].decimals,
  );
}
