import type { Clock } from '../ports.ts';

function rest(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(waitMs, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Lets everything else that waits have its turn first. Answers whether to go on: false once the signal has aborted. */
export async function pause(clock: Clock, signal: AbortSignal): Promise<boolean> {
  await rest(clock, 0, signal);
  // Also where it aborted between the timer and this.
  return !signal.aborted;
}

/** Waits, or until the signal aborts. */
export async function wait(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  if (waitMs > 0) {
    await rest(clock, waitMs, signal);
  }
}
