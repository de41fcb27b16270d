// The lines of a shop's file, and what comes of each.
import { useMemo, type ReactElement, type ReactNode } from 'react';
import { isCopied } from '../../app/contract/copied.ts';
import { succeed } from '../../app/domain/result.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useTerminal, useWords } from '../stores/context.tsx';
import { makeLastingStore } from '../stores/make-store.ts';
import { createPagedList } from '../stores/paged-list.ts';
import { VirtualList } from '../ui/virtual-list.tsx';
import type { LeftOut, LostZeros } from './match-lines.ts';
import './file-lines.css';

const rowHeight = 60;

interface LineProps {
  readonly line: number;
  readonly title: string;
  /** The outcome of the line. */
  readonly what: ReactNode;
}

/** A line from which something comes. */
export function FileLine({ line, title, what }: LineProps): ReactElement {
  const { t, language } = useWords();
  return (
    <div className="import-line">
      <p className="row-title">{title}</p>
      <p className="row-sub">
        {t('files.import.line', { line: formatNumber(line, language) })} · {what}
      </p>
    </div>
  );
}

function LeftOutLine({ row, notFound }: { readonly row: LeftOut; readonly notFound: NotFoundIn }): ReactElement {
  const { t, language } = useWords();
  const why = row.why === 'notFound' && notFound === 'anyStock' ? 'notFoundAnywhere' : row.why;
  return (
    <div className="import-line" data-kind="leftOut">
      <p className="row-title mono">{row.text === '' ? t('files.import.emptyText') : row.text}</p>
      <p className="row-sub">
        {t('files.import.line', { line: formatNumber(row.line, language) })} ·{' '}
        {t(`files.import.why.${why}`, { line: formatNumber(row.earlier ?? 0, language) })}
      </p>
    </div>
  );
}

/** Where a code that names nothing was looked for. */
type NotFoundIn = 'oneStock' | 'anyStock';

interface FileLinesProps<Row> {
  readonly leftOut: readonly LeftOut[];
  readonly lostZeros: LostZeros | null;
  readonly rows: readonly Row[];
  readonly notFoundIn: NotFoundIn;
  readonly draw: (row: Row) => ReactElement;
}

/** All lines: first those that are left out, and why. */
export function FileLines<Row extends { readonly kind: string; readonly line: number }>({
  leftOut,
  lostZeros,
  rows,
  notFoundIn,
  draw,
}: FileLinesProps<Row>): ReactElement | null {
  const { t } = useWords();
  const isWhole = useTerminal(({ catalogue }) => isCopied(catalogue.stocks));
  const list = useMemo(() => {
    const all: readonly (LeftOut | Row)[] = [...leftOut, ...rows];
    return createPagedList<LeftOut | Row, null>(
      makeLastingStore,
      (_filter, offset, limit) =>
        Promise.resolve(succeed({ total: all.length, rows: all.slice(offset, offset + limit) })),
      null,
    );
  }, [leftOut, rows]);
  return leftOut.length + rows.length === 0 ? null : (
    <>
      {lostZeros !== null && (
        <p className="notice" data-kind="warn" role="status">
          {t('files.import.lostZeros', { ...lostZeros })}
        </p>
      )}
      {!isWhole && leftOut.some(({ why }) => why === 'notFound') && (
        <p className="notice" data-kind="warn" role="status">
          {t('files.import.partOfCopy')}
        </p>
      )}
      <VirtualList
        list={list}
        name={t('files.import.lines')}
        rowHeight={rowHeight}
        keyOf={({ line }) => line}
        empty={null}
        draw={(row) =>
          row.kind === 'leftOut' ? <LeftOutLine row={row as LeftOut} notFound={notFoundIn} /> : draw(row as Row)
        }
      />
    </>
  );
}
