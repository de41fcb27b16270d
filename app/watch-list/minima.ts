// The minimums that a shop has set, in queue.db: what was typed here is precious, while the copy can begin anew at any
// time. They belong to a stock of a company at a platform, whichever profile shows it.
import type { WatchedMinimum } from '../contract/watch-list.ts';
import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';

/** Whose minimums are meant. */
export interface WatchScope {
  readonly platform: string;
  readonly companyId: Id;
  readonly stockIds: readonly Id[];
}

/** All calls throw StorageError. */
export interface Minima {
  /** Those of the scope's stocks. */
  list(): readonly (WatchedMinimum & { readonly minimum: number })[];
  /** One transaction, with what `beside` writes; a minimum of null is removed. */
  set(minima: readonly WatchedMinimum[], beside?: () => void): void;
}

/** Opens the minimums of this scope over queue.db. */
export function openMinima(database: Database, { platform, companyId, stockIds }: WatchScope): Minima {
  const ofStock = database.prepare<WatchedMinimum & { readonly minimum: number }>(
    'SELECT stock_id AS stockId, product_id AS productId, minimum FROM minima WHERE platform = ? AND company_id = ? AND stock_id = ?',
  );
  const put = database.prepare(
    'INSERT OR REPLACE INTO minima (platform, company_id, stock_id, product_id, minimum) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare(
    'DELETE FROM minima WHERE platform = ? AND company_id = ? AND stock_id = ? AND product_id = ?',
  );
  return {
    list: () => stockIds.flatMap((stockId) => ofStock.all(platform, companyId, stockId)),
    set: (minima, beside) => {
      database.transaction(() => {
        beside?.();
        for (const { stockId, productId, minimum } of minima) {
          if (minimum === null) {
            remove.run(platform, companyId, stockId, productId);
          } else {
            put.run(platform, companyId, stockId, productId, minimum);
          }
        }
      });
    },
  };
}
