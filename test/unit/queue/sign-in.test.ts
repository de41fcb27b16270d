// The proof of what the queue's engine does when a token is refused, a sign-in ends, or another user signs in.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { ana, bia, enqueue, keysOf, openShop, signed, unsigned, type Reply } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';
import { asking } from './repository-rows.ts';

const minute = 60_000;

test('401: one renewal, the same bytes, no waiting, and never parked', async () => {
  const shop = await openShop();
  shop.replies.push(unsigned(401));
  await enqueue(shop, '1');
  expect(shop.sent.map((sending) => sending.accessToken)).toEqual(['token-0', 'token-1']);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(shop.counts).toEqual({ reads: 0, renewals: 1 });
  expect(shop.queue.state().delivered).toBe(1);
});

test('401 that the platform has stored under the key: a new key after the renewal', async () => {
  const shop = await openShop();
  shop.replies.push(signed(401));
  await enqueue(shop, '1');
  await shop.clock.advance(minute);
  expect(new Set(keysOf(shop)).size).toBe(2);
  expect(shop.queue.state().delivered).toBe(1);
});

test('401 that is replayed without its echo: the key is given up in the end', async () => {
  const shop = await openShop();
  let first: string | null = null;
  shop.replies.push(
    ...Array.from({ length: 20 }, (): Reply => (sending) => {
      first ??= sending.idempotencyKey;
      return sending.idempotencyKey === first ? succeed({ status: 401, headers: {}, body: '' }) : signed(204)(sending);
    }),
  );
  await enqueue(shop, '1');
  await shop.clock.advance(15 * minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, parked: 0 });
});

test('an ended sign-in holds everything and parks nothing; the same user signing in again sends it', async () => {
  const shop = await openShop();
  shop.replies.push(unsigned(401));
  shop.renewal = fail({ kind: 'signInNeeded' });
  await enqueue(shop, '1');
  await shop.clock.advance(30 * minute);
  expect(shop.queue.state()).toMatchObject({ pending: 1, inFlight: 0, parked: 0, heldBy: 'signIn' });
  expect(shop.sent).toHaveLength(1);
  shop.token = succeed('token-9');
  shop.queue.resume();
  await settlePromises();
  expect(shop.sent[1]).toMatchObject({ accessToken: 'token-9', idempotencyKey: shop.sent[0]?.idempotencyKey });
  expect(shop.queue.state().delivered).toBe(1);
});

test.each(['vaultLocked', 'vaultUnavailable'] as const)('%s waits for a person like a sign-in', async (kind) => {
  const shop = await openShop();
  shop.token = fail({ kind });
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ pending: 1, heldBy: 'signIn' });
});

test("another user's sign-in sends nothing of the first one's, also while a slot is waited for", async () => {
  const shop = await openShop();
  shop.rateLimit.slowDown(10_000);
  await enqueue(shop, '1');
  shop.owner = bia;
  shop.queue.resume();
  await shop.clock.advance(minute);
  expect(shop.sent).toHaveLength(0);
  expect(shop.queue.state()).toMatchObject({
    pending: 0,
    heldBy: 'otherUser',
    ofOthers: { count: 1, emails: [ana.email] },
  });
  expect(shop.rateLimit.state().used).toBe(0);
  shop.owner = ana;
  shop.queue.resume();
  await shop.clock.advance(5 * minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 1 });
});

test('nobody signed in: nothing is accepted, and what waits says so', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1');
  shop.owner = null;
  expect(shop.queue.enqueue('2' as Id, true, false)).toEqual({ ok: false, failure: { kind: 'signInNeeded' } });
  expect(shop.queue.state()).toMatchObject({ heldBy: 'signIn', ofOthers: { count: 1 } });
});

test('a user who changes twice, during a reading and a wait for a slot, lends no token to the other', async () => {
  const shop = await openShop();
  // A failure that may be a middlebox's: before the next sending the settings are read.
  shop.replies.push(unsigned(500));
  shop.readings.push((options) => {
    expect(options.user).toBe(ana.email);
    shop.owner = bia;
    return Promise.resolve(succeed([]));
  });
  await enqueue(shop, '1');
  let handedOut = 0;
  Object.defineProperty(shop, 'token', {
    get: () => {
      handedOut += 1;
      const text = shop.owner === bia ? "bia's" : "ana's";
      queueMicrotask(() => {
        shop.owner = ana;
      });
      return succeed(text);
    },
  });
  await shop.clock.advance(minute);
  expect(handedOut).toBeGreaterThan(1);
  expect(shop.sent.map(({ accessToken, user }) => [accessToken, user])).toEqual([
    ['token-0', ana.email],
    ["ana's", ana.email],
  ]);
  expect(shop.queue.state().delivered).toBe(1);
});

test('a reading that did not leave because the user has changed holds nobody up', async () => {
  const shop = await openShop();
  shop.readings.push(() => {
    shop.owner = bia;
    return Promise.resolve(fail({ kind: 'userChanged' }));
  });
  shop.repository.enqueue(asking(shop.repository.ownerId(bia), '2', { now: shop.clock.now() }));
  shop.repository.enqueue(asking(shop.repository.ownerId(ana), '1', { isSeenFresh: false, now: shop.clock.now() }));
  shop.queue.resume();
  await settlePromises();
  expect(shop.sent.map(({ user, body }) => [user, body])).toEqual([
    [bia.email, '{"items":[{"product_id":2,"is_enabled":true}]}'],
  ]);
  shop.owner = ana;
  shop.queue.resume();
  await settlePromises();
  expect(shop.sent.map(({ user }) => user)).toEqual([bia.email, ana.email]);
});
