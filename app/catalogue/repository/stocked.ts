import type { Id } from '../../domain/int64.ts';
import type { Database } from '../../storage/database.ts';
import { isKeptId, requireAsKept } from '../../storage/as-kept.ts';
import type { ProductPlace, RowNumber } from './product-reader.ts';

const atOnce = 500;
const countedAtOnce = 5_000;

/** A product that is there, and when it last changed, if anybody knows. */
export interface StockedProduct extends ProductPlace {
  readonly updatedAt: number | null;
}

/** The products with stock, of the profile's stocks. All calls throw StorageError. */
export type Stocked = ReturnType<typeof openStocked>;

/** Opens them over catalogue.db. */
export function openStocked(database: Database) {
  const last = database.prepare<{ last: number | null }>('SELECT max(number) AS last FROM products');
  const withStock = 'products.number > ? AND products.number <= ? AND balance > 0 AND stock_id > 0';
  const slice = database.prepare<{ stockId: Id; productId: Id; updatedAt: number | null }>(
    `SELECT CAST(stock_id AS TEXT) AS stockId, CAST(product_id AS TEXT) AS productId, updated_at AS updatedAt FROM products JOIN stocks ON stocks.number = stock WHERE ${withStock} ORDER BY products.number`,
  );
  const counted = database.prepare<{ counted: number }>(
    `SELECT count(*) AS counted FROM products JOIN stocks ON stocks.number = stock WHERE ${withStock} AND CAST(stock_id AS TEXT) NOT IN (SELECT value FROM json_each(?))`,
  );
  const lastRow = (): number => last.get()?.last ?? 0;
  return {
    /** Those among the next rows; `next` is null after the last. */
    slice: (after: RowNumber): { readonly products: readonly StockedProduct[]; readonly next: RowNumber | null } => {
      const next = after + atOnce;
      const products = slice.all(after, next);
      // What is asked of the platform for them must not go by a damaged id.
      requireAsKept(products.every(({ stockId, productId }) => isKeptId(stockId) && isKeptId(productId)));
      return { products, next: next < lastRow() ? next : null };
    },
    /** How many there are but for those stocks, resting between two slices; null when `pause` answers that it is over. */
    count: async (pause: () => Promise<boolean>, without: ReadonlySet<Id>): Promise<number | null> => {
      let total = 0;
      for (let after = 0; after < lastRow(); after += countedAtOnce) {
        total += counted.get(after, after + countedAtOnce, JSON.stringify([...without]))?.counted ?? 0;
        if (!(await pause())) {
          return null;
        }
      }
      return total;
    },
  };
}
