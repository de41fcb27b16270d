import { useEffect, useLayoutEffect, useRef } from 'react';
import { later } from './clock.ts';
import { isDialogOpen } from './dialogs.ts';
import { isTextField } from './fields.ts';

/** So many lines of a list can be chosen by a digit. */
export const numberedLines = 9;

/**
 * Whether a digit would choose a line just now: a list asks (`data-asks`), no dialog stands over it, and nobody types.
 * The field of the lookup lends its digits (`data-lends-digits`) as long as nothing has been typed into it since.
 */
export function choosesByNumber(focused: Element | null): boolean {
  return (
    document.querySelector('[data-asks]') !== null &&
    !isDialogOpen() &&
    (!isTextField(focused) || focused.dataset['lendsDigits'] !== undefined)
  );
}

/** Hears the digits of a list that asks, and answers which of its `count` lines is meant, from 0 on; null: it asks nothing. */
export function useNumberChoice(count: number, choose: ((place: number) => void) | null): void {
  const latest = useRef(choose);
  useLayoutEffect(() => {
    latest.current = choose;
  });
  const isAsking = choose !== null;
  useEffect(() => {
    if (!isAsking) {
      return undefined;
    }
    let meant: number | null = null;
    let together = 0;
    let cancel = (): void => undefined;
    const settle = (): void => {
      cancel();
      if (together === 1 && meant !== null) {
        latest.current?.(meant);
      }
      meant = null;
      together = 0;
    };
    const press = (event: KeyboardEvent): void => {
      const { key, isTrusted, defaultPrevented, repeat, ctrlKey, altKey, metaKey } = event;
      if (isTrusted) {
        settle();
        return;
      }
      // One that is not held may be a scan's yet, and those that were held together are a part of one (held-keys.ts).
      together += 1;
      cancel();
      cancel = later(0, settle);
      const isFree = !defaultPrevented && !repeat && !ctrlKey && !altKey && !metaKey;
      const place = /^[1-9]$/.test(key) ? Number(key) - 1 : count;
      if (isFree && place < count && choosesByNumber(document.activeElement)) {
        event.preventDefault();
        meant = place;
      }
    };
    // Before a field is led to, which would type the digit.
    window.addEventListener('keydown', press, { capture: true });
    return () => {
      cancel();
      window.removeEventListener('keydown', press, { capture: true });
    };
  }, [count, isAsking]);
}
