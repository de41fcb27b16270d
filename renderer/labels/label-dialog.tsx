import { Button, Modal, NativeSelect, Switch } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { maxLabelCopies } from '../../app/contract/limits/labels.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { drawableCodes, drawCode, nameOfType } from './barcode-picture.ts';
import type { BarcodeChoice } from '../../app/domain/codes/barcode-choice.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { contentOf, isWhollyPrintable, labelFileName } from './content.ts';
import { countLabels } from './print-parts.ts';
import { layOut } from './layout.ts';
import { writePdf } from './pdf.ts';
import { placesOnPage } from './sizes.ts';
import { useNow } from '../dom/clock.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { saveFile } from '../dom/save-file.ts';
import { LabelPreview } from './label-drawing.tsx';
import { CopiesField, FirstField, FreeText, Paper, usePaper, useTypedLabel } from './label-fields.tsx';
import type { CollectedLabels, LabelRequest } from './label-request.ts';
import { useLabelPrinting } from './use-label-printing.tsx';
import { CrossIcon } from '../ui/icons.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { readFigure } from '../ui/figure-field.tsx';

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
    drawn === null ? t('labels.one.noCode') : null,
    drawn === null || refused === null
      ? null
      : t('lookup.barcode.refused', { name: nameOfType(drawn.type, language), refused: nameOfType(refused, language) }),
    isTooFine ? t('labels.one.tooFine') : null,
    isWhole ? null : t('labels.one.simplified'),
  ].filter((caution) => caution !== null);
  return cautions.length === 0 ? null : (
    <div className="notice label-cautions" role="status">
      {cautions.map((caution) => (
        <p key={caution}>{caution}</p>
      ))}
    </div>
  );
}

interface CollectedProps {
  readonly collected: readonly CollectedLabels[];
  readonly onCollect: (collected: readonly CollectedLabels[]) => void;
}

