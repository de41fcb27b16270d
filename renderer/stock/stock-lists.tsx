import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { isClear } from '../stores/row-selection.ts';
import { useCounted, useIsSignedIn, useStock, useTerminal, useWords } from '../stores/context.tsx';
import { PrintIcon, UploadIcon } from '../ui/icons.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { placesOf, useStockChoice } from './stock-choice.ts';
import { StockChoiceBar } from './stock-choice-bar.tsx';
import { lazyDialog } from '../ui/lazy-part.tsx';
import { isOfCopy, stockViews, type StockView } from './stock-views.ts';
import type { MinimaSet } from '../watch-list/set-minima.ts';

const ImportDialog = lazyDialog(async () => (await import('../watch-list/import-dialog.tsx')).ImportDialog);
const ManyLabelsDialog = lazyDialog(async () => (await import('../labels/many-labels-dialog.tsx')).ManyLabelsDialog);
const OrderDialog = lazyDialog(async () => (await import('../watch-list/order-dialog.tsx')).OrderDialog);

/** The view's subject, where that is not plain, and what it leaves out. */
function useNote(): string | null {
  const { t } = useWords();
  const write = useCounted();
  const shown = useStock((stock) => stock.shown);
  const watchList = useTerminal((state) => state.watchList);
  if (shown === 'ranOut' || shown === 'cameBack') {
    return t('watchList.sinceYesterday');
  }
  if (shown === 'changedToday') {
    return t('stock.changedToday.since');
  }
  if (shown === 'below' && watchList !== null && watchList.unknown > 0) {
    return t('watchList.unknown', write(watchList.unknown));
  }
  return (shown === 'watched' || shown === 'below') && watchList !== null && watchList.absent > 0
    ? t('watchList.absent', write(watchList.absent))
    : null;
}

/** The way to a file of minimums. */
function ImportButton(): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const [isOpen, setOpen] = useState(false);
  const [outcome, setOutcome] = useState<MinimaSet | null>(null);
  const sign = useIsLocked('settings') ? <LockSign kind="settings" /> : <UploadIcon size={20} />;
  return (
    <>
      <span role="status" className="listing-count">
        {outcome !== null && t('watchList.import.done', write(outcome.kept))}
        {outcome !== null && outcome.leftOut > 0 && ` ${t('watchList.leftOut', write(outcome.leftOut))}`}
      </span>
      <Button variant="default" leftSection={sign} onClick={() => setOpen(true)}>
        {t('watchList.import.open')}
      </Button>
      {isOpen && (
        <ImportDialog
          close={() => setOpen(false)}
          onDone={(done) => {
            setOutcome(done);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

/** The way to the labels of all that is listed: they are chosen, so that it is seen which they are. */
function LabelsButton(): ReactElement {
  const { t } = useWords();
  const stockChoice = useStockChoice();
  const hasRows = useStock((stock) => stock.count > 0);
  const [places, setPlaces] = useState<ReturnType<typeof placesOf> | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && places === null) {
      button.current?.focus({ preventScroll: true });
    }
    wasOpen.current = places !== null;
  }, [places]);
  const choose = async (): Promise<void> => {
    await stockChoice.getState().chooseAll();
    const { chosen, isAll, isTooMany, failure } = stockChoice.getState();
    if (isAll && !isTooMany && failure === null) {
      setPlaces(placesOf(chosen));
    }
  };
  return (
    <>
      <Button
        ref={button}
        variant="default"
        leftSection={<PrintIcon size={20} />}
        disabled={!hasRows}
        onClick={() => void choose()}
      >
        {t('stock.changedToday.labels')}
      </Button>
      {places !== null && <ManyLabelsDialog source={{ kind: 'products', places }} close={() => setPlaces(null)} />}
    </>
  );
}

/** The way to an order of what is missing. */
function OrderButton(): ReactElement {
  const { t } = useWords();
  const query = useStock((stock) => stock.query);
  const hasRows = useStock((stock) => stock.count > 0);
  // What nobody knows the figure of is to be counted first, as the proposal says.
  const hasUnknown = useTerminal(({ watchList }) => watchList !== null && watchList.unknown > 0);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" disabled={!hasRows && !(hasUnknown && query.term === '')} onClick={() => setOpen(true)}>
        {t('watchList.order.title')}
      </Button>
      {isOpen && <OrderDialog query={query} close={() => setOpen(false)} />}
    </>
  );
}

/** What can be done with all that is shown. */
export function StockViewAction(): ReactElement | null {
  const isSignedIn = useIsSignedIn();
  const shown = useStock((stock) => stock.shown);
  const hasMinima = useTerminal((state) => (state.watchList?.watched ?? 0) > 0);
  if (shown === 'below' && hasMinima) {
    return <OrderButton />;
  }
  if (!isSignedIn) {
    return null;
  }
  if (shown === 'watched' || shown === 'below') {
    return <ImportButton />;
  }
  return shown === 'changedToday' ? <LabelsButton /> : null;
}

/** What is to be known of all that is shown. */
export function StockNote(): ReactElement | null {
  const note = useNote();
  return note === null ? null : <p className="hint">{note}</p>;
}

/** The one list of views. */
function ViewChoice(): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const shown = useStock((stock) => stock.shown);
  const show = useStock((stock) => stock.show);
  const watchList = useTerminal((state) => state.watchList);
  const labelOf = (view: StockView): string => {
    const name = view === 'expiring' ? t('expiring.tab') : t(`stock.view.${view}`);
    const count = watchList !== null && (view === 'below' || view === 'watched') ? watchList[view] : 0;
    return count === 0 ? name : t('stock.view.counted', { name, formatted: write(count).formatted });
  };
  return (
    <NativeSelect
      className="stock-view"
      size="md"
      aria-label={t('stock.view.name')}
      data={stockViews.map((value) => ({ value, label: labelOf(value) }))}
      value={shown}
      onChange={(event) => show(stockViews.find((view) => view === event.currentTarget.value) ?? 'all')}
    />
  );
}

/** Which view is shown, with its filters; while rows are chosen, what can be done with them stands there. */
export function StockLists({ children }: { readonly children: ReactNode }): ReactElement {
  const stockChoice = useStockChoice();
  const isTable = useStock((stock) => isOfCopy(stock.shown));
  const hasChosen = !useStore(stockChoice, isClear);
  // A button that goes with the last one chosen hands the keyboard to the rows.
  const hadChosen = useRef(hasChosen);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (hadChosen.current && !hasChosen && document.activeElement === document.body) {
      place.current?.closest('.listing')?.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    }
    hadChosen.current = hasChosen;
  }, [hasChosen]);
  return (
    <div ref={place} className="stock-lists line-3">
      {hasChosen && isTable ? (
        <StockChoiceBar />
      ) : (
        <>
          <ViewChoice />
          {children}
        </>
      )}
    </div>
  );
}
