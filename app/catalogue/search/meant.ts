import type { RowNumber } from '../repository/product-reader.ts';
import { beginsWithSlips, slipsAllowed, slipsBetween, slipsOfBeginning } from './slips.ts';
import type { TermIndex } from './term-index.ts';
import { maxWordLength } from './words.ts';

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

/**
 * How far this word is from another one: by its slips, and one that only begins so after one that is as many slips away.
 * Null when it is too far.
 */
function distanceOf(word: string, other: string, most: number, mostOfBeginning: number): number | null {
  const slips = slipsBetween(word, other, most);
  if (slips <= 1) {
    return slips;
  }
  if (mostOfBeginning > 0 && other.length > word.length && beginsWithSlips(word, other, mostOfBeginning)) {
    return mostOfBeginning + 0.5;
  }
  return slips <= most ? slips : null;
}

/** Words of the copy by how far they are from this one, the nearest first; none while it is at work. */
function* meantBy(word: string, index: MeantParts['index']): IterableIterator<readonly string[]> {
  const [most, mostOfBeginning] = [slipsAllowed(word), slipsOfBeginning(word)];
  const distances = new Map<string, number | null>();
  for (const some of index.words(word.length - most, mostOfBeginning > 0 ? maxWordLength : word.length + most)) {
    for (const other of some) {
      if (!distances.has(other)) {
        distances.set(other, distanceOf(word, other, most, mostOfBeginning));
      }
    }
    yield [];
  }
  yield [...distances]
    .flatMap(([other, distance]) => (distance === null ? [] : { other, distance }))
    .toSorted((one, next) => one.distance - next.distance || (one.other < next.other ? -1 : 1))
    .slice(0, maxMeantWords)
    .map(({ other }) => other);
}

/**
 * Rows that fit what these words may have meant, the nearest first; none when the copy knows every one of them.
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
