import type { Clock } from '../ports.ts';

/** Lets everything else that waits have its turn first. Answers whether to go on: false once the signal has aborted. */
export function pause(clock: Clock, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const rest = clock.after(0, finish);
    signal.addEventListener('abort', finish, { once: true });

    function finish(): void {
      rest.cancel();
      signal.removeEventListener('abort', finish);
      resolve(!signal.aborted);
    }
    if (signal.aborted) {
      finish();
    }
  });
}

/** Waits, or until the signal aborts. */
export function wait(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  if (waitMs <= 0 || signal.aborted) {
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
