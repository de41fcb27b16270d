// The tolerant reading of one `stock_products` element, whose fields API v3 §2 does not show: flat or with a product
// inside, whatever its fields are called.
import { hasValidCheckDigit } from '../../domain/codes/barcode.ts';
import { parseDateTime } from '../../domain/date-time.ts';
import { parseId } from '../../domain/int64.ts';
import {
  fieldsOf,
  isObject,
  joinNames,
  take,
  toShownText,
  toText,
  type Field,
  type JsonObject,
} from '../../domain/loose-json.ts';
import type { ListedProduct } from './listed.ts';
import {
  balanceKeys,
  codeKeys,
  maxOptions,
  nameKeys,
  readFigure,
  readOptions,
  readUnit,
  unitKeys,
} from './stock-fields.ts';

const maxBarcodeLength = 100;
const maxBarcodes = 50;
/** Objects inside one another; in deeper ones no barcode is looked for. */
const barcodeLevels = 6;
const maxExtra = 100;

/** Where the product is inside of an element. */
export const productKeys = ['product', 'produto', 'item'];
/** This app's own name for the rows of a product that are one element, see `combineRows`. */
export const rowsKey = 'rows_of_product';
/** Where a product's options are. */
export const optionListKeys: readonly string[] = [
  rowsKey,
  'options',
  'balance_options',
  'product_options',
  'opcoes',
  'variations',
  'variacoes',
  'grid',
  'grids',
];
/** The names that an id may have, of the product itself and of a row around it. */
export const idKeys = ['id', 'product_id', 'produto_id', 'id_product'];
const barcodeTextKeys = ['code', 'value', 'number', 'codigo', 'barcode'];
export const stockKeys = ['stock', 'estoque'];
export const updatedKeys = [
  'updated_at',
  'last_updated_at',
  'last_update',
  'modified_at',
  'last_modified',
  'atualizado_em',
  'alterado_em',
  'data_atualizacao',
];
export const barcodeName =
  /(^|_)(bar_?codes?|ean(_?(8|13))?s?|gtin(_?(8|12|13|14))?s?|upc(_?[ae])?s?|codigos?_(de_)?barras?)(_?\d)?$/;

function barcodesIn(value: unknown, levels: number): string[] {
  if (Array.isArray(value)) {
    return value
      .slice(0, maxBarcodes)
      .flatMap((inner: unknown) => barcodesIn(Array.isArray(inner) ? null : inner, levels));
  }
  if (isObject(value)) {
    const fields = levels === 0 ? [] : fieldsOf(value);
    const text = take(fields, barcodeTextKeys, (inner) => toText(inner, maxBarcodeLength));
    return text === null
      ? barcodesOf(
          fields.filter((field) => !isObject(field.value)),
          levels - 1,
        )
      : [text];
  }
  const text = toText(value, maxBarcodeLength);
  return text === null ? [] : [text];
}

/** All barcodes of the fields, which then count as used. */
export function barcodesOf(fields: readonly Field[], levels = barcodeLevels): string[] {
  return fields
    .filter((field) => barcodeName.test(field.key))
    .flatMap((field) => {
      const found = barcodesIn(field.value, levels);
      field.isUsed ||= found.length > 0;
      return found;
    });
}

function optionBarcodesOf(fields: readonly Field[]): string[] {
  return fields
    .filter((field) => optionListKeys.includes(field.key) && Array.isArray(field.value))
    .flatMap((field) =>
      (field.value as readonly unknown[])
        .slice(0, maxOptions)
        .flatMap((option) => (isObject(option) ? barcodesOf(fieldsOf(option)) : [])),
    );
}

