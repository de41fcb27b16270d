import type { Clock, Timer } from '../ports.ts';

/** Acts at the earliest of the times that are planned, one action after another. */
export function createTiming(clock: Pick<Clock, 'uptimeMs' | 'after'>, act: () => Promise<void>) {
  let planned: { readonly atMs: number; readonly timer: Timer } | null = null;
  let isEnded = false;
  let acting: Promise<void> = Promise.resolve();
  return {
    plan: (afterMs: number): void => {
      const atMs = clock.uptimeMs() + afterMs;
      if (isEnded || (planned !== null && planned.atMs <= atMs)) {
        return;
      }
      planned?.timer.cancel();
      const timer = clock.after(afterMs, () => {
        planned = null;
        acting = acting.then(act);
      });
      planned = { atMs, timer };
    },
    end: (): void => {
      isEnded = true;
      planned?.timer.cancel();
    },
  };
}
