import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { PrintIcon } from '../ui/icons.tsx';
import { FloatingWork } from '../ui/work-progress.tsx';
import type { FileList } from './columns.ts';
import { readRows, type FileProgress } from './write-list.ts';

interface PrintListProps<Row> {
  readonly words: string;
  /** The text while the rows are read. */
  readonly reading: string;
  /** The list to be printed, from its first row. */
  readonly list: () => Pick<FileList<Row>, 'read'>;
  readonly isEmpty: boolean;
  readonly onFailure: (failure: Failure | null) => void;
  /** The paper; `onDone` as of `Printed`. */
  readonly draw: (rows: readonly Row[], onDone: (failure: Failure | null) => void) => ReactElement;
}

/** A button that prints all rows of a list and while they are read a bar with "Stop". */
export function PrintList<Row>({ words, reading, list, isEmpty, onFailure, draw }: PrintListProps<Row>): ReactElement {
  const [progress, setProgress] = useState<FileProgress | null>(null);
  const [printed, setPrinted] = useState<readonly Row[] | null>(null);
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
    const read = await readRows(list(), { onProgress: setProgress, signal });
    if (!signal.aborted) {
      setProgress(null);
      onFailure(read.ok ? null : read.failure);
      setPrinted(read.ok ? read.value : null);
    }
  };
  const done = (failure: Failure | null): void => {
    setPrinted(null);
    onFailure(failure);
  };
  const isRunning = progress !== null || printed !== null;
  return (
    <>
      {/* While it runs it only looks disabled: one that is would lose the focus. */}
      <Button
        variant="default"
        leftSection={<PrintIcon size={20} />}
        disabled={isEmpty}
        {...(isRunning ? { 'data-disabled': true } : {})}
        aria-disabled={isRunning}
        onClick={() => void (isRunning ? undefined : print())}
      >
        {words}
      </Button>
      {progress !== null && <FloatingWork words={reading} done={progress.done} of={progress.of} stop={stop} />}
      {printed !== null && draw(printed, done)}
    </>
  );
}
