import { expect, test } from 'vitest';
import type { Language } from '../../../../app/contract/basics.ts';
import { parseTypedQuantity } from '../../../../renderer/formats/typed-numbers.ts';

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
  ['1.234,5', 'pt-BR', null],
  ['-1', 'en', null],
  ['', 'en', null],
  ['1e3', 'en', null],
  ['12 kg', 'en', null],
  ['1000000000', 'en', 1_000_000_000],
  ['1000000001', 'en', null],
])('%j in %s', (text, language, quantity) => {
  expect(parseTypedQuantity(text, language)).toBe(quantity);
});
