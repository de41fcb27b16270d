// The proof that product ids are read as people paste them.
import { expect, test } from 'vitest';
import { maxIds, readIds } from '../../../../renderer/formats/ids.ts';

test('ids come with commas, blanks, semicolons or line breaks, each counts once', () => {
  expect(readIds(' 1, 2;3\n4\t5 , 1,\r\n9223372036854775807')).toEqual({
    ids: ['1', '2', '3', '4', '5', '9223372036854775807'],
    wrong: [],
    wrongCount: 0,
    isTooMany: false,
  });
  expect(readIds(' \n')).toEqual({ ids: [], wrong: [], wrongCount: 0, isTooMany: false });
});

test('what is no id is named, and the others count', () => {
  expect(readIds('7, A-12, 8, 9223372036854775808')).toEqual({
    ids: ['7', '8'],
    wrong: ['A-12', '9223372036854775808'],
    wrongCount: 2,
    isTooMany: false,
  });
  expect(readIds('abc, -5, abc')).toEqual({ ids: [], wrong: ['abc', '-5'], wrongCount: 2, isTooMany: false });
  expect(readIds(`a b c d e f ${'x'.repeat(99)}`)).toMatchObject({ wrong: ['a', 'b', 'c', 'd', 'e'], wrongCount: 7 });
  expect(readIds('x'.repeat(99)).wrong).toEqual(['x'.repeat(40)]);
});

test('more than the bridge takes are left out', () => {
  const read = readIds(Array.from({ length: maxIds + 1 }, (_unused, place) => place + 1).join('\n'));
  expect([read.ids.length, read.isTooMany]).toEqual([maxIds, true]);
});
