import { describe, expect, test } from 'vitest';
import { judgeSeries, formatTable, type Series } from './judge.ts';

const flat = (days: readonly number[], part = 0.05, constant = 10): Series => ({
  what: 'a heap',
  unit: 'count',
  days,
  rule: { kind: 'flat', part, constant },
});
const bounded = (days: readonly number[]): Series => ({
  what: 'a log',
  unit: 'bytes',
  days,
  rule: { kind: 'bounded', max: 100, why: 'the code' },
});
const brokenOf = (series: Series): string | null => judgeSeries(series).broken;

describe('F1', () => {
  test('what stays or falls is flat, and so is what varies within the bound', () => {
    expect(brokenOf(flat([100, 100, 100]))).toBeNull();
    expect(brokenOf(flat([100, 20, 1]))).toBeNull();
    expect(judgeSeries(flat([100, 115, 101]))).toMatchObject({ bound: 115, broken: null });
  });

  test('a single later day above the bound breaks it, the last one too', () => {
    expect(brokenOf(flat([100, 116, 100]))).toBe('F1');
    expect(brokenOf(flat([100, 100, 116]))).toBe('F1');
  });

  test('with neither part nor constant nothing may be added', () => {
    expect(brokenOf(flat([6, 6, 6], 0, 0))).toBeNull();
    expect(brokenOf(flat([6, 6, 7], 0, 0))).toBe('F1');
  });
});

describe('F2', () => {
  test('what grows on every day is told although it is within the bound', () => {
    expect(brokenOf(flat([1000, 1004, 1008, 1012]))).toBe('F2');
    expect(brokenOf(flat([1000, 1004, 1008, 1010]))).toBeNull();
  });

  test('one day on which it does not grow, or too few days, show no direction', () => {
    expect(brokenOf(flat([1000, 1020, 1020, 1040]))).toBeNull();
    expect(brokenOf(flat([1000, 1020, 1040]))).toBeNull();
  });
});

test('F3: what grows by design may grow up to its bound, and the first day counts', () => {
  expect(brokenOf(bounded([10, 50, 100]))).toBeNull();
  expect(brokenOf(bounded([10, 50, 101]))).toBe('F3');
  expect(brokenOf(bounded([101, 50, 10]))).toBe('F3');
});

test.each([[[]], [[1]], [[1, Number.NaN]]])('%j are no days to compare', (days) => {
  expect(() => judgeSeries(flat(days))).toThrow(RangeError);
});

test('the table has a line each, with what is broken and where a bound stands', () => {
  const table = formatTable([flat([100, 116]), bounded([10, 2048])].map(judgeSeries));
  expect(table.split('\n')).toEqual([
    'at the end of day      1      2  bound      met',
    'a heap               100    116    115  NO (F1)',
    'a log              0 KiB  2 KiB  0 KiB  NO (F3)  the code',
  ]);
});
