// Owns the two buttons that hand the queue's history over as a file. Never knows what is in it.
import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { ExportFormat } from '../../app/contract/history.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useWords } from '../context.tsx';
import { useNow } from '../now.ts';
import { saveFile } from '../save-file.ts';
import { readQueueExport } from '../stores/queue-export.ts';

const types: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv;charset=utf-8', json: 'application/json' };
const formats = ['csv', 'json'] as const;

/** "Export CSV" and "Export JSON". */
export function ExportButtons({ onFailure }: { readonly onFailure: (failure: Failure | null) => void }): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const now = useNow();
  const [working, setWorking] = useState<ExportFormat | null>(null);
  const hand = async (format: ExportFormat): Promise<void> => {
    setWorking(format);
    const read = await readQueueExport(wall, format);
    setWorking(null);
    onFailure(read.ok ? null : read.failure);
    if (read.ok) {
      saveFile(`tillside-queue-${new Date(now).toISOString().slice(0, 10)}.${format}`, types[format], read.value);
    }
  };
  return (
    <div className="export">
      {formats.map((format) => (
        <Button key={format} size="compact-md" variant="subtle" loading={working === format} disabled={working !== null} onClick={() => void hand(format)}>
          {t(`queue.export.${format}`)}
        </Button>
      ))}
    </div>
  );
}
