import { Button, Modal } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { ownPinLength } from '../../app/contract/limits/cashiers.ts';
import { labelSizes } from '../../app/contract/limits/labels.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { saveFile } from '../dom/save-file.ts';
import { useNow } from '../dom/clock.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { drawCode } from '../labels/barcode-picture.ts';
import { labelDate } from '../labels/content.ts';
import { LabelPreview, PrintedLabels } from '../labels/label-drawing.tsx';
import { Paper } from '../labels/label-fields.tsx';
import { layOut } from '../labels/layout.ts';
import { writePdf } from '../labels/pdf.ts';
import { labelPapers } from '../labels/sizes.ts';
import { PinEntry } from '../lock/pin-entry.tsx';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';

interface BadgeDialogProps {
  readonly email: string;
  readonly close: () => void;
}

interface MadeProps extends BadgeDialogProps {
  readonly code: string;
}

/** The badge, which can be printed and saved for as long as the dialog is open. */
function Made({ email, code, close }: MadeProps): ReactElement {
  const { t, language } = useWords();
  const nowMs = useNow();
  const [size, setSize] = useState(useTerminal((state) => state.shelfLabel.size));
  const [isPrinting, setPrinting] = useState(false);
  const [unprinted, setUnprinted] = useState<Failure | null>(null);
  const print = useRef<HTMLButtonElement>(null);
  // The field that had the focus has gone.
  useEffect(() => print.current?.focus(), []);
  const paper = labelPapers[size];
  const symbol = drawCode({ text: code, type: 'C128', refused: null })?.symbol ?? null;
  // Without its digits: a badge is scanned, never typed.
  const content = {
    name: email,
    line: '',
    fields: [],
    symbol,
    readable: '',
    facts: 'Tillside',
    date: labelDate(nowMs, language),
  };
  const drawing = layOut(content, paper.label);
  const labels = [{ label: drawing, copies: 1 }];
  return (
    <div className="dialog label-dialog">
      <div className="label-side stack-3">
        <div className="label-stand" data-size={size}>
          <LabelPreview drawing={drawing} name={t('cashiers.badge.preview', { email })} />
        </div>
        {drawing.isTooFine && (
          <p className="notice" role="status">
            {t('cashiers.badge.tooFine')}
          </p>
        )}
      </div>
      <div className="label-form stack-4">
        <p>
          <strong>{t('cashiers.badge.once')}</strong>
        </p>
        <p className="hint">{t('cashiers.badge.explain')}</p>
        <Paper sizes={labelSizes} size={size} onSize={setSize} />
      </div>
      <div className="form-actions">
        <Button size="lg" variant="default" onClick={close}>
          {t('ui.form.close')}
        </Button>
        <Button
          size="lg"
          variant="default"
          onClick={() =>
            saveFile('badge.pdf', 'application/pdf', [writePdf(labels, paper, 1, t('cashiers.badge.title'))])
          }
        >
          {t('labels.one.save')}
        </Button>
        <Button ref={print} size="lg" disabled={isPrinting} onClick={() => setPrinting(true)}>
          {t('cashiers.badge.print')}
        </Button>
      </div>
      <FailureNotice failure={unprinted} />
      {isPrinting && (
        <PrintedLabels
          labels={labels}
          size={size}
          first={1}
          onDone={(failure) => {
            setPrinting(false);
            setUnprinted(failure);
          }}
        />
      )}
    </div>
  );
}

/** Asks for the PIN, then shows the new badge; its code is in this component's state and nowhere else. */
export function BadgeDialog({ email, close }: BadgeDialogProps): ReactElement {
  useReturnedFocus();
  const { t } = useWords();
  const { bridge } = useStores();
  const own = useTerminal(({ cashiers }) => cashiers.users.find((user) => user.email === email));
  const [code, setCode] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);
  const hadBadge = own?.hasBadge === true;

  const make = async (pin: string): Promise<void> => {
    setWorking(true);
    const made = await bridge.call('cashier:makeBadge', { pin });
    setWorking(false);
    if (made.ok) {
      setCode(made.value.code);
    } else {
      setProblem(t(`failure.${made.failure.kind}.says`));
    }
  };

  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={code !== null}
      // It is never shown again.
      closeOnClickOutside={code === null}
      withCloseButton={code !== null}
      title={t('cashiers.badge.title')}
      size={code === null ? 720 : 940}
    >
      {code === null ? (
        <PinEntry
          length={ownPinLength}
          label={t('lock.pin.field')}
          action={t('cashiers.badge.make')}
          problem={problem}
          waitUntil={own?.waitUntil ?? null}
          isWorking={isWorking}
          onPin={(pin) => void make(pin)}
          onCancel={close}
        >
          <p className="hint">
            {t('cashiers.badge.pinFirst')} {hadBadge && t('cashiers.badge.voids')}
          </p>
        </PinEntry>
      ) : (
        <Made email={email} code={code} close={close} />
      )}
    </Modal>
  );
}
