import type { UpdateAttempt } from '../contract/history.ts';

/**
 * Answers that say nothing of an earlier attempt: turned back at the gate, or a stumble perhaps after the change was
 * made.
 */
const gates: readonly (number | null)[] = [401, 429];
const stumbles: readonly (number | null)[] = [407, 408, 409, 425];

type Attempt = Pick<UpdateAttempt, 'outcome' | 'status' | 'failure'>;

/**
 * Whether it may have taken effect: an attempt had no answer, or one that is no refusal, and no refusal has followed,
 * which settles what was sent before it (API v3 §8: the first answer to a key is its only one; under another key the
 * platform was read in between).
 */
export function mayHaveTakenEffect(attempts: readonly Attempt[]): boolean {
  return attempts.reduce((isInDoubt, { outcome, status, failure }) => {
    if (outcome !== 'answered' || status === null) {
      return true;
    }
    if (gates.includes(status) || failure === 'unauthorized' || failure === 'tooManyRequests') {
      return isInDoubt;
    }
    return status < 400 || status >= 500 || stumbles.includes(status);
  }, false);
}
