import { Button } from '@mantine/core';
import { memo, type ReactElement } from 'react';
import type { StocktakeLine } from '../../app/contract/stocktakes.ts';
import { useNow } from '../dom/clock.ts';
import { formatMoment } from '../formats/times.ts';
import { useStocktakes, useTerminal, useWords } from '../stores/context.tsx';
import { formatAmount } from '../formats/units.ts';
import { differenceWords, figureWords, isFigureOld, nameOfLine } from './line-words.ts';

interface LineRowProps {
  readonly line: StocktakeLine;
  /** Null for a count that is closed. */
  readonly edit: ((line: StocktakeLine) => void) | null;
}

/** A line with the counted quantity, the copy's figure then, and the difference in words. */
export const LineRow = memo(function LineRow({ line, edit }: LineRowProps): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const scan = useStocktakes((store) => store.scan);
  const self = useTerminal((state) => state.session.email);
  const { code, name, unit, quantity, state, miss, countedAt, countedBy, hasFigureMoved } = line;
  const facts = [
    name === null ? null : code,
    countedAt === null ? null : t('stocktakes.countedAt', { moment: formatMoment(countedAt, now, language) }),
    countedBy === self ? null : countedBy,
  ].filter((fact) => fact !== null);
  const difference = differenceWords(line, t, language);
  return (
    <div className="row row-line" data-status={state}>
      <div className="row-main">
        <p className="row-title">{nameOfLine(line)}</p>
        <p className="row-sub">{facts.join(' · ')}</p>
        {miss !== null && <p className="row-note">{t(`stocktakes.miss.${miss}`)}</p>}
        {hasFigureMoved && <p className="row-note">{t('stocktakes.figureMoved')}</p>}
      </div>
      <div className="counted-figures">
        <p className="counted-quantity">
          {quantity === null ? t('stocktakes.notCounted') : formatAmount(quantity, unit, language)}
        </p>
        {edit !== null && miss === 'several' ? (
          <Button
            variant="subtle"
            aria-label={t('stocktakes.chooseFor', { name: nameOfLine(line) })}
            onClick={() => void scan(code ?? '', 'typed', { instead: line.id })}
          >
            {t('stocktakes.chooseProduct')}
          </Button>
        ) : (
          <p className="age" data-old={isFigureOld(line) || state === 'noFigure'}>
            {figureWords(line, t, language)}
          </p>
        )}
        {difference !== '' && (
          <p className="counted-difference" data-status={state}>
            {difference}
          </p>
        )}
      </div>
      {edit !== null && (
        <Button
          variant="subtle"
          aria-label={t('stocktakes.changeLine', { name: nameOfLine(line) })}
          onClick={() => edit(line)}
        >
          {t('stocktakes.change')}
        </Button>
      )}
    </div>
  );
});
