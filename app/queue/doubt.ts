import type { UpdateAttempt } from '../contract/history.ts';

/** Refused before anything was done: they say nothing of an earlier attempt. */
const refusedUnprocessed: readonly (number | null)[] = [401, 429];
/** They may come after the change was made. */
const inconclusive: readonly (number | null)[] = [407, 408, 409, 425];

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
    if (refusedUnprocessed.includes(status) || failure === 'unauthorized' || failure === 'tooManyRequests') {
      return isInDoubt;
    }
    return status < 400 || status >= 500 || inconclusive.includes(status);
  }, false);
}
