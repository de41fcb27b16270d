import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { ExportFormat } from '../../app/contract/history.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { useNow } from '../dom/clock.ts';
import { saveFile } from '../dom/save-file.ts';
import { readQueueExport, type ExportProgress } from './queue-export.ts';
import { DownloadIcon } from '../ui/icons.tsx';
import { FloatingWork } from '../ui/work-progress.tsx';

const types: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv;charset=utf-8', json: 'application/json' };
const formats = ['csv', 'json'] as const;

/** "Export CSV" and "Export JSON"; while one runs, a bar with "Stop". */
export function ExportButtons({ onFailure }: { readonly onFailure: (failure: Failure | null) => void }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const now = useNow();
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  // Whoever leaves the screen leaves the file.
  useEffect(() => () => running.current?.abort(), []);

  const stop = (): void => {
    running.current?.abort();
    running.current = null;
    setProgress(null);
  };
  const hand = async (format: ExportFormat): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, of: 0 });
    onFailure(null);
    const read = await readQueueExport(bridge, format, setProgress, controller.signal);
    if (controller.signal.aborted) {
      return;
    }
    stop();
    onFailure(read.ok ? null : read.failure);
    if (read.ok) {
      saveFile(`tillside-queue-${new Date(now).toISOString().slice(0, 10)}.${format}`, types[format], read.value);
    }
  };
  const isRunning = progress !== null;
  return (
    <div className="export">
      {formats.map((format) => (
        // It only looks disabled: one that is would lose the focus.
        <Button
          key={format}
          variant="default"
          leftSection={<DownloadIcon size={20} />}
          aria-label={t(`queue.export.${format}`)}
          {...(isRunning ? { 'data-disabled': true } : {})}
          aria-disabled={isRunning}
          onClick={() => void (isRunning ? undefined : hand(format))}
        >
          {format.toUpperCase()}
        </Button>
      ))}
      {progress !== null && (
        <FloatingWork
          words={t('queue.export.running')}
          done={progress.done}
          of={progress.of === 0 ? null : progress.of}
          stop={stop}
        />
      )}
    </div>
  );
}
