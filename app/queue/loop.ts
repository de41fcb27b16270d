import type { Clock, Timer } from '../ports.ts';

interface Round {
  readonly begin: () => void;
  /** One piece of work. Answers whether there may be more right away. */
  readonly step: () => Promise<boolean>;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** After how long the next round begins by itself; null when it does not. */
  readonly nextAfterMs: () => number | null;
}

/** Makes the loop that runs rounds, one at a time, until it is aborted. */
export function createLoop(clock: Clock, signal: AbortSignal, round: Round) {
  let running: Promise<void> | null = null;
  let wantsAnotherRound = false;
  let timer: Timer | null = null;

  async function run(): Promise<void> {
    do {
      wantsAnotherRound = false;
      round.begin();
      try {
        while (!signal.aborted && (await round.step())) {
          // The next piece of work.
        }
        round.end();
      } catch (error) {
        round.fail(error);
      }
    } while (wantsAnotherRound && !signal.aborted);
  }

  function wake(): void {
    timer?.cancel();
    timer = null;
    if (signal.aborted) {
      return;
    }
    if (running !== null) {
      wantsAnotherRound = true;
      return;
    }
    running = run().finally(() => {
      running = null;
      if (wantsAnotherRound) {
        // Asked for between the loop's last look and now.
        wake();
        return;
      }
      const afterMs = signal.aborted ? null : round.nextAfterMs();
      if (afterMs !== null) {
        // The time may have come since the loop looked, for timers fire a little early: it is looked at once more,
        // never forgotten.
        timer = clock.after(Math.max(1, afterMs), wake);
      }
    });
  }

  return {
    /** Begins a round now, or another one after this one. */
    wake,
    /** Call it when the signal is aborted. What it answers ends with the round under way. */
    stop: (): Promise<void> | null => {
      timer?.cancel();
      return running;
    },
  };
}
