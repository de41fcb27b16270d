export interface RowMarks {
  readonly size: number;
  add(row: number): void;
  has(row: number): boolean;
  /** The rows in rising order. */
  rows(): IterableIterator<number>;
}

/** An empty set, which grows with its largest row. */
export function createRowMarks(): RowMarks {
  let bits = new Uint8Array(1024);
  let size = 0;
  return {
    get size() {
      return size;
    },
    add: (row) => {
      const byte = row >> 3;
      if (byte >= bits.length) {
        const larger = new Uint8Array(2 * byte);
        larger.set(bits);
        bits = larger;
      }
      const before = bits[byte] ?? 0;
      const after = before | (1 << (row & 7));
      size += after === before ? 0 : 1;
      bits[byte] = after;
    },
    has: (row) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0,
    *rows() {
      for (let byte = 0; byte < bits.length; byte += 1) {
        const some = bits[byte] ?? 0;
        for (let bit = 0; bit < 8 && some >> bit !== 0; bit += 1) {
          if (((some >> bit) & 1) === 1) {
            yield byte * 8 + bit;
          }
        }
      }
    },
  };
}
