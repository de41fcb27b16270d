import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Watches the box: another `filter` begins at its top, and `leave` hears in the end where it was. The list itself
 * begins at its kept offset.
 */
export function useScrollTop(box: RefObject<HTMLElement | null>, filter: unknown, leave: (top: number) => void): void {
  const shown = useRef(filter);
  const top = useRef(0);
  useLayoutEffect(() => {
    if (shown.current !== filter && box.current !== null) {
      shown.current = filter;
      box.current.scrollTo({ top: 0 });
    }
  }, [box, filter]);
  useEffect(() => {
    const { current } = box;
    const note = (): void => {
      top.current = current?.scrollTop ?? 0;
    };
    note();
    current?.addEventListener('scroll', note, { passive: true });
    return () => current?.removeEventListener('scroll', note);
  }, [box]);
  useEffect(() => () => leave(top.current), [leave]);
}
