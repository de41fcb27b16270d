import {
  chooseBarcode,
  codesToDraw,
  readableCode,
  statedType,
  type BarcodeChoice,
} from '../../app/domain/codes/barcode-choice.ts';
import type { BarcodeTypeName } from '../../app/domain/codes/barcode-types.ts';
import type { Language } from '../../app/contract/basics.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import english from '../locales/barcode-types.en.json' with { type: 'json' };
import spanish from '../locales/barcode-types.es.json' with { type: 'json' };
import portuguese from '../locales/barcode-types.pt-BR.json' with { type: 'json' };
import { drawSymbol, fullHeight, fullWidth, pathOf, type BarcodeSymbol } from './barcode-symbol.ts';

const names: Readonly<Record<Language, Readonly<Record<BarcodeTypeName, string>>>> = {
  en: english,
  'pt-BR': portuguese,
  es: spanish,
};

/** The name of a barcode type in the user's language. */
export function nameOfType(type: BarcodeTypeName, language: Language): string {
  return names[language][type];
}

type DrawnProduct = Pick<ProductCard, 'barcodes' | 'code' | 'extra'>;

/** A code with its symbol. */
export interface DrawnCode extends BarcodeChoice {
  readonly symbol: BarcodeSymbol;
}

/** The product's codes that can be drawn, that of the scan first. */
export function drawableCodes(product: DrawnProduct, scanned: string): readonly BarcodeChoice[] {
  const stated = statedType(product.extra);
  return codesToDraw(product, scanned).flatMap((text) => chooseBarcode(text, stated) ?? []);
}

/** Draws a code; null when its type cannot carry it after all. */
export function drawCode(choice: BarcodeChoice): DrawnCode | null {
  const symbol = drawSymbol(choice);
  return symbol === null ? null : { ...choice, symbol };
}

export interface BarcodePicture {
  /** In CSS pixels, with the white around. */
  readonly width: number;
  readonly height: number;
  readonly path: string;
  readonly type: BarcodeTypeName;
  readonly name: string;
  readonly readable: string;
  readonly refusedName: string | null;
  /** How many codes of the product can be drawn. */
  readonly count: number;
}

/**
 * The picture of the product's code at this place, at most so many pixels wide and high; null when it has none that can
 * be drawn.
 */
export function pictureOf(
  product: DrawnProduct,
  scanned: string,
  place: number,
  language: Language,
  room: { readonly width: number; readonly height: number },
): BarcodePicture | null {
  const choices = drawableCodes(product, scanned);
  const choice = choices[place % choices.length];
  const drawn = choice === undefined ? null : drawCode(choice);
  if (drawn === null) {
    return null;
  }
  const { symbol, type, refused } = drawn;
  const fitting = Math.min(
    room.width / fullWidth(symbol),
    symbol.kind === 'bars' ? Infinity : room.height / fullHeight(symbol),
    4,
  );
  // Whole pixels a module keep the edges sharp; only a very long code has less than one.
  const scale = fitting >= 1 ? Math.floor(fitting) : fitting;
  const upright = symbol.kind === 'bars' ? room.height / symbol.height : scale;
  const { left, around } = symbol.quiet;
  return {
    width: fullWidth(symbol) * scale,
    height: symbol.kind === 'bars' ? room.height : fullHeight(symbol) * scale,
    path: pathOf(symbol.shapes, ([x, y]) => [(left + x) * scale, (around + y) * upright]),
    type,
    name: nameOfType(type, language),
    readable: readableCode(drawn),
    refusedName: refused === null ? null : nameOfType(refused, language),
    count: choices.length,
  };
}
