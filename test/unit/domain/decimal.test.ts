// The proof that a number's decimal text is that number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeDecimal } from '../../../app/domain/decimal.ts';

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
