import { useCoupons, useLookup } from '../stores/context.tsx';
import { useKeySubject } from '../stores/use-key-subject.ts';

/**
 * The keys of the answer act on the product that is on the screen. While a person types another text, or is asked which
 * product is meant, there is none.
 */
export function useAnswerKeys(isTyping = false): void {
  const answer = useLookup((lookup) => lookup.answer);
  const answered = useLookup((lookup) => lookup.answered);
  const isSuggesting = useLookup((lookup) => lookup.suggestions.length > 0);
  const card = answer?.kind === 'found' ? answer.cards[0] : undefined;
  const moved = useCoupons((coupons) => (card === undefined ? undefined : coupons.moved.get(card.productId)));
  const isListed = isSuggesting || answer?.kind === 'several';
  const isOne = card !== undefined && !isTyping;
  const ofAnswer = isOne ? 'one' : 'none';
  const kind = isListed ? 'choice' : ofAnswer;
  // Whoever presses F4 has seen how the switch stood.
  const what = isOne ? `${card.productId} ${String(moved ?? card.coupon.isEnabled)}` : '';
  useKeySubject('lookup', { turn: answered, what, kind });
}
