// The meaning of a scanned or typed code before anything is looked up: its cleaning, its check digit, and the keys
// under which every form of the same GTIN meets (EAN-8, EAN-13, UPC-A, UPC-E, GTIN-14; GS1 General Specifications §1.3,
// §7.9).
import { visibleText } from '../visible-text.ts';

/** The longest code that a label or a person gives this app, in characters. */
const maxCodeLength = 500;

/** Why a text cannot be a code. */
export const unreadableCodes = ['empty', 'tooLong', 'controlCharacters'] as const;
export type UnreadableCode = (typeof unreadableCodes)[number];

export interface CleanCode {
  readonly text: string;
  /** The symbology identifier of ISO/IEC 15424 without its bracket, such as "E0"; null when the scanner sent none. */
  readonly symbology: string | null;
  /** Null when the text could be a code. */
  readonly unreadable: UnreadableCode | null;
}

// The three characters that a scanner may send first to name the symbology, ISO/IEC 15424: "]E0" for EAN-13.
const symbologyIdentifier = /^\]([A-Za-z][0-9A-Za-z])(?=.)/s;
const groupSeparator = '\u001d';
const controlCharacter = /\p{Cc}/u;

/**
 * Takes off what a scanner or a copied text adds: invisible characters, blanks, terminators such as CR, LF and TAB, and the symbology identifier of ISO/IEC
 * 15424. GS1's separator (ASCII 29) stays, but for one at the end. The text is cut to 500 characters when it is
 * unreadable because it is longer.
 */
export function cleanCode(given: string): CleanCode {
  const trimmed = trimTerminators(visibleText(given));
  const symbology = symbologyIdentifier.exec(trimmed)?.[1] ?? null;
  const text = symbology === null ? trimmed : trimTerminators(trimmed.slice(3));
  if (text === '' || text === groupSeparator) {
    return { text: '', symbology, unreadable: 'empty' };
  }
  if (text.length > maxCodeLength) {
    return { text: text.slice(0, maxCodeLength).toWellFormed(), symbology, unreadable: 'tooLong' };
  }
  return {
    text,
    symbology,
    unreadable: controlCharacter.test(text.replaceAll(groupSeparator, '')) ? 'controlCharacters' : null,
  };
}

function isTerminator(character: string | undefined): boolean {
  return character !== undefined && (character <= ' ' || character.trim() === '');
}

// By hand, because an expression anchored at the end takes quadratic time on a long run of blanks.
function trimTerminators(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTerminator(text[start]) && text[start] !== groupSeparator) {
    start += 1;
  }
  while (end > start && isTerminator(text[end - 1])) {
    end -= 1;
  }
  return text.slice(start, end);
}

/** The check digit that belongs after these digits (GS1 General Specifications §7.9). */
export function checkDigitOf(digits: string): string {
  let sum = 0;
  for (let place = 1; place <= digits.length; place += 1) {
    // Weights count from the right, so that leading zeros change nothing.
    sum += Number(digits[digits.length - place]) * (place % 2 === 1 ? 3 : 1);
  }
  return String((10 - (sum % 10)) % 10);
}

/** True when the last of the digits is the check digit of those before it. */
export function hasValidCheckDigit(digits: string): boolean {
  return /^\d{2,}$/.test(digits) && checkDigitOf(digits.slice(0, -1)) === digits.at(-1);
}

/**
 * The UPC-A of a UPC-E (GS1 General Specifications §5.2.2): 8 digits with number system 0 or 1 and a check digit that
 * is right for the UPC-A; or the 6 digits alone, for number system 0. Null for all else.
 */
export function expandUpcE(digits: string): string | null {
  if (!/^(\d{6}|[01]\d{7})$/.test(digits)) {
    return null;
  }
  const [system, core] = digits.length === 6 ? ['0', digits] : [digits.slice(0, 1), digits.slice(1, 7)];
  const [first, second, third, fourth, fifth, last] = core.split('') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  let body: string;
  if (last <= '2') {
    body = `${system}${first}${second}${last}0000${third}${fourth}${fifth}`;
  } else if (last === '3') {
    body = `${system}${first}${second}${third}00000${fourth}${fifth}`;
  } else if (last === '4') {
    body = `${system}${first}${second}${third}${fourth}00000${fifth}`;
  } else {
    body = `${system}${first}${second}${third}${fourth}${fifth}0000${last}`;
  }
  const expanded = body + checkDigitOf(body);
  return digits.length === 6 || expanded.at(-1) === digits.at(-1) ? expanded : null;
}

