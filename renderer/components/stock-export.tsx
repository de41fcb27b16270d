// Owns the button that hands the filtered table over as a CSV file, how far that has got, and breaking it off. Never knows what is in
// the file.
import { Button, Progress } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStock, useStores, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { useNow } from '../now.ts';
import { saveFile } from '../save-file.ts';
import { readStockFile } from '../stores/stock-file.ts';
import { DownloadIcon } from './icons.tsx';

/** "Export CSV", and while it runs a bar with "Cancel". */
export function StockExport({ onFailure }: { readonly onFailure: (failure: Failure | null) => void }): ReactElement {
  const { t, language } = useWords();
  const { wall } = useStores();
  const now = useNow();
  const query = useStock((stock) => stock.query);
  const count = useStock((stock) => stock.count);
  const [share, setShare] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  // Whoever leaves the screen leaves the file.
  useEffect(() => () => running.current?.abort(), []);

  const hand = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setShare(0);
    onFailure(null);
    const read = await readStockFile(wall, query, (done) => setShare(done ?? 0), controller.signal);
    if (running.current === controller) {
      running.current = null;
      setShare(null);
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
    setShare(null);
  };

  if (share === null) {
    return (
      <Button variant="default" leftSection={<DownloadIcon size={20} />} disabled={count === 0} onClick={() => void hand()}>
        {t('stock.export.button')}
      </Button>
    );
  }
  const percent = Math.min(100, Math.floor(share * 100));
  return (
    <div className="stock-exporting">
      <p role="status">{t('stock.export.running', { percent: formatNumber(percent, language) })}</p>
      <Progress value={percent} size="lg" radius="xl" aria-label={t('stock.export.button')} />
      <Button variant="default" onClick={cancel}>
        {t('stock.export.cancel')}
      </Button>
    </div>
  );
}
