import { Button, Modal } from '@mantine/core';
import { useRef, useState, type ReactElement } from 'react';
import { maxListsLength } from '../../app/contract/limits/shop-lists.ts';
import type { ForeseenLists, ListsChange } from '../../app/contract/shop-lists.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { wordsOfTimes } from '../coupon-sets/plan-words.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { readChosenText } from '../files/chosen-file.ts';
import { FileInput } from '../files/file-input.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { formatFullMoment } from '../formats/times.ts';
import { useCounted, useStockName, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { UploadIcon } from '../ui/icons.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { Working } from '../ui/working.tsx';
import './shop-lists.css';

/** A file that was chosen, and what it would change. */
interface Chosen {
  readonly name: string;
  readonly text: string;
  readonly foreseen: ForeseenLists;
}

function Change({ change }: { readonly change: ListsChange }): ReactElement {
  const { t, language } = useWords();
  const nameOf = useStockName();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  if (change.kind === 'minimum') {
    const stock = stocks.find(({ stockId }) => stockId === change.stockId)?.name ?? null;
    const say = (minimum: number | null): string =>
      minimum === null ? t('watchList.none') : formatNumber(minimum, language);
    return (
      <li>
        <p className="row-title">{change.name ?? t('shopLists.product', { id: change.productId })}</p>
        <p className="row-sub">
          {t('shopLists.minimum', { stock: nameOf(change.stockId, stock), from: say(change.from), to: say(change.to) })}
        </p>
      </li>
    );
  }
  return (
    <li data-kind={change.did === 'removed' ? 'goes' : undefined}>
      <p className="row-title">{change.name}</p>
      <p className="row-sub">
        {change.kind === 'set'
          ? t(`shopLists.set.${change.did}`)
          : t(`shopLists.plan.${change.did}`, { times: wordsOfTimes(change.times, t, language) })}
      </p>
    </li>
  );
}

/** What the file would change, or why it cannot be taken. */
function Foreseen({ foreseen }: { readonly foreseen: ForeseenLists }): ReactElement {
  const { t, language } = useWords();
  const write = useCounted();
  const { fault, savedAt, takenSavedAt, counts, ofOtherStocks, setsOfOtherStocks, changes } = foreseen;
  if (fault !== null) {
    return (
      <p className="notice" data-kind="warn" role="alert">
        {t(`shopLists.fault.${fault}`)}
      </p>
    );
  }
  const all = counts.minimum + counts.set + counts.plan;
  const doPlansCome = changes.some((change) => change.kind === 'plan' && ['added', 'changed'].includes(change.did));
  return (
    <>
      <div role="status" className="stack-2">
        {savedAt !== null && <p>{t('shopLists.savedAt', { moment: formatFullMoment(savedAt, language) })}</p>}
        {takenSavedAt !== null && (
          <p className="warn-words">{t('shopLists.older', { moment: formatFullMoment(takenSavedAt, language) })}</p>
        )}
        {all === 0 ? (
          <p>{t('shopLists.nothing')}</p>
        ) : (
          <ul className="many-counts">
            {(['set', 'plan', 'minimum'] as const).map(
              (kind) => counts[kind] > 0 && <li key={kind}>{t(`shopLists.counts.${kind}`, write(counts[kind]))}</li>,
            )}
          </ul>
        )}
        {doPlansCome && <p>{t('shopLists.planner')}</p>}
        {setsOfOtherStocks > 0 && (
          <p className="warn-words">{t('shopLists.setsOfOtherStocks', write(setsOfOtherStocks))}</p>
        )}
        {ofOtherStocks > 0 && <p className="warn-words">{t('shopLists.ofOtherStocks', write(ofOtherStocks))}</p>}
      </div>
      {changes.length > 0 && (
        <ul className="lists-changes" aria-label={t('shopLists.changes')} tabIndex={0}>
          {changes.map((change) => (
            <Change key={JSON.stringify(change)} change={change} />
          ))}
        </ul>
      )}
      {all > changes.length && <p className="hint">{t('shopLists.first', write(changes.length))}</p>}
    </>
  );
}

interface TakeListsDialogProps {
  readonly close: () => void;
  readonly onTaken: () => void;
}

/** A file is chosen, what it would change is shown, and then it is taken. */
export function TakeListsDialog({ close, onTaken }: TakeListsDialogProps): ReactElement {
  useReturnedFocus();
  const { t } = useWords();
  const { bridge } = useStores();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isNotRead, setNotRead] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const sign = useIsLocked('provisioning') ? <LockSign kind="provisioning" /> : undefined;

  const choose = async (file: File): Promise<void> => {
    setBusy(true);
    setChosen(null);
    setFailure(null);
    const read = await readChosenText(file, maxListsLength);
    setNotRead(read === null);
    if (read === null) {
      setBusy(false);
      return;
    }
    // One that is too long is no such file.
    const text = read.length > maxListsLength ? '' : read;
    const answer = await bridge.call('shopLists:foresee', { text });
    setBusy(false);
    setFailure(answer.ok ? null : answer.failure);
    setChosen(answer.ok ? { name: file.name, text, foreseen: answer.value } : null);
  };
  const take = async ({ text }: Chosen): Promise<void> => {
    setBusy(true);
    const answer = await bridge.call('shopLists:take', { text });
    setBusy(false);
    if (answer.ok) {
      onTaken();
    } else {
      setFailure(answer.failure);
    }
  };
  const counts = chosen?.foreseen.counts;
  const canTake = counts !== undefined && counts.minimum + counts.set + counts.plan > 0;
  return (
    <Modal opened onClose={close} size={720} title={t('shopLists.dialog')}>
      <div className="dialog">
        <div className="line-3">
          <Button
            variant="default"
            leftSection={<UploadIcon size={20} />}
            data-autofocus
            onClick={() => input.current?.click()}
          >
            {t(chosen === null ? 'files.import.choose' : 'files.import.chooseOther')}
          </Button>
          <span className="anywhere">{chosen?.name}</span>
        </div>
        <FileInput input={input} accept=".json,application/json" onChoose={(file) => void choose(file)} />
        {isBusy && <Working words={t('files.import.reading')} />}
        {isNotRead && (
          <p className="notice" data-kind="warn" role="alert">
            {t('files.import.fault.notRead')}
          </p>
        )}
        {chosen !== null && <Foreseen foreseen={chosen.foreseen} />}
        <FailureNotice failure={failure} />
        <div className="form-actions">
          <Button size="lg" variant="default" disabled={isBusy} onClick={close}>
            {t(canTake ? 'ui.form.cancel' : 'ui.form.close')}
          </Button>
          {chosen !== null && canTake && (
            <Button size="lg" loading={isBusy} leftSection={sign} onClick={() => void take(chosen)}>
              {t('shopLists.take')}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}
