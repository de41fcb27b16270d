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

/**
 * Calls back once when what has just been drawn is on the screen, however long that takes, unless the answered function
 * is called first; never while nothing is shown.
 */
export function whenPainted(action: () => void): () => void {
  let cancelTask = (): void => undefined;
  // The frame is painted after this call, and before the next task.
  const frame = requestAnimationFrame(() => {
    cancelTask = later(0, action);
  });
  return () => {
    cancelAnimationFrame(frame);
    cancelTask();
  };
}