/** Lists the labels that are printed together with the dialog's product. */
function Collected({ collected, onCollect }: CollectedProps): ReactElement | null {
  const { t } = useWords();
  return collected.length === 0 ? null : (
    <div className="setting stack-2">
      <p>{t('labels.one.with')}</p>
      <ul className="label-collected" aria-label={t('labels.one.with')}>
        {collected.map((one, place) => (
          // One product may be there twice, with different texts.
          <li key={place}>
            <span>
              {one.copies} × {one.content.name}
            </span>
            <button
              type="button"
              className="icon-button"
              aria-label={t('labels.one.leaveOut', { name: one.content.name })}
              onClick={() => onCollect(collected.filter((other) => other !== one))}
            >
              <CrossIcon />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface CodesProps {
  readonly codes: readonly BarcodeChoice[];
  readonly place: number;
  readonly onPlace: (place: number) => void;
}

function Codes({ codes, place, onPlace }: CodesProps): ReactElement | null {
  const { t, language } = useWords();
  return codes.length <= 1 ? null : (
    <NativeSelect
      label={t('labels.one.code')}
      size="md"
      value={place}
      data={codes.map(({ text, type }, index) => ({
        value: String(index),
        label: `${text} (${nameOfType(type, language)})`,
      }))}
      onChange={(event) => onPlace(Number(event.currentTarget.value))}
    />
  );
}

interface LabelDialogProps {
  readonly request: LabelRequest;
  readonly close: () => void;
  readonly collected: readonly CollectedLabels[];
  readonly onCollect: (collected: readonly CollectedLabels[]) => void;
  /** These of what was collected are not printed again with the next product. */
  readonly onPrinted: (collected: readonly CollectedLabels[]) => void;
}

/** The dialog; `close` prints nothing. */
export function LabelDialog({ request, close, collected, onCollect, onPrinted }: LabelDialogProps): ReactElement {
  useReturnedFocus();
  const { card, scanned } = request;
  const { t, language } = useWords();
  const { bridge } = useStores();
  const kept = useTerminal((state) => state.shelfLabel);
  const { sizes, size, setSize, paper, dot } = usePaper(kept.size);
  const { line, setLine, copiesText, setCopiesText, forget } = useTypedLabel(card.productId, String(kept.copies));
  const [withBalance, setWithBalance] = useState(kept.withBalance);
  const [place, setPlace] = useState(0);
  const [firstText, setFirstText] = useState('1');
  const [isDone, setDone] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const nowMs = useNow();

  const codes = drawableCodes(card, scanned);
  const choice = codes[place];
  const drawn = choice === undefined ? null : drawCode(choice);
  const content = contentOf(card, drawn, { line, withBalance, nowMs, language, t });
  const drawing = layOut(content, paper.label, dot);
  const others = countLabels(collected);
  const copies = readFigure(copiesText, { min: 1, max: maxLabelCopies - others });
  const places = placesOnPage(paper);
  const first = places === 1 ? 1 : readFigure(firstText, { min: 1, max: places });
  const wanted = copies === null ? collected : [...collected, { content, copies }];
  const labels = wanted.map((one) => ({ label: layOut(one.content, paper.label, dot), copies: one.copies }));
  const printing = useLabelPrinting(size, first ?? 1, (isLeft) => (isLeft ? onPrinted(collected) : setDone(true)));

  const remember = async (chosen: number): Promise<void> => {
    const saved = await bridge.call('settings:update', { shelfLabel: { size, copies: chosen, withBalance } });
    setFailure(saved.ok ? null : saved.failure);
  };
  const print = (): void => {
    if (copies !== null) {
      printing.print(labels);
      void remember(copies);
    }
  };
  const save = (): void => {
    if (copies !== null && first !== null) {
      saveFile(labelFileName(card), 'application/pdf', [writePdf(labels, paper, first, card.name)]);
      setDone(true);
      void remember(copies);
    }
  };
  const collect = (): void => {
    if (copies !== null) {
      onCollect([...(isDone ? [] : collected), { content, copies }]);
      void remember(copies);
      forget();
      close();
    }
  };
  const leave = (): void => {
    if (isDone) {
      onPrinted(collected);
    }
    forget();
    close();
  };
  const isWrong = copies === null || first === null;

  return (
    <Modal opened onClose={leave} size={940} title={t('labels.one.title')}>
      <div className="dialog label-dialog">
        <div className="label-side stack-3">
          <div className="label-stand" data-size={size}>
            <LabelPreview drawing={drawing} name={t('labels.one.preview', { name: card.name.slice(0, 100) })} />
          </div>
          <Cautions drawn={drawn} isTooFine={drawing.isTooFine} isWhole={isWhollyPrintable(content)} />
          <Collected collected={collected} onCollect={onCollect} />
        </div>
        <div className="label-form stack-4">
          <p className="label-product">{card.name}</p>
          <Paper sizes={sizes} size={size} onSize={setSize} />
          <Codes codes={codes} place={place} onPlace={setPlace} />
          <FreeText text={line} onChange={setLine} />
          <div className="label-pair">
            <CopiesField text={copiesText} copies={copies} max={maxLabelCopies - others} onChange={setCopiesText} />
            <FirstField text={firstText} isWrong={first === null} places={places} onChange={setFirstText} />
            <Switch
              label={t('labels.one.withBalance')}
              checked={withBalance}
              disabled={card.balance.amount === null}
              onChange={(event) => setWithBalance(event.currentTarget.checked)}
            />
          </div>
        </div>
        <FailureNotice failure={failure} />
        {printing.part}
        <div className="form-actions">
          <Button
            size="lg"
            variant="default"
            disabled={copies === null || others + copies >= maxLabelCopies}
            onClick={collect}
          >
            {t('labels.one.add')}
          </Button>
          <Button size="lg" variant="default" disabled={isWrong} onClick={save}>
            {t('labels.one.save')}
          </Button>
          <Button size="lg" disabled={isWrong || printing.isPrinting} onClick={print} data-autofocus>
            {copies === null ? t('labels.one.printNone') : t('labels.one.print', { count: others + copies })}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
