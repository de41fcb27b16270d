import type { Database } from '../../storage/database.ts';
import { createKnownBits, type KnownBits, type KnownBlocks } from './known-bits.ts';
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

interface Probe extends TermRange {
  readonly name: string;
  readonly blocks: KnownBlocks;
}

/** Rows and the terms that each of them gains or loses. */
export type TermChanges = ReadonlyMap<number, Iterable<string>>;

export interface TermIndex {
  add(changes: TermChanges): void;
  remove(changes: TermChanges): void;
  /** Rows under all of these, block by block, those under `also` as well first. Each at most `limit` a block. */
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

/** Opens the reading of the index by blocks; what was read lately is known. */
function openBlocks(database: Database, known: KnownBits) {
  const read = database.prepare<{ places: StoredPlaces }>(
    'SELECT places FROM search_terms WHERE block = ? AND term = ?',
  );
  const readTerm = database.prepare<BlockRow>(`${blocksOf} ON block = number AND term = ?3`);
  const readRange = database.prepare<BlockRow>(
    `${blocksOf} ON block = number AND term >= ?3 AND term < ?4 LIMIT ${blocksAtOnce * maxTermsOfRange}`,
  );
  const readRangeOfOne = database.prepare<{ places: StoredPlaces }>(
    `SELECT places FROM search_terms WHERE block = ? AND term >= ? AND term < ? LIMIT ${maxTermsOfRange}`,
  );

  function probeOf(range: TermRange): Probe {
    const name = `${range.from} ${range.to ?? ''}`;
    return { ...range, name, blocks: known.of(name) };
  }

  function learn(blocks: readonly number[], { from, to, name }: Probe): void {
    const [first, last] = [blocks[0] ?? 0, blocks.at(-1) ?? -1];
    const found = new Map<number, Bits>();
    for (const { block, places } of to === null
      ? readTerm.all(first, last, from)
      : readRange.all(first, last, from, to)) {
      const bits = found.get(block) ?? noBits();
      addTo(bits, places);
      found.set(block, bits);
    }
    for (const block of blocks) {
      known.note(name, block, found.get(block) ?? null);
    }
  }

  /** Null when the block has no row under it. */
  function bitsOf(block: number, { from, to, name, blocks }: Probe): Bits | null {
    const before = blocks.get(block);
    if (before !== undefined) {
      return before;
    }
    const stored = to === null ? read.all(block, from) : readRangeOfOne.all(block, from, to);
    const bits = noBits();
    for (const { places } of stored) {
      addTo(bits, places);
    }
    const found = stored.length === 0 ? null : bits;
    known.note(name, block, found);
    return found;
  }

  /** The rows of the block that are under all of them; null when none is. */
  function commonOf(block: number, [lead, ...others]: readonly Probe[]): Bits | null {
    const common = lead === undefined ? undefined : bitsOf(block, lead)?.slice();
    return common !== undefined &&
      others.every((probe) => {
        const other = bitsOf(block, probe);
        return other !== null && keepCommon(common, other);
      })
      ? common
      : null;
  }

  /** The rarest first: most blocks are done with after it. */
  function rarestFirst(ranges: readonly TermRange[]): readonly Probe[] {
    return ranges
      .map(probeOf)
      .map((probe) => ({ probe, size: firstPlaces(bitsOf(0, probe) ?? noBits(), blockRows).length }))
      .toSorted((left, right) => left.size - right.size)
      .map(({ probe }) => probe);
  }

  /** The blocks from one to another with the rows in each that are under all of them. */
  function* commonFrom(first: number, last: number, ordered: readonly Probe[]): IterableIterator<[number, Bits]> {
    const blocks = Array.from({ length: last - first + 1 }, (_unused, place) => first + place);
    // A known block costs next to nothing; the others are then read only where the words before them have left a row.
    const isUnknown = ({ blocks: own }: Probe): boolean => blocks.some((block) => !own.has(block));
    const unknown = ordered.filter(isUnknown);
    const inTurn = [...ordered.filter((probe) => !unknown.includes(probe)), ...unknown];
    const [lead] = inTurn;
    if (lead !== undefined && unknown.includes(lead)) {
      learn(
        blocks.filter((block) => !lead.blocks.has(block)),
        lead,
      );
    }
    for (const block of blocks) {
      const bits = commonOf(block, inTurn);
      if (bits !== null) {
        yield [block, bits];
      }
    }
  }

  return { read, probeOf, bitsOf, rarestFirst, commonFrom };
}

/** Opens the index over catalogue.db. All calls throw StorageError. */
export function openTermIndex(database: Database): TermIndex {
  const write = database.prepare(
    'INSERT INTO search_terms (block, term, places) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET places = excluded.places',
  );
  const erase = database.prepare('DELETE FROM search_terms WHERE block = ? AND term = ?');
  // Every other kind of term begins with a sign or a digit.
  const readWords = database.prepare<{ term: string }>(
    "SELECT term FROM search_terms WHERE block = ? AND term >= 'a' AND length(term) BETWEEN ? AND ?",
  );
  const known = createKnownBits();
  const { read, probeOf, bitsOf, rarestFirst, commonFrom } = openBlocks(database, known);
  const lastRow = database.prepare<{ last: number | null }>('SELECT max(number) AS last FROM products');

  const lastBlock = (): number => Math.floor((lastRow.get()?.last ?? 0) / blockRows);

  return {
    add: (changes) => {
      for (const [block, terms] of byBlock(changes)) {
        known.forget(block);
        for (const [term, places] of terms) {
          write.run(block, term, withPlaces(read.get(block, term)?.places ?? null, places));
        }
      }
    },

    remove: (changes) => {
      for (const [block, terms] of byBlock(changes)) {
        known.forget(block);
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
      const extra = also === null ? null : probeOf(also);
      // A common word is soon found in plenty.
      for (let [first, count] = [0, blocksAtFirst]; first <= last; [first, count] = [first + count, blocksAtOnce]) {
        for (const [block, bits] of commonFrom(first, Math.min(last, first + count - 1), ordered)) {
          const rowsOf = (some: Bits): number[] => firstPlaces(some, limit).map((place) => block * blockRows + place);
          const rows = rowsOf(bits);
          const others = extra === null ? null : bitsOf(block, extra);
          yield { rows, also: others !== null && keepCommon(bits, others) ? rowsOf(bits) : [] };
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
