// Owns the sentence that an answer is told in to those who hear the screen. Never draws it.
import type { LookupAnswer } from '../../app/contract/contract.ts';
import { useLookup, useStockIds, useWords } from '../context.tsx';
import { passedDeadline } from '../formats/code-facts.ts';
import { countProducts, groupByProduct } from '../formats/products.ts';
import { cutText } from '../formats/texts.ts';
import { formatQuantity, formatUnit } from '../formats/units.ts';
import { useNow } from '../now.ts';
import { useAgeWords } from './quantity.tsx';

/** A longer text is told cut. */
export const shownCharacters = 80;

/** One sentence for those who hear the screen. */
export function useSpoken(answer: LookupAnswer | null): string {
  const { t, language } = useWords();
  const age = useAgeWords();
  const now = useNow();
  const stockIds = useStockIds();
  const chosenStockId = useLookup((lookup) => lookup.chosenStockId);
  if (answer === null) {
    return '';
  }
  if (answer.kind === 'several') {
    return t('several.title', { count: countProducts(answer.hits) });
  }
  const card = answer.kind === 'found' ? groupByProduct(answer.cards, stockIds, chosenStockId)[0]?.first : undefined;
  if (answer.kind !== 'found' || card === undefined) {
    return `${t(`miss.${answer.kind === 'found' ? 'unknown' : answer.kind}.title`)}: ${cutText(answer.text, shownCharacters)}`;
  }
  const { amount } = card.balance;
  // What should stop a sale must not be only seen.
  const passed = (answer.read?.facts ?? []).flatMap((fact) => passedDeadline(fact, now) ?? []).map((deadline) => `${t(`read.fact.${deadline}`)}: ${t(`read.passed.${deadline}`)}. `);
  return `${passed.join('')}${card.name}: ${amount === null ? '' : `${formatQuantity(amount, card.unit, language)} ${formatUnit(card.unit, amount, language)}, `}${age(card.balance)}`;
}
