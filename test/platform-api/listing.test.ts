// API v3 §4.3: the parameters of the stock listing, beyond what the kit asks of any platform, over real HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, readListing, readProducts, startSignedIn } from '../support/training-caller.ts';

let caller: Caller;
beforeAll(async () => {
  caller = await startSignedIn({ productCount: 1000 });
});
afterAll(() => caller.platform.close());

const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

async function readAll(query: string, stockId?: string) {
  const elements: Record<string, unknown>[] = [];
  for (let page = 1; ; page += 1) {
    const listing = readListing(await caller.list(`${query}&per_page=100&page=${page}`, stockId));
    elements.push(...listing.elements);
    if (page >= listing.meta.last_page) {
      expect(elements.length).toBe(listing.meta.total);
      return elements;
    }
  }
}

const namesOf = (elements: readonly Record<string, unknown>[]) =>
  elements.map((element) => (element['product'] as { name: string }).name);

describe('paging', () => {
  it('gives nothing far beyond the last page', async () => {
    // API v3 §8 sets no upper bound.
    for (const page of ['2000000000', '9223372036854775808']) {
      const far = await caller.list(`page=${page}`);
      expect([far.status, readListing(far).elements]).toEqual([200, []]);
      expect(far.text).toContain(`"current_page":${page},`);
    }
    expect(readListing(await caller.list('page=2.0&per_page=10.0')).meta).toMatchObject({
      current_page: 2,
      per_page: 10,
    });
  });

  it('lists every product once, whatever the order', async () => {
    for (const order of ['', 'order_by_field=name', 'order_by_field=code&order_by_type=asc']) {
      const ids = (await readAll(order)).map((element) => String((element['product'] as { id: number | bigint }).id));
      expect(new Set(ids).size).toBe(1000);
    }
  });

  it.each([
    ['per_page=1', 1],
    ['per_page=100', 100],
  ])('accepts %s', async (query, length) => {
    expect(readListing(await caller.list(query)).elements).toHaveLength(length);
  });

  it.each([
    ['per_page=0', 'per_page', 'min', [1]],
    ['per_page=101', 'per_page', 'max', [100]],
    ['per_page=ten', 'per_page', 'integer', []],
    ['page=0', 'page', 'min', [1]],
    ['page=-1', 'page', 'min', [1]],
    ['page=1.5', 'page', 'integer', []],
    ['order_by_field=price', 'order_by_field', 'in', ['code', 'name']],
    ['order_by_type=up', 'order_by_type', 'in', ['asc', 'desc']],
    ['amount_in_stock=some', 'amount_in_stock', 'in', ['all', 'positive', 'negative', 'zero']],
    ['product_ids=1,x', 'product_ids', 'integer', []],
    ['updated_from=2026-01-01', 'updated_from', 'date_format', ['YYYY-MM-DDThh:mm:ss+hh:mm']],
    ['updated_from=2026-02-30T00:00:00-03:00', 'updated_from', 'date_format', ['YYYY-MM-DDThh:mm:ss+hh:mm']],
    // A plus sign that was not encoded arrives as a space.
    ['updated_from=2026-01-01T00:00:00+03:00', 'updated_from', 'date_format', ['YYYY-MM-DDThh:mm:ss+hh:mm']],
  ])('refuses %s with 422 and names it', async (query, field, type, value) => {
    const answer = await caller.list(query);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: 'unprocessable_entity',
      meta: [{ field, validations: [{ type, value }] }],
    });
  });

  it('names all that is wrong at once', async () => {
    const answer = await caller.list('page=0&per_page=1000');
    expect((answer.body['meta'] as { field: string }[]).map((entry) => entry.field)).toEqual(['page', 'per_page']);
  });
});

describe('order', () => {
  it('by name is ascending on demand, and the exact reverse of descending', async () => {
    const ascending = namesOf(await readAll('order_by_field=name&order_by_type=asc'));
    const folded = ascending.map(fold);
    expect(folded).toEqual(folded.toSorted());
    expect(namesOf(await readAll('order_by_field=name'))).toEqual(ascending.toReversed());
  });

  it('without a field follows the ids', async () => {
    const ids = (await readAll('order_by_type=asc')).map((element) =>
      BigInt((element['product'] as { id: number }).id),
    );
    expect(ids.every((id, place) => place === 0 || id > (ids[place - 1] ?? 0n))).toBe(true);
  });
});

