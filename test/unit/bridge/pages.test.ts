// Pages of a long listing: whatever the order, they are slices of one whole, also where a mark lies before them.
import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { snapshotMigrations } from '../../../app/bridge/migrations.ts';
import { createPass } from '../../../app/bridge/snapshot/pass.ts';
import { createSnapshotSource } from '../../../app/bridge/snapshot/source.ts';
import { RowReader } from '../../../app/bridge/sources/row-reader.ts';
import type { ShopSource, SourceBarcode, SourceProduct } from '../../../app/bridge/sources/shop-source.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { foldText } from '../../../app/service/fold.ts';
import type { Listing } from '../../../app/service/ports.ts';
import { Database } from '../../../app/storage/database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const stock = { id: '1' as Id, name: 'Loja', companyId: '1' as Id };
const whole: Listing = {
  term: null,
  productIds: null,
  amount: null,
  updatedFrom: null,
  orderBy: 'id',
  isAscending: true,
  offset: 0,
  limit: 100,
};

function productOf(number: number, isRenamed = false): SourceProduct {
  return {
    sourceId: String(number),
    // Many bear the same name, and the ids are in another order than names and codes.
    name: `Café ${(number * 7919) % 400}${isRenamed ? ' novo' : ''}`,
    code: number % 5 === 0 ? null : `C${(number * 31) % 10_007}`,
    barcodes: [],
    department: null,
    unit: null,
    price: null,
    supplier: null,
    aisle: null,
    coupon: null,
  };
}

function sourceOf(products: readonly SourceProduct[], barcodes: readonly SourceBarcode[] = []): ShopSource {
  return {
    read: async function* all() {
      yield { products, barcodes };
      yield { amounts: products.map(({ sourceId }, place) => ({ sourceId, stock: 'Loja', amount: place + 1 })) };
    },
    readAmount: null,
    readMovements: null,
    listBatches: null,
    writeCoupon: null,
    close: () => Promise.resolve(),
  };
}

async function openCopy() {
  const directory = temporaryDirectory();
  const open = () =>
    Database.open(join(directory, 'snapshot.db'), { kind: 'disposable', migrations: snapshotMigrations });
  const database = await open();
  let now = 1_700_000_000_000;
  const listed = createSnapshotSource(database, sourceOf([]), new Map([['1', 'Loja']]));
  return {
    database,
    listed,
    pass: async (source: ShopSource, aheadMs = 60_000, idOf: (sourceId: string) => number = Number) => {
      const own = await open();
      const pass = createPass(own, (sourceIds) => sourceIds.map(idOf));
      await pass.load(source);
      now += aheadMs;
      try {
        return pass.apply(now, now, []);
      } finally {
        own.close();
      }
    },
    close: () => {
      database.close();
    },
  };
}

/** The ids in the order, as the listing's rules have it. */
function sorted(products: readonly SourceProduct[], orderBy: Listing['orderBy']): readonly bigint[] {
  const keyed = products.map(({ sourceId, name, code }) => ({
    id: Number(sourceId),
    text: { id: '', code: code ?? '', name: foldText(name) }[orderBy],
  }));
  return keyed
    .toSorted((one, other) =>
      one.text === other.text ? one.id - other.id : Number(one.text > other.text) - Number(one.text < other.text),
    )
    .map(({ id }) => BigInt(id));
}

test('every page of 3,500 products is a slice of the whole, in each order, before and after a change', async () => {
  const copy = await openCopy();
  const numbers = Array.from({ length: 3500 }, (_, place) => place * 3 + 1);
  const before = numbers.map((number) => productOf(number));
  const after = numbers.slice(700).map((number) => productOf(number, number % 2 === 0));
  for (const products of [before, after]) {
    await copy.pass(sourceOf(products));
    const ids = { id: sorted(products, 'id'), code: sorted(products, 'code'), name: sorted(products, 'name') };
    fc.assert(
      fc.property(
        fc.constantFrom('id', 'code', 'name'),
        fc.boolean(),
        fc.oneof(fc.integer({ min: 0, max: 3700 }), fc.constantFrom(0, 999, 1000, 1001, 2000, 2799, 2800, 3499, 3500)),
        fc.integer({ min: 1, max: 100 }),
        (orderBy, isAscending, offset, limit) => {
          const listing: Listing = { ...whole, orderBy, isAscending, offset, limit };
          const page = copy.listed.list(stock, listing);
          expect(page.total).toBe(products.length);
          const inOrder = isAscending ? ids[orderBy] : ids[orderBy].toReversed();
          expect(page.products.map(({ product }) => product.id)).toEqual(inOrder.slice(offset, offset + limit));
        },
      ),
      { numRuns: 200, seed: 1 },
    );
  }
  copy.close();
});

