import { hash } from 'node:crypto';
import { writeJson, writeValues } from '../../domain/json.ts';
import { isObject } from '../../domain/loose-json.ts';
import { rowsKey } from './element.ts';
import { readerVersion, type KeptElement, type ListedProduct } from './listed.ts';
import { codeKeys } from './stock-fields.ts';

const maxRawLength = 65_536;

// Of a whole element, in 48 bits: one that changed goes unnoticed once in 2^48 changes, until it changes again.
function digestOf(raw: string): number {
  return hash('sha1', `${String(readerVersion)} ${raw}`, 'buffer').readUIntBE(0, 6);
}

/** Reads back as the same product, with the same keys, without what has no place of its own. */
function shortForm(
  { productId, code, otherCodes, name, unit, barcodes, balance, options }: ListedProduct,
  isOfRows: boolean,
): string {
  const codes = [code, ...otherCodes].map((one, place) => [codeKeys[place], one]);
  return writeJson({
    product_id: BigInt(productId),
    name,
    unit,
    barcodes,
    balance,
    ...Object.fromEntries(codes),
    [isOfRows ? rowsKey : 'options']: options.map((option) => ({ name: option.name, balance: option.amount })),
  });
}

/** An element as it is to be kept, by W3 and W4 of app/catalogue/repository/product-writer.ts. */
export function keptOf(element: unknown, listed: ListedProduct | null): KeptElement {
  let [raw, whole] = ['', ''];
  let isWhole = false;
  try {
    raw = writeJson(element);
    isWhole = raw.length <= maxRawLength;
    // Of a long one no digits are kept that could be shown.
    whole = isWhole ? raw : writeValues(element);
  } catch {
    // Nested deeper than the stack.
  }
  const text = isWhole || listed === null ? raw : shortForm(listed, isObject(element) && rowsKey in element);
  return { text, digest: digestOf(whole === '' ? text : whole), isWhole };
}

/** The same for elements that say the same, however many zeros stand behind their decimals; null where it cannot be told. */
export function valuesOf(element: unknown): string | null {
  try {
    return writeValues(element);
  } catch {
    // Nested deeper than the stack.
    return null;
  }
}

/** Whether two elements say the same. */
export function holdSameValues(one: unknown, other: unknown): boolean {
  const values = valuesOf(one);
  return values !== null && values === valuesOf(other);
}