describe('term', () => {
  it('finds the one product by its barcode, listed or not', async () => {
    const { products } = caller.platform;
    const index =
      Array.from({ length: 1000 }, (_unused, candidate) => candidate).find(
        (candidate) => products.barcodesAt(candidate).length === 2,
      ) ?? -1;
    for (const barcode of products.barcodesAt(index)) {
      const found = readProducts(await caller.list(`term=${barcode}`));
      expect(found.map((product) => product.name)).toEqual([products.nameAt(index)]);
      expect(found[0]?.barcode).toBe(products.barcodesAt(index)[0]);
    }
  });

  it('finds names without regard to accents, case or the order of words', async () => {
    const plain = await readAll('term=ACUCAR%20refinado');
    expect(plain.length).toBeGreaterThan(0);
    expect(namesOf(plain).every((name) => name.includes('Açúcar') && name.includes('Refinado'))).toBe(true);
    expect(namesOf(await readAll(`term=${encodeURIComponent('Refinado Açúcar')}`))).toEqual(namesOf(plain));
  });
});

describe('filters', () => {
  it('by ids gives these alone, int64 digits exact', async () => {
    const ids = [0, 48, 96, 999].map((index) => caller.platform.products.idAt(index));
    const answer = await caller.list(`product_ids=${ids.join(',')},17`);
    expect(answer.text).toContain(`"id":${2n ** 63n - 1n - 48n},`);
    expect(new Set(readProducts(answer).map((product) => BigInt(product.id)))).toEqual(new Set(ids));
    expect(readListing(answer).meta.total).toBe(ids.length);
  });

  it('weighs in decimals', async () => {
    const weighed = (await readAll('')).filter((element) => !Number.isInteger(element['balance']));
    expect(weighed.length).toBeGreaterThan(20);
    const codes = weighed.map(
      (element) => (element['product'] as { unit_of_measure: { code: string } }).unit_of_measure.code,
    );
    expect(new Set(codes)).toEqual(new Set(['KG']));
  });

  it('combines', async () => {
    const both = await readAll('term=cerveja&amount_in_stock=negative');
    expect(
      both.every((element) => (element['balance'] as number) < 0 && namesOf([element])[0]?.includes('Cerveja')),
    ).toBe(true);
  });
});

describe('stocks', () => {
  it('hold different products in different quantities', async () => {
    const [shop = '', depot = ''] = caller.platform.stockIds;
    expect(readListing(await caller.list('', shop)).meta.total).toBe(1000);
    expect(readListing(await caller.list('', depot)).meta.total).toBe(250);
  });

  it('of another company, or of nobody, are not found', async () => {
    expect((await caller.list('', caller.platform.kioskStockId)).status).toBe(404);
    const answer = await caller.list('', '999');
    expect([answer.status, answer.body['code']]).toEqual([404, 'not_found']);
  });
});

describe('the shapes of an element, which API v3 leaves open', () => {
  it.each([
    ['nested', ['balance', 'product', 'updated_at']],
    ['flat', ['amount', 'barcodes', 'code', 'name', 'product_id', 'unit', 'updated_at']],
    ['bare', ['id', 'name']],
  ] as const)('%s', async (elementShape, fields) => {
    caller.platform.setVariants({ elementShape });
    const { elements } = readListing(await caller.list('per_page=3'));
    caller.platform.setVariants({ elementShape: 'nested' });
    expect(elements.map((element) => Object.keys(element).toSorted())).toEqual([fields, fields, fields]);
  });

  it.each([
    [
      'nested',
      { aisle: expect.any(String), product: { price: expect.any(Number), supplier: { name: expect.any(String) } } },
    ],
    ['flat', { aisle: expect.any(String), price: expect.any(Number), supplier: expect.any(String) }],
  ] as const)('%s, with fields that API v3 does not show where they are switched on', async (elementShape, more) => {
    caller.platform.setVariants({ elementShape, listedFields: 'more' });
    const { elements } = readListing(await caller.list('per_page=3'));
    caller.platform.setVariants({ elementShape: 'nested', listedFields: 'few' });
    expect(elements).toMatchObject([more, more, more]);
  });
});
