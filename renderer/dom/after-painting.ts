import { later } from './clock.ts';

/** Calls back when what has just been drawn is on the screen; at once where nothing is shown. */
export function afterPainting(action: () => void): void {
  if (document.visibilityState === 'hidden') {
    action();
  } else {
    requestAnimationFrame(() => void later(0, action));
  }
}
