// Reads the character that a key adds to a scan: the one the scanner meant, whichever keyboard this computer is set to
// and whether Caps Lock is on; GS1's separator in each of its forms; and the texts that a scanner adds around a code.
import type { ScannerSettings } from '../../app/contract/scanner.ts';

/** A key as the page tells it. */
export interface KeyPress {
  /** The character, or the key's name, as in KeyboardEvent.key. */
  readonly key: string;
  /** The place of the key on an American keyboard, as in KeyboardEvent.code; empty when the system does not tell it. */
  readonly code: string;
  /** When it was pressed, in milliseconds from any fixed moment. */
  readonly atMs: number;
  /** True when the key is being held down; scanners never do. */
  readonly isRepeat: boolean;
  /** True with control, alt or meta, which no scanner holds except for the GS1 separator. */
  readonly isChord: boolean;
  /** True with alt alone, under which Windows takes digits of the number pad for a character's code. */
  readonly isAlt: boolean;
  readonly isShift: boolean;
  readonly isCapsLock: boolean;
}

/** GS1's separator, ASCII 29. */
export const separator = '\u001d';

// Each place with what it types alone and under shift, on the American keyboard that most scanners leave the factory
// with.
const american: ReadonlyMap<string, readonly [string, string]> = new Map([
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => [`Key${letter}`, [letter.toLowerCase(), letter]] as const),
  ...[...')!@#$%^&*('].map((sign, digit) => [`Digit${digit}`, [String(digit), sign]] as const),
  ...[...'0123456789'].map((digit) => [`Numpad${digit}`, [digit, digit]] as const),
  ['Space', [' ', ' ']],
  ['Minus', ['-', '_']],
  ['Equal', ['=', '+']],
  ['BracketLeft', ['[', '{']],
  ['BracketRight', [']', '}']],
  ['Backslash', ['\\', '|']],
  ['Semicolon', [';', ':']],
  ['Quote', ["'", '"']],
  ['Backquote', ['`', '~']],
  ['Comma', [',', '<']],
  ['Period', ['.', '>']],
  ['Slash', ['/', '?']],
  ['NumpadDecimal', ['.', '.']],
  ['NumpadAdd', ['+', '+']],
  ['NumpadSubtract', ['-', '-']],
  ['NumpadMultiply', ['*', '*']],
  ['NumpadDivide', ['/', '/']],
]);

/**
 * A scanner that holds shift for a capital knows nothing of Caps Lock, which turns every letter of it round. A letter
 * that cannot come from the two together was not typed with keys, and is right as it is.
 */
function withoutCapsLock({ key, isShift, isCapsLock }: KeyPress): string {
  const [lower, upper] = [key.toLowerCase(), key.toUpperCase()];
  if (!isCapsLock || key !== (isShift ? lower : upper)) {
    return key;
  }
  return isShift ? upper : lower;
}

/**
 * The character that a key adds to a scan, or null: the GS1 separator comes as control and "]", as F8, or as itself.
 */
export function characterOf(press: KeyPress, keyboard: ScannerSettings['keyboard']): string | null {
  if (press.isChord) {
    return press.key === separator || press.key === ']' || (press.code === 'BracketRight' && !press.isAlt)
      ? separator
      : null;
  }
  if (press.key === 'F8') {
    return separator;
  }
  if (keyboard === 'american') {
    const place = american.get(press.code);
    if (place !== undefined) {
      return place[press.isShift ? 1 : 0];
    }
  }
  return press.key.length === 1 ? withoutCapsLock(press) : null;
}

/** Spellings of the separator by scanners that are set to make it visible. */
const writtenSeparators = /<GS>|\{GS\}|\[GS\]|\u241d/gi;

/** The symbology identifier that may stand before a code, ISO/IEC 15424. */
const symbologyIdentifier = /^\][A-Za-z][0-9A-Za-z]/;

function withoutPrefix(text: string, prefix: string): string {
  if (prefix === '' || text.startsWith(prefix)) {
    return text.slice(prefix.length);
  }
  // Some scanners put it between the symbology identifier and the code.
  const symbology = symbologyIdentifier.exec(text)?.[0] ?? '';
  return symbology !== '' && text.startsWith(prefix, symbology.length)
    ? symbology + text.slice(symbology.length + prefix.length)
    : text;
}

/**
 * The text of a scan without what the scanner is set to add; all of it when nothing else would be left. The symbology
 * identifier stays: it says how the code is read.
 */
export function withoutMarks(text: string, { prefix, suffix }: Pick<ScannerSettings, 'prefix' | 'suffix'>): string {
  const begun = withoutPrefix(text, prefix);
  const code = suffix !== '' && begun.endsWith(suffix) ? begun.slice(0, -suffix.length) : begun;
  return code === '' ? text : code.replaceAll(writtenSeparators, separator);
}
