// The proof that what waits for the rate limit says so.
import { expect, test } from 'vitest';
import { maxWindowMs, personReserve, platformLimit } from '../../../app/rate-limit/rules.ts';
import { ownTurns, type Turns } from '../../../app/rate-limit/turns.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import { succeed, type Result } from '../../../app/domain/result.ts';
import type { CallOptions } from '../../../app/platform/client.ts';
import { enqueue, openShop, type Shop } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';

const minute = 60_000;

/** A reading that waits for its slot, as the client's does. */
const readBySlot =
  (shop: Shop) =>
  async ({ lane, signal, onLeaving }: CallOptions): Promise<Result<never[], Failure>> => {
    const slot = await shop.rateLimit.take(lane, signal);
    if (!slot.ok) {
      return slot;
    }
    onLeaving?.();
    slot.value.settle();
    return succeed([]);
  };

test('a full rate limit is said, and waited for', async () => {
  const shop = await openShop();
  for (let taken = 0; taken < platformLimit; taken += 1) {
    const slot = await shop.rateLimit.take('session');
    expect(slot.ok).toBe(true);
    if (slot.ok) {
      slot.value.settle();
    }
  }
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ pending: 1, heldBy: 'rateLimit' });
  await shop.clock.advance(minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, heldBy: null });
});

test.each([130_000, maxWindowMs])(
  "one request in %i ms: what must be read first leaves with the slot after the reading's",
  async (windowMs) => {
    const shop = await openShop(undefined, undefined, { limit: 1, windowMs, reserve: 0 });
    await enqueue(shop, '1');
    endCall(shop.connection, { kind: 'unreachable' });
    await enqueue(shop, '2');
    shop.readings.push(...Array.from({ length: 20 }, () => readBySlot(shop)));
    endCall(shop.connection, null);
    await shop.clock.advance(2 * windowMs + minute);
    expect(shop.counts.reads).toBe(1);
    expect(shop.sent).toHaveLength(2);
    expect(shop.queue.state().delivered).toBe(2);
  },
);

test('a rest that is asked for while the rate limit is waited for is kept', async () => {
  const shop = await openShop();
  shop.rateLimit.slowDown(30_000);
  await enqueue(shop, '1');
  await shop.clock.advance(29_000);
  shop.queue.rest(8_000);
  await enqueue(shop, '2');
  await shop.clock.advance(7_000);
  expect(shop.sent).toEqual([]);
  expect(shop.rateLimit.state().used).toBe(0);
  await shop.clock.advance(2_000);
  expect(shop.queue.state()).toMatchObject({ delivered: 2, heldBy: null });
});

test("a pause after another one's 429 is said at once, with its end", async () => {
  const shop = await openShop();
  shop.rateLimit.slowDown(30_000);
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ pending: 1, heldBy: 'rateLimit', nextTryAt: shop.clock.now() + 30_000 });
  await shop.clock.advance(10_000);
  // Longer still, while it waits for its turn.
  shop.rateLimit.slowDown(60_000);
  expect(shop.queue.state()).toMatchObject({ heldBy: 'rateLimit', nextTryAt: shop.clock.now() + 60_000 });
  await shop.clock.advance(2 * minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, heldBy: null, nextTryAt: null });
});

test('full but for the slots that are kept for a person, it is said as well', async () => {
  const shop = await openShop();
  while (shop.rateLimit.state().used < platformLimit - personReserve) {
    const slot = await shop.rateLimit.take('catalogue');
    if (slot.ok) {
      slot.value.settle();
    }
  }
  // B3: one of those is the queue's as long as it holds none.
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ delivered: 1, heldBy: null });
  await enqueue(shop, '2');
  expect(shop.queue.state()).toMatchObject({ pending: 1, heldBy: 'rateLimit' });
  await shop.clock.advance(minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 2, heldBy: null });
});

test.each([
  ['to send', true],
  ['to read what the platform has first', false],
])('a turn %s that other tills leave nobody for more than a second is told', async (_what, isSeenFresh) => {
  const others = { leaveNone: true };
  const turns: Turns = { ...ownTurns, next: (...asked) => (others.leaveNone ? undefined : ownTurns.next(...asked)) };
  const shop = await openShop(undefined, undefined, undefined, undefined, turns);
  shop.readings.push(readBySlot(shop));
  if (!isSeenFresh) {
    endCall(shop.connection, { kind: 'unreachable' });
  }
  await enqueue(shop, '1');
  endCall(shop.connection, null);
  await shop.clock.advance(999);
  expect(shop.queue.state()).toMatchObject({ pending: 1 });
  expect(shop.queue.state().heldBy).not.toBe('rateLimit');
  await shop.clock.advance(1);
  expect(shop.queue.state()).toMatchObject({ pending: 1, heldBy: 'rateLimit', nextTryAt: null });
  others.leaveNone = false;
  shop.rateLimit.reconsider();
  await shop.clock.advance(0);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, heldBy: null });
  expect(shop.counts.reads).toBe(isSeenFresh ? 0 : 1);
});
