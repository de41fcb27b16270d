// The labels that a shop's own scales print: an EAN-13 that holds an item's code and its weight, price or pieces (GS1
// General Specifications §2.1.13, prefixes 02 and 20 to 29), where each shop has its own layout. Reads the layouts that
// a person writes, and labels by them.
//
// A layout has one character for each of the 13 digits:
//   0-9  exactly this digit     C  the item's code     X  any digit
//   K  weight in kilograms, three decimals     T  total price, two decimals     Q  pieces
//   V  at the end, the EAN's check digit; before it, the verifier of the figure (§7.9.2 to §7.9.4)
//   ,  or  .  within the figure puts the decimal point elsewhere
// Such as 2CCCC0TTTTTTV, 20CCCCCKKKKKV, 23CCCCCVKKKKV, 2CCCCCTTTTT,TV.
import { checkDigitOf, hasValidCheckDigit } from './barcode.ts';

/** The longest layout that can be right, in characters: 13 places, a decimal point, and room for blanks. */
export const maxLayoutLength = 30;
/** So many layouts a store. */
export const maxLayouts = 20;

/** The three forms that Brazilian scales are usually set to: codes of four, five or six digits, and the total price. */
export const defaultLayouts: readonly string[] = ['2CCCC0TTTTTTV', '2CCCCCTTTTTTV', '2CCCCCCTTTTTV'];

export type ScaleFigure = 'weight' | 'price' | 'pieces';

export interface ScaleLayout {
  /** As it is written, without blanks and in capitals. */
  readonly text: string;
  readonly figure: ScaleFigure;
  readonly decimals: number;
  /** One character a place: 0-9 C X K T Q V. */
  readonly places: string;
  /** Where the figure has a verifier of its own; null without one. */
  readonly verifierAt: number | null;
}

/** Why a text is no layout, in the order in which it is looked at. */
const layoutFaults = ['length', 'character', 'prefix', 'checkDigit', 'code', 'figure', 'point', 'verifier'] as const;
export type LayoutFault = (typeof layoutFaults)[number];

const figures: Readonly<Record<string, { readonly figure: ScaleFigure; readonly decimals: number }>> = {
  K: { figure: 'weight', decimals: 3 },
  T: { figure: 'price', decimals: 2 },
  Q: { figure: 'pieces', decimals: 0 },
};

function placesOf(places: string, letter: string): readonly number[] {
  return [...places].flatMap((character, place) => (character === letter ? [place] : []));
}

function isOneRun(found: readonly number[]): boolean {
  return found.length > 0 && found.at(-1) === (found[0] ?? 0) + found.length - 1;
}

/** Decimals of the figure; null when the point stands outside of it. */
function decimalsOf(text: string, letter: string): number | null {
  const point = text.search(/[.,]/);
  if (point === -1) {
    return figures[letter]?.decimals ?? null;
  }
  return text[point - 1] === letter && text[point + 1] === letter ? placesOf(text.slice(point), letter).length : null;
}

/** Reads a layout as a person writes it, or says what is wrong with it. */
export function readLayout(given: string): ScaleLayout | LayoutFault {
  const text = given
    .slice(0, maxLayoutLength + 1)
    .replaceAll(/\s/g, '')
    .toUpperCase();
  const places = text.replace(/[.,]/, '');
  if (places.length !== 13) {
    return 'length';
  }
  if (!/^[\dCXKTQV]*$/.test(places)) {
    return 'character';
  }
  if (!/^(2|02)/.test(places)) {
    return 'prefix';
  }
  if (!places.endsWith('V')) {
    return 'checkDigit';
  }
  if (!isOneRun(placesOf(places, 'C'))) {
    return 'code';
  }
  const letters = Object.keys(figures).filter((letter) => places.includes(letter));
  const [letter = ''] = letters;
  const kind = figures[letter];
  const at = placesOf(places, letter);
  if (kind === undefined || letters.length !== 1 || !isOneRun(at)) {
    return 'figure';
  }
  const decimals = decimalsOf(text, letter);
  if (decimals === null) {
    return 'point';
  }
  const verifiers = placesOf(places.slice(0, 12), 'V');
  if (verifiers.length > 1 || (verifiers.length === 1 && at.length !== 4 && at.length !== 5)) {
    return 'verifier';
  }
  return { text, figure: kind.figure, decimals, places, verifierAt: verifiers[0] ?? null };
}

