// The idempotency keys of token requests (API v3 §8): a new one each time, but for the repetition of a renewal that may
// have been granted although its answer was lost: decision 0034.
import { platformCodes, type Failure } from '../domain/failure.ts';
import { parseJson } from '../domain/json.ts';
import { isObject } from '../domain/loose-json.ts';
import type { Result } from '../domain/result.ts';
import type { HttpResponse } from '../ports.ts';
import { echoOf, isPage } from './answer.ts';
import { tokenMeaningOf } from './token-answer.ts';

interface OpenRenewal {
  readonly key: string;
  /** Answers of the platform without a token that the key has had. */
  readonly answers: number;
}

export interface TokenKeys {
  /** The key of a token request; `renewal` is its body, or null for any other grant than a renewal. */
  keyFor(renewal: string | null): string;
  /** Notes the answer to the renewal that was sent under this key. */
  noteOutcome(renewal: string, key: string, answer: Result<HttpResponse, unknown>): void;
}

/** The platform may have stored such an answer under the key for ever (API v3 §8 rule 3). */
const keyGivenUpAfterAnswers = 3;
/** More than all users of all profiles that one run may have. */
const maxOpenRenewals = 100;

/**
 * Who has said an answer without a token: the platform under this key, whole; the platform by its words alone (API v3
 * §7), which a 429 may be before the key was looked at; or perhaps a machine in between, which says nothing of what the
 * platform has stored.
 */
function sourceOf(response: HttpResponse, key: string, { code, kind }: Failure): 'underKey' | 'platform' | 'unknown' {
  if (echoOf(response, key) === 'ours') {
    return response.status >= 300 || isObject(parseJson(response.body)) ? 'underKey' : 'unknown';
  }
  const isOwnWord = response.status === 500 || Object.hasOwn(platformCodes, code ?? '');
  return isOwnWord && kind !== 'tooManyRequests' && !isPage(response) ? 'platform' : 'unknown';
}

/**
 * Makes the keys of all token requests of one run, for a renewal that a change of the shop cuts off is repeated by the
 * next one, and one user's while others come and go; `newKey` answers a random id.
 */
export function createTokenKeys(newKey: () => string): TokenKeys {
  /**
   * By body, the one that was sent last at the end; one whose key is spent is forgotten. What the platform says of another
   * client secret spends no key of the right one's.
   */
  const open = new Map<string, OpenRenewal>();
  return {
    keyFor: (renewal) => (renewal === null ? undefined : open.get(renewal)?.key) ?? newKey(),
    noteOutcome: (renewal, key, answer) => {
      const before = open.get(renewal) ?? null;
      const meaning = answer.ok ? tokenMeaningOf(answer.value, key) : null;
      // mutant: what a machine in between answers spends the key of a renewal (I12)
      const source =
        answer.ok && meaning?.means === 'unknown' ? sourceOf(answer.value, key, meaning.failure) : 'unknown';
      const answers = (before?.answers ?? 0) + (source === 'unknown' ? 0 : 1);
      const isSpent =
        meaning?.means === 'granted' ||
        meaning?.means === 'refused' ||
        (source === 'underKey' && before === null) ||
        answers >= keyGivenUpAfterAnswers;
      // mutant: another user's renewal takes the place of the one that is in doubt (I12)
      open.delete(renewal);
      // mutant: a renewal that nobody answered goes out under a new key (I12)
      if (!isSpent) {
        open.set(renewal, { key, answers });
        const [oldest] = open.keys();
        if (open.size > maxOpenRenewals && oldest !== undefined) {
          open.delete(oldest);
        }
      }
    },
  };
}
