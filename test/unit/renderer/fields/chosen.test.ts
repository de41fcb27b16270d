import { expect, test } from 'vitest';
import type { ShownField } from '../../../../app/contract/fields.ts';
import { shownFieldsSchema } from '../../../../app/contract/fields.ts';
import { moved, nameProblem, renamed, toggled, withField, type Chosen } from '../../../../renderer/fields/chosen.ts';

const price: ShownField = { path: 'product.price', name: 'Price', on: ['card'] };
const aisle: ShownField = { path: 'aisle', name: 'Aisle', on: [] };

test.each([
  ['product.unit_price', 'Unit price'],
  ['product.supplier.name', 'Supplier'],
  ['name', 'Name'],
  ['supplierName', 'Supplier name'],
  ['__proto__', 'Proto'],
  ['a-very-long-name-of-a-field-in-words', 'A very long name of a fi'],
  ['…', '…'],
])('a field at %s is called %s until somebody names it', (path, name) => {
  expect(withField([], { path })).toEqual([{ path, name, on: ['card'] }]);
});

test('what is chosen by hand can always be saved: twelve at most, each path and name once', () => {
  let chosen: Chosen = [];
  for (let number = 0; number < 14; number += 1) {
    chosen = withField(chosen, { path: `level${number}.price` });
    chosen = withField(chosen, { path: `level${number}.price` });
  }
  expect(chosen).toHaveLength(12);
  expect(shownFieldsSchema.safeParse(chosen).success).toBe(true);
});

test('a name is neither missing nor that of another field; blanks around one do not count', () => {
  const chosen = [price, aisle];
  const problems = ['Aisle', ' Aisle ', ' ', 'Price '].map((name) => nameProblem(chosen, 'aisle', name));
  expect(problems).toEqual([null, null, 'empty', 'twice']);
  expect(renamed(chosen, 'aisle', 'Row')).toEqual([price, { ...aisle, name: 'Row' }]);
});

test('names that look alike are one, and one of which nothing is seen is missing, also where they are kept', () => {
  const problems = ['\u200B', 'Pri\u200Bce', '\u202EPrice', 'Pri ce'].map((name) =>
    nameProblem([price, aisle], 'aisle', name),
  );
  expect(problems).toEqual(['empty', 'twice', 'twice', null]);
  const kept = (name: string) => shownFieldsSchema.safeParse([price, { ...aisle, name }]);
  expect(kept('\u200BRow\u202C ').data?.[1]).toEqual({ ...aisle, name: 'Row' });
  expect([kept('\u200B').success, kept('Pri\u200Bce').success]).toEqual([false, false]);
});

test('a field moves a step and no further than the ends, and is shown where it is ticked', () => {
  expect(moved([price, aisle], 0, 1)).toEqual([aisle, price]);
  expect(moved([price, aisle], 0, -1)).toEqual([price, aisle]);
  expect(moved([price, aisle], 1, 1)).toEqual([price, aisle]);
  expect(toggled([price, aisle], 'aisle', 'label')[1]?.on).toEqual(['label']);
  expect(toggled([price], 'product.price', 'card')[0]?.on).toEqual([]);
});

test('a field whose name in the listing cannot be seen, or looks like another, is added all the same', () => {
  const chosen = [price.path, 'pri\u200Bce', '\u200B'].reduce<readonly ShownField[]>(
    (before, path) => withField(before, { path }),
    [],
  );
  expect(chosen.map(({ name }) => name)).toEqual(['Price', 'Price 2', '?']);
  expect(shownFieldsSchema.safeParse(chosen).success).toBe(true);
});
