// The proof that a restoration of a user (API v3 §4.8) goes through the queue as a coupon does, but alone, and that one
// that may have been done is never sent again under another key before a person says so (Q8, Q11).
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import { checksumOf, requestChecksum } from '../../../app/queue/rows.ts';
import { dispositionOf, type Sent } from '../../../app/queue/disposition.ts';
import { maxQueueLength } from '../../../app/queue/capacity.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { ana, bia, enqueue, keysOf, openShop, signed, silence, unsigned, type Shop } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';

const minute = 60_000;
const hour = 60 * minute;
const single: Sent = {
  kind: 'restoreUser',
  size: 1,
  subjects: ['703' as Id],
  unechoed: 0,
  isRepeated: false,
  isInDoubt: false,
  earlierTries: 0,
};
const notFound = signed(404, '{"code":"not_found"}');
const emailTaken = signed(400, '{"code":"bad_request","message":"made-up reason"}');

async function restore(shop: Shop, user: string): Promise<void> {
  expect(shop.queue.restoreUser(user as Id)).toEqual({ ok: true, value: undefined });
  await settlePromises();
}

function answer(status: number, more: { readonly echo?: 'ours' | 'none' | 'other' } = {}) {
  const failure: Failure = { kind: 'refused', status };
  return { kind: 'answer' as const, status, echo: more.echo ?? ('ours' as const), isPage: false, failure };
}

const rowsOf = (shop: Shop) => shop.repository.history.list([], 0, 100).rows;

test('it is a POST with the user in its path, an empty object and a key, and needs no reading', async () => {
  const shop = await openShop();
  await restore(shop, '9007199254740993');
  expect(shop.sent).toMatchObject([
    { method: 'POST', path: '/api/v3/users/9007199254740993', body: '{}', idempotencyKey: expect.any(String) },
  ]);
  expect(shop.counts.reads).toBe(0);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, pending: 0 });
});

test.each([200, 201, 204])('%i is delivered, and confirms no coupon', async (status) => {
  const shop = await openShop();
  shop.replies.push(signed(status));
  await restore(shop, '703');
  expect(rowsOf(shop)).toMatchObject([{ state: 'delivered', kind: 'restoreUser' }]);
  expect(shop.database.prepare('SELECT * FROM confirmed_settings').all()).toEqual([]);
});

test.each([
  ['the e-mail is taken', emailTaken, 400],
  ['nobody is there', notFound, 404],
  ['it is invalid', signed(422), 422],
  ['it is not allowed', signed(403), 403],
] as const)("refused because %s: parked with the platform's reason", async (_why, reply, status) => {
  const shop = await openShop();
  shop.replies.push(reply);
  await restore(shop, '703');
  const [row] = rowsOf(shop);
  expect(row).toMatchObject({ state: 'parked', parked_because: 'refused' });
  expect(JSON.parse(row?.failure ?? '')).toMatchObject({ status });
  expect(shop.sent).toHaveLength(1);
});

test.each([500, 503, 409, 302])(
  'Q11: answered with %i, it may be done: it is not sent again until a person says so',
  async (status) => {
    const shop = await openShop();
    shop.replies.push(signed(status), notFound);
    await restore(shop, '703');
    await shop.clock.advance(hour);
    expect(shop.sent).toHaveLength(1);
    expect(rowsOf(shop)).toMatchObject([{ state: 'parked', parked_because: 'maybeDone', is_in_doubt: 1 }]);

    // A person tries again: what is refused then may be refused because it was done.
    expect(shop.queue.retry(rowsOf(shop)[0]?.id ?? 0).ok).toBe(true);
    await settlePromises();
    expect(new Set(keysOf(shop)).size).toBe(2);
    expect(rowsOf(shop)).toMatchObject([
      { state: 'parked', parked_because: 'maybeDone', failure: expect.stringContaining('404') as string },
    ]);
    expect(shop.counts.reads).toBe(0);
  },
);

