import type { LookupAnswer, RecentLookup } from '../../app/contract/lookup.ts';
import type { Balance, ProductCard } from '../../app/contract/products.ts';
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
  if (answer?.kind === 'found') {
    return answer.cards;
  }
  return answer?.kind === 'several' ? answer.hits : [];
};

const haveSame = (one: readonly Place[], other: readonly Place[], are: (a: Place, b: Place) => boolean): boolean =>
  one.every((place) => other.some((of) => are(place, of))) && other.every((place) => one.some((of) => are(place, of)));

/** Whether both name the same products, in whatever stocks. */
export function nameSameProducts(one: LookupAnswer | null, other: LookupAnswer | null): boolean {
  return haveSame(placesOf(one), placesOf(other), (a, b) => a.productId === b.productId);
}

/**
 * What a code names as the copy has grown, if that is another product than is shown, or a card of another stock; null
 * otherwise. What is listed stays in its line.
 */
export function namedSince(shown: LookupAnswer | null, again: LookupAnswer): LookupAnswer | null {
  const before = placesOf(shown);
  if ((again.kind !== 'found' && again.kind !== 'several') || again.read?.as === 'search') {
    return null;
  }
  if (again.kind === 'found') {
    return haveSame(before, again.cards, isSame) ? null : again;
  }
  const ids = before.map(({ productId }) => productId);
  const lineOf = ({ productId }: Place): number => [...ids, productId].indexOf(productId);
  return nameSameProducts(shown, again)
    ? null
    : { ...again, hits: again.hits.toSorted((one, other) => lineOf(one) - lineOf(other)) };
}

/** The recent ones with the figure of a card, where that is newer: they never say another than the card does. */
export function withFigure(recent: readonly RecentLookup[], card: ProductCard): readonly RecentLookup[] {
  return recent.map((one) => {
    const { hit } = one;
    const isOlder = hit !== null && isSame(hit, card) && isNewer(card.balance, hit.balance);
    return isOlder ? { ...one, hit: { ...hit, balance: card.balance } } : one;
  });
}
