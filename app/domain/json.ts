// Owns JSON that keeps int64 ids whole: integers beyond 2^53 are read as bigint and written back digit for digit.
// Never decides what a document means.

declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** Reads JSON; an integer that a number cannot hold exactly becomes a bigint. Undefined when the text is not JSON. A byte order mark before it is skipped (RFC 8259 §8.1). */
export function parseJson(marked: string): unknown {
  const text = marked.startsWith('\uFEFF') ? marked.slice(1) : marked;
  try {
    const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
        ? BigInt(context?.source ?? '')
        : value;
    // Only documents that may hold such an integer pay for the reviver.
    return /\d{16}/.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes JSON; a bigint is written as its digits. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner));
}
