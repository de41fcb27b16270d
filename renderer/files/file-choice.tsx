// How a shop's file is chosen, read and looked up, before anything comes of it.
import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { UploadIcon } from '../ui/icons.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';
import { isCalledList, listEndings, readChosen } from './chosen-file.ts';
import { FileInput } from './file-input.tsx';
import { maxFileBytes, maxRows, type FileFault } from './read-columns.ts';
import { maxCells } from './workbook/read-workbook.ts';
import './file-lines.css';

interface ChosenFile<Content> {
  readonly name: string;
  readonly content: Content | FileFault | 'notRead';
}

const listTypes = ['text/csv', 'text/plain', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'];

interface FileChooserProps {
  /** Null while none is chosen. */
  readonly name: string | null;
  readonly disabled: boolean;
  readonly onChoose: (file: File) => void;
}

/** The button that chooses a file, and the chosen one's name. */
function FileChooser({ name, disabled, onChoose }: FileChooserProps): ReactElement {
  const { t } = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="import-file line-3">
        <Button
          variant="default"
          leftSection={<UploadIcon size={20} />}
          disabled={disabled}
          data-autofocus
          onClick={() => input.current?.click()}
        >
          {t(name === null ? 'files.import.choose' : 'files.import.chooseOther')}
        </Button>
        <span className="import-name">{name}</span>
      </div>
      <FileInput input={input} accept={[...listEndings, ...listTypes].join(',')} onChoose={onChoose} />
    </>
  );
}

/** Looks the content up anew for each; null for nothing to look up. */
type Look<Content, Preview> =
  | ((content: Content, onProgress: (done: number) => void, signal: AbortSignal) => Promise<Result<Preview, Failure>>)
  | null;

interface FileChoice<Preview> {
  /** Null while no file is chosen. */
  readonly name: string | null;
  /** Null while there is none. */
  readonly preview: Preview | null;
  readonly setFailure: (failure: Failure | null) => void;
  /** The part of the dialog in which it happens. */
  readonly part: ReactElement;
}

interface FileChoiceOptions<Content, Preview> {
  readonly read: (bytes: Uint8Array) => Promise<Content | FileFault>;
  readonly look: Look<Content, Preview>;
  readonly draw: (preview: Preview) => ReactElement;
  readonly disabled: boolean;
}

/** A file is chosen, and `draw` shows what `look` makes of it. */
export function useFileChoice<Content extends { readonly lines: readonly unknown[] }, Preview>({
  read,
  look,
  draw,
  disabled,
}: FileChoiceOptions<Content, Preview>): FileChoice<Preview> {
  const { t, language } = useWords();
  const [file, setFile] = useState<ChosenFile<Content> | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [done, setDone] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const found = file?.content ?? null;
  const fault = typeof found === 'string' ? found : null;
  const content = typeof found === 'string' ? null : found;
  useEffect(() => {
    setPreview(null);
    setFailure(null);
    setDone(0);
    if (content === null || look === null) {
      return undefined;
    }
    const controller = new AbortController();
    const run = async (): Promise<void> => {
      const looked = await look(content, setDone, controller.signal);
      if (!controller.signal.aborted) {
        setPreview(looked.ok ? looked.value : null);
        setFailure(looked.ok ? null : looked.failure);
      }
    };
    void run();
    return () => controller.abort();
  }, [content, look]);
  const take = async (chosen: File): Promise<void> => {
    const { name } = chosen;
    if (!isCalledList(name)) {
      setFile({ name, content: 'unreadable' });
      return;
    }
    const bytes = await readChosen(chosen, maxFileBytes);
    setFile({ name, content: bytes === null ? 'notRead' : await read(bytes) });
  };
  const name = file?.name ?? null;
  const part = (
    <>
      <FileChooser name={name} disabled={disabled} onChoose={(chosen) => void take(chosen)} />
      {fault !== null && (
        <p className="notice" data-kind="warn" role="alert">
          {t(`files.import.fault.${fault}`, {
            max: formatNumber(maxRows, language),
            cells: formatNumber(maxCells, language),
          })}
        </p>
      )}
      {content !== null && preview === null && failure === null && (
        <WorkProgress
          words={t('files.import.reading')}
          done={done}
          of={content.lines.length}
          stop={() => setFile(null)}
        />
      )}
      {preview !== null && draw(preview)}
      <FailureNotice failure={failure} />
    </>
  );
  return { name, preview, setFailure, part };
}
