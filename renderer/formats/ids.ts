// Owns how a list of product ids that a person typed or pasted is read: one below the other, with commas, as it comes out of a
// spreadsheet. Never asks whether the products exist.
import { parseId, type Id } from '../../app/domain/int64.ts';

/** As many as the contract takes. */
export const mostIds = 1000;

export interface ReadIds {
  /** Each once, in the order of the text; at most 1000. */
  readonly ids: readonly Id[];
  /** The first piece that is no id; null when all are. */
  readonly wrong: string | null;
  readonly isTooMany: boolean;
}

/** Reads ids with blanks, commas, semicolons or line breaks between them. */
export function readIds(text: string): ReadIds {
  const pieces = text.split(/[\s,;]+/).filter((piece) => piece !== '');
  const wrong = pieces.find((piece) => parseId(piece) === null) ?? null;
  const ids = [...new Set(pieces.flatMap((piece) => parseId(piece) ?? []))];
  return { ids: ids.slice(0, mostIds), wrong: wrong === null ? null : wrong.slice(0, 40), isTooMany: ids.length > mostIds };
}
