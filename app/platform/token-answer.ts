import type { z } from 'zod';
import { platformCodes, type Failure } from '../domain/failure.ts';
import { parseJson } from '../domain/json.ts';
import { isObject } from '../domain/loose-json.ts';
import type { HttpResponse } from '../ports.ts';
import { echoOf, failureOf, isPage, readAnswer } from './answer.ts';
import { tokenAnswerSchema } from './wire.ts';

export type TokenAnswer = z.infer<typeof tokenAnswerSchema>;

export type TokenMeaning =
  | { readonly means: 'granted'; readonly answer: TokenAnswer }
  /** The answer names the grant, the client or the user: the same request will never be granted. */
  | { readonly means: 'refused'; readonly failure: Failure }
  /** A 401 that neither says why nor names the key: the platform's, or any machine's in between. */
  | { readonly means: 'doubted'; readonly failure: Failure }
  /** Says nothing of the grant, whoever it came from: the same request may be granted later. */
  | { readonly means: 'unknown'; readonly failure: Failure };

/**
 * RFC 6749 §5.2; API v3 §7 "authentication expired". `invalid_scope` speaks of what was asked for, not of who asked.
 */
const refusingCodes: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'unauthorized',
]);

/** Codes that give a 401 another reason than its credentials (RFC 6749 §5.2; every other code of API v3 §7). */
const otherCodes: ReadonlySet<string> = new Set([
  ...Object.keys(platformCodes).filter((code) => !refusingCodes.has(code)),
  'invalid_request',
  'unsupported_grant_type',
  'server_error',
  'temporarily_unavailable',
]);

/** With these the platform refuses in JSON or without a body; any other form is another machine's (API v3 §1). */
const ownWords: readonly number[] = [400, 401, 403, 422];

/** Inputs that are the grant, the client or the user (API v3 §2 "Token request"), as a validation names them. */
const credentialField = /^(?:client_?id|client_?secret|username|email|password|refresh_?token)$/i;

/** An input of the client's (API v3 §2 "Token request"), as a validation names it. */
const clientField = /client_?(?:id|secret)$/i;
const clientCodes: readonly (string | undefined)[] = ['invalid_client', 'unauthorized_client'];

/**
 * Whether a refusal names the client, by its code (RFC 6749 §5.2) or a field; API v3 does not say how it tells a wrong
 * client from a wrong user.
 */
export function isOfClient({ kind, code, fields }: Failure): boolean {
  const isRefusal = kind === 'credentialsRejected' || kind === 'unauthorized' || kind === 'signInNeeded';
  return isRefusal && (clientCodes.includes(code) || fields?.some(({ field }) => clientField.test(field)) === true);
}

/** Whether it refuses the grant, the client or the user: by its words, or by its status alone. */
function refusalIn({ status }: HttpResponse, { code, fields }: Failure): 'byWords' | 'byStatus' | 'none' {
  if (status < 400 || status >= 500 || status === 429) {
    return 'none';
  }
  if (code !== undefined && refusingCodes.has(code)) {
    return 'byWords';
  }
  if (status === 401 && code !== undefined && otherCodes.has(code)) {
    return 'none';
  }
  if (fields?.some(({ field }) => credentialField.test(field)) === true) {
    return 'byWords';
  }
  // mutant: only a code ends the session (I4, I8)
  // mutant: any 4xx ends the session (I12)
  return status === 401 ? 'byStatus' : 'none';
}

/**
 * Says what an answer to a token request under this key means, for every answer. Refused is what names the grant, the
 * client or the user: by its code, by the fields of a validation error, or as a 401, which API v3 §5 rule 6 gives for
 * credentials alone and whose body it does not show, where it names the key (§8 rule 5).
 */
export function tokenMeaningOf(response: HttpResponse, key: string): TokenMeaning {
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const answer = readAnswer(response, tokenAnswerSchema);
    return answer.ok ? { means: 'granted', answer: answer.value } : { means: 'unknown', failure: answer.failure };
  }
  if (ownWords.includes(status) && (isPage(response) || (body.trim() !== '' && !isObject(parseJson(body))))) {
    return { means: 'unknown', failure: { kind: 'notThePlatform', status } };
  }
  const failure = failureOf(response);
  const refusal = refusalIn(response, failure);
  if (refusal !== 'none') {
    // mutant: a 401 of any machine ends the session (S2)
    const isOurs = refusal === 'byWords' || echoOf(response, key) === 'ours';
    return { means: isOurs ? 'refused' : 'doubted', failure: { ...failure, kind: 'credentialsRejected' } };
  }
  if (failure.kind === 'unauthorized') {
    return { means: 'unknown', failure: { ...failure, kind: status === 429 ? 'tooManyRequests' : 'badRequest' } };
  }
  return { means: 'unknown', failure };
}
