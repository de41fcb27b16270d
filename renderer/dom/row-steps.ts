import type { KeyboardEvent } from 'react';
import { arrowStep, leaveList } from './focus.ts';

/**
 * The arrow keys lead from one control of a list to the next, from the list itself to the first in sight, and from the
 * first back into the screen's search field.
 */
export function stepInList(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const { target, currentTarget: list, key, altKey } = event;
  const step = arrowStep(key);
  const isAtOne = target instanceof HTMLElement && target.matches(selector);
  if (altKey || step === 0 || (target !== list && !isAtOne)) {
    return;
  }
  const controls = [...list.querySelectorAll<HTMLElement>(selector)].toSorted(
    (left, right) => left.getBoundingClientRect().top - right.getBoundingClientRect().top,
  );
  const next = isAtOne
    ? controls[controls.indexOf(target) + step]
    : controls.find((one) => one.getBoundingClientRect().top >= list.getBoundingClientRect().top);
  if (next !== undefined) {
    event.preventDefault();
    next.focus();
  } else if (step === -1 && isAtOne && list.scrollTop === 0) {
    event.preventDefault();
    leaveList(list);
  }
}
