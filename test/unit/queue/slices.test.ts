// The proof that long work on many updates goes in slices, between which everything else has its turn and nothing is
// sealed that was not compared.
import { expect, test } from 'vitest';
import { succeed } from '../../../app/domain/result.ts';
import { changedAtOnce, limitsOf } from '../../../app/queue/repository.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { ana, openShop, type Shop } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';
import { asking } from './repository-rows.ts';

const hour = 3_600_000;

async function openWith(
  updates: number,
  now?: (shop: Shop) => number,
): Promise<{ shop: Shop; ownerId: number; step: (ms?: number) => Promise<void> }> {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  const ownerId = shop.repository.ownerId(ana);
  shop.database.transaction(() => {
    for (let product = 1; product <= updates; product += 1) {
      shop.repository.enqueue(
        asking(ownerId, String(product), { isSeenFresh: false, now: now?.(shop) ?? shop.clock.now() }),
      );
    }
  });
  return { shop, ownerId, step: (ms = 0) => shop.clock.advance(ms) };
}

test('many updates are compared slice by slice, and none is sealed before all were', async () => {
  const { shop, ownerId, step } = await openWith(2 * changedAtOnce + 200);
  const compared = () =>
    shop.database.prepare('SELECT 1 FROM updates WHERE owner_id = ? AND checked_steady_ms IS NOT NULL').all(ownerId)
      .length;
  shop.readings.push(succeed([]));
  endCall(shop.connection, null);
  await settlePromises();
  expect([compared(), shop.sent.length]).toEqual([changedAtOnce, 0]);
  // One that is made meanwhile is newer than the reading: it has one of its own.
  expect(shop.repository.enqueue(asking(ownerId, '9999', { isSeenFresh: false, now: shop.clock.now() }))).toBe(true);
  await step();
  expect(shop.counts.reads).toBe(2);
  expect(shop.repository.history.list(['delivered'], 0, 1).total).toBe(2 * changedAtOnce + 201);
  expect(shop.sent.map((sending) => (JSON.parse(sending.body) as { items: unknown[] }).items.length)).toEqual([
    ...Array.from({ length: 12 }, () => 100),
    1,
  ]);
});

test('a terminal that closes between two slices compares no more, and sends nothing', async () => {
  const { shop, ownerId } = await openWith(2 * changedAtOnce + 200);
  endCall(shop.connection, null);
  await settlePromises();
  await shop.queue.close();
  expect(
    shop.database.prepare('SELECT 1 FROM updates WHERE owner_id = ? AND checked_steady_ms IS NOT NULL').all(ownerId),
  ).toHaveLength(changedAtOnce);
  expect(shop.sent).toEqual([]);
});

test('many old updates are parked slice by slice', async () => {
  const { shop, step } = await openWith(changedAtOnce + 1, ({ clock }) => clock.now() - 2 * hour);
  shop.limits = limitsOf({ historyDays: 30, askAfterHours: 1 });
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.queue.state().parked).toBe(changedAtOnce);
  await step();
  expect(shop.queue.state()).toMatchObject({ parked: changedAtOnce + 1, pending: 0 });
  expect(shop.sent).toEqual([]);
});