test('an amount is listed as it is told alone, in one row or in several', async () => {
  const copy = await openCopy();
  const reader = new RowReader('source.queries.stock', 'UTC');
  const rows = [
    [0.1 + 0.2 - 0.3],
    [1.1 * 3],
    [1 / 3, 1 / 3, 1 / 3],
    [0.0000004],
    [123_456_789_012.34],
    [9e199],
    [0.1, 0.2, -0.3],
  ];
  const source = sourceOf(rows.map((_, place) => productOf(place + 1)));
  const all = rows.flatMap((amounts, place) =>
    amounts.map((amount) => reader.amount({ product: place + 1, stock: 'Loja', amount })),
  );
  await copy.pass({
    ...source,
    read: async function* read() {
      for await (const { products = [] } of source.read()) yield { products };
      yield { amounts: all };
    },
  });
  const alone = rows.map((amounts) =>
    reader.sum(
      amounts.map((amount) => ({ amount })),
      'amount',
    ),
  );
  expect(alone).toEqual([0, 3.3, 1, 0, 123_456_789_012.34, 9e199, 0]);
  const listing: Listing = { ...whole, orderBy: 'id', isAscending: true, offset: 0, limit: 100 };
  expect(copy.listed.list(stock, listing).products.map(({ amount }) => amount + 0)).toEqual(alone);
  const asked = { ...source, readAmount: () => Promise.resolve(0.1 + 0.2 - 0.3) };
  const live = createSnapshotSource(copy.database, asked, new Map([['1', 'Loja']]));
  expect((await live.readBalance(stock, 1n, 'all'))?.amount).toBe(0);
  copy.close();
});

test('what changed is listed in the order that was asked for, few or many', async () => {
  const copy = await openCopy();
  const products = Array.from({ length: 300 }, (_, place) => productOf(place + 1));
  await copy.pass(sourceOf(products));
  const changed = products.map((product) =>
    Number(product.sourceId) % 50 === 0 ? productOf(Number(product.sourceId), true) : product,
  );
  await copy.pass(sourceOf(changed));
  const listing: Listing = { ...whole, orderBy: 'name', updatedFrom: 1_700_000_000_000 + 120_000 };
  const page = copy.listed.list(stock, listing);
  const renamed = changed.filter(({ name }) => name.endsWith(' novo'));
  expect(page.total).toBe(6);
  expect(page.products.map(({ product }) => product.id)).toEqual(sorted(renamed, 'name'));
  copy.close();
});

test('a term finds the names that hold all its words, also after they were changed or have gone', async () => {
  const copy = await openCopy();
  const terms = ['café 12', 'afe', '"12', 'novo 12', 'a', 'caf\u00e9 1', 'é', '400', 'cafe AND novo', 'x'];
  const numbers = Array.from({ length: 400 }, (_, place) => place + 1);
  const states = [
    numbers.map((number) => productOf(number)),
    numbers.map((number) => productOf(number, number % 3 === 0)),
    numbers.slice(150).map((number) => productOf(number, number % 2 === 0)),
  ];
  for (const products of states) {
    await copy.pass(sourceOf(products.map((product) => ({ ...product, code: null }))));
    for (const term of terms) {
      const words = foldText(term)
        .split(/\s+/)
        .filter((word) => word !== '');
      const wanted = products
        .filter(({ name }) => words.every((word) => foldText(name).includes(word)))
        .map(({ sourceId }) => BigInt(sourceId));
      const { total, products: found } = copy.listed.list(stock, { ...whole, term, limit: 400 });
      expect([term, total, found.map(({ product }) => product.id)]).toEqual([term, wanted.length, wanted]);
    }
  }
  copy.close();
});

