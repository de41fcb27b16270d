// The proof that an element of the listing is read whatever it looks like (API v3 §2: its fields are not shown).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readElement } from '../../../../app/platform/listing/element.ts';
import { productCardSchema } from '../../../../app/contract/products.ts';
import { parseJson, writeJson } from '../../../../app/domain/json.ts';
import { readOptions } from '../../../../app/platform/listing/stock-fields.ts';

function read(text: string): ReturnType<typeof readElement> {
  return readElement(parseJson(text));
}

describe('the shapes of an element', () => {
  test('flat', () => {
    expect(
      read(
        '{"id":5,"name":"Café torrado","sku":"CF-1","barcode":"9520000000011","unit_of_measure":"KG","balance":-2.5,"updated_at":"2026-01-01T10:00:00-03:00","shelf":"A3"}',
      ),
    ).toEqual({
      productId: '5',
      code: 'CF-1',
      name: 'Café torrado',
      unit: 'KG',
      barcodes: ['9520000000011'],
      otherCodes: [],
      balance: -2.5,
      options: [],
      extra: [
        { name: 'updated_at', value: '2026-01-01T10:00:00-03:00' },
        { name: 'shelf', value: 'A3' },
      ],
      stockName: null,
    });
  });

  test('with a product inside, whose id is the product', () => {
    expect(
      read(
        '{"id":77,"amount_in_stock":"12.5","product":{"id":9007199254740993,"name":"Arroz","code":12,"unit_of_measure":{"id":3,"code":"UNID"},"barcodes":[{"code":"9520000000011"},"95200002"]},"stock":{"id":1,"name":"Loja"}}',
      ),
    ).toMatchObject({
      productId: '9007199254740993',
      code: '12',
      name: 'Arroz',
      unit: 'UNID',
      balance: 12.5,
      barcodes: ['9520000000011', '95200002'],
      stockName: 'Loja',
      extra: [{ name: 'id', value: '77' }],
    });
  });

  test('flat with product_id beside the id of the stock row', () => {
    expect(
      read('{"id":77,"product_id":"9223372036854775807","nome":"Feijão","codigo_barras":9520000000011,"saldo":0}'),
    ).toMatchObject({ productId: '9223372036854775807', name: 'Feijão', barcodes: ['9520000000011'], balance: 0 });
  });

  test.each([
    ['ean', '{"id":1,"ean":"1"}'],
    ['eanCode in camel case', '{"id":1,"productBarcode":"1"}'],
    ['gtin13', '{"id":1,"gtin_13":"1"}'],
    ['codigo_de_barras', '{"id":1,"codigo_de_barras":["1"]}'],
    ['bar_codes with objects', '{"id":1,"bar_codes":[{"type":"EAN13","value":"1"}]}'],
    ['of an option', '{"id":1,"options":[{"name":"P","barcode":"1"}]}'],
  ])('a barcode is found: %s', (_name, text) => {
    expect(read(text)?.barcodes).toEqual(['1']);
  });

  test('a type of barcode is no barcode', () => {
    expect(read('{"id":1,"barcode_type":"EAN13"}')).toMatchObject({
      barcodes: [],
      extra: [{ name: 'barcode_type', value: 'EAN13' }],
    });
  });

  test('options with and without figures', () => {
    expect(
      read(
        '{"id":1,"options":["P",{"name":"M","balance":3},{"option":{"name":"G"},"amount":"-1"},{"option_names":"Azul GG"}]}',
      )?.options,
    ).toEqual([
      { name: 'P', amount: null },
      { name: 'M', amount: 3 },
      { name: 'G', amount: -1 },
      { name: 'Azul GG', amount: null },
    ]);
  });

  test('a figure that is not plainly a number is shown, not guessed', () => {
    expect(read('{"id":1,"balance":"1,234"}')).toMatchObject({
      balance: null,
      extra: [{ name: 'balance', value: '1,234' }],
    });
    expect(read('{"id":1,"balance":1e999}')?.balance).toBeNull();
  });

  test('what is unknown is kept: one level deep by name, lists joined, empty ones left out', () => {
    expect(
      read('{"id":1,"brand":{"name":"Boa","tags":["x","y"]},"active":true,"prices":[{"a":1}],"none":null,"empty":""}')
        ?.extra,
    ).toEqual([
      { name: 'brand.name', value: 'Boa' },
      { name: 'brand.tags', value: 'x, y' },
      { name: 'active', value: 'true' },
      { name: 'prices', value: '[{"a":1}]' },
    ]);
  });

  test('a second code is found and shown', () => {
    expect(read('{"id":1,"code":"A","sku":"B"}')).toMatchObject({
      code: 'A',
      otherCodes: ['B'],
      extra: [{ name: 'sku', value: 'B' }],
    });
  });

  test('a product without a name is called by its code, else by its id', () => {
    expect(read('{"id":1,"code":"A"}')?.name).toBe('A');
    expect(read('{"id":1}')?.name).toBe('1');
  });

  test.each([
    'null',
    '[]',
    '"x"',
    '7',
    '{}',
    '{"id":null}',
    '{"id":-1}',
    '{"id":1.5}',
    '{"id":"abc"}',
    '{"product":{"name":"x"}}',
    '{"id":9223372036854775808}',
  ])('without an id: %s', (text) => {
    expect(read(text)).toBeNull();
  });

  test('a name of 10 MB is cut', () => {
    const listed = readElement({ id: 1, name: '😀'.repeat(2_500_000), extra: 'x'.repeat(1_000_000) });
    expect(listed?.name.length).toBeLessThanOrEqual(500);
    expect(listed?.extra[0]?.value).toHaveLength(500);
  });
});

