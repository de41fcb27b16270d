// The proof that a CSV line says what was put into it, and that no spreadsheet program runs any of it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvField, csvLine } from '../../../app/domain/csv.ts';

describe('a number', () => {
  test.each([
    [-3.5, '-3.5'],
    [0, '0'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [-2.5e-9, '-0.0000000025'],
    [0.1 + 0.2, '0.30000000000000004'],
  ])('%d is written plainly, and stays a number below zero', (value, text) => {
    expect(csvField(value)).toBe(text);
  });
});

describe('a text', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\uFF1D1+1', '\uFF20A1'])(
    'that would be a formula stays a text: %j',
    (text) => {
      expect(csvField(text).replaceAll('"', '')).toBe(`'${text}`);
    },
  );

  test('with a comma, a quote or a line break is quoted (RFC 4180 §2)', () => {
    expect(csvLine(['a,b', 'say "x"', 'one\r\ntwo', 'a;b', 'plain', null, ''])).toBe(
      '"a,b","say ""x""","one\r\ntwo","a;b",plain,,\r\n',
    );
  });

  test('never opens a formula, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(csvField(text).replace(/^"/, '')).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
      { seed: 1 },
    );
  });
});