test('a pass by a clock that was set back is counted anew all the same', async () => {
  const copy = await openCopy();
  const products = Array.from({ length: 20 }, (_, place) => productOf(place + 1));
  await copy.pass(sourceOf(products.slice(0, 5)));
  expect(copy.listed.list(stock, whole).total).toBe(5);
  await copy.pass(sourceOf(products), -3_600_000);
  const { total, products: page } = copy.listed.list(stock, { ...whole, isAscending: false });
  expect([total, page.length]).toEqual([20, 20]);
});

test('a product with barcodes without end changes nothing: a page of such products would hold up all tills', async () => {
  const copy = await openCopy();
  const barcodesOf = (product: string, count: number): readonly SourceBarcode[] =>
    Array.from({ length: count }, (_, place) => ({ sourceId: product, barcode: String(9_520_000_000_000 + place) }));
  const many = barcodesOf('1', 2000);
  // Of a product that is not there, as many shops have them.
  await copy.pass(sourceOf([productOf(1)], [...many, ...barcodesOf('7', 5000)]));
  await expect(copy.pass(sourceOf([productOf(1), productOf(2)], barcodesOf('2', 5000)))).rejects.toThrow(
    'the product 2 has barcodes of more than 40000 characters',
  );
  expect(copy.listed.list(stock, whole)).toMatchObject({ total: 1 });
  copy.database.close();
});

test('barcodes of a query of their own come after the own one, and the next pass finds no change', async () => {
  const copy = await openCopy();
  const products = [{ ...productOf(1), barcodes: ['9520000000035'] }, productOf(2)];
  const barcodes = [
    { sourceId: '1', barcode: '9520000000028' },
    { sourceId: '1', barcode: '9520000000035' },
    { sourceId: '1', barcode: '9520000000011' },
    { sourceId: '7', barcode: '9520000000042' },
  ];
  expect(await copy.pass(sourceOf(products, barcodes))).toMatchObject({ products: 2, changed: 2 });
  const { products: listed } = copy.listed.list(stock, { ...whole, term: '9520000000028' });
  expect(listed.map(({ product }) => product.barcodes)).toEqual([['9520000000035', '9520000000011', '9520000000028']]);
  expect(copy.listed.list(stock, { ...whole, term: '9520000000042' }).total).toBe(0);
  expect(await copy.pass(sourceOf(products, barcodes.toReversed()))).toMatchObject({ changed: 0, removed: 0 });
  copy.close();
});

test('a term names a product by any form of its GTIN, and by its code in capitals or not', async () => {
  const copy = await openCopy();
  const products = [
    { ...productOf(1), barcodes: ['012345678905'] },
    { ...productOf(2), barcodes: ['0012345678912', '95200002'] },
    { ...productOf(3), code: 'ab-3', barcodes: ['x9'] },
    { ...productOf(4), code: '9520000000028' },
    { ...productOf(5), barcodes: ['9520000000035'] },
    { ...productOf(6), barcodes: ['09520000000035'] },
    { ...productOf(7), code: '24', barcodes: ['1000007'] },
    { ...productOf(8), code: '00000031' },
    { ...productOf(9), code: '31' },
  ];
  await copy.pass(sourceOf(products));
  const found = (term: string) => copy.listed.list(stock, { ...whole, term }).products.map(({ product }) => product.id);
  for (const [id, terms] of [
    [1n, ['012345678905', '0012345678905', '00012345678905', '12345678905']],
    [2n, ['012345678912', '0012345678912', '00012345678912', '95200002', '0000095200002']],
    [3n, ['ab-3', 'AB-3', 'x9', 'X9']],
    [4n, ['9520000000028', '09520000000028']],
    [7n, ['24', '1000007']],
    [8n, ['00000031', '0000000000031']],
    [9n, ['31']],
  ] as const) {
    for (const term of terms) {
      expect(found(term), term).toEqual([id]);
    }
  }
  // Of two that share one in different forms, both.
  expect(found('9520000000035')).toEqual([5n, 6n]);
  // Of fewer digits than a GTIN has, a number is a code of the shop's own.
  for (const other of ['00000024', '0000000000024', '0000001000007', '0012345678904', 'ab-3\0', 'ab-3\0x', '\uD800']) {
    expect(found(other), other).toEqual([]);
  }
  copy.close();
});

