import { hash } from 'node:crypto';
import { writeJson } from '../../domain/json.ts';
import { fieldsOf, isObject, take, toShownText, toText, type JsonObject } from '../../domain/loose-json.ts';
import { redact } from '../../domain/redact.ts';
import { barcodesOf, idKeys, productKeys } from './element.ts';
import type { UnreadableElement } from './listed.ts';
import { codeKeys, nameKeys } from './stock-fields.ts';

const maxSampleLength = 300;

function digestOf(name: string): number {
  return hash('sha1', name, 'buffer').readUIntBE(0, 6);
}

function fieldsIn(element: JsonObject) {
  const outer = fieldsOf(element);
  const inner = outer.flatMap(({ key, value }) =>
    productKeys.includes(key) && isObject(value) ? fieldsOf(value) : [],
  );
  return [...inner, ...outer];
}

/** The name by which an element is known though its id may not be readable; null where nothing names it. */
function nameOf(element: unknown): string | null {
  if (!isObject(element)) {
    return null;
  }
  const fields = fieldsIn(element);
  const [barcode] = barcodesOf(fields);
  const names: readonly (readonly [what: string, name: string | null | undefined])[] = [
    ['code', take(fields, codeKeys, toText)],
    ['barcode', barcode],
    ['id', take(fields, idKeys, toShownText)],
    ['name', take(fields, nameKeys, toText)],
  ];
  const [first] = names.filter(([, name]) => name !== null && name !== undefined);
  return first === undefined ? null : first.join(' ');
}

/** The identity of an element that something names; null where nothing does. */
export function identityOf(element: unknown): number | null {
  const name = nameOf(element);
  return name === null ? null : digestOf(name);
}

function whyOf(element: unknown): UnreadableElement['why'] {
  if (!isObject(element)) {
    return 'notAnObject';
  }
  return take(fieldsIn(element), idKeys, toShownText) === null ? 'noId' : 'wrongId';
}

function sampleOf(element: unknown): string {
  try {
    return writeJson(redact(element, { withoutPeople: true }) ?? null)
      .slice(0, maxSampleLength)
      .toWellFormed();
  } catch {
    // Nested deeper than the stack.
    return '…';
  }
}

/** An element that cannot be read. */
export function unreadableOf(element: unknown): UnreadableElement {
  return {
    identity: identityOf(element),
    why: whyOf(element),
    get text() {
      return sampleOf(element);
    },
  };
}
