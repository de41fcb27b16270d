import { Button, Modal, NativeSelect } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { succeed } from '../../app/domain/result.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatQuantity } from '../formats/units.ts';
import {
  useCounted,
  useStock,
  useStockIds,
  useStockName,
  useStores,
  useTerminal,
  useWords,
} from '../stores/context.tsx';
import { createPagedList } from '../stores/paged-list.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { UploadIcon } from '../ui/icons.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';
import { minimaOf, previewImport, type ImportPreview, type LeftOut, type Named } from './import-preview.ts';
import { readMinimaFile, type MinimaFile } from './minima-file.ts';
import type { MinimaSet } from './set-minima.ts';
import { useSetMinima } from './use-set-minima.ts';
import './watch-dialogs.css';

const rowHeight = 60;

interface ChosenFile {
  readonly name: string;
  /** Null for one that is no list of minimums. */
  readonly content: MinimaFile | null;
}

function Line({ row }: { readonly row: LeftOut | Named }): ReactElement {
  const { t, language } = useWords();
  const place = t('watchList.import.line', { line: formatNumber(row.line, language) });
  if (row.kind === 'leftOut') {
    return (
      <div className="import-line" data-kind="leftOut">
        <p className="row-title mono">{row.text === '' ? t('watchList.import.emptyText') : row.text}</p>
        <p className="row-sub">
          {place} · {t(`watchList.import.why.${row.why}`, { line: formatNumber(row.earlier ?? 0, language) })}
        </p>
      </div>
    );
  }
  const write = (minimum: number | null): string =>
    minimum === null ? t('watchList.none') : formatQuantity(minimum, row.unit, language);
  return (
    <div className="import-line">
      <p className="row-title">{row.name}</p>
      <p className="row-sub">
        {place} · {t('watchList.import.change', { from: write(row.before), to: write(row.after) })}
      </p>
    </div>
  );
}

/** What the file would set, and what is left out of it and why. */
function Preview({ preview }: { readonly preview: ImportPreview }): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const { leftOut, changes, unchanged } = preview;
  const list = useMemo(() => {
    const rows: readonly (LeftOut | Named)[] = [...leftOut, ...changes];
    return createPagedList<LeftOut | Named, null>(
      (_filter, offset, limit) =>
        Promise.resolve(succeed({ total: rows.length, rows: rows.slice(offset, offset + limit) })),
      null,
    );
  }, [leftOut, changes]);
  return (
    <>
      <div role="status">
        <ul className="many-counts">
          <li data-kind="change">{t('watchList.import.changes', write(changes.length))}</li>
          {unchanged > 0 && <li>{t('watchList.import.unchanged', write(unchanged))}</li>}
          {leftOut.length > 0 && <li data-kind="warn">{t('watchList.import.leftOut', write(leftOut.length))}</li>}
        </ul>
      </div>
      {leftOut.length + changes.length > 0 && (
        <VirtualList
          list={list}
          name={t('watchList.import.lines')}
          rowHeight={rowHeight}
          keyOf={({ line }) => line}
          empty={null}
          draw={(row) => <Line row={row} />}
        />
      )}
    </>
  );
}

/** What the file would set in this stock, looked up anew for each. */
function usePreview(content: MinimaFile | null, stockId: Id | undefined) {
  const { bridge } = useStores();
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  const [read, setRead] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    setPreview(null);
    setFailure(null);
    setRead(0);
    if (content === null || stockId === undefined) {
      return undefined;
    }
    const controller = new AbortController();
    const look = async (): Promise<void> => {
      const found = await previewImport(bridge, stockId, content, setRead, controller.signal);
      if (!controller.signal.aborted) {
        setPreview(found.ok ? found.value : null);
        setFailure(found.ok ? null : found.failure);
      }
    };
    void look();
    return () => controller.abort();
  }, [bridge, content, stockId]);
  return { preview, read, failure, setFailure };
}

interface ImportDialogProps {
  readonly close: () => void;
  readonly onDone: (outcome: MinimaSet) => void;
}

/** A file is chosen, what it would set is shown, and then it is set. */
export function ImportDialog({ close, onDone }: ImportDialogProps): ReactElement {
  const { t, language } = useWords();
  const write = useCounted();
  const input = useRef<HTMLInputElement>(null);
  const stockIds = useStockIds();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const nameOf = useStockName();
  const listed = useStock((stock) => stock.query.stockId);
  const [stockId, setStockId] = useState<Id | undefined>(listed ?? stockIds[0]);
  const [file, setFile] = useState<ChosenFile | null>(null);
  const content = file?.content ?? null;
  const { preview, read, failure, setFailure } = usePreview(content, stockId);
  const { work, set, stop } = useSetMinima();

  const take = async (chosen: File | undefined): Promise<void> => {
    if (chosen !== undefined) {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      setFile({ name: chosen.name, content: readMinimaFile(bytes, language) });
    }
  };
  const setAll = async (all: ImportPreview): Promise<void> => {
    setFailure(null);
    const outcome = await set(minimaOf(all));
    if (outcome.failure === null) {
      onDone(outcome);
    } else {
      setFailure(outcome.failure);
    }
  };
  const count = preview?.changes.length ?? 0;
  const sign = useIsLocked('settings') ? <LockSign kind="settings" /> : undefined;

  return (
    <Modal
      opened
      onClose={close}
      size={720}
      title={t('watchList.import.title')}
      closeButtonProps={{ 'aria-label': t('form.close') }}
    >
      <div className="dialog">
        {content === null && <p>{t('watchList.import.explain')}</p>}
        {stockIds.length > 1 && (
          <NativeSelect
            size="md"
            label={t('stock.column.stock')}
            disabled={work !== null}
            data={stocks.map((stock) => ({ value: stock.stockId as string, label: nameOf(stock.stockId, stock.name) }))}
            value={stockId ?? ''}
            onChange={(event) => setStockId(stockIds.find((id) => id === event.currentTarget.value))}
          />
        )}
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.txt,text/csv,text/plain"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            // The same file may be chosen again after it was mended.
            event.currentTarget.value = '';
          }}
        />
        <div className="import-file">
          <Button
            variant="default"
            leftSection={<UploadIcon size={20} />}
            disabled={work !== null}
            data-autofocus
            onClick={() => input.current?.click()}
          >
            {t(file === null ? 'watchList.import.choose' : 'watchList.import.chooseOther')}
          </Button>
          <span className="import-name">{file?.name}</span>
        </div>
        {file !== null && content === null && (
          <p className="notice" data-kind="warn" role="alert">
            {t('watchList.import.noList')}
          </p>
        )}
        {content !== null && preview === null && failure === null && (
          <WorkProgress words={t('watchList.import.reading')} done={read} of={content.lines.length} />
        )}
        {preview !== null && <Preview preview={preview} />}
        <FailureNotice failure={failure} />
        {work !== null && (
          <WorkProgress words={t('watchList.dialog.working')} done={work.done} of={work.of} stop={stop} />
        )}
        <div className="form-actions">
          <Button size="lg" variant="default" disabled={work !== null} onClick={close}>
            {t(preview !== null && count > 0 ? 'watchList.import.cancel' : 'form.close')}
          </Button>
          {preview !== null && count > 0 && (
            <Button size="lg" loading={work !== null} leftSection={sign} onClick={() => void setAll(preview)}>
              {t('watchList.import.set', write(count))}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}
