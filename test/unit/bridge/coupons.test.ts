// How a bridge tells the source of coupons.
import { expect, it } from 'vitest';
import { createBridgeCoupons } from '../../../app/bridge/coupons.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { BridgeLedger, Outbox } from '../../../app/bridge/ledger/ledger.ts';

const noProducts = {
  describe: () => {
    throw new Error('a product was asked about alone');
  },
  keyOf: () => null,
  listCoupons: (): readonly Id[] => [],
  namesOf: (): ReadonlyMap<Id, string> => new Map(),
  readAt: () => 1,
};

it('writes no more to the source where what has been told cannot be noted, and nothing twice', async () => {
  const written: string[] = [];
  const waiting = [1n, 2n, 3n];
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
  const products = { ...noProducts, describe: () => null };
  const write = (key: string | number): Promise<boolean> => Promise.resolve(written.push(String(key)) > 0);
  const coupons = createBridgeCoupons(ledger as BridgeLedger, products, write, () => undefined);
  await expect(coupons.deliver()).rejects.toThrow('the disk is full');
  await expect(coupons.deliver()).rejects.toThrow('the disk is full');
  expect(written).toEqual(['SKU-1']);
  isFull = false;
  await coupons.deliver();
  expect([written, waiting]).toEqual([['SKU-1', 'SKU-2', 'SKU-3'], []]);
  waiting.push(1n);
  await coupons.deliver();
  expect([written.at(-1), waiting]).toEqual(['SKU-1', []]);
});

it('asks for the names of all coupons at once: one by one they would hold up all tills', async () => {
  const switched = new Map(['2', '4', '5'].map((id) => [id, id !== '2'] as const));
  const ledger = { listCoupons: () => switched } as unknown as BridgeLedger;
  const asked: (readonly Id[])[] = [];
  const products = {
    ...noProducts,
    listCoupons: () => ['1', '2'] as Id[],
    namesOf: (ids: readonly Id[]) => {
      asked.push(ids);
      return new Map(ids.filter((id) => id !== '5').map((id) => [id, `Product ${id}`]));
    },
  };
  const coupons = createBridgeCoupons(ledger, products, null, () => undefined);
  expect(await coupons.list('1' as Id, null)).toEqual([
    { productId: '1', isEnabled: true, productName: 'Product 1' },
    { productId: '2', isEnabled: false, productName: 'Product 2' },
    { productId: '4', isEnabled: true, productName: 'Product 4' },
  ]);
  expect(asked).toEqual([['1', '2', '4', '5']]);
});