/** True when a text has the length and the digits of a GTIN, whether its check digit is right or not. */
export function looksLikeGtin(text: string): boolean {
  return /^(\d{8}|\d{12,14})$/.test(text);
}

/** True when a text that looks like a GTIN has a wrong check digit, as an EAN-8 and as a UPC-E. */
export function hasWrongCheckDigit(text: string): boolean {
  return looksLikeGtin(text) && !hasValidCheckDigit(text) && expandUpcE(text) === null;
}

/** A key under which a code is stored and found: a GTIN's number; else the code in upper case. */
export type CodeKey = bigint | string;

/**
 * The keys of a code: two codes mean the same when they share one. Every form of one GTIN shares the GTIN's number,
 * also one whose leading zeros were lost on its way through a number; what is not a GTIN is its own key, whatever its
 * letter case.
 */
export function codeKeys(code: string): readonly CodeKey[] {
  const keys: CodeKey[] = [];
  if (/^\d{8,14}$/.test(code) && hasValidCheckDigit(code)) {
    keys.push(BigInt(code));
  }
  const expanded = code.length === 8 ? expandUpcE(code) : null;
  if (expanded !== null && !keys.includes(BigInt(expanded))) {
    keys.push(BigInt(expanded));
  }
  return keys.length > 0 ? keys : [code.toUpperCase()];
}

const gtinLengths = [8, 12, 13, 14];

/**
 * How a code may be written elsewhere: in capitals or small letters; a GTIN in each length, or without its leading zeros
 * where eight digits are left. Each of the digits is of the same key.
 */
export function codeForms(code: string): readonly string[] {
  const numbers = codeKeys(code).filter((key) => typeof key === 'bigint');
  const written = numbers.flatMap((key) => gtinLengths.map((length) => String(key).padStart(length, '0')));
  return [...new Set([code, code.toUpperCase(), code.toLowerCase(), ...written])];
}

/** The shortest usual form of a GTIN of 14 digits: 8, 13 or 14 of them, as barcodes carry it. */
export function defaultGtin(gtin14: string): string {
  if (gtin14.startsWith('000000')) {
    return gtin14.slice(6);
  }
  return gtin14.startsWith('0') ? gtin14.slice(1) : gtin14;
}

/**
 * The GTIN of the unit inside a case whose GTIN-14 this is (GS1 General Specifications §2.1.2: indicators 1 to 8), in
 * its usual form. Null for a unit itself, for an item of variable measure (indicator 9), and for what is no GTIN-14.
 */
export function unitInCase(gtin: string): string | null {
  if (!/^[1-8]\d{13}$/.test(gtin) || !hasValidCheckDigit(gtin)) {
    return null;
  }
  const body = gtin.slice(1, 13);
  return defaultGtin(`0${body}${checkDigitOf(body)}`);
}

/**
 * An EAN-13 or UPC-A with its add-on symbol of 2 or 5 digits (GS1 General Specifications §5.2.2.5), as scanners send
 * them: in one run, with a blank between, or with the add-on's own symbology identifier. Null for all else.
 */
export function splitAddOn(text: string): { readonly code: string; readonly addOn: string } | null {
  const [, ean, upc, addOn] = /^(?:(\d{13})|(\d{12}))(?: |\][Ee][12])?(\d{2}|\d{5})$/.exec(text) ?? [];
  const code = ean ?? upc;
  // Twelve and two are as long as a GTIN-14, which is the more usual.
  const isGtin14 = /^\d{14}$/.test(text);
  return code === undefined || addOn === undefined || isGtin14 || !hasValidCheckDigit(code) ? null : { code, addOn };
}

/**
 * The UPC-A that seven digits may stand for: six of a UPC-E with its check digit; or with its number system, 0 or 1,
 * and no check digit.
 */
export function expandUpcE7(digits: string): readonly string[] {
  if (!/^\d{7}$/.test(digits)) {
    return [];
  }
  const checked = expandUpcE(`0${digits}`);
  const [zero, one] = [
    expandUpcE(digits.slice(1)),
    digits.startsWith('1') ? expandUpcEOfSystemOne(digits.slice(1)) : null,
  ];
  return [checked, digits.startsWith('0') ? zero : one].filter((code) => code !== null);
}

function expandUpcEOfSystemOne(core: string): string | null {
  for (let check = 0; check <= 9; check += 1) {
    const expanded = expandUpcE(`1${core}${check}`);
    if (expanded !== null) {
      return expanded;
    }
  }
  return null;
}
