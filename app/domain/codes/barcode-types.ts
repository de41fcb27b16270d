// The barcode types that the platform lists (API v3 §2 "Barcode types"), in its order, with the texts that each can
// carry.
import { expandUpcE, hasValidCheckDigit } from './barcode.ts';

export interface BarcodeType {
  readonly dimension: '1D' | '2D';
  /** True for a text that can be drawn as this type without being changed. */
  readonly carries: (text: string) => boolean;
}

function line(carries: RegExp | ((text: string) => boolean)): BarcodeType {
  return { dimension: '1D', carries: typeof carries === 'function' ? carries : (text) => carries.test(text) };
}

/** A matrix that holds any text, as UTF-8 where it has to. */
const matrix: BarcodeType = { dimension: '2D', carries: (text) => text.length > 0 && text.length <= 500 };

const withCheckDigit =
  (digits: RegExp) =>
  (text: string): boolean =>
    digits.test(text) && hasValidCheckDigit(text);
const between =
  (least: number, most: number) =>
  (text: string): boolean =>
    /^[1-9]\d{0,8}$/.test(text) && Number(text) >= least && Number(text) <= most;

const code39 = line(/^[0-9A-Z\-. $/+%]{1,40}$/);
// Control characters as well.
const ascii = /^[\0-\x7f]{1,80}$/;
const digits = line(/^\d{1,40}$/);

export const barcodeTypes = {
  C39: code39,
  C39_PLUS: code39,
  C39E: line((text) => ascii.test(text) && text.length <= 40),
  C39E_PLUS: line((text) => ascii.test(text) && text.length <= 40),
  C93: line((text) => ascii.test(text) && text.length <= 60),
  S25: digits,
  S25_PLUS: digits,
  // Two digits are interleaved; one more in front would be another number.
  I25: line(/^(?:\d\d){1,20}$/),
  // The check digit makes the number even; an even one must bring it.
  I25_PLUS: line((text) => /^\d{1,40}$/.test(text) && (text.length % 2 === 1 || hasValidCheckDigit(text))),
  C128: line(ascii),
  // Capitals and control characters.
  C128_A: line(/^[\0-\x5f]{1,80}$/),
  C128_B: line(/^[\x20-\x7f]{1,80}$/),
  C128_C: line(/^(?:\d\d){1,40}$/),
  EAN2: line(/^\d{2}$/),
  EAN5: line(/^\d{5}$/),
  EAN8: line(withCheckDigit(/^\d{8}$/)),
  EAN13: line(withCheckDigit(/^\d{13}$/)),
  UPCA: line(withCheckDigit(/^\d{12}$/)),
  UPCE: line((text) => text.length === 8 && expandUpcE(text) !== null),
  MSI: digits,
  MSI_PLUS: digits,
  POSTNET: line(/^(?:\d{5}|\d{9}|\d{11})$/),
  PLANET: line(/^(?:\d{11}|\d{13})$/),
  RMS4CC: line(/^[0-9A-Z]{1,50}$/),
  KIX: line(/^[0-9A-Z]{1,50}$/),
  // The second digit of the barcode identifier is 0 to 4 (USPS-B-3200).
  IMB: line(/^\d[0-4]\d{18}(?:\d{5}|\d{9}|\d{11})?$/),
  CODABAR: line(/^(?:[A-D][0-9\-$:/.+]{1,40}[A-D]|[0-9\-$:/.+]{1,40})$/),
  CODE11: line(/^[0-9-]{1,40}$/),
  PHARMA: line(between(3, 131_070)),
  PHARMA2T: line(between(4, 64_570_080)),
  QRCODE: matrix,
  PDF417: matrix,
  DATAMATRIX: matrix,
} as const satisfies Readonly<Record<string, BarcodeType>>;

/** The platform's name of a barcode type. */
export type BarcodeTypeName = keyof typeof barcodeTypes;

/** True for one of the platform's names, letter for letter. */
export function isBarcodeTypeName(text: string): text is BarcodeTypeName {
  return Object.hasOwn(barcodeTypes, text);
}
