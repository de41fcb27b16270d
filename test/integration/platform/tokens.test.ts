// The proof of the two token grants as they go over the wire, and of what their answers mean.
import { expect, test } from 'vitest';
import { fail } from '../../../app/domain/result.ts';
import { htmlHeaders, openClient, portalPage } from './open-client.ts';
import { sayJson } from '../../support/scripted-platform.ts';

const credentials = { clientId: 'client', clientSecret: 'made-up' };

test('the two token grants go out as documented, without Authorization and without a company', async () => {
  const { platform, requestToken, rateLimit } = await openClient();
  platform.answer = () =>
    sayJson(200, { access_token: 'a', refresh_token: 'r', expires_in: '3600', token_type: 'Bearer' });
  expect(
    await requestToken(credentials, {
      grant_type: 'password',
      username: 'ana@example.com',
      password: 'secret "quoted"',
    }),
  ).toEqual({ ok: true, value: { access_token: 'a', refresh_token: 'r', expires_in: 3600 } });
  await requestToken(credentials, { grant_type: 'refresh_token', refresh_token: 'r' });
  expect(platform.asked.map((asked) => JSON.parse(asked.body) as unknown)).toEqual([
    {
      grant_type: 'password',
      username: 'ana@example.com',
      password: 'secret "quoted"',
      client_id: 'client',
      client_secret: 'made-up',
      scope: '*',
    },
    { grant_type: 'refresh_token', refresh_token: 'r', client_id: 'client', client_secret: 'made-up', scope: '*' },
  ]);
  for (const { method, url, headers } of platform.asked) {
    expect([method, url, headers.authorization, headers['service-company-id'], headers['content-type']]).toEqual([
      'POST',
      '/oauth/token',
      undefined,
      undefined,
      'application/json',
    ]);
    expect(headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
  }
  expect(new Set(platform.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  expect(rateLimit.state().used).toBe(2);
});

test.each([
  [sayJson(400, { error: 'invalid_grant' }), 'credentialsRejected'],
  [sayJson(401, { code: 'unauthorized' }), 'credentialsRejected'],
  [sayJson(403, { code: 'forbidden' }), 'forbidden'],
  [{ status: 403, headers: { 'content-type': 'text/plain' }, body: 'error code: 1010' }, 'notThePlatform'],
  [sayJson(403, { code: 'too_many_requests' }), 'tooManyRequests'],
  [sayJson(422, { code: 'unprocessable_entity' }), 'unprocessable'],
  [{ status: 401 }, 'unauthorized'],
  [{ status: 401, headers: { 'www-authenticate': 'Basic' } }, 'unauthorized'],
  [sayJson(401, { message: 'Unauthorized' }), 'unauthorized'],
  [sayJson(401, { code: 'no_route' }), 'unauthorized'],
  [{ status: 401, headers: htmlHeaders, body: portalPage }, 'notThePlatform'],
  [{ status: 403, headers: htmlHeaders, body: portalPage }, 'notThePlatform'],
  [{ status: 200, headers: htmlHeaders, body: portalPage }, 'notThePlatform'],
  [sayJson(404, { code: 'not_found' }), 'notFound'],
  [sayJson(429, {}), 'tooManyRequests'],
  [sayJson(500, {}), 'platformFailed'],
  [{ status: 503, headers: htmlHeaders, body: portalPage }, 'platformFailed'],
  [sayJson(200, { token: 'a' }), 'answerMalformed'],
] as const)('S2: of a renewal, %j is %s', async (said, kind) => {
  const { platform, requestToken } = await openClient();
  platform.answer = () => said;
  expect(await requestToken(credentials, { grant_type: 'refresh_token', refresh_token: 'r' })).toMatchObject(
    fail({ kind }),
  );
});
