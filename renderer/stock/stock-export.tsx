import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStock, useStores, useWords } from '../stores/context.tsx';
import { useNow } from '../dom/clock.ts';
import { saveFile } from '../dom/save-file.ts';
import { readStockFile } from './stock-file.ts';
import { DownloadIcon } from '../ui/icons.tsx';
import { FloatingWork } from '../ui/work-progress.tsx';

/** "Export CSV", and while it runs a bar with "Stop". */
export function StockExport({ onFailure }: { readonly onFailure: (failure: Failure | null) => void }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const now = useNow();
  const query = useStock((stock) => stock.query);
  const count = useStock((stock) => stock.count);
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number | null } | null>(null);
  const running = useRef<AbortController | null>(null);
  // Whoever leaves the screen leaves the file.
  useEffect(() => () => running.current?.abort(), []);

  const hand = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, of: null });
    onFailure(null);
    const read = await readStockFile(bridge, query, (done, of) => setProgress({ done, of }), controller.signal);
    if (running.current === controller) {
      running.current = null;
      setProgress(null);
    }
    if (controller.signal.aborted) {
      return;
    }
    onFailure(read.ok ? null : read.failure);
    if (read.ok) {
      saveFile(`tillside-stock-${new Date(now).toISOString().slice(0, 10)}.csv`, 'text/csv;charset=utf-8', read.value);
    }
  };
  const cancel = (): void => {
    running.current?.abort();
    running.current = null;
    setProgress(null);
  };

  const isRunning = progress !== null;
  return (
    <>
      {/* While it runs it only looks disabled: one that is would lose the focus. */}
      <Button
        variant="default"
        leftSection={<DownloadIcon size={20} />}
        disabled={count === 0}
        {...(isRunning ? { 'data-disabled': true } : {})}
        aria-disabled={isRunning}
        onClick={() => void (isRunning ? undefined : hand())}
      >
        {t('stock.export.button')}
      </Button>
      {progress !== null && (
        <FloatingWork words={t('queue.export.running')} done={progress.done} of={progress.of} stop={cancel} />
      )}
    </>
  );
}
