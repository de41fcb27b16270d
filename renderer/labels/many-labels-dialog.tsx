import { Button, Modal, SegmentedControl, Switch } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { LabelSize } from '../../app/contract/labels.ts';
import { maxLabelCopies } from '../../app/contract/limits/labels.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useNow } from '../dom/clock.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { saveFile } from '../dom/save-file.ts';
import type { FileProgress } from '../files/write-list.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useCounted, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { readFigure } from '../ui/figure-field.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';
import { drawableCodes, drawCode } from './barcode-picture.ts';
import { contentOf } from './content.ts';
import { CopiesField, FirstField, FreeText, Paper, usePaper } from './label-fields.tsx';
import { LabelPreview } from './label-drawing.tsx';
import { layOut, type LaidOutLabel } from './layout.ts';
import { writePdf } from './pdf.ts';
import { countedCopies, countLabels } from './print-parts.ts';
import { readProducts, type LabelledProduct, type LabelSource } from './read-products.ts';
import { placesOnPage, type Copies } from './sizes.ts';
import { useLabelPrinting } from './use-label-printing.tsx';

/** More than this is no work for one sitting, nor for a page's memory. */
const maxLabels = 5_000;

interface PreviewsProps {
  readonly products: readonly LabelledProduct[];
  readonly size: LabelSize;
  readonly draw: (card: ProductCard) => LaidOutLabel;
}

/** One of the labels, and the way to the others. */
function Previews({ products, size, draw }: PreviewsProps): ReactElement | null {
  const { t, language } = useWords();
  const [place, setPlace] = useState(0);
  const at = Math.min(place, products.length - 1);
  const card = products[at]?.card;
  if (card === undefined) {
    return null;
  }
  const drawing = draw(card);
  return (
    <div className="label-side stack-3">
      <div className="label-stand" data-size={size}>
        <LabelPreview drawing={drawing} name={t('labels.one.preview', { name: card.name.slice(0, 100) })} />
      </div>
      <div className="label-turn line-3">
        <Button
          variant="default"
          aria-label={t('labels.previous')}
          disabled={at === 0}
          onClick={() => setPlace(at - 1)}
        >
          ‹
        </Button>
        <span role="status">
          {t('ui.work.of', { done: formatNumber(at + 1, language), of: formatNumber(products.length, language) })}
        </span>
        <Button
          variant="default"
          aria-label={t('labels.next')}
          disabled={at >= products.length - 1}
          onClick={() => setPlace(at + 1)}
        >
          ›
        </Button>
      </div>
      {drawing.isTooFine && <p className="notice label-cautions">{t('labels.one.tooFine')}</p>}
    </div>
  );
}

interface ChooseProps {
  readonly products: readonly LabelledProduct[];
  readonly isCount: boolean;
}

