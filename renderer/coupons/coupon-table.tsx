import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useId, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useStores, useWords } from '../stores/context.tsx';
import { leaveList } from '../dom/focus.ts';
import { useKeptFocus } from '../dom/kept-focus.ts';
import { rowByKey } from '../dom/row-keys.ts';
import { fitsFilter } from '../formats/coupons.ts';
import { useScrollTop } from '../dom/scroll-top.ts';
import { CouponRow } from './coupon-row.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { Working } from '../ui/working.tsx';

/** About how tall a row is, in CSS pixels; each is measured when it is drawn. */
const rowHeight = 45;

/**
 * Where the keys begin: the row that the list is at, or the one whose switch was touched; null for what has keys of its
 * own.
 */
function placeOf({ target, currentTarget }: KeyboardEvent<HTMLDivElement>, active: number): number | null {
  if (target === currentTarget) {
    return active;
  }
  const row = target instanceof HTMLInputElement ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? null : Number(row.dataset['index']);
}

/** Handles the grid's keys. */
function useGridKeys(choose: (place: number, isRange: boolean) => void, scrollTo: (place: number) => void) {
  const { coupons } = useStores();
  const { total, rows } = useStore(coupons.list);
  const { active, extendTo, chooseAll, clear, moveTo } = useStore(coupons.choice);
  const move = useStore(coupons.store, (store) => store.move);
  const act = (event: KeyboardEvent<HTMLDivElement>): boolean => {
    const row = rows.get(active);
    switch (event.key) {
      case ' ':
        if (active >= 0) {
          choose(active, event.shiftKey);
        }
        return true;
      case 'Enter':
        if (row !== undefined) {
          void move(row.productId, row.coupon.isEnabled !== true);
        }
        return row !== undefined;
      case 'Escape':
        clear();
        return true;
      default:
        return false;
    }
  };

  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = placeOf(event, active);
    if (at === null || event.altKey || total === null || total === 0) {
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === 'a') {
        event.preventDefault();
        void chooseAll();
      }
      return;
    }
    const { clientHeight: viewHeight, scrollTop } = event.currentTarget;
    const place = rowByKey(event.key, at, { rows: total, rowHeight, viewHeight, scrollTop });
    if (place === undefined) {
      // Whatever else is pressed on a switch is the switch's own.
      if (event.target === event.currentTarget && act(event)) {
        event.preventDefault();
      }
      return;
    }
    event.preventDefault();
    if (event.key === 'ArrowUp' && at === 0 && !event.shiftKey) {
      leaveList(event.currentTarget);
      return;
    }
    event.currentTarget.focus({ preventScroll: true });
    scrollTo(place);
    if (event.shiftKey) {
      void extendTo(place);
    } else {
      moveTo(place);
    }
  };
  return press;
}

/** The grid, or what stands in its place: nothing yet, nothing at all, or why it could not be read. */
export function CouponTable({ empty }: { readonly empty: ReactNode }): ReactElement {
  const { t } = useWords();
  const gridId = useId();
  const box = useRef<HTMLDivElement>(null);
  const { coupons } = useStores();
  const { filter, total, rows, failure, top, see } = useStore(coupons.list);
  const { chosen, active, toggle, extendTo } = useStore(coupons.choice);
  const count = total ?? 0;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    // A list that is opened again is where it was left.
    initialOffset: top,
    getItemKey: (index) => rows.get(index)?.productId ?? `place-${index}`,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  // The total and the filter are among the reasons: the same places hold other rows then.
  useEffect(() => see(first, last), [see, first, last, total, filter]);
  useScrollTop(box, filter, coupons.leave);
  useKeptFocus(box, items, false);

  const choose = useCallback(
    (place: number, isRange: boolean) => {
      box.current?.focus({ preventScroll: true });
      if (isRange) {
        void extendTo(place);
      } else {
        toggle(place);
      }
    },
    [extendTo, toggle],
  );

  const press = useGridKeys(choose, (place) => virtualizer.scrollToIndex(place));

  return (
    <>
      <p id={`${gridId}-keys`} className="visually-hidden">
        {t('coupons.keys')}
      </p>
      <div
        ref={box}
        className="list coupon-table"
        role="grid"
        tabIndex={0}
        aria-label={t('shell.screen.coupons')}
        aria-describedby={`${gridId}-keys`}
        aria-multiselectable="true"
        aria-rowcount={total ?? -1}
        aria-colcount={3}
        aria-activedescendant={active >= first && active <= last && active < count ? `${gridId}-${active}` : undefined}
        onKeyDown={press}
      >
        <FailureNotice failure={failure} />
        {total === null && failure === null && <Working words={t('ui.list.reading')} />}
        {total === 0 && (
          <div role="row">
            <div role="gridcell">{empty}</div>
          </div>
        )}
        {count > 0 && (
          <div role="rowgroup" className="list-rows" style={{ height: virtualizer.getTotalSize() }}>
            {items.map((item) => {
              const row = rows.get(item.index);
              const isChosen = row !== undefined && chosen.has(row.productId);
              return (
                <div
                  key={item.key}
                  id={`${gridId}-${item.index}`}
                  ref={virtualizer.measureElement}
                  role="row"
                  aria-rowindex={item.index + 1}
                  aria-selected={isChosen}
                  data-index={item.index}
                  data-active={item.index === active}
                  data-fits={row === undefined || fitsFilter(filter.filter, row.coupon)}
                  className="list-row coupon-row stack-2"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  {row === undefined ? (
                    <div role="gridcell" aria-label={t('ui.list.reading')} style={{ height: rowHeight }} />
                  ) : (
                    <CouponRow
                      row={row}
                      place={item.index}
                      isChosen={isChosen}
                      doesFit={fitsFilter(filter.filter, row.coupon)}
                      onChoose={choose}
                    />
                  )}
                </div>
              );
            })}
          </div>
        )}
      </div>
    </>
  );
}
