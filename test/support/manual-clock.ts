import type { Clock } from '../../app/ports.ts';

interface Alarm {
  readonly atMs: number;
  readonly callback: () => void;
}

export interface ManualClock extends Clock {
  /** Moves both clocks and calls what is due, in order, letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** The machine sleeps: time passes, and nothing is called. */
  sleep(ms: number): void;
  /** Someone sets the wall clock. */
  jumpWall(ms: number): void;
  /** When the next alarm is due, or null when none is set. */
  nextAlarmMs(): number | null;
}

/** Lets every promise that can settle do so. */
export function settlePromises(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Makes a clock; after a reboot, or for another process, make another one with the uptime that it would have. */
export function createManualClock(start: { readonly now?: number; readonly uptimeMs?: number } = {}): ManualClock {
  let bridge = start.now ?? Date.UTC(2025, 5, 1);
  let uptime = start.uptimeMs ?? 1_000_000;
  const alarms = new Set<Alarm>();

  function next(): Alarm | undefined {
    return [...alarms].sort((left, right) => left.atMs - right.atMs)[0];
  }

  function move(toMs: number): void {
    bridge += toMs - uptime;
    uptime = toMs;
  }

  return {
    // Whole, like the machine's, however finely alarms are set.
    now: () => Math.floor(bridge),
    uptimeMs: () => uptime,
    after: (delayMs, callback) => {
      const alarm = { atMs: uptime + Math.max(0, delayMs), callback };
      alarms.add(alarm);
      return {
        cancel: () => {
          alarms.delete(alarm);
        },
      };
    },
    advance: async (ms) => {
      const endMs = uptime + ms;
      await settlePromises();
      for (let alarm = next(); alarm !== undefined && alarm.atMs <= endMs; alarm = next()) {
        alarms.delete(alarm);
        move(Math.max(uptime, alarm.atMs));
        alarm.callback();
        await settlePromises();
      }
      move(endMs);
    },
    sleep: (ms) => {
      move(uptime + ms);
    },
    jumpWall: (ms) => {
      bridge += ms;
    },
    nextAlarmMs: () => next()?.atMs ?? null,
  };
}
