import { expect, test } from 'vitest';
import type { Language } from '../../../../app/contract/basics.ts';
import { decimalMarkOf, readAmount } from '../../../../renderer/formats/typed-numbers.ts';

test.each<[string, Language, number | null]>([
  ['12', 'en', 12],
  [' 0 ', 'en', 0],
  ['1.5', 'en', 1.5],
  ['1,5', 'en', 1.5],
  ['1.500', 'en', 1.5],
  // It may be one and a half, or fifteen hundred.
  ['1,500', 'en', null],
  ['1,5', 'pt-BR', 1.5],
  ['1.5', 'pt-BR', 1.5],
  ['1,500', 'pt-BR', 1.5],
  ['1.500', 'pt-BR', null],
  ['1.500', 'es', null],
  ['1,500', 'es', 1.5],
  // It can only be the one, or the other.
  ['0,500', 'en', 0.5],
  ['1234,500', 'en', 1234.5],
  ['1.234,5', 'pt-BR', 1234.5],
  ['1,234.500', 'en', 1234.5],
  ['1,234,567', 'en', 1_234_567],
  ['1,234,567,890', 'en', null],
  ['1,000,000,000', 'en', 1_000_000_000],
  ['1,23,456', 'en', null],
  ['1.234.567', 'en', null],
  ['1,234,5', 'pt-BR', null],
  ['-1', 'en', null],
  ['', 'en', null],
  ['1e3', 'en', null],
  ['12 kg', 'en', null],
  ['1000000000', 'en', 1_000_000_000],
  ['1000000001', 'en', null],
])('%j in %s', (text, language, quantity) => {
  expect(readAmount(text, decimalMarkOf(language), 1_000_000_000)).toBe(quantity);
});
