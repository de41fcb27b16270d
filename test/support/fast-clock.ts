import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import type { Clock } from '../../app/ports.ts';

/** The machine's clock at so many times its pace: what a test must wait for comes sooner, in the same order. */
export function createFastClock(times: number): Clock {
  const clock = createNodeClock();
  const [wallMs, upMs] = [clock.now(), clock.uptimeMs()];
  return {
    now: () => Math.round(wallMs + (clock.now() - wallMs) * times),
    uptimeMs: () => upMs + (clock.uptimeMs() - upMs) * times,
    after: (delayMs, callback) => clock.after(delayMs / times, callback),
  };
}
