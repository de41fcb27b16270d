import type { ReactElement } from 'react';
import type { Balance } from '../../app/contract/products.ts';
import { useBlockedBy, useTerminal, useWords } from '../stores/context.tsx';
import { ageInWords, formatMoment, formatWait, isOldFigure, liveForMs } from '../formats/times.ts';
import { formatQuantity, formatUnit, nameOfUnit } from '../formats/units.ts';
import { isAhead, useNow } from '../dom/clock.ts';
import { NumberText } from './number-text.tsx';

interface QuantityProps {
  readonly balance: Balance;
  readonly unit: string | null;
}

/** The level that colour repeats: nothing left, less than nothing, or a figure that nobody knows. */
export function levelOf(amount: number | null): 'some' | 'none' | 'negative' | 'unknown' {
  if (amount === null || amount === 0) {
    return amount === null ? 'unknown' : 'none';
  }
  return amount > 0 ? 'some' : 'negative';
}

/** The number and its unit. */
export function Quantity({ balance, unit }: QuantityProps): ReactElement {
  const { language } = useWords();
  const { amount } = balance;
  return (
    <span className="quantity" data-level={levelOf(amount)}>
      <span className="quantity-number">
        {amount === null ? '\u2013' : <NumberText text={formatQuantity(amount, unit, language)} />}
      </span>{' '}
      <span className="quantity-unit" title={nameOfUnit(unit, amount, language)}>
        {formatUnit(unit, amount, language)}
      </span>
    </span>
  );
}

/** The source that a figure is called by: live only while online, and only as long as it is fresh. */
export function useSourceOf(): (balance: Balance) => 'none' | 'listing' | 'live' | 'lastLive' {
  const now = useNow();
  const canAsk = useBlockedBy() === null;
  return ({ asOf, source }) => {
    if (source === null || asOf === null) {
      return 'none';
    }
    return source === 'live' && (!canAsk || now - asOf > liveForMs || isAhead(asOf)) ? 'lastLive' : source;
  };
}

/** "Live, as of 14:02, just now", or that no figure is known. */
export function useAgeWords(): (balance: Balance, isShort?: boolean) => string {
  const { t, language } = useWords();
  const now = useNow();
  const sourceOf = useSourceOf();
  return (balance, isShort = false) => {
    const source = sourceOf(balance);
    if (balance.asOf === null || source === 'none') {
      return t('ui.age.unknown');
    }
    const age = ageInWords(balance.asOf, now, t, language);
    return isShort ? age : t(`ui.age.${source}`, { moment: formatMoment(balance.asOf, now, language), age });
  };
}

interface AgeProps {
  readonly balance: Balance;
  readonly isShort?: boolean;
}

/** The age of a figure; old ones are marked. */
export function Age({ balance, isShort = false }: AgeProps): ReactElement {
  const words = useAgeWords();
  const sourceOf = useSourceOf();
  const now = useNow();
  return (
    <span className="age" data-source={sourceOf(balance)} data-old={isOldFigure(balance.asOf, now)}>
      {words(balance, isShort)}
    </span>
  );
}

/** The age of an old figure alone, for lists, where a fresh one would be said on each row. */
export function OldAge({ balance }: Pick<AgeProps, 'balance'>): ReactElement | null {
  return isOldFigure(balance.asOf, useNow()) ? <Age balance={balance} isShort /> : null;
}

/** Why a question to the platform takes so long, while the platform has asked for a pause; null otherwise. */
export function usePauseWords(): string | null {
  const { t, language } = useWords();
  const now = useNow();
  const pausedUntil = useTerminal((state) => state.rateLimit.pausedUntil);
  return pausedUntil !== null && pausedUntil > now
    ? t('ui.age.paused', { wait: formatWait(pausedUntil, now, language) })
    : null;
}
