// The fields that a shop shows of the platform's listing, whose fields API v3 §2 does not name: what each is comes from
// the listing alone. Nothing is made of a value but a text.
import type { FieldKind, ProductField, ShownField } from '../../contract/fields.ts';
import { parseDateTime } from '../../domain/date-time.ts';
import { isObject, toText, type JsonObject } from '../../domain/loose-json.ts';

const longestMoment = 40;

/** A plain value as a text to show, and what it is; null for what is nested, missing or empty. */
export function plainValueOf(value: unknown): Pick<ProductField, 'value' | 'kind'> | null {
  if (typeof value === 'boolean') {
    return { value: String(value), kind: 'boolean' };
  }
  const text = toText(value);
  return text === null ? null : { value: text, kind: kindOf(value, text) };
}

function kindOf(value: unknown, text: string): FieldKind {
  if (typeof value !== 'string') {
    return 'number';
  }
  return text.length < longestMoment && parseDateTime(text) !== null ? 'moment' : 'text';
}

/** The plain value at a path, see ShownField; undefined where there is none. */
function valueAt(object: JsonObject, path: string): unknown {
  const own = (name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
  const whole = own(path);
  if (plainValueOf(whole) !== null) {
    return whole;
  }
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const inner = own(path.slice(0, dot));
    const found = isObject(inner) ? valueAt(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Those of the shown fields that this element of the listing has, in their order. */
export function shownIn(element: unknown, shown: readonly ShownField[]): ProductField[] {
  return isObject(element)
    ? shown.flatMap(({ path, name, on }) => {
        const plain = plainValueOf(valueAt(element, path));
        return plain === null ? [] : { name, ...plain, on: [...on] };
      })
    : [];
}
