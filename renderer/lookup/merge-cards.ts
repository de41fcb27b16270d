import type { LookupAnswer, RecentLookup } from '../../app/contract/lookup.ts';
import type { Balance, ProductCard } from '../../app/contract/products.ts';
import type { Id } from '../../app/domain/int64.ts';
import { isAhead } from '../dom/clock.ts';

type Place = Pick<ProductCard, 'stockId' | 'productId'>;

/** Of the same product in the same stock. */
export function isSame(one: Place, other: Place): boolean {
  return one.stockId === other.stockId && one.productId === other.productId;
}

/** Whether a figure goes before another: a known one, then one whose age is known, then the later one. */
function isNewer({ asOf }: Balance, other: Balance): boolean {
  if (asOf === null || other.asOf === null) {
    return asOf !== null;
  }
  const isUnknown = isAhead(asOf);
  return isUnknown === isAhead(other.asOf) ? asOf > other.asOf : !isUnknown;
}

/** The newer of two cards of the same product and stock, figure by figure. */
export function mergeCard(shown: ProductCard, incoming: ProductCard): ProductCard {
  return isNewer(shown.balance, incoming.balance)
    ? { ...incoming, balance: shown.balance, options: shown.options }
    : incoming;
}

/** The answer with every card changed so. */
export function withCards(
  answer: LookupAnswer | null,
  change: (card: ProductCard) => ProductCard,
): LookupAnswer | null {
  return answer?.kind === 'found' ? { ...answer, cards: answer.cards.map(change) } : answer;
}

const placesOf = (answer: LookupAnswer | null): readonly Place[] => {
  if (answer?.kind !== 'found' && answer?.kind !== 'several') {
    return [];
  }
  return answer.kind === 'found' ? answer.cards : answer.hits;
};
const productIdsOf = (answer: LookupAnswer | null): readonly Id[] => [
  ...new Set(placesOf(answer).map(({ productId }) => productId)),
];

/** Whether both are of the same products. */
export const areOfSame = (one: LookupAnswer | null, other: LookupAnswer | null): boolean =>
  productIdsOf(one).toSorted().join(' ') === productIdsOf(other).toSorted().join(' ');

/**
 * The products that a code names as the copy has grown, if they are others than are shown, or in other lines of a list;
 * null otherwise. What is listed stays in its line; what was listed by its name stays listed, in the stocks that it has now.
 */
export function namedSince(shown: LookupAnswer | null, again: LookupAnswer): LookupAnswer | null {
  if (again.kind !== 'found' && again.kind !== 'several') {
    return null;
  }
  const isByName = again.read?.as === 'search';
  if (again.kind === 'found') {
    return isByName || areOfSame(shown, again) ? null : again;
  }
  const [lines, before] = [placesOf(shown), productIdsOf(shown)];
  const hits = isByName ? again.hits.filter(({ productId }) => before.includes(productId)) : again.hits;
  if (isByName && (shown?.kind !== 'several' || !areOfSame(shown, { ...again, hits }))) {
    return null;
  }
  const isSameList = lines.length === hits.length && lines.every((line) => hits.some((hit) => isSame(line, hit)));
  const lineOf = ({ productId }: Place): number => [...before, productId].indexOf(productId);
  return isSameList ? null : { ...again, hits: hits.toSorted((one, other) => lineOf(one) - lineOf(other)) };
}

/** The card with what was read of its product, in the same order, the chosen stock first; null where no stock comes or goes. */
export function withStocks(
  shown: LookupAnswer | null,
  read: readonly ProductCard[],
  chosenStockId: Id | null,
): LookupAnswer | null {
  const isShown = (card: ProductCard): boolean =>
    shown?.kind === 'found' && shown.cards.some((one) => isSame(one, card));
  if (shown?.kind !== 'found' || read.length === 0 || (read.length === shown.cards.length && read.every(isShown))) {
    return null;
  }
  const cards = read.map((card) => shown.cards.find((one) => isSame(one, card)) ?? card);
  const isOther = ({ stockId }: Place): number => Number(stockId !== chosenStockId);
  return { ...shown, cards: cards.toSorted((one, other) => isOther(one) - isOther(other)) };
}

/** The recent ones with the figure of a card, where that is newer: they never say another than the card does. */
export function withFigure(recent: readonly RecentLookup[], card: ProductCard): readonly RecentLookup[] {
  return recent.map((one) => {
    const { hit } = one;
    const isOlder = hit !== null && isSame(hit, card) && isNewer(card.balance, hit.balance);
    return isOlder ? { ...one, hit: { ...hit, balance: card.balance } } : one;
  });
}
