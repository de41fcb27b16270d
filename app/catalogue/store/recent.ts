// Owns the list of recent lookups in catalogue.db: the last 100, newest first. Never answers a lookup.
import type { LookupAnswer, RecentLookup } from '../../contract/contract.ts';
import type { Id } from '../../domain/int64.ts';
import type { Database } from '../../storage/database.ts';
import type { ProductReader } from './product-reader.ts';

const mostRecent = 100;

export interface RecentLookups {
  /** Remembers an answer; one for the same text as the newest takes its place. */
  remember(entry: { readonly at: number; readonly text: string; readonly answer: LookupAnswer['kind']; readonly product: { readonly stockId: Id; readonly productId: Id } | null }): void;
  /** Corrects what the newest entry for this text says, if that is one of what was not copied yet. */
  correct(entry: { readonly text: string; readonly answer: LookupAnswer['kind']; readonly product: { readonly stockId: Id; readonly productId: Id } | null }): void;
  /** Newest first; a product shows its present figures. */
  list(): readonly RecentLookup[];
}

interface RecentRow {
  readonly id: number;
  readonly at: number;
  readonly text: string;
  readonly answer: RecentLookup['answer'];
  readonly stockId: Id | null;
  readonly productId: Id | null;
}

/** Opens the recent lookups over catalogue.db. Throws StorageError. */
export function openRecentLookups(database: Database, reader: ProductReader): RecentLookups {
  const newest = database.prepare<{ id: number; text: string }>('SELECT id, text FROM recent_lookups ORDER BY id DESC LIMIT 1');
  const insert = database.prepare('INSERT INTO recent_lookups (at, text, answer, stock_id, product_id) VALUES (?, ?, ?, ?, ?)');
  const removeOne = database.prepare('DELETE FROM recent_lookups WHERE id = ?');
  const removeOld = database.prepare('DELETE FROM recent_lookups WHERE id <= ?');
  const correct = database.prepare(
    "UPDATE recent_lookups SET answer = ?2, stock_id = ?3, product_id = ?4 WHERE answer = 'notCopied' AND id = (SELECT id FROM recent_lookups WHERE text = ?1 ORDER BY id DESC LIMIT 1)",
  );
  const all = database.prepare<RecentRow>(
    `SELECT id, at, text, answer, CAST(stock_id AS TEXT) AS stockId, CAST(product_id AS TEXT) AS productId FROM recent_lookups ORDER BY id DESC LIMIT ${mostRecent}`,
  );
  return {
    remember: ({ at, text, answer, product }) => {
      database.transaction(() => {
        const last = newest.get();
        if (last?.text === text) {
          removeOne.run(last.id);
        }
        const { lastId } = insert.run(at, text, answer, product === null ? null : BigInt(product.stockId), product === null ? null : BigInt(product.productId));
        removeOld.run(lastId - mostRecent);
      });
    },
    correct: ({ text, answer, product }) => {
      correct.run(text, answer, product === null ? null : BigInt(product.stockId), product === null ? null : BigInt(product.productId));
    },
    list: () =>
      all.all().map(({ id, at, text, answer, stockId, productId }) => {
        const number = stockId === null || productId === null ? null : reader.find(stockId, productId);
        return { id, at, text, answer, hit: number === null ? null : reader.hit(number) };
      }),
  };
}
