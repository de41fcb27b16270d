import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { readRows, type FileProgress } from '../files/write-list.ts';
import { formatFullMoment } from '../formats/times.ts';
import { useStockName, useStores, useWords } from '../stores/context.tsx';
import { PrintIcon } from '../ui/icons.tsx';
import { Printed } from '../ui/printed.tsx';
import { FloatingWork } from '../ui/work-progress.tsx';
import { allLines, amountWords, differenceWords, figureWords } from './line-words.ts';
import { stocktakeFile } from './stocktake-file.ts';

interface PrintedLinesProps {
  readonly stocktake: Stocktake;
  readonly lines: readonly StocktakeLine[];
  /** Called when the system's dialog has been closed, whatever was done in it. */
  readonly onDone: () => void;
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
    </Printed>
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
  const [progress, setProgress] = useState<FileProgress | null>(null);
  const [printed, setPrinted] = useState<readonly StocktakeLine[] | null>(null);
  const running = useRef<AbortController | null>(null);
  // Whoever leaves the screen leaves the printing.
  useEffect(() => () => running.current?.abort(), []);
  const stop = (): void => {
    running.current?.abort();
    setProgress(null);
  };
  const print = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, of: null });
    const { signal } = controller;
    const read = await readRows(stocktakeFile(bridge, stocktake, t), { onProgress: setProgress, signal });
    if (!signal.aborted) {
      setProgress(null);
      onFailure(read.ok ? null : read.failure);
      setPrinted(read.ok ? read.value : null);
    }
  };
  const isRunning = progress !== null || printed !== null;
  return (
    <>
      {/* While it runs it only looks disabled: one that is would lose the focus. */}
      <Button
        variant="default"
        leftSection={<PrintIcon size={20} />}
        disabled={allLines(stocktake) === 0}
        {...(isRunning ? { 'data-disabled': true } : {})}
        aria-disabled={isRunning}
        onClick={() => void (isRunning ? undefined : print())}
      >
        {t('stocktakes.print')}
      </Button>
      {progress !== null && (
        <FloatingWork words={t('stocktakes.printing')} done={progress.done} of={progress.of} stop={stop} />
      )}
      {printed !== null && <PrintedLines stocktake={stocktake} lines={printed} onDone={() => setPrinted(null)} />}
    </>
  );
}
