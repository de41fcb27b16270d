import type { Bits } from './places.ts';

/** Of half a kilobyte each: more than twice what a text of eight words takes at a million products. */
const maxKnown = 8_000;

/** The bits of a range by their block, null for a block without any. Nobody may change them. */
export type KnownBlocks = ReadonlyMap<number, Bits | null>;

/**
 * The bits that were read of the index lately. Somebody who types asks for the same words with each key, and only the
 * last of them is another one.
 */
export type KnownBits = ReturnType<typeof createKnownBits>;

/** Makes an empty one. */
export function createKnownBits() {
  const ranges = new Map<string, Map<number, Bits | null>>();
  let count = 0;

  return {
    of: (range: string): KnownBlocks => {
      const blocks = ranges.get(range) ?? new Map<number, Bits | null>();
      ranges.delete(range);
      ranges.set(range, blocks);
      return blocks;
    },
    /** These bits of the block have been read; the ranges that were asked for longest ago make room. */
    note: (range: string, block: number, bits: Bits | null) => {
      const own = ranges.get(range);
      if (own === undefined || own.has(block)) {
        return; // It has made room meanwhile.
      }
      own.set(block, bits);
      count += 1;
      for (const [oldest, blocks] of ranges) {
        if (count <= maxKnown) {
          break;
        }
        ranges.delete(oldest);
        count -= blocks.size;
        // A search that rests may still hold it, and `forget` would not reach it there.
        blocks.clear();
      }
    },
    /** The block is being written to. */
    forget: (block: number) => {
      for (const [range, blocks] of ranges) {
        count -= blocks.delete(block) ? 1 : 0;
        if (blocks.size === 0) {
          ranges.delete(range);
        }
      }
    },
  };
}
