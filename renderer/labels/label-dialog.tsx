import { Button, Modal, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { labelSizes, maxLabelCopies } from '../../app/contract/limits.ts';
import type { LabelSize } from '../../app/contract/labels.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { drawableCodes, drawCode, nameOfType } from './barcode-picture.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { contentOf, isWhollyPrintable, labelFileName } from './content.ts';
import { layOut } from './layout.ts';
import { writePdf } from './pdf.ts';
import { labelPapers } from './sizes.ts';
import { useNow } from '../dom/clock.ts';
import { saveFile } from '../dom/save-file.ts';
import { LabelPreview, PrintedLabels } from './label-drawing.tsx';
import type { LabelRequest } from './label-request.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { readFigure } from '../ui/figures-form.tsx';

const maxLineLength = 60;

interface CopiesProps {
  readonly text: string;
  readonly copies: number | null;
  readonly onChange: (text: string) => void;
}

function Copies({ text, copies, onChange }: CopiesProps): ReactElement {
  const { t } = useWords();
  return (
    <div className="label-copies">
      <Button
        variant="default"
        aria-label={t('label.fewer')}
        disabled={copies === null || copies <= 1}
        onClick={() => onChange(String((copies ?? 1) - 1))}
      >
        {'\u2212'}
      </Button>
      <TextInput
        label={t('label.copies')}
        size="md"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        error={copies === null ? t('label.copiesWrong', { max: maxLabelCopies }) : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        variant="default"
        aria-label={t('label.more')}
        disabled={copies === null || copies >= maxLabelCopies}
        onClick={() => onChange(String((copies ?? 0) + 1))}
      >
        +
      </Button>
    </div>
  );
}

interface CautionsProps {
  readonly drawn: ReturnType<typeof drawCode> | null;
  readonly isTooFine: boolean;
  /** Every character can be printed as it is. */
  readonly isWhole: boolean;
}

function Cautions({ drawn, isTooFine, isWhole }: CautionsProps): ReactElement | null {
  const { t, language } = useWords();
  const refused = drawn?.refused ?? null;
  const cautions = [
    drawn === null ? t('label.noCode') : null,
    drawn === null || refused === null
      ? null
      : t('barcode.refused', { name: nameOfType(drawn.type, language), refused: nameOfType(refused, language) }),
    isTooFine ? t('label.tooFine') : null,
    isWhole ? null : t('label.simplified'),
  ].filter((caution) => caution !== null);
  return cautions.length === 0 ? null : (
    <div className="notice label-cautions" role="status">
      {cautions.map((caution) => (
        <p key={caution}>{caution}</p>
      ))}
    </div>
  );
}

interface LabelDialogProps {
  readonly request: LabelRequest;
  readonly close: () => void;
}

/** The dialog; `close` prints nothing. */
export function LabelDialog({ request: { card, scanned }, close }: LabelDialogProps): ReactElement {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const kept = useTerminal((state) => state.shelfLabel);
  const [size, setSize] = useState<LabelSize>(kept.size);
  const [copiesText, setCopiesText] = useState(String(kept.copies));
  const [withBalance, setWithBalance] = useState(kept.withBalance);
  const [line, setLine] = useState('');
  const [place, setPlace] = useState(0);
  const [isPrinting, setPrinting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const nowMs = useNow();

  const codes = drawableCodes(card, scanned);
  const choice = codes[place];
  const drawn = choice === undefined ? null : drawCode(choice);
  const content = contentOf(card, drawn, { line, withBalance, nowMs, language });
  const paper = labelPapers[size];
  const drawing = layOut(content, paper.label);
  const copies = readFigure(copiesText, { min: 1, max: maxLabelCopies });

  const remember = async (chosen: number): Promise<void> => {
    const saved = await bridge.call('settings:update', { shelfLabel: { size, copies: chosen, withBalance } });
    setFailure(saved.ok ? null : saved.failure);
  };
  const print = (): void => {
    if (copies !== null) {
      setPrinting(true);
      void remember(copies);
    }
  };
  const save = (): void => {
    if (copies !== null) {
      saveFile(labelFileName(card), 'application/pdf', [writePdf(drawing, paper, copies, card.name)]);
      void remember(copies);
    }
  };

  return (
    <Modal
      opened
      onClose={close}
      size={940}
      title={t('label.title')}
      closeButtonProps={{ 'aria-label': t('form.close') }}
    >
      <div className="dialog label-dialog">
        <div className="label-side">
          <div className="label-stand" data-size={size}>
            <LabelPreview drawing={drawing} name={t('label.preview', { name: card.name.slice(0, 100) })} />
          </div>
          <Cautions drawn={drawn} isTooFine={drawing.isTooFine} isWhole={isWhollyPrintable(content)} />
        </div>
        <div className="label-form">
          <p className="label-product">{card.name}</p>
          <div className="setting">
            <p>{t('label.size')}</p>
            <SegmentedControl
              className="choice"
              aria-label={t('label.size')}
              fullWidth
              data={labelSizes.map((value) => ({
                value,
                label: value === 'a4' ? t('label.a4') : value.replace('x', ' × '),
              }))}
              value={size}
              onChange={setSize}
            />
          </div>
          {codes.length > 1 && (
            <NativeSelect
              label={t('label.code')}
              size="md"
              value={place}
              data={codes.map(({ text, type }, index) => ({
                value: String(index),
                label: `${text} (${nameOfType(type, language)})`,
              }))}
              onChange={(event) => setPlace(Number(event.currentTarget.value))}
            />
          )}
          <TextInput
            label={t('label.line')}
            description={t('label.lineHelp')}
            size="md"
            maxLength={maxLineLength}
            autoComplete="off"
            value={line}
            onChange={(event) => setLine(event.currentTarget.value)}
          />
          <div className="label-pair">
            <Copies text={copiesText} copies={copies} onChange={setCopiesText} />
            <Switch
              label={t('label.withBalance')}
              checked={withBalance}
              disabled={card.balance.amount === null}
              onChange={(event) => setWithBalance(event.currentTarget.checked)}
            />
          </div>
        </div>
        <FailureNotice failure={failure} />
        <div className="form-actions">
          <Button size="lg" variant="default" disabled={copies === null} onClick={save}>
            {t('label.save')}
          </Button>
          <Button size="lg" disabled={copies === null || isPrinting} onClick={print} data-autofocus>
            {copies === null ? t('label.printNone') : t('label.print', { count: copies })}
          </Button>
        </div>
        {isPrinting && copies !== null && (
          <PrintedLabels drawing={drawing} size={size} copies={copies} onDone={() => setPrinting(false)} />
        )}
      </div>
    </Modal>
  );
}
