import { describe, expect, test } from 'vitest';
import {
  beginsWithSlips,
  slipsAllowed,
  slipsBetween,
  slipsOfBeginning,
} from '../../../../app/catalogue/search/slips.ts';

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

test.each([
  ['vaso', 'vassoura', 1, true],
  ['vaszo', 'vassoura', 1, true],
  ['avsso', 'vassoura', 1, true],
  ['bisct', 'biscoito', 1, true],
  ['vazzo', 'vassoura', 1, false],
  ['vassouras', 'vassoura', 1, true],
])('"%s" begins "%s" with %i slip at most: %s', (word, other, most, begins) => {
  expect(beginsWithSlips(word, other, most)).toBe(begins);
});

test('only a word of five letters or more may be the beginning of another with a slip', () => {
  expect(['vass', 'vassi', 'vass1', '12345'].map(slipsOfBeginning)).toEqual([0, 1, 0, 0]);
});
