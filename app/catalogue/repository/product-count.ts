import type { Database } from '../../storage/database.ts';

const atOnce = 5_000;

export interface ProductCount {
  /**
   * How many products the copy has, in whatever stocks, resting between two slices; null when `pause` answers that it
   * is over. Throws StorageError.
   */
  count(pause: () => Promise<boolean>): Promise<number | null>;
}

/** Opens the counting over catalogue.db. */
export function openProductCount(database: Database): ProductCount {
  interface Slice {
    readonly counted: number;
    readonly last: string | null;
  }
  const slice = database.prepare<Slice>(
    'SELECT count(*) AS counted, CAST(max(id) AS TEXT) AS last FROM (SELECT DISTINCT product_id AS id FROM products WHERE product_id > ? ORDER BY product_id LIMIT ?)',
  );
  return {
    count: async (pause) => {
      let total = 0;
      for (let after: string | null = '-1'; after !== null;) {
        const next: Slice | undefined = slice.get(BigInt(after), atOnce);
        total += next?.counted ?? 0;
        after = next?.last ?? null;
        if (after !== null && !(await pause())) {
          return null;
        }
      }
      return total;
    },
  };
}
