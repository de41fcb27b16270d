// Owns the two token grants (API v3 §4.1, §5). Both count against the allowance, in its most urgent lane. Never keeps a
// token: the session does.
import type { z } from 'zod';
import type { Budget } from '../budget/budget.ts';
import type { Failure } from '../domain/failure.ts';
import { writeJson } from '../domain/json.ts';
import { fail, type Result } from '../domain/result.ts';
import { failureOf, isPage, readAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { tokenAnswerSchema } from './wire.ts';

export type TokenAnswer = z.infer<typeof tokenAnswerSchema>;

export type Grant =
  | { readonly grant_type: 'password'; readonly username: string; readonly password: string }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string };

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type RequestToken = (client: ClientCredentials, grant: Grant) => Promise<Result<TokenAnswer, Failure>>;

/**
 * Makes the call that trades a grant for a token. Fails with `credentialsRejected` when the platform says no (RFC 6749 §5.2 and
 * API v3 §5 rule 6: 400, 401, 403 or 422), else as the network or the platform did.
 */
export function createTokenRequest(exchange: Exchange, budget: Pick<Budget, 'take' | 'slowDown'>): RequestToken {
  return async ({ clientId, clientSecret }, grant) => {
    const slot = await budget.take('session');
    if (!slot.ok) {
      return slot;
    }
    const body = writeJson({ ...grant, client_id: clientId, client_secret: clientSecret, scope: '*' });
    const answer = await exchange({ method: 'POST', path: '/oauth/token', body });
    slot.value.settle();
    if (!answer.ok) {
      return answer;
    }
    const failure = failureOf(answer.value);
    if (answer.value.status === 429) {
      budget.slowDown(failure.retryAfterMs);
    }
    if ([400, 401, 403, 422].includes(answer.value.status)) {
      // A page with such a status is a proxy's, and says nothing of the credentials.
      return fail(isPage(answer.value) ? { kind: 'notThePlatform', status: answer.value.status } : { ...failure, kind: 'credentialsRejected' });
    }
    return readAnswer(answer.value, tokenAnswerSchema);
  };
}
