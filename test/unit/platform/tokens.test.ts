// The proof under which idempotency key each token request goes out (API v3 §8, decision 0034).
import { expect, test } from 'vitest';
import type { Failure } from '../../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import { failureOf } from '../../../app/platform/answer.ts';
import { createExchange, type ExchangeRequest } from '../../../app/platform/exchange.ts';
import { createTokenKeys } from '../../../app/platform/token-keys.ts';
import { createTokenRequest, type Grant } from '../../../app/platform/tokens.ts';
import type { HttpResponse } from '../../../app/ports.ts';
import { idleSlot } from '../../support/idle-slot.ts';

type Reply = Result<HttpResponse, Failure>;

const password: Grant = { grant_type: 'password', username: 'ana@example.com', password: 'made-up' };
const renewal: Grant = { grant_type: 'refresh_token', refresh_token: 'refresh-1' };
const lost: Reply = fail({ kind: 'timedOut' });
const said = (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Reply =>
  succeed({ status, headers, body });
const token = said(200, '{"access_token":"access-1"}');

/** Sends these, and answers the number of each one's key: the first key is 1. */
async function keysOf(...sendings: readonly (readonly [Grant, Reply])[]): Promise<readonly number[]> {
  const sent: ExchangeRequest[] = [];
  let keys = 0;
  const replies = sendings.map(([, reply]) => reply);
  const exchange = (request: ExchangeRequest): Promise<Reply> => {
    sent.push(request);
    return Promise.resolve(replies[sent.length - 1] ?? lost);
  };
  const request = createTokenRequest(
    exchange,
    { take: () => Promise.resolve(succeed(idleSlot)), slowDown: () => undefined },
    createTokenKeys(() => String((keys += 1))),
  );
  for (const [grant] of sendings) {
    await request({ clientId: 'client', clientSecret: 'made-up' }, grant);
  }
  return sent.map(({ idempotencyKey }) => Number(idempotencyKey));
}

test('every token request has a key of its own, after an answer and, for a password, after none', async () => {
  expect(
    await keysOf(
      [password, token],
      [password, token],
      [renewal, token],
      [renewal, token],
      [password, lost],
      [password, lost],
    ),
  ).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a renewal whose answer was lost keeps its key while another client secret is tried and refused', async () => {
  const sent: ExchangeRequest[] = [];
  const replies = [lost, said(401, '{"code":"unauthorized"}'), token];
  const exchange = (request: ExchangeRequest): Promise<Reply> => {
    sent.push(request);
    return Promise.resolve(replies[sent.length - 1] ?? lost);
  };
  let keys = 0;
  const request = createTokenRequest(
    exchange,
    { take: () => Promise.resolve(succeed(idleSlot)), slowDown: () => undefined },
    createTokenKeys(() => String((keys += 1))),
  );
  for (const clientSecret of ['made-up', 'mistyped', 'made-up']) {
    await request({ clientId: 'client', clientSecret }, renewal);
  }
  expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['1', '2', '1']);
  expect(sent[2]?.body).toBe(sent[0]?.body);
});

test('what a refusal quotes of the secrets that were sent stays out of its failure, and its codes stay', async () => {
  const answered: unknown[] = [];
  for (const [grant, secret] of [
    [{ ...password, password: 'validation' }, 'validation'],
    [renewal, 'refresh-1'],
    // As what makes numbers of all that look like one writes it.
    [{ ...password, password: '12345678' }, 12345678],
  ] as const) {
    const body = {
      code: 'validation_error',
      message: `Access token expired: ${secret}; client secret s3cr3t/abc is wrong`,
      meta: [{ field: 'password', validations: [{ type: 'validation', value: secret }] }],
    };
    const exchange = createExchange(
      { send: () => Promise.resolve(said(422, JSON.stringify(body))) },
      'https://platform.example.com',
      { begin: () => ({ left: () => undefined, end: (failure) => answered.push(failure) }) },
      new AbortController().signal,
      () => 0,
    );
    const rateLimit = { take: () => Promise.resolve(succeed(idleSlot)), slowDown: () => undefined };
    const request = createTokenRequest(
      exchange,
      rateLimit,
      createTokenKeys(() => '1'),
    );
    const told = await request({ clientId: 'client', clientSecret: 's3cr3t/abc' }, grant);
    answered.push(told.ok ? null : told.failure);
  }
  for (const failure of answered) {
    expect(failure).toMatchObject({
      code: 'validation_error',
      message: 'Access token expired: [redacted]; client secret [redacted] is wrong',
      fields: [{ field: 'password', validations: [{ type: 'validation', values: ['[redacted]'] }] }],
    });
  }
  expect(answered).toHaveLength(6);
});

