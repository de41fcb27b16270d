// The proof of what is said of the units of several products.
import { expect, test } from 'vitest';
import { unitOfAll } from '../../../../renderer/formats/units.ts';

test.each([
  [['KG', 'kg'], false, { unit: 'KG' }],
  [['KG', 'UNID', 'kg'], false, { unit: null, units: 'kg, units' }],
  [[null, 'KG'], false, { unit: null, units: 'kg' }],
  [['KG'], true, { unit: null, units: 'kg, \u2026' }],
  [[], true, { unit: null }],
  [['KG', 'G', 'L', 'ML', 'UNID'], false, { unit: null, units: 'kg, G, L, ml, \u2026' }],
] as const)('units %j, of more: %s', (units, hasMore, said) => {
  expect(unitOfAll(units, hasMore, 'en')).toEqual(said);
});
