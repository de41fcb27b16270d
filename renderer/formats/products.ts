import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ProductCard, ProductHit } from '../../app/contract/products.ts';
import type { Id } from '../../app/domain/int64.ts';

/** One product with the stocks that hold it; there is always a first. */
export interface ProductGroup {
  readonly productId: Id;
  readonly first: ProductCard;
  readonly cards: readonly ProductCard[];
}

/** The cards of one product: the chosen stock first, then stocks in the order of `stockIds`, others after them. */
export function groupCards(
  cards: readonly ProductCard[],
  stockIds: readonly Id[],
  chosenStockId: Id | null = null,
): ProductGroup | null {
  const place = (card: ProductCard): number => {
    if (card.stockId === chosenStockId) {
      return -1;
    }
    const index = stockIds.indexOf(card.stockId);
    return index === -1 ? stockIds.length : index;
  };
  const sorted = cards.toSorted((one, other) => place(one) - place(other));
  const [first] = sorted;
  return first === undefined ? null : { productId: first.productId, first, cards: sorted };
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

/** A list of products, which asks when a code names them. */
export type Question = Extract<LookupAnswer, { kind: 'several' }>;

/**
 * Whether the platform may still have it; a wrong check digit is no proof, for a shop may have numbered a product so.
 */
export const isMiss = (
  answer: LookupAnswer | null,
): answer is Extract<LookupAnswer, { kind: 'unknown' | 'notCopied' | 'unreadable' }> =>
  answer?.kind === 'unknown' ||
  answer?.kind === 'notCopied' ||
  (answer?.kind === 'unreadable' && answer.why === 'checkDigit');

/** Whether the answer asks which of several products a code means; a list of what was searched for asks nothing. */
export function asksWhich(answer: LookupAnswer | null): answer is Question {
  return answer?.kind === 'several' && answer.read?.as !== 'search';
}

/** The question that this product answers; null when it answers none. */
export function choiceOf(answer: LookupAnswer | null, { productId }: Pick<ProductHit, 'productId'>): Question | null {
  return asksWhich(answer) && answer.hits.some((hit) => hit.productId === productId) ? answer : null;
}

/** How many products these are of, one of which may be there in several stocks. */
export const countProducts = (places: readonly { readonly productId: Id }[]): number =>
  new Set(places.map(({ productId }) => productId)).size;
