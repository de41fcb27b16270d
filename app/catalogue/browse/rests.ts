import type { Clock } from '../../ports.ts';
import { pause } from '../../storage/pause.ts';

/** After so much work everybody else has a turn, on a slow machine after fewer stretches. */
const maxSliceMs = 4;

/** Answers a function that rests once a slice of work is over, or at once when told, and says whether to go on. */
export function createRests(clock: Clock, signal: AbortSignal): (isDue: boolean) => Promise<boolean> {
  let since = clock.uptimeMs();
  return async (isDue) => {
    if (!isDue && clock.uptimeMs() - since < maxSliceMs) {
      return !signal.aborted;
    }
    const goesOn = await pause(clock, signal);
    since = clock.uptimeMs();
    return goesOn;
  };
}
