// How a bridge tells the source of coupons.
import { expect, it } from 'vitest';
import { createBridgeCoupons } from '../../../app/bridge/coupons.ts';
import type { BridgeLedger, Outbox } from '../../../app/bridge/ledger/ledger.ts';

it('writes no more to the source where what has been told cannot be noted, and nothing twice', async () => {
  const written: string[] = [];
  const waiting = [1, 2, 3];
  let isFull = true;
  const outbox: Outbox = {
    next: (after) => {
      const number = waiting.find((one) => one > after);
      return number === undefined ? null : { sourceId: `SKU-${number}`, isEnabled: true, number };
    },
    remove: (number) => {
      if (isFull) {
        throw new Error('the disk is full');
      }
      waiting.splice(waiting.indexOf(number), 1);
    },
  };
  const ledger: Pick<BridgeLedger, 'withOutbox'> = { withOutbox: (action) => action(outbox) };
  const products = { describe: () => null, keyOf: () => null, listCoupons: () => [], readAt: () => 1 };
  const write = (key: string | number): Promise<boolean> => Promise.resolve(written.push(String(key)) > 0);
  const coupons = createBridgeCoupons(ledger as BridgeLedger, products, write, () => undefined);
  await expect(coupons.deliver()).rejects.toThrow('the disk is full');
  await expect(coupons.deliver()).rejects.toThrow('the disk is full');
  expect(written).toEqual(['SKU-1']);
  isFull = false;
  await coupons.deliver();
  expect([written, waiting]).toEqual([['SKU-1', 'SKU-2', 'SKU-3'], []]);
  waiting.push(1);
  await coupons.deliver();
  expect([written.at(-1), waiting]).toEqual(['SKU-1', []]);
});
