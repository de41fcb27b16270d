// The proof that a change of a card is told as an event whatever answers carry it: the page drops from an answer what an
// event has changed since it asked, so that without the event its card would stay as it is.
import { expect, test } from 'vitest';
import type { CatalogueProduct } from '../../../../app/catalogue/repository/product-reader.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { createShownCards } from '../../../../app/terminal/cards/shown-cards.ts';
import type { Workspace } from '../../../../app/terminal/workspace/workspace.ts';

const product = { stockId: '11' as Id, productId: '101' as Id } as CatalogueProduct;

/** A store in which nobody is signed in and nothing waits; `shop.minimum` is the product's. */
function openShop() {
  const shop = { minimum: 1, unreported: 0 };
  const open = {
    owner: () => null,
    coupons: { confirmed: () => null },
    queueRepository: { underWay: () => null, openOfOther: () => undefined },
    catalogue: { read: () => product },
    watchList: { minimumOf: () => shop.minimum },
  } as unknown as Workspace;
  let now: Workspace | null = open;
  const cards = createShownCards(
    () => now,
    () => (shop.unreported += 1),
  );
  const reported = (): unknown[] => {
    const minima: unknown[] = [];
    cards.emitChanged(({ minimum }) => minima.push(minimum));
    return minima;
  };
  /** Another store, or none, is open in its place. */
  const makeWay = (other: Workspace | null): void => {
    now = other;
  };
  return { shop, open, reported, makeWay, answer: (at = open) => cards.show(at, product).minimum };
}

test('what an answer brought first is told as an event, once', () => {
  const { shop, reported, answer } = openShop();
  expect([answer(), reported(), shop.unreported]).toEqual([1, [], 0]);
  shop.minimum = 2;
  expect([answer(), shop.unreported]).toEqual([2, 1]);
  expect([reported(), reported()]).toEqual([[2], []]);
  expect([answer(), shop.unreported]).toEqual([2, 1]);
});

test('what an event has told is not told again for an answer that carries the same', () => {
  const { shop, reported, answer } = openShop();
  answer();
  shop.minimum = 2;
  expect(reported()).toEqual([2]);
  expect([answer(), shop.unreported, reported()]).toEqual([2, 0, []]);
});

test('nothing is told of a store that has made way, and its late answer costs the next one nothing', () => {
  const { shop, open, reported, makeWay, answer } = openShop();
  answer();
  shop.minimum = 2;
  makeWay(null);
  expect(reported()).toEqual([]);
  const next = { ...open };
  makeWay(next);
  expect([reported(), answer(next), answer(open)]).toEqual([[], 2, 2]);
  shop.minimum = 3;
  expect([answer(open), reported(), shop.unreported]).toEqual([3, [3], 0]);
});

test('of the last twelve products all stocks are told, however many those are', () => {
  const minimum = { is: 1 };
  const open = {
    owner: () => null,
    coupons: { confirmed: () => null },
    queueRepository: { underWay: () => null, openOfOther: () => undefined },
    catalogue: { read: (stockId: Id, productId: Id) => ({ stockId, productId }) },
    watchList: { minimumOf: () => minimum.is },
  } as unknown as Workspace;
  const cards = createShownCards(
    () => open,
    () => undefined,
  );
  const show = (shownId: number, stocks: number): void => {
    for (let stock = 1; stock <= stocks; stock += 1) {
      cards.show(open, { stockId: String(stock), productId: String(shownId) } as unknown as CatalogueProduct);
    }
  };
  show(1, 1);
  show(2, 20);
  for (let other = 3; other <= 13; other += 1) {
    show(other, 1);
  }
  minimum.is = 2;
  const told: string[] = [];
  cards.emitChanged(({ productId }) => told.push(productId));
  expect(told.filter((productId) => productId === '2')).toHaveLength(20);
  expect(new Set(told).size).toBe(12);
});
