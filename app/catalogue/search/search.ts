// Search as you type over the copy: words in any order, each by its beginning, without accents or capitals, and
// fragments of codes. Best first, in these ranks:
//
//   R1  the code is the text, whatever its letter case
//   R2  the code begins with the text
//   R3  every word of the text is a whole word of the product, and the name begins with the first of them
//   R4  every word of the text is a whole word of the product
//   R5  every word of the text is the beginning of a word of the product, and the name begins with the first of them
//   R6  every word of the text is the beginning of a word of the product
//   R7  the code contains the text, which has a digit and three characters or more
//
//   Among equals of R3 to R6 shorter names come first, then older rows. Of a rank with more than sixty products sixty are
//   put in order, and the others follow as they are found: so the work is bounded whatever is typed, and the first few
//   are the same however many are wanted. No product of a better rank is left out for one of a worse rank. Only of words
//   with digits, numbered through beyond their sixth character, the first few hundred are looked at; R1 and R2 find codes
//   whatever they are. A text counts up to its eighth word.
//
// A text with words that nothing begins with can be read as what it may have meant: each such word as the words of the
// copy that are the fewest slips away, or, for it may not be typed to its end, that begin so with a slip.
import type { Database } from '../../storage/database.ts';
import { findMeant } from './meant.ts';
import { blockRows } from './places.ts';
import type { RowNumber } from '../repository/product-reader.ts';
import type { TermIndex, TermRange } from './term-index.ts';
import { beginningProbe, compactCode, fragmentTerms, searchWordsOf, wholeProbe, wordsOf, type Probe } from './words.ts';

const maxQueryWords = 8;
/** Products of one rank that are put in order. */
const maxOrdered = 60;
/** Products that are looked at by eye, where the terms of the index are shorter than what was typed. */
const maxRecentlyViewed = 600;
const shortestFragment = 3;
const maxFragmentLength = 40;

interface Candidate {
  readonly number: RowNumber;
  readonly name: string;
  readonly code: string | null;
  readonly otherCodes: string | null;
}

export interface Search {
  /** Rows that fit, best first. */
  search(text: string, limit: number): readonly RowNumber[];
  /** Every row of R6 and R7, a block of rows at a time, for whoever takes a rest in between. */
  all(text: string): IterableIterator<readonly RowNumber[]>;
  /**
   * Rows that fit what the text may have meant, the fewest slips first; none when every word of it begins a word of the
   * copy. Work comes in between, for whoever takes a rest there: then no row is answered.
   */
  similar(text: string, limit: number): IterableIterator<readonly RowNumber[]>;
}

type Fits = (candidate: Candidate) => boolean;

const beginsSo = (own: string, typed: string): boolean => own.startsWith(typed);

function probesOf(words: readonly string[], probeOf: (word: string, first: '' | '^') => Probe): readonly Probe[] {
  return words.map((word) => probeOf(word, ''));
}

function fragmentOf(text: string): string | null {
  const fragment = compactCode(text).slice(0, maxFragmentLength);
  return fragment.length < shortestFragment || !/\p{N}/u.test(fragment) ? null : fragment;
}

function typedWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].slice(0, maxQueryWords);
}

/** A test for rows that the index finds though it holds less than what was typed. */
function fitsOf(words: readonly string[], isWord: (own: string, typed: string) => boolean): Fits {
  return (candidate) => {
    const own = searchWordsOf(candidate);
    return words.every((typed) => own.some((word) => isWord(word, typed)));
  };
}

function piecesOf(fragment: string): readonly TermRange[] {
  return fragmentTerms(fragment).map((term) => ({ from: term, to: null }));
}

/** Rows by their number. `readOnce` is for one search, whose ranks mostly look at the same ones; `forget` begins it. */
function openCandidates(database: Database) {
  const byNumber = database.prepare<Candidate>(
    'SELECT number, name, code, other_codes AS otherCodes FROM products WHERE number = ?',
  );
  const candidates = new Map<RowNumber, Candidate | undefined>();
  const read = (row: RowNumber): Candidate | undefined => byNumber.get(row);
  return {
    read,
    readOnce: (row: RowNumber): Candidate | undefined => {
      const candidate = candidates.get(row) ?? read(row);
      candidates.set(row, candidate);
      return candidate;
    },
    forget: (): void => candidates.clear(),
  };
}