/** Lets a person choose the labels' size, how many of each, and the printer. */
function Choose({ products, isCount }: ChooseProps): ReactElement {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const write = useCounted();
  const nowMs = useNow();
  const kept = useTerminal((state) => state.shelfLabel);
  const { sizes, size, setSize, paper, dot } = usePaper(kept.size);
  const [mode, setMode] = useState<'each' | 'counted'>(isCount ? 'counted' : 'each');
  const [line, setLine] = useState('');
  const [copiesText, setCopiesText] = useState('1');
  const [firstText, setFirstText] = useState('1');
  const [withBalance, setWithBalance] = useState(kept.withBalance);
  const [failure, setFailure] = useState<Failure | null>(null);
  const places = placesOnPage(paper);
  const first = places === 1 ? 1 : readFigure(firstText, { min: 1, max: places });
  const copies = readFigure(copiesText, { min: 1, max: maxLabelCopies });
  const printing = useLabelPrinting(size, first ?? 1);
  const copiesOf = (product: LabelledProduct): number =>
    mode === 'counted' ? countedCopies(product.counted, product.card.unit) : (copies ?? 0);
  const total = products.reduce((sum, product) => sum + copiesOf(product), 0);
  const draw = (card: ProductCard): LaidOutLabel => {
    const [choice] = drawableCodes(card, '');
    const content = contentOf(card, choice === undefined ? null : drawCode(choice), {
      line,
      withBalance,
      nowMs,
      language,
      t,
    });
    return layOut(content, paper.label, dot);
  };
  const labels = (): readonly Copies<LaidOutLabel>[] =>
    products.flatMap((product) => {
      const wanted = copiesOf(product);
      return wanted === 0 ? [] : [{ label: draw(product.card), copies: wanted }];
    });
  const remember = async (): Promise<void> => {
    const saved = await bridge.call('settings:update', { shelfLabel: { ...kept, size, withBalance } });
    setFailure(saved.ok ? null : saved.failure);
  };
  const isTooMany = total > maxLabels;
  const isWrong = (mode === 'each' && copies === null) || first === null || total === 0 || isTooMany;
  const save = (): void => {
    saveFile('tillside-labels.pdf', 'application/pdf', [writePdf(labels(), paper, first ?? 1, t('labels.open'))]);
    void remember();
  };
  const print = (): void => {
    const all = labels();
    if (countLabels(all) > 0) {
      printing.print(all);
      void remember();
    }
  };
  return (
    <>
      <Previews products={products} size={size} draw={draw} />
      <div className="label-form stack-4">
        <Paper sizes={sizes} size={size} onSize={setSize} />
        {isCount && (
          <SegmentedControl
            className="choice"
            aria-label={t('labels.one.copies')}
            data={[
              { value: 'counted' as const, label: t('labels.asCounted') },
              { value: 'each' as const, label: t('labels.each') },
            ]}
            value={mode}
            onChange={setMode}
          />
        )}
        <FreeText text={line} onChange={setLine} />
        <div className="label-pair">
          {mode === 'each' && (
            <CopiesField text={copiesText} copies={copies} max={maxLabelCopies} onChange={setCopiesText} />
          )}
          <FirstField text={firstText} isWrong={first === null} places={places} onChange={setFirstText} />
          <Switch
            label={t('labels.one.withBalance')}
            checked={withBalance}
            onChange={(event) => setWithBalance(event.currentTarget.checked)}
          />
        </div>
      </div>
      {isTooMany && (
        <p className="notice" data-kind="warn">
          {t('labels.tooMany', write(maxLabels))}
        </p>
      )}
      <FailureNotice failure={failure} />
      {printing.part}
      <div className="form-actions">
        <Button size="lg" variant="default" disabled={isWrong} onClick={save}>
          {t('labels.one.save')}
        </Button>
        <Button size="lg" disabled={isWrong || printing.isPrinting} onClick={print} data-autofocus>
          {total === 0 ? t('labels.one.printNone') : t('labels.print', write(total))}
        </Button>
      </div>
    </>
  );
}

interface ManyLabelsProps {
  readonly source: LabelSource;
  readonly close: () => void;
}

/** The labels of many products. */
export function ManyLabelsDialog({ source, close }: ManyLabelsProps): ReactElement {
  useReturnedFocus();
  const { t } = useWords();
  const { bridge } = useStores();
  const write = useCounted();
  const [products, setProducts] = useState<readonly LabelledProduct[] | null>(null);
  const [progress, setProgress] = useState<FileProgress>({ done: 0, of: null });
  const [failure, setFailure] = useState<Failure | null>(null);
  // The rows that were chosen when the dialog was opened.
  const [asked] = useState(source);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void readProducts(bridge, asked, { onProgress: setProgress, signal }).then((read) => {
      if (!signal.aborted) {
        setProducts(read.ok ? read.value : null);
        setFailure(read.ok ? null : read.failure);
      }
    });
    return () => controller.abort();
  }, [asked, bridge]);
  return (
    <Modal
      opened
      onClose={close}
      size={940}
      title={products === null ? t('labels.open') : t('labels.of', write(products.length))}
    >
      <div className="dialog label-dialog">
        {products === null && failure === null && (
          <WorkProgress words={t('labels.reading')} done={progress.done} of={progress.of} />
        )}
        <FailureNotice failure={failure} />
        {products !== null && products.length === 0 && <p className="notice">{t('labels.none')}</p>}
        {products !== null && products.length > 0 && <Choose products={products} isCount={source.kind === 'count'} />}
      </div>
    </Modal>
  );
}
