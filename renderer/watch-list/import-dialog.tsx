import { Button, Modal, NativeSelect } from '@mantine/core';
import { useMemo, useState, type ReactElement } from 'react';
import type { Id } from '../../app/domain/int64.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { useFileChoice } from '../files/file-choice.tsx';
import { FileLine, FileLines } from '../files/file-lines.tsx';
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
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';
import { minimaOf, previewImport, type ImportPreview, type Named } from './import-preview.ts';
import { readMinimaFile, type MinimaFile } from './minima-file.ts';
import type { MinimaSet } from './set-minima.ts';
import { useSetMinima } from './use-set-minima.ts';

/** Shows the minimums that the file would set, and its lines that are left out, with the reason. */
function Preview({ preview }: { readonly preview: ImportPreview }): ReactElement {
  const { t, language } = useWords();
  const write = useCounted();
  const { leftOut, lostZeros, changes, removed, unchanged, blank } = preview;
  const draw = ({ line, name, unit, before, after }: Named): ReactElement => {
    const say = (minimum: number | null): string =>
      minimum === null ? t('watchList.none') : formatQuantity(minimum, unit, language);
    return (
      <FileLine line={line} title={name} what={t('watchList.import.change', { from: say(before), to: say(after) })} />
    );
  };
  return (
    <>
      <div role="status">
        <ul className="many-counts">
          <li data-kind="change">{t('watchList.import.changes', write(changes.length - removed))}</li>
          {removed > 0 && <li data-kind="warn">{t('watchList.import.removed', write(removed))}</li>}
          {unchanged > 0 && <li>{t('watchList.import.unchanged', write(unchanged))}</li>}
          {blank > 0 && <li>{t('watchList.import.blank', write(blank))}</li>}
          {leftOut.length > 0 && <li data-kind="warn">{t('files.import.leftOut', write(leftOut.length))}</li>}
        </ul>
      </div>
      <FileLines leftOut={leftOut} lostZeros={lostZeros} rows={changes} notFoundIn="oneStock" draw={draw} />
    </>
  );
}

interface ImportDialogProps {
  readonly close: () => void;
  readonly onDone: (outcome: MinimaSet) => void;
}

/** A file is chosen, what it would set is shown, and then it is set. */
export function ImportDialog({ close, onDone }: ImportDialogProps): ReactElement {
  useReturnedFocus();
  const { t, language } = useWords();
  const write = useCounted();
  const { bridge } = useStores();
  const stockIds = useStockIds();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const nameOf = useStockName();
  const listed = useStock((stock) => stock.query.stockId);
  const [stockId, setStockId] = useState<Id | undefined>(listed ?? stockIds[0]);
  const look = useMemo(
    () =>
      stockId === undefined
        ? null
        : (file: MinimaFile, onProgress: (done: number) => void, signal: AbortSignal) =>
            previewImport(bridge, stockId, file, onProgress, signal),
    [bridge, stockId],
  );
  const { work, set, stop } = useSetMinima();
  const { name, preview, setFailure, part } = useFileChoice({
    read: (bytes) => readMinimaFile(bytes, language),
    look,
    draw: (found) => <Preview preview={found} />,
    disabled: work !== null,
  });
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
    <Modal opened onClose={close} size={720} title={t('watchList.import.title')}>
      <div className="dialog">
        {name === null && <p>{t('watchList.import.explain')}</p>}
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
        {part}
        {work !== null && (
          <WorkProgress words={t('watchList.dialog.working')} done={work.done} of={work.of} stop={stop} />
        )}
        <div className="form-actions">
          <Button size="lg" variant="default" disabled={work !== null} onClick={close}>
            {t(preview !== null && count > 0 ? 'ui.form.cancel' : 'ui.form.close')}
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
