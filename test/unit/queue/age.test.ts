// The proof that an old update asks before it is sent (Q9), once, and that nothing else waits for the answer.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { limitsOf } from '../../../app/queue/repository.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { enqueue, openShop, signed, silence, type Shop } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';

const hour = 3_600_000;

const rowsOf = (shop: Shop) => shop.repository.history.list([], 0, 100).rows;

/** A shop whose network has been away for so long since an update of product 1 was made. */
async function openAfter(hours: number, askAfterHours = 72): Promise<Shop> {
  const shop = await openShop();
  shop.limits = limitsOf({ historyDays: 30, askAfterHours });
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1');
  await shop.clock.advance(hours * hour);
  return shop;
}

async function returnOfNetwork(shop: Shop): Promise<void> {
  endCall(shop.connection, null);
  await settlePromises();
}

test('older than the limit, it is parked just before it would be sent, no sooner; the others go', async () => {
  const shop = await openAfter(73);
  await enqueue(shop, '2');
  expect(rowsOf(shop).map(({ state }) => state)).toEqual(['pending', 'pending']);
  await returnOfNetwork(shop);
  expect(rowsOf(shop)).toMatchObject([
    { subject_id: '2', state: 'delivered' },
    { subject_id: '1', state: 'parked', parked_because: 'old', failure: null },
  ]);
});

test('younger than the limit, it goes', async () => {
  const shop = await openAfter(71);
  await returnOfNetwork(shop);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, parked: 0 });
});

test('with the limit 0, none ever asks', async () => {
  const shop = await openAfter(2000, 0);
  await returnOfNetwork(shop);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, parked: 0 });
});

test('retried, it goes without asking again, however late, after a reading of what the platform has now', async () => {
  const shop = await openAfter(73);
  await returnOfNetwork(shop);
  const { reads } = shop.counts;
  endCall(shop.connection, { kind: 'unreachable' });
  expect(shop.queue.retry(rowsOf(shop)[0]?.id ?? 0).ok).toBe(true);
  await shop.clock.advance(100 * hour);
  await returnOfNetwork(shop);
  expect(shop.counts.reads).toBe(reads + 1);
  expect(rowsOf(shop)).toMatchObject([{ state: 'delivered' }]);
});

test('retried, it is still no reason to undo what somebody else has set since', async () => {
  const shop = await openAfter(73);
  // The setting seen when the switch was moved: off. Since then, somebody has taken it on and it was wanted on: that is
  // no conflict.
  shop.readings.push(succeed([]), succeed([{ productId: '1' as Id, isEnabled: true }]));
  await returnOfNetwork(shop);
  expect(rowsOf(shop)).toMatchObject([{ parked_because: 'old' }]);
  shop.readings.length = 0;
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: true }]));
  shop.queue.retry(rowsOf(shop)[0]?.id ?? 0);
  await settlePromises();
  expect(shop.sent).toEqual([]);
  expect(rowsOf(shop)).toMatchObject([{ state: 'delivered' }]);
});

test('the switch moved again is a new update, and the old one asks no more', async () => {
  const shop = await openAfter(73);
  await returnOfNetwork(shop);
  await enqueue(shop, '1');
  expect(rowsOf(shop)).toMatchObject([{ state: 'delivered' }, { state: 'superseded' }]);
});

test('Q9: the switch moved again after one that asks and may have been done finds no conflict with it', async () => {
  const shop = await openShop();
  shop.limits = limitsOf({ historyDays: 30, askAfterHours: 1 });
  shop.replies.push(silence);
  await enqueue(shop, '1');
  endCall(shop.connection, { kind: 'unreachable' });
  await shop.clock.advance(13 * hour);
  await returnOfNetwork(shop);
  expect(rowsOf(shop)).toMatchObject([{ state: 'parked', parked_because: 'old', attempts: 1 }]);
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: true }]));
  endCall(shop.connection, { kind: 'unreachable' });
  shop.queue.enqueue('1' as Id, false, false);
  await returnOfNetwork(shop);
  expect(rowsOf(shop)).toMatchObject([{ state: 'delivered', is_enabled: 0, attempts: 1 }, { state: 'superseded' }]);
});

test('sealed and unanswered, it is no longer a question: its key and bytes are sent again', async () => {
  const shop = await openShop();
  shop.limits = limitsOf({ historyDays: 30, askAfterHours: 1 });
  shop.replies.push(silence);
  await enqueue(shop, '1');
  await shop.clock.advance(2 * hour);
  await returnOfNetwork(shop);
  expect(rowsOf(shop)).toMatchObject([{ state: 'delivered' }]);
  expect(new Set(shop.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('a clock that is set makes nothing old, and nothing young', async () => {
  for (const days of [-100, 100]) {
    const young = await openAfter(1);
    young.clock.jumpWall(days * 24 * hour);
    await returnOfNetwork(young);
    expect(young.queue.state()).toMatchObject({ delivered: 1, parked: 0 });
    const old = await openAfter(73);
    old.clock.jumpWall(days * 24 * hour);
    await returnOfNetwork(old);
    expect(old.queue.state()).toMatchObject({ delivered: 0, parked: 1 });
  }
});

test('a restoration asks as well', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  shop.queue.restoreUser('703' as Id);
  await shop.clock.advance(73 * hour);
  shop.replies.push(signed(204));
  await returnOfNetwork(shop);
  expect(rowsOf(shop)).toMatchObject([{ kind: 'restoreUser', parked_because: 'old' }]);
  expect(shop.sent).toEqual([]);
});
