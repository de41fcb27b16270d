//   as it came:  barcode ─▶ product code ─▶ id
//   then each meaning of domain/codes/scan.ts, in its order:
//     a GTIN        (GS1, Digital Link, unit in a case, add-on, UPC-E):  barcode
//     scale labels  (all layouts that fit):  scale-lookup.ts
//   then the alias of the text as it came, and of each GTIN
//
//   C1  The first step that finds anything answers, and the answer says which it was.
//   C2  The platform is asked for a GTIN or an item's code, never for a whole element string; for a whole label only in
//       the end, since it may be an article that the shop has numbered itself, but first of all where the copy has an
//       answer already (K8), for that article would go before it.
//   C3  What a scale's label was resolved to is never remembered under the label: the next one bears another figure.
//   C4  What an element carries wins over an alias, which the platform may since have given to another product.
//   C5  A term names a product when its element carries it whole, or when it is a GTIN with a right check digit that
//       the element does not carry as a part of more. Any other term may be a fragment: what the platform finds by it
//       is shown as searched for, and never remembered.
import type { ScanRead } from '../../contract/scan.ts';
import { hasWrongCheckDigit, looksLikeGtin } from '../../domain/codes/barcode.ts';
import { parseId } from '../../domain/int64.ts';
import type { ScanMeaning, ScanReading } from '../../domain/codes/scan.ts';
import type { ListedElement } from '../../platform/listing/listed-element.ts';
import type { ProductReader, RowNumber } from '../repository/product-reader.ts';
import type { LabelChoices } from './label-choices.ts';
import { findScaleLabel, isScale, withoutZeros, type ScaleMeaning } from './scale-lookup.ts';

export interface CodeFinding {
  readonly rows: readonly RowNumber[];
  readonly read: ScanRead;
  /** The alias that answered; null when an element carries what was found. */
  readonly alias: string | null;
  /** Whether a scale's label leads to different products: a person has to choose. */
  readonly isAmbiguous: boolean;
}

type GtinMeaning = Exclude<ScanMeaning, ScaleMeaning>;

/** Questions to the platform for one text; each is a request a stock. */
const maxTerms = 4;

function plainly(as: ScanRead['as']): ScanRead {
  return { as, ofCase: null, layout: null, facts: [], fault: null };
}

function readBy(meaning: ScanMeaning, { fault }: ScanReading): ScanRead {
  return {
    as: meaning.as,
    ofCase: isScale(meaning) ? null : meaning.ofCase,
    layout: isScale(meaning) ? meaning.layout : null,
    facts: [...meaning.facts],
    fault,
  };
}

/**
 * Six characters or more, four of them digits, no blanks: what a label carries rather than what a person calls a thing.
 */
export function looksScanned(text: string): boolean {
  return /^[!-~]{6,100}$/.test(text) && text.replaceAll(/\D/g, '').length >= 4 && !hasWrongCheckDigit(text);
}

/** Rows for the text as it came. */
function findAsItCame(reader: ProductReader, code: string): CodeFinding | null {
  const id = parseId(code);
  const steps: readonly (readonly [ScanRead['as'], () => readonly RowNumber[]])[] = [
    ['barcode', () => reader.findByBarcode(code)],
    ['productCode', () => reader.findByCode(code)],
    ['id', () => (id === code ? reader.findById(id) : [])],
  ];
  for (const [as, step] of steps) {
    const rows = step();
    if (rows.length > 0) {
      return { rows, read: plainly(as), alias: null, isAmbiguous: false }; // C1
    }
  }
  return null;
}

/** Whether a product carries the text as it came, before which no other meaning goes (C1). Throws StorageError. */
export function carriesAsItCame(reader: ProductReader, { code }: ScanReading): boolean {
  return code !== null && findAsItCame(reader, code) !== null;
}

