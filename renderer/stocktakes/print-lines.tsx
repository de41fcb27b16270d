import type { ReactElement } from 'react';
import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { PrintList } from '../files/print-list.tsx';
import { formatFullMoment } from '../formats/times.ts';
import { useStockName, useStocktakes, useStores, useWords } from '../stores/context.tsx';
import { Printed } from '../ui/printed.tsx';
import { formatAmount } from '../formats/units.ts';
import { allLines, differenceWords, figureWords } from './line-words.ts';
import { stocktakeFile } from './stocktake-file.ts';

interface PrintedLinesProps {
  readonly stocktake: Stocktake;
  readonly lines: readonly StocktakeLine[];
  /** As of `Printed`. */
  readonly onDone: (failure: Failure | null) => void;
}

/** The table on paper. */
function PrintedLines({ stocktake, lines, onDone }: PrintedLinesProps): ReactElement {
  const { t, language } = useWords();
  const { name, stockName, stockId, startedAt } = stocktake;
  const place = useStockName()(stockId, stockName);
  return (
    <Printed className="print-lines" onDone={onDone}>
      <h1>{name}</h1>
      <p>
        {place} · {t('stocktakes.startedAt', { moment: formatFullMoment(startedAt, language) })}
      </p>
      <p>{t('stocktakes.noWrite')}</p>
      <table>
        <thead>
          <tr>
            <th>{t('stock.column.code')}</th>
            <th>{t('stock.column.name')}</th>
            <th>{t('stocktakes.column.quantity')}</th>
            <th>{t('stocktakes.column.figure')}</th>
            <th>{t('stocktakes.column.difference')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>{line.code}</td>
              <td>{line.name ?? t('stocktakes.state.unknownCode')}</td>
              <td>
                {line.quantity === null ? t('stocktakes.notCounted') : formatAmount(line.quantity, line.unit, language)}
              </td>
              <td>{figureWords(line, t, language)}</td>
              <td>{differenceWords(line, t, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Printed>
  );
}

interface PrintLinesProps {
  readonly stocktake: Stocktake;
  readonly onFailure: (failure: Failure | null) => void;
}

/** Prints all lines. */
export function PrintLines({ stocktake, onFailure }: PrintLinesProps): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const allKept = useStocktakes((store) => store.allKept);
  return (
    <PrintList
      words={t('stocktakes.print')}
      reading={t('stocktakes.printing')}
      list={() => stocktakeFile(bridge, stocktake, allKept, t)}
      isEmpty={allLines(stocktake) === 0}
      onFailure={onFailure}
      draw={(lines, onDone) => <PrintedLines stocktake={stocktake} lines={lines} onDone={onDone} />}
    />
  );
}