test.each([401, 429])(
  'Q11: no answer, then a %i that names the key says nothing of the first sending: a person decides',
  async (status) => {
    const shop = await openShop();
    shop.replies.push(silence, signed(status));
    await restore(shop, '703');
    await shop.clock.advance(minute);
    endCall(shop.connection, null);
    await shop.clock.advance(hour);
    expect(new Set(keysOf(shop)).size).toBe(1);
    expect(rowsOf(shop)).toMatchObject([{ state: 'parked', parked_because: 'maybeDone' }]);
  },
);

test('Q11: another restoration waits after a 5xx, as it does after any trouble of the platform', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await restore(shop, '703');
  await restore(shop, '704');
  shop.replies.push(signed(500));
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.sent).toHaveLength(1);
  await shop.clock.advance(minute);
  expect(shop.sent).toHaveLength(2);
});

test('the doubt outlives a restart', async () => {
  const shop = await openShop();
  shop.replies.push(signed(503));
  await restore(shop, '703');
  shop.stop();
  const next = await openShop(
    shop.directory,
    createManualClock({ now: shop.clock.now(), uptimeMs: shop.clock.uptimeMs() + 1_000_000 }),
  );
  await next.clock.advance(2 * minute);
  expect(next.sent).toEqual([]);
  expect(rowsOf(next)).toMatchObject([{ parked_because: 'maybeDone', is_in_doubt: 1 }]);
});

test('no answer, then refused under the same key (API v3 §8 rule 4): nothing is in doubt', async () => {
  const shop = await openShop();
  shop.replies.push(silence, notFound);
  await restore(shop, '703');
  await shop.clock.advance(minute);
  endCall(shop.connection, null);
  await settlePromises();
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(rowsOf(shop)).toMatchObject([{ parked_because: 'refused' }]);
});

test('Q11: no answer for longer than a key is trusted: a person decides', async () => {
  const shop = await openShop();
  shop.replies.push(silence);
  await restore(shop, '703');
  await shop.clock.advance(13 * hour);
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.sent).toHaveLength(1);
  expect(rowsOf(shop)).toMatchObject([{ parked_because: 'maybeDone' }]);
});

test('sealed but never sent, it may still go however late, under its key and beyond doubt', async () => {
  const shop = await openShop();
  shop.owner = null;
  const ownerId = shop.repository.ownerId(ana);
  shop.repository.enqueueRestoration({ ownerId, userId: '703' as Id, now: shop.clock.now() });
  const request = shop.repository.seal(ownerId, 'first', shop.clock.now());
  expect(shop.repository.nextWork(ownerId, shop.clock.now() + 20 * hour)).toEqual({ resend: request });
});

test('401 renews the sign-in and 429 waits: nothing is parked', async () => {
  const shop = await openShop();
  shop.replies.push(signed(401), signed(429, '', { 'retry-after': '7' }));
  await restore(shop, '703');
  expect(shop.counts.renewals).toBe(1);
  await shop.clock.advance(2 * minute);
  expect(new Set(keysOf(shop)).size).toBe(3);
  expect(rowsOf(shop)).toMatchObject([{ state: 'delivered', is_in_doubt: 0 }]);
});

test('a second one for a user while one waits or is under way is the same; a parked one is tried again', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await restore(shop, '703');
  await restore(shop, '703');
  expect(rowsOf(shop)).toHaveLength(1);
  shop.replies.push(silence, emailTaken);
  endCall(shop.connection, null);
  await settlePromises();
  expect(rowsOf(shop)).toMatchObject([{ state: 'sealed' }]);
  await restore(shop, '703');
  await shop.clock.advance(minute);
  endCall(shop.connection, null);
  await settlePromises();
  expect(rowsOf(shop)).toMatchObject([{ state: 'parked' }]);
  await restore(shop, '703');
  expect(rowsOf(shop)).toMatchObject([{ state: 'delivered' }]);
  // A finished restoration stays finished: asked again, it is a new one.
  await restore(shop, '703');
  expect(rowsOf(shop)).toHaveLength(2);
});

