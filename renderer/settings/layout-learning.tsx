import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useRef, useState, type ReactElement, type SubmitEvent } from 'react';
import type { ProductHit } from '../../app/contract/products.ts';
import { minLabels, inferLayouts, maxLabels, type KnownLabel } from '../../app/domain/codes/layout-inference.ts';
import {
  readLayouts,
  readScaleLabel,
  scaleLabelDigits,
  type ScaleFigure,
  type ScaleLayout,
} from '../../app/domain/codes/scale-label.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { groupHits } from '../formats/products.ts';
import { formatFigure, readFigure } from '../formats/scale-layouts.ts';

interface LearnedLabel extends KnownLabel {
  readonly name: string;
}

type Problem = 'label' | 'twice' | 'product' | 'figure';

/** Layouts that are shown at a time, products that are offered, and figures that may be confirmed. */
const maxShown = 5;
const kinds: readonly ScaleFigure[] = ['price', 'weight', 'pieces'];

interface ProductChoiceProps {
  readonly product: ProductHit | null;
  readonly choose: (product: ProductHit | null) => void;
  readonly error: string | undefined;
}

function ProductChoice({ product, choose, error }: ProductChoiceProps): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly ProductHit[]>([]);
  const newest = useRef('');
  const search = (typed: string): void => {
    setText(typed);
    newest.current = typed;
    if (typed.trim().length < 2) {
      setFound([]);
      return;
    }
    void bridge.call('lookup:search', { text: typed.slice(0, 200), limit: 20 }).then((answer) => {
      if (newest.current === typed) {
        setFound(
          answer.ok
            ? groupHits(answer.value)
                .slice(0, maxShown)
                .map(({ first }) => first)
            : [],
        );
      }
    });
  };
  if (product !== null) {
    return (
      <p className="layout-line">
        <span>
          <strong>{product.name}</strong> <span className="mono">{product.code ?? product.productId}</span>
        </span>
        <Button variant="default" onClick={() => choose(null)}>
          {t('settings.scales.learn.otherProduct')}
        </Button>
      </p>
    );
  }
  return (
    <div className="stack-3">
      <TextInput
        label={t('settings.scales.learn.product')}
        description={t('settings.scales.learn.productHelp')}
        error={error}
        maxLength={200}
        value={text}
        onChange={(event) => search(event.currentTarget.value)}
      />
      {found.length > 0 && (
        <ul className="layout-products stack-2" aria-label={t('settings.scales.learn.product')}>
          {found.map((hit) => (
            <li key={hit.productId}>
              <Button
                variant="default"
                onClick={() => {
                  search('');
                  choose(hit);
                }}
              >
                {hit.name} · {hit.code ?? hit.productId}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className="hint" role="status">
        {text.trim().length >= 2 && found.length === 0 ? t('settings.scales.learn.noProduct') : ''}
      </p>
    </div>
  );
}

interface LabelFormProps {
  readonly labels: readonly LearnedLabel[];
  /** By which figures are offered for confirmation. */
  readonly layouts: readonly ScaleLayout[];
  readonly figure: ScaleFigure;
  readonly add: (label: LearnedLabel) => void;
}

function LabelForm({ labels, layouts, figure, add }: LabelFormProps): ReactElement {
  const { t, language } = useWords();
  const [text, setText] = useState('');
  const [product, setProduct] = useState<ProductHit | null>(null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const first = useRef<HTMLInputElement>(null);
  // Some scanners put the symbology before it: "]E0" (AIM).
  const digits = scaleLabelDigits(text.trim().replace(/^\][A-Za-z]\d/, ''));
  const readings =
    digits === null
      ? []
      : readScaleLabel(
          digits,
          layouts.filter((layout) => layout.figure === figure),
        ).readings;
  const offered = [...new Map(readings.map((reading) => [reading.amount, reading])).values()].slice(0, maxShown);

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const amount = readFigure(typed);
    if (digits === null || labels.some((label) => label.text === digits)) {
      setProblem(digits === null ? 'label' : 'twice');
      return;
    }
    if (product === null || amount === null) {
      setProblem(product === null ? 'product' : 'figure');
      return;
    }
    add({ text: digits, name: product.name, codes: [product.code ?? product.productId, product.productId], amount });
    setText('');
    setProduct(null);
    setTyped('');
    setProblem(null);
    first.current?.focus();
  };
  const changed = (change: () => void): void => {
    change();
    setProblem(null);
  };
  return (
    <form className="form" noValidate onSubmit={submit}>
      <TextInput
        ref={first}
        label={t('settings.scales.learn.label')}
        description={t('settings.scales.try.help')}
        error={problem === 'label' || problem === 'twice' ? t(`settings.scales.learn.wrong.${problem}`) : undefined}
        inputMode="numeric"
        maxLength={40}
        data-takes-scans
        value={text}
        onChange={(event) => changed(() => setText(event.currentTarget.value))}
      />
      <ProductChoice
        product={product}
        choose={(chosen) => changed(() => setProduct(chosen))}
        error={problem === 'product' ? t('settings.scales.learn.wrong.product') : undefined}
      />
      <TextInput
        label={t(`settings.scales.learn.amount.${figure}`)}
        description={t('settings.scales.learn.amountHelp')}
        error={problem === 'figure' ? t('settings.scales.learn.wrong.figure') : undefined}
        inputMode="decimal"
        maxLength={14}
        value={typed}
        onChange={(event) => changed(() => setTyped(event.currentTarget.value))}
      />
      {offered.length > 0 && (
        <div className="wrap" role="group" aria-label={t('settings.scales.learn.confirm')}>
          {offered.map((reading) => (
            <Button
              key={reading.amount}
              variant="default"
              aria-pressed={readFigure(typed) === reading.amount}
              onClick={() => changed(() => setTyped(String(reading.amount)))}
            >
              {formatFigure(reading.amount, figure, language)}
            </Button>
          ))}
        </div>
      )}
      <div>
        <Button type="submit" variant="default">
          {t('settings.scales.learn.add')}
        </Button>
      </div>
    </form>
  );
}

interface ProposalProps {
  readonly layout: ScaleLayout;
  readonly labels: readonly LearnedLabel[];
  readonly kept: readonly string[];
  readonly take: (layouts: readonly string[]) => void;
}

/** A layout that fits, and what it would read. */
function Proposal({ layout, labels, kept, take }: ProposalProps): ReactElement {
  const { t, language } = useWords();
  const { text, figure, places } = layout;
  return (
    <li className="layout-proposal stack-3">
      <p>
        <strong className="mono">{text}</strong>{' '}
        <span className="hint">{t(`settings.scales.figure.${figure}`, { count: places.split('C').length - 1 })}</span>
      </p>
      <ul className="layout-readings">
        {labels.map((label) => {
          const [reading] = readScaleLabel(label.text, [layout]).readings;
          return (
            <li key={label.text}>
              <span className="mono">{label.text}</span>:{' '}
              {reading !== undefined &&
                t(`settings.scales.says.${figure}`, {
                  item: reading.item,
                  amount: formatFigure(reading.amount, figure, language),
                })}{' '}
              · {label.name}
            </li>
          );
        })}
      </ul>
      {kept.includes(text) && <p className="hint">{t('settings.scales.wrong.twice')}</p>}
      <div className="wrap">
        {!kept.includes(text) && (
          <Button
            aria-label={t('settings.scales.learn.takeOf', { layout: text })}
            onClick={() => take([text, ...kept])}
          >
            {t('settings.scales.learn.take')}
          </Button>
        )}
        {(kept.length > 1 || !kept.includes(text)) && (
          <Button
            variant="default"
            aria-label={t('settings.scales.learn.takeAloneOf', { layout: text })}
            onClick={() => take([text])}
          >
            {t('settings.scales.learn.takeAlone')}
          </Button>
        )}
      </div>
    </li>
  );
}

interface LayoutLearningProps {
  readonly kept: readonly string[];
  /** Keeps these in the place of what is kept now. */
  readonly take: (layouts: readonly string[]) => void;
}

/** The labels so far, the next one, and the layouts that fit. */
export function LayoutLearning({ kept, take }: LayoutLearningProps): ReactElement {
  const { t, language } = useWords();
  const [figure, setFigure] = useState<ScaleFigure>('price');
  const [labels, setLabels] = useState<readonly LearnedLabel[]>([]);
  const fitting = inferLayouts(labels, figure);
  const missing = minLabels - labels.length;
  const fit =
    fitting.length === 0 ? t('settings.scales.learn.none') : t('settings.scales.learn.fit', { count: fitting.length });
  return (
    <div className="stack-3">
      <p className="hint">{t('settings.scales.learn.lead')}</p>
      <SegmentedControl
        className="choice"
        aria-label={t('settings.scales.learn.kind')}
        value={figure}
        data={kinds.map((kind) => ({ value: kind, label: t(`settings.scales.learn.amount.${kind}`) }))}
        onChange={(chosen) => setFigure(chosen)}
      />
      {labels.length > 0 && (
        <ol className="layouts stack-2" aria-label={t('settings.scales.learn.labels')}>
          {labels.map((label) => (
            <li key={label.text} className="line-wrap">
              <span className="layout-text">
                <span className="mono">{label.text}</span>
                <span className="hint">
                  {label.name} · {formatFigure(label.amount, figure, language)}
                </span>
              </span>
              <Button
                variant="default"
                aria-label={t('settings.scales.removeOf', { layout: label.text })}
                onClick={() => setLabels(labels.filter((other) => other !== label))}
              >
                {t('settings.scales.remove')}
              </Button>
            </li>
          ))}
        </ol>
      )}
      <p role="status">{missing > 0 ? t('settings.scales.learn.more', { count: missing }) : fit}</p>
      {fitting.length > 1 && <p className="hint">{t('settings.scales.learn.decide')}</p>}
      {fitting.length > 0 && (
        <ol className="layouts stack-2" aria-label={t('settings.scales.learn.fitting')}>
          {fitting.slice(0, maxShown).map((layout) => (
            <Proposal key={layout.text} layout={layout} labels={labels} kept={kept} take={take} />
          ))}
        </ol>
      )}
      {fitting.length > maxShown && (
        <p className="hint">{t('settings.scales.learn.rest', { count: fitting.length - maxShown })}</p>
      )}
      {labels.length < maxLabels && (
        <LabelForm
          labels={labels}
          layouts={[...fitting, ...readLayouts(kept)]}
          figure={figure}
          add={(label) => setLabels([...labels, label])}
        />
      )}
    </div>
  );
}
