// Owns how a text becomes searchable, the same for what is stored and for what is typed: accents and capitals do not matter,
// words are runs of letters and digits. Never asks the database.

const longestWord = 40;
const mostWords = 60;

/** A text without accents and capitals. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The words of a text, folded, each cut to 40 characters, at most 60. */
export function wordsOf(text: string): readonly string[] {
  return (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, mostWords).map((word) => word.slice(0, longestWord).toWellFormed());
}

/** A code as fragments of it are searched: folded, letters and digits alone. */
export function compactCode(text: string): string {
  return wordsOf(text).join('');
}
