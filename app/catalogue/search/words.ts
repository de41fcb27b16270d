//   cafe      the whole word           ^cafe    the same, as the first word of the name
//   *c *ca *caf   its first letters    ^*c …    the same of the first word of the name; more than three are looked up
//   as a range of whole words 000123~   a number, cut     #001     three characters in a row of the code
import { foldText } from '../../domain/fold.ts';

/** A longer word counts up to here. */
export const maxWordLength = 40;
const maxWords = 60;
const maxPrefixTermLength = 3;
/** Words with digits are often numbered through, and whole there would be a term for each product. */
const maxNumberedTermLength = 6;
const fragmentLength = 3;

const words = /\p{L}+|\p{N}+/gu;
/** A word as it was in a catalogue.db before its version 7: letters and digits together. */
const formerWords = /[\p{L}\p{N}]+/gu;

/** The words of a text, folded, each cut to 40 characters, at most 60. */
export function wordsOf(text: string, rule: RegExp = words): readonly string[] {
  return (foldText(text).match(rule) ?? [])
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength).toWellFormed());
}

/** A code as fragments of it are searched: folded, letters and digits alone. */
export function compactCode(text: string): string {
  return wordsOf(text).join('');
}

/** The texts that make a product searchable. */
export interface Searchable {
  readonly name: string;
  readonly code: string | null;
  /** Second codes, parted by blanks. */
  readonly otherCodes: string | null;
}

/** Every word that a product is found by, those of its name first. */
export function searchWordsOf({ name, code, otherCodes }: Searchable, rule: RegExp = words): readonly string[] {
  return wordsOf([name, code ?? '', otherCodes ?? ''].join(' '), rule);
}

/**
 * How a word is looked for: one term, or all terms from one up to another; `isExact` when that finds no row too many.
 */
export type Probe = { readonly from: string; readonly to: string | null; readonly isExact: boolean };

function cutOf(word: string): string {
  const digit = word.search(/\p{N}/u);
  const length = Math.max(maxNumberedTermLength, digit);
  return digit === -1 || word.length <= length ? word : `${word.slice(0, length).toWellFormed()}~`;
}

/** How rows with exactly this word are found; with `^`, those whose name begins with it. */
export function wholeProbe(word: string, first: '' | '^'): Probe {
  const term = cutOf(word);
  return { from: first + term, to: null, isExact: term === word };
}

/** How rows with a word that begins so are found; with `^`, those whose name begins so. */
export function beginningProbe(word: string, first: '' | '^'): Probe {
  if (word.length <= maxPrefixTermLength) {
    return { from: `${first}*${word}`, to: null, isExact: true };
  }
  const term = cutOf(word);
  return term === word
    ? { from: first + word, to: `${first}${word}\u{10FFFF}`, isExact: true }
    : { from: first + term, to: null, isExact: false };
}

/** The terms of the three-character pieces of a code or of a part of it. */
export function fragmentTerms(compact: string): readonly string[] {
  const terms = new Set<string>();
  for (let at = 0; at + fragmentLength <= compact.length; at += 1) {
    terms.add(`#${compact.slice(at, at + fragmentLength).toWellFormed()}`);
  }
  return [...terms];
}

/** Every term that a product is found under. */
export function termsOf(product: Searchable, rule: RegExp = words): ReadonlySet<string> {
  const terms = new Set<string>(fragmentTerms(compactCode(product.code ?? '')));
  const add = (word: string, first: '' | '^'): void => {
    terms.add(first + cutOf(word));
    for (let length = 1; length <= Math.min(maxPrefixTermLength, word.length); length += 1) {
      terms.add(`${first}*${word.slice(0, length).toWellFormed()}`);
    }
  };
  for (const word of searchWordsOf(product, rule)) {
    add(word, '');
  }
  const [first] = wordsOf(product.name, rule);
  if (first !== undefined) {
    add(first, '^');
  }
  return terms;
}

/** The terms that a product was stored under before catalogue.db's version 7. */
export function formerTermsOf(product: Searchable): ReadonlySet<string> {
  return termsOf(product, formerWords);
}
