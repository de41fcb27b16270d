import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureKinds } from '../../../app/domain/failure.ts';
import { tokenMeaningOf } from '../../../app/platform/token-answer.ts';
import type { HttpResponse } from '../../../app/ports.ts';

function said(
  status: number,
  body: unknown,
  type = typeof body === 'string' ? 'text/plain' : 'application/json',
): HttpResponse {
  return { status, headers: { 'content-type': type }, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

const page = '<!doctype html><html><body>Blocked</body></html>';
const field = (name: string): object => ({
  code: 'unprocessable_entity',
  meta: [{ field: name, validations: [{ type: 'exists', value: [] }] }],
});

/** 401s that may be the platform's, and may be any gateway's. */
const bare401 = [
  said(401, ''),
  said(401, {}),
  said(401, { message: 'Unauthorized' }),
  said(401, { message: 'Unauthenticated.' }),
  said(401, { error: 'invalid_credentials', message: 'The user credentials were incorrect.' }),
  said(401, { code: 'no_route' }),
  { ...said(401, ''), headers: { 'www-authenticate': 'Basic realm="proxy"' } },
];

test.each(bare401)('S2 doubted, without the echo of the key: %j', (response) => {
  const doubted = { means: 'doubted', failure: { kind: 'credentialsRejected', status: 401 } };
  expect(tokenMeaningOf(response, 'key')).toMatchObject(doubted);
  const other = { ...response, headers: { ...response.headers, 'idempotency-key': 'another' } };
  expect(tokenMeaningOf(other, 'key')).toMatchObject(doubted);
});

describe('an answer ends the sign-in only when it names the grant, the client or the user', () => {
  test.each([
    // RFC 6749 §5.2, under every status that the document leaves open.
    ...[400, 401, 403, 422].flatMap((status) =>
      ['invalid_grant', 'invalid_client', 'unauthorized_client'].flatMap((error) => [
        said(status, { error }),
        said(status, { code: error }),
      ]),
    ),
    said(400, {
      error: 'invalid_grant',
      error_description: 'The refresh token is invalid.',
      hint: 'Token has been revoked',
    }),
    // API v3 §7, by its code under any status, or by the status of §5 rule 6 with the echo of §8 rule 5.
    ...[400, 401, 403, 422].map((status) => said(status, { code: 'unauthorized' })),
    ...bare401.map((response) => ({ ...response, headers: { ...response.headers, 'idempotency-key': 'KEY' } })),
    said(401, { code: 'invalid_grant' }, 'text/plain'),
    // A validation error that names one of them.
    ...['refresh_token', 'client_id', 'client_secret', 'clientSecret', 'username', 'email', 'password'].flatMap(
      (name) => [said(422, field(name)), said(400, field(name))],
    ),
  ])('refused: %j', (response) => {
    expect(tokenMeaningOf(response, 'key')).toMatchObject({
      means: 'refused',
      failure: { kind: 'credentialsRejected', status: response.status },
    });
  });

  test.each([
    // Firewalls, gateways and proxies.
    [said(403, 'error code: 1010'), 'notThePlatform'],
    [said(401, 'error code: 1010'), 'notThePlatform'],
    [said(403, { message: 'Forbidden' }), 'forbidden'],
    [said(403, ''), 'forbidden'],
    [said(400, ''), 'badRequest'],
    [said(422, ''), 'unprocessable'],
    [said(404, ''), 'notFound'],
    [said(404, 'page not found'), 'notFound'],
    [said(405, ''), 'refused'],
    [said(418, {}), 'refused'],
    [said(407, ''), 'notThePlatform'],
    [said(511, page, 'text/html'), 'notThePlatform'],
    [said(302, ''), 'notThePlatform'],
    ...[400, 401, 403, 404, 422].map((status) => [said(status, page, 'text/html'), 'notThePlatform'] as const),
    [said(401, page), 'notThePlatform'],
    [said(401, '["unauthorized"]', 'application/json'), 'notThePlatform'],
    [said(401, '{"code":"unauth', 'application/json'), 'notThePlatform'],
    // The platform's words about something else.
    [said(403, { code: 'too_many_requests' }), 'tooManyRequests'],
    [said(401, { code: 'too_many_requests' }), 'tooManyRequests'],
    [said(429, { code: 'unauthorized' }), 'tooManyRequests'],
    [said(429, page, 'text/html'), 'tooManyRequests'],
    [said(403, { code: 'forbidden' }), 'forbidden'],
    [said(401, { code: 'forbidden' }), 'badRequest'],
    [said(401, { code: 'missing_headers' }), 'badRequest'],
    [said(400, { code: 'bad_request' }), 'badRequest'],
    [said(422, { code: 'unprocessable_entity' }), 'unprocessable'],
    [said(422, { code: 'terms_not_accepted' }), 'unprocessable'],
    [said(422, field('scope')), 'unprocessable'],
    [said(422, field('grant_type')), 'unprocessable'],
    [said(400, { code: 'invalid_scope' }), 'badRequest'],
    [said(403, { code: 'invalid_scope' }), 'forbidden'],
    [said(422, { code: 'invalid_scope' }), 'unprocessable'],
    [said(401, { error: 'invalid_scope' }), 'badRequest'],
    [said(400, { error: 'invalid_request' }), 'badRequest'],
    [said(401, { error: 'temporarily_unavailable' }), 'badRequest'],
    [said(400, { error: 'unsupported_grant_type' }), 'badRequest'],
    [said(500, { code: 'unauthorized' }), 'platformFailed'],
    [said(503, { error: 'invalid_grant' }), 'platformFailed'],
    // A success without a token.
    [said(200, { token: 'a' }), 'answerMalformed'],
    [said(200, { error: 'invalid_grant' }), 'answerMalformed'],
    [said(204, ''), 'answerMalformed'],
    [said(200, page, 'text/html'), 'notThePlatform'],
  ] as const)('unknown: %j is %s', (response, kind) => {
    expect(tokenMeaningOf(response, 'key')).toMatchObject({ means: 'unknown', failure: { kind } });
  });

  test('granted: a success with an access token', () => {
    expect(tokenMeaningOf(said(200, { access_token: 'a', expires_in: '60' }), 'key')).toEqual({
      means: 'granted',
      answer: { access_token: 'a', expires_in: 60 },
    });
  });
});

test('every answer has exactly one meaning, and a refusal is always one of four client errors', () => {
  const json = fc.oneof(
    fc.json(),
    fc
      .record(
        {
          code: fc.oneof(
            fc.string(),
            fc.constantFrom('unauthorized', 'invalid_grant', 'forbidden', 'too_many_requests'),
          ),
          error: fc.anything(),
          meta: fc.anything(),
        },
        { requiredKeys: [] },
      )
      .map((value) =>
        JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)),
      ),
  );
  const answers = fc.record({
    status: fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constantFrom(200, 400, 401, 403, 422, 429)),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      { 'content-type': 'text/html' },
      { 'content-type': 'application/json' },
      { 'retry-after': '7' },
    ),
    body: fc.oneof(fc.string(), json, fc.constantFrom('', page)),
  });
  fc.assert(
    fc.property(answers, (response) => {
      const meaning = tokenMeaningOf(response, 'key');
      if (meaning.means === 'granted') {
        expect(response.status).toBeGreaterThanOrEqual(200);
        expect(response.status).toBeLessThan(300);
        return;
      }
      expect(failureKinds).toContain(meaning.failure.kind);
      expect(['refused', 'doubted'].includes(meaning.means)).toBe(meaning.failure.kind === 'credentialsRejected');
      if (meaning.means === 'refused') {
        const isNamed = /invalid_grant|invalid_client|unauthorized|client|username|email|password|refresh/i.test(
          response.body,
        );
        const isOfClient = response.status >= 400 && response.status < 500 && response.status !== 429;
        expect([isOfClient, isNamed]).toEqual([true, true]);
      }
    }),
    { numRuns: 2_000 },
  );
});
