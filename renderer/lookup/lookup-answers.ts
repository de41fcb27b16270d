import type { StoreApi } from 'zustand/vanilla';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { LookupSource, LookupStore } from './lookup-store.ts';
import { isSame, mergeCard, withCards, withFigure } from './merge-cards.ts';

/** Cards on the screen whose live figure is read by itself; more would spend the rate limit on one scan. */
const maxRefreshed = 4;

/** A code as the scanner sent it, and how it came. */
export interface Given {
  readonly text: string;
  readonly source: LookupSource;
}

/** Where the answer is kept. */
export interface LookupState {
  readonly set: StoreApi<LookupStore>['setState'];
  readonly get: StoreApi<LookupStore>['getState'];
}

/** Which lookup is the newest. */
export interface Turns {
  readonly newest: number;
  /** What the newest lookup was asked with; null for an opened product. */
  readonly given: Given | null;
  readonly isCurrent: (sequence: number) => boolean;
}

/**
 * What the platform may still have; a wrong check digit is no proof, for a shop may have numbered a product so itself.
 */
export const isMiss = (
  answer: LookupAnswer | null,
): answer is Extract<LookupAnswer, { kind: 'unknown' | 'notCopied' | 'unreadable' }> =>
  answer?.kind === 'unknown' ||
  answer?.kind === 'notCopied' ||
  (answer?.kind === 'unreadable' && answer.why === 'checkDigit');

export type Answers = ReturnType<typeof createAnswers>;

/** Shows answers, and asks the platform for what it may know better of them. */
export function createAnswers(bridge: Bridge, cannotAsk: () => boolean, { set, get }: LookupState, turns: Turns) {
  // The lookup whose question was turned away.
  let turnedAway = -1;

  const show = async (
    sequence: number,
    answer: LookupAnswer,
    isFresh: boolean,
    chosenStockId: Id | null = null,
  ): Promise<void> => {
    if (!turns.isCurrent(sequence)) {
      return;
    }
    set({ answer, answered: sequence, chosenStockId, failure: null });
    if (!isFresh && !cannotAsk()) {
      await askPlatform(sequence);
    }
  };

  /** Asks for all that the platform may know better of what is on the screen. */
  const askPlatform = async (sequence: number): Promise<void> => {
    const { answer } = get();
    if (answer?.kind === 'found') {
      await refresh();
    } else if (isMiss(answer) && !answer.asked) {
      await ask(sequence, turns.given?.text ?? answer.text);
    }
  };

  /** Keeps why the platform gave no answer; a question that was turned away is no failure, but is still to be asked. */
  const fallShort = (failure: Failure | null): void => {
    const isTurnedAway = failure?.kind === 'cancelled';
    turnedAway = isTurnedAway ? turns.newest : -1;
    set({ improvement: 'none', improvementFailure: isTurnedAway ? null : failure });
  };

  const ask = async (sequence: number, text: string): Promise<void> => {
    if (get().improvement === 'asking') {
      return;
    }
    set({ improvement: 'asking', improvementFailure: null });
    const asked = await bridge.call('lookup:ask', { text });
    // The copy may have had it in the meantime.
    if (!turns.isCurrent(sequence) || !isMiss(get().answer)) {
      return;
    }
    fallShort(asked.ok ? null : asked.failure);
    if (!asked.ok) {
      return;
    }
    const hasFigures = asked.value.kind === 'found' && asked.value.cards.every((card) => card.balance.amount !== null);
    await show(sequence, asked.value, hasFigures || isMiss(asked.value));
    await get().readRecent();
  };

  const refreshCard = async (sequence: number, card: ProductCard): Promise<Failure | null> => {
    const refreshed = await bridge.call('product:refresh', { stockId: card.stockId, productId: card.productId });
    if (!turns.isCurrent(sequence) || !refreshed.ok) {
      return refreshed.ok ? null : refreshed.failure;
    }
    const incoming = refreshed.value;
    set({
      recent: withFigure(get().recent, incoming),
      answer: withCards(get().answer, (shown) => {
        if (!isSame(shown, incoming)) {
          return shown;
        }
        const merged = mergeCard(shown, incoming);
        return shown.coupon === card.coupon ? merged : { ...merged, coupon: shown.coupon };
      }),
    });
    return null;
  };

  const refresh = async (): Promise<void> => {
    const { answer, sequence, improvement } = get();
    if (answer?.kind !== 'found' || improvement === 'refreshing') {
      return;
    }
    set({ improvement: 'refreshing', improvementFailure: null });
    const answers = await Promise.all(answer.cards.slice(0, maxRefreshed).map((card) => refreshCard(sequence, card)));
    const failures = answers.filter((failure) => failure !== null);
    if (turns.isCurrent(sequence)) {
      fallShort(failures.find((failure) => failure.kind !== 'cancelled') ?? failures[0] ?? null);
    }
  };

  const askAgain = async (): Promise<void> => {
    if (!cannotAsk() && get().answered === turns.newest) {
      await askPlatform(turns.newest);
    }
  };

  return {
    show,
    refresh,
    askAgain,
    /** Nothing is there to show, for the reason that `why` gives. */
    showNone(sequence: number, why: Partial<LookupStore> = {}): void {
      if (turns.isCurrent(sequence)) {
        set({ answer: null, answered: sequence, chosenStockId: null, failure: null, ...why });
      }
    },
    askAnew: async (): Promise<void> => {
      const { answer, answered } = get();
      if (isMiss(answer) && answered === turns.newest) {
        await ask(turns.newest, turns.given?.text ?? answer.text);
      }
    },
    resume: async (): Promise<void> => {
      if (turnedAway === turns.newest) {
        turnedAway = -1;
        await askAgain();
      }
    },
  };
}