test('Q8: each is alone in its request, and one bad one of either kind holds back none of the others', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await restore(shop, '701');
  await enqueue(shop, '1');
  await restore(shop, '702');
  await enqueue(shop, '702');
  shop.replies.push(
    ...Array.from(
      { length: 30 },
      () => (sending: Parameters<typeof notFound>[0]) => signed(sending.path.endsWith('/701') ? 500 : 204)(sending),
    ),
  );
  endCall(shop.connection, null);
  await shop.clock.advance(minute);
  expect(shop.sent.filter(({ method }) => method === 'POST').every(({ body }) => body === '{}')).toBe(true);
  expect(
    shop.sent
      .filter(({ method }) => method === 'PUT')
      .map(({ body }) => [...body.matchAll(/"product_id":(\d+)/g)].map((match) => match[1])),
  ).toEqual([['1', '702']]);
  expect(rowsOf(shop).map(({ kind, subject_id: subject, state }) => `${kind} ${subject} ${state}`)).toEqual([
    'coupon 702 delivered',
    'restoreUser 702 delivered',
    'coupon 1 delivered',
    'restoreUser 701 parked',
  ]);
});

test('Q3: one request at a time for a company, across both kinds', async () => {
  const shop = await openShop();
  shop.replies.push(silence);
  await restore(shop, '703');
  await enqueue(shop, '1');
  expect(rowsOf(shop).map(({ state }) => state)).toEqual(['pending', 'sealed']);
  expect(shop.database.prepare('SELECT count(*) AS total FROM requests WHERE is_open = 1').get()).toEqual({ total: 1 });
});

test('a product and a user of the same number have nothing to do with each other', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '5');
  await restore(shop, '5');
  await enqueue(shop, '5', false);
  expect(rowsOf(shop).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'coupon pending',
    'restoreUser pending',
    'coupon superseded',
  ]);
  expect(shop.repository.openOfProduct(shop.repository.ownerId(ana), '5' as Id)?.kind).toBe('coupon');
  expect(shop.repository.openCoupons(shop.repository.ownerId(ana))).toHaveLength(1);
});

test('it waits for its own user', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await restore(shop, '703');
  shop.owner = bia;
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.sent).toEqual([]);
  expect(shop.queue.state()).toMatchObject({ heldBy: 'otherUser', ofOthers: { count: 1, emails: [ana.email] } });
  shop.owner = null;
  expect(shop.queue.restoreUser('703' as Id)).toEqual({ ok: false, failure: { kind: 'signInNeeded' } });
});

test('a full queue refuses it in words', async () => {
  const shop = await openShop();
  shop.owner = null;
  const ownerId = shop.repository.ownerId(ana);
  shop.database.transaction(() => {
    for (let user = 1; user <= maxQueueLength; user += 1) {
      expect(shop.repository.enqueueRestoration({ ownerId, userId: String(user) as Id, now: shop.clock.now() })).toBe(
        true,
      );
    }
  });
  expect(shop.repository.enqueueRestoration({ ownerId, userId: '99999' as Id, now: shop.clock.now() })).toBe(false);
  expect(shop.repository.enqueueRestoration({ ownerId, userId: '7' as Id, now: shop.clock.now() })).toBe(true);
});

test.each([
  "UPDATE updates SET kind = 'coupon' WHERE id = 1",
  "UPDATE updates SET subject_id = '704' WHERE id = 1",
  'UPDATE updates SET created_at = created_at + 1 WHERE id = 1',
])('Q6: altered while it waits, it is parked as damaged and never sent: %s', async (damage) => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await restore(shop, '703');
  expect(shop.database.prepare(damage).run().changes).toBe(1);
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.sent).toEqual([]);
  expect(rowsOf(shop)).toMatchObject([{ parked_because: 'damaged' }]);
  // Asked for once more, it is a new and sound one.
  await restore(shop, '703');
  expect(shop.sent).toMatchObject([{ path: '/api/v3/users/703' }]);
});

