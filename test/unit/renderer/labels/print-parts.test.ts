import { describe, expect, it } from 'vitest';
import { countedCopies, countLabels, partsFrom } from '../../../../renderer/labels/print-parts.ts';

const labels = [
  { label: 'A', copies: 3 },
  { label: 'B', copies: 12 },
  { label: 'C', copies: 1 },
];
const written = (from: number): readonly string[] =>
  partsFrom(labels, from).map((part) => part.map(({ label, copies }) => `${copies}${label}`).join(' '));

describe('labels for a printer', () => {
  it('are handed over ten at a time, all copies counted', () => {
    expect(written(1)).toEqual(['3A 7B', '5B 1C']);
    expect(countLabels(labels)).toBe(16);
  });

  it('go on from any of them, to the same end', () => {
    expect(written(4)).toEqual(['10B', '2B 1C']);
    expect(written(15)).toEqual(['1B 1C']);
    expect(written(16)).toEqual(['1C']);
    expect(written(17)).toEqual([]);
    for (let from = 1; from <= 17; from += 1) {
      expect(partsFrom(labels, from).reduce((sum, part) => sum + countLabels(part), 0)).toBe(17 - from);
    }
  });
});

it('are as many as the pieces that were counted, and one for what is measured', () => {
  const copiesOf = (counted: number | null, ...units: (string | null)[]) =>
    units.map((unit) => countedCopies(counted, unit));
  expect(copiesOf(12, 'UNID', 'cx', 'Garrafa', null)).toEqual([12, 12, 12, 12]);
  expect(copiesOf(12, 'GRAMAS', 'LITRO', 'l', 'kgs', 'M2', 'TON', 'ml')).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect([
    ...copiesOf(1500, 'UNID'),
    ...copiesOf(0.75, 'UNID'),
    ...copiesOf(0, 'UNID'),
    ...copiesOf(null, 'KG'),
  ]).toEqual([200, 1, 0, 0]);
});
