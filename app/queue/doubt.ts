import type { UpdateAttempt } from '../contract/history.ts';
import { causeOf, isInconclusive } from './disposition.ts';

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
    // Refused before anything was done, it says nothing of an earlier attempt.
    return causeOf(status, failure) === 'network' ? isInconclusive(status) : isInDoubt;
  }, false);
}
