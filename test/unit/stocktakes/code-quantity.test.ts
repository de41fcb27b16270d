import { expect, test } from 'vitest';
import type { ScanRead } from '../../../app/contract/scan.ts';
import { quantityOf } from '../../../app/stocktakes/code-quantity.ts';

const read = (more: Partial<ScanRead> = {}): ScanRead => ({
  as: 'gs1',
  ofCase: null,
  layout: null,
  facts: [],
  fault: null,
  ...more,
});
const weight = read({ facts: [{ kind: 'netWeightKg', amount: 0.452, currency: null }] });
const pieces = read({ facts: [{ kind: 'pieces', amount: 12, currency: null }] });
const both = read({ facts: [...weight.facts, ...pieces.facts] });
const twoWeights = read({
  facts: [...weight.facts, ...weight.facts, { kind: 'netWeightKg', amount: 0.5, currency: null }],
});
const pounds = read({ facts: [{ kind: 'netWeightLb', amount: 1, currency: null }] });
const ofCase = read({ as: 'caseUnit', ofCase: '17891234567895' });

test.each([
  ['a plain code', undefined, 'UNID', 1, null],
  ['a plain code of what is weighed', undefined, 'KG', 1, 'weight'],
  ['a weight, of what is weighed', weight, 'KG', 0.452, null],
  ['a weight, of what is kept in grams', weight, 'GRAMAS', 452, null],
  ['a weight, of what is kept by the piece', weight, 'UNID', 1, null],
  ['a number of pieces', pieces, 'UNID', 12, null],
  ['a case that does not say of how many', ofCase, 'UNID', 1, 'case'],
  ['a case that does', { ...ofCase, facts: pieces.facts }, 'UNID', 12, null],
  ['a weight twice', read({ facts: [...weight.facts, ...weight.facts] }), 'KG', 0.452, null],
  ['two weights', twoWeights, 'KG', 1, 'figure'],
  ['pounds, of what is kept in kilograms', pounds, 'KG', 1, 'figure'],
  ['pieces, of what is weighed', pieces, 'KG', 1, 'weight'],
  ['a weight and pieces, of what is weighed', both, 'KG', 0.452, null],
  ['a weight and pieces, of what is kept by the piece', both, 'PC', 12, null],
  ['a weight on a tray', weight, 'BANDEJ', 1, null],
  ['a weight on a case', { ...ofCase, facts: weight.facts }, 'UNID', 1, 'case'],
  ['a weight, of a unit that nobody knows', weight, null, 1, 'figure'],
  ['pieces, of a unit that nobody knows', pieces, null, 1, 'figure'],
  ['a case with pieces, of what is kept by the box', { ...ofCase, facts: pieces.facts }, 'CX12', 1, 'figure'],
  ['a code of a product whose unit nobody knows', read(), null, 1, null],
  ['no pieces', read({ facts: [{ kind: 'pieces', amount: 0, currency: null }] }), 'UNID', 1, null],
] as const)('%s', (_name, code, unit, quantity, doubt) => {
  expect(quantityOf(code, unit)).toEqual({ quantity, doubt });
});

test.each(['DUZIA', 'CENTO', 'MILHEI', 'PARES', 'CX', 'CX12', 'PACOTE', 'BANDEJ', 'LITRO', 'M2', 'GR', 'constructor'])(
  'pieces are no figure of what is kept by %s',
  (unit) => {
    expect(quantityOf(pieces, unit)).toEqual({ quantity: 1, doubt: 'figure' });
  },
);

test.each(['DUZIA', 'CENTO', 'MILHEI', 'LITRO', 'ML', 'K', 'M2', 'GR', 'T', 'constructor'])(
  'nor is a weight one of what is kept by %s',
  (unit) => {
    expect(quantityOf(weight, unit)).toEqual({ quantity: 1, doubt: 'figure' });
  },
);

test.each([
  ['QUILO', 0.452],
  ['Kilos', 0.452],
  [' Kg. ', 0.452],
  ['g', 452],
  ['TON', 0.000452],
  ['Toneladas', 0.000452],
] as const)('a weight of what is kept by %s is %d', (unit, quantity) => {
  expect(quantityOf(weight, unit)).toEqual({ quantity, doubt: null });
  expect(quantityOf(undefined, unit)).toEqual({ quantity: 1, doubt: 'weight' });
});

test.each(['Un.', 'und', 'UNIDADES', 'Peça'])('pieces of what is kept by %s are so many', (unit) => {
  expect(quantityOf(pieces, unit)).toEqual({ quantity: 12, doubt: null });
});
