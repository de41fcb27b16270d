import { fieldsOf, isObject, type JsonObject } from '../../domain/loose-json.ts';
import { optionListKeys, productKeys, rowsKey, updatedKeys } from './element.ts';
import type { ListedProduct } from './listed.ts';
import { valuesOf } from './raw-element.ts';
import { balanceKeys, readFigure } from './stock-fields.ts';

/** Without its figure, options and fields of these names, beside the product and inside of it. */
function withoutFigure(content: unknown, names: readonly string[] = [], isInside = false): JsonObject {
  const kept = fieldsOf(isObject(content) ? content : {}).filter(
    ({ key, value }) =>
      !optionListKeys.includes(key) &&
      !names.includes(key) &&
      (!balanceKeys.includes(key) || readFigure(value) === null),
  );
  return Object.fromEntries(
    kept.map(({ name, key, value }) => [
      name,
      !isInside && productKeys.includes(key) && isObject(value) ? withoutFigure(value, names, true) : value,
    ]),
  );
}

/**
 * One element of the rows that a page of a stock's listing has of one product, such as one for each of its options:
 * API v3 §4.3 does not say that there is one alone. It is found by what each is found by. Rows that differ in more than
 * a barcode each have a figure of a part: they are the product's options, and its own figure is not known.
 */
export function combineRows(contents: readonly unknown[], products: readonly ListedProduct[]): JsonObject {
  const isOne = new Set(products.map((product) => JSON.stringify({ ...product, barcodes: [] }))).size === 1;
  const [first] = contents;
  const known = products.slice(0, 1).flatMap(({ code, otherCodes }) => [code, ...otherCodes]);
  const barcodes = products.flatMap((product) => [
    ...product.barcodes,
    ...[product.code, ...product.otherCodes].filter((code) => code !== null && !known.includes(code)),
  ]);
  return isOne && isObject(first)
    ? { ...first, barcodes: [...new Set(barcodes)] }
    : { ...withoutFigure(first), barcodes: [...new Set(barcodes)], [rowsKey]: contents };
}

/** The rows that an element is of: itself where it came as it is. */
export function rowsOf(content: unknown): readonly unknown[] {
  const rows = isObject(content) ? content[rowsKey] : undefined;
  return Array.isArray(rows) ? rows : [content];
}

/**
 * The same for two that are one row which has come again, whatever its figure and dates are now; null where it cannot be
 * told.
 */
export function rowKeyOf(row: unknown): string | null {
  return valuesOf(withoutFigure(row, updatedKeys));
}