test.each([
  "UPDATE requests SET path = '/api/v3/users/704'",
  "UPDATE requests SET method = 'PUT'",
  "UPDATE requests SET body = '{ }'",
  "UPDATE requests SET method = 'PUT', path = '/api/v3/products/consumption-coupons'",
])('Q6, Q11: an altered request of one is never sent, and a person decides on sealing it anew: %s', async (damage) => {
  const shop = await openShop();
  shop.replies.push(silence);
  await restore(shop, '703');
  expect(shop.database.prepare(damage).run().changes).toBe(1);
  await shop.clock.advance(minute);
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.sent).toHaveLength(1);
  expect(rowsOf(shop)).toMatchObject([{ parked_because: 'maybeDone' }]);
  shop.queue.retry(rowsOf(shop)[0]?.id ?? 0);
  // The first request has time to arrive.
  await shop.clock.advance(2 * minute);
  expect(shop.sent.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
    'POST /api/v3/users/703 {}',
    'POST /api/v3/users/703 {}',
  ]);
  expect(new Set(keysOf(shop)).size).toBe(2);
});

test('what follows from an answer is decided for every status, echo and doubt', () => {
  for (let status = 100; status < 600; status += 1) {
    for (const echo of ['ours', 'none', 'other'] as const) {
      for (const unechoed of [0, 2, 3]) {
        for (const isRepeated of [false, true]) {
          for (const isInDoubt of [false, true]) {
            const disposition = dispositionOf(answer(status, { echo }), { ...single, unechoed, isRepeated, isInDoubt });
            expect(['delivered', 'sendAgain', 'sealAnew', 'parkAll', 'parkMaybeDone']).toContain(disposition.step);
            if (echo === 'ours' && [401, 407, 408, 409, 425, 429, 500, 502, 503, 504].includes(status)) {
              expect(disposition.step, 'trouble parks nothing').toBe('sealAnew');
            }
            if (disposition.step === 'parkMaybeDone') {
              expect(isInDoubt || (isRepeated && echo !== 'ours')).toBe(true);
              expect(status >= 400 && status < 500).toBe(true);
            }
          }
        }
      }
    }
  }
  // A coupon is never told so: what the platform has of it can be read.
  expect(dispositionOf(answer(404), { ...single, kind: 'coupon', isInDoubt: true })).toEqual({ step: 'parkAll' });
  // Refused by nobody knows whom three times, after which the key is given up.
  expect(dispositionOf(answer(404, { echo: 'none' }), { ...single, unechoed: 3, isRepeated: true })).toEqual({
    step: 'parkMaybeDone',
  });
});

test('a refusal that nobody signed keeps the key until other calls have succeeded in between', async () => {
  const shop = await openShop();
  shop.replies.push(unsigned(404), unsigned(404), unsigned(404), unsigned(404));
  await restore(shop, '703');
  await shop.clock.advance(10 * minute);
  expect(keysOf(shop)).toHaveLength(4);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(rowsOf(shop)).toMatchObject([{ parked_because: 'maybeDone' }]);
});

test('a request’s checksum covers its method and path; a coupon request’s is that of the first version', () => {
  const coupon = {
    owner_id: 1,
    idempotency_key: 'key',
    method: 'PUT' as const,
    path: '/api/v3/products/consumption-coupons',
    body: '{}',
  };
  expect(requestChecksum(coupon)).toBe(checksumOf([1, 'key', '{}']));
  const others = [
    { ...coupon, method: 'POST' as const },
    { ...coupon, path: '/api/v3/users/703' },
    { ...coupon, method: 'POST' as const, path: '/api/v3/users/703' },
    { ...coupon, method: 'POST' as const, path: '/api/v3/users/704' },
  ];
  expect(new Set([coupon, ...others].map(requestChecksum)).size).toBe(5);
});
