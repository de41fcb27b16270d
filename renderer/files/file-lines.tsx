// The parts of every dialog in which a shop's file is chosen and seen before anything comes of it.
import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type ReactElement, type ReactNode } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { succeed, type Result } from '../../app/domain/result.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useWords } from '../stores/context.tsx';
import { createPagedList } from '../stores/paged-list.ts';
import { UploadIcon } from '../ui/icons.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import type { LeftOut } from './match-lines.ts';
import './file-lines.css';

const rowHeight = 60;

/** A file that somebody chose, and what it says; null for one of which nothing can be used. */
export interface ChosenFile<Content> {
  readonly name: string;
  readonly content: Content | null;
}

interface FileChooserProps {
  /** Null while none is chosen. */
  readonly name: string | null;
  readonly disabled?: boolean;
  readonly onChoose: (name: string, bytes: Uint8Array) => void;
}

/** The button that chooses a file, and the chosen one's name. */
export function FileChooser({ name, disabled = false, onChoose }: FileChooserProps): ReactElement {
  const { t } = useWords();
  const input = useRef<HTMLInputElement>(null);
  const take = async (chosen: File | undefined): Promise<void> => {
    if (chosen !== undefined) {
      onChoose(chosen.name, new Uint8Array(await chosen.arrayBuffer()));
    }
  };
  return (
    <>
      <div className="import-file">
        <Button
          variant="default"
          leftSection={<UploadIcon size={20} />}
          disabled={disabled}
          data-autofocus
          onClick={() => input.current?.click()}
        >
          {t(name === null ? 'fileImport.choose' : 'fileImport.chooseOther')}
        </Button>
        <span className="import-name">{name}</span>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        onChange={(event) => {
          void take(event.currentTarget.files?.[0]);
          // The same file may be chosen again after it was mended.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** What `look` makes of the content, anew for each; null stands for nothing to look at. */
export function usePreview<Preview>(
  look: ((onProgress: (done: number) => void, signal: AbortSignal) => Promise<Result<Preview, Failure>>) | null,
) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [read, setRead] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    setPreview(null);
    setFailure(null);
    setRead(0);
    if (look === null) {
      return undefined;
    }
    const controller = new AbortController();
    const run = async (): Promise<void> => {
      const found = await look(setRead, controller.signal);
      if (!controller.signal.aborted) {
        setPreview(found.ok ? found.value : null);
        setFailure(found.ok ? null : found.failure);
      }
    };
    void run();
    return () => controller.abort();
  }, [look]);
  return { preview, read, failure, setFailure };
}

interface LineProps {
  readonly line: number;
  readonly title: string;
  /** What comes of it. */
  readonly what: ReactNode;
}

/** A line from which something comes. */
export function FileLine({ line, title, what }: LineProps): ReactElement {
  const { t, language } = useWords();
  return (
    <div className="import-line">
      <p className="row-title">{title}</p>
      <p className="row-sub">
        {t('fileImport.line', { line: formatNumber(line, language) })} · {what}
      </p>
    </div>
  );
}

function LeftOutLine({ row, notFound }: { readonly row: LeftOut; readonly notFound: NotFoundIn }): ReactElement {
  const { t, language } = useWords();
  const why = row.why === 'notFound' && notFound === 'anyStock' ? 'notFoundAnywhere' : row.why;
  return (
    <div className="import-line" data-kind="leftOut">
      <p className="row-title mono">{row.text === '' ? t('fileImport.emptyText') : row.text}</p>
      <p className="row-sub">
        {t('fileImport.line', { line: formatNumber(row.line, language) })} ·{' '}
        {t(`fileImport.why.${why}`, { line: formatNumber(row.earlier ?? 0, language) })}
      </p>
    </div>
  );
}

/** Where a code that names nothing was looked for. */
type NotFoundIn = 'oneStock' | 'anyStock';

interface FileLinesProps<Row> {
  readonly leftOut: readonly LeftOut[];
  readonly rows: readonly Row[];
  readonly notFoundIn: NotFoundIn;
  readonly draw: (row: Row) => ReactElement;
}

/** All lines: first those that are left out, and why. */
export function FileLines<Row extends { readonly kind: string; readonly line: number }>({
  leftOut,
  rows,
  notFoundIn,
  draw,
}: FileLinesProps<Row>): ReactElement | null {
  const { t } = useWords();
  const list = useMemo(() => {
    const all: readonly (LeftOut | Row)[] = [...leftOut, ...rows];
    return createPagedList<LeftOut | Row, null>(
      (_filter, offset, limit) =>
        Promise.resolve(succeed({ total: all.length, rows: all.slice(offset, offset + limit) })),
      null,
    );
  }, [leftOut, rows]);
  return leftOut.length + rows.length === 0 ? null : (
    <VirtualList
      list={list}
      name={t('fileImport.lines')}
      rowHeight={rowHeight}
      keyOf={({ line }) => line}
      empty={null}
      draw={(row) =>
        row.kind === 'leftOut' ? <LeftOutLine row={row as LeftOut} notFound={notFoundIn} /> : draw(row as Row)
      }
    />
  );
}
