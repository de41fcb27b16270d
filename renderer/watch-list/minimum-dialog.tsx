import { Button, Modal, TextInput } from '@mantine/core';
import { useRef, useState, type ReactElement, type SubmitEvent } from 'react';
import { maxMinimum } from '../../app/contract/limits/watch-list.ts';
import type { WatchedMinimum } from '../../app/contract/watch-list.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { decimalMarkOf, readAmount, writeAmount } from '../formats/typed-numbers.ts';
import { formatUnit } from '../formats/units.ts';
import { useCounted, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { AmountPad } from '../ui/keypad.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';
import { countProducts } from '../formats/products.ts';
import { useSetMinima } from './use-set-minima.ts';

interface MinimumDialogProps {
  readonly products: readonly Omit<WatchedMinimum, 'minimum'>[];
  /** Of the one product; null for several. */
  readonly name: string | null;
  readonly unit: string | null;
  /** The names of several ones that the products are kept in. */
  readonly units?: string;
  /** The minimum of the one product, or `some` for several; null where there is nothing to take off. */
  readonly kept: number | 'some' | null;
  /** `isDone`: all of them have been set. */
  readonly close: (isDone: boolean) => void;
}

/** One minimum for one product, or for many. */
export function MinimumDialog({ products, name, unit, units, kept, close }: MinimumDialogProps): ReactElement {
  useReturnedFocus();
  const { t, language } = useWords();
  const write = useCounted();
  const mark = decimalMarkOf(language);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(typeof kept === 'number' ? writeAmount(kept, mark) : '');
  const [isWrong, setWrong] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [leftOut, setLeftOut] = useState(0);
  const { work, set, stop } = useSetMinima();
  const minimum = readAmount(text, mark, maxMinimum);
  const sign = useIsLocked('settings') ? <LockSign kind="settings" /> : undefined;

  const give = async (given: number | null): Promise<void> => {
    setFailure(null);
    const outcome = await set(products.map(({ stockId, productId }) => ({ stockId, productId, minimum: given })));
    setFailure(outcome.failure);
    setLeftOut(outcome.leftOut);
    if (outcome.failure === null && outcome.leftOut === 0) {
      close(true);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (work !== null) {
      return;
    }
    if (minimum === null || minimum <= 0) {
      setWrong(true);
      event.currentTarget.querySelector('input')?.focus();
      return;
    }
    void give(minimum);
  };

  return (
    <Modal
      opened
      onClose={() => close(false)}
      title={name === null ? t('watchList.dialog.title', write(countProducts(products))) : t('watchList.minimum')}
    >
      <form className="dialog" noValidate onSubmit={submit}>
        {name !== null && <p className="dialog-figure">{name}</p>}
        <TextInput
          ref={field}
          size="md"
          label={
            unit === null
              ? t('watchList.minimum')
              : t('watchList.dialog.inUnit', { unit: formatUnit(unit, 2, language) })
          }
          description={[
            ...(units === undefined ? [] : [t('watchList.dialog.units', { units })]),
            t('watchList.dialog.help'),
          ].join(' ')}
          error={isWrong ? t('watchList.dialog.wrong') : undefined}
          inputMode="decimal"
          maxLength={20}
          autoFocus
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <AmountPad mark={mark} field={field} />
        <FailureNotice failure={failure} />
        {leftOut > 0 && <p role="alert">{t('watchList.leftOut', write(leftOut))}</p>}
        {work !== null && work.of > 1 && (
          <WorkProgress words={t('watchList.dialog.working')} done={work.done} of={work.of} stop={stop} />
        )}
        <div className="form-actions">
          {kept !== null && (
            <Button
              className="form-action-apart"
              size="lg"
              variant="default"
              disabled={work !== null}
              leftSection={sign}
              onClick={() => void give(null)}
            >
              {t('watchList.dialog.remove')}
            </Button>
          )}
          <Button size="lg" type="submit" loading={work !== null} leftSection={sign}>
            {t('watchList.dialog.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
