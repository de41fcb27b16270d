import { later } from '../dom/clock.ts';

/** Whoever types has seen by then that the dialog is gone. */
const restMs = 1_000;

/**
 * Keeps digits out of all fields until none has been typed for a while: they belong to a PIN whose dialog went by
 * itself. What a scanner types is read from its keys all the same.
 */
export function dropLateDigits(): void {
  const end = (): void => document.removeEventListener('beforeinput', drop, true);
  let cancel = later(restMs, end);
  function drop(event: InputEvent): void {
    if (/^\d+$/.test(event.data ?? '')) {
      event.preventDefault();
      cancel();
      cancel = later(restMs, end);
    }
  }
  document.addEventListener('beforeinput', drop, true);
}
