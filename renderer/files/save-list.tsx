import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { fileKinds, type FileKind } from '../../app/contract/limits/files.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useNow } from '../dom/clock.ts';
import { localDay } from '../formats/times.ts';
import { saveFile } from '../dom/save-file.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { DownloadIcon } from '../ui/icons.tsx';
import { FloatingWork } from '../ui/work-progress.tsx';
import type { FileList } from './columns.ts';
import { writeList, type FileProgress } from './write-list.ts';

const types: Readonly<Record<FileKind, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv;charset=utf-8',
};

interface SaveListProps<Row> {
  /** Within the file's name, where all but its letters and digits become hyphens. */
  readonly name: string;
  /** The list to be saved, from its first row. */
  readonly list: () => FileList<Row>;
  readonly isEmpty?: boolean;
  readonly onFailure: (failure: Failure | null) => void;
}

/** The choice of a kind of file, which is remembered, "Save as file", and while one is written a bar with "Stop". */
export function SaveList<Row>({ name, list, isEmpty = false, onFailure }: SaveListProps<Row>): ReactElement {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const now = useNow();
  const kept = useTerminal((state) => state.fileKind);
  const [kind, setKind] = useState<FileKind>(kept);
  const [progress, setProgress] = useState<FileProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  // Whoever leaves the screen leaves the file.
  useEffect(() => () => running.current?.abort(), []);

  const choose = async (fileKind: FileKind): Promise<void> => {
    setKind(fileKind);
    const saved = await bridge.call('settings:update', { fileKind });
    onFailure(saved.ok ? null : saved.failure);
  };
  const stop = (): void => {
    running.current?.abort();
    running.current = null;
    setProgress(null);
  };
  const save = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, of: null });
    onFailure(null);
    const { signal } = controller;
    const written = await writeList(list(), { kind, language, onProgress: setProgress, signal });
    if (signal.aborted) {
      return;
    }
    stop();
    onFailure(written.ok ? null : written.failure);
    if (written.ok) {
      const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
      saveFile(`${['tillside', ...words, localDay(now)].join('-')}.${kind}`, types[kind], written.value);
    }
  };
  const isRunning = progress !== null;
  return (
    <div className="save-list line-2">
      <NativeSelect
        size="md"
        aria-label={t('files.kind')}
        value={kind}
        data={fileKinds.map((value) => ({ value, label: t(`files.name.${value}`) }))}
        onChange={(event) => void choose(fileKinds.find((value) => value === event.currentTarget.value) ?? kind)}
      />
      {/* While it runs it only looks disabled: one that is would lose the focus. */}
      <Button
        variant="default"
        leftSection={<DownloadIcon size={20} />}
        disabled={isEmpty}
        {...(isRunning ? { 'data-disabled': true } : {})}
        aria-disabled={isRunning}
        onClick={() => void (isRunning ? undefined : save())}
      >
        {t('files.save')}
      </Button>
      {progress !== null && (
        <FloatingWork words={t('files.running')} done={progress.done} of={progress.of} stop={stop} />
      )}
    </div>
  );
}
