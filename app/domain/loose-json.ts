import { withoutBinaryNoise } from './decimal.ts';
import { asWritten, writeJsonOrNull } from './json.ts';
import { fitText } from './visible-text.ts';

/** Of one object; more fields than these are not looked at. */
const maxFields = 300;
const maxTextLength = 500;
const maxInner = 100;

/** An object as `parseJson` answers it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** One field of an object. */
export interface Field {
  /** As it came. */
  readonly name: string;
  /** In lower case, words joined by "_", so that `unitOfMeasure` and `unit_of_measure` are one. */
  readonly key: string;
  readonly value: unknown;
  /** The same to be shown, see `asWritten`. */
  readonly written: unknown;
  isUsed: boolean;
}

/** True for an object that is no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a plain value (fitText of visible-text.ts); null for all else. */
export function toText(value: unknown, longest = maxTextLength): string | null {
  const isPlain =
    typeof value === 'string' || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
  return isPlain ? fitText(String(value), longest) : null;
}

/** A number, or its digits as text; null for all else, and for one that a number cannot hold to the unit. */
export function toAmount(value: unknown): number | null {
  const amount = typeof value === 'string' && /^-?\d{1,18}(\.\d{1,18})?$/.test(value.trim()) ? Number(value) : value;
  // mutant: a figure is shown with what binary fractions add
  return typeof amount === 'number' && Math.abs(amount) <= Number.MAX_SAFE_INTEGER ? withoutBinaryNoise(amount) : null;
}

/** `fitText` looks at no more. */
const longestName = 4 * maxTextLength;

/** The name of a field inside of another, as far as `toText` reads it: each of many would bear a long one anew. */
export function joinNames(outer: string, inner: string): string {
  return outer === '' ? inner : `${outer.slice(0, longestName)}.${inner}`;
}

/** Names that were read before: a listing's elements all have the same ones. */
const keysByName = new Map<string, string>();
const maxKeysByName = 1_000;

/** A field's name in lower case, words joined by "_". */
export function keyOf(name: string): string {
  const known = keysByName.get(name);
  if (known !== undefined) {
    return known;
  }
  const key = name
    .slice(0, 100)
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
  if (keysByName.size < maxKeysByName && name.length <= 100) {
    keysByName.set(name, key);
  }
  return key;
}

/** The fields of an object in their order, at most 300. */
export function fieldsOf(object: JsonObject): Field[] {
  return Object.entries(object)
    .slice(0, maxFields)
    .map(([name, value]) => ({
      name,
      key: keyOf(name),
      value,
      written: asWritten(object, name, value),
      isUsed: false,
    }));
}

/** The first reading that succeeds, in the order of the keys; the field it came from then counts as used. */
export function take<Value>(
  fields: readonly Field[],
  keys: readonly string[],
  read: (value: unknown) => Value | null,
): Value | null {
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

/** Deeper values are not looked at. */
const maxLevels = 6;

/** The texts of all plain values in it, however they are called, at most 300 a level. */
export function plainTextsOf(value: unknown, levels = maxLevels): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return [toText(value) ?? []].flat();
  }
  return levels === 0
    ? []
    : Object.values(value)
        .slice(0, maxFields)
        .flatMap((inner) => plainTextsOf(inner, levels - 1));
}

const safeJson = (value: unknown): string => writeJsonOrNull(value) ?? '…';

/**
 * Any value as one short text to show: a list of plain values with commas between, whatever is nested as JSON. Null
 * when there is nothing to show.
 */
export function toShownText(value: unknown): string | null {
  if (typeof value === 'boolean') {
    return String(value);
  }
  if (Array.isArray(value)) {
    return value.length === 0
      ? null
      : toText(
          value.slice(0, maxInner).every((inner) => toText(inner) !== null)
            ? value.slice(0, maxInner).map(String).join(', ')
            : safeJson(value),
        );
  }
  return isObject(value) ? toText(safeJson(value)) : toText(value);
}
