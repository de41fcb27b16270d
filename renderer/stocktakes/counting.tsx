import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import { lineStates } from '../../app/contract/limits/stocktakes.ts';
import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useNow } from '../dom/clock.ts';
import { useTypedInto } from '../dom/focus.ts';
import { stepInList } from '../dom/row-steps.ts';
import { SaveList } from '../files/save-list.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment } from '../formats/times.ts';
import { useStockName, useStocktakes, useStores, useWords } from '../stores/context.tsx';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { useKeySubject } from '../stores/use-key-subject.ts';
import { useShortcut } from '../stores/use-shortcut.ts';
import { lazyDialog } from '../ui/lazy-part.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { CountIcon, ScanIcon } from '../ui/icons.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { CountSignal } from './count-signal.tsx';
import { LineRow } from './line-row.tsx';
import { allLines } from './line-words.ts';
import { PrintLines } from './print-lines.tsx';
import { useQuantityDialog } from './quantity-dialog.tsx';
import { stocktakeFile } from './stocktake-file.ts';
import { isChoice, isUnasked } from './stocktakes-store.ts';
import { stepThroughHits, OutcomePart } from './outcome-part.tsx';

const ManyLabelsDialog = lazyDialog(async () => (await import('../labels/many-labels-dialog.tsx')).ManyLabelsDialog);

const rowHeight = 45;

/** As long as it is there, every scan counts. */
function useScansCount(isOpen: boolean): void {
  const { scans, stocktakes } = useStores();
  useEffect(
    () =>
      isOpen
        ? scans.getState().divert({
            take: (text) => {
              const { scan, tellPieces } = stocktakes.store.getState();
              if (text === null) {
                tellPieces();
              } else {
                void scan(text, 'scan');
              }
            },
            withdraw: (text) => void stocktakes.store.getState().withdraw(text),
          })
        : undefined,
    [isOpen, scans, stocktakes],
  );
}

/** For what no scanner reads. */
function CodeField(): ReactElement {
  const { t } = useWords();
  const scan = useStocktakes((store) => store.scan);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useShortcut('search', () => field.current?.select());
  useTypedInto(field);
  const outcome = useStocktakes((store) => store.outcome);
  const giveUp = useStocktakes((store) => store.giveUp);
  const isAsked = isChoice(outcome);
  const empty = (): void => {
    setText('');
    if (isAsked) {
      giveUp();
    }
  };
  // Scans count on this screen alone: Escape leaves it when there is nothing typed to give up.
  useShortcut('home', text !== '' || isAsked ? empty : null);
  // At first, and when what was chosen from has gone.
  useEffect(() => {
    if (document.activeElement === document.body) {
      field.current?.focus({ preventScroll: true });
    }
  }, [outcome]);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (text.trim() !== '') {
      void scan(text.trim(), 'typed');
      setText('');
    }
  };
  return (
    <form className="count-field" noValidate onSubmit={submit}>
      <TextInput
        ref={field}
        className="search-field"
        size="md"
        aria-label={t('stocktakes.field')}
        aria-keyshortcuts={ariaKeysOf('search')}
        placeholder={t('stocktakes.field')}
        leftSection={<ScanIcon size={20} />}
        maxLength={4096}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={stepThroughHits}
      />
      <Button type="submit" variant="default">
        {t('stocktakes.countIt')}
      </Button>
    </form>
  );
}

/** Lost scans that are named; of more their number is told. */
const maxShown = 1000;

/** Scans that could not be kept, or of which nobody knows, stay here until somebody has read them. */
function Lost(): ReactElement | null {
  const { t } = useWords();
  const { lost, unsure, failure, forgetLost } = useStocktakes((store) => store);
  const listed = (codes: readonly string[]): string =>
    codes.slice(0, maxShown).join(', ') + (codes.length > maxShown ? ` … (${codes.length})` : '');
  return (
    <>
      <FailureNotice failure={failure} />
      {lost.length + unsure.length > 0 && (
        <div className="notice lost-scans" data-kind="bad" role="alert">
          {lost.length > 0 && <p>{t('stocktakes.lost', { codes: listed(lost) })}</p>}
          {unsure.length > 0 && <p>{t('stocktakes.unsure', { codes: listed(unsure) })}</p>}
          <Button variant="default" onClick={forgetLost}>
            {t('stocktakes.lostRead')}
          </Button>
        </div>
      )}
    </>
  );
}

