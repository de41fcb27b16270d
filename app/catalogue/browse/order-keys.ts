import { foldText } from '../../domain/fold.ts';

const maxKeyLength = 80;
/** A run of more digits than this is ordered like one of this many. */
const maxRun = 40;
/** Behind every key that begins with a character. */
const lastKey = '\u{10FFFF}';

/** The facts that a product's place in the table depends on. */
export interface OrderedFacts {
  readonly code: string | null;
  readonly name: string;
  readonly balance: number | null;
}

/** Above, at or below nothing; null while nobody knows, which is none of the three (API v3 §4.3 `amount_in_stock`). */
export type Level = 1 | 0 | -1 | null;

/**
 * The key of a text whose order, character by character, is the one that a person expects: accents, capitals and
 * doubled blanks do not matter, and a run of digits counts as the number that it is, so that "2" comes before "10". At
 * most 80 characters count.
 */
export function orderKey(text: string): string {
  const folded = foldText(text.slice(0, 2 * maxKeyLength).toWellFormed())
    .trim()
    .replaceAll(/\s+/g, ' ');
  // A run's length before its digits: of two numbers the longer one is the larger. The marks lie before all letters.
  const numbered = folded.replaceAll(/\d+/g, (run) => {
    const digits = run.replace(/^0+(?=\d)/, '');
    return String.fromCharCode('0'.charCodeAt(0) + Math.min(digits.length, maxRun) - 1) + digits;
  });
  return Array.from(numbered.slice(0, 2 * maxKeyLength))
    .slice(0, maxKeyLength)
    .join('')
    .toWellFormed();
}

/** The key of a product's code; without one it comes last. */
export function codeOrderKey(code: string | null): string {
  return code === null ? lastKey : orderKey(code);
}

/** The key of a balance; one that nobody knows is behind all others. */
export function balanceOrderKey(balance: number | null): number {
  return balance ?? Infinity;
}

/** The level of a balance. */
export function levelOf(balance: number | null): Level {
  if (balance === null || balance > 0) {
    return balance === null ? null : 1;
  }
  return balance < 0 ? -1 : 0;
}
