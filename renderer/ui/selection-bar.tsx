import { Button, Checkbox } from '@mantine/core';
import { useLayoutEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useStore, type StoreApi } from 'zustand';
import { useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { isClear, type RowChoice } from '../stores/row-selection.ts';
import { ChoiceOutside } from './outside-selection.tsx';

export interface ChoiceBarProps<Key> {
  readonly of: 'coupon' | 'queue';
  readonly choice: StoreApi<RowChoice<Key>>;
  /** So many can be chosen at once. */
  readonly max: number;
  /** Whether the list has anything to choose together; null until it is known. */
  readonly hasRows: boolean | null;
  /** How many products are chosen, where one may have several rows. */
  readonly products?: number;
  /** The text while nothing is chosen. */
  readonly none: string;
  readonly children: ReactNode;
}

export function ChoiceBar<Key>({
  of,
  choice,
  max,
  hasRows,
  products,
  none,
  children,
}: ChoiceBarProps<Key>): ReactElement {
  const { t, language } = useWords();
  const { chosen, outside, isAll, isTooMany, failure, chooseAll, clear, keepShown } = useStore(choice);
  const isNone = useStore(choice, isClear);
  const count = chosen.size;
  const isOfCoupons = of === 'coupon';
  const box = useRef<HTMLInputElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  // While a list is read under another filter, the bar stays as it was.
  const [isShown, setShown] = useState(hasRows !== false);
  if (hasRows !== null && isShown !== hasRows) {
    setShown(hasRows);
  }
  // A button that goes with the last one chosen hands the keyboard back.
  useLayoutEffect(() => {
    if (isNone && bar.current?.contains(document.activeElement) === true) {
      box.current?.focus({ preventScroll: true });
    }
  }, [isNone]);
  const words = (): string => {
    if (isTooMany) {
      return t(isOfCoupons ? 'coupons.chosen.tooMany' : 'queue.chosen.tooMany', { max: formatNumber(max, language) });
    }
    if (failure !== null) {
      return `${t(`failure.${failure.kind}.says`)} ${t(`failure.${failure.kind}.advice`)}`;
    }
    if (count === 0) {
      return none;
    }
    const some = (number: number): string =>
      t(isOfCoupons ? 'coupons.chosen.some' : 'queue.chosen.some', {
        count: number,
        formatted: formatNumber(number, language),
      });
    return products === undefined || products === count
      ? some(count)
      : t('coupons.chosen.rows', { rows: formatNumber(count, language), some: some(products) });
  };
  return (
    <>
      <ChoiceOutside of={of} count={outside?.size ?? 0} keepShown={keepShown} />
      {(!isNone || isShown) && (
        <div
          ref={bar}
          className="choice-bar line-3"
          role="toolbar"
          aria-label={t(isOfCoupons ? 'coupons.chosen.bar' : 'queue.chosen.bar')}
          data-some={!isNone}
        >
          <Checkbox
            ref={box}
            className="choice-all"
            label={t(isOfCoupons ? 'coupons.chosen.all' : 'queue.chosen.all')}
            checked={isAll && count > 0}
            indeterminate={!isAll && count > 0}
            onChange={() => (isAll ? clear() : void chooseAll())}
          />
          <p className="choice-count" role="status" data-wrong={isTooMany || failure !== null}>
            {words()}
          </p>
          <Button variant="default" disabled={isNone} onClick={clear}>
            {t(isOfCoupons ? 'coupons.chosen.clear' : 'queue.chosen.clear')}
          </Button>
          {/* They keep their room while nothing is chosen. */}
          {(count > 0 || isNone) && children}
        </div>
      )}
    </>
  );
}
