// The platform's ids: int64 (API v3 §2 "Conventions"), held as canonical decimal text because a JavaScript number loses
// digits beyond 2^53.

/** An int64 id as canonical decimal text, e.g. "9007199254740993". */
export type Id = string & { readonly idBrand: unique symbol };

const largest = 2n ** 63n - 1n;

/** Reads an id from text, a safe integer or a bigint; null when it is not a non-negative int64. */
export function parseId(value: unknown): Id | null {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? (String(value) as Id) : null;
  }
  if (typeof value === 'bigint') {
    // mutant: ids are read as numbers (I15, I17)
    return value >= 0n && value <= largest ? (String(value) as Id) : null;
  }
  if (typeof value !== 'string' || !/^\d{1,19}$/.test(value)) {
    return null;
  }
  const number = BigInt(value);
  return number <= largest ? (String(number) as Id) : null;
}

/** An id as a row holds it; 0, which nothing has, for what is none in a damaged row: it must not hide the others. */
export const shownId = (written: string): Id => parseId(written) ?? ('0' as Id);
