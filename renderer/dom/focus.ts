import { useEffect, useInsertionEffect, useRef, type KeyboardEvent as ReactKeyboardEvent, type RefObject } from 'react';
import { isDialogOpen } from './dialogs.ts';
import { isTextField } from './fields.ts';

/** Whether nothing on the page has the focus. */
export function isLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body;
}

/** Puts a lost focus onto the first heading in there. */
export function focusHeading(place: HTMLElement | null): void {
  const heading = place?.querySelector<HTMLElement>('h1, h2');
  if (isLost() && heading !== null && heading !== undefined) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

/**
 * From a screen's search field into its list, as the list's own arrow would: to the row that it is at, or the first in
 * sight.
 */
export function enterList(field: Element): void {
  const list = field.closest('.listing')?.querySelector<HTMLElement>('[role="grid"], .list');
  list?.focus({ preventScroll: true });
  if (list?.hasAttribute('aria-activedescendant') === false) {
    list.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
  }
}

/** One place on or back by the arrow keys; 0 by any other key. */
export function arrowStep(key: string): -1 | 0 | 1 {
  if (key === 'ArrowDown') {
    return 1;
  }
  return key === 'ArrowUp' ? -1 : 0;
}

/** By arrow key from one of the page's elements that fit `each` to the next, and past both ends to `field`. */
export function walkByArrows(event: ReactKeyboardEvent<HTMLElement>, each: string, field: string): void {
  const step = arrowStep(event.key);
  if (step !== 0) {
    event.preventDefault();
    const all = [...document.querySelectorAll<HTMLElement>(each)];
    (all[all.indexOf(event.currentTarget) + step] ?? document.querySelector<HTMLElement>(field))?.focus();
  }
}

/** From the first row of a screen's list back into its search field. */
export function leaveList(list: Element): void {
  list.closest('.listing')?.querySelector<HTMLElement>('.search-field input')?.focus();
}

/**
 * For what holds a screen: its heading takes a focus that was lost when `screen` came. What is in it may take it first.
 */
export function useFocusedHeading<Box extends HTMLElement>(screen: unknown): RefObject<Box | null> {
  const box = useRef<Box>(null);
  useEffect(() => focusHeading(box.current), [screen]);
  return box;
}

/** For what tells an answer, with a tabIndex of -1: it takes a focus that was lost while the answer was awaited. */
export function useFocusedAnswer(answer: unknown): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer !== null && isLost()) {
      box.current?.focus({ preventScroll: true });
    }
  }, [answer]);
  return box;
}

/** For a dialog whose parts go before it has closed: a focus that was lost goes back to where it was before. */
export function useReturnedFocus(isOpen = true): void {
  const before = useRef<Element | null>(null);
  // Before a part of the dialog takes the focus in an effect of its own.
  useInsertionEffect(() => {
    before.current = isOpen ? document.activeElement : before.current;
  }, [isOpen]);
  useEffect(
    () =>
      isOpen
        ? () => {
            if (isLost() && before.current instanceof HTMLElement) {
              before.current.focus({ preventScroll: true });
            }
          }
        : undefined,
    [isOpen],
  );
}

/** Every character that is typed outside of another field, of a menu and of a dialog, goes into this one. */
export function useTypedInto(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const typeHere = (event: KeyboardEvent): void => {
      const isCharacter =
        event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.altKey && !event.metaKey;
      if (
        isCharacter &&
        !isTextField(document.activeElement) &&
        !document.activeElement?.closest('select, [role="menu"]') &&
        !isDialogOpen()
      ) {
        field.current?.focus({ preventScroll: true });
      }
    };
    window.addEventListener('keydown', typeHere);
    return () => window.removeEventListener('keydown', typeHere);
  }, [field]);
}
