// The tolerant reading of what the platform calls things and how many it says there are, where API v3 §2 shows the
// fields only in part: names, codes, units, figures, and the balances of options.
import { parseId, type Id } from '../../domain/int64.ts';
import { fieldsOf, isObject, take, toAmount, toText, type Field } from '../../domain/loose-json.ts';
import type { OptionBalance } from './listed.ts';

/** An option of a live balance, with what stands for it in `option_ids` (API v3 §4.4), if the answer tells. */
export interface IdentifiedOption extends OptionBalance {
  readonly ids: readonly Id[];
}

/** A product as an answer names it (API v3 §2 "Stock product balance response"); null where it does not say. */
export interface StockProduct {
  readonly id: Id | null;
  readonly name: string | null;
  readonly sku: string | null;
  readonly unit: string | null;
}

/** The stock as an answer names it; null where it does not say. */
export interface StockName {
  readonly id: Id | null;
  readonly name: string | null;
}

export const maxOptions = 200;
const maxIdsOfOption = 20;

export const nameKeys = ['name', 'nome', 'product_name', 'description', 'descricao', 'title'];
export const codeKeys = ['code', 'codigo', 'product_code', 'sku', 'reference', 'referencia'];
export const unitKeys = ['unit_of_measure', 'unit', 'unidade', 'unidade_de_medida', 'measure_unit', 'uom'];
const unitTextKeys = ['code', 'abbreviation', 'initials', 'acronym', 'symbol', 'sigla', 'codigo', 'name', 'nome'];
export const balanceKeys =
  'balance current_balance stock_balance amount_in_stock quantity_in_stock stock_amount stock_quantity amount quantity qty saldo quantidade estoque stock'.split(
    ' ',
  );
const innerBalanceKeys = ['balance', 'amount', 'quantity', 'value', 'total'];
const optionNameKeys = ['option_names', 'name', 'nome', 'description', 'option_name', 'label', 'option', 'options'];

/** A unit's code or whatever text the platform gave, from text or from an object. */
export function readUnit(value: unknown): string | null {
  if (isObject(value)) {
    return take(fieldsOf(value), unitTextKeys, toText);
  }
  return typeof value === 'string' ? toText(value) : null;
}

/** A figure that is plainly a number, by itself or inside of an object; null for all else. */
export function readFigure(value: unknown): number | null {
  return isObject(value) ? take(fieldsOf(value), innerBalanceKeys, toAmount) : toAmount(value);
}

function readOptionName(value: unknown): string | null {
  if (Array.isArray(value)) {
    // A list in a list is no name, and one without end would be read beyond the stack.
    const names = value
      .slice(0, 20)
      .flatMap((inner: unknown) => (Array.isArray(inner) ? [] : (readOptionName(inner) ?? [])));
    return toText(names.join(' '));
  }
  return isObject(value) ? take(fieldsOf(value), optionNameKeys.slice(0, 5), toText) : toText(value);
}

function readInnerIds(value: unknown): Id[] | null {
  const ids = (Array.isArray(value) ? value.slice(0, maxIdsOfOption) : [value]).flatMap(
    (inner: unknown) => (isObject(inner) ? take(fieldsOf(inner), ['id', 'option_id'], parseId) : parseId(inner)) ?? [],
  );
  return ids.length === 0 ? null : ids;
}

/** One id, or the several of a combination such as a size and a colour. */
function readOptionIds(fields: readonly Field[]): readonly Id[] {
  return take(fields, ['option_ids', 'option_id', 'options', 'option', 'id'], readInnerIds) ?? [];
}

/** Reads the elements of `balance_options` (API v3 §2 "Stock product balance response", fields not shown). */
export function readIdentifiedOptions(value: unknown): readonly IdentifiedOption[] {
  if (!Array.isArray(value)) {
    return [];
  }
  return value.slice(0, maxOptions).flatMap((option: unknown) => {
    if (!isObject(option)) {
      const name = toText(option);
      return name === null ? [] : [{ name, amount: null, ids: [] }];
    }
    const fields = fieldsOf(option);
    const name = take(fields, optionNameKeys, readOptionName) ?? take(fields, ['id', 'option_id'], toText);
    return name === null ? [] : [{ name, amount: take(fields, balanceKeys, readFigure), ids: readOptionIds(fields) }];
  });
}

/** The same of a listing's options, without their ids. */
export function readOptions(value: unknown): readonly OptionBalance[] {
  return readIdentifiedOptions(value).map(({ name, amount }) => ({ name, amount }));
}

/** Reads `product`, of which id, name, sku and unit are documented. */
export function readProduct(value: unknown): StockProduct {
  const fields = isObject(value) ? fieldsOf(value) : [];
  return {
    id: take(fields, ['id', 'product_id'], parseId),
    name: take(fields, nameKeys, toText),
    sku: take(fields, ['sku', ...codeKeys], toText),
    unit: take(fields, unitKeys, readUnit),
  };
}

/** Reads `stock`, of which id and name are documented. */
export function readStock(value: unknown): StockName {
  const fields = isObject(value) ? fieldsOf(value) : [];
  return { id: take(fields, ['id', 'stock_id'], parseId), name: take(fields, nameKeys, toText) };
}
