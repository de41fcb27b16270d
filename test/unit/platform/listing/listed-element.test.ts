// The proof that an element of the listing keeps what came to itself, whole, and answers what was read in it.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseJson, writeJson } from '../../../../app/domain/json.ts';
import { ListedElement, listedElementSchema, readKept } from '../../../../app/platform/listing/listed-element.ts';

const text =
  '{"id":9007199254740993,"name":"Café","price":12.50,"product":{"code":"A1"},"updated_at":"2026-01-05T09:00:00-03:00"}';

describe('an element', () => {
  test('is read once, and its dates whenever they are asked for', () => {
    const element = readKept(text);
    expect(element.product).toMatchObject({ productId: '9007199254740993', name: 'Café', code: 'A1' });
    expect(element.product).toBe(element.product);
    expect([element.updatedAt, element.offsetMinutes]).toEqual([Date.UTC(2026, 0, 5, 12), -180]);
  });

  test('shows none of what came but by what it answers', () => {
    expect(Object.keys(readKept(text))).toEqual([]);
  });

  test('is kept as it came: no digit of an id and no zero of a price is lost', () => {
    const { kept } = readKept(text);
    expect(kept).toMatchObject({ text, isWhole: true });
    expect(readKept(kept.text).kept).toEqual(kept);
  });

  test('of rows on two pages is joined in proportion to their number', () => {
    const rowsOf = (first: number, count: number): ListedElement => {
      const rows = Array.from({ length: count }, (_, place) => new ListedElement({ id: 1, n: first + place }));
      return ListedElement.combine(rows)[0] ?? readKept('');
    };
    const [before, came] = [rowsOf(0, 3_000), rowsOf(2_000, 20_000)];
    const begun = performance.now();
    expect(came.joinedTo(before).rows).toBe(22_000);
    // Each beside each takes 100 s.
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('that is too long is kept by what it is found by', () => {
    const element = new ListedElement({ id: 1, name: 'Café', ean: '9520000000011', more: 'x'.repeat(70_000) });
    const { kept } = element;
    expect(kept.isWhole).toBe(false);
    expect(kept.text.length).toBeLessThan(1_000);
    const { extra: _, ...found } = element.product ?? expect.unreachable();
    expect(readKept(kept.text).product).toMatchObject(found);
    // Fields that are left out count as well for whether it has changed.
    expect(new ListedElement({ ...(parseJson(kept.text) as object), more: 'y'.repeat(70_000) }).kept.digest).not.toBe(
      kept.digest,
    );
  });

  test('goes to another terminal as it came', () => {
    const page = writeJson({ elements: [readKept(text), readKept('7'), readKept('null')] });
    expect(page).toBe(`{"elements":[${text},7,null]}`);
    const { elements } = z.object({ elements: z.array(listedElementSchema) }).parse(parseJson(page));
    expect(elements.map(({ product }) => product?.productId ?? null)).toEqual(['9007199254740993', null, null]);
    expect(elements[0]?.kept).toEqual(readKept(text).kept);
  });
});

describe('rows of one page that are of the same product', () => {
  const row = (more: object) => new ListedElement({ id: 7, stock: { id: 1, name: 'Loja' }, ...more });
  const product = { id: 5, name: 'Camiseta', sku: 'C-1', balance: 9, aisle: 'A3' };

  test('such as one for each option are its options, with no figure of a part', () => {
    const rows = [
      row({ product: { ...product, ean: '9520000000011' }, balance: 3, option_names: 'P' }),
      row({ product: { ...product, id: 6 }, balance: 1 }),
      new ListedElement(7),
      row({ product: { ...product, sku: 'C-1-M', ean: '9520000000028' }, balance: 4, option_names: 'M' }),
    ];
    const combined = ListedElement.combine(rows);
    expect(combined[0]).toBe(combined[3]);
    expect([combined[1], combined[2]]).toEqual([rows[1], rows[2]]);
    expect(combined[0]?.product).toMatchObject({
      productId: '5',
      code: 'C-1',
      balance: null,
      barcodes: ['9520000000011', '9520000000028', 'C-1-M'],
      options: [
        { name: 'P', amount: 3 },
        { name: 'M', amount: 4 },
      ],
      stockName: 'Loja',
    });
    expect(readKept(combined[0]?.kept.text ?? '').product).toEqual(combined[0]?.product);
  });

  test('that say the same are as one of them', () => {
    const one = row({ product, ean: '9520000000011' });
    expect(ListedElement.combine([one, row({ product, ean: '9520000000011' })])[1]?.kept).toEqual(one.kept);
  });

  test('each with an option of its own have all of them, each with its figure', () => {
    const sizes = ['P', 'M'].map((name, at) => row({ product, balance: at, options: [{ name }] }));
    const [first] = ListedElement.combine(sizes);
    expect(first?.product?.options.map(({ amount }) => amount)).toEqual([0, 1]);
    expect(first?.product?.balance).toBeNull();
  });

  test('are joined though each has products in products, deeper than the stack', () => {
    const of = (size: string): ListedElement =>
      readKept(`{"id":5,"size":"${size}",${'"product":{'.repeat(20_000)}"balance":1${'}'.repeat(20_000)}}`);
    const [joined] = ListedElement.combine([of('P'), of('M')]);
    expect([joined?.rows, joined?.product?.balance]).toEqual([2, null]);
    expect(joined?.joinedTo(of('G')).rows).toBe(3);
  });

  test('that differ in a barcode alone have the figure of the product, and its codes', () => {
    const [coded] = ListedElement.combine(
      ['9520000000011', '9520000000028'].map((ean) => row({ product: { ...product, reference: 'R-9' }, ean })),
    );
    expect(coded?.product?.barcodes).toEqual(['9520000000011', '9520000000028']);
    const [first] = ListedElement.combine(['9520000000011', '9520000000028'].map((ean) => row({ product, ean })));
    expect(first?.product).toMatchObject({ balance: 9, options: [], barcodes: ['9520000000011', '9520000000028'] });
  });
});

describe('what cannot be read', () => {
  test.each([
    ['7', 'notAnObject', false],
    ['{"name":"Café"}', 'noId', true],
    ['{"name":"Café","id":"N-1"}', 'wrongId', true],
    ['{"shelf":"A3"}', 'noId', false],
  ])('%s says why: %s', (came, why, isNamed) => {
    const element = readKept(came);
    expect(element.product).toBeNull();
    expect(element.unreadable).toMatchObject({ why, text: came });
    expect([element.identity !== null, element.identity]).toEqual([isNamed, element.unreadable.identity]);
  });

  test('a text that is none of an element holds nothing', () => {
    const element = readKept('{"id":');
    expect([element.product, element.texts, [...element.plainValues()]]).toEqual([null, [], []]);
    expect([element.updatedAt, element.offsetMinutes]).toEqual([null, null]);
  });
});