const names = fc.oneof(
  fc.constantFrom(
    ...'id product_id product produto code sku barcode barcodes ean unit_of_measure balance amount options name stock updated_at __proto__ constructor toString'.split(
      ' ',
    ),
  ),
  fc.string(),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(
      null,
      true,
      0,
      -0,
      1.5,
      1e308,
      5,
      2n ** 60n,
      '',
      '12',
      '9520000000011',
      '\ud800',
      '\u0000',
      '2026-01-01T10:00:00-03:00',
    ),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(names, tie('value')), { maxLength: 8 })
      .map((pairs) =>
        parseJson(
          `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${writeJson(value) ?? 'null'}`).join(',')}}`,
        ),
      ),
  ),
})).value;

test('never throws for any JSON, and what it answers always fits a card', () => {
  fc.assert(
    fc.property(json, fc.boolean(), (value, isProduct) => {
      const element = isProduct && typeof value === 'object' && value !== null ? { ...value, id: 5 } : value;
      const listed = readElement(element);
      readOptions(value);
      if (listed !== null) {
        const { productId, code, name, unit, barcodes, options, extra, balance } = listed;
        const card = {
          stockId: '1',
          stockName: null,
          productId,
          code,
          name,
          unit,
          barcodes,
          options,
          extra,
          balance: { amount: balance, asOf: 1, source: 'listing' },
          coupon: { isEnabled: null, status: 'unknown', failure: null },
          minimum: null,
        };
        expect(productCardSchema.safeParse(card).error).toBeUndefined();
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['"x":', '[', ']'],
  ['"ean":', '[{"gtin":', '}]'],
])('a value nested deeper than the stack is read: %s%s', (name, opens, closes) => {
  const deep = parseJson(`{"id":1,${name}${opens.repeat(20_000)}0${closes.repeat(20_000)}}`);
  expect(readElement(deep)?.productId).toBe('1');
});

test('a field with a long name and many fields inside of it is read in proportion to them', () => {
  const inner = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at < 299 ? null : 'shown']));
  const element = { id: 5, name: 'Café', ['x'.repeat(8_000_000)]: inner };
  const begun = performance.now();
  expect(readElement(element)?.extra).toEqual([{ name: 'x'.repeat(500), value: 'shown' }]);
  // Where each bears the whole name they take over two gigabytes, and with a longer one the process ends.
  expect(performance.now() - begun).toBeLessThan(300);
});

test('of more barcodes or options than a card holds, as many are read', () => {
  const barcodes = (from: number): string[] => Array.from({ length: 40 }, (_, place) => `95200${from + place}`);
  const options = Array.from({ length: 300 }, (_, place) => ({ name: `Lote ${place}`, amount: place }));
  const element = { id: 5, name: 'Café', barcodes: barcodes(100), ean: barcodes(200), options };
  expect(read(JSON.stringify(element))?.barcodes).toHaveLength(50);
  expect(readOptions(options)).toHaveLength(200);
});
