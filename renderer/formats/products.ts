import type { ProductCard, ProductHit } from '../../app/contract/products.ts';
import type { Id } from '../../app/domain/int64.ts';

/** One product with the stocks that hold it; there is always a first. */
export interface ProductGroup {
  readonly productId: Id;
  readonly first: ProductCard;
  readonly cards: readonly ProductCard[];
}

/**
 * Groups cards by product, in the order of the answer; the chosen stock first, then stocks in the order of `stockIds`,
 * others after them.
 */
export function groupByProduct(
  cards: readonly ProductCard[],
  stockIds: readonly Id[],
  chosenStockId: Id | null = null,
): readonly ProductGroup[] {
  const place = (card: ProductCard): number => {
    if (card.stockId === chosenStockId) {
      return -1;
    }
    const index = stockIds.indexOf(card.stockId);
    return index === -1 ? stockIds.length : index;
  };
  const groups = Map.groupBy(cards, (card) => card.productId);
  return [...groups].flatMap(([productId, members]) => {
    const sorted = members.toSorted((one, other) => place(one) - place(other));
    const first = sorted[0];
    return first === undefined ? [] : [{ productId, first, cards: sorted }];
  });
}

/** One product of a list with its line of each stock, as they were answered; there is always a first. */
export interface HitGroup {
  readonly first: ProductHit;
  readonly hits: readonly ProductHit[];
}

/** One group a product, in the order of the answer; one may be found in several stocks. */
export function groupHits(hits: readonly ProductHit[]): readonly HitGroup[] {
  return [...Map.groupBy(hits, (hit) => hit.productId).values()].flatMap((members) => {
    const first = members[0];
    return first === undefined ? [] : [{ first, hits: members }];
  });
}
