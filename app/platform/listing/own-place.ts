import type { OwnPlace } from '../../contract/fields.ts';
import { usualFields, type UsualField } from '../../contract/limits/fields.ts';
import { keyOf } from '../../domain/loose-json.ts';
import { barcodeName, idKeys, productKeys, stockKeys, updatedKeys } from './element.ts';
import { usualKeys } from './shown-fields.ts';
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

/** How far behind others of this meaning a path of the listing comes in `shownIn`; infinite for one of another meaning. */
function rankOf(usual: UsualField, path: readonly string[]): number {
  const [name = '', outer, ...others] = path.map(keyOf).toReversed();
  const keys = usualKeys[usual];
  const isOfProduct = others.length === 0 && (outer === undefined || productKeys.includes(outer));
  const at = keys.indexOf(name);
  return isOfProduct && at !== -1 ? at + (outer === undefined ? keys.length : 0) : Infinity;
}

/** Which of these paths are shown as long as the shop has chosen none, and as what: the first one of each meaning. */
export function usualOf<Path extends readonly string[]>(paths: readonly Path[]): ReadonlyMap<Path, UsualField> {
  return new Map(
    usualFields.flatMap((usual) => {
      const best = paths
        .filter((path) => rankOf(usual, path) < Infinity)
        .toSorted((left, right) => rankOf(usual, left) - rankOf(usual, right))[0];
      return best === undefined ? [] : [[best, usual]];
    }),
  );
}

/** Whether a path, see ShownField, is that of a figure. */
export function isFigure(path: string): boolean {
  return balanceKeys.includes(path.toLowerCase());
}
