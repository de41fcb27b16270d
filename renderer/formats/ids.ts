import { parseId, type Id } from '../../app/domain/int64.ts';

/** As many as the contract takes. */
export const maxIds = 1000;

/** So many wrong pieces are named. */
const maxNamed = 5;

export interface ReadIds {
  /** Each once, in the order of the text; at most 1000. */
  readonly ids: readonly Id[];
  /** The first pieces that are no ids, each shortened. */
  readonly wrong: readonly string[];
  /** So many are none. */
  readonly wrongCount: number;
  readonly isTooMany: boolean;
}

/** Reads ids with blanks, commas, semicolons or line breaks between them. */
export function readIds(text: string): ReadIds {
  const pieces = text.split(/[\s,;]+/).filter((piece) => piece !== '');
  const wrong = [...new Set(pieces.filter((piece) => parseId(piece) === null))];
  const ids = [...new Set(pieces.flatMap((piece) => parseId(piece) ?? []))];
  return {
    ids: ids.slice(0, maxIds),
    wrong: wrong.slice(0, maxNamed).map((piece) => piece.slice(0, 40)),
    wrongCount: wrong.length,
    isTooMany: ids.length > maxIds,
  };
}
