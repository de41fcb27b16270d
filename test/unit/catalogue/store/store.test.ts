// The proof of the store on a real file: what a changed, renamed, re-barcoded or damaged product leaves behind.
import { describe, expect, test } from 'vitest';
import { codeKeys } from '../../../../app/domain/codes/barcode.ts';
import { catalogueMigrations } from '../../../../app/catalogue/store/migrations.ts';
import { Database } from '../../../../app/storage/database.ts';
import { id, openStore, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { askedAt, coffee, names, save } from './store-fixture.ts';

describe('a product that changes', () => {
  test('W1: re-barcoded, it is found by the new barcode alone', async () => {
    const { store } = await openStore();
    save(store, [coffee]);
    save(store, [{ ...coffee, barcode: '9520000000028' }]);
    expect(store.reader.findByBarcode('9520000000011')).toEqual([]);
    expect(names(store, store.reader.findByBarcode('9520000000028'))).toEqual(['Café torrado']);
  });

  test('W1: renamed, it is found by the new name and code alone', async () => {
    const { store } = await openStore();
    save(store, [coffee]);
    save(store, [{ ...coffee, name: 'Chá preto', code: 'ZX-77' }]);
    expect(store.search.search('cafe', 10)).toEqual([]);
    expect(store.search.search('f-00', 10)).toEqual([]);
    expect(names(store, store.search.search('cha pre', 10))).toEqual(['Chá preto']);
    expect(store.reader.findByCode('CF-001')).toEqual([]);
    expect(names(store, store.reader.findByCode('zx-77'))).toEqual(['Chá preto']);
  });

  test('W1: a second code that goes away is not found any more', async () => {
    const { store } = await openStore();
    save(store, [{ ...coffee, sku: 'SECOND-1' }]);
    expect(store.reader.findByBarcode('second-1')).toHaveLength(1);
    expect(store.search.search('second', 10)).toHaveLength(1);
    save(store, [coffee]);
    expect(store.reader.findByBarcode('second-1')).toEqual([]);
    expect(store.search.search('second', 10)).toEqual([]);
  });

  test('removed, nothing of it is found', async () => {
    const { store } = await openStore();
    save(store, [coffee, { ...coffee, id: 2, name: 'Outro' }]);
    const [stock] = store.stocks();
    store.writer.remove(stock ?? { number: 0, stockId: stockOne }, [id(1)]);
    expect(names(store, store.reader.findByBarcode('9520000000011'))).toEqual(['Outro']);
    expect(store.search.search('torrado', 10)).toEqual([]);
    expect(store.reader.find(stockOne, id(1))).toBeNull();
    expect(store.stocks()[0]?.copied).toBe(1);
  });

  test('two products with one barcode are both found', async () => {
    const { store } = await openStore();
    save(store, [coffee, { ...coffee, id: 2, code: 'CF-002', name: 'Café moído' }]);
    expect(names(store, store.reader.findByBarcode('9520000000011')).toSorted()).toEqual([
      'Café moído',
      'Café torrado',
    ]);
  });

  test('in two stocks it is two rows', async () => {
    const { store } = await openStore({ stockIds: [stockOne, stockTwo] });
    save(store, [coffee]);
    save(store, [{ ...coffee, balance: 9 }], { stock: 1 });
    expect(store.reader.findById(id(1)).map((row) => store.reader.hit(row))).toMatchObject([
      { stockId: stockOne, balance: { amount: 5 } },
      { stockId: stockTwo, balance: { amount: 9 } },
    ]);
  });
});

describe('the figures', () => {
  test.each([0, -3, 2.375, -0.001, 1e15])('a balance of %d is kept exactly', async (balance) => {
    const { store } = await openStore();
    save(store, [{ ...coffee, balance }]);
    expect(store.reader.card(store.reader.find(stockOne, id(1)) ?? 0)?.balance).toEqual({
      amount: balance,
      asOf: askedAt,
      source: 'listing',
    });
  });

  test('ids up to the largest int64 survive to the byte, with neighbours told apart', async () => {
    const { store } = await openStore({ stockIds: [id(9223372036854775806n)] });
    const ids = [9007199254740993n, 9007199254740992n, 9223372036854775807n];
    save(
      store,
      ids.map((productId) => ({ id: productId, name: `n${productId}` })),
    );
    for (const productId of ids) {
      const row = store.reader.find(id(9223372036854775806n), id(productId));
      expect(store.reader.card(row ?? 0)).toMatchObject({
        productId: String(productId),
        stockId: '9223372036854775806',
        name: `n${productId}`,
      });
    }
  });

  test('W2: a live figure outlives an older listing and yields to a newer one', async () => {
    const { store } = await openStore();
    const [stock] = store.stocks();
    save(store, [coffee]);
    store.writer.saveBalance(stock ?? { number: 0, stockId: stockOne }, id(1), {
      amount: 3,
      options: [{ name: 'M', amount: 2 }],
      asOf: askedAt + 500,
    });
    const card = (): unknown => store.reader.card(store.reader.find(stockOne, id(1)) ?? 0);
    save(store, [{ ...coffee, balance: 99 }], { askedAt: askedAt + 499 });
    expect(card()).toMatchObject({
      balance: { amount: 3, asOf: askedAt + 500, source: 'live' },
      options: [{ name: 'M', amount: 2 }],
    });
    save(store, [{ ...coffee, balance: 98 }], { askedAt: askedAt + 501 });
    expect(card()).toMatchObject({ balance: { amount: 98, asOf: askedAt + 501, source: 'listing' } });
  });

  test('W2: a live figure removes those of its options; a newer live one brings them back as it says', async () => {
    const { store } = await openStore();
    const stock = store.stocks()[0] ?? { number: 0, stockId: stockOne };
    const card = () => store.reader.card(store.reader.find(stockOne, id(1)) ?? 0);
    const shirt = (small: number, medium: number) => ({
      id: 1,
      name: 'Camisa',
      balance: small + medium,
      options: [
        { name: 'P', balance: small },
        { name: 'M', balance: medium },
      ],
    });
    save(store, [shirt(5, 3)]);
    store.writer.saveBalance(stock, id(1), {
      amount: 8,
      options: [
        { name: 'P', amount: 5 },
        { name: 'M', amount: 3 },
      ],
      asOf: askedAt + 500,
    });
    save(store, [shirt(0, 1)], { askedAt: askedAt + 86_400_000 });
    expect(card()).toMatchObject({
      balance: { amount: 1, source: 'listing' },
      options: [
        { name: 'P', amount: 0 },
        { name: 'M', amount: 1 },
      ],
    });
    store.writer.saveBalance(stock, id(1), {
      amount: 4,
      options: [{ name: 'P', amount: 4 }],
      asOf: askedAt + 86_400_500,
    });
    expect(card()).toMatchObject({
      balance: { amount: 4, source: 'live' },
      options: [
        { name: 'P', amount: 4 },
        { name: 'M', amount: 1 },
      ],
    });
  });

  test.each([60_000, 600_000, 86_400_000])(
    'W2: figures from before the clock was set back by %d ms yield at once',
    async (byMs) => {
      let now = askedAt + byMs;
      const { store } = await openStore({ now: () => now });
      const stock = store.stocks()[0] ?? { number: 0, stockId: stockOne };
      const amounts = () =>
        [1, 2, 3].map((productId) => store.reader.hit(store.reader.find(stockOne, id(productId)) ?? 0)?.balance.amount);
      save(store, [coffee, { id: 2, name: 'Açúcar', balance: 2 }, { id: 3, name: 'Chá', balance: 3 }], {
        askedAt: now,
      });
      store.writer.saveBalance(stock, id(1), { amount: 3, options: [], asOf: now });
      now = askedAt + 100;
      save(store, [
        { ...coffee, balance: 98 },
        { id: 2, name: 'Açúcar', balance: 97 },
      ]);
      store.writer.saveBalance(stock, id(3), { amount: 96, options: [], asOf: askedAt });
      expect(amounts()).toEqual([98, 97, 96]);
    },
  );

  test('a listing without a figure leaves the one that is there', async () => {
    const { store } = await openStore();
    save(store, [coffee]);
    save(store, [{ id: 1, name: 'Café' }], { askedAt: askedAt + 5 });
    expect(store.reader.hit(store.reader.find(stockOne, id(1)) ?? 0)?.balance).toEqual({
      amount: 5,
      asOf: askedAt,
      source: 'listing',
    });
  });

  test('a live figure of a product that is not in the copy is not kept', async () => {
    const { store } = await openStore();
    const [stock] = store.stocks();
    expect(
      store.writer.saveBalance(stock ?? { number: 0, stockId: stockOne }, id(1), { amount: 3, options: [], asOf: 1 }),
    ).toBe(false);
  });
});

describe('what a page tells', () => {
  test('fresh, newly seen and skipped elements are counted apart', async () => {
    const { store } = await openStore();
    const place = { kind: 'full', first: 0 } as const;
    expect(save(store, [coffee, { name: 'no id' }, null, coffee], { pass: 1, seenSince: 1, place })).toMatchObject({
      fresh: 1,
      newlySeen: 1,
      skipped: 2,
      unreadable: 2,
    });
    expect(save(store, [coffee], { pass: 2, seenSince: 1 })).toMatchObject({ fresh: 1, newlySeen: 0, skipped: 0 });
    expect(save(store, [coffee, { ...coffee, id: 3 }], { pass: 2, seenSince: 2 })).toMatchObject({
      fresh: 1,
      newlySeen: 1,
    });
    expect(store.stocks()[0]?.copied).toBe(2);
  });

  test('rows that a pass did not see are found in bounded steps', async () => {
    const { store } = await openStore();
    const stock = store.stocks()[0] ?? { number: 0, stockId: stockOne };
    save(
      store,
      Array.from({ length: 120 }, (_, place) => ({ id: place + 1, name: 'x' })),
      { pass: 1 },
    );
    save(
      store,
      Array.from({ length: 60 }, (_, place) => ({ id: 2 * place + 1, name: 'x' })),
      { pass: 2 },
    );
    const first = store.unseen(stock, 2, 0, 50);
    expect(first.productIds).toHaveLength(50);
    expect(first.isEnd).toBe(false);
    const second = store.unseen(stock, 2, first.position, 50);
    expect(second).toMatchObject({ isEnd: true });
    expect([...first.productIds, ...second.productIds].map(Number)).toEqual(
      Array.from({ length: 60 }, (_, place) => 2 * place + 2),
    );
  });

  test('W4: a name of 10 MB is cut, its product is found, and the file stays small', async () => {
    const { store } = await openStore();
    save(store, [{ ...coffee, name: 'Gigante '.repeat(1_300_000) }]);
    const card = store.reader.card(store.search.search('gigante', 5)[0] ?? 0);
    expect(card?.name.length).toBeLessThanOrEqual(500);
    expect(card).toMatchObject({ code: 'CF-001', barcodes: ['9520000000011'], balance: { amount: 5 } });
    save(store, [coffee]);
    expect(store.search.search('gigante', 5)).toEqual([]);
  });

  test.each([
    ['too long', 'x'.repeat(70_000)],
    ['too deep', JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
  ])('W1, W4: of an element that is %s to be kept, all keys and options are, and go with it', async (_name, image) => {
    const { store } = await openStore();
    const stock = store.stocks()[0] ?? { number: 0, stockId: stockOne };
    const shown = (sku: string, amount: number) => ({
      id: 1,
      codigo: 'C1',
      name: 'Produto',
      sku,
      reference: 'R1',
      barcode: '9520000000011',
      balance: amount,
      unit: 'UN',
      options: [{ name: 'P', amount }, 'M'],
      image,
    });
    const cardBy = (code: string) => store.reader.findByBarcode(code).map((row) => store.reader.card(row));
    save(store, [shown('SKU-OLD', 4)]);
    expect(cardBy('SKU-OLD')).toMatchObject([
      {
        code: 'C1',
        unit: 'UN',
        barcodes: ['9520000000011'],
        options: [
          { name: 'P', amount: 4 },
          { name: 'M', amount: null },
        ],
      },
    ]);
    save(store, [shown('SKU-NEW', 9)]);
    expect(cardBy('SKU-OLD')).toEqual([]);
    expect(cardBy('R1')).toEqual(cardBy('SKU-NEW'));
    expect(cardBy('SKU-NEW')).toMatchObject([
      {
        code: 'C1',
        options: [
          { name: 'P', amount: 9 },
          { name: 'M', amount: null },
        ],
      },
    ]);
    store.writer.remove(stock, [id(1)]);
    save(store, [{ id: 2, name: 'Outro' }]);
    expect(['SKU-OLD', 'SKU-NEW', 'R1', '9520000000011'].flatMap(cardBy)).toEqual([]);
  });

  test('W3: a change far behind in a long element is noticed', async () => {
    const { store } = await openStore();
    const ending = (last: string) => ({ ...coffee, image: 'x'.repeat(70_000), last });
    const updatedAt = () => store.browse.product(store.reader.find(stockOne, id(1)) ?? 0)?.updatedAt;
    save(store, [ending('a')]);
    save(store, [ending('a')], { askedAt: askedAt + 5 });
    expect(updatedAt()).toBe(askedAt);
    save(store, [ending('b')], { askedAt: askedAt + 9 });
    expect(updatedAt()).toBe(askedAt + 9);
  });

  test('a key that an earlier version left behind hides no product', async () => {
    const { store, path } = await openStore();
    const other = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations });
    other.prepare('INSERT INTO product_keys (key, product) VALUES (?, 999)').run(codeKeys('12345')[0] ?? '');
    other.close();
    save(store, [{ id: 3, code: '12345', name: 'Novo' }]);
    expect(store.reader.findByBarcode('12345')).toEqual([]);
    expect(names(store, store.reader.findByCode('12345'))).toEqual(['Novo']);
  });

  test('an element nested deeper than the stack is stored', async () => {
    const { store } = await openStore();
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    save(store, [{ ...coffee, deep }]);
    expect(store.reader.findByBarcode('9520000000011')).toHaveLength(1);
  });
});
