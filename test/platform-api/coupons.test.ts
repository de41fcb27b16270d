// API v3 §4.6 to §4.8 and the idempotency rules 1 to 5 of §8, over real HTTP.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, couponsPath, startSignedIn } from '../support/training-caller.ts';

let caller: Caller;
beforeEach(async () => {
  caller = await startSignedIn({ productCount: 200 });
});
afterEach(() => caller.platform.close());

const idAt = (index: number): string => String(caller.platform.products.idAt(index));
const readItems = async (query = '') => {
  const answer = await caller.send(couponsPath + query, { headers: { 'service-company-id': undefined } });
  return answer.body['items'] as { product_id: number | bigint; is_enabled: boolean }[];
};

describe('listing settings', () => {
  it('needs no company, and gives what somebody has set', async () => {
    const items = await readItems();
    expect(items).toHaveLength(16);
    expect(items.filter((item) => item.is_enabled)).toHaveLength(8);
  });

  it('filters by product and by setting', async () => {
    expect(await readItems(`?product_id=${idAt(25)}`)).toEqual([{ product_id: Number(idAt(25)), is_enabled: true }]);
    expect(await readItems(`?product_id=${idAt(26)}`)).toEqual([]);
    expect((await readItems('?is_enabled=false')).every((item) => !item.is_enabled)).toBe(true);
    expect(await readItems('?is_enabled=true')).toHaveLength(8);
    expect((await caller.send(`${couponsPath}?is_enabled=maybe`)).body).toMatchObject({
      code: 'unprocessable_entity',
      meta: [{ field: 'is_enabled' }],
    });
    expect((await caller.send(`${couponsPath}?product_id=x`)).status).toBe(422);
  });

  it('shows what somebody else has changed', async () => {
    caller.platform.changeCouponSetting(idAt(25), false);
    expect(await readItems(`?product_id=${idAt(25)}`)).toEqual([{ product_id: Number(idAt(25)), is_enabled: false }]);
    expect(caller.platform.effects()).toMatchObject([
      { productId: idAt(25), isEnabled: false, idempotencyKey: null, userId: null },
    ]);
  });
});

describe('updating settings', () => {
  it('answers 204 without a body, and the setting holds, to the last digit of the id', async () => {
    const answer = await caller.put(randomUUID(), [
      [idAt(96), true],
      [idAt(48), true],
      [idAt(0), false],
    ]);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const list = await caller.send(couponsPath);
    expect(list.text).toContain(`{"product_id":${2n ** 53n + 193n},"is_enabled":true}`);
    expect(list.text).toContain(`{"product_id":${2n ** 63n - 49n},"is_enabled":true}`);
    expect(caller.platform.couponSettings().get(idAt(0))).toBe(false);
  });

  it('logs each effect in order, with its key and its user', async () => {
    await caller.put('key-1', [
      [idAt(1), true],
      [idAt(1), false],
    ]);
    await caller.put('key-2', [[idAt(2), true]]);
    expect(
      caller.platform
        .effects()
        .map(({ order, productId, isEnabled, idempotencyKey, userId }) => [
          order,
          productId,
          isEnabled,
          idempotencyKey,
          userId,
        ]),
    ).toEqual([
      [1, idAt(1), true, 'key-1', '701'],
      [2, idAt(1), false, 'key-1', '701'],
      [3, idAt(2), true, 'key-2', '701'],
    ]);
  });

  it.each([
    ['{}', [['items', 'required']]],
    ['{"items":5}', [['items', 'array']]],
    ['{"items":[5]}', [['items.0', 'object']]],
    [
      '{"items":[{}]}',
      [
        ['items.0.product_id', 'required'],
        ['items.0.is_enabled', 'required'],
      ],
    ],
    ['{"items":[{"product_id":"1000001","is_enabled":true}]}', [['items.0.product_id', 'integer']]],
    ['{"items":[{"product_id":1.5,"is_enabled":true}]}', [['items.0.product_id', 'integer']]],
    ['{"items":[{"product_id":1000001,"is_enabled":1}]}', [['items.0.is_enabled', 'boolean']]],
    [
      '{"items":[{"product_id":1000001,"is_enabled":true},{"product_id":17,"is_enabled":true}]}',
      [['items.1.product_id', 'exists']],
    ],
    ['{"items":[{"product_id":9007199254740993,"is_enabled":true}]}', [['items.0.product_id', 'exists']]],
  ])('refuses %s, naming the fields, and applies none of it', async (body, problems) => {
    const answer = await caller.send(couponsPath, { method: 'PUT', key: randomUUID(), body });
    expect([answer.status, answer.body['code']]).toEqual([422, 'unprocessable_entity']);
    const meta = answer.body['meta'] as { field: string; validations: { type: string }[] }[];
    expect(meta.map(({ field, validations }) => [field, validations[0]?.type])).toEqual(problems);
    expect(caller.platform.effects()).toEqual([]);
  });

  it.each(['', 'null', '{"items":'])('refuses the body %j', async (body) => {
    const answer = await caller.send(couponsPath, { method: 'PUT', key: randomUUID(), body });
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_request']);
  });

  it('refuses a body beyond a mebibyte, and goes on serving', async () => {
    const answer = await caller.send(couponsPath, {
      method: 'PUT',
      key: randomUUID(),
      body: ' '.repeat(256 * 1024 + 1),
    });
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_request']);
    expect((await caller.list()).status).toBe(200);
  });

  it('is refused where the ERP settings have coupons off', async () => {
    const headers = { 'service-company-id': caller.platform.secondCompanyId };
    const answer = await caller.put(randomUUID(), [[idAt(0), true]], { headers });
    expect([answer.status, answer.body['code'], 'meta' in answer.body]).toEqual([422, 'uneditable_entity', false]);
    expect(caller.platform.effects()).toEqual([]);
  });

  it('needs the company, and permission there', async () => {
    const put = (companyId: string | undefined) =>
      caller.put(randomUUID(), [[idAt(0), true]], { headers: { 'service-company-id': companyId } });
    expect((await put(undefined)).body['code']).toBe('missing_headers');
    expect((await put(caller.platform.forbiddenCompanyId)).body['code']).toBe('forbidden');
  });

  it('does not find a product that was taken away', async () => {
    caller.platform.removeProduct(idAt(25));
    expect((await caller.put(randomUUID(), [[idAt(25), false]])).status).toBe(422);
    expect(await readItems(`?product_id=${idAt(25)}`)).toEqual([]);
  });
});

