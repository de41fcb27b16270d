import { later } from './clock.ts';

/** A page that is hidden meanwhile has no next frame. */
const maxFrameMs = 100;

/** Calls back once when what has just been drawn is on the screen; at once where nothing is shown. */
export function afterPainting(action: () => void): void {
  if (document.visibilityState === 'hidden') {
    action();
  } else {
    const cancelLate = later(maxFrameMs, () => {
      cancelAnimationFrame(frame);
      action();
    });
    const frame = requestAnimationFrame(() => {
      cancelLate();
      later(0, action);
    });
  }
}
