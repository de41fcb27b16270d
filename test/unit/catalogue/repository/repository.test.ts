// The proof of the store on a real file: what a changed, renamed, re-barcoded or damaged product leaves behind.
import { describe, expect, test } from 'vitest';
import { codeKeys } from '../../../../app/domain/codes/barcode.ts';
import { catalogueMigrations } from '../../../../app/catalogue/repository/migrations.ts';
import { Database } from '../../../../app/storage/database.ts';
import { id, openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { askedAt, coffee, names, save } from './repository-fixture.ts';

describe('a product that changes', () => {
  test('W1: re-barcoded, it is found by the new barcode alone', async () => {
    const { repository } = await openRepository();
    save(repository, [coffee]);
    save(repository, [{ ...coffee, barcode: '9520000000028' }]);
    expect(repository.reader.findByBarcode('9520000000011')).toEqual([]);
    expect(names(repository, repository.reader.findByBarcode('9520000000028'))).toEqual(['Café torrado']);
  });

  test('W1: renamed, it is found by the new name and code alone', async () => {
    const { repository } = await openRepository();
    save(repository, [coffee]);
    save(repository, [{ ...coffee, name: 'Chá preto', code: 'ZX-77' }]);
    expect(repository.search.search('cafe', 10)).toEqual([]);
    expect(repository.search.search('f-00', 10)).toEqual([]);
    expect(names(repository, repository.search.search('cha pre', 10))).toEqual(['Chá preto']);
    expect(repository.reader.findByCode('CF-001')).toEqual([]);
    expect(names(repository, repository.reader.findByCode('zx-77'))).toEqual(['Chá preto']);
  });

  test('W1: a second code that goes away is not found any more', async () => {
    const { repository } = await openRepository();
    save(repository, [{ ...coffee, sku: 'SECOND-1' }]);
    expect(repository.reader.findByBarcode('second-1')).toHaveLength(1);
    expect(repository.search.search('second', 10)).toHaveLength(1);
    save(repository, [coffee]);
    expect(repository.reader.findByBarcode('second-1')).toEqual([]);
    expect(repository.search.search('second', 10)).toEqual([]);
  });

  test('what a lookup may find otherwise since is counted: another code, an alias, a removal, but no figure', async () => {
    const { repository } = await openRepository();
    const { writer } = repository;
    const stock = repository.stocks()[0] ?? expect.fail();
    const countedBy = (work: () => unknown): number => {
      const before = writer.changes();
      work();
      return writer.changes() - before;
    };
    expect(countedBy(() => save(repository, [coffee]))).toBe(1);
    expect(countedBy(() => save(repository, [coffee]))).toBe(0);
    expect(countedBy(() => save(repository, [{ ...coffee, barcode: '9520000000028' }], { pass: 0 }))).toBe(1);
    expect(countedBy(() => writer.saveBalance(stock, id(1), { amount: 3, options: [], asOf: askedAt + 1 }))).toBe(0);
    expect(countedBy(() => writer.saveAlias('77', id(1), askedAt, [stockOne]))).toBe(1);
    expect(countedBy(() => writer.removeAlias('77', askedAt))).toBe(1);
    expect(countedBy(() => writer.remove(stock, [id(1)]))).toBe(1);
  });

  test('a stock that was asked for a code again and again is kept with it once', async () => {
    const { repository } = await openRepository();
    repository.writer.saveAlias('77', id(1), askedAt, [id(11)]);
    for (let asked = 0; asked < 3; asked += 1) {
      repository.writer.noteAsked('77', [id(11), id(1), id(12)]);
    }
    expect(repository.reader.aliasOrigin('77')).toEqual({ learnedAt: askedAt, stockIds: ['11', '1', '12'] });
  });

  test('removed, nothing of it is found', async () => {
    const { repository } = await openRepository();
    save(repository, [coffee, { ...coffee, id: 2, name: 'Outro' }]);
    const [stock] = repository.stocks();
    repository.writer.remove(stock ?? { number: 0, stockId: stockOne }, [id(1)]);
    expect(names(repository, repository.reader.findByBarcode('9520000000011'))).toEqual(['Outro']);
    expect(repository.search.search('torrado', 10)).toEqual([]);
    expect(repository.reader.find(stockOne, id(1))).toBeNull();
    expect(repository.stocks()[0]?.copied).toBe(1);
  });

  test('two products with one barcode are both found', async () => {
    const { repository } = await openRepository();
    save(repository, [coffee, { ...coffee, id: 2, code: 'CF-002', name: 'Café moído' }]);
    expect(names(repository, repository.reader.findByBarcode('9520000000011')).toSorted()).toEqual([
      'Café moído',
      'Café torrado',
    ]);
  });

  test('in two stocks it is two rows', async () => {
    const { repository } = await openRepository({ stockIds: [stockOne, stockTwo] });
    save(repository, [coffee]);
    save(repository, [{ ...coffee, balance: 9 }], { stock: 1 });
    expect(repository.reader.findById(id(1)).map((row) => repository.reader.hit(row))).toMatchObject([
      { stockId: stockOne, balance: { amount: 5 } },
      { stockId: stockTwo, balance: { amount: 9 } },
    ]);
  });
});

describe('the figures', () => {
  test.each([0, -3, 2.375, -0.001, 1e15])('a balance of %d is kept exactly', async (balance) => {
    const { repository } = await openRepository();
    save(repository, [{ ...coffee, balance }]);
    expect(repository.reader.card(repository.reader.find(stockOne, id(1)) ?? 0)?.balance).toEqual({
      amount: balance,
      asOf: askedAt,
      source: 'listing',
    });
  });

  test('ids up to the largest int64 survive to the byte, with neighbours told apart', async () => {
    const { repository } = await openRepository({ stockIds: [id(9223372036854775806n)] });
    const ids = [9007199254740993n, 9007199254740992n, 9223372036854775807n];
    save(
      repository,
      ids.map((productId) => ({ id: productId, name: `n${productId}` })),
    );
    for (const productId of ids) {
      const row = repository.reader.find(id(9223372036854775806n), id(productId));
      expect(repository.reader.card(row ?? 0)).toMatchObject({
        productId: String(productId),
        stockId: '9223372036854775806',
        name: `n${productId}`,
      });
    }
  });

  test('W2: a live figure outlives an older listing and yields to a newer one', async () => {
    const { repository } = await openRepository();
    const [stock] = repository.stocks();
    save(repository, [coffee]);
    repository.writer.saveBalance(stock ?? { number: 0, stockId: stockOne }, id(1), {
      amount: 3,
      options: [{ name: 'M', amount: 2 }],
      asOf: askedAt + 500,
    });
    const card = (): unknown => repository.reader.card(repository.reader.find(stockOne, id(1)) ?? 0);
    save(repository, [{ ...coffee, balance: 99 }], { askedAt: askedAt + 499 });
    expect(card()).toMatchObject({
      balance: { amount: 3, asOf: askedAt + 500, source: 'live' },
      options: [{ name: 'M', amount: 2 }],
    });
    save(repository, [{ ...coffee, balance: 98 }], { askedAt: askedAt + 501 });
    expect(card()).toMatchObject({ balance: { amount: 98, asOf: askedAt + 501, source: 'listing' } });
  });

  test('W2: a live figure removes those of its options; a newer live one brings them back as it says', async () => {
    const { repository } = await openRepository();
    const stock = repository.stocks()[0] ?? { number: 0, stockId: stockOne };
    const card = () => repository.reader.card(repository.reader.find(stockOne, id(1)) ?? 0);
    const shirt = (small: number, medium: number) => ({
      id: 1,
      name: 'Camisa',
      balance: small + medium,
      options: [
        { name: 'P', balance: small },
        { name: 'M', balance: medium },
      ],
    });
    save(repository, [shirt(5, 3)]);
    repository.writer.saveBalance(stock, id(1), {
      amount: 8,
      options: [
        { name: 'P', amount: 5 },
        { name: 'M', amount: 3 },
      ],
      asOf: askedAt + 500,
    });
    save(repository, [shirt(0, 1)], { askedAt: askedAt + 86_400_000 });
    expect(card()).toMatchObject({
      balance: { amount: 1, source: 'listing' },
      options: [
        { name: 'P', amount: 0 },
        { name: 'M', amount: 1 },
      ],
    });
    repository.writer.saveBalance(stock, id(1), {
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
      const { repository } = await openRepository({ now: () => now });
      const stock = repository.stocks()[0] ?? { number: 0, stockId: stockOne };
      const amounts = () =>
        [1, 2, 3].map(
          (productId) => repository.reader.hit(repository.reader.find(stockOne, id(productId)) ?? 0)?.balance.amount,
        );
      save(repository, [coffee, { id: 2, name: 'Açúcar', balance: 2 }, { id: 3, name: 'Chá', balance: 3 }], {
        askedAt: now,
      });
      repository.writer.saveBalance(stock, id(1), { amount: 3, options: [], asOf: now });
      now = askedAt + 100;
      save(repository, [
        { ...coffee, balance: 98 },
        { id: 2, name: 'Açúcar', balance: 97 },
      ]);
      repository.writer.saveBalance(stock, id(3), { amount: 96, options: [], asOf: askedAt });
      expect(amounts()).toEqual([98, 97, 96]);
    },
  );

  test('a listing without a figure leaves the one that is there', async () => {
    const { repository } = await openRepository();
    save(repository, [coffee]);
    save(repository, [{ id: 1, name: 'Café' }], { askedAt: askedAt + 5 });
    expect(repository.reader.hit(repository.reader.find(stockOne, id(1)) ?? 0)?.balance).toEqual({
      amount: 5,
      asOf: askedAt,
      source: 'listing',
    });
  });

  test('a live figure of a product that is not in the copy is not kept', async () => {
    const { repository } = await openRepository();
    const [stock] = repository.stocks();
    expect(
      repository.writer.saveBalance(stock ?? { number: 0, stockId: stockOne }, id(1), {
        amount: 3,
        options: [],
        asOf: 1,
      }),
    ).toBe(false);
  });
});

describe('what a page tells', () => {
  test('fresh, newly seen and skipped elements are counted apart', async () => {
    const { repository } = await openRepository();
    const place = { kind: 'full', first: 0 } as const;
    expect(save(repository, [coffee, { name: 'no id' }, null, coffee], { pass: 1, seenSince: 1, place })).toMatchObject(
      { fresh: 1, newlySeen: 1, skipped: 2, unreadable: 2 },
    );
    expect(save(repository, [coffee], { pass: 2, seenSince: 1 })).toMatchObject({ fresh: 1, newlySeen: 0, skipped: 0 });
    expect(save(repository, [coffee, { ...coffee, id: 3 }], { pass: 2, seenSince: 2 })).toMatchObject({
      fresh: 1,
      newlySeen: 1,
    });
    expect(repository.stocks()[0]?.copied).toBe(2);
  });

  test('rows that a pass did not see are found in bounded steps', async () => {
    const { repository } = await openRepository();
    const stock = repository.stocks()[0] ?? { number: 0, stockId: stockOne };
    save(
      repository,
      Array.from({ length: 120 }, (_, place) => ({ id: place + 1, name: 'x' })),
      { pass: 1 },
    );
    save(
      repository,
      Array.from({ length: 60 }, (_, place) => ({ id: 2 * place + 1, name: 'x' })),
      { pass: 2 },
    );
    const first = repository.unseen(stock, 2, 0, 50);
    expect(first.productIds).toHaveLength(50);
    expect(first.isEnd).toBe(false);
    const second = repository.unseen(stock, 2, first.position, 50);
    expect(second).toMatchObject({ isEnd: true });
    expect([...first.productIds, ...second.productIds].map(Number)).toEqual(
      Array.from({ length: 60 }, (_, place) => 2 * place + 2),
    );
  });

  test('W4: a name of 10 MB is cut, its product is found, and the file stays small', async () => {
    const { repository } = await openRepository();
    save(repository, [{ ...coffee, name: 'Gigante '.repeat(1_300_000) }]);
    const card = repository.reader.card(repository.search.search('gigante', 5)[0] ?? 0);
    expect(card?.name.length).toBeLessThanOrEqual(500);
    expect(card).toMatchObject({ code: 'CF-001', barcodes: ['9520000000011'], balance: { amount: 5 } });
    save(repository, [coffee]);
    expect(repository.search.search('gigante', 5)).toEqual([]);
  });

  test.each([
    ['too long', 'x'.repeat(70_000)],
    ['too deep', JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
  ])('W1, W4: of an element that is %s to be kept, all keys and options are, and go with it', async (_name, image) => {
    const { repository } = await openRepository();
    const stock = repository.stocks()[0] ?? { number: 0, stockId: stockOne };
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
    const cardBy = (code: string) => repository.reader.findByBarcode(code).map((row) => repository.reader.card(row));
    save(repository, [shown('SKU-OLD', 4)]);
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
    save(repository, [shown('SKU-NEW', 9)]);
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
    repository.writer.remove(stock, [id(1)]);
    save(repository, [{ id: 2, name: 'Outro' }]);
    expect(['SKU-OLD', 'SKU-NEW', 'R1', '9520000000011'].flatMap(cardBy)).toEqual([]);
  });

  test('W3: a change far behind in a long element is noticed', async () => {
    const { repository } = await openRepository();
    const ending = (last: string) => ({ ...coffee, image: 'x'.repeat(70_000), last });
    const updatedAt = () => repository.browse.product(repository.reader.find(stockOne, id(1)) ?? 0)?.updatedAt;
    save(repository, [ending('a')]);
    save(repository, [ending('a')], { askedAt: askedAt + 5 });
    expect(updatedAt()).toBe(askedAt);
    save(repository, [ending('b')], { askedAt: askedAt + 9 });
    expect(updatedAt()).toBe(askedAt + 9);
  });

  test('a key that an earlier version left behind hides no product', async () => {
    const { repository, path } = await openRepository();
    const other = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations });
    other.prepare('INSERT INTO product_keys (key, product) VALUES (?, 999)').run(codeKeys('12345')[0] ?? '');
    other.close();
    save(repository, [{ id: 3, code: '12345', name: 'Novo' }]);
    expect(repository.reader.findByBarcode('12345')).toEqual([]);
    expect(names(repository, repository.reader.findByCode('12345'))).toEqual(['Novo']);
  });

  test('an element nested deeper than the stack is stored', async () => {
    const { repository } = await openRepository();
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    save(repository, [{ ...coffee, deep }]);
    expect(repository.reader.findByBarcode('9520000000011')).toHaveLength(1);
  });
});
