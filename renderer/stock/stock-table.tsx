import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { useStore } from 'zustand';
import type { StockRow as Row } from '../../app/contract/browse.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import { useStock, useStockIds, useStockName, useTerminal, useWords } from '../stores/context.tsx';
import { leaveList } from '../dom/focus.ts';
import { rowByKey } from '../dom/row-keys.ts';
import { formatMoment, isOldFigure } from '../formats/times.ts';
import { formatQuantity } from '../formats/units.ts';
import { useNewDay, useNow } from '../dom/clock.ts';
import { keyOfRow, useStockChoice } from './stock-choice.ts';
import { StockHead } from './stock-head.tsx';
import { rowAt } from './stock-store.ts';
import {
  canvasHeightOf,
  follow,
  isCramped,
  placeAt,
  reveal,
  rowsInSight,
  topPlace,
  type ScrollPlace,
  type TallList,
} from '../dom/tall-scroll.ts';
import { useAgeWords } from '../ui/quantity.tsx';
import { StockRow } from './stock-row.tsx';
import { maxTableFields, useTableFields } from './table-fields.ts';
import { useRowChoice } from './use-row-choice.ts';

/** As the style sheet has it for text of the normal size, until the head is measured. */
const defaultRowHeight = 44;
const spareRows = 10;

interface StockTableProps {
  readonly empty: ReactNode;
  readonly onOpen: (hit: ProductHit) => void;
}

/** The scroll box with the place of its rows, which changes as the box is scrolled. */
function useTallScroll(rows: number) {
  const box = useRef<HTMLDivElement>(null);
  const [viewHeight, setViewHeight] = useState(0);
  const [place, setPlace] = useState<ScrollPlace>(topPlace);
  // A row is as tall as the head, which grows with its text.
  const [rowHeight, setRowHeight] = useState(defaultRowHeight);
  const list = useMemo<TallList>(() => ({ rows, rowHeight, viewHeight }), [rows, rowHeight, viewHeight]);
  // The box's events, which may come before the next drawing, are judged by these.
  const now = useRef({ list, place });
  useLayoutEffect(() => {
    now.current.list = list;
  }, [list]);

  const move = useCallback((next: ScrollPlace) => {
    now.current.place = next;
    setPlace((before) => (before.scrollTop === next.scrollTop && before.shift === next.shift ? before : next));
    if (box.current !== null && box.current.scrollTop !== next.scrollTop) {
      box.current.scrollTop = next.scrollTop;
    }
  }, []);
  const goTo = useCallback((top: number) => move(placeAt(now.current.list, top)), [move]);
  const show = useCallback((row: number) => move(reveal(now.current.list, now.current.place, row)), [move]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) {
      return undefined;
    }
    const head = element.querySelector<HTMLElement>('.stock-head-row');
    const measure = (): void => {
      const height = head?.offsetHeight ?? defaultRowHeight;
      setRowHeight(height);
      setViewHeight(Math.max(0, element.clientHeight - height));
    };
    const scrolled = (): void => {
      const next = follow(now.current.list, now.current.place, element.scrollTop);
      move(isCramped(now.current.list, next) ? placeAt(now.current.list, next.scrollTop + next.shift) : next);
    };
    const rested = (): void => goTo(now.current.place.scrollTop + now.current.place.shift);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (head !== null) {
      observer.observe(head);
    }
    measure();
    element.addEventListener('scroll', scrolled, { passive: true });
    element.addEventListener('scrollend', rested);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
      element.removeEventListener('scrollend', rested);
    };
  }, [goTo, move]);

  return {
    box,
    list,
    place,
    goTo,
    show,
    topNow: useCallback(() => now.current.place.scrollTop + now.current.place.shift, []),
  };
}

interface RowsProps {
  readonly gridId: string;
  readonly first: number;
  readonly end: number;
  readonly shift: number;
  readonly rowHeight: number;
  readonly isChoosable: boolean;
  readonly columns: readonly string[];
  readonly onOpen: (index: number) => void;
  readonly onChoose: (index: number, isRange: boolean) => void;
}

/** The rows from `first` to before `end`. */
function Rows({
  gridId,
  first,
  end,
  shift,
  rowHeight,
  isChoosable,
  columns,
  onOpen,
  onChoose,
}: RowsProps): readonly ReactElement[] {
  const { t, language } = useWords();
  const stockChoice = useStockChoice();
  const chosen = useStore(stockChoice, (choice) => choice.chosen);
  const list = useStock((stock) => stock.query.list);
  const pages = useStock((stock) => stock.pages);
  const active = useStock((stock) => stock.active);
  const hasSeveral = useStockIds().length > 1;
  const nameOf = useStockName();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const ageWords = useAgeWords();
  const now = useNow();
  const ageOf = ({ balance }: ProductHit): string =>
    balance.asOf === null ? t('stock.unknown') : ageWords(balance, true);
  const placeOf = ({ stockId, stockName }: ProductHit): string =>
    nameOf(stockId, stockName ?? stocks.find((stock) => stock.stockId === stockId)?.name ?? null);
  const isBelow = ({ minimum, balance: { amount } }: Row): boolean =>
    minimum !== null && amount !== null && amount < minimum;
  const watchOf = (row: Row): string => {
    const { minimum, turnedAt, unit } = row;
    if (turnedAt !== null && (list === 'ranOut' || list === 'cameBack')) {
      return t('watchList.turned', { moment: formatMoment(turnedAt, now, language) });
    }
    return minimum === null
      ? ''
      : t(isBelow(row) ? 'watchList.belowOf' : 'watchList.of', { minimum: formatQuantity(minimum, unit, language) });
  };
  return Array.from({ length: Math.max(0, end - first) }, (_unused, step) => {
    const index = first + step;
    const hit = rowAt(pages, index);
    const isHere = hit !== undefined && hit !== null;
    const asOf = hit?.balance.asOf ?? null;
    const place = isHere ? placeOf(hit) : '';
    return (
      <StockRow
        key={index}
        id={`${gridId}-${index}`}
        index={index}
        top={index * rowHeight - shift}
        hit={hit}
        watch={isHere ? watchOf(hit) : ''}
        isBelow={isHere && isBelow(hit)}
        age={isHere ? ageOf(hit) : ''}
        columns={columns}
        isOld={isOldFigure(asOf, now)}
        place={hasSeveral ? place : null}
        isActive={index === active}
        isChosen={isChoosable ? isHere && chosen.has(keyOfRow(hit)) : null}
        onOpen={onOpen}
        onChoose={onChoose}
      />
    );
  });
}

