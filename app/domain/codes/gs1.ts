// The reading of GS1 element strings (GS1 General Specifications §7.8): with separators as a scanner sends them, and
// with the identifiers in brackets as they are printed below a symbol. Driven by gs1-table.ts alone.
import { hasValidCheckDigit } from './barcode.ts';
import { gs1Identifiers, type CharacterSet, type Gs1Identifier, type Gs1Part } from './gs1-table.ts';

/** FNC1 within a string, as scanners send it: ASCII 29 (§7.8.3). */
export const separator = '\u001d';

/** One identifier with its value, which is right in form. */
export interface Gs1Element {
  readonly identifier: Gs1Identifier;
  readonly value: string;
}

/**
 * The faults of a string. `form`: letters where digits belong, too long, or a date that does not exist. `runTogether`:
 * a separator may be missing.
 */
export const gs1Faults = ['gs1Identifier', 'gs1CutOff', 'gs1CheckDigit', 'gs1Form', 'gs1RunTogether'] as const;
export type Gs1Fault = (typeof gs1Faults)[number];

export interface Gs1Reading {
  /** At most 60, in their order. */
  readonly elements: readonly Gs1Element[];
  /**
   * Null when all of the string was read. `about` names the identifier, or holds the first characters that are none, or
   * the rest that is in doubt.
   */
  readonly fault: { readonly why: Gs1Fault; readonly about: string } | null;
}

const maxElements = 60;

const alphabets: Readonly<Record<CharacterSet, string>> = {
  N: '\\d',
  X: `[!"%-?A-Z_a-z]`,
  Y: '[#\\-/\\dA-Z]',
  Z: '[\\w=-]',
};

const formats = new Map<Gs1Identifier, RegExp>();

function formatOf(identifier: Gs1Identifier): RegExp {
  const known = formats.get(identifier);
  if (known !== undefined) {
    return known;
  }
  const pattern = identifier.parts
    .map(
      ({ set, shortest, longest, isOptional }) => `(${alphabets[set]}{${shortest},${longest}})${isOptional ? '?' : ''}`,
    )
    .join('');
  const format = new RegExp(`^${pattern}$`);
  formats.set(identifier, format);
  return format;
}

function centuryShift(ahead: number): number {
  if (ahead >= 51) {
    return -100;
  }
  return ahead <= -50 ? 100 : 0;
}

/**
 * The date of six digits YYMMDD as "2027-03-31", or "2027-03" when its day is 00; null for one that does not exist. The
 * century is the one that brings it within 50 years of this year (§7.12).
 */
export function readGs1Date(digits: string, year: number): string | null {
  const [, twoDigits, month, day] = /^(\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])$/.exec(digits) ?? [];
  if (twoDigits === undefined || month === undefined || day === undefined) {
    return null;
  }
  const ahead = Number(twoDigits) - (year % 100);
  const full = year - (year % 100) + Number(twoDigits) + centuryShift(ahead);
  if (Number(day) > new Date(Date.UTC(full, Number(month), 0)).getUTCDate()) {
    return null;
  }
  return day === '00' ? `${full}-${month}` : `${full}-${month}-${day}`;
}

// Any leap year does: whether 29 February existed is a question of the century, which only the reader of the facts
// knows.
function isPossibleDate(digits: string, hasDay: boolean): boolean {
  const isPossible = readGs1Date(digits, 2000 + Number(digits.slice(0, 2))) !== null;
  return isPossible && !(hasDay && digits.endsWith('00'));
}

function faultOfPart({ check }: Gs1Part, value: string): Gs1Fault | null {
  if (check === 'checkDigit') {
    return hasValidCheckDigit(value) ? null : 'gs1CheckDigit';
  }
  return check === null || isPossibleDate(value, check === 'date') ? null : 'gs1Form';
}

/** The fault of a value under its identifier; null when there is none. */
export function faultOf(identifier: Gs1Identifier, value: string): Gs1Fault | null {
  const match = formatOf(identifier).exec(value);
  if (match === null) {
    const least = identifier.parts.reduce((sum, part) => sum + (part.isOptional ? 0 : part.shortest), 0);
    return value.length < least ? 'gs1CutOff' : 'gs1Form';
  }
  for (const [place, part] of identifier.parts.entries()) {
    const given = match[place + 1];
    const fault = given === undefined ? null : faultOfPart(part, given);
    if (fault !== null) {
      return fault;
    }
  }
  return null;
}

/** The identifier that begins here; undefined when none does. */
function identifierAt(text: string, from: number): Gs1Identifier | undefined {
  for (let length = 2; length <= 4; length += 1) {
    const identifier = gs1Identifiers.get(text.slice(from, from + length));
    if (identifier !== undefined) {
      return identifier;
    }
  }
  return undefined;
}

function firstOf(text: string, from: number): string {
  return text
    .slice(from, from + 4)
    .replaceAll(separator, ' ')
    .trim();
}

