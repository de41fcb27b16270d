// The proof of what the queue's engine does through an outage, and of what it reads and compares before it sends what
// was made meanwhile.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { freshForMs } from '../../../app/queue/repository.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { enqueue, lost, openShop, unsigned } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';

const minute = 60_000;

test('an outage of eleven hours costs no key, parks nothing, and the queue drains when it is over', async () => {
  const shop = await openShop();
  shop.replies.push(...Array.from({ length: 5_000 }, () => lost));
  for (const product of ['1', '2', '3']) {
    await enqueue(shop, product);
  }
  for (let hour = 0; hour < 11; hour += 1) {
    await shop.clock.advance(60 * minute);
    endCall(shop.connection, null);
    await settlePromises();
  }
  shop.replies.length = 0;
  endCall(shop.connection, null);
  await shop.clock.advance(5 * minute);
  expect(shop.queue.state()).toMatchObject({ pending: 0, inFlight: 0, parked: 0, delivered: 3, heldBy: null });
});

test('offline: nothing is tried; what was made offline is read for before it is sent', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1');
  await enqueue(shop, '2');
  await shop.clock.advance(60 * minute);
  expect(shop.queue.state()).toMatchObject({ pending: 2, heldBy: 'offline' });
  expect([shop.counts.reads, shop.sent.length]).toEqual([0, 0]);
  endCall(shop.connection, null);
  await settlePromises();
  expect([shop.counts.reads, shop.sent.length]).toEqual([1, 1]);
  expect(shop.queue.state().delivered).toBe(2);
});

test('a conflict waits for a person, and holds nothing else back', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1', true);
  await enqueue(shop, '1', false);
  await enqueue(shop, '2', true);
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: true }]));
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.queue.state()).toMatchObject({ parked: 1, delivered: 1 });
  const [parked] = shop.repository.history.list(['parked'], 0, 1).rows;
  expect(parked).toMatchObject({ subject_id: '1', parked_because: 'conflict', theirs: 1 });
  expect(shop.queue.retry(parked?.id ?? 0)).toMatchObject({ ok: true });
  await settlePromises();
  expect(shop.sent.at(-1)?.body).toBe('{"items":[{"product_id":1,"is_enabled":false}]}');
});

test('an older update in doubt is not overtaken by a newer one that the reading seems to confirm', async () => {
  const shop = await openShop();
  shop.replies.push(unsigned(500));
  await enqueue(shop, '1', true);
  // Off again, while the first one's fate is unknown; by the time of the reading it has not happened yet.
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1', false);
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: false }]));
  // The network is back, and nothing has succeeded yet.
  endCall(shop.connection, { kind: 'unauthorized', status: 401 });
  await shop.clock.advance(5 * minute);
  expect(shop.sent).toHaveLength(3);
  expect(shop.sent.at(-1)?.body).toBe('{"items":[{"product_id":1,"is_enabled":false}]}');
  expect(shop.queue.state()).toMatchObject({ pending: 0, inFlight: 0 });
});

test('a slow reading says nothing of an update that was accepted after it left', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1');
  const answer = Promise.withResolvers<ReturnType<typeof succeed<{ productId: Id; isEnabled: boolean }[]>>>();
  shop.readings.push(answer.promise);
  endCall(shop.connection, null);
  await shop.clock.advance(3_000);
  expect(shop.counts.reads).toBe(1);
  // It was on when the reading left; another reading has shown the cashier that it is off since.
  await enqueue(shop, '2');
  answer.resolve(succeed([{ productId: '2' as Id, isEnabled: true }]));
  await shop.clock.advance(minute);
  expect(shop.sent.map(({ body }) => body).join()).toContain('"product_id":2,"is_enabled":true');
  expect(shop.queue.state().delivered).toBe(2);
});

test('what waited too long for the rate limit is read for again', async () => {
  const shop = await openShop();
  shop.rateLimit.slowDown(freshForMs + 1_000);
  await enqueue(shop, '1');
  await shop.clock.advance(freshForMs + 2_000);
  expect(shop.counts.reads).toBe(1);
  expect(shop.queue.state().delivered).toBe(1);
});

test('settings that this user may not read hold nothing up', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1');
  shop.readings.push(fail({ kind: 'forbidden', status: 403 }));
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.queue.state().delivered).toBe(1);
});

test.each(['answerMalformed', 'answerTooLarge'] as const)(
  'a list of settings that is %s is tried three times, then done without',
  async (kind) => {
    const shop = await openShop();
    endCall(shop.connection, { kind: 'unreachable' });
    await enqueue(shop, '1');
    shop.readings.push(...Array.from({ length: 10 }, () => fail({ kind })));
    endCall(shop.connection, null);
    await shop.clock.advance(5 * minute);
    expect(shop.counts.reads).toBe(3);
    expect(shop.queue.state().delivered).toBe(1);
  },
);
