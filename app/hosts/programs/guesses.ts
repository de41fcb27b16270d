// The answers to whoever has no token: late, so that guessing is slow, and only so many at a time, so that guesses do
// not take the connections of those who have it.
import type { Clock, Shell } from '../../ports.ts';
import type { Answer } from './quick-server.ts';

const delayMs = 1000;
const maxAtOnce = 8;
const noteEveryMs = 60_000;

/** Answers the refusal, late; null where so many guess at once that this one is hung up on. */
export function createGuesses(clock: Clock, log: Shell['log']): (refusal: Answer) => Promise<Answer | null> {
  let waiting = 0;
  let unreported = 0;
  let notedAtMs = -Infinity;
  return async (refusal) => {
    unreported += 1;
    if (clock.uptimeMs() - notedAtMs >= noteEveryMs) {
      log('warning', 'programs: wrong token, or none', { times: unreported });
      unreported = 0;
      notedAtMs = clock.uptimeMs();
    }
    if (waiting >= maxAtOnce) {
      return null;
    }
    waiting += 1;
    await new Promise<void>((done) => {
      clock.after(delayMs, done);
    });
    waiting -= 1;
    return refusal;
  };
}
