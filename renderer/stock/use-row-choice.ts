import { useCallback, type KeyboardEvent, type RefObject } from 'react';
import { useStore } from 'zustand';
import { isClear } from '../stores/row-selection.ts';
import { useIsSignedIn, useStock } from '../stores/context.tsx';
import { useStockChoice } from './stock-choice.ts';

/** Choosing rows of the table; what is done with them needs a sign-in. */
export function useRowChoice(box: RefObject<HTMLDivElement | null>) {
  const stockChoice = useStockChoice();
  const { toggle, extendTo, chooseAll, clear, moveTo: beginAt } = useStore(stockChoice);
  const hasChosen = !useStore(stockChoice, isClear);
  const active = useStock((stock) => stock.active);
  const moveTo = useStock((stock) => stock.moveTo);
  const isChoosable = useIsSignedIn();
  const choose = useCallback(
    (index: number, isRange: boolean) => {
      box.current?.focus({ preventScroll: true });
      moveTo(index);
      if (isRange) {
        void extendTo(index);
      } else {
        toggle(index);
      }
    },
    [box, extendTo, moveTo, toggle],
  );
  return {
    isChoosable,
    choose,
    /** Handles a key of the choice; false for all others. */
    press: ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent<HTMLDivElement>): boolean => {
      if (!isChoosable) {
        return false;
      }
      if (key === ' ' && active >= 0) {
        choose(active, shiftKey);
      } else if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) {
        void chooseAll();
      } else if (key === 'Escape' && hasChosen) {
        clear();
      } else {
        return false;
      }
      return true;
    },
    /** The keyboard has moved on to this row. */
    follow: (row: number, isRange: boolean): void => {
      if (isChoosable && isRange) {
        void extendTo(row);
      } else {
        beginAt(row);
      }
    },
  };
}
