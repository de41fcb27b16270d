// Owns the tolerant reading of one `stock_products` element, whose fields API v3 §2 does not show: flat or with a product inside,
// whatever its fields are called. What it cannot place it offers as name and text, so that nothing is hidden. Never throws
// for any JSON value, and never guesses a figure: a balance that is not plainly a number stays among the unplaced.
import { hasValidCheckDigit } from '../domain/barcode.ts';
import { parseDateTime } from '../domain/date-time.ts';
import { parseId, type Id } from '../domain/int64.ts';
import { writeJson } from '../domain/json.ts';

/** A balance of one option of a product, such as a size. */
export interface OptionBalance {
  readonly name: string;
  readonly amount: number | null;
}

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
  /** The offset of the first date-time in the element, in minutes; null without one. The platform writes the store's time zone. */
  readonly offsetMinutes: number | null;
}

/** Raised whenever this file reads an element differently, so that copies made before are made anew. */
export const readerVersion = 1;

const longestText = 500;
const longestBarcode = 100;
const mostBarcodes = 50;
const mostOptions = 200;
const mostExtra = 100;
const mostFields = 300;

type JsonObject = Readonly<Record<string, unknown>>;

interface Field {
  /** As it came. */
  readonly name: string;
  /** In lower case, words joined by "_", so that `unitOfMeasure` and `unit_of_measure` are one. */
  readonly key: string;
  readonly value: unknown;
  isUsed: boolean;
}

const productKeys = ['product', 'produto', 'item'];
const nameKeys = ['name', 'nome', 'product_name', 'description', 'descricao', 'title'];
const codeKeys = ['code', 'codigo', 'product_code', 'sku', 'reference', 'referencia'];
const unitKeys = ['unit_of_measure', 'unit', 'unidade', 'unidade_de_medida', 'measure_unit', 'uom'];
const unitTextKeys = ['code', 'abbreviation', 'initials', 'acronym', 'symbol', 'sigla', 'codigo', 'name', 'nome'];
const balanceKeys =
  'balance current_balance stock_balance amount_in_stock quantity_in_stock stock_amount stock_quantity amount quantity qty saldo quantidade estoque stock'.split(' ');
const innerBalanceKeys = ['balance', 'amount', 'quantity', 'value', 'total'];
const optionListKeys = ['options', 'balance_options', 'product_options', 'opcoes', 'variations', 'variacoes', 'grid', 'grids'];
const optionNameKeys = ['option_names', 'name', 'nome', 'description', 'option_name', 'label', 'option', 'options'];
const barcodeTextKeys = ['code', 'value', 'number', 'codigo', 'barcode'];
const stockKeys = ['stock', 'estoque'];
const barcodeName = /(^|_)(bar_?codes?|ean(_?(8|13))?s?|gtin(_?(8|12|13|14))?s?|upc(_?[ae])?s?|codigos?_(de_)?barras?)(_?\d)?$/;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text fit to be stored and shown: no control characters, blanks trimmed, whole characters, cut to the limit. Null when nothing remains. */
function toText(value: unknown, longest = longestText): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    return null;
  }
  const text = String(value)
    .slice(0, 4 * longest)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed();
  return text === '' ? null : text;
}

function toAmount(value: unknown): number | null {
  const amount =
    typeof value === 'number' ? value : typeof value === 'bigint' || (typeof value === 'string' && /^-?\d{1,18}(\.\d{1,18})?$/.test(value.trim())) ? Number(value) : null;
  return amount !== null && Number.isFinite(amount) ? amount : null;
}

function fieldsOf(object: JsonObject): Field[] {
  return Object.entries(object)
    .slice(0, mostFields)
    .map(([name, value]) => ({
      name,
      key: name
        .slice(0, 100)
        .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
        .replaceAll(/[\s-]+/g, '_')
        .toLowerCase(),
      value,
      isUsed: false,
    }));
}

/** The first reading that succeeds, in the order of the keys; the field it came from then counts as used. */
function take<Value>(fields: readonly Field[], keys: readonly string[], read: (value: unknown) => Value | null): Value | null {
  for (const key of keys) {
    for (const field of fields) {
      const value = field.key === key ? read(field.value) : null;
      if (value !== null) {
        field.isUsed = true;
        return value;
      }
    }
  }
  return null;
}

function readUnit(value: unknown): string | null {
  return isObject(value) ? take(fieldsOf(value), unitTextKeys, toText) : typeof value === 'string' ? toText(value) : null;
}

