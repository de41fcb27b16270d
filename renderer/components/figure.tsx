// Owns the large figure that is read from two metres: the number with its unit, and in words how old it is and what is happening with it
// just now. Never moves: every line has its room, and a long number grows narrower before it grows out of its place.
import { Loader } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Balance, ProductCard } from '../../app/contract/contract.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useTerminal, useWords } from '../context.tsx';
import { formatQuantity, formatUnit, nameOfUnit } from '../formats/units.ts';
import type { Improvement } from '../stores/lookup.ts';
import { RefreshIcon } from './icons.tsx';
import { Age, levelOf, usePauseWords, useSourceOf } from './quantity.tsx';

/** The number, as large as its length allows, and its unit; or that nobody knows it. */
export function BigFigure({ balance: { amount }, unit }: { readonly balance: Balance; readonly unit: string | null }): ReactElement {
  const { t, language } = useWords();
  const number = amount === null ? t('card.unknown') : formatQuantity(amount, unit, language);
  return (
    <p className="figure-number">
      <span className="quantity" data-level={levelOf(amount)}>
        <span className="quantity-number" style={{ ['--characters' as string]: number.length }}>
          {number}
        </span>{' '}
        {amount !== null && (
          <span className="quantity-unit" title={nameOfUnit(unit, amount, language)}>
            {formatUnit(unit, amount, language)}
          </span>
        )}
      </span>
    </p>
  );
}

interface FigureProps {
  readonly card: ProductCard;
  readonly improvement: Improvement;
  /** Why the last question for the live figure failed; the figure stays. */
  readonly failure: Failure | null;
  readonly refresh: () => Promise<void>;
}

/** The stock, the figure, its age, and one line on what is happening with it. */
export function Figure({ card, improvement, failure, refresh }: FigureProps): ReactElement {
  const { t } = useWords();
  const isOffline = useTerminal((state) => state.connection.state === 'offline');
  const pause = usePauseWords();
  const sourceOf = useSourceOf();
  const level = levelOf(card.balance.amount);
  const isReading = improvement === 'refreshing';
  return (
    <div className="figure">
      <p className="figure-stock" data-level={level}>
        {card.stockName ?? t('header.stock', { id: card.stockId })}
        {(level === 'none' || level === 'negative') && <strong className="level"> · {t(`card.${level}`)}</strong>}
      </p>
      <BigFigure balance={card.balance} unit={card.unit} />
      <div className="figure-line">
        <p className="figure-age">
          <span className="source-dot" data-source={isOffline ? 'offline' : sourceOf(card.balance)} />
          <Age balance={card.balance} />
          {!isOffline && (
            // It only looks asleep: a button that is would lose the keyboard's place.
            <button type="button" className="icon-button" aria-label={t('card.refresh')} title={t('card.refresh')} aria-disabled={isReading} onClick={() => void (isReading ? undefined : refresh())}>
              <RefreshIcon size={22} />
            </button>
          )}
        </p>
        <p className="figure-note">
          {isReading ? (
            <>
              <Loader size={16} /> {pause ?? t('card.refreshing')}
            </>
          ) : isOffline ? (
            t('card.offline')
          ) : failure !== null ? (
            <>
              {t('card.kept')} {t(`failure.${failure.kind}.says`)}
            </>
          ) : null}
        </p>
      </div>
    </div>
  );
}
