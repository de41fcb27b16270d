// The proof of the store on a real file: what a changed, renamed, re-barcoded or damaged product leaves behind.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import type { CatalogueStore } from '../../../../app/catalogue/store/store.ts';
import { codeKeys } from '../../../../app/domain/codes/barcode.ts';
import { catalogueMigrations } from '../../../../app/storage/catalogue-migrations.ts';
import { Database, StorageError } from '../../../../app/storage/database.ts';
import { elementOf, id, openStore, stockOne, stockTwo } from '../catalogue-fixture.ts';

const askedAt = 1_000_000;

function save(
  store: CatalogueStore,
  elements: readonly unknown[],
  options: { pass?: number; seenSince?: number; askedAt?: number; stock?: number } = {},
): ReturnType<CatalogueStore['writer']['save']> {
  const stock = store.stocks()[options.stock ?? 0];
  if (stock === undefined) {
    throw new Error('no such stock');
  }
  return store.writer.save(stock, elements, { pass: 1, seenSince: 1, askedAt, ...options });
}

function names(store: CatalogueStore, rows: readonly number[]): string[] {
  return rows.map((row) => store.reader.hit(row)?.name ?? '');
}

const coffee = { id: 1, code: 'CF-001', name: 'Café torrado', barcode: '9520000000011', balance: 5 };

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

  test('W2: with a live figure go the figures of its options, and with a newer live one they come back as that one says', async () => {
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
    expect(save(store, [coffee, { name: 'no id' }, null, coffee], { pass: 1, seenSince: 1 })).toMatchObject({
      fresh: 1,
      newlySeen: 1,
      skipped: 2,
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

describe('search', () => {
  const products = [
    { id: 1, name: 'Leite integral 1 L', code: '000123' },
    { id: 2, name: 'Leiteira de alumínio', code: '000124' },
    { id: 3, name: 'Doce de leite', code: 'AB-004567-X' },
    { id: 4, name: 'Água com gás', code: '000126' },
    { id: 5, name: 'Pão de açúcar "D\'água" AND OR NOT * ^', code: '50%_OFF' },
  ];

  async function fill(): Promise<(text: string) => number[]> {
    const { store } = await openStore();
    save(store, products);
    return (text) => store.search.search(text, 10).map((row) => Number(store.reader.hit(row)?.productId));
  }

  test('accents, capitals and the order of words do not matter', async () => {
    const search = await fill();
    expect(search('GAS agua')).toEqual([4]);
    expect(search('ágUA GÁ')).toEqual([4]);
    expect(search('a\u0301gua com')).toEqual([4]);
  });

  test('whole words come before beginnings, and names that begin so before others', async () => {
    const search = await fill();
    expect(search('leite')).toEqual([1, 3, 2]);
    expect(search('lei')).toEqual([1, 2, 3]);
  });

  test('fragments of codes', async () => {
    const search = await fill();
    expect(search('0456')).toEqual([3]);
    expect(search('b-0045')).toEqual([3]);
    expect(search('00012')).toEqual([1, 2, 4]);
    expect(search('50%_')).toEqual([5]);
  });

  test.each([
    '',
    '   ',
    '"',
    '*',
    "d'agua",
    'AND',
    'NOT a',
    'NEAR(a b)',
    '(',
    '^a',
    'text:leite',
    '-',
    'a OR b',
    '\u0000',
    '😀',
    'ﬁ',
    'x'.repeat(5_000),
    'a '.repeat(2_000),
    '日本',
    '\ud800',
  ])('never throws for %j', async (text) => {
    const search = await fill();
    expect(Array.isArray(search(text))).toBe(true);
  });

  test('what looks like the language of the database is only words', async () => {
    const search = await fill();
    expect(search("d'agua and not")).toEqual([5]);
  });
});

describe('opening', () => {
  test('what was saved is there again', async () => {
    const first = await openStore();
    save(first.store, [coffee]);
    first.store.close();
    const { store, wasRebuilt } = await openStore({ path: first.path });
    expect(wasRebuilt).toBe(false);
    expect(store.reader.findByBarcode('9520000000011')).toHaveLength(1);
  });

  test('another fingerprint empties everything', async () => {
    const first = await openStore();
    save(first.store, [coffee]);
    first.store.recent.remember({ at: 1, text: 'x', answer: 'unknown', product: null });
    first.store.close();
    const { store } = await openStore({ path: first.path, fingerprint: 'https://other.example.com 1' });
    expect(store.reader.findById(id(1))).toEqual([]);
    expect(store.search.search('cafe', 5)).toEqual([]);
    expect(store.recent.list()).toEqual([]);
    expect(store.stocks()).toMatchObject([{ copied: 0, progress: { since: null } }]);
  });

  test.each([
    ['cut off', `'{"lastPass":12,"fu'`],
    ['of another version', `json_set(progress, '$.fieldOfAnotherVersion', 1)`],
  ])('progress that is %s begins anew, above the passes that the rows were seen by', async (_name, damaged) => {
    const first = await openStore({ stockIds: [stockOne, stockTwo] });
    save(first.store, [coffee], { pass: 41 });
    save(first.store, [coffee], { pass: 99, stock: 1 });
    for (const stock of first.store.stocks()) {
      first.store.saveProgress(stock, { ...noProgress, lastPass: 43, completeAsOf: 5 });
    }
    first.store.close();
    const other = await Database.open(first.path, { kind: 'disposable', migrations: catalogueMigrations });
    other.exec(`UPDATE stocks SET progress = ${damaged} WHERE stock_id = ${stockOne}`);
    other.close();
    const { store, wasRebuilt } = await openStore({ path: first.path, stockIds: [stockOne, stockTwo] });
    expect(wasRebuilt).toBe(false);
    expect(store.stocks()).toMatchObject([
      { copied: 1, progress: { ...noProgress, lastPass: 41 } },
      { copied: 1, progress: { ...noProgress, lastPass: 43, completeAsOf: 5 } },
    ]);
  });

  test('a file that is no database makes way', async () => {
    const first = await openStore();
    first.store.close();
    writeFileSync(first.path, 'x'.repeat(100_000));
    const { store, wasRebuilt } = await openStore({ path: first.path });
    expect(wasRebuilt).toBe(true);
    expect(store.stocks()).toHaveLength(1);
  });

  test('damage in the middle shows as StorageError with isDamage, and rebuild makes way', async () => {
    const first = await openStore();
    save(
      first.store,
      Array.from({ length: 2_000 }, (_, place) =>
        elementOf({ id: BigInt(place + 1), code: `C${place}`, name: `Produto ${place}`, updatedAt: 0 }),
      ),
    );
    first.store.close();
    const bytes = readFileSync(first.path);
    bytes.fill(0xa5, 4096 * 4);
    writeFileSync(first.path, bytes);
    const damaged = await openStore({ path: first.path });
    if (!damaged.wasRebuilt) {
      let thrown: unknown;
      try {
        for (let place = 1; place <= 2_000; place += 1) {
          damaged.store.reader.card(damaged.store.reader.find(stockOne, id(place)) ?? 0);
        }
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(StorageError);
      expect((thrown as StorageError).isDamage).toBe(true);
    }
    damaged.store.close();
    const { store, wasRebuilt } = await openStore({ path: first.path, rebuild: true });
    expect(wasRebuilt).toBe(true);
    expect(store.reader.findById(id(1))).toEqual([]);
  });
});

test.each([1, 7, 500])(
  'the last hundred lookups are remembered, newest first, the same text once in a row, written after every %d',
  async (often) => {
    const { store } = await openStore();
    save(store, [coffee]);
    for (let place = 0; place < 150; place += 1) {
      store.recent.remember({ at: place, text: `t${place}`, answer: 'unknown', product: null });
      if (place % often === 0) {
        store.recent.write('now');
      }
    }
    store.recent.remember({ at: 150, text: 'cafe', answer: 'unknown', product: null });
    store.recent.remember({ at: 151, text: 'cafe', answer: 'found', product: { stockId: stockOne, productId: id(1) } });
    const list = store.recent.list();
    expect(list).toHaveLength(100);
    expect(list[0]).toMatchObject({ at: 151, text: 'cafe', answer: 'found', hit: { name: 'Café torrado' } });
    expect(list[1]?.text).toBe('t149');
    store.recent.remember({ at: 152, text: 'x', answer: 'notCopied', product: null });
    store.recent.remember({ at: 153, text: 'y', answer: 'notCopied', product: null });
    expect(store.recent.correct({ text: 'x', answer: 'unknown', product: null })).toBe(true);
    expect(store.recent.correct({ text: 'cafe', answer: 'unknown', product: null })).toBe(false);
    const before = store.recent.list();
    expect(before.slice(0, 3).map(({ text, answer }) => [text, answer])).toEqual([
      ['y', 'notCopied'],
      ['x', 'unknown'],
      ['cafe', 'found'],
    ]);
    store.recent.write('patiently');
    expect(store.recent.list()).toEqual(before);
  },
);