/** Opens the search over catalogue.db. Throws StorageError. */
export function openSearch(database: Database, index: TermIndex): Search {
  const byCodeStart = database.prepare<{ number: RowNumber }>(
    'SELECT number FROM products WHERE code >= ?1 COLLATE NOCASE AND code < ?2 COLLATE NOCASE ORDER BY code COLLATE NOCASE LIMIT ?3',
  );
  const { read, readOnce, forget } = openCandidates(database);

  /** Rows under all of these, the first of them; `also` among them apart. */
  function collect(
    ranges: readonly TermRange[],
    also: TermRange | null,
    most: number,
  ): { readonly rows: readonly RowNumber[]; readonly also: readonly RowNumber[] } {
    const found = { rows: [] as RowNumber[], also: [] as RowNumber[] };
    for (const block of index.common(ranges, also, most)) {
      found.rows.push(...block.rows.slice(0, most - found.rows.length));
      found.also.push(...block.also.slice(0, most - found.also.length));
      if ((also === null ? found.rows : found.also).length >= most) {
        break;
      }
    }
    return found;
  }

  function order(rows: readonly RowNumber[], fits: Fits): RowNumber[] {
    return rows
      .flatMap((row) => readOnce(row) ?? [])
      .filter(fits)
      .toSorted((left, right) => left.name.length - right.name.length || left.number - right.number)
      .map((candidate) => candidate.number);
  }

  function findWords(
    words: readonly string[],
    probeOf: (word: string, first: '' | '^') => Probe,
    isWord: (own: string, typed: string) => boolean,
    most: number,
  ): RowNumber[] {
    const probes = probesOf(words, probeOf);
    const [firstWord = ''] = words;
    const first = probeOf(firstWord, '^');
    if ([...probes, first].every((probe) => probe.isExact)) {
      const { rows, also } = collect(probes, first, most);
      return [also, rows].flatMap((some) => [
        ...order(some.slice(0, maxOrdered), () => true),
        ...some.slice(maxOrdered),
      ]);
    }
    const { rows, also } = collect(probes, first, Math.max(most, maxRecentlyViewed));
    const fits = fitsOf(words, isWord);
    return [
      ...order(also, (candidate) => fits(candidate) && isWord(wordsOf(candidate.name)[0] ?? '', firstWord)),
      ...order(rows, fits),
    ];
  }

  // Pieces in any order are more than the fragment.
  function hasFragment(row: RowNumber, fragment: string): boolean {
    return compactCode(read(row)?.code ?? '').includes(fragment);
  }

  function findFragments(text: string, most: number): RowNumber[] {
    const fragment = fragmentOf(text);
    return fragment === null
      ? []
      : collect(piecesOf(fragment), null, Math.max(most, maxRecentlyViewed)).rows.filter((row) =>
          hasFragment(row, fragment),
        );
  }

  function find(text: string, limit: number): readonly RowNumber[] {
    const words = typedWords(text);
    if (words.length === 0) {
      return [];
    }
    const code = text.trim();
    forget();
    const most = Math.max(limit, maxOrdered);
    const ranks: (() => readonly RowNumber[])[] = [
      () => byCodeStart.all(code, `${code}\u{10FFFF}`, limit).map((row) => row.number),
      () => findWords(words, wholeProbe, (own, typed) => own === typed, most),
      () => findWords(words, beginningProbe, beginsSo, most),
      () => findFragments(text, most),
    ];
    const found = new Set<RowNumber>();
    for (const rank of ranks) {
      for (const number of found.size < limit ? rank() : []) {
        found.add(number);
      }
    }
    return [...found].slice(0, limit);
  }

  return {
    search: (text, limit) => database.reading(() => find(text, limit)),

    *all(text) {
      const words = typedWords(text);
      const probes = probesOf(words, beginningProbe);
      const fits = probes.every((probe) => probe.isExact) ? null : fitsOf(words, beginsSo);
      for (const { rows } of words.length === 0 ? [] : index.common(probes, null, blockRows)) {
        yield fits === null
          ? rows
          : rows.filter((row) => [read(row)].some((candidate) => candidate !== undefined && fits(candidate)));
      }
      const fragment = fragmentOf(text);
      for (const { rows } of fragment === null ? [] : index.common(piecesOf(fragment), null, blockRows)) {
        yield fragment === null ? [] : rows.filter((row) => hasFragment(row, fragment));
      }
    },

    similar: (text, limit) => {
      const isKnown = (word: string): boolean => collect([beginningProbe(word, '')], null, 1).rows.length > 0;
      return findMeant(typedWords(text), limit, { index, isKnown, find });
    },
  };
}
