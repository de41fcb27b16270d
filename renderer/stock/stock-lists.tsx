import { Button, SegmentedControl } from '@mantine/core';
import { Suspense, useEffect, useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { stockLists } from '../../app/contract/limits/browse.ts';
import type { StockList } from '../../app/contract/browse.ts';
import { useCounted, useIsSignedIn, useStock, useTerminal, useWords } from '../stores/context.tsx';
import { PrintIcon, UploadIcon } from '../ui/icons.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { placesOf, useStockChoice } from './stock-choice.ts';
import { StockChoiceBar } from './stock-choice-bar.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import type { MinimaSet } from '../watch-list/set-minima.ts';

const ImportDialog = lazyPart(async () => (await import('../watch-list/import-dialog.tsx')).ImportDialog);
const ManyLabelsDialog = lazyPart(async () => (await import('../labels/many-labels-dialog.tsx')).ManyLabelsDialog);
const OrderDialog = lazyPart(async () => (await import('../watch-list/order-dialog.tsx')).OrderDialog);

/** The list's subject, where that is not plain, and what it leaves out. */
function StockListNote(): ReactElement | null {
  const { t } = useWords();
  const write = useCounted();
  const list = useStock((stock) => stock.query.list);
  const watchList = useTerminal((state) => state.watchList);
  const note = (): string | null => {
    if (list === 'ranOut' || list === 'cameBack') {
      return t('watchList.sinceYesterday');
    }
    if (list === 'changedToday') {
      return t('stock.changedToday.since');
    }
    if (list === 'below' && watchList !== null && watchList.unknown > 0) {
      return t('watchList.unknown', write(watchList.unknown));
    }
    return list === 'watched' && watchList !== null && watchList.absent > 0
      ? t('watchList.absent', write(watchList.absent))
      : null;
  };
  const words = note();
  return words === null ? null : <p className="hint">{words}</p>;
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
        <Suspense fallback={null}>
          <ImportDialog
            close={() => setOpen(false)}
            onDone={(done) => {
              setOutcome(done);
              setOpen(false);
            }}
          />
        </Suspense>
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
      {places !== null && (
        <Suspense fallback={null}>
          <ManyLabelsDialog source={{ kind: 'products', places }} close={() => setPlaces(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Actions of the list that is shown. */
function StockListActions(): ReactElement | null {
  const { t } = useWords();
  const isSignedIn = useIsSignedIn();
  const query = useStock((stock) => stock.query);
  const [isOpen, setOpen] = useState(false);
  if (query.list === 'watched') {
    return isSignedIn ? <ImportButton /> : null;
  }
  if (query.list === 'changedToday') {
    return isSignedIn ? <LabelsButton /> : null;
  }
  if (query.list !== 'below') {
    return null;
  }
  return (
    <>
      <Button variant="default" leftSection={<PrintIcon size={20} />} onClick={() => setOpen(true)}>
        {t('watchList.order.title')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <OrderDialog query={query} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface StockListsProps {
  /** Whether the expiring batches are listed instead of the copy. */
  readonly isExpiring: boolean;
  readonly setExpiring: (isExpiring: boolean) => void;
}

/** Which of the copy is listed; while rows are chosen, what can be done with them stands there. */
export function StockLists({ isExpiring, setExpiring }: StockListsProps): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const stockChoice = useStockChoice();
  const list = useStock((stock) => stock.query.list);
  const choose = useStock((stock) => stock.choose);
  const watchList = useTerminal((state) => state.watchList);
  const hasChosen = useStore(
    stockChoice,
    ({ chosen, isTooMany, failure }) => chosen.size > 0 || isTooMany || failure !== null,
  );
  // A button that goes with the last one chosen hands the keyboard to the rows.
  const hadChosen = useRef(hasChosen);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (hadChosen.current && !hasChosen && document.activeElement === document.body) {
      place.current?.closest('.listing')?.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    }
    hadChosen.current = hasChosen;
  }, [hasChosen]);
  const counts: Partial<Record<StockList, number>> =
    watchList === null ? {} : { below: watchList.below, watched: watchList.watched };
  const labelOf = (one: StockList): string => {
    if (one === 'changedToday') {
      return t('stock.changedToday.list');
    }
    const count = counts[one] ?? 0;
    return count === 0 ? t(`watchList.list.${one}`) : t(`watchList.counted.${one}`, write(count));
  };
  return (
    <div ref={place} className="stock-lists">
      {hasChosen && !isExpiring ? (
        <StockChoiceBar />
      ) : (
        <SegmentedControl
          className="choice"
          aria-label={t('watchList.lists')}
          data={[
            ...stockLists.map((value) => ({ value, label: labelOf(value) })),
            { value: 'expiring' as const, label: t('expiring.tab') },
          ]}
          value={isExpiring ? 'expiring' : list}
          onChange={(next) => {
            setExpiring(next === 'expiring');
            if (next !== 'expiring') {
              choose({ list: next });
            }
          }}
        />
      )}
      {!isExpiring && <StockListActions />}
      {!isExpiring && <StockListNote />}
    </div>
  );
}
