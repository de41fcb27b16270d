import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useLookup, useStockIds, useWords } from '../stores/context.tsx';
import { passedDeadline } from '../formats/code-facts.ts';
import { formatNumber } from '../formats/numbers.ts';
import { asksWhich, groupCards, groupHits } from '../formats/products.ts';
import { cutText } from '../formats/texts.ts';
import { formatAmount } from '../formats/units.ts';
import { useNow } from '../dom/clock.ts';
import { numberedLines } from '../dom/number-choice.ts';
import { useAgeWords } from '../ui/quantity.tsx';
import { useSeveralTitle } from './results.tsx';

/** A longer text is cut. */
export const shownCharacters = 80;

/** The announced text, and the key that makes it another announcement. */
export interface Spoken {
  readonly about: string;
  readonly words: string;
}

const nothing: Spoken = { about: '', words: '' };

/** One after the other, each with one full stop before the next. */
const inSentences = (parts: readonly string[]): string =>
  parts.reduce((said, part) => `${said}${/[.!?]$/.test(said) ? '' : '.'} ${part}`);

/** Why a product that the copy does not have may be in the catalogue all the same; nothing where it surely is not. */
export function useDoubts(): (answer: Extract<LookupAnswer, { kind: 'unknown' }>) => readonly string[] {
  const { t, language } = useWords();
  return ({ unreadListed, refusedStocks }) => [
    ...(unreadListed === undefined
      ? []
      : [t('lookup.miss.unknown.unread', { unread: formatNumber(unreadListed, language) })]),
    ...(refusedStocks === undefined ? [] : [t('lookup.miss.unknown.refused')]),
  ];
}

/** What the platform said of an unknown product: of a stock that it refuses it says nothing. */
const askedWords = ({ kind, ...answer }: Exclude<LookupAnswer, { kind: 'found' | 'several' }>) =>
  kind === 'unknown' && !('refusedStocks' in answer) ? 'lookup.miss.asked' : 'lookup.miss.notFoundYet';

/** Why a product is not known; the doubts are said before, and not folded. */
export function useWhyUnknown(): (answer: Extract<LookupAnswer, { kind: 'unknown' }>) => readonly string[] {
  const { t } = useWords();
  const doubts = useDoubts();
  return (answer) => [
    ...(doubts(answer).length === 0 ? [t('lookup.miss.unknown.text')] : []),
    ...(answer.asked ? [t(askedWords(answer))] : []),
  ];
}

/** One sentence for those who hear the screen: product, figure, unit and age, or the miss. */
export function useSpoken(answer: LookupAnswer | null, failure: Failure | null): Spoken {
  const { t, language } = useWords();
  const age = useAgeWords();
  const titleOf = useSeveralTitle();
  const doubts = useDoubts();
  const now = useNow();
  const stockIds = useStockIds();
  const isInPieces = useLookup((lookup) => lookup.inPieces === lookup.answered);
  const chosenStockId = useLookup((lookup) => lookup.chosenStockId);
  const similar = useLookup((lookup) => lookup.similar);
  if (failure !== null) {
    return { about: failure.kind, words: `${t('lookup.miss.failed')}. ${t(`failure.${failure.kind}.says`)}` };
  }
  if (answer === null) {
    return isInPieces ? { about: 'pieces', words: t('scanner.scan.pieces') } : nothing;
  }
  if (answer.kind === 'several') {
    const lines = groupHits(answer.hits).map(({ first }, place) => `${place + 1}: ${first.name}`);
    const which = lines.length > 1 ? [t('lookup.several.which')] : [];
    const asked = asksWhich(answer) ? [...which, ...lines.slice(0, numberedLines)] : [];
    return { about: 'several', words: inSentences([titleOf(answer), ...asked]) };
  }
  if (answer.kind !== 'found') {
    const title = `${t(`lookup.miss.${answer.kind}.title`)}: ${cutText(answer.text, shownCharacters)}`;
    const isAsked = answer.asked === true;
    const unread = answer.kind === 'unknown' ? doubts(answer) : [];
    const finding =
      answer.unreadAnswered === undefined
        ? t(askedWords(answer))
        : t('lookup.miss.unread', { unread: formatNumber(answer.unreadAnswered, language) });
    const asked = isAsked ? [finding] : [];
    const names = similar.map(({ first }) => first.name).join(', ');
    return {
      about: `${answer.kind} ${String(isAsked)} ${names}`,
      words: inSentences([
        title,
        ...unread,
        ...asked,
        ...(names === '' ? [] : [`${t('lookup.miss.similar')}: ${names}`]),
      ]),
    };
  }
  const card = groupCards(answer.cards, stockIds, chosenStockId)?.first;
  if (card === undefined) {
    return nothing;
  }
  const {
    stockId,
    productId,
    name,
    unit,
    balance: { amount },
  } = card;
  const figure = amount === null ? '' : `${formatAmount(amount, unit, language)}, `;
  // Facts that should stop a sale must not be only seen.
  const passed = (answer.read?.facts ?? [])
    .flatMap((fact) => passedDeadline(fact, now) ?? [])
    .map((deadline) => `${t(`lookup.read.fact.${deadline}`)}: ${t(`lookup.read.passed.${deadline}`)}. `);
  return {
    about: `${stockId} ${productId} ${String(amount)}`,
    words: `${passed.join('')}${name}: ${figure}${age(card.balance)}`,
  };
}
