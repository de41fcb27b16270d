import { describe, expect, test } from 'vitest';
import { slipsAllowed, slipsBetween } from '../../../../app/catalogue/search/slips.ts';

describe('slips between two words', () => {
  test.each([
    ['leite', 'leite', 0],
    ['vassora', 'vassoura', 1],
    ['vassouura', 'vassoura', 1],
    ['vazsoura', 'vassoura', 1],
    ['vassuora', 'vassoura', 1],
    ['mazena', 'maisena', 2],
    ['arroz', 'feijao', 3],
    ['abcdef', 'badcfe', 3],
    ['', 'ab', 2],
    ['ab', '', 2],
    ['a', 'abcdefgh', 3],
  ])('from "%s" to "%s"', (one, other, slips) => {
    expect(slipsBetween(one, other, 2)).toBe(slips);
    expect(slipsBetween(other, one, 2)).toBe(slips);
  });
});

test('short words may have fewer slips, codes and figures none', () => {
  expect(['pa', 'pao', 'leite', 'mazena', 'ab12', '200', ''].map(slipsAllowed)).toEqual([0, 1, 1, 2, 0, 0, 0]);
});
