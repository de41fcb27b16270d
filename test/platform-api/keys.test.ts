// The idempotency rules of API v3 §8 in each of their readings, for token requests too, over real HTTP.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Variants } from '../../app/training/options/variants.ts';
import { type Caller, startSignedIn } from '../support/training-caller.ts';

let caller: Caller;
beforeEach(async () => {
  caller = await startSignedIn({ productCount: 20 });
});
afterEach(() => caller.platform.close());

const setVariants = (variants: Partial<Variants>): void => {
  caller.platform.setVariants(variants);
};

describe('idempotency (§8)', () => {
  it.each([
    ['absent', [null, null]],
    ['replayedOnly', [null, 'false']],
    ['generated', [expect.stringMatching(/^[\da-f-]{36}$/), 'false']],
  ] as const)('answers a request without a key with headers that are %s', async (headersWithoutKey, headers) => {
    setVariants({ headersWithoutKey });
    const answer = await caller.send('/api/v3/categories', { method: 'POST', body: '{}' });
    expect([answer.headers.get('idempotency-key'), answer.headers.get('idempotency-replayed')]).toEqual(headers);
    expect((await caller.list()).headers.get('idempotency-replayed')).toBeNull();
  });

  it('rule 1: wants a key of the requests that declare it, or of all that write', async () => {
    const write = async () =>
      [
        await caller.token(),
        await caller.send('/api/v3/categories', { method: 'POST', body: '{}' }),
        await caller.send('/api/v3/users/703', { method: 'POST' }),
      ].map(({ status, body }) => [status, body?.['code']]);
    expect(await write()).toEqual([
      [200, undefined],
      [201, undefined],
      [400, 'missing_headers'],
    ]);
    setVariants({ keysRequired: 'all' });
    expect(await write()).toEqual([
      [400, 'missing_headers'],
      [400, 'missing_headers'],
      [400, 'missing_headers'],
    ]);
    expect((await caller.token({}, 'key')).status).toBe(200);
    expect((await caller.list()).status).toBe(200);
  });

  it('takes no key of more than 100 characters, whatever it is for', async () => {
    const key = 'k'.repeat(101);
    const answers = [
      await caller.token({}, key),
      await caller.send('/api/v3/categories', { method: 'POST', body: '{}', key }),
      await caller.send('/api/v3/users/703', { method: 'POST', key }),
    ];
    expect(answers.map(({ status, body }) => [status, (body['meta'] as { field: string }[])[0]?.field])).toEqual(
      Array.from({ length: 3 }, () => [422, 'Idempotency-Key']),
    );
  });

  describe('of token requests', () => {
    const read = async (key?: string, fields: Record<string, unknown> = {}) => {
      const answer = await caller.token(fields, key);
      return {
        status: answer.status,
        token: answer.body['access_token'],
        headers: [answer.headers.get('idempotency-key'), answer.headers.get('idempotency-replayed')],
      };
    };

    it.each([
      [
        'kept',
        true,
        [
          ['key', 'false'],
          ['key', 'true'],
        ],
      ],
      [
        'echoed',
        false,
        [
          ['key', 'false'],
          ['key', 'false'],
        ],
      ],
      [
        'ignored',
        false,
        [
          [null, null],
          [null, null],
        ],
      ],
    ] as const)('are %s', async (tokenKeys, isSame, headers) => {
      setVariants({ tokenKeys });
      const [first, again, other] = [await read('key'), await read('key'), await read('other')];
      expect([first.status, again.status, first.token === again.token, first.token === other.token]).toEqual([
        200,
        200,
        isSame,
        false,
      ]);
      expect([first.headers, again.headers]).toEqual(headers);
    });

    it('give a rotated refresh token again whose answer was lost, to the same key alone', async () => {
      const { refresh_token: refreshToken } = await caller.signIn();
      const renew = (key: string) => read(key, { grant_type: 'refresh_token', refresh_token: refreshToken });
      expect((await renew('one')).status).toBe(200);
      expect((await renew('two')).status).toBe(401);
      expect((await renew('one')).status).toBe(200);
    });

    it('are kept from another request with the same key, which changes nothing', async () => {
      expect((await read('key')).status).toBe(200);
      const other = await caller.send('/api/v3/categories', { method: 'POST', body: '{}', key: 'key' });
      expect([other.status, (other.body['meta'] as { field: string }[])[0]?.field]).toEqual([422, 'Idempotency-Key']);
      expect(other.headers.get('idempotency-replayed')).toBe('false');
    });

    it('give no sign-in the answer to a change with the same key', async () => {
      const made = await caller.send('/api/v3/categories', { method: 'POST', body: '{}', key: 'key' });
      expect(made.status).toBe(201);
      expect(await read('key')).toMatchObject({ status: 422, token: undefined, headers: ['key', 'false'] });
      expect((await read('other')).status).toBe(200);
    });

    it('keep a refusal of the credentials as they keep 401s, and none of a wrong secret or application', async () => {
      const wrong = { password: 'wrong' };
      expect((await read('one', wrong)).status).toBe(401);
      expect((await read('one')).status).toBe(401);
      setVariants({ keptRefusals: 'none' });
      expect((await read('two', wrong)).status).toBe(401);
      expect((await read('two')).status).toBe(200);
      expect((await read('two', { client_secret: 'wrong' })).status).toBe(401);
      const { clientId, clientSecret } = caller.platform.otherClient;
      expect((await read('two', { client_id: clientId, client_secret: clientSecret })).headers).toEqual([
        'two',
        'false',
      ]);
    });
  });

  it('rule 4: creates no second object', async () => {
    const create = (key?: string) =>
      caller.send('/api/v3/categories', {
        method: 'POST',
        body: '{"name":"Cadernos"}',
        ...(key === undefined ? {} : { key }),
      });
    const answers = [await create('key'), await create('key'), await create('another'), await create(), await create()];
    expect(
      answers.map((answer) => [answer.status, answer.body['id'], answer.headers.get('idempotency-replayed')]),
    ).toEqual([
      [201, 301, 'false'],
      [201, 301, 'true'],
      [201, 302, 'false'],
      [201, 303, null],
      [201, 304, null],
    ]);
    expect((await caller.send('/api/v3/categories', { method: 'POST', body: 'x' })).status).toBe(400);
    expect(
      (await caller.send('/api/v3/categories', { method: 'POST', body: '{}', headers: { authorization: undefined } }))
        .status,
    ).toBe(401);
  });
});
