// Owns search as you type over the copy: words in any order, each by its beginning, without accents or capitals, and
// fragments of codes. Its work is bounded whatever is typed: it never ranks more than the first few hundred candidates.
import type { Database } from '../storage/database.ts';
import type { RowNumber } from './product-reader.ts';
import { compactCode, foldText, wordsOf } from './words.ts';

const mostQueryWords = 8;
const mostCandidates = 120;
/** Below this many characters everything fits, and ranking it would cost time and tell nothing. */
const shortestRanked = 4;
const shortestFragment = 3;
const longestFragment = 40;

interface Candidate {
  readonly number: RowNumber;
  readonly name: string;
  readonly code: string | null;
}

export interface Search {
  /** Rows that fit, best first. */
  search(text: string, limit: number): readonly RowNumber[];
}

function matchAll(words: readonly string[], ending: '' | '*'): string {
  return words.map((word) => `"${word}"${ending}`).join(' AND ');
}

function rank(candidates: readonly Candidate[], words: readonly string[]): Candidate[] {
  const first = words[0] ?? '';
  const scored = candidates.map((candidate) => ({ candidate, begins: foldText(candidate.name).startsWith(first) }));
  return scored
    .toSorted((left, right) => Number(right.begins) - Number(left.begins) || left.candidate.name.length - right.candidate.name.length || left.candidate.number - right.candidate.number)
    .map(({ candidate }) => candidate);
}

/** Opens the search over catalogue.db. Throws StorageError. */
export function openSearch(database: Database): Search {
  const byCodeStart = database.prepare<{ number: RowNumber }>('SELECT number FROM products WHERE code >= ?1 COLLATE NOCASE AND code < ?2 COLLATE NOCASE ORDER BY code COLLATE NOCASE LIMIT ?3');
  const byWords = database.prepare<{ number: RowNumber }>('SELECT rowid AS number FROM product_words WHERE product_words MATCH ? LIMIT ?');
  const byFragments = database.prepare<{ number: RowNumber }>('SELECT rowid AS number FROM code_fragments WHERE code_fragments MATCH ? LIMIT ?');
  const read = database.prepare<Candidate>('SELECT number, name, code FROM products WHERE number = ?');

  const candidatesOf = (rows: readonly { number: RowNumber }[]): Candidate[] => rows.flatMap((row) => read.get(row.number) ?? []);

  function findFragments(text: string, limit: number): RowNumber[] {
    const fragment = compactCode(text).slice(0, longestFragment);
    const characters = Array.from(fragment);
    if (characters.length < shortestFragment || !/\d/.test(fragment)) {
      return [];
    }
    const trigrams = new Set(characters.slice(2).map((_last, place) => characters.slice(place, place + 3).join('')));
    // Trigrams in any order are more than the fragment; the rest is looked at by eye.
    return candidatesOf(byFragments.all(matchAll([...trigrams], ''), mostCandidates))
      .filter((candidate) => compactCode(candidate.code ?? '').includes(fragment))
      .slice(0, limit)
      .map((candidate) => candidate.number);
  }

  return {
    search: (text, limit) => {
      const words = wordsOf(text).slice(0, mostQueryWords);
      if (words.length === 0) {
        return [];
      }
      const code = text.trim();
      const found = new Set<RowNumber>(byCodeStart.all(code, `${code}\u{10FFFF}`, limit).map((row) => row.number));
      const isShort = words.join('').length < shortestRanked;
      const steps: (() => readonly RowNumber[])[] = isShort
        ? [() => byWords.all(matchAll(words, '*'), limit).map((row) => row.number)]
        : [
            ...(['', '*'] as const).map((ending) => () => rank(candidatesOf(byWords.all(matchAll(words, ending), mostCandidates)), words).map((candidate) => candidate.number)),
            () => findFragments(text, limit),
          ];
      for (const step of steps) {
        for (const number of found.size < limit ? step() : []) {
          found.add(number);
        }
      }
      return [...found].slice(0, limit);
    },
  };
}
