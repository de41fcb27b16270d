import { randomInt, randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import type { Clock, Random, Timer } from '../../ports.ts';

/** The longest delay that setTimeout understands; a longer one would fire at once. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * How far the machine's own uptime may lead the reckoning before it is believed: beyond its resolution (1 s on macOS).
 */
const sleptAtLeastMs = 1500;

/** Calls back once after the delay in milliseconds, however long; never keeps the process alive. */
function startTimer(delayMs: number, callback: () => void): Timer {
  let remainingMs = Math.max(0, delayMs);
  let timeout: NodeJS.Timeout;
  const wait = (): void => {
    const nextMs = Math.min(remainingMs, maxDelayMs);
    remainingMs -= nextMs;
    timeout = setTimeout(() => {
      if (remainingMs > 0) {
        wait();
      } else {
        callback();
      }
    }, nextMs);
    timeout.unref();
  };
  wait();
  return {
    cancel: () => {
      clearTimeout(timeout);
    },
  };
}

/** The machine's clock. */
export function createNodeClock(): Clock {
  // The machine's uptime is coarse, the process's counter fine but still while the machine sleeps: the counter is
  // anchored to the uptime, and anchored anew when the uptime has run ahead of it.
  let anchorMs = uptime() * 1000 - performance.now();
  return {
    now: () => Date.now(),
    uptimeMs: () => {
      const counterMs = performance.now();
      const machineMs = uptime() * 1000;
      if (machineMs - (anchorMs + counterMs) > sleptAtLeastMs) {
        anchorMs = machineMs - counterMs;
      }
      return anchorMs + counterMs;
    },
    after: startTimer,
  };
}

const zoneHoldsMs = 60_000;

/**
 * The machine's offset from UTC at a moment, in minutes; west is negative. V8 keeps the time zone that it has found once,
 * and finds it anew when TZ is written: so it is, at most once a minute, for a zone may be corrected while this runs.
 */
export function createOffsetMinutes({ uptimeMs }: Pick<Clock, 'uptimeMs'>): (at: number) => number {
  let foundAtMs = uptimeMs();
  return (at) => {
    if (uptimeMs() - foundAtMs >= zoneHoldsMs) {
      foundAtMs = uptimeMs();
      const { TZ: named } = process.env;
      if (named === undefined) {
        delete process.env['TZ'];
      } else {
        process.env['TZ'] = named;
      }
    }
    // 0 - keeps a zero positive.
    return 0 - new Date(at).getTimezoneOffset();
  };
}

/** The machine's source of chance. */
export function createNodeRandom(): Random {
  const steps = 2 ** 47;
  return { uuid: () => randomUUID(), fraction: () => randomInt(steps) / steps };
}