/** The layouts among these texts that are right, in their order. */
export function readLayouts(texts: readonly string[]): readonly ScaleLayout[] {
  return texts.slice(0, maxLayouts).flatMap((text) => {
    const layout = readLayout(text);
    return typeof layout === 'string' ? [] : [layout];
  });
}

// Weighting factors of §7.9.2: what each digit counts, by the digit.
const twoMinus = '0246891357';
const three = '0369258147';
const fivePlus = '0516273849';
const fiveMinus = '0594837261';

function weigh(digits: string, factors: readonly string[]): number {
  return factors.reduce((sum, factor, place) => sum + Number(factor[Number(digits[place])]), 0);
}

/** The verifier of a price or weight of four (§7.9.3) or five digits (§7.9.4). */
export function figureVerifierOf(digits: string): string {
  if (digits.length === 4) {
    return String((weigh(digits, [twoMinus, twoMinus, three, fiveMinus]) * 3) % 10);
  }
  const rest = (10 - (weigh(digits, [fivePlus, twoMinus, fiveMinus, fivePlus, twoMinus]) % 10)) % 10;
  return String(fiveMinus.indexOf(String(rest)));
}

export interface ScaleReading {
  readonly layout: ScaleLayout;
  /** The item's digits as they are printed. */
  readonly item: string;
  readonly amount: number;
  /** The codes under which such an item is sometimes listed: this label with a figure of nought. */
  readonly zeroed: readonly string[];
}

function toThirteenDigits(text: string): string {
  if (/^\d{12}$/.test(text)) {
    return `0${text}`;
  }
  return /^0\d{13}$/.test(text) ? text.slice(1) : text;
}

/** The EAN-13 of what may be a scale's label; null for all else. */
export function scaleLabelDigits(text: string): string | null {
  const digits = toThirteenDigits(text);
  return /^(2\d|02)\d{11}$/.test(digits) && hasValidCheckDigit(digits) ? digits : null;
}

function digitsAt(digits: string, places: string, letter: string): string {
  return placesOf(places, letter)
    .map((place) => digits[place])
    .join('');
}

/** Reads a code by each layout that it fits, in their order; `isMisread`: by none of them is the verifier right. */
export function readScaleLabel(
  text: string,
  layouts: readonly ScaleLayout[],
): { readonly readings: readonly ScaleReading[]; readonly isMisread: boolean } {
  const digits = scaleLabelDigits(text);
  if (digits === null) {
    return { readings: [], isMisread: false };
  }
  const fitting = layouts.filter(({ places }) =>
    [...places].every((place, at) => !/\d/.test(place) || place === digits[at]),
  );
  let isMisread = false;
  const readings = fitting.flatMap((layout): ScaleReading[] => {
    const { places, verifierAt, decimals } = layout;
    const letter = /[KTQ]/.exec(places)?.[0] ?? '';
    const figure = digitsAt(digits, places, letter);
    if (verifierAt !== null && digits[verifierAt] !== figureVerifierOf(figure)) {
      isMisread = true;
      return [];
    }
    const item = digitsAt(digits, places, 'C');
    if (/^0+$/.test(item)) {
      // No item has that code; it is an article that the shop has numbered itself.
      return [];
    }
    const nought = Array.from(digits.slice(0, 12), (digit, at) =>
      places[at] === letter || at === verifierAt ? '0' : digit,
    ).join('');
    return [
      { layout, item, amount: Number(`${figure}e-${decimals}`), zeroed: [nought + checkDigitOf(nought), `${nought}0`] },
    ];
  });
  return { readings, isMisread: isMisread && readings.length === 0 };
}
