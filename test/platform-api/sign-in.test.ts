// API v3 §2, §4.1, §4.2, §5: tokens and scopes, with every variant for what the document leaves open.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTrainingPlatform } from '../../app/training/server.ts';
import { Caller, type TokenAnswer } from '../support/training-caller.ts';

let now: number;
let caller: Caller;
beforeEach(async () => {
  now = Date.parse('2026-03-04T09:00:00-03:00');
  caller = new Caller(
    await startTrainingPlatform({
      directory: null,
      port: 0,
      productCount: 10,
      now: () => now,
      requestsPerMinute: 1000,
    }),
  );
});
afterEach(() => caller.platform.close());

const refresh = (refreshToken: string | undefined) =>
  caller.token({ grant_type: 'refresh_token', refresh_token: refreshToken });

describe('the password grant', () => {
  it('gives both tokens and their life in seconds', async () => {
    const answer = await caller.token();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: expect.stringMatching(/^[\w-]{40,}$/) as string,
      refresh_token: expect.stringMatching(/^[\w-]{40,}$/) as string,
    });
  });

  it('serves both users, whatever the case of the e-mail', async () => {
    const { email, password } = caller.platform.otherUser;
    await caller.signIn({ username: email.toUpperCase(), password });
    expect((await caller.list()).status).toBe(200);
  });

  it.each([
    [{ password: 'wrong' }, 401, 'unauthorized'],
    [{ username: 'nobody@example.com' }, 401, 'unauthorized'],
    // A deleted user.
    [{ username: 'estoquista@example.com', password: 'praticar-aqui-3' }, 401, 'unauthorized'],
    [{ client_id: 'nobody' }, 401, 'unauthorized'],
    [{ client_secret: 'wrong' }, 401, 'unauthorized'],
    [{ scope: 'stock' }, 400, 'invalid_scope'],
    [{ scope: undefined }, 400, 'invalid_scope'],
    [{ grant_type: 'client_credentials' }, 400, 'bad_request'],
    [{ username: undefined }, 401, 'unauthorized'],
    [{ password: 17 }, 401, 'unauthorized'],
    // A deactivated application (API v3 §7).
    [{ client_id: 'practice-old-terminal', client_secret: 'old-practice-secret-for-nobody' }, 401, 'unauthorized'],
  ])('refuses %j', async (fields, status, code) => {
    const answer = await caller.token(fields);
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(answer.body['message']).toEqual(expect.any(String));
  });

  it.each(['', '{', '[]', '"text"', 'null'])('refuses the body %j', async (body) => {
    const answer = await caller.send('/oauth/token', { method: 'POST', body });
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_request']);
  });

  it('wants the two headers like every request', async () => {
    const answer = await caller.send('/oauth/token', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect([answer.status, answer.body['code']]).toEqual([400, 'missing_headers']);
  });
});

describe('an access token', () => {
  it('ends with its time, and is renewed by the refresh grant', async () => {
    const tokens = await caller.signIn();
    now += 3_599_000;
    expect((await caller.list()).status).toBe(200);
    now += 1000;
    const refused = await caller.list();
    expect([refused.status, refused.body['code']]).toEqual([401, 'unauthorized']);
    caller.accessToken = ((await refresh(tokens.refresh_token)).body as unknown as TokenAnswer).access_token;
    expect((await caller.list()).status).toBe(200);
  });

  it('ends when told to, while the refresh token stays good', async () => {
    const tokens = await caller.signIn();
    caller.platform.expireAccessTokens();
    expect((await caller.list()).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('lives as long as the variant says, and says so or not', async () => {
    caller.platform.setVariants({ accessTokenSeconds: 5, hasExpiresIn: false });
    expect(await caller.signIn()).not.toHaveProperty('expires_in');
    now += 5000;
    expect((await caller.list()).status).toBe(401);
  });

  it('is no refresh token, nor the other way round', async () => {
    const tokens = await caller.signIn();
    expect((await refresh(tokens.access_token)).status).toBe(401);
    caller.accessToken = tokens.refresh_token ?? '';
    expect((await caller.list()).status).toBe(401);
  });
});

describe('a refresh token', () => {
  it('is good once, for the new one takes its place', async () => {
    const tokens = await caller.signIn();
    const renewed = await refresh(tokens.refresh_token);
    expect(renewed.body['refresh_token']).not.toBe(tokens.refresh_token);
    const again = await refresh(tokens.refresh_token);
    expect([again.status, again.body['code']]).toEqual([401, 'unauthorized']);
    expect((await refresh(renewed.body['refresh_token'] as string)).status).toBe(200);
  });

  it('that is kept comes in no answer and stays good', async () => {
    caller.platform.setVariants({ refreshTokens: 'kept' });
    const tokens = await caller.signIn();
    for (let turn = 0; turn < 3; turn += 1) {
      const renewed = await refresh(tokens.refresh_token);
      expect([renewed.status, 'refresh_token' in renewed.body]).toEqual([200, false]);
    }
  });

  it('can be revoked, and is of one application only', async () => {
    const tokens = await caller.signIn();
    const { clientId, clientSecret } = caller.platform.otherClient;
    const foreign = {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: clientId,
      client_secret: clientSecret,
    };
    expect((await caller.token(foreign)).status).toBe(401);
    caller.platform.revokeRefreshTokens();
    expect((await refresh(tokens.refresh_token)).status).toBe(401);
    expect((await caller.list()).status).toBe(200);
  });
});

it('names its scopes without a sign-in', async () => {
  const answer = await caller.send('/oauth/scopes', {
    headers: { authorization: undefined, 'service-company-id': undefined },
  });
  expect([answer.status, answer.body]).toEqual([200, [{ id: '*', description: expect.any(String) as string }]]);
});
