// The proof that the copy shows the fields that the shop chose, where it chose, as the listing has them.
import { describe, expect, test } from 'vitest';
import { keptShownFieldsSchema, shownFieldsSchema, type ShownField } from '../../../../app/contract/fields.ts';
import { parseJson } from '../../../../app/domain/json.ts';
import { id, openRepository, stockOne } from '../catalogue-fixture.ts';
import { coffee, save } from './repository-fixture.ts';
import { listed } from '../../../support/listed.ts';

const shown = (path: string, on: ShownField['on'] = ['card']): ShownField => ({ path, name: path.slice(-20), on });

describe('the setting', () => {
  test('takes twelve, each path and name once, and no name that cannot be seen', () => {
    const twelve = Array.from({ length: 12 }, (_, place) => ({ path: `p${place}`, name: `n${place}`, on: ['card'] }));
    const takes = (value: unknown): boolean => shownFieldsSchema.safeParse(value).success;
    expect(takes(twelve)).toBe(true);
    expect(takes([...twelve, { path: 'p', name: 'n', on: [] }])).toBe(false);
    expect(takes([shown('a'), { ...shown('b'), name: 'a' }])).toBe(false);
    expect(takes([shown('a'), { ...shown('a'), name: 'b' }])).toBe(false);
    for (const wrong of [
      { path: '' },
      { path: 'a.b.c.d.e.f' },
      { path: 'x'.repeat(121) },
      { name: '' },
      { name: ' \n' },
      { name: '\u200B' },
      { name: 'x'.repeat(25) },
      { on: ['shelf'] },
    ]) {
      expect(takes([{ ...shown('a'), ...wrong }]), JSON.stringify(wrong)).toBe(false);
    }
  });

  test('one that makes no sense in the document never costs the others', () => {
    expect(keptShownFieldsSchema.parse([shown('a'), 7, { path: 'b' }, shown('a'), shown('c')])).toEqual([
      shown('a'),
      shown('c'),
    ]);
    expect(keptShownFieldsSchema.parse('none')).toEqual([]);
  });
});

describe('a copy', () => {
  const priced = { ...coffee, aisle: 'A3', product: { price: 12.5 } };

  test('answers with what is shown now, in its order, each place with its own', async () => {
    let fields: readonly ShownField[] = [];
    const { repository } = await openRepository({ shownFields: () => fields });
    save(repository, [priced, { ...coffee, id: 2, name: 'Chá' }]);
    const [row, bare] = [repository.reader.find(stockOne, id(1)) ?? 0, repository.reader.find(stockOne, id(2)) ?? 0];
    expect(repository.reader.card(row)?.fields).toMatchObject([
      { usual: 'price', value: '12.5', on: ['card', 'station'] },
      { usual: 'aisle', value: 'A3', on: ['card', 'station'] },
    ]);
    expect(repository.browse.hit(row)).not.toHaveProperty('fields');
    expect(repository.browse.product(row)).not.toHaveProperty('fields');

    fields = [
      { path: 'product.price', name: 'Price', on: ['card', 'table'] },
      { path: 'aisle', name: 'Aisle', on: ['label'] },
    ];
    const price = { isPrice: true, name: 'Price', value: '12.5', kind: 'number', on: ['card', 'table'] };
    expect(repository.reader.card(row)?.fields).toEqual([
      price,
      { name: 'Aisle', value: 'A3', kind: 'text', on: ['label'] },
    ]);
    expect(repository.browse.hit(row)?.fields).toEqual([price]);
    expect(repository.browse.product(row)?.fields).toEqual([price]);
    expect(repository.browse.hit(bare)).not.toHaveProperty('fields');
    expect(repository.reader.card(bare)).not.toHaveProperty('fields');
  });

  test('reads no element for a line of the table when the table shows none', async () => {
    const { repository } = await openRepository({ shownFields: () => [shown('aisle', ['card', 'label'])] });
    save(repository, [priced]);
    const row = repository.reader.find(stockOne, id(1)) ?? 0;
    const parse = JSON.parse;
    let parsed = 0;
    JSON.parse = (...args: Parameters<typeof parse>): unknown => {
      parsed += 1;
      return parse(...args);
    };
    try {
      expect(repository.browse.hit(row)).not.toHaveProperty('fields');
      expect(parsed).toBe(0);
      // The card has always read its element, and reads it once.
      expect(repository.reader.card(row)?.fields).toHaveLength(1);
      expect(parsed).toBe(1);
    } finally {
      JSON.parse = parse;
    }
  });
});

describe('a number that came with zeros behind its decimals', () => {
  const element = (price: string): unknown =>
    parseJson(`{"id":1,"name":"Café","balance":5.00,"price":${price},"product":{"cost":${price}},"code":10.50}`);
  const fields = [shown('price'), shown('product.cost'), shown('balance')];

  test('is shown with them wherever the copy shows it, and counts as the number it is', async () => {
    const { repository, path } = await openRepository({ shownFields: () => fields });
    save(repository, [element('12.50')]);
    const row = repository.reader.find(stockOne, id(1)) ?? 0;
    const card = repository.reader.card(row);
    expect(card?.fields?.map(({ value }) => value)).toEqual(['12.50', '12.50', '5.00']);
    expect(card?.extra).toContainEqual({ name: 'price', value: '12.50' });
    expect(card?.extra).toContainEqual({ name: 'cost', value: '12.50' });
    expect(card).toMatchObject({ balance: { amount: 5 }, code: '10.5' });
    expect(repository.reader.fields(row, 'card').map(({ value }) => value)).toEqual(['12.50', '12.50', '5.00']);
    const found = await repository.fields.read(() => Promise.resolve(true));
    expect(found?.fields.find((field) => field.path === 'price')?.samples).toEqual([
      { value: '12.50', kind: 'number' },
    ]);
    repository.close();
    const again = await openRepository({ path, shownFields: () => fields });
    expect(again.repository.reader.fields(row, 'card').map(({ value }) => value)).toEqual(['12.50', '12.50', '5.00']);
  });

  test('takes the place of the same number without them, which changes neither the listing nor the product', async () => {
    const { repository } = await openRepository({ shownFields: () => fields });
    const since = (askedAt: number): number => [...repository.browse.listedFrom(askedAt, Infinity)].flat().length;
    const [stock = { number: 0, stockId: stockOne }] = repository.stocks();
    const list = (askedAt: number, price: string, balance = '5.0'): void => {
      const one = parseJson(`{"id":1,"name":"Café","balance":${balance},"price":${price}}`);
      repository.writer.save(stock, listed([one]), { pass: askedAt, seenSince: askedAt, askedAt });
    };
    const row = (): number => repository.reader.find(stockOne, id(1)) ?? 0;
    list(1_000, '12.5');
    list(2_000, '12.50');
    expect(repository.reader.fields(row(), 'card')[0]?.value).toBe('12.50');
    expect([since(0), repository.browse.product(row())?.updatedAt]).toEqual([0, 1_000]);
    // Another figure is a change of the product, and none of its listing.
    list(3_000, '12.500', '4.0');
    expect([since(0), repository.browse.product(row())?.updatedAt]).toEqual([0, 3_000]);
    list(4_000, '12.51', '4.0');
    expect([since(0), repository.browse.product(row())?.updatedAt]).toEqual([1, 4_000]);
  });
});
