import { Button, Modal, TextInput } from '@mantine/core';
import { useCallback, useRef, useState, type ReactElement, type SubmitEvent } from 'react';
import { maxCounted } from '../../app/contract/limits/stocktakes.ts';
import type { StocktakeLine } from '../../app/contract/stocktakes.ts';
import { decimalMarkOf, readAmount } from '../formats/typed-numbers.ts';
import { formatUnit } from '../formats/units.ts';
import { useStocktakes, useWords } from '../stores/context.tsx';
import { AmountPad } from '../ui/keypad.tsx';
import { nameOfLine } from './line-words.ts';

interface QuantityDialog {
  readonly edit: (line: StocktakeLine) => void;
  readonly dialog: ReactElement;
  /** True until it has gone from the screen, too. */
  readonly isCovered: boolean;
}

function QuantityForm({ line, close }: { readonly line: StocktakeLine; readonly close: () => void }): ReactElement {
  const { t, language } = useWords();
  const setQuantity = useStocktakes((store) => store.setQuantity);
  const [text, setText] = useState('');
  const [isAsked, setAsked] = useState(false);
  const mark = decimalMarkOf(language);
  const field = useRef<HTMLInputElement>(null);
  const quantity = readAmount(text, mark, maxCounted);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (quantity === null) {
      setAsked(true);
      return;
    }
    void setQuantity(line.id, quantity);
    close();
  };
  return (
    <form className="dialog" noValidate onSubmit={submit}>
      <p className="dialog-figure">{nameOfLine(line)}</p>
      <TextInput
        ref={field}
        label={t('stocktakes.quantity')}
        description={formatUnit(line.unit, null, language)}
        error={isAsked && quantity === null ? t('stocktakes.quantityWrong') : undefined}
        inputMode="decimal"
        maxLength={20}
        autoFocus
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <AmountPad mark={mark} field={field} />
      <div className="form-actions">
        {line.quantity !== null && (
          <Button
            size="lg"
            variant="default"
            onClick={() => {
              void setQuantity(line.id, null);
              close();
            }}
          >
            {t('stocktakes.takeOut')}
          </Button>
        )}
        <Button size="lg" type="submit">
          {t('stocktakes.save')}
        </Button>
      </div>
    </form>
  );
}

/** Where a quantity is typed in the place of what was counted, and what opens it. */
export function useQuantityDialog(): QuantityDialog {
  const { t } = useWords();
  const [line, setLine] = useState<StocktakeLine | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isCovered, setCovered] = useState(false);
  const edit = useCallback((one: StocktakeLine) => {
    setCovered(true);
    setOpen(true);
    setLine(one);
  }, []);
  const close = (): void => setOpen(false);
  const dialog = (
    <Modal
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={() => setCovered(false)}
      title={t('stocktakes.setQuantity')}
    >
      {line !== null && <QuantityForm line={line} close={close} />}
    </Modal>
  );
  return { edit, dialog, isCovered };
}
