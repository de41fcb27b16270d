import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, readListing, readProducts, startSignedIn } from '../../support/training-caller.ts';

let now: number;
let caller: Caller;
beforeEach(async () => {
  now = Date.parse('2026-06-01T10:00:00-03:00');
  caller = await startSignedIn({ productCount: 300, now: () => now });
});
afterEach(() => caller.platform.close());

const idAt = (index: number): string => String(caller.platform.products.idAt(index));
const updatedFrom = (moment: string) => caller.list(`updated_from=${encodeURIComponent(moment)}`);

describe('a changed quantity', () => {
  it('is in listing, balance, filters and deltas at once', async () => {
    caller.platform.changeBalance('1201', idAt(5), -12.375);
    const { elements } = readListing(await caller.list(`product_ids=${idAt(5)}&amount_in_stock=negative`));
    expect(elements).toMatchObject([{ balance: -12.375, updated_at: '2026-06-01T10:00:00-03:00' }]);
    expect((await caller.send(`/api/v3/stocks/1201/products/${idAt(5)}/balance`)).body).toMatchObject({
      balance: -12.375,
    });
    expect(readProducts(await updatedFrom('2026-06-01T10:00:00-03:00')).map((product) => String(product.id))).toEqual([
      idAt(5),
    ]);
    expect(readProducts(await updatedFrom('2026-06-01T10:00:01-03:00'))).toEqual([]);
    // The other stock knows nothing of it.
    expect(
      readListing(await caller.list(`updated_from=${encodeURIComponent('2026-06-01T10:00:00-03:00')}`, '1202')).meta
        .total,
    ).toBe(0);
  });

  it('brings a product into a stock that did not hold it', async () => {
    expect(readListing(await caller.list(`product_ids=${idAt(5)}`, '1202')).meta.total).toBe(0);
    caller.platform.changeBalance('1202', idAt(5), 4);
    expect(readListing(await caller.list(`product_ids=${idAt(5)}`, '1202')).elements).toMatchObject([{ balance: 4 }]);
  });
});

describe('a changed name', () => {
  it('is found and ordered under the new one alone', async () => {
    const before = caller.platform.products.nameAt(7);
    await caller.list('order_by_field=name');
    caller.platform.renameProduct(idAt(7), 'Zabumba de Treino');
    const first = readProducts(await caller.list('order_by_field=name&per_page=1'));
    expect(first.map((product) => product.name)).toEqual(['Zabumba de Treino']);
    expect(readListing(await caller.list('term=zabumba')).meta.total).toBe(1);
    expect(readListing(await caller.list(`term=${encodeURIComponent(before)}`)).meta.total).toBe(0);
  });
});

describe('a product that was taken away', () => {
  it('shifts the pages after it, and is found nowhere until it is back', async () => {
    const all = readProducts(await caller.list('order_by_type=asc&per_page=100'));
    caller.platform.removeProduct(idAt(0));
    const shifted = readListing(await caller.list('order_by_type=asc&per_page=99'));
    expect(shifted.meta.total).toBe(299);
    expect(shifted.elements.map((element) => (element['product'] as { sku: string }).sku)).toEqual(
      all.slice(1).map((product) => product.sku),
    );
    expect(readListing(await caller.list(`term=${caller.platform.products.codeAt(0)}`)).meta.total).toBe(0);
    expect((await caller.send(`/api/v3/stocks/1201/products/${idAt(0)}/balance`)).status).toBe(404);
    caller.platform.removeProduct(idAt(0), false);
    expect(readListing(await caller.list()).meta.total).toBe(300);
  });

  it('has to exist', () => {
    expect(() => {
      caller.platform.removeProduct('17');
    }).toThrow(RangeError);
    expect(() => {
      caller.platform.changeBalance('1201', 'x', 1);
    }).toThrow(RangeError);
  });
});
