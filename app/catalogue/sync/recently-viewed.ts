// Which products people have looked at lately and whose figures are old by now: whether `updated_from` counts a
// movement of stock as an update is not documented (API v3 §4.3), so what is looked at is asked for by its ids.
import type { Id } from '../../domain/int64.ts';
import type { Clock } from '../../ports.ts';
import type { CatalogueRepository, StockRow } from '../repository/repository.ts';

/** A product that was looked at within this time counts. */
const lookedWithinMs = 3_600_000;
/** A figure older than this is old; and none is asked for more often. */
const oldAfterMs = 600_000;
/** The recent lookups are looked through this often. */
const lookEveryMs = 5_000;
/** API v3 §8: at most 100 a page. */
const maxAtOnce = 100;

export type RecentlyViewed = ReturnType<typeof openRecentlyViewed>;

/** Opens the view over the recent lookups of a store. Throws StorageError. */
export function openRecentlyViewed(repository: CatalogueRepository, clock: Clock) {
  const askedAtMs = new Map<string, number>();
  let found: readonly { readonly stockId: Id; readonly productId: Id }[] = [];
  let lookAtMs = Number.NEGATIVE_INFINITY;
  let isGivenUp = false;

  function keyOf(stockId: Id, productId: Id): string {
    return `${stockId} ${productId}`;
  }

  function look(): void {
    const [now, uptimeMs] = [clock.now(), clock.uptimeMs()];
    lookAtMs = uptimeMs + lookEveryMs;
    for (const [key, atMs] of askedAtMs) {
      if (uptimeMs - atMs >= oldAfterMs) {
        askedAtMs.delete(key);
      }
    }
    const hits = repository.recent.list().flatMap(({ at, hit }) => {
      const isOld =
        hit !== null && Math.abs(now - at) <= lookedWithinMs && Math.abs(now - (hit.balance.asOf ?? 0)) > oldAfterMs;
      return isOld && !askedAtMs.has(keyOf(hit.stockId, hit.productId)) ? [hit] : [];
    });
    found = [...new Map(hits.map((hit) => [keyOf(hit.stockId, hit.productId), hit])).values()];
  }

  return {
    /** Products that people looked at lately and whose figures are old, the latest looked at first; at most 100. */
    of: (stock: StockRow): readonly Id[] => {
      if (isGivenUp) {
        return [];
      }
      if (clock.uptimeMs() >= lookAtMs) {
        look();
      }
      return found
        .flatMap(({ stockId, productId }) => (stockId === stock.stockId ? [productId] : []))
        .slice(0, maxAtOnce);
    },
    /** These are being asked for. */
    noteAsked: (stock: StockRow, productIds: readonly Id[]) => {
      for (const productId of productIds) {
        askedAtMs.set(keyOf(stock.stockId, productId), clock.uptimeMs());
      }
      found = found.filter(({ stockId, productId }) => !askedAtMs.has(keyOf(stockId, productId)));
    },
    /** The platform has answered with others: it does not filter by ids, and is not asked so again in this run. */
    giveUp: () => {
      isGivenUp = true;
    },
  };
}
