import { describe, expect, test } from 'vitest';
import { exportStock } from '../../../../app/catalogue/browse/browse-export.ts';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import { createClock, id } from '../catalogue-fixture.ts';
import { openShop } from './open-shop.ts';

describe('the file', () => {
  test('of one shop is not gone on with by the next one', async () => {
    const clock = createClock();
    const before = await openShop(clock);
    const { view } = await before.page({});
    await clock.advance(1);
    const { browse } = await openShop(clock);
    const [answer] = await Promise.all([
      exportStock(browse, { query: everyProduct, view, after: 0 }, () => null),
      clock.advance(1),
    ]);
    expect(answer).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  });

  test('holds every row of the view, page by page, with numbers as numbers and texts as texts', async () => {
    const shop = await openShop();
    shop.save(
      [
        { id: 1, code: '=1+1', name: '-Desconto', unit: 'KG', balance: -1.25, updated_at: '2026-01-05T09:00:00-03:00' },
        {
          id: 9_007_199_254_740_993n,
          code: null,
          name: 'Água, 1 l',
          balance: 0,
          barcodes: ['7891000100103', '7891000315507'],
        },
      ],
      { askedAt: 1_000 },
    );
    const [answer] = await Promise.all([
      exportStock(shop.browse, { query: { ...everyProduct, direction: 'desc' }, after: 0 }, ({ productId }) =>
        productId === id(1) ? 12.5 : null,
      ),
      shop.clock.advance(1),
    ]);
    expect(answer).toMatchObject({ ok: true, value: { next: null, total: 2 } });
    const stock = { stockId: '11', stockName: null };
    const asOf = { asOf: 1_000, source: 'listing' };
    expect(answer.ok && answer.value.rows).toEqual([
      {
        hit: {
          ...stock,
          productId: '9007199254740993',
          code: null,
          name: 'Água, 1 l',
          unit: null,
          balance: { amount: 0, ...asOf },
        },
        barcodes: ['7891000100103', '7891000315507'],
        minimum: null,
        updatedAt: 1_000,
        updatedBy: 'terminal',
      },
      {
        hit: {
          ...stock,
          productId: '1',
          code: '=1+1',
          name: '-Desconto',
          unit: 'KG',
          balance: { amount: -1.25, ...asOf },
        },
        barcodes: [],
        minimum: 12.5,
        updatedAt: Date.UTC(2026, 0, 5, 12),
        updatedBy: 'platform',
      },
    ]);
  });

  test('of many products is whole, whatever happens meanwhile; of a forgotten view it ends', async () => {
    const shop = await openShop();
    const elements = Array.from({ length: 2_500 }, (_unused, place) => ({
      id: place + 1,
      code: `C${place}`,
      name: `Produto ${place}`,
      balance: place,
    }));
    shop.save(elements);
    const pages: string[][] = [];
    let place: { view?: number; after: number } | null = { after: 0 };
    while (place !== null) {
      const [answer]: readonly [Awaited<ReturnType<typeof exportStock>>, void] = await Promise.all([
        exportStock(shop.browse, { query: everyProduct, ...place }, () => null),
        shop.clock.advance(1),
      ]);
      if (!answer.ok) {
        throw new Error(answer.failure.kind);
      }
      shop.save([{ id: 5_000 + pages.length, name: 'Abacate', balance: 1 }]);
      pages.push(answer.value.rows.map(({ hit }) => hit.productId));
      place = answer.value.next === null ? null : { view: answer.value.view, after: answer.value.next };
    }
    expect([pages.length, pages.flat().length, new Set(pages.flat()).size]).toEqual([5, 2_500, 2_500]);
    const [forgotten] = await Promise.all([
      exportStock(shop.browse, { query: everyProduct, view: 77, after: 1_000 }, () => null),
      shop.clock.advance(1),
    ]);
    expect(forgotten).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  });
});
