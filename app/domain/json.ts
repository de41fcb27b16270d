declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** Documents nested deeper would hold the processor up for seconds, and mean nothing. */
const deepest = 100_000;

function isTooDeep(text: string): boolean {
  // No shorter text can be.
  if (text.length <= deepest) {
    return false;
  }
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length && depth <= deepest; index += 1) {
    const code = text.charCodeAt(index);
    if (isInText) {
      // A backslash takes the next character along.
      index += code === 0x5c ? 1 : 0;
      isInText = code !== 0x22;
    } else if (code === 0x22) {
      isInText = true;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
  }
  return depth > deepest;
}

/**
 * Reads JSON; an integer that a number cannot hold exactly becomes a bigint. Undefined when the text is not JSON, or is
 * nested beyond 100,000 levels. A byte order mark before it is skipped (RFC 8259 §8.1).
 */
export function parseJson(marked: string): unknown {
  const text = marked.startsWith('\uFEFF') ? marked.slice(1) : marked;
  if (isTooDeep(text)) {
    return undefined;
  }
  try {
    const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
      typeof value === 'number' &&
      Number.isInteger(value) &&
      !Number.isSafeInteger(value) &&
      /^-?\d+$/.test(context?.source ?? '')
        ? BigInt(context?.source ?? '')
        : value;
    // Only documents that may hold such an integer pay for the reviver.
    return /\d{16}/.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes JSON; a bigint is written as its digits. With an indent, a line for each value. */
export function writeJson(value: unknown, indent = 0): string {
  return JSON.stringify(
    value,
    (_key, inner: unknown) => (typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner),
    indent,
  );
}
