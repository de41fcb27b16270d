import type { OwnPlace } from '../../contract/fields.ts';
import { keyOf } from '../../domain/loose-json.ts';
import { barcodeName, idKeys, productKeys, stockKeys, updatedKeys } from './element.ts';
import { balanceKeys, codeKeys, nameKeys, unitKeys } from './stock-fields.ts';

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

/** Whether a path, see ShownField, is that of a figure. */
export function isFigure(path: string): boolean {
  return balanceKeys.includes(path.toLowerCase());
}
