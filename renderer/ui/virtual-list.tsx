import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import { useWords } from '../stores/context.tsx';
import { useKeptFocus } from '../dom/kept-focus.ts';
import { useScrollTop } from '../dom/scroll-top.ts';
import type { PagedList } from '../stores/paged-list.ts';
import { FailureNotice } from './failure-text.tsx';
import { Working } from './working.tsx';

interface VirtualListProps<Row, Filter> {
  readonly list: StoreApi<PagedList<Row, Filter>>;
  readonly name: string;
  /** About how tall a row is, in CSS pixels; each is measured when it is drawn. */
  readonly rowHeight: number;
  readonly empty: ReactNode;
  /** True while a dialog that was opened from a row covers the list. */
  readonly isCovered?: boolean;
  readonly keyOf: (row: Row, place: number) => string | number;
  readonly draw: (row: Row, place: number) => ReactNode;
  /** Keys pressed anywhere in the list. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
}

/** The list, or what stands in its place: nothing yet, nothing at all, or why it could not be read. */
export function VirtualList<Row, Filter>({
  list,
  name,
  rowHeight,
  empty,
  isCovered = false,
  keyOf,
  draw,
  onKeyDown,
}: VirtualListProps<Row, Filter>): ReactElement {
  const { t } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const { filter, total, rows, failure, top, see, leave } = useStore(list);
  const virtualizer = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    // A list that is opened again is where it was left.
    initialOffset: top,
    getItemKey: (index) => {
      const row = rows.get(index);
      return row === undefined ? `place-${index}` : keyOf(row, index);
    },
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  // The total and the filter are among the reasons: the same places hold other rows then.
  useEffect(() => see(first, last), [see, first, last, total, filter]);
  useScrollTop(box, filter, leave);
  useKeptFocus(box, rows, isCovered);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the rows' own controls
    <div className="list" ref={box} tabIndex={0} role="region" aria-label={name} onKeyDown={onKeyDown}>
      <FailureNotice failure={failure} />
      {total === null && failure === null && <Working words={t('ui.list.reading')} />}
      {total === 0 && empty}
      {total !== null && total > 0 && (
        <ul className="list-rows" style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const row = rows.get(item.index);
            return (
              <li
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className="list-row"
                style={{ transform: `translateY(${item.start}px)` }}
                aria-setsize={total}
                aria-posinset={item.index + 1}
              >
                {row === undefined ? <div style={{ height: rowHeight }} /> : draw(row, item.index)}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
