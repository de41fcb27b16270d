// The proof that one bad product never holds back another, when the platform does not say which one it is.
import { expect, test } from 'vitest';
import { enqueue, openShop, signed, type Reply } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';

const minute = 60_000;

/** A platform that stumbles over every request with this product in it. */
function stumblesOver(product: string): Reply {
  return (sending) => signed(sending.body.includes(`"product_id":${product},`) ? 500 : 204)(sending);
}

test('a product on which the platform always stumbles is found by halving, waits alone, is never parked', async () => {
  const shop = await openShop();
  // Updates that wait while nobody can send are sealed together afterwards.
  endCall(shop.connection, { kind: 'unreachable' });
  for (let product = 1; product <= 64; product += 1) {
    await enqueue(shop, `${product}`);
  }
  shop.replies.push(...Array.from({ length: 400 }, () => stumblesOver('13')));
  endCall(shop.connection, null);
  await shop.clock.advance(20 * minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 63, pending: 1, parked: 0 });

  // A new one waits no longer than a pause of the other.
  await enqueue(shop, '900');
  await shop.clock.advance(2 * minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 64, pending: 1, parked: 0 });

  // When the platform has mended itself, so has the queue.
  shop.replies.length = 0;
  await shop.clock.advance(2 * minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 65, pending: 0, parked: 0 });
});