test.each([
  ['a barcode', { term: '9520000000011' }],
  ['a code that many begin with', { term: 'C10' }],
  ['a part of a name', { term: 'afé 12' }],
  ['some ids', { productIds: new Set([1n, 4n]) }],
  ['what changed since', { updatedFrom: 1_700_000_000_000 }],
  ['the whole, from its middle', { offset: 1500 }],
  ['the whole, from its last', { isAscending: false }],
] as const)('%s is found without a walk through all products', async (_name, change) => {
  const copy = await openCopy();
  await copy.pass(sourceOf(Array.from({ length: 2500 }, (_, place) => productOf(place + 1))));
  const prepared = vi.spyOn(copy.database, 'prepare');
  copy.listed.list(stock, { ...whole, orderBy: 'code', ...change });
  const plans = prepared.mock.calls.flatMap(([sql]) =>
    copy.database
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => null))
      .map(({ detail }) => detail),
  );
  expect(plans.length).toBeGreaterThan(0);
  // The last page is read from the end of its order, every other one from its mark on; what is found is sorted.
  const isWalk =
    /^SCAN (?!page|json_each|name_part VIRTUAL TABLE INDEX|product USING COVERING INDEX product_by_code)|AUTOMATIC/;
  expect(plans.filter((detail) => isWalk.test(detail))).toEqual([]);
  copy.close();
});

test('a product that has another number than before changes nothing: a till would switch another coupon', async () => {
  const copy = await openCopy();
  const products = Array.from({ length: 3 }, (_, place) => productOf(place + 1));
  await copy.pass(sourceOf(products));
  const swapped = copy.pass(sourceOf(products), 60_000, (sourceId) => 4 - Number(sourceId));
  await expect(swapped).rejects.toThrow('has another number than before');
  expect(copy.listed.describe(1n)?.sourceId).toBe('1');
  copy.close();
});

const dayMs = 86_400_000;

test('a clock that was ahead is not waited for: the whole is listed as changed once', async () => {
  const copy = await openCopy();
  const products = Array.from({ length: 5 }, (_, place) => productOf(place + 1));
  const changedSince = (updatedFrom: number): number => copy.listed.list(stock, { ...whole, updatedFrom }).total;
  await copy.pass(sourceOf(products), 3650 * dayMs);
  const sharing = { now: () => 1_700_000_000_000, maxAgeMs: 600_000, maxSkewMs: 60_000 };
  const shared = createSnapshotSource(copy.database, sourceOf([]), new Map(), sharing);
  expect(shared.isTooOld()).toBe(true);
  await copy.pass(sourceOf(products), -3650 * dayMs);
  expect([copy.listed.readAt(), shared.isTooOld()]).toEqual([1_700_000_000_000, false]);
  expect([changedSince(1_700_000_000_000), changedSince(1_700_000_000_001)]).toEqual([5, 0]);
  await copy.pass(sourceOf([productOf(1, true), ...products.slice(1)]));
  expect(changedSince(1_700_000_000_001)).toBe(1);
  copy.close();
});

test('what was noticed by a clock far behind is listed once that is right again', async () => {
  const copy = await openCopy();
  const products = Array.from({ length: 5 }, (_, place) => productOf(place + 1));
  const changedSince = (updatedFrom: number): number => copy.listed.list(stock, { ...whole, updatedFrom }).total;
  await copy.pass(sourceOf(products));
  const asked = 1_700_000_000_000 + 90_000;
  const changed = sourceOf([productOf(1, true), ...products.slice(1)]);
  await copy.pass(changed, -3650 * dayMs);
  await copy.pass(changed);
  await copy.pass(changed, 3650 * dayMs);
  expect(changedSince(asked)).toBe(5);
  await copy.pass(changed);
  expect(changedSince(asked + 120_000)).toBe(0);
  copy.close();
});
