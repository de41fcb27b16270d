import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { InvokeInput } from '../../app/contract/contract.ts';
import type { LabelSize } from '../../app/contract/labels.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { dotsPerMm } from '../../app/domain/labels/dots.ts';
import type { LabelDrawing } from '../../app/domain/labels/drawing.ts';
import type { CommandPrinter, LabelPrinter } from '../../app/domain/labels/printer.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useLateStore, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { whoseOf } from '../stores/stores.ts';
import type { TerminalStore } from '../stores/terminal.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { readFigure } from '../ui/figure-field.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';
import { PrintedLabels } from './label-drawing.tsx';
import { createLeftPrinting, type Left } from './left-printing.ts';
import { countLabels, partsFrom } from './print-parts.ts';
import type { Copies } from './sizes.ts';
import { withPictures } from './text-picture.ts';

type Labels = readonly Copies<LabelDrawing>[];
type Part = InvokeInput<'label:print'>['labels'];

/** Where printing was broken off. */
interface Break {
  readonly labels: Labels;
  /** So many are certain; the rest up to `unsure` may have come out. */
  readonly done: number;
  readonly unsure: number;
}

/** The printer of the settings where it takes commands; else null. */
export function commandPrinterOf(printer: LabelPrinter): CommandPrinter | null {
  return printer.kind === 'network' || printer.kind === 'serial' ? printer : null;
}

/** A dot of the chosen printer in millimetres, for its layout; undefined where the system prints. */
export function dotOf(printer: LabelPrinter): number | undefined {
  const commands = commandPrinterOf(printer);
  return commands === null ? undefined : 1 / dotsPerMm(commands.dpi);
}

interface BrokenProps {
  readonly broken: Break;
  readonly goOn: (from: number) => void;
}

/** Shows how many labels came out, and from where to go on. */
function Broken({ broken, goOn }: BrokenProps): ReactElement {
  const { t, language } = useWords();
  const { labels, done, unsure } = broken;
  const of = countLabels(labels);
  const [text, setText] = useState(String(done + 1));
  const from = readFigure(text, { min: 1, max: of });
  const write = (figure: number): string => formatNumber(figure, language);
  return (
    <div className="notice label-broken" data-kind="warn" role="status">
      <p>
        <strong>{t('labels.broken', { done: write(done), of: write(of) })}</strong>{' '}
        {unsure > done && t('labels.unsure', { from: write(done + 1), to: write(unsure) })}
      </p>
      <div className="label-pair">
        <TextInput
          label={t('labels.goOnFrom')}
          size="md"
          inputMode="numeric"
          value={text}
          error={from === null ? t('labels.one.copiesWrong', { max: of }) : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button disabled={from === null} onClick={() => from !== null && goOn(from)}>
          {t('labels.goOn')}
        </Button>
      </div>
    </div>
  );
}

const whoseShown = ({ state }: TerminalStore): string | null => (state === null ? null : whoseOf(state));

export interface LabelPrinting {
  readonly isPrinting: boolean;
  readonly print: (labels: Labels) => void;
  /** Progress, what was broken off, and what only paper shows. */
  readonly part: ReactElement;
}

/**
 * Printing as the settings say; `first` is the place of the first label on its sheet. `onPrinted` is called when the
 * printer has taken all of them, or the system's dialog has been closed; it is told whether whoever printed has left.
 */
export function useLabelPrinting(size: LabelSize, first: number, onPrinted?: (isLeft: boolean) => void): LabelPrinting {
  const { t } = useWords();
  const { bridge, terminal } = useStores();
  const printer = useTerminal((state) => state.labelPrinter);
  const [work, setWork] = useState<{ readonly done: number; readonly of: number } | null>(null);
  const [broken, setBroken] = useState<Break | null>(null);
  const [paper, setPaper] = useState<Labels | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const noteLeft = useLateStore(createLeftPrinting).getState().note;
  const isStopped = useRef(false);
  const isLeft = useRef(false);
  const unfinished = useRef<Left | null>(null);
  const stop = (): void => {
    isStopped.current = true;
    void bridge.call('label:stop', {});
  };
  // Whoever leaves the dialog leaves the printing.
  useEffect(() => {
    const whose = whoseShown(terminal.getState());
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      isStopped.current = true;
      // Whoever closes the dialog has read what it says; whoever comes to a till that has locked itself has not.
      if (unfinished.current !== null && whoseShown(terminal.getState()) !== whose) {
        noteLeft(unfinished.current);
      }
    };
  }, [terminal, noteLeft]);

  const handOver = async (labels: Labels, from: number, commands: CommandPrinter): Promise<void> => {
    const of = countLabels(labels);
    let done = from - 1;
    isStopped.current = false;
    setBroken(null);
    setFailure(null);
    noteLeft(null);
    unfinished.current = null;
    setWork({ done, of });
    for (const part of partsFrom(labels, from)) {
      const drawn = part.map(({ label, copies }) => ({ drawing: withPictures(label, commands), copies })) as Part;
      const printed = await bridge.call('label:print', { labels: drawn });
      if (!printed.ok || isStopped.current) {
        const isCutOff = !printed.ok && ['cancelled', 'effectUnknown'].includes(printed.failure.kind);
        const isUnsure = isCutOff || (!printed.ok && printed.failure.kind === 'printerFailed');
        done += printed.ok ? countLabels(part) : 0;
        const unsure = isUnsure ? done + countLabels(part) : done;
        if (done < of) {
          setBroken({ labels, done, unsure });
          unfinished.current = { done, of, unsure };
          if (isLeft.current) {
            noteLeft(unfinished.current);
          }
        }
        setFailure(printed.ok || isCutOff ? null : printed.failure);
        break;
      }
      done += countLabels(part);
      setWork({ done, of });
    }
    setWork(null);
    if (done === of) {
      onPrinted?.(isLeft.current);
    }
  };
  const print = (labels: Labels): void => {
    const commands = commandPrinterOf(printer);
    if (commands === null) {
      setFailure(null);
      setPaper(labels);
    } else {
      void handOver(labels, 1, commands);
    }
  };
  const commands = commandPrinterOf(printer);
  return {
    isPrinting: work !== null || paper !== null,
    print,
    part: (
      <>
        {work !== null && <WorkProgress words={t('labels.printing')} done={work.done} of={work.of} stop={stop} />}
        <FailureNotice failure={failure} />
        {broken !== null && commands !== null && work === null && (
          <Broken key={broken.done} broken={broken} goOn={(from) => void handOver(broken.labels, from, commands)} />
        )}
        {paper !== null && (
          <PrintedLabels
            labels={paper}
            size={size}
            first={first}
            isForLabelPrinter
            onDone={(unprinted) => {
              setFailure(unprinted);
              setPaper(null);
              if (unprinted === null) {
                onPrinted?.(isLeft.current);
              }
            }}
          />
        )}
      </>
    ),
  };
}