/** The table, or what stands in its place when nothing fits. */
export function StockTable({ empty, onOpen }: StockTableProps): ReactElement {
  const { t } = useWords();
  const gridId = useId();
  const { query, total, count, pages, isStale, active, top, see, moveTo, leave, readAgain } = useStock(
    (stock) => stock,
  );
  useNewDay(readAgain);
  const hasSeveral = useStockIds().length > 1;
  const shown = useTableFields();
  const columns = useMemo(() => shown.slice(0, maxTableFields), [shown]);
  const { box, list, place, goTo, show, topNow } = useTallScroll(count);
  const choice = useRowChoice(box);
  const { first, end } = rowsInSight(list, place, spareRows);
  const isEmpty = total === 0 && !isStale;

  // A table that is opened again is where it was left.
  const awaited = useRef(-1);
  const isBack = useRef(top > 0 || active >= 0);
  useLayoutEffect(() => {
    if (isBack.current && count > 0 && list.viewHeight > 0) {
      isBack.current = false;
      goTo(top);
      box.current?.focus({ preventScroll: true });
    }
  }, [box, count, goTo, list.viewHeight, top]);
  // Another query begins at its first row.
  const shownQuery = useRef(query);
  useLayoutEffect(() => {
    if (shownQuery.current !== query) {
      shownQuery.current = query;
      goTo(0);
    }
  }, [goTo, query]);
  useEffect(() => see(first, Math.max(first, end - 1)), [see, first, end, query]);
  useEffect(() => () => leave(topNow()), [leave, topNow]);

  const open = useCallback(
    (index: number) => {
      const hit = rowAt(pages, index);
      moveTo(index);
      awaited.current = hit === undefined ? index : -1;
      if (hit !== undefined && hit !== null) {
        onOpen(hit);
      }
    },
    [moveTo, onOpen, pages],
  );
  // Whoever was quicker than the row has it opened when it comes, unless they have moved on.
  useEffect(() => {
    if (awaited.current === active && active >= 0 && rowAt(pages, active) !== undefined) {
      open(active);
    }
  }, [active, open, pages]);

  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget || event.altKey || count === 0) {
      return;
    }
    if (choice.press(event)) {
      event.preventDefault();
      return;
    }
    if (event.metaKey) {
      return;
    }
    const row = rowByKey(event.key, active, { ...list, scrollTop: place.scrollTop + place.shift });
    if (event.key === 'ArrowUp' && active === 0) {
      event.preventDefault();
      leaveList(event.currentTarget);
    } else if (row !== undefined) {
      event.preventDefault();
      moveTo(row);
      show(row);
      choice.follow(row, event.shiftKey);
    } else if ((event.key === 'Enter' || event.key === ' ') && active >= 0) {
      event.preventDefault();
      open(active);
    }
  };

  return (
    <div
      ref={box}
      className="stock-table"
      data-several={hasSeveral}
      data-fields={columns.length}
      data-choosable={choice.isChoosable}
      role="grid"
      tabIndex={0}
      aria-label={t('stock.table')}
      aria-rowcount={total === null ? -1 : total + 1}
      aria-colcount={4 + columns.length + (hasSeveral ? 1 : 0) + (choice.isChoosable ? 1 : 0)}
      aria-multiselectable={choice.isChoosable}
      aria-describedby={choice.isChoosable ? `${gridId}-keys` : undefined}
      aria-busy={isStale}
      aria-activedescendant={active >= first && active < end ? `${gridId}-${active}` : undefined}
      onKeyDown={press}
    >
      <StockHead keysId={choice.isChoosable ? `${gridId}-keys` : null} />
      {isEmpty ? (
        <div role="rowgroup">
          <div role="row" aria-rowindex={2} className="stock-empty">
            <div role="gridcell">{empty}</div>
          </div>
        </div>
      ) : (
        <div role="rowgroup" className="stock-rows" data-stale={isStale} style={{ height: canvasHeightOf(list) }}>
          <Rows
            gridId={gridId}
            first={first}
            end={end}
            shift={place.shift}
            rowHeight={list.rowHeight}
            isChoosable={choice.isChoosable}
            columns={columns}
            onOpen={open}
            onChoose={choice.choose}
          />
        </div>
      )}
    </div>
  );
}
