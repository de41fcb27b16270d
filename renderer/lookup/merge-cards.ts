import type { LookupAnswer, RecentLookup } from '../../app/contract/lookup.ts';
import type { Balance, ProductCard } from '../../app/contract/products.ts';
import { present } from '../dom/clock.ts';
import { aheadAtMostMs } from '../formats/times.ts';

type Place = Pick<ProductCard, 'stockId' | 'productId'>;

/** Of the same product in the same stock. */
export function isSame(one: Place, other: Place): boolean {
  return one.stockId === other.stockId && one.productId === other.productId;
}

/** Whether a figure is of later; of two moments, one that is still to come was told by a clock that has been set back. */
function isNewer({ asOf }: Balance, other: Balance): boolean {
  return asOf !== null && asOf > (other.asOf ?? -1) && asOf - present() <= aheadAtMostMs;
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

/** The recent ones with the figure of a card, where that is newer: they never say another than the card does. */
export function withFigure(recent: readonly RecentLookup[], card: ProductCard): readonly RecentLookup[] {
  return recent.map((one) => {
    const { hit } = one;
    const isOlder =
      hit !== null &&
      isSame(hit, card) &&
      hit.balance.asOf !== card.balance.asOf &&
      !isNewer(hit.balance, card.balance);
    return isOlder ? { ...one, hit: { ...hit, balance: card.balance } } : one;
  });
}
