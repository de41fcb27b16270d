import { expect, test } from 'vitest';
import { marksOf, roundTop } from '../../../../renderer/formats/axis.ts';
import { timeLeft } from '../../../../renderer/formats/work.ts';

test.each([
  [0, 4, 5],
  [3, 4, 5],
  [5, 4, 5],
  [6, 4, 10],
  [21, 4, 50],
  [50, 4, 50],
  [51, 4, 100],
  [9_999, 4, 10_000],
  [10_001, 4, 20_000],
])('%i at most, and %i at least, end at %i', (most, least, top) => {
  expect(roundTop(most, least)).toBe(top);
});

test('an axis has its middle only where that is a whole number', () => {
  expect([marksOf(60), marksOf(5), marksOf(50)]).toEqual([
    [60, 30, 0],
    [5, 0],
    [50, 25, 0],
  ]);
});

test('the time that is left goes by the pace so far, and is unknown at first and in the end', () => {
  expect(timeLeft(500, 2_000, 3_000)).toBe(9_000);
  expect([
    timeLeft(500, 2_000, 1_000),
    timeLeft(10, 2_000, 9_000),
    timeLeft(0, 2_000, 9_000),
    timeLeft(2_000, 2_000, 9_000),
  ]).toEqual([null, null, null, null]);
});
