// The proof that the fields which a shop shows come as the listing has them, and from nowhere else.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { productFieldSchema, type ShownField } from '../../../../app/contract/fields.ts';
import { readKept } from '../../../../app/platform/listing/listed-element.ts';

const shown = (path: string): ShownField => ({ path, name: path.slice(-20), on: ['card'] });

/** The shown text of the field at this path. */
function at(text: string, path: string): readonly [string, string] | null {
  const [field] = readKept(text).shown([{ path, name: 'x', on: [] }]);
  return field === undefined ? null : [field.kind, field.value];
}

describe('a value', () => {
  test.each([
    ['{"a":12.5}', ['number', '12.5']],
    ['{"a":12.50}', ['number', '12.50']],
    ['{"a":1.0}', ['number', '1.0']],
    ['{"a":1e3}', ['number', '1000']],
    ['{"a":0}', ['number', '0']],
    ['{"a":-0.001}', ['number', '-0.001']],
    ['{"a":9007199254740993}', ['number', '9007199254740993']],
    ['{"a":"12.50"}', ['text', '12.50']],
    ['{"a":"  R$ 12,50 "}', ['text', 'R$ 12,50']],
    ['{"a":true}', ['boolean', 'true']],
    ['{"a":false}', ['boolean', 'false']],
    ['{"a":"2026-01-31T10:00:00-03:00"}', ['moment', '2026-01-31T10:00:00-03:00']],
    ['{"a":"2026-01-31"}', ['text', '2026-01-31']],
    ['{"a":"2026-02-31T10:00:00-03:00"}', ['text', '2026-02-31T10:00:00-03:00']],
    ['{"a":null}', null],
    ['{"a":""}', null],
    ['{"a":[1]}', null],
    ['{"a":{"b":1}}', null],
    ['{}', null],
    ['[]', null],
    ['null', null],
  ])('%s is %j', (text, wanted) => {
    expect(at(text, 'a')).toEqual(wanted);
  });

  test('cannot turn the direction of writing, break a line or be longer than a text may be', () => {
    expect(at(`{"a":"\u202e5.99\u2066\\n\\u0000x"}`, 'a')).toEqual(['text', '5.99 x']);
    expect(at(JSON.stringify({ a: '\u200f' }), 'a')).toBeNull();
    expect(at(JSON.stringify({ a: 'x'.repeat(10_000) }), 'a')?.[1]).toHaveLength(500);
  });
});

describe('a path', () => {
  test.each([
    ['product.price', 'inside'],
    ['a.b', 'whole'],
    ['a.b.c', 'deep'],
    ['x.y.z', 'dotted'],
    ['product', null],
    ['price', null],
    ['list.0', null],
    ['list.length', null],
    ['product.constructor', null],
    ['toString', null],
  ])('%s leads to %j', (path, wanted) => {
    const text =
      '{"product":{"price":"inside"},"a.b":"whole","a":{"b":{"c":"deep"}},"x.y":{"z":"dotted"},"list":["no"],"price":null}';
    expect(at(text, path)?.[1] ?? null).toBe(wanted);
  });

  test('a name that an object has from birth is a field like any other, once the listing has it', () => {
    expect(at('{"a":1}', '__proto__')).toBeNull();
    expect(at('{"__proto__":"mine"}', '__proto__')).toEqual(['text', 'mine']);
    expect(at('{"__proto__":{"price":5}}', '__proto__.price')).toEqual(['number', '5']);
    expect(at('{"constructor":{"name":"mine"}}', 'constructor.name')).toEqual(['text', 'mine']);
  });
});

test('nothing that a listing holds makes it throw, or comes out as what the bridge would refuse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ minLength: 1, maxLength: 8 }), (value, path) => {
      const element = readKept(JSON.stringify({ [path]: value, '': { [path]: value } }));
      const fields = element.shown([shown(path), shown(`.${path}`)]);
      expect(productFieldSchema.array().safeParse(fields).success).toBe(true);
    }),
    { seed: 1 },
  );
});

describe('where the shop has chosen none', () => {
  const usual = (text: string) =>
    readKept(text)
      .shown([])
      .map((field) => [field.usual, field.kind, field.value, field.on.join()]);

  test.each([
    ['{"sale_price":12.50,"aisle":"M4-07"}', ['number', '12.50'], ['text', 'M4-07']],
    ['{"product":{"salePrice":"9.90"},"Corredor":3}', ['text', '9.90'], ['number', '3']],
    ['{"price":1,"sale_price":2,"product":{"price":3}}', ['number', '3'], null],
    ['{"price":null,"precio":"4","estante":""}', ['text', '4'], null],
    ['{"price":{"amount":5},"product":null,"pasillo":"7"}', null, ['text', '7']],
    ['{"cost_price":1,"price_list":2,"price_id":3,"shelf_life":4,"location":"x"}', null, null],
  ])('of %s price and aisle are shown on card and station', (text, price, aisle) => {
    expect(usual(text)).toEqual([
      ...(price === null ? [] : [['price', ...price, 'card,station']]),
      ...(aisle === null ? [] : [['aisle', ...aisle, 'card,station']]),
    ]);
  });

  test('nothing else is, and what is shown keeps to the shape of a shown field', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const fields = readKept(text).shown([]);
        expect(fields.length).toBeLessThanOrEqual(2);
        fields.forEach((field) => expect(productFieldSchema.parse(field)).toEqual(field));
      }),
    );
    expect(readKept(`{"${'x'.repeat(50)}":1,"price":"${'9'.repeat(900)}"}`).shown([])[0]?.value).toHaveLength(500);
  });

  test.each([
    ['{"price":4.5}', 'price'],
    ['{"product":{"sale_price":4.5}}', 'product.sale_price'],
  ])('the price of %s is one also where it is chosen', (text, path) => {
    const read = readKept(text);
    expect([read.shown([])[0]?.isPrice, read.shown([shown(path)])[0]?.isPrice]).toEqual([true, true]);
  });

  test('one that is chosen takes the place of both', () => {
    expect(readKept('{"price":1,"aisle":2}').shown([shown('aisle')])).toEqual([
      { name: 'aisle', kind: 'number', value: '2', on: ['card'] },
    ]);
  });
});
