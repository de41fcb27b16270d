// The fields that a shop shows of the platform's listing, whose fields API v3 §2 does not name: what each is comes from
// the listing alone. Nothing is made of a value but a text.
import type { FieldKind, ProductField, ShownField } from '../../contract/fields.ts';
import { shownFieldLimits, usualFields, type UsualField } from '../../contract/limits/fields.ts';
import { parseDateTime } from '../../domain/date-time.ts';
import { asWritten } from '../../domain/json.ts';
import { isObject, keyOf, toText, type JsonObject } from '../../domain/loose-json.ts';
import { productKeys } from './element.ts';

/** Of one object; as `fieldsOf`. */
const maxNames = 300;
const longestMoment = 40;

type PlainValue = Pick<ProductField, 'value' | 'kind'>;

/** A plain value of an element, with the names that lead to it. */
export interface ValueAtPath {
  readonly path: readonly string[];
  /** Null where there is nothing to show. */
  readonly plain: PlainValue | null;
  readonly isTooDeep: boolean;
}

/** A member of an object as a text to show, and what it is; null for what is nested, missing or empty. */
function plainValueOf(object: JsonObject, name: string): PlainValue | null {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (typeof value === 'boolean') {
    return { value: String(value), kind: 'boolean' };
  }
  // mutant: a price loses the zero at its end
  const text = toText(asWritten(object, name, value));
  return text === null ? null : { value: text, kind: kindOf(value, text) };
}

function kindOf(value: unknown, text: string): FieldKind {
  if (typeof value !== 'string') {
    return 'number';
  }
  return text.length < longestMoment && parseDateTime(text) !== null ? 'moment' : 'text';
}

/** The plain value at a path, see ShownField; null where there is none. */
function plainValueAt(object: JsonObject, path: string): PlainValue | null {
  const whole = plainValueOf(object, path);
  if (whole !== null) {
    return whole;
  }
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    const inner = Object.hasOwn(object, name) ? object[name] : undefined;
    const found = isObject(inner) ? plainValueAt(inner, path.slice(dot + 1)) : null;
    if (found !== null) {
      return found;
    }
  }
  return null;
}

/** The names by which a listing may call what is shown without having been chosen, the likeliest first. */
export const usualKeys: Readonly<Record<UsualField, readonly string[]>> = {
  price: 'sale_price price selling_price retail_price preco_venda preco_de_venda preco precio_venta precio'.split(' '),
  aisle: 'aisle shelf shelf_location bin_location corredor prateleira gondola pasillo estante'.split(' '),
};

const priceOf = (name: string): Pick<ProductField, 'isPrice'> =>
  usualKeys.price.includes(keyOf(name)) ? { isPrice: true } : {};

/** The price and the place of the product, or of what lies around it; a name that is nearer to the product goes first. */
function usualIn(element: JsonObject): ProductField[] {
  const inner = Object.entries(element).find(([name, value]) => isObject(value) && productKeys.includes(keyOf(name)));
  const objects = [inner?.[1], element].filter(isObject).map((object) => ({
    object,
    names: new Map(
      Object.keys(object)
        .slice(0, maxNames)
        .map((name) => [keyOf(name), name]),
    ),
  }));
  return usualFields.flatMap((usual) => {
    for (const { object, names } of objects) {
      for (const name of usualKeys[usual].flatMap((key) => names.get(key) ?? [])) {
        const plain = plainValueOf(object, name);
        if (plain !== null) {
          const shown = { usual, ...priceOf(name), name: name.slice(0, shownFieldLimits.name), ...plain };
          return [{ ...shown, on: ['card', 'station'] }];
        }
      }
    }
    return [];
  });
}

/** The shown fields that this element has, in their order; where the shop has chosen none, the usual ones. */
export function shownIn(element: unknown, shown: readonly ShownField[]): ProductField[] {
  if (isObject(element) && shown.length === 0) {
    return usualIn(element);
  }
  return isObject(element)
    ? shown.flatMap(({ path, name, on }) => {
        const plain = plainValueAt(element, path);
        return plain === null ? [] : { ...priceOf(path.slice(path.lastIndexOf('.') + 1)), name, ...plain, on: [...on] };
      })
    : [];
}

/** Every plain value of an object with its path, down to the depth that a path can have. Lists are not looked into. */
export function* plainValuesIn(object: JsonObject, outer: readonly string[]): Generator<ValueAtPath> {
  for (const [name, value] of Object.entries(object).slice(0, maxNames)) {
    const path = [...outer, name];
    const isTooDeep = path.join('.').split('.').length > shownFieldLimits.pathParts;
    if (!isObject(value)) {
      yield { path, plain: plainValueOf(object, name), isTooDeep };
    } else if (!isTooDeep) {
      yield* plainValuesIn(value, path);
    }
  }
}
