import type { Database } from '../../storage/database.ts';
import {
  addTo,
  blockRows,
  firstPlaces,
  keepCommon,
  noBits,
  withoutPlaces,
  withPlaces,
  type Bits,
  type StoredPlaces,
} from './places.ts';

/** One term, or all from `from` up to but not including `to`. */
export interface TermRange {
  readonly from: string;
  readonly to: string | null;
}

/** Terms of a range that count in one block; more would take too long. */
const maxTermsOfRange = 400;

const blocksAtFirst = 4;
const blocksAtOnce = 32;

interface BlockRow {
  readonly block: number;
  readonly places: StoredPlaces;
}

/** Rows and the terms that each of them gains or loses. */
export type TermChanges = ReadonlyMap<number, Iterable<string>>;

export interface TermIndex {
  add(changes: TermChanges): void;
  remove(changes: TermChanges): void;
  /**
   * Rows under all of these, block by block; those that are under `also` as well come first. Each at most `limit` a
   * block.
   */
  common(
    ranges: readonly TermRange[],
    also: TermRange | null,
    limit: number,
  ): IterableIterator<{ readonly rows: readonly number[]; readonly also: readonly number[] }>;
  /** The words of each block that begin with a letter and have from `shortest` to `longest` characters. */
  words(shortest: number, longest: number): IterableIterator<readonly string[]>;
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

// Several blocks at once, for asking the database costs more than its answer. The join walks the blocks, never all
// terms between them.
const blocksOf =
  'WITH RECURSIVE blocks (number) AS (VALUES (?1) UNION ALL SELECT number + 1 FROM blocks WHERE number < ?2) SELECT block, places FROM blocks CROSS JOIN search_terms';

/** Opens the index over catalogue.db. All calls throw StorageError. */
export function openTermIndex(database: Database): TermIndex {
  const read = database.prepare<{ places: StoredPlaces }>(
    'SELECT places FROM search_terms WHERE block = ? AND term = ?',
  );
  const readTerm = database.prepare<BlockRow>(`${blocksOf} ON block = number AND term = ?3`);
  const readRange = database.prepare<BlockRow>(
    `${blocksOf} ON block = number AND term >= ?3 AND term < ?4 LIMIT ${blocksAtOnce * maxTermsOfRange}`,
  );
  const write = database.prepare(
    'INSERT INTO search_terms (block, term, places) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET places = excluded.places',
  );
  const erase = database.prepare('DELETE FROM search_terms WHERE block = ? AND term = ?');
  // Every other kind of term begins with a sign or a digit.
  const readWords = database.prepare<{ term: string }>(
    "SELECT term FROM search_terms WHERE block = ? AND term >= 'a' AND length(term) BETWEEN ? AND ?",
  );
  const lastRow = database.prepare<{ last: number | null }>('SELECT max(number) AS last FROM products');

  const lastBlock = (): number => Math.floor((lastRow.get()?.last ?? 0) / blockRows);

  function load(first: number, last: number, { from, to }: TermRange): Map<number, Bits> {
    const found = new Map<number, Bits>();
    for (const { block, places } of to === null
      ? readTerm.all(first, last, from)
      : readRange.all(first, last, from, to)) {
      const bits = found.get(block) ?? noBits();
      addTo(bits, places);
      found.set(block, bits);
    }
    return found;
  }

  /** The rows of these blocks that are under all of them; blocks without one are left out. */
  function intersect(first: number, last: number, ranges: readonly TermRange[]): Map<number, Bits> {
    let common: Map<number, Bits> | null = null;
    for (const range of ranges) {
      const [from, to]: readonly [number, number] =
        common === null ? [first, last] : [Math.min(...common.keys()), Math.max(...common.keys())];
      const found = load(from, to, range);
      for (const [block, bits] of common ?? []) {
        const other = found.get(block);
        if (other === undefined || !keepCommon(bits, other)) {
          common?.delete(block);
        }
      }
      common ??= found;
      if (common.size === 0) {
        break;
      }
    }
    return common ?? new Map<number, Bits>();
  }

  /** The rarest first: most blocks are done with after it. */
  function rarestFirst(ranges: readonly TermRange[]): readonly TermRange[] {
    const sizes = new Map(
      ranges.map(({ from, to }) => [
        from,
        (to === null ? readTerm.all(0, 0, from) : readRange.all(0, 0, from, to)).reduce(
          (sum, { places }) => sum + places.byteLength,
          0,
        ),
      ]),
    );
    return ranges.toSorted((left, right) => (sizes.get(left.from) ?? 0) - (sizes.get(right.from) ?? 0));
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
      const last = lastBlock();
      const ordered = rarestFirst(ranges);
      // What is common is soon found in plenty.
      for (let [first, count] = [0, blocksAtFirst]; first <= last; [first, count] = [first + count, blocksAtOnce]) {
        const common = intersect(first, Math.min(last, first + count - 1), ordered);
        const extra =
          also === null || common.size === 0
            ? null
            : load(Math.min(...common.keys()), Math.max(...common.keys()), also);
        for (const [block, bits] of common) {
          const rowsOf = (some: Bits): number[] => firstPlaces(some, limit).map((place) => block * blockRows + place);
          const rows = rowsOf(bits);
          const others = extra?.get(block);
          yield { rows, also: others !== undefined && keepCommon(others, bits) ? rowsOf(others) : [] };
        }
      }
    },

    *words(shortest, longest) {
      const last = lastBlock();
      for (let block = 0; block <= last; block += 1) {
        yield readWords.all(block, shortest, longest).map(({ term }) => term);
      }
    },
  };
}
