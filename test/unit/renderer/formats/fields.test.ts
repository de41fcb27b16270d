import { expect, test } from 'vitest';
import type { ProductField } from '../../../../app/contract/fields.ts';
import { fieldCell, fieldsOn, fieldText } from '../../../../renderer/formats/fields.ts';
import { createWords } from '../../../../renderer/formats/i18n.ts';

const field = (kind: ProductField['kind'], value: string): ProductField => ({ name: 'x', kind, value, on: ['card'] });

test.each([
  ['12.5', '12.5', '12,5'],
  ['12.50', '12.50', '12,50'],
  ['1234567.125', '1234567.125', '1234567,125'],
  ['9007199254740993', '9007199254740993', '9007199254740993'],
  ['-3', '-3', '-3'],
])('the number %s keeps its digits, with the decimal sign of the language', async (value, english, portuguese) => {
  const { t } = await createWords('en');
  expect(fieldText(field('number', value), t, 'en')).toBe(english);
  expect(fieldText(field('number', value), t, 'pt-BR')).toBe(portuguese);
});

test.each([
  ['4.5', '4,50'],
  ['87.20', '87,20'],
  ['4', '4'],
  ['0.125', '0,125'],
])('the price %s is %s', async (value, words) => {
  const { t } = await createWords('pt-BR');
  expect(fieldText({ ...field('number', value), isPrice: true }, t, 'pt-BR')).toBe(words);
  expect(fieldText({ ...field('text', value), isPrice: true }, t, 'pt-BR')).toBe(value);
});

test('a text stays as it is, though it looks like a number; yes and no are words, a date-time is a moment', async () => {
  const { t } = await createWords('es');
  expect(fieldText(field('text', '12.50'), t, 'es')).toBe('12.50');
  expect(fieldText(field('boolean', 'true'), t, 'es')).toBe('sí');
  expect(fieldText(field('boolean', 'false'), t, 'es')).toBe('no');
  expect(fieldText(field('moment', '2026-03-04T10:00:00-03:00'), t, 'es')).toMatch(/4\/3\/26/);
  expect(fieldText(field('moment', 'soon'), t, 'es')).toBe('soon');
});

test('a place has what is wanted there, in the order of the shop', () => {
  const [price, aisle] = [field('number', '1'), { ...field('text', 'A3'), on: ['label' as const] }];
  expect(fieldsOn([price, aisle], 'label')).toEqual([aisle]);
  expect(fieldsOn([price, aisle], 'bar')).toEqual([]);
  expect(fieldsOn(undefined, 'card')).toEqual([]);
});

test('in a file a number is one, with or without zeros behind its decimals, unless it loses other digits', async () => {
  const { t } = await createWords('en');
  expect(['12.50', '1.0', '-3', '0.125'].map((value) => fieldCell(field('number', value), t))).toEqual([
    12.5, 1, -3, 0.125,
  ]);
  expect(fieldCell(field('number', '9007199254740993'), t)).toBe('9007199254740993');
  expect(fieldCell(field('text', '12.50'), t)).toBe('12.50');
});
