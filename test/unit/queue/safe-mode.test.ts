// The proof that in safe mode the queue keeps what is asked for, says why it waits, and sends and reads nothing.
import { expect, test } from 'vitest';
import { enqueue, openShop } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';

test('in safe mode nothing is sent or read, whatever happens, and nothing is lost', async () => {
  const shop = await openShop(undefined, undefined, undefined, true);
  await enqueue(shop, '1');
  await enqueue(shop, '2');
  endCall(shop.connection, { kind: 'unreachable' });
  endCall(shop.connection, null);
  await shop.clock.advance(3_600_000);
  expect(shop.sent).toEqual([]);
  expect(shop.counts).toEqual({ reads: 0, renewals: 0 });
  expect(shop.queue.state()).toMatchObject({ pending: 2, heldBy: 'safeMode' });
  const { directory, clock } = shop;
  await shop.queue.close();
  shop.stop();

  const again = await openShop(directory, clock);
  await again.clock.advance(60_000);
  expect(again.sent.flatMap(({ body }) => body)).not.toEqual([]);
  expect(again.queue.state()).toMatchObject({ pending: 0, delivered: 2, heldBy: null });
  again.stop();
});
