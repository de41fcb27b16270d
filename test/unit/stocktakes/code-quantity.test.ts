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
  ['a code of a product whose unit nobody knows', read(), null, 1, null],
  ['no pieces', read({ facts: [{ kind: 'pieces', amount: 0, currency: null }] }), 'UNID', 1, null],
] as const)('%s', (_name, code, unit, quantity, doubt) => {
  expect(quantityOf(code, unit)).toEqual({ quantity, doubt });
});
