import { Loader } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { Balance, ProductCard } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useBlockedBy, useStockName, useWords } from '../stores/context.tsx';
import { copyText } from '../dom/copy-text.ts';
import { partDecimals } from '../formats/numbers.ts';
import { formatAmount, formatQuantity, formatUnit, nameOfUnit } from '../formats/units.ts';
import { later } from '../dom/clock.ts';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf, keysOf } from '../stores/shortcuts.ts';
import type { Improvement } from './lookup-store.ts';
import { CheckIcon, CopyIcon, RefreshIcon } from '../ui/icons.tsx';
import { NumberText } from '../ui/number-text.tsx';
import { MinimumButton } from '../watch-list/minimum-button.tsx';
import { Age, levelOf, useAgeWords, usePauseWords, useSourceOf } from '../ui/quantity.tsx';

interface BigFigureProps {
  readonly balance: Balance;
  readonly unit: string | null;
}

/** The number, as large as its length allows, and its unit; or that nobody knows it. */
function BigFigure({ balance: { amount }, unit }: BigFigureProps): ReactElement {
  const { t, language } = useWords();
  const number = amount === null ? t('lookup.card.unknown') : formatQuantity(amount, unit, language);
  const { main, more } = partDecimals(number);
  // Letters are wider than figures; further decimals are half as wide.
  const characters = amount === null ? number.length * 1.2 : main.length + more.length / 2;
  return (
    <p className="figure-number">
      <span className="quantity" data-level={levelOf(amount)}>
        <span className="quantity-number" style={{ ['--characters' as string]: characters }}>
          <NumberText text={number} />
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

/** So long it is said that something was copied. */
const copiedShownMs = 3_000;

/** Copies the text that a person wants to paste: name, code, figure with its unit, stock and age, a line each. */
function useCopying(card: ProductCard): { readonly outcome: 'none' | 'copied' | 'refused'; readonly copy: () => void } {
  const { t, language } = useWords();
  const age = useAgeWords();
  const nameOf = useStockName();
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  useEffect(() => (outcome === 'none' ? undefined : later(copiedShownMs, () => setOutcome('none'))), [outcome]);
  const copy = (): void => {
    const { code, barcodes, balance, unit, stockName, stockId } = card;
    const figure = balance.amount === null ? t('lookup.card.unknown') : formatAmount(balance.amount, unit, language);
    const lines = [
      card.name,
      [code, barcodes[0]].filter((one) => one !== null && one !== undefined).join(' · '),
      `${nameOf(stockId, stockName)}: ${figure}`,
      age(balance),
    ];
    setOutcome(copyText(lines.filter((line) => line !== '').join('\n')) ? 'copied' : 'refused');
  };
  return { outcome, copy };
}

/** The stock, the figure, its age, and one line on what is happening with it. */
export function Figure({ card, improvement, failure, refresh }: FigureProps): ReactElement {
  const { t } = useWords();
  const nameOf = useStockName();
  const blockedBy = useBlockedBy();
  const canAsk = blockedBy === null;
  const pause = usePauseWords();
  const sourceOf = useSourceOf();
  const level = levelOf(card.balance.amount);
  const isReading = improvement === 'refreshing';
  const { outcome, copy } = useCopying(card);
  const readAgain = (): void => {
    if (!isReading) {
      void refresh();
    }
  };
  useShortcut('copy', copy);
  useShortcut('refresh', canAsk ? readAgain : null);
  const kept = failure !== null && `${t('lookup.card.kept')} ${t(`failure.${failure.kind}.says`)}`;
  // That nobody is signed in stands above the screen and at the coupon.
  const note = blockedBy === 'offline' || blockedBy === 'noAnswer' ? t(`lookup.card.${blockedBy}`) : kept;
  const titleFor = (words: string, id: 'copy' | 'refresh'): string => `${words} (${keysOf(id).join('+')})`;
  return (
    <div className="figure">
      <div className="figure-head line-3">
        <p className="figure-stock" data-level={level}>
          {nameOf(card.stockId, card.stockName)}
          {(level === 'none' || level === 'negative') && (
            <strong className="level"> · {t(`lookup.card.${level}`)}</strong>
          )}
        </p>
        <MinimumButton card={card} />
      </div>
      <BigFigure balance={card.balance} unit={card.unit} />
      <div className="figure-line">
        <p className="figure-age line-2">
          <span className="source-dot" data-source={canAsk ? sourceOf(card.balance) : 'offline'} />
          <Age balance={card.balance} />
          {canAsk && (
            // It only looks asleep: a button that is would lose the keyboard's place.
            <button
              type="button"
              className="icon-button"
              aria-label={t(isReading ? 'lookup.card.refreshing' : 'lookup.card.refresh')}
              aria-keyshortcuts={ariaKeysOf('refresh')}
              title={titleFor(t('lookup.card.refresh'), 'refresh')}
              aria-disabled={isReading}
              onClick={readAgain}
            >
              {isReading ? <Loader size={22} /> : <RefreshIcon size={22} />}
            </button>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label={t('lookup.card.copy')}
            aria-keyshortcuts={ariaKeysOf('copy')}
            title={titleFor(t('lookup.card.copy'), 'copy')}
            onClick={copy}
          >
            {outcome === 'copied' ? <CheckIcon size={22} /> : <CopyIcon size={22} />}
          </button>
          <span className="copied" role="status">
            {outcome !== 'none' && t(`lookup.card.${outcome}`)}
          </span>
        </p>
        <p className="figure-note hint">{isReading ? pause : note}</p>
      </div>
    </div>
  );
}