function readBalance(value: unknown): number | null {
  return isObject(value) ? take(fieldsOf(value), innerBalanceKeys, toAmount) : toAmount(value);
}

function readOptionName(value: unknown): string | null {
  if (Array.isArray(value)) {
    const names = value.slice(0, 20).flatMap((inner) => readOptionName(inner) ?? []);
    return toText(names.join(' '));
  }
  return isObject(value) ? take(fieldsOf(value), optionNameKeys.slice(0, 5), toText) : toText(value);
}

/** Reads the elements of `balance_options` (API v3 §2 "Stock product balance response", fields not shown) or of a listing's options. */
export function readOptions(value: unknown): readonly OptionBalance[] {
  if (!Array.isArray(value)) {
    return [];
  }
  return value.slice(0, mostOptions).flatMap((option: unknown) => {
    if (!isObject(option)) {
      const name = toText(option);
      return name === null ? [] : [{ name, amount: null }];
    }
    const fields = fieldsOf(option);
    const name = take(fields, optionNameKeys, readOptionName) ?? take(fields, ['id', 'option_id'], toText);
    return name === null ? [] : [{ name, amount: take(fields, balanceKeys, readBalance) }];
  });
}

function barcodesIn(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.slice(0, mostBarcodes).flatMap((inner: unknown) => barcodesIn(Array.isArray(inner) ? null : inner));
  }
  if (isObject(value)) {
    const text = take(fieldsOf(value), barcodeTextKeys, (inner) => toText(inner, longestBarcode));
    return text === null ? barcodesOf(fieldsOf(value).filter((field) => !isObject(field.value))) : [text];
  }
  const text = toText(value, longestBarcode);
  return text === null ? [] : [text];
}

function barcodesOf(fields: readonly Field[]): string[] {
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
    .flatMap((field) => (field.value as readonly unknown[]).slice(0, mostOptions).flatMap((option) => (isObject(option) ? barcodesOf(fieldsOf(option)) : [])));
}

function extraText(value: unknown): string | null {
  if (typeof value === 'boolean') {
    return String(value);
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? null : toText(value.slice(0, 100).every((inner) => toText(inner) !== null) ? value.slice(0, 100).map(String).join(', ') : safeJson(value));
  }
  return isObject(value) ? toText(safeJson(value)) : toText(value);
}

function safeJson(value: unknown): string {
  try {
    return writeJson(value);
  } catch {
    // A value nested deeper than the stack.
    return '…';
  }
}

function extraOf(fields: readonly Field[]): { name: string; value: string }[] {
  const extra: { name: string; value: string }[] = [];
  for (const field of fields) {
    const inner = isObject(field.value) ? fieldsOf(field.value).map(({ name, value }) => ({ name: `${field.name}.${name}`, value })) : [field];
    for (const { name, value } of field.isUsed || extra.length >= mostExtra ? [] : inner) {
      const shownName = toText(name);
      const shownValue = extraText(value);
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
  const productId = take(inner, ['id', 'product_id'], parseId) ?? take(outer, ['product_id', 'id_product', 'produto_id', 'id'], parseId);
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
  const balance = take(fields.filter((field) => !inner.includes(field)), balanceKeys, readBalance) ?? take(inner, balanceKeys, readBalance);
  const optionList = fields.find((field) => optionListKeys.includes(field.key) && readOptions(field.value).length > 0);
  if (optionList !== undefined) {
    optionList.isUsed = true;
  }
  const stockName = take(fields, stockKeys, (value) => (isObject(value) ? take(fieldsOf(value), nameKeys, toText) : null));
  return {
    productId,
    code,
    name: take(fields, nameKeys, toText) ?? code ?? productId,
    unit: take(fields, unitKeys, readUnit),
    // Some shops put the GTIN into the code itself, and a GTIN is looked up in more forms than a code.
    barcodes: [...new Set([...barcodes, ...codes.filter((candidate) => /^\d{12,14}$/.test(candidate) && hasValidCheckDigit(candidate))])].slice(0, mostBarcodes),
    otherCodes: otherCodes.slice(0, mostBarcodes),
    balance,
    options: optionList === undefined ? [] : readOptions(optionList.value),
    extra: extraOf(fields).slice(0, mostExtra),
    stockName,
    offsetMinutes: offsetIn(fields),
  };
}
