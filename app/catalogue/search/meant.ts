import type { RowNumber } from '../store/product-reader.ts';
import { slipsAllowed, slipsBetween } from './slips.ts';
import type { TermIndex } from './term-index.ts';

/** Words that one word may have been meant as, and texts that are searched for instead of the typed one. */
const maxMeantWords = 8;
const maxMeantTexts = 16;

export interface MeantParts {
  readonly index: Pick<TermIndex, 'words'>;
  /** Whether a word of the copy begins with it. */
  readonly isKnown: (word: string) => boolean;
  readonly find: (text: string, limit: number) => readonly RowNumber[];
}

/** The ways to take one word of each list, as many as are looked for. */
function textsOf(meant: readonly (readonly string[])[]): readonly string[] {
  const texts = meant.reduce<readonly (readonly string[])[]>(
    (begun, words) => begun.flatMap((text) => words.map((word) => [...text, word])).slice(0, maxMeantTexts),
    [[]],
  );
  return texts.map((text) => text.join(' '));
}

/** Words of the copy by how many slips they are away from this one, the fewest first; none while it is at work. */
function* meantBy(word: string, index: MeantParts['index']): IterableIterator<readonly string[]> {
  const most = slipsAllowed(word);
  const slipsTo = new Map<string, number>();
  for (const some of index.words(word.length - most, word.length + most)) {
    for (const other of some) {
      slipsTo.set(other, slipsTo.get(other) ?? slipsBetween(word, other, most));
    }
    yield [];
  }
  yield [...slipsTo]
    .filter(([, slips]) => slips <= most)
    .toSorted(([one, slips], [other, otherSlips]) => slips - otherSlips || (one < other ? -1 : 1))
    .slice(0, maxMeantWords)
    .map(([other]) => other);
}

/**
 * Rows that fit what these words may have meant, the fewest slips first; none when the copy knows every one of them.
 * No row is answered now and then, for whoever takes a rest there. Throws what `parts` throw.
 */
export function* findMeant(
  words: readonly string[],
  limit: number,
  { index, isKnown, find }: MeantParts,
): IterableIterator<readonly RowNumber[]> {
  const unknown = words.filter((word) => !isKnown(word));
  const meant = new Map(words.map((word): [string, readonly string[]] => [word, [word]]));
  for (const word of unknown) {
    for (const found of slipsAllowed(word) === 0 ? [] : meantBy(word, index)) {
      meant.set(word, found);
      yield [];
    }
  }
  const rows = new Set<RowNumber>();
  for (const text of unknown.length === 0 ? [] : textsOf(words.map((word) => meant.get(word) ?? []))) {
    const found = rows.size < limit ? find(text, limit) : [];
    yield found.filter((row) => !rows.has(row)).slice(0, limit - rows.size);
    for (const row of found) {
      rows.add(row);
    }
  }
}
