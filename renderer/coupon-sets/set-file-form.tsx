import { Button } from '@mantine/core';
import { useCallback, useState, type ReactElement } from 'react';
import type { CouponSet, CouponSetHow } from '../../app/contract/coupon-sets.ts';
import { maxChosen } from '../../app/contract/limits/coupons.ts';
import type { Id } from '../../app/domain/int64.ts';
import { useFileChoice } from '../files/file-choice.tsx';
import { FileLine, FileLines } from '../files/file-lines.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { useCounted, useStores, useWords } from '../stores/context.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { previewSet, readSetFile, type SetFile, type SetPreview } from './set-file.ts';

/** Shows the products that the file names, and its lines that are left out, with the reason. */
function Preview({ preview: { leftOut, lostZeros, members } }: { readonly preview: SetPreview }): ReactElement {
  const { t, language } = useWords();
  const write = useCounted();
  return (
    <>
      <div role="status">
        <ul className="many-counts">
          <li data-kind="change">{t('files.import.found', write(members.length))}</li>
          {leftOut.length > 0 && <li data-kind="warn">{t('files.import.leftOut', write(leftOut.length))}</li>}
        </ul>
      </div>
      {members.length > maxChosen && (
        <p className="notice" data-kind="warn" role="alert">
          {t('couponSets.fileTooMany', { max: formatNumber(maxChosen, language) })}
        </p>
      )}
      <FileLines
        leftOut={leftOut}
        lostZeros={lostZeros}
        rows={members}
        notFoundIn="anyStock"
        draw={({ line, name, code }) => <FileLine line={line} title={name} what={code} />}
      />
    </>
  );
}

interface SetFileFormProps {
  /** The set whose products are replaced; null for a new one. */
  readonly set: CouponSet | null;
  /** A new set's products go on to get their name. */
  readonly onChosen: (file: string, how: CouponSetHow) => void;
  readonly close: () => void;
}

/** A file is chosen, what it names is shown, and becomes the products of a set. */
export function SetFileForm({ set, onChosen, close }: SetFileFormProps): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const { bridge } = useStores();
  const [isBusy, setBusy] = useState(false);
  const sign = useIsLocked('coupons') ? <LockSign kind="coupons" /> : undefined;
  const look = useCallback(
    (file: SetFile, onProgress: (done: number) => void, signal: AbortSignal) =>
      previewSet(bridge, file, onProgress, signal),
    [bridge],
  );
  const { name, preview, setFailure, part } = useFileChoice({
    read: readSetFile,
    look,
    draw: (found) => <Preview preview={found} />,
    disabled: isBusy,
  });
  const count = preview?.members.length ?? 0;
  const take = async (productIds: Id[]): Promise<void> => {
    const how = { kind: 'list', productIds } as const;
    if (set === null) {
      onChosen(name ?? '', how);
      return;
    }
    setBusy(true);
    const saved = await bridge.call('couponSet:save', { setId: set.setId, name: set.name, how });
    setBusy(false);
    if (saved.ok) {
      close();
    } else {
      setFailure(saved.failure);
    }
  };
  return (
    <div className="dialog">
      {name === null && <p>{t('couponSets.fileExplain')}</p>}
      {set !== null && <p>{t('couponSets.fileReplaces')}</p>}
      {part}
      <div className="form-actions">
        <Button size="lg" variant="default" disabled={isBusy} onClick={close}>
          {t('ui.form.back')}
        </Button>
        {preview !== null && count > 0 && count <= maxChosen && (
          <Button
            size="lg"
            loading={isBusy}
            leftSection={set === null ? undefined : sign}
            onClick={() => void take(preview.members.map(({ productId }) => productId))}
          >
            {t(set === null ? 'couponSets.goOn' : 'couponSets.replaceWith', write(count))}
          </Button>
        )}
      </div>
    </div>
  );
}
