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
