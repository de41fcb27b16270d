import { withoutLastZeros } from './decimal.ts';

declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** Documents nested deeper would hold the processor up for seconds, and mean nothing. */
const deepest = 100_000;
/**
 * The list of coupon settings (API v3 §4.6) has no pages: its sixteen megabytes hold 240,000
 * settings of five values. A value costs some microseconds, sixteen megabytes of them half a minute.
 */
export const mostValues = 1_500_000;

function isTooLarge(text: string, most: number): boolean {
  // No shorter text can be.
  if (text.length <= Math.min(deepest, most)) {
    return false;
  }
  let depth = 0;
  let values = 0;
  let isInText = false;
  for (let index = 0; index < text.length && depth <= deepest && values <= most; index += 1) {
    const code = text.charCodeAt(index);
    if (isInText) {
      // A backslash takes the next character along.
      index += code === 0x5c ? 1 : 0;
      isInText = code !== 0x22;
    } else if (code === 0x22) {
      isInText = true;
    } else if (code === 0x2c) {
      values += 1;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
  }
  return depth > deepest || values > most;
}

/** The numbers of an object that came with zeros behind their decimals, by name: "12.50" for 12.5. */
const writtenIn = new WeakMap<object, Map<string, string>>();

/**
 * A member of an object that `parseJson` answered, to be shown: a number that came with zeros behind its decimals as
 * the text that came ("12.50"), anything else as it is.
 */
export function asWritten(object: object, name: string, value: unknown): unknown {
  const written = typeof value === 'number' ? writtenIn.get(object)?.get(name) : undefined;
  return written !== undefined && Number(written) === value ? written : value;
}

// A name, and a number with a zero at its end. Two texts have a colon or a comma between them, so the second quotation
// mark never begins one, and what follows is no part of a text.
const endsInZero = /("[^"\\:,]+"\s*:\s*)(-?(?:0|[1-9]\d*)\.\d*0)(?=\s*[,}\]])/g;
/** JSON can hold this character only written like this (RFC 8259 §7). */
const [mark, writtenMark] = ['\u0001', String.raw`\u0001`];

/** Makes the marked texts numbers again, and keeps how those were written. */
function unmark(document: unknown): void {
  const objects: unknown[] = [document];
  while (objects.length > 0) {
    const object = objects.pop();
    if (typeof object !== 'object' || object === null) {
      continue;
    }
    let written: Map<string, string> | undefined;
    const members = object as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      const value = members[name];
      if (typeof value === 'object') {
        objects.push(value);
      } else if (typeof value === 'string' && value.startsWith(mark)) {
        const digits = value.slice(1);
        const number = Number(digits);
        members[name] = number;
        // Other digits that a number loses are the noise of a binary fraction.
        if (withoutLastZeros(digits) === String(number)) {
          written ??= new Map();
          written.set(name, digits);
        }
      }
    }
    if (written !== undefined) {
      writtenIn.set(object, written);
    }
  }
}

function reviveInteger(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value;
}

/** Only documents that may hold something to keep pay for it: a reviver makes the reading seven times as long. */
function parseExactly(text: string): unknown {
  const keepsZeros = /\d\.\d*0\s*[,}\]]/.test(text) && !text.includes(writtenMark);
  const marked = keepsZeros ? text.replaceAll(endsInZero, `$1"${writtenMark}$2"`) : text;
  const document: unknown = /\d{16}/.test(text) ? JSON.parse(marked, reviveInteger) : JSON.parse(marked);
  if (keepsZeros) {
    unmark(document);
  }
  return document;
}

/**
 * Reads JSON; an integer that a number cannot hold exactly becomes a bigint, and `asWritten` knows the zeros behind the
 * decimals of a number in it. Undefined when the text is not JSON, is nested beyond 100,000 levels, or has more than
 * `mostValues`. A byte order mark before it is skipped (RFC 8259 §8.1).
 */
export function parseJson(text: string): unknown {
  return parseJsonWithin(text, mostValues);
}

/** The same for a text of at most so many values. */
export function parseJsonWithin(marked: string, most: number): unknown {
  const text = marked.startsWith('\uFEFF') ? marked.slice(1) : marked;
  if (isTooLarge(text, most)) {
    return undefined;
  }
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

const writeBigint = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;

function writeAsRead(this: object, name: string, value: unknown): unknown {
  if (typeof value !== 'number') {
    return writeBigint(name, value);
  }
  const written = asWritten(this, name, value);
  return typeof written === 'string' ? JSON.rawJSON(written) : value;
}

/**
 * Writes JSON; a bigint is written as its digits, and a number that was read with zeros behind its decimals with them.
 * With an indent, a line for each value.
 */
export function writeJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, writeAsRead, indent);
}

/** The same on one line; null for what is nested deeper than the stack. */
export function writeJsonOrNull(value: unknown): string | null {
  try {
    return writeJson(value);
  } catch {
    return null;
  }
}

/** JSON on one line without such zeros, so that documents that differ in these alone come out as one. */
export function writeValues(value: unknown): string {
  return JSON.stringify(value, writeBigint);
}