test.each([
  [{ error: 'Wrong password "n0t-a-word" for Ana' }, { code: 'Wrong password "[redacted]" for Ana' }],
  [{ code: 'n0t-a-word' }, { code: '[redacted]' }],
  [{ error: 'invalid_grant' }, { code: 'invalid_grant' }],
  [
    {
      code: 'refused',
      meta: [{ field: 'password=n0t-a-word', validations: [{ type: 'is n0t-a-word', value: null }] }],
    },
    { fields: [{ field: 'password=[redacted]', validations: [{ type: 'is [redacted]', values: [] }] }] },
  ],
])('nor does %j, which is no plain name, quote one in the place of a code or a field', (body, expected) => {
  const answer = { status: 401, headers: {}, body: JSON.stringify(body), secrets: ['n0t-a-word', 'invalid'] };
  expect(failureOf(answer)).toMatchObject(expected);
});

test.each([
  ['nothing', lost],
  ['a page', said(200, '<html>')],
  ['a gateway that gave up waiting', said(504, 'upstream')],
  ['a firewall', said(403, 'error code: 1010')],
  ['a token that is cut off', said(200, '{"access_tok', { 'idempotency-key': '1' })],
])(
  'a renewal that was answered with %s may have been granted: it goes out again under its key',
  async (_what, reply) => {
    expect(await keysOf([renewal, reply], [renewal, token], [renewal, token])).toEqual([1, 1, 2]);
    expect(
      await keysOf(
        [renewal, reply],
        [renewal, said(429)],
        [renewal, lost],
        [renewal, lost],
        [renewal, lost],
        [renewal, token],
      ),
    ).toEqual([1, 1, 1, 1, 1, 1]);
  },
);

test.each([
  ['a refusal', said(401, '{"code":"unauthorized"}')],
  ['a bare 401 that names the key', said(401, '', { 'idempotency-key': '1' })],
  ['a 500 that names the key', said(500, '', { 'idempotency-key': '1' })],
  ['a 429 that names the key', said(429, '{"code":"too_many_requests"}', { 'idempotency-key': '1' })],
  ['a whole answer without a token that names the key', said(200, '{}', { 'idempotency-key': '1' })],
])('%s spends the key', async (_what, reply) => {
  expect(await keysOf([renewal, reply], [renewal, token])).toEqual([1, 2]);
});

test.each([
  ['a 500', said(500)],
  ['a code of the platform', said(422, '{"code":"unprocessable_entity"}')],
  ['a 429 that names the key', said(429, '', { 'idempotency-key': '1' })],
])('a key is given up after %s three times, for the platform may have stored it', async (_what, stored) => {
  expect(
    await keysOf(
      [renewal, lost],
      [renewal, stored],
      [renewal, stored],
      [renewal, lost],
      [renewal, stored],
      [renewal, token],
    ),
  ).toEqual([1, 1, 1, 1, 1, 2]);
});

test.each([
  ['a redirect to a portal', said(302)],
  ["a portal's page", said(200, '<html>', { 'content-type': 'text/html' })],
  ["a proxy's 503", said(503, 'upstream')],
  ["a proxy's page of a 500", said(500, '<html>', { 'content-type': 'text/html' })],
  ['a bare 401', said(401)],
  ["a gateway's 401", said(401, '{"message":"Unauthorized"}')],
  ['a firewall in JSON', said(403, '{"message":"Forbidden"}')],
  ['a code that is not of the platform', said(422, '{"code":"policy_violation"}')],
  ['a token that is cut off', said(200, '{"access_tok', { 'idempotency-key': '1' })],
  ["another request's answer", said(503, '', { 'idempotency-key': '9' })],
  ['a 429', said(429, '{"code":"too_many_requests"}')],
])('%s spends no key, however often it comes: nothing says that the platform has stored it', async (_what, foreign) => {
  const often = Array.from({ length: 9 }, () => [renewal, foreign] as const);
  expect(new Set(await keysOf([renewal, lost], ...often, [renewal, token])).size).toBe(1);
});

test('one user’s renewal keeps its key while another’s is sent, answered or lost', async () => {
  const another: Grant = { ...renewal, refresh_token: 'refresh-2' };
  expect(await keysOf([renewal, lost], [another, token], [renewal, token], [renewal, token])).toEqual([1, 2, 1, 3]);
  expect(await keysOf([renewal, lost], [another, lost], [renewal, lost], [another, token], [renewal, token])).toEqual([
    1, 2, 1, 2, 1,
  ]);
});

test('a hundred open renewals are remembered, and the one that has rested longest makes way', async () => {
  const of = (user: number): Grant => ({ ...renewal, refresh_token: `refresh-${String(user)}` });
  const all = Array.from({ length: 100 }, (_, user) => [of(user), lost] as const);
  const keys = await keysOf(...all, [of(0), lost], [of(100), lost], [of(0), token], [of(2), token], [of(1), token]);
  expect(keys.slice(100)).toEqual([1, 101, 1, 3, 102]);
});

test('another refresh token has another key, and a password in between changes nothing', async () => {
  const another: Grant = { ...renewal, refresh_token: 'refresh-2' };
  expect(await keysOf([renewal, lost], [password, lost], [renewal, lost], [another, lost], [another, token])).toEqual([
    1, 2, 1, 3, 3,
  ]);
});
