// The proof of what is told of the listing's fields: what the copy really has, bounded, and nothing else.
import { describe, expect, test } from 'vitest';
import { maxElementsRead } from '../../../../app/catalogue/repository/listed-fields.ts';
import { listedFieldsSchema, shownFieldsSchema, type ListedFields } from '../../../../app/contract/fields.ts';
import { maxListedFields } from '../../../../app/contract/fields.ts';
import { parseJson } from '../../../../app/domain/json.ts';
import { id, openRepository, stockOne } from '../catalogue-fixture.ts';
import { save } from './repository-fixture.ts';

const always = (): Promise<boolean> => Promise.resolve(true);

/** Of a copy of these elements. */
async function fieldsOf(elements: readonly unknown[]): Promise<ListedFields> {
  const { repository } = await openRepository();
  for (let from = 0; from < elements.length; from += 100) {
    save(repository, elements.slice(from, from + 100));
  }
  return listedFieldsSchema.parse(await repository.fields.read(always));
}

test('an empty copy has none', async () => {
  expect(await fieldsOf([])).toEqual({ fields: [], counted: 0, isSample: false, leftOut: 0 });
});

test('each path once, with its kinds, how many products have it, and three different samples', async () => {
  const { fields, counted } = await fieldsOf([
    { id: 1, name: 'Café', price: 12.5, aisle: 'A3', isOrganic: true, supplier: { name: 'Example 1' }, tags: ['no'] },
    { id: 2, name: 'Chá', price: '12.50', aisle: 'A3', since: '2026-01-01T10:00:00-03:00', supplier: { name: null } },
    { id: 3, name: 'Pão', price: 9, aisle: '', supplier: {} },
    { id: 4, name: 'Mel', price: 8 },
  ]);
  expect(counted).toBe(4);
  expect(fields.filter(({ ownPlace }) => ownPlace === null)).toEqual([
    {
      path: 'price',
      kinds: ['number', 'text'],
      products: 4,
      samples: [
        { value: '12.5', kind: 'number' },
        { value: '12.50', kind: 'text' },
        { value: '9', kind: 'number' },
      ],
      ownPlace: null,
      usual: 'price',
    },
    {
      path: 'aisle',
      kinds: ['text'],
      products: 2,
      samples: [{ value: 'A3', kind: 'text' }],
      ownPlace: null,
      usual: 'aisle',
    },
    {
      path: 'isOrganic',
      kinds: ['boolean'],
      products: 1,
      samples: [{ value: 'true', kind: 'boolean' }],
      ownPlace: null,
    },
    {
      path: 'supplier.name',
      kinds: ['text'],
      products: 1,
      samples: [{ value: 'Example 1', kind: 'text' }],
      ownPlace: null,
    },
    {
      path: 'since',
      kinds: ['moment'],
      products: 1,
      samples: [{ value: '2026-01-01T10:00:00-03:00', kind: 'moment' }],
      ownPlace: null,
    },
  ]);
});

test('the one field each that is shown without having been chosen is marked, as the card finds it', async () => {
  const { fields } = await fieldsOf([
    { price: 5, preco: 6, supplier: { price: 1 }, product: { id: 1, name: 'Café', sale_price: 4, price: 3 } },
    { Corredor: 'B2', produto: { id: 2, name: 'Chá', preco: 7 } },
  ]);
  expect(fields.flatMap(({ path, usual }) => (usual === undefined ? [] : [[usual, path]]))).toEqual([
    ['price', 'product.sale_price'],
    ['aisle', 'Corredor'],
  ]);
});

test('a field that the app shows anyway is marked, wherever the listing has it', async () => {
  const { fields } = await fieldsOf([
    {
      product: {
        id: 1,
        name: 'Café',
        sku: 'CF-1',
        barcode: '9520000000011',
        unitOfMeasure: { id: 3, code: 'KG' },
        category: { name: 'Mercearia' },
      },
      balance: 5,
      stock: { id: 1, name: 'Loja', city: 'Example' },
      updated_at: '2026-01-01T10:00:00-03:00',
    },
  ]);
  expect(Object.fromEntries(fields.map(({ path, ownPlace }) => [path, ownPlace]))).toEqual({
    'product.id': 'id',
    'product.name': 'name',
    'product.sku': 'code',
    'product.barcode': 'barcode',
    'product.unitOfMeasure.id': 'unit',
    'product.unitOfMeasure.code': 'unit',
    'product.category.name': null,
    balance: 'balance',
    'stock.id': 'stock',
    'stock.name': 'stock',
    'stock.city': null,
    updated_at: 'updated',
  });
});

describe('a listing that means harm', () => {
  test('is told within bounds, and only by names that can be chosen', async () => {
    const hostile = parseJson(
      `{"id":1,"name":"x","__proto__":{"price":1},"constructor":"mine","toString":"${'v'.repeat(5_000)}","":"empty","a\\u0000b":1,"\\u202eecirp":2,"\\ud800":3,"${'n'.repeat(200)}":4,"a":{"b":{"c":{"d":{"e":{"f":{"g":5}}}}}},"w.x.y.z.q.r":6}`,
    );
    const { fields, leftOut } = await fieldsOf([hostile]);
    expect(fields.map(({ path }) => path)).toEqual(['id', 'name', '__proto__.price', 'constructor', 'toString']);
    expect(fields.at(-1)?.samples[0]?.value).toHaveLength(80);
    expect(leftOut).toBe(6);
    expect(
      shownFieldsSchema.safeParse(fields.map(({ path }, place) => ({ path, name: `n${place}`, on: [] }))).success,
    ).toBe(true);
  });

  test('with very many names is told up to a bound, the rest by their number', async () => {
    const many = Array.from({ length: 3 }, (_, product) => ({
      id: product + 1,
      ...Object.fromEntries(Array.from({ length: 250 }, (_unused, place) => [`f${product}_${place}`, place])),
    }));
    const { fields, leftOut } = await fieldsOf(many);
    expect(fields).toHaveLength(maxListedFields);
    expect(leftOut).toBe(750 + 1 - maxListedFields);
  });
});

test('of very many products an even sample is read, in slices between which everybody else has a turn', async () => {
  const { repository } = await openRepository();
  const elements = Array.from({ length: maxElementsRead + 500 }, (_, place) => ({
    id: place + 1,
    name: 'x',
    ...(place === 0 || place === maxElementsRead + 499 ? {} : { inner: place % 2 }),
  }));
  for (let from = 0; from < elements.length; from += 100) {
    save(repository, elements.slice(from, from + 100));
  }
  let turns = 0;
  const read = await repository.fields.read(() => {
    turns += 1;
    return Promise.resolve(true);
  });
  expect(read).toMatchObject({ counted: maxElementsRead, isSample: true });
  expect(turns).toBe(maxElementsRead / 20);
  expect(read?.fields.find(({ path }) => path === 'inner')?.samples).toHaveLength(2);
  expect(await repository.fields.read(() => Promise.resolve(false))).toBeNull();
  expect(repository.reader.find(stockOne, id(1))).not.toBeNull();
});
