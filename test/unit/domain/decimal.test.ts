// The proof that a number's decimal text is that number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutBinaryNoise, writeDecimal } from '../../../app/domain/decimal.ts';

test.each([
  [0, '0'],
  [-0, '0'],
  [-0.0004, '-0.0004'],
  [2.99951, '2.99951'],
  [0.1 + 0.2, '0.30000000000000004'],
  [1e-7, '0.0000001'],
  [-1.25e-9, '-0.00000000125'],
  [1e21, '1000000000000000000000'],
  [-1.5e22, '-15000000000000000000000'],
])('%d is written as %s', (value, text) => {
  expect(writeDecimal(value)).toBe(text);
});

test('whatever the number, its text has no exponent and reads back as it', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(writeDecimal(value)).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
      expect(Number(writeDecimal(value))).toBe(value === 0 ? 0 : value);
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

test.each([
  [0.1 + 0.2, 0.3],
  [-(0.1 + 0.2), -0.3],
  [0.3 - 0.1, 0.2],
  [1.1 + 2.2, 3.3],
  [0.07 * 100, 7],
  [0.1 + 0.2 - 0.3, 0],
  [0.3 - 0.1 - 0.2, 0],
  [100.3 - 100, 0.3],
  [1_234_567.891 - 1_234_567, 0.891],
  [250.7 - 250.75, -0.05],
  [0.1234560001, 0.1234560001],
  [0.123456789000012, 0.123456789000012],
  [1e-12, 1e-12],
  [1_234_567.1 + 0.2, 1_234_567.3],
  [2.99951, 2.99951],
  [123_456_789_012.1234, 123_456_789_012.1234],
  [0.123456789012345, 0.123456789012345],
  [1 / 3, 1 / 3],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [1e-7, 1e-7],
  [0, 0],
])('%d stands for %d', (value, meant) => {
  expect(withoutBinaryNoise(value)).toBe(meant);
});

test('a sum of decimals as shops write them stands for what it is on paper, and one that is written stays', () => {
  const digits = fc.integer({ min: 1, max: 99_999_999 });
  fc.assert(
    fc.property(digits, digits, fc.integer({ min: 0, max: 4 }), (one, other, decimals) => {
      const [left, right, sum] = [one, other, one + other].map((whole) => Number(`${whole}e-${decimals}`)) as [
        number,
        number,
        number,
      ];
      expect(withoutBinaryNoise(left)).toBe(left);
      expect(withoutBinaryNoise(left + right)).toBe(sum);
      if (Math.max(left, right) < 1_000_000) {
        expect(withoutBinaryNoise(left + right - right)).toBe(left);
        expect(withoutBinaryNoise(left + right - right - left)).toBe(0);
      }
    }),
    { seed: 1, numRuns: 2_000 },
  );
});
