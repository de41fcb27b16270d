// Owns the index of terms in catalogue.db: which rows are found under a term, block by block of 4,096 rows. A new row touches
// only the block at the end, however large the copy is, and finding the rows that several terms share takes a bounded number of
// steps for each block, whatever the terms are. Never knows what a term means.
import type { Database } from '../storage/database.ts';
import { addTo, blockRows, firstPlaces, keepCommon, noBits, withoutPlaces, withPlaces, type Bits, type StoredPlaces } from './places.ts';

/** One term, or all from `from` up to but not including `to`. */
export interface TermRange {
  readonly from: string;
  readonly to: string | null;
}

/** Terms of a range that count in one block; more would take too long. */
const mostTermsOfRange = 400;

/** Rows and the terms that each of them gains or loses. */
export type TermChanges = ReadonlyMap<number, Iterable<string>>;

export interface TermIndex {
  add(changes: TermChanges): void;
  remove(changes: TermChanges): void;
  /** Rows under all of these, block by block; those that are under `also` as well come first. Each at most `limit` a block. */
  common(ranges: readonly TermRange[], also: TermRange | null, limit: number): IterableIterator<{ readonly rows: readonly number[]; readonly also: readonly number[] }>;
}

function byBlock(changes: TermChanges): Map<number, Map<string, number[]>> {
  const blocks = new Map<number, Map<string, number[]>>();
  for (const [row, terms] of changes) {
    const block = Math.floor(row / blockRows);
    const places = blocks.get(block) ?? new Map<string, number[]>();
    blocks.set(block, places);
    for (const term of terms) {
      const known = places.get(term);
      if (known === undefined) {
        places.set(term, [row % blockRows]);
      } else {
        known.push(row % blockRows);
      }
    }
  }
  return blocks;
}

/** Opens the index over catalogue.db. All calls throw StorageError. */
export function openTermIndex(database: Database): TermIndex {
  const read = database.prepare<{ places: StoredPlaces }>('SELECT places FROM search_terms WHERE block = ? AND term = ?');
  const readRange = database.prepare<{ places: StoredPlaces }>(`SELECT places FROM search_terms WHERE block = ? AND term >= ? AND term < ? LIMIT ${mostTermsOfRange}`);
  const write = database.prepare('INSERT INTO search_terms (block, term, places) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET places = excluded.places');
  const erase = database.prepare('DELETE FROM search_terms WHERE block = ? AND term = ?');
  const lastRow = database.prepare<{ last: number | null }>('SELECT max(number) AS last FROM products');

  function stored(block: number, { from, to }: TermRange): readonly StoredPlaces[] {
    return (to === null ? [read.get(block, from)] : readRange.all(block, from, to)).flatMap((row) => row?.places ?? []);
  }

  function sizeIn(block: number, range: TermRange): number {
    return stored(block, range).reduce((sum, places) => sum + places.byteLength, 0);
  }

  function load(block: number, range: TermRange): Bits | null {
    const sets = stored(block, range);
    if (sets.length === 0) {
      return null;
    }
    const bits = noBits();
    for (const places of sets) {
      addTo(bits, places);
    }
    return bits;
  }

  /** Null when no row of the block is under all of them. */
  function intersect(block: number, ranges: readonly TermRange[]): Bits | null {
    let common: Bits | null = null;
    for (const range of ranges) {
      const bits = load(block, range);
      if (bits === null || (common !== null && !keepCommon(common, bits))) {
        return null;
      }
      common ??= bits;
    }
    return common;
  }

  return {
    add: (changes) => {
      for (const [block, terms] of byBlock(changes)) {
        for (const [term, places] of terms) {
          write.run(block, term, withPlaces(read.get(block, term)?.places ?? null, places));
        }
      }
    },

    remove: (changes) => {
      for (const [block, terms] of byBlock(changes)) {
        for (const [term, places] of terms) {
          const before = read.get(block, term);
          const after = before === undefined ? null : withoutPlaces(before.places, places);
          if (after === null) {
            erase.run(block, term);
          } else {
            write.run(block, term, after);
          }
        }
      }
    },

    *common(ranges, also, limit) {
      const blocks = Math.floor((lastRow.get()?.last ?? 0) / blockRows);
      // The rarest first: a block without it is done with.
      const sizes = new Map(ranges.map((range) => [range, sizeIn(0, range)]));
      const rarestFirst = ranges.toSorted((left, right) => (sizes.get(left) ?? 0) - (sizes.get(right) ?? 0));
      for (let block = 0; block <= blocks; block += 1) {
        const bits = intersect(block, rarestFirst);
        if (bits !== null) {
          const rowsOf = (some: Bits): number[] => firstPlaces(some, limit).map((place) => block * blockRows + place);
          const rows = rowsOf(bits);
          const extra = also === null ? null : load(block, also);
          yield { rows, also: extra !== null && keepCommon(extra, bits) ? rowsOf(extra) : [] };
        }
      }
    },
  };
}
