import { Button } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import { createPortal } from 'react-dom';
import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { succeed, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { formatFullMoment } from '../formats/times.ts';
import { useStockName, useStores, useWords } from '../stores/context.tsx';
import { PrintIcon } from '../ui/icons.tsx';
import { allLines, amountWords, differenceWords, figureWords } from './line-words.ts';

/** All lines, in the order in which they came. */
async function readAll(bridge: Bridge, stocktakeId: number): Promise<Result<readonly StocktakeLine[], Failure>> {
  const lines: StocktakeLine[] = [];
  let after = 0;
  for (;;) {
    const page = await bridge.call('stocktake:export', { stocktakeId, after });
    if (!page.ok) {
      return page;
    }
    lines.push(...page.value.rows);
    if (page.value.next === null) {
      return succeed(lines);
    }
    after = page.value.next;
  }
}

interface PrintedLinesProps {
  readonly stocktake: Stocktake;
  readonly lines: readonly StocktakeLine[];
  /** Called when the system's dialog has been closed, whatever was done in it. */
  readonly onDone: () => void;
}

/** The table, which only paper shows; printed once, as soon as it is in the page. */
function PrintedLines({ stocktake, lines, onDone }: PrintedLinesProps): ReactElement {
  const { t, language } = useWords();
  useEffect(() => {
    window.addEventListener('afterprint', onDone, { once: true });
    window.print();
    return () => window.removeEventListener('afterprint', onDone);
    // oxlint-disable-next-line react/exhaustive-deps -- one printing for one mounting
  }, []);
  const { name, stockName, stockId, startedAt } = stocktake;
  const place = useStockName()(stockId, stockName);
  return createPortal(
    <div className="print-pages print-lines" aria-hidden="true">
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
              <td>{line.name ?? t('stocktakes.standing.unknownCode')}</td>
              <td>
                {line.quantity === null ? t('stocktakes.notCounted') : amountWords(line.quantity, line.unit, language)}
              </td>
              <td>{figureWords(line, t, language)}</td>
              <td>{differenceWords(line, t, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  );
}

interface PrintLinesProps {
  readonly stocktake: Stocktake;
  readonly onFailure: (failure: Failure | null) => void;
}

/** Prints all lines through the system's dialog. */
export function PrintLines({ stocktake, onFailure }: PrintLinesProps): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [isReading, setReading] = useState(false);
  const [printed, setPrinted] = useState<readonly StocktakeLine[] | null>(null);
  const print = async (): Promise<void> => {
    setReading(true);
    const read = await readAll(bridge, stocktake.id);
    setReading(false);
    onFailure(read.ok ? null : read.failure);
    setPrinted(read.ok ? read.value : null);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<PrintIcon size={20} />}
        loading={isReading || printed !== null}
        disabled={allLines(stocktake) === 0}
        onClick={() => void print()}
      >
        {t('stocktakes.print')}
      </Button>
      {printed !== null && <PrintedLines stocktake={stocktake} lines={printed} onDone={() => setPrinted(null)} />}
    </>
  );
}