function StateChoice({ stocktake }: { readonly stocktake: Stocktake }): ReactElement | null {
  const { t, language } = useWords();
  const { lines: list } = useStores().stocktakes;
  const { filter, choose } = useStore(list);
  const shown = filter.state ?? 'all';
  const countOf = (value: typeof shown): number => (value === 'all' ? allLines(stocktake) : stocktake.lines[value]);
  const states = (['all', ...lineStates] as const).filter((value) => value === shown || countOf(value) > 0);
  return states.length < 2 ? null : (
    <SegmentedControl
      className="choice"
      aria-label={t('ui.list.filter')}
      data={states.map((value) => ({
        value,
        label: (
          <>
            <span>{t(`stocktakes.state.${value}`)}</span>{' '}
            <span className="filter-count">{formatNumber(countOf(value), language)}</span>
          </>
        ),
      }))}
      value={shown}
      onChange={(value) => choose({ ...filter, state: value === 'all' ? null : value })}
    />
  );
}

interface CountingProps {
  readonly stocktake: Stocktake;
  /** Back to all counts. */
  readonly leave: () => void;
}

/** One count: what was counted last, and all its lines. */
export function Counting({ stocktake, leave }: CountingProps): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const { bridge, stocktakes } = useStores();
  const allKept = useStocktakes((store) => store.allKept);
  const undoLast = useStocktakes((store) => store.undo);
  const giveUp = useStocktakes((store) => store.giveUp);
  const setClosed = useStocktakes((store) => store.setClosed);
  const outcome = useStocktakes((store) => store.outcome);
  const undo = isChoice(outcome) ? giveUp : () => void undoLast();
  const shownState = useStore(stocktakes.lines, (lines) => lines.filter.state);
  const [fileFailure, setFileFailure] = useState<Failure | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const { edit, dialog, isCovered } = useQuantityDialog();
  const nameOf = useStockName();
  const { closedAt } = stocktake;
  const isOpen = closedAt === null;
  useScansCount(isOpen);
  const line: StocktakeLine | null = outcome !== null && 'line' in outcome ? outcome.line : null;
  const editLast = isOpen && line !== null ? () => edit(line) : null;
  const answered = useStocktakes((store) => store.answered);
  const kind = isUnasked(outcome) ? 'unasked' : 'one';
  useKeySubject('stocktakes', { turn: answered, what: String(outcome?.number), kind });
  useShortcut('quantity', editLast);
  const isUndoable = outcome !== null || allLines(stocktake) > 0;
  useShortcut('undo', isOpen && isUndoable ? undo : null);
  const facts = [
    nameOf(stocktake.stockId, stocktake.stockName),
    t('stocktakes.startedAt', { moment: formatMoment(stocktake.startedAt, now, language) }),
    stocktake.startedBy,
  ].filter((fact) => fact !== null);
  const press = (event: KeyboardEvent<HTMLDivElement>): void => stepInList(event, 'button');
  return (
    <div className="listing stocktake">
      <header className="listing-head">
        <div>
          <h1>{stocktake.name}</h1>
          <p className="lead">{facts.join(' · ')}</p>
        </div>
        <div className="listing-side">
          <SaveList
            name={`count ${stocktake.name}`}
            list={() => stocktakeFile(bridge, stocktake, allKept, t)}
            isEmpty={allLines(stocktake) === 0}
            onFailure={setFileFailure}
          />
          <Button variant="default" disabled={allLines(stocktake) === 0} onClick={() => setPrinting(true)}>
            {t('labels.open')}
          </Button>
          <PrintLines stocktake={stocktake} onFailure={setFileFailure} />
          <Button variant="default" onClick={() => void setClosed(stocktake.id, isOpen)}>
            {t(isOpen ? 'stocktakes.close' : 'stocktakes.reopen')}
          </Button>
          <Button variant="default" onClick={leave}>
            {t('stocktakes.all')}
          </Button>
        </div>
      </header>
      <FailureNotice failure={fileFailure} />
      <Lost />
      <div className="count-line line-3">
        {isOpen && <CodeField />}
        <StateChoice stocktake={stocktake} />
      </div>
      {isOpen ? (
        <>
          <OutcomePart outcome={outcome} edit={editLast} undo={isUndoable ? undo : null} />
          <CountSignal />
        </>
      ) : (
        <p className="notice" data-kind="calm">
          {t('stocktakes.isClosed', { moment: formatMoment(closedAt, now, language) })}
        </p>
      )}
      <VirtualList
        list={stocktakes.lines}
        name={t('stocktakes.lineList')}
        rowHeight={rowHeight}
        isCovered={isCovered}
        keyOf={({ id }) => id}
        empty={
          <div className="empty">
            <CountIcon size={44} />
            <h2>{t(shownState === null ? 'stocktakes.noLines.title' : 'stocktakes.noneSo.title')}</h2>
            <p>{t(shownState === null ? 'stocktakes.noLines.text' : 'stocktakes.noneSo.text')}</p>
          </div>
        }
        draw={(one) => <LineRow line={one} edit={isOpen ? edit : null} />}
        onKeyDown={press}
      />
      {dialog}
      {isPrinting && <ManyLabelsDialog source={{ kind: 'count', stocktake }} close={() => setPrinting(false)} />}
    </div>
  );
}