describe('idempotency (API v3 §8)', () => {
  it('rule 1: the key must be there, in any format (rule 2), of at most 100 characters', async () => {
    const without = await caller.put('', [[idAt(0), false]], { headers: { 'idempotency-key': undefined } });
    expect([without.status, without.body['code']]).toEqual([400, 'missing_headers']);
    const long = await caller.put('k'.repeat(101), [[idAt(0), false]]);
    expect([long.status, long.body]).toMatchObject([
      422,
      { meta: [{ field: 'Idempotency-Key', validations: [{ type: 'max_length', value: [100] }] }] },
    ]);
    expect(caller.platform.effects()).toEqual([]);
    expect((await caller.put('k'.repeat(100), [[idAt(0), false]])).status).toBe(204);
    expect((await caller.put('any words will do', [[idAt(0), true]])).status).toBe(204);
  });

  it('rules 3 to 5: the first answer comes again, and nothing is applied twice', async () => {
    const first = await caller.put('key', [[idAt(1), true]]);
    // Even where the second body differs.
    const second = await caller.put('key', [[idAt(1), false]]);
    expect(
      [first, second].map((answer) => [
        answer.status,
        answer.text,
        answer.headers.get('idempotency-key'),
        answer.headers.get('idempotency-replayed'),
      ]),
    ).toEqual([
      [204, '', 'key', 'false'],
      [204, '', 'key', 'true'],
    ]);
    expect(caller.platform.effects()).toHaveLength(1);
    expect(
      caller.platform
        .arrivals()
        .slice(-2)
        .map((arrival) => [arrival.idempotencyKey, arrival.status, arrival.isReplayed]),
    ).toEqual([
      ['key', 204, false],
      ['key', 204, true],
    ]);
  });

  it('rule 3: a refusal is kept as well, byte for byte', async () => {
    const first = await caller.put('key', [['17', true]]);
    const second = await caller.put('key', [[idAt(1), true]]);
    expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([422, first.text, 'true']);
    expect(second.headers.get('content-type')).toBe('application/json');
    expect(caller.platform.effects()).toEqual([]);
  });

  it.each([false, true])('rule 3: a server error is kept; its request took effect: %s', async (isEffectApplied) => {
    caller.platform.setFaults({ faults: [{ kind: 'answer', status: 500, method: 'PUT', times: 1, isEffectApplied }] });
    const answers = [await caller.put('key', [[idAt(1), true]]), await caller.put('key', [[idAt(1), true]])];
    expect(
      answers.map((answer) => [answer.status, answer.body['code'], answer.headers.get('idempotency-replayed')]),
    ).toEqual([
      [500, 'internal_server_error', 'false'],
      [500, 'internal_server_error', 'true'],
    ]);
    expect(caller.platform.effects()).toHaveLength(isEffectApplied ? 1 : 0);
    expect((await caller.put('another key', [[idAt(1), true]])).status).toBe(204);
  });

  it('rule 4: many at once with one key are applied once', async () => {
    caller.platform.setFaults({ latencyMs: 20, answerLatencyMs: 20 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.put('key', [[idAt(1), true]])));
    expect(answers.every((answer) => answer.status === 204)).toBe(true);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'false')).toHaveLength(1);
    expect(caller.platform.effects()).toHaveLength(1);
  });

  it('keeps the keys of each application apart', async () => {
    await caller.put('key', [[idAt(1), true]]);
    const { clientId, clientSecret } = caller.platform.otherClient;
    await caller.signIn({ client_id: clientId, client_secret: clientSecret });
    const answer = await caller.put('key', [[idAt(1), false]]);
    expect(answer.headers.get('idempotency-replayed')).toBe('false');
    expect(caller.platform.couponSettings().get(idAt(1))).toBe(false);
  });

  it('looked at first, keeps a 401 and a 429 under the key too', async () => {
    for (const status of [401, 429] as const) {
      const key = randomUUID();
      caller.platform.setFaults({ faults: [{ kind: 'answer', status, times: 1 }] });
      const answers = [await caller.put(key, [[idAt(1), true]]), await caller.put(key, [[idAt(1), true]])];
      expect(
        answers.map((answer) => [
          answer.status,
          answer.headers.get('idempotency-key'),
          answer.headers.get('idempotency-replayed'),
        ]),
      ).toEqual([
        [status, key, 'false'],
        [status, key, 'true'],
      ]);
    }
    const key = randomUUID();
    caller.platform.expireAccessTokens();
    expect((await caller.put(key, [[idAt(1), true]])).status).toBe(401);
    await caller.signIn();
    expect((await caller.put(key, [[idAt(1), true]])).status).toBe(401);
    expect(caller.platform.effects()).toEqual([]);
  });

  it.each([
    ['both', [401, 429]],
    ['unauthorized', [401]],
    ['tooMany', [429]],
    ['none', []],
  ] as const)(
    'keeps of 401 and 429 %s; the others come without headers and leave the key unspent',
    async (keptRefusals, kept) => {
      caller.platform.setVariants({ keptRefusals });
      for (const status of [401, 429] as const) {
        const key = randomUUID();
        caller.platform.setFaults({ faults: [{ kind: 'answer', status, times: 1 }] });
        const answers = [await caller.put(key, [[idAt(1), true]]), await caller.put(key, [[idAt(1), true]])];
        const isKept = (kept as readonly number[]).includes(status);
        expect(
          answers.map((answer) => [
            answer.status,
            answer.headers.get('idempotency-key'),
            answer.headers.get('idempotency-replayed'),
          ]),
        ).toEqual(
          isKept
            ? [
                [status, key, 'false'],
                [status, key, 'true'],
              ]
            : [
                [status, null, null],
                [204, key, 'false'],
              ],
        );
      }
      expect(caller.platform.effects()).toHaveLength(2 - kept.length);
    },
  );
});

describe('restoring a user (API v3 §4.8)', () => {
  const restore = (userId: string, key: string = randomUUID()) =>
    caller.send(`/api/v3/users/${userId}`, { method: 'POST', key });

  it('lets a deleted user sign in again, and answers the key again', async () => {
    const deleted = { username: 'estoquista@example.com', password: 'praticar-aqui-3' };
    expect((await caller.token(deleted)).status).toBe(401);
    const first = await restore('703', 'key');
    expect([first.status, first.text, first.headers.get('idempotency-replayed')]).toEqual([204, '', 'false']);
    expect((await restore('703', 'key')).headers.get('idempotency-replayed')).toBe('true');
    expect((await caller.token(deleted)).status).toBe(200);
  });

  it('is refused with 400 where another user has the e-mail', async () => {
    const answer = await restore('704');
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_request']);
  });

  it('is refused for one who is not deleted, and for nobody', async () => {
    expect((await restore('701')).status).toBe(422);
    expect((await restore('1')).status).toBe(404);
    expect((await caller.send('/api/v3/users/703', { method: 'POST' })).body['code']).toBe('missing_headers');
  });
});
