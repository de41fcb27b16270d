// Owns the keyboard's place in a list whose rows change under it: what had the focus may go with its row, and the browser then leaves it
// nowhere. Never takes the focus from where a person has put it.
import { useCallback, useEffect, useRef, type FocusEvent, type RefObject } from 'react';

// Of all that a row offers the one that decides nothing, so that Enter pressed twice does no harm.
const harmless = 'summary';

/**
 * Puts a focus that was lost back into the row at the same place, or, when there is none, onto the list itself. `rows` are those that are
 * drawn; nothing is done while a dialog covers the list. Answers what the list is to hear of every focus inside.
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>, rows: unknown, isCovered: boolean): (event: FocusEvent) => void {
  const place = useRef<string | null>(null);
  useEffect(() => {
    const forget = (event: globalThis.FocusEvent): void => {
      const to = event.target;
      if (to instanceof Element && box.current?.contains(to) !== true && to.closest('[role="dialog"]') === null) {
        place.current = null;
      }
    };
    document.addEventListener('focusin', forget);
    return () => document.removeEventListener('focusin', forget);
  }, [box]);
  useEffect(() => {
    if (isCovered || place.current === null || document.activeElement !== document.body) {
      return;
    }
    const row = box.current?.querySelector(`[data-index="${place.current}"]`);
    const next = row?.querySelector<HTMLElement>(harmless) ?? box.current;
    next?.focus({ preventScroll: true });
  }, [box, isCovered, rows]);
  return useCallback((event) => {
    place.current = event.target.closest('[data-index]')?.getAttribute('data-index') ?? null;
  }, []);
}
