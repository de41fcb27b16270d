// Owns how a stock figure is shown: the number with its unit, and its age and source in words. Never rounds it away, and never
// shows a figure without its age.
import type { ReactElement } from 'react';
import type { Balance } from '../../app/contract/contract.ts';
import { useTerminal, useWords } from '../context.tsx';
import { formatAge, formatMoment, oldAfterMs } from '../formats/times.ts';
import { formatQuantity, formatUnit, nameOfUnit } from '../formats/units.ts';
import { useNow } from '../now.ts';

interface QuantityProps {
  readonly balance: Balance;
  readonly unit: string | null;
}

/** What colour repeats: nothing left, less than nothing, or a figure that nobody knows. */
export function levelOf(amount: number | null): 'some' | 'none' | 'negative' | 'unknown' {
  return amount === null ? 'unknown' : amount > 0 ? 'some' : amount === 0 ? 'none' : 'negative';
}

/** The number and its unit. */
export function Quantity({ balance, unit }: QuantityProps): ReactElement {
  const { language } = useWords();
  const { amount } = balance;
  return (
    <span className="quantity" data-level={levelOf(amount)}>
      <span className="quantity-number">{amount === null ? '\u2013' : formatQuantity(amount, unit, language)}</span>{' '}
      <span className="quantity-unit" title={nameOfUnit(unit, amount, language)}>
        {formatUnit(unit, amount, language)}
      </span>
    </span>
  );
}

/** "Live, as of 14:02, 3 minutes ago", or that no figure is known. Nothing is called live while offline. */
export function useAgeWords(): (balance: Balance, isShort?: boolean) => string {
  const { t, language } = useWords();
  const now = useNow();
  const isOffline = useTerminal((state) => state.connection.state === 'offline');
  return (balance, isShort = false) => {
    if (balance.asOf === null || balance.source === null) {
      return t('age.unknown');
    }
    const present = Math.max(now, balance.asOf);
    const age = formatAge(balance.asOf, present, language) ?? t('age.justNow');
    return isShort ? age : t(`age.${isOffline && balance.source === 'live' ? 'lastLive' : balance.source}`, { moment: formatMoment(balance.asOf, present, language), age });
  };
}

/** The age of a figure; old ones are marked. */
export function Age({ balance, isShort = false }: { readonly balance: Balance; readonly isShort?: boolean }): ReactElement {
  const words = useAgeWords();
  const now = useNow();
  const isOld = balance.asOf !== null && now - balance.asOf > oldAfterMs;
  return (
    <span className="age" data-source={balance.source ?? 'none'} data-old={isOld}>
      {words(balance, isShort)}
    </span>
  );
}
