// The tolerant reading of one `stock_products` element, whose fields API v3 §2 does not show: flat or with a product
// inside, whatever its fields are called.
import { hasValidCheckDigit } from '../../domain/codes/barcode.ts';
import { parseDateTime } from '../../domain/date-time.ts';
import { parseId, type Id } from '../../domain/int64.ts';
import type { OwnPlace } from '../../contract/fields.ts';
import {
  fieldsOf,
  isObject,
  keyOf,
  take,
  toShownText,
  toText,
  type Field,
  type JsonObject,
} from '../../domain/loose-json.ts';
import {
  balanceKeys,
  codeKeys,
  maxOptions,
  nameKeys,
  readFigure,
  readOptions,
  readUnit,
  unitKeys,
  type OptionBalance,
} from '../../platform/stock-fields.ts';

/** What an element says, as far as this app understands it. Texts are at most 500 characters. */
export interface ListedProduct {
  readonly productId: Id;
  readonly code: string | null;
  readonly name: string;
  readonly unit: string | null;
  /** At most 50. */
  readonly barcodes: readonly string[];
  /** A second code beside `code`, such as a `sku`; found by an exact lookup, shown among `extra`. */
  readonly otherCodes: readonly string[];
  /** Null when the element carries none that is plainly a number. */
  readonly balance: number | null;
  readonly options: readonly OptionBalance[];
  /** At most 100 fields that have no place of their own. */
  readonly extra: readonly { readonly name: string; readonly value: string }[];
  readonly stockName: string | null;
  /**
   * The offset of the first date-time in the element, in minutes; null without one. The platform writes the store's
   * time zone.
   */
  readonly offsetMinutes: number | null;
  /**
   * When the platform last changed it, as the element itself says, in milliseconds since 1970; the latest of several,
   * null without any.
   */
  readonly updatedAt: number | null;
}

/** Raised whenever this file reads an element differently: the next full listing then writes every row anew. */
export const readerVersion = 3;
/**
 * The versions whose rows answer until then. Rows of all others are gone at once, for the codes that they are found by
 * may be other ones. Version 2 left characters in texts that nobody sees; no scan has these.
 */
export const readersAlike: readonly number[] = [2, readerVersion];

const maxBarcodeLength = 100;
const maxBarcodes = 50;
const maxExtra = 100;

/** Where the product is inside of an element. */
export const productKeys = ['product', 'produto', 'item'];
const optionListKeys = [
  'options',
  'balance_options',
  'product_options',
  'opcoes',
  'variations',
  'variacoes',
  'grid',
  'grids',
];
/** What an id may be called, of the product itself and of a row around it. */
export const idKeys = ['id', 'product_id', 'produto_id', 'id_product'];
const barcodeTextKeys = ['code', 'value', 'number', 'codigo', 'barcode'];
const stockKeys = ['stock', 'estoque'];
const updatedKeys = [
  'updated_at',
  'last_updated_at',
  'last_update',
  'modified_at',
  'last_modified',
  'atualizado_em',
  'alterado_em',
  'data_atualizacao',
];
const barcodeName =
  /(^|_)(bar_?codes?|ean(_?(8|13))?s?|gtin(_?(8|12|13|14))?s?|upc(_?[ae])?s?|codigos?_(de_)?barras?)(_?\d)?$/;

/**
 * Where the app itself shows a field, by its path with the names as they came; null where it has no place of its own.
 * The same names as `readElement` goes by.
 */
export function ownPlaceOf(path: readonly string[]): OwnPlace | null {
  const [name = '', outer = '', ...others] = path.map(keyOf).toReversed();
  const isOfProduct = outer === '' || (productKeys.includes(outer) && others.length === 0);
  if (!isOfProduct) {
    return placeInside(outer, name);
  }
  const places: readonly (readonly [OwnPlace, boolean])[] = [
    ['id', idKeys.includes(name)],
    ['name', nameKeys.includes(name)],
    ['code', codeKeys.includes(name)],
    ['barcode', barcodeName.test(name)],
    ['unit', unitKeys.includes(name)],
    ['balance', balanceKeys.includes(name)],
    ['updated', updatedKeys.includes(name)],
  ];
  return places.find(([, isHere]) => isHere)?.[0] ?? null;
}

/** A part of an object that has a place of its own: a unit with its name, a stock, a figure. */
function placeInside(outer: string, name: string): OwnPlace | null {
  if (unitKeys.includes(outer)) {
    return 'unit';
  }
  if (stockKeys.includes(outer)) {
    return nameKeys.includes(name) || name === 'id' ? 'stock' : null;
  }
  return balanceKeys.includes(outer) ? 'balance' : null;
}

function barcodesIn(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.slice(0, maxBarcodes).flatMap((inner: unknown) => barcodesIn(Array.isArray(inner) ? null : inner));
  }
  if (isObject(value)) {
    const text = take(fieldsOf(value), barcodeTextKeys, (inner) => toText(inner, maxBarcodeLength));
    return text === null ? barcodesOf(fieldsOf(value).filter((field) => !isObject(field.value))) : [text];
  }
  const text = toText(value, maxBarcodeLength);
  return text === null ? [] : [text];
}

/** All barcodes of the fields, which then count as used. */
export function barcodesOf(fields: readonly Field[]): string[] {
  return fields
    .filter((field) => barcodeName.test(field.key))
    .flatMap((field) => {
      const found = barcodesIn(field.value);
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
      ? fieldsOf(field.value).map(({ name, written }) => ({ name: `${field.name}.${name}`, written }))
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

function offsetIn(fields: readonly Field[]): number | null {
  for (const { value } of fields) {
    const moment = typeof value === 'string' && value.length < 40 ? parseDateTime(value) : null;
    if (moment !== null && !String(value).endsWith('Z')) {
      return moment.offsetMinutes;
    }
  }
  return null;
}

function updatedIn(fields: readonly Field[]): number | null {
  const moments = fields.flatMap(({ key, value }) =>
    updatedKeys.includes(key) && typeof value === 'string' && value.length < 40
      ? (parseDateTime(value)?.time ?? [])
      : [],
  );
  return moments.length === 0 ? null : Math.max(...moments);
}

/** Reads one element of a stock's listing (API v3 §4.3); null when it has no id that this app can find. */
export function readElement(element: unknown): ListedProduct | null {
  if (!isObject(element)) {
    return null;
  }
  const outer = fieldsOf(element);
  const nested = outer.find((field) => productKeys.includes(field.key) && isObject(field.value));
  const inner = nested === undefined ? [] : fieldsOf(nested.value as JsonObject);
  // The product's own fields first: beside a product inside, the outer `id` and `name` may be those of the stock's row.
  const fields = [...inner, ...outer.filter((field) => field !== nested)];
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
    // Only who stores an element asks for these, and a date takes longer to read than all the rest.
    get offsetMinutes() {
      return offsetIn(fields);
    },
    get updatedAt() {
      return updatedIn(fields);
    },
  };
}