function extraOf(fields: readonly Field[]): { name: string; value: string }[] {
  const extra: { name: string; value: string }[] = [];
  for (const field of fields) {
    const inner = isObject(field.value)
      ? fieldsOf(field.value).map(({ name, written }) => ({ name: joinNames(field.name, name), written }))
      : [field];
    for (const { name, written } of field.isUsed || extra.length >= maxExtra ? [] : inner) {
      const shownName = toText(name);
      const shownValue = toShownText(written);
      if (shownName !== null && shownValue !== null) {
        extra.push({ name: shownName, value: shownValue });
      }
    }
  }
  return extra;
}

/** The fields of the product inside of an element, those of the row around it, and both. */
function productAndRow(element: JsonObject) {
  const outer = fieldsOf(element);
  const nested = outer.find((field) => productKeys.includes(field.key) && isObject(field.value));
  const inner = nested === undefined ? [] : fieldsOf(nested.value as JsonObject);
  // The product's own fields first: beside a product inside, the outer `id` and `name` may be those of the stock's row.
  return { inner, outer, fields: [...inner, ...outer.filter((field) => field !== nested)] };
}

/** Reads one element of a stock's listing (API v3 §4.3); null when it has no id that this app can find. */
export function readElement(element: unknown): ListedProduct | null {
  if (!isObject(element)) {
    return null;
  }
  const { inner, outer, fields } = productAndRow(element);
  const productId =
    take(inner, ['id', 'product_id'], parseId) ??
    take(outer, ['product_id', 'id_product', 'produto_id', 'id'], parseId);
  if (productId === null) {
    return null;
  }
  const codes = codeKeys.flatMap((key) => take(fields, [key], toText) ?? []);
  const code = codes[0] ?? null;
  const otherCodes = [...new Set(codes.slice(1))].filter((other) => other !== code);
  for (const field of fields) {
    const text = codeKeys.includes(field.key) ? toText(field.value) : null;
    field.isUsed &&= text === null || text === code;
  }
  const barcodes = [...barcodesOf(fields), ...optionBarcodesOf(fields)];
  const balance =
    take(
      fields.filter((field) => !inner.includes(field)),
      balanceKeys,
      readFigure,
    ) ?? take(inner, balanceKeys, readFigure);
  const optionList = fields.find((field) => optionListKeys.includes(field.key) && readOptions(field.value).length > 0);
  if (optionList !== undefined) {
    optionList.isUsed = true;
  }
  const stockName = take(fields, stockKeys, (value) =>
    isObject(value) ? take(fieldsOf(value), nameKeys, toText) : null,
  );
  return {
    productId,
    code,
    name: take(fields, nameKeys, toText) ?? code ?? productId,
    unit: take(fields, unitKeys, readUnit),
    // Some shops put the GTIN into the code itself, and a GTIN is looked up in more forms than a code.
    barcodes: [
      ...new Set([
        ...barcodes,
        ...codes.filter((candidate) => /^\d{12,14}$/.test(candidate) && hasValidCheckDigit(candidate)),
      ]),
    ].slice(0, maxBarcodes),
    otherCodes: otherCodes.slice(0, maxBarcodes),
    balance,
    options: optionList === undefined ? [] : readOptions(optionList.value),
    extra: extraOf(fields).slice(0, maxExtra),
    stockName,
  };
}

/** See `ListedElement.offsetMinutes`. */
export function offsetIn(element: unknown): number | null {
  for (const { value } of isObject(element) ? productAndRow(element).fields : []) {
    const moment = typeof value === 'string' && value.length < 40 ? parseDateTime(value) : null;
    if (moment !== null && !String(value).endsWith('Z')) {
      return moment.offsetMinutes;
    }
  }
  return null;
}

/** See `ListedElement.updatedAt`. */
export function updatedIn(element: unknown): number | null {
  const { fields } = isObject(element) ? productAndRow(element) : { fields: [] };
  const moments = fields.flatMap(({ key, value }) =>
    updatedKeys.includes(key) && typeof value === 'string' && value.length < 40
      ? (parseDateTime(value)?.time ?? [])
      : [],
  );
  return moments.length === 0 ? null : Math.max(...moments);
}
