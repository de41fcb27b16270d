import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { LabelSize } from '../../app/contract/labels.ts';
import { labelSizes } from '../../app/contract/limits/labels.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { LabelPrinter } from '../../app/domain/labels/printer.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { labelPapers } from './sizes.ts';
import { commandPrinterOf, dotOf } from './use-label-printing.tsx';

const maxLineLength = 60;

/** The papers that this printer has: one that takes commands has a roll. */
export function sizesFor(printer: LabelPrinter): readonly LabelSize[] {
  return commandPrinterOf(printer) === null ? labelSizes : labelSizes.filter((size) => size !== 'a4');
}

/** The chosen paper, which the printer of the settings must have. */
export function usePaper(kept: LabelSize) {
  const printer = useTerminal((state) => state.labelPrinter);
  const sizes = sizesFor(printer);
  const [chosen, setSize] = useState(kept);
  const size = sizes.includes(chosen) ? chosen : '50x30';
  return { sizes, size, setSize, paper: labelPapers[size], dot: dotOf(printer) };
}

/**
 * The fields typed for a product's labels, so that a page that crashed comes back with them. `forget` them when the
 * dialog is closed: a price may be another one then.
 */
export function useTypedLabel(productId: Id, firstCopies: string) {
  const { drafts } = useStores();
  const names = [`label.line.${productId}`, `label.copies.${productId}`] as const;
  const [line, setLine] = useDraft(names[0], '');
  const [copiesText, setCopiesText] = useDraft(names[1], firstCopies);
  return { line, setLine, copiesText, setCopiesText, forget: () => drafts.getState().drop(names) };
}

interface CopiesProps {
  readonly text: string;
  readonly copies: number | null;
  readonly max: number;
  readonly onChange: (text: string) => void;
}

/** How many of each label. */
export function CopiesField({ text, copies, max, onChange }: CopiesProps): ReactElement {
  const { t } = useWords();
  return (
    <div className="label-copies">
      <Button
        variant="default"
        aria-label={t('labels.one.fewer')}
        disabled={copies === null || copies <= 1}
        onClick={() => onChange(String((copies ?? 1) - 1))}
      >
        {'\u2212'}
      </Button>
      <TextInput
        label={t('labels.one.copies')}
        size="md"
        inputMode="numeric"
        value={text}
        error={copies === null ? t('labels.one.copiesWrong', { max }) : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        variant="default"
        aria-label={t('labels.one.more')}
        disabled={copies === null || copies >= max}
        onClick={() => onChange(String((copies ?? 0) + 1))}
      >
        +
      </Button>
    </div>
  );
}

interface PaperProps {
  readonly sizes: readonly LabelSize[];
  readonly size: LabelSize;
  readonly onSize: (size: LabelSize) => void;
}

/** The choice of a paper. */
export function Paper({ sizes, size, onSize }: PaperProps): ReactElement {
  const { t } = useWords();
  return (
    <div className="setting stack-2">
      <p>{t('labels.one.size')}</p>
      <SegmentedControl
        className="choice"
        aria-label={t('labels.one.size')}
        fullWidth
        data={sizes.map((value) => ({ value, label: value === 'a4' ? t('labels.one.a4') : value.replace('x', ' × ') }))}
        value={size}
        onChange={onSize}
      />
    </div>
  );
}

interface FirstProps {
  readonly text: string;
  readonly isWrong: boolean;
  readonly places: number;
  readonly onChange: (text: string) => void;
}

/** Where on a sheet the first label goes. */
export function FirstField({ text, isWrong, places, onChange }: FirstProps): ReactElement | null {
  const { t } = useWords();
  return places === 1 ? null : (
    <TextInput
      className="label-first"
      label={t('labels.one.first')}
      description={t('labels.one.firstHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      size="md"
      inputMode="numeric"
      value={text}
      error={isWrong ? t('labels.one.copiesWrong', { max: places }) : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface FreeTextProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Lets a person type a text for these labels. */
export function FreeText({ text, onChange }: FreeTextProps): ReactElement {
  const { t } = useWords();
  return (
    <TextInput
      label={t('labels.one.line')}
      description={t('labels.one.lineHelp')}
      size="md"
      maxLength={maxLineLength}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