/** Reads an element string with separators, with or without one at its beginning. */
export function readElementString(text: string): Gs1Reading {
  const elements: Gs1Element[] = [];
  let from = 0;
  while (from < text.length) {
    if (text[from] === separator) {
      // Some printers put one behind every value, also where none is needed.
      from += 1;
      continue;
    }
    const identifier = identifierAt(text, from);
    if (identifier === undefined || elements.length === maxElements) {
      return { elements, fault: { why: 'gs1Identifier', about: firstOf(text, from) } };
    }
    from += identifier.identifier.length;
    const end = text.indexOf(separator, from);
    const rest = end === -1 ? text.length : end;
    const until = identifier.predefinedLength === null ? rest : Math.min(rest, from + identifier.predefinedLength);
    const value = text.slice(from, until);
    const why = faultOf(identifier, value);
    if (why !== null) {
      return { elements, fault: { why, about: identifier.identifier } };
    }
    elements.push({ identifier, value });
    from = until;
  }
  return { elements, fault: null };
}

const countIdentifiers = new Set(['30', '37']);
/** A count of more digits is no count of goods in one package. */
const maxLikelyCount = 4;

/**
 * Whether a value of variable length may hold elements that a scanner which sends no separators has run together with
 * it: from somewhere on, an identifier that needs no separator behind it (§7.8.5) with a right value, and nothing but
 * elements to the end. A date, a GTIN or another check digit counts; a measure only of goods sold by measure, for six
 * digits are a part of many a serial number. Another value of variable length counts only behind a count that is far
 * too great: of a lot or a serial number it may be a part like any other.
 */
function mayHoldElements({ identifier: { identifier: own }, value }: Gs1Element, isSoldByMeasure: boolean): boolean {
  const isTooGreat = countIdentifiers.has(own) && value.length > maxLikelyCount;
  const isConclusive = ({ predefinedLength, parts, decimals }: Gs1Identifier): boolean =>
    isTooGreat ||
    (predefinedLength !== null &&
      (parts.some(({ check }) => check !== null) || (isSoldByMeasure && decimals !== null)));
  for (let place = 1; place < value.length; place += 1) {
    const identifier = identifierAt(value, place);
    if (identifier !== undefined && isConclusive(identifier) && readElementString(value.slice(place)).fault === null) {
      return true;
    }
  }
  return false;
}

/** A reading of a text without any separator: a last value that may have run together becomes its fault. */
export function doubtLast(reading: Gs1Reading): Gs1Reading {
  const last = reading.elements.at(-1);
  const isSoldByMeasure = reading.elements.some(
    ({ identifier, value }) => identifier.identifier === '01' && value.startsWith('9'),
  );
  if (
    reading.fault !== null ||
    last === undefined ||
    last.identifier.predefinedLength !== null ||
    !mayHoldElements(last, isSoldByMeasure)
  ) {
    return reading;
  }
  return {
    elements: reading.elements.slice(0, -1),
    fault: { why: 'gs1RunTogether', about: `(${last.identifier.identifier}) ${last.value}` },
  };
}

/** True when a text begins as an element string is printed, such as "(01)". */
export function isBracketed(text: string): boolean {
  return /^\(\d{2,4}\)/.test(text);
}

/** Reads an element string as it is printed below a symbol: "(01)09520000000011 (10)ABC". */
export function readBracketed(text: string): Gs1Reading {
  const elements: Gs1Element[] = [];
  let from = 0;
  while (from < text.length) {
    const digits = /^\((\d{2,4})\)/.exec(text.slice(from, from + 6))?.[1];
    const identifier = digits === undefined ? undefined : gs1Identifiers.get(digits);
    if (digits === undefined || identifier === undefined || elements.length === maxElements) {
      return { elements, fault: { why: 'gs1Identifier', about: text.slice(from, from + 6).trim() } };
    }
    from += digits.length + 2;
    const until = nextBracket(text, from);
    const value = text.slice(from, until).trim();
    const why = faultOf(identifier, value);
    if (why !== null) {
      return { elements, fault: { why, about: digits } };
    }
    elements.push({ identifier, value });
    from = until;
  }
  return { elements, fault: null };
}

// A value may hold brackets itself: only a known identifier between them begins the next one.
function nextBracket(text: string, from: number): number {
  for (let place = text.indexOf('(', from); place !== -1; place = text.indexOf('(', place + 1)) {
    const digits = /^\((\d{2,4})\)/.exec(text.slice(place, place + 6))?.[1];
    if (digits !== undefined && gs1Identifiers.has(digits)) {
      return place;
    }
  }
  return text.length;
}

/** The elements as they are printed: "(01)09520000000011(10)ABC". `readBracketed` reads them back. */
export function writeBracketed(elements: readonly Gs1Element[]): string {
  return elements.map(({ identifier, value }) => `(${identifier.identifier})${value}`).join('');
}
