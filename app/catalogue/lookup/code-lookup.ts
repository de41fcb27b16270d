// Owns the way from a read text to the rows of the copy: each thing that the text may mean, in a stated order, until one is found; and
// how the platform is to be asked for what is not. Never writes, never searches names, and never reads a text itself.
//
//   as it came:  barcode ─▶ product code ─▶ id
//   then each meaning of domain/scan.ts, in its order:
//     a GTIN        (GS1, Digital Link, unit in a case, add-on, UPC-E):  barcode
//     scale labels  (all layouts that fit, the first one first):  barcode of the item ─▶ product code as printed ─▶ with fewer or more leading zeros ─▶ id
//   then the alias of the text as it came, and of each GTIN
//
//   C1  The first step that finds anything answers, and the answer says which it was.
//   C2  The platform is asked for a GTIN or an item's code, never for a whole element string; for a whole label only in the end, since it may
//       be an article that the shop has numbered itself.
//   C3  What a scale's label was resolved to is never remembered under the label: the next one bears another figure.
//   C4  What an element carries wins over an alias, which the platform may since have given to another product.
//   C5  A term that is only a part of what an element carries does not name its product: it is shown as searched for, and never remembered.
import type { ScanRead } from '../../contract/scan.ts';
import { hasWrongCheckDigit } from '../../domain/barcode.ts';
import { parseId } from '../../domain/int64.ts';
import type { ScanMeaning, ScanReading } from '../../domain/scan.ts';
import type { ListedProduct } from '../store/element.ts';
import type { ProductReader, RowNumber } from '../store/product-reader.ts';

export interface CodeFinding {
  readonly rows: readonly RowNumber[];
  readonly read: ScanRead;
  /** The alias that answered; null when an element carries what was found. */
  readonly alias: string | null;
}

type ScaleMeaning = Extract<ScanMeaning, { as: 'scaleLabel' }>;
type GtinMeaning = Exclude<ScanMeaning, { as: 'scaleLabel' }>;

/** Questions to the platform for one text; each is a request a stock. */
const mostTerms = 4;
const codeLengths = [4, 5, 6, 7, 8];

function isScale(meaning: ScanMeaning): meaning is ScaleMeaning {
  return meaning.as === 'scaleLabel';
}

function plainly(as: ScanRead['as']): ScanRead {
  return { as, ofCase: null, layout: null, facts: [], fault: null };
}

function readBy(meaning: ScanMeaning, { fault }: ScanReading): ScanRead {
  return { as: meaning.as, ofCase: isScale(meaning) ? null : meaning.ofCase, layout: isScale(meaning) ? meaning.layout : null, facts: [...meaning.facts], fault };
}

function withoutZeros(item: string): string {
  return item.replace(/^0+(?=\d)/, '');
}

/** The item's number with no leading zeros, and with as many as codes of four to eight digits have; but for its printed form. */
function otherForms(item: string): readonly string[] {
  const bare = withoutZeros(item);
  return [...new Set([bare, ...codeLengths.map((length) => bare.padStart(length, '0'))])].filter((form) => form !== item);
}

/** Six characters or more, four of them digits, no blanks: what a label carries rather than what a person calls a thing. */
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
      return { rows, read: plainly(as), alias: null }; // C1
    }
  }
  return null;
}

function firstFound(codes: readonly string[], find: (code: string) => readonly RowNumber[]): readonly RowNumber[] {
  for (const code of codes) {
    const rows = find(code);
    if (rows.length > 0) {
      return rows;
    }
  }
  return [];
}

function findItem(reader: ProductReader, labels: readonly ScaleMeaning[]): { readonly rows: readonly RowNumber[]; readonly label: ScaleMeaning } | null {
  const steps: readonly ((label: ScaleMeaning) => readonly RowNumber[])[] = [
    ({ zeroed }) => firstFound(zeroed, (code) => reader.findByBarcode(code)),
    ({ item }) => reader.findByCode(item),
    ({ item }) => firstFound(otherForms(item), (code) => reader.findByCode(code)),
    ({ item }) => {
      const id = parseId(withoutZeros(item));
      return id === null ? [] : reader.findById(id);
    },
  ];
  for (const step of steps) {
    for (const label of labels) {
      const rows = step(label);
      if (rows.length > 0) {
        return { rows, label };
      }
    }
  }
  return null;
}

/** C4: only what no element carries. */
function findAlias(reader: ProductReader, reading: ScanReading, gtins: readonly GtinMeaning[]): CodeFinding | null {
  const whole = reading.code === null ? [] : [{ alias: reading.code, read: plainly('alias') }];
  for (const { alias, read } of [...whole, ...gtins.map((meaning) => ({ alias: meaning.gtin, read: readBy(meaning, reading) }))]) {
    const rows = reader.findByAlias(alias);
    if (rows.length > 0) {
      return { rows, read, alias };
    }
  }
  return null;
}

/** The rows that a text means; null when the copy has none. Throws StorageError. */
export function findCode(reader: ProductReader, reading: ScanReading): CodeFinding | null {
  const exact = reading.code === null ? null : findAsItCame(reader, reading.code);
  if (exact !== null) {
    return exact;
  }
  const gtins = reading.meanings.filter((one) => !isScale(one));
  for (const meaning of gtins) {
    const rows = reader.findByBarcode(meaning.gtin);
    if (rows.length > 0) {
      return { rows, read: readBy(meaning, reading), alias: null }; // C1
    }
  }
  const item = findItem(reader, reading.meanings.filter(isScale));
  return item === null ? findAlias(reader, reading, gtins) : { rows: item.rows, read: readBy(item.label, reading), alias: null };
}

/** How a text was read that the copy does not have; undefined when it says no more than itself. */
export function readOfMiss(reading: ScanReading): ScanRead | undefined {
  const [first] = reading.meanings;
  // Six or seven digits may be much besides a UPC-E.
  return first === undefined || first.as === 'upcE' ? undefined : readBy(first, reading);
}

/** What the platform is to be asked for, the most telling first; none when the text is not readable. */
export function termsOf({ code, meanings, fault }: ScanReading): readonly string[] {
  const scales = meanings.filter(isScale);
  const gtins = meanings.filter((meaning) => !isScale(meaning)).filter(({ as }) => as !== 'upcE');
  const isWhole = gtins.some(({ as }) => as === 'gs1' || as === 'digitalLink' || as === 'addOn');
  const whole = code === null || isWhole || (fault !== null && meanings.length === 0) ? [] : [code];
  const items = scales.map(({ item }) => item);
  // C2
  const terms = scales.length > 0 ? [...new Set([...items, ...items.map(withoutZeros)])].slice(0, mostTerms - 1).concat(whole) : [...whole, ...gtins.map(({ gtin }) => gtin)];
  return [...new Set(terms)].slice(0, mostTerms);
}

/** Whether a term is an item's code alone: of what the platform finds by it only that counts which bears it, for it is a part of much else. */
export function isItemTerm({ code, meanings }: ScanReading, term: string): boolean {
  return term !== code && meanings.some(isScale);
}

/** Whether the product that the platform gave for a term may be remembered under it. */
export function isLearnable({ meanings }: ScanReading, term: string): boolean {
  return looksScanned(term) && !meanings.some(isScale); // C3
}

/** Whether the platform may have found a product by a term that is only a part of its code, a barcode, its name or its id (C5). */
export function carriesAsPart({ productId, code, otherCodes, barcodes, name }: ListedProduct, term: string): boolean {
  const part = term.toLowerCase();
  return [productId, code ?? '', ...otherCodes, ...barcodes, name].some((carried) => carried.length > term.length && carried.toLowerCase().includes(part));
}
