import type { z } from 'zod';
import { platformCodes, type Failure } from '../domain/failure.ts';
import { parseJson } from '../domain/json.ts';
import { isObject } from '../domain/loose-json.ts';
import type { HttpResponse } from '../ports.ts';
import { failureOf, isPage, readAnswer } from './answer.ts';
import { tokenAnswerSchema } from './wire.ts';

export type TokenAnswer = z.infer<typeof tokenAnswerSchema>;

export type TokenMeaning =
  | { readonly means: 'granted'; readonly answer: TokenAnswer }
  /** The answer names the grant, the client or the user: the same request will never be granted. */
  | { readonly means: 'refused'; readonly failure: Failure }
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

/**
 * Statuses with which the platform refuses in JSON or without a body; in any other form they are another machine's (API
 * v3 §1 "Style").
 */
const ownWords: readonly number[] = [400, 401, 403, 422];

/** Inputs that are the grant, the client or the user (API v3 §2 "Token request"), as a validation names them. */
const credentialField = /^(?:client_?id|client_?secret|username|email|password|refresh_?token)$/i;

function isRefusal(response: HttpResponse, { code, fields }: Failure): boolean {
  if (response.status < 400 || response.status >= 500 || response.status === 429) {
    return false;
  }
  if (code !== undefined && (refusingCodes.has(code) || (response.status === 401 && otherCodes.has(code)))) {
    return refusingCodes.has(code);
  }
  return response.status === 401 || fields?.some(({ field }) => credentialField.test(field)) === true;
}

/**
 * Says what an answer to a token request means, for every answer. Refused is what names the grant, the client or the
 * user: by its code, by the fields of a validation error, or as a 401, which API v3 §5 rule 6 gives for credentials
 * alone and whose body it does not show.
 */
export function tokenMeaningOf(response: HttpResponse): TokenMeaning {
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const answer = readAnswer(response, tokenAnswerSchema);
    return answer.ok ? { means: 'granted', answer: answer.value } : { means: 'unknown', failure: answer.failure };
  }
  if (ownWords.includes(status) && (isPage(response) || (body.trim() !== '' && !isObject(parseJson(body))))) {
    return { means: 'unknown', failure: { kind: 'notThePlatform', status } };
  }
  const failure = failureOf(response);
  if (isRefusal(response, failure)) {
    return { means: 'refused', failure: { ...failure, kind: 'credentialsRejected' } };
  }
  if (failure.kind === 'unauthorized') {
    return { means: 'unknown', failure: { ...failure, kind: status === 429 ? 'tooManyRequests' : 'badRequest' } };
  }
  return { means: 'unknown', failure };
}
