// How each barcode type of the platform (API v3 §2 "Barcode types") is made by bwip-js: which of its symbologies, with
// which options, and how much white the standard asks for around it.
import {
  code11,
  code128,
  code39,
  code39ext,
  code93ext,
  datamatrix,
  ean13,
  ean2,
  ean5,
  ean8,
  industrial2of5,
  interleaved2of5,
  kix,
  msi,
  onecode,
  pdf417,
  pharmacode,
  pharmacode2,
  planet,
  postnet,
  qrcode,
  rationalizedCodabar,
  royalmail,
  upca,
  upce,
  type DrawingContext,
  type RenderOptions,
} from 'bwip-js/browser';
import type { BarcodeTypeName } from '../../app/domain/codes/barcode-types.ts';

/** One symbology of bwip-js. Throws for a text that it cannot carry. */
export type Encoder = <Drawn>(options: RenderOptions, drawing: DrawingContext<Drawn>) => Drawn;

/**
 * `bars`: as high as there is room; `tracks`: bars of several heights; `matrix`: modules in rows. The latter two keep
 * their shape.
 */
export type SymbolKind = 'bars' | 'tracks' | 'matrix';

export interface Symbology {
  readonly encode: Encoder;
  readonly kind: SymbolKind;
  /** Options of bwip-js beyond the text. */
  readonly options: Readonly<Record<string, boolean>>;
  /** Prepares a text for bwip-js. */
  readonly prepare: (text: string) => string;
  /** White to the left and to the right, in modules. */
  readonly quiet: readonly [number, number];
  /** bwip-js' units (1/72 inch) in one module. */
  readonly unitsPerModule: number;
}

const asItIs = (text: string): string => text;

function bars(encode: Encoder, more: Partial<Symbology> = {}): Symbology {
  return { encode, kind: 'bars', options: {}, prepare: asItIs, quiet: [10, 10], unitsPerModule: 1, ...more };
}
const checked: Partial<Symbology> = { options: { includecheck: true } };
const tracks = (encode: Encoder): Symbology => bars(encode, { kind: 'tracks', quiet: [9, 9] });
const matrix = (encode: Encoder, quietModules: number, unitsPerModule: number): Symbology =>
  bars(encode, { kind: 'matrix', quiet: [quietModules, quietModules], unitsPerModule });

/** Code 128 in one set only: its codewords (ISO/IEC 15417 table 1) after that set's start. */
function code128In(start: 103 | 104 | 105): Symbology {
  const codewordsOf = (text: string): readonly number[] =>
    start === 105
      ? (text.match(/\d\d/g) ?? []).map(Number)
      : [...text].map((character) => {
          const code = character.charCodeAt(0);
          return code < 32 ? code + 64 : code - 32;
        });
  return bars(code128, {
    options: { raw: true },
    prepare: (text) =>
      [start, ...codewordsOf(text)].map((codeword) => `^${String(codeword).padStart(3, '0')}`).join(''),
  });
}

export const symbologies: Readonly<Record<BarcodeTypeName, Symbology>> = {
  C39: bars(code39),
  C39_PLUS: bars(code39, checked),
  C39E: bars(code39ext),
  C39E_PLUS: bars(code39ext, checked),
  // Code 93 is never without its two check characters.
  C93: bars(code93ext, checked),
  S25: bars(industrial2of5),
  S25_PLUS: bars(industrial2of5, checked),
  I25: bars(interleaved2of5),
  // An even number brings its check digit along; see what the type carries.
  I25_PLUS: bars(interleaved2of5, {
    prepare: (text) => (text.length % 2 === 0 ? text.slice(0, -1) : text),
    ...checked,
  }),
  C128: bars(code128),
  C128_A: code128In(103),
  C128_B: code128In(104),
  C128_C: code128In(105),
  EAN2: bars(ean2, { quiet: [9, 5] }),
  EAN5: bars(ean5, { quiet: [9, 5] }),
  EAN8: bars(ean8, { quiet: [7, 7] }),
  EAN13: bars(ean13, { quiet: [11, 7] }),
  UPCA: bars(upca, { quiet: [9, 9] }),
  UPCE: bars(upce, { quiet: [9, 7] }),
  MSI: bars(msi),
  // Modulo 10, which most readers of MSI expect; the platform's document does not say which.
  MSI_PLUS: bars(msi, checked),
  POSTNET: tracks(postnet),
  PLANET: tracks(planet),
  RMS4CC: tracks(royalmail),
  KIX: tracks(kix),
  IMB: tracks(onecode),
  // The start and stop letters are part of the symbol, not of the number.
  CODABAR: bars(rationalizedCodabar, { prepare: (text) => (/^[A-D]/.test(text) ? text : `A${text}A`) }),
  // Readers expect Code 11 with its check digit.
  CODE11: bars(code11, checked),
  PHARMA: bars(pharmacode),
  PHARMA2T: tracks(pharmacode2),
  QRCODE: matrix(qrcode, 4, 2),
  PDF417: matrix(pdf417, 2, 1),
  DATAMATRIX: matrix(datamatrix, 2, 2),
};
