import { useEffect, useRef, type RefObject } from 'react';

// Of all that a row offers the one that decides nothing, so that Enter pressed twice does no harm.
const harmless = 'summary';

/**
 * Puts a focus that was lost back into the row at the same place, or, when there is none, onto the list itself. `rows`
 * are those that are drawn; nothing is done while a dialog covers the list.
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>, rows: unknown, isCovered: boolean): void {
  const place = useRef<string | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target.closest('[role="dialog"]') !== null) {
        return;
      }
      place.current =
        box.current?.contains(target) === true
          ? (target.closest('[data-index]')?.getAttribute('data-index') ?? null)
          : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [box]);
  useEffect(() => {
    if (isCovered || place.current === null || document.activeElement !== document.body) {
      return;
    }
    const row = box.current?.querySelector(`[data-index="${place.current}"]`);
    const next = row?.querySelector<HTMLElement>(harmless) ?? box.current;
    next?.focus({ preventScroll: true });
  }, [box, isCovered, rows]);
}
