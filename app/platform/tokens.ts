// The two token grants (API v3 §4.1, §5).
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import type { Failure } from '../domain/failure.ts';
import { writeJson } from '../domain/json.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Exchange } from './exchange.ts';
import { tokenMeaningOf, type TokenAnswer } from './token-answer.ts';
import type { TokenKeys } from './token-keys.ts';

export type Grant =
  | { readonly grant_type: 'password'; readonly username: string; readonly password: string }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string };

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The signal ends the wait for a slot; what has left goes on. */
export type RequestToken = (
  client: ClientCredentials,
  grant: Grant,
  signal?: AbortSignal,
) => Promise<Result<TokenAnswer, Failure>>;

/**
 * Makes the call that trades a grant for a token, under an idempotency key (API v3 §8 rule 1). Fails with
 * `credentialsRejected` only when the answer names the grant, the client or the user (`tokenMeaningOf`), a renewal with
 * `unauthorized` when nobody knows whose 401 it is, else as the network or the answer did.
 */
export function createTokenRequest(
  exchange: Exchange,
  rateLimit: Pick<RateLimit, 'take' | 'slowDown'>,
  keys: TokenKeys,
): RequestToken {
  return async ({ clientId, clientSecret }, grant, signal) => {
    const slot = await rateLimit.take('session', signal);
    if (!slot.ok) {
      return slot;
    }
    const body = writeJson({ ...grant, client_id: clientId, client_secret: clientSecret, scope: '*' });
    const renewal = grant.grant_type === 'refresh_token' ? body : null;
    const idempotencyKey = keys.keyFor(renewal);
    // mutant: a token request carries no key (I4, I8)
    const answer = await exchange({
      slot: slot.value,
      method: 'POST',
      path: '/oauth/token',
      body,
      secrets: [clientSecret, grant.grant_type === 'password' ? grant.password : grant.refresh_token],
      idempotencyKey,
    });
    if (renewal !== null) {
      keys.noteOutcome(renewal, idempotencyKey, answer);
    }
    if (!answer.ok) {
      return answer;
    }
    const meaning = tokenMeaningOf(answer.value, idempotencyKey);
    if (meaning.means === 'granted') {
      return succeed(meaning.answer);
    }
    if (meaning.means === 'doubted' && renewal !== null) {
      return fail({ ...meaning.failure, kind: 'unauthorized' });
    }
    if (meaning.failure.kind === 'tooManyRequests') {
      rateLimit.slowDown(meaning.failure.retryAfterMs);
    }
    return fail(meaning.failure);
  };
}
