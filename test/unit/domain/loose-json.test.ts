// The proof that values of any shape are read bounded, whole and without a guess.
import { expect, test } from 'vitest';
import { fieldsOf, plainTextsOf, take, toAmount, toShownText, toText } from '../../../app/domain/loose-json.ts';

test.each([
  [' two\u0000\r\nlines ', 'two lines'],
  ['x'.repeat(600), 'x'.repeat(500)],
  [`${'x'.repeat(499)}\u{1F600}`, `${'x'.repeat(499)}\uFFFD`],
  ['\uDC00', '\uFFFD'],
  [7, '7'],
  [-0.5, '-0.5'],
  [9007199254740993n, '9007199254740993'],
  ['', null],
  [' \t ', null],
  [Infinity, null],
  [Number.NaN, null],
  [true, null],
  [null, null],
  [['a'], null],
  [{}, null],
])('as a text, case %#', (value, text) => {
  expect(toText(value)).toBe(text);
});

test.each([
  [1.5, 1.5],
  ['-2.50', -2.5],
  [' 3 ', 3],
  [0.1 + 0.2, 0.3],
  ['0.30000000000000004', 0.3],
  [9007199254740993n, null],
  ['9007199254740993', null],
  [9007199254740991, 9007199254740991],
  [1e300, null],
  ['1,5', null],
  ['1e3', null],
  ['', null],
  [Infinity, null],
  [10n ** 400n, null],
  [true, null],
  [[1], null],
])('as an amount, case %#', (value, amount) => {
  expect(toAmount(value)).toBe(amount);
});

test.each([
  [true, 'true'],
  [['a', 2], 'a, 2'],
  [[], null],
  [['a', null], '["a",null]'],
  [{ b: 9007199254740993n }, '{"b":9007199254740993}'],
  [null, null],
])('shown, case %#', (value, text) => {
  expect(toShownText(value)).toBe(text);
});

test('whatever is nested deeper than the stack is shown as something', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) {
    deep = { deep };
  }
  expect(toShownText(deep)).toBe('…');
});

test('a field is found by any spelling, at most 300 are looked at, and `__proto__` is a plain name', () => {
  const fields = fieldsOf({ unitOfMeasure: 'KG', 'Bar Code': 1, __proto__x: 2 });
  expect(fields.map(({ key }) => key)).toEqual(['unit_of_measure', 'bar_code', '__proto__x']);
  expect(take(fields, ['missing', 'unit_of_measure'], toText)).toBe('KG');
  expect(fields.map(({ isUsed }) => isUsed)).toEqual([true, false, false]);
  expect(
    fieldsOf(JSON.parse('{"__proto__":1,"constructor":2}') as Record<string, unknown>).map(({ name }) => name),
  ).toEqual(['__proto__', 'constructor']);
  expect(fieldsOf(Object.fromEntries(Array.from({ length: 400 }, (_, place) => [`f${place}`, place])))).toHaveLength(
    300,
  );
});

test('all plain values of a shape that nobody knows are told, and none that lies too deep', () => {
  expect(plainTextsOf({ a: ' x ', b: [1, { c: 5n, d: null, e: true }] })).toEqual(['x', '1', '5']);
  expect(plainTextsOf([[[[[[['deep']]]]]]])).toEqual([]);
});