/** C4: only what no element carries. */
function findAlias(reader: ProductReader, reading: ScanReading, gtins: readonly GtinMeaning[]): CodeFinding | null {
  const whole = reading.code === null ? [] : [{ alias: reading.code, read: plainly('alias') }];
  for (const { alias, read } of [
    ...whole,
    ...gtins.map((meaning) => ({ alias: meaning.gtin, read: readBy(meaning, reading) })),
  ]) {
    const rows = reader.findByAlias(alias);
    if (rows.length > 0) {
      return { rows, read, alias, isAmbiguous: false };
    }
  }
  return null;
}

/**
 * The rows that a text means, by what people chose for the labels of scales unless that is null; null when the copy has
 * none. Throws StorageError.
 */
export function findCode(
  reader: ProductReader,
  reading: ScanReading,
  choices: Pick<LabelChoices, 'find'> | null,
): CodeFinding | null {
  const exact = reading.code === null ? null : findAsItCame(reader, reading.code);
  if (exact !== null) {
    return exact;
  }
  const gtins = reading.meanings.filter((one) => !isScale(one));
  for (const meaning of gtins) {
    const rows = reader.findByBarcode(meaning.gtin);
    if (rows.length > 0) {
      return { rows, read: readBy(meaning, reading), alias: null, isAmbiguous: false }; // C1
    }
  }
  const label = findScaleLabel(reader, reading, choices);
  return label === null ? findAlias(reader, reading, gtins) : { ...label, alias: null };
}

/** How a text was read that the copy does not have; undefined when it says no more than itself. */
export function readOfMiss(reading: ScanReading): ScanRead | undefined {
  const [first] = reading.meanings;
  // Six or seven digits may be much besides a UPC-E.
  return first === undefined || first.as === 'upcE' ? undefined : readBy(first, reading);
}

/** The terms to ask the platform for, the most telling first; none when the text is not readable. */
export function termsOf({ code, meanings, fault }: ScanReading): readonly string[] {
  const scales = meanings.filter(isScale);
  const gtins = meanings.filter((meaning) => !isScale(meaning)).filter(({ as }) => as !== 'upcE');
  const isWhole = gtins.some(({ as }) => as === 'gs1' || as === 'digitalLink' || as === 'addOn');
  const whole = code === null || isWhole || (fault !== null && meanings.length === 0) ? [] : [code];
  const items = scales.map(({ item }) => item);
  // C2
  const terms =
    scales.length > 0
      ? [...new Set([...items, ...items.map(withoutZeros)])].slice(0, maxTerms - 1).concat(whole)
      : [...whole, ...gtins.map(({ gtin }) => gtin)];
  return [...new Set(terms)].slice(0, maxTerms);
}

/** The same, the meaning that goes before the others first (C1). */
export function nearestTermsOf(reading: ScanReading): readonly string[] {
  return termsOf(reading).toSorted((one, other) => Number(other === reading.code) - Number(one === reading.code));
}

/**
 * Whether a term is an item's code alone: of what the platform finds by it only that counts which bears it, for it is a
 * part of much else.
 */
export function isItemTerm({ code, meanings }: ScanReading, term: string): boolean {
  return term !== code && meanings.some(isScale);
}

/** Whether the product that the platform gave for a term may be remembered under it. */
export function isLearnable({ meanings }: ScanReading, term: string): boolean {
  return looksScanned(term) && !meanings.some(isScale); // C3
}

/** Whether a term names the product of an element that the platform found by it (C5). */
export function isNamedBy(element: ListedElement, term: string): boolean {
  const text = term.toLowerCase();
  if (element.texts.some((carried) => carried.toLowerCase() === text)) {
    return true;
  }
  const { product } = element;
  const carried =
    product === null
      ? []
      : [product.productId, product.code ?? '', ...product.otherCodes, ...product.barcodes, product.name];
  return looksLikeGtin(term) && !hasWrongCheckDigit(term) && !carried.some((one) => one.toLowerCase().includes(text));
}
