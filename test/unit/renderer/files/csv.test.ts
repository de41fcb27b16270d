// The proof that a CSV line says what was put into it, in the language's own form, and that no spreadsheet program runs
// any of it.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvField, csvLine, withoutGuard } from '../../../../renderer/files/csv.ts';

describe('a number', () => {
  test.each([
    [-3.5, '-3.5', '-3,5'],
    [0, '0', '0'],
    [1e21, '1000000000000000000000', '1000000000000000000000'],
    [-2.5e-9, '-0.0000000025', '-0,0000000025'],
    [0.1 + 0.2, '0.30000000000000004', '0,30000000000000004'],
  ])('%d is written plainly, and stays a number below zero', (value, withPoint, withComma) => {
    expect(csvField(value, 'en')).toBe(withPoint);
    expect(csvField(value, 'pt-BR')).toBe(withComma);
    expect(csvField(value, 'es')).toBe(withComma);
  });
});

test('a moment is the local date and time', () => {
  const moment = new Date(2026, 0, 5, 9, 7, 3);
  expect(csvField(moment, 'en')).toBe('2026-01-05 09:07:03');
  expect(csvField(moment, 'pt-BR')).toBe('05/01/2026 09:07:03');
  expect(csvField(moment, 'es')).toBe('05/01/2026 09:07:03');
});

describe('a text', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\uFF1D1+1', '\uFF20A1'])(
    'that would be a formula stays a text: %j',
    (text) => {
      expect(
        csvField(text, 'en')
          .replaceAll('"', '')
          .replace(/^'([\t\r\n])'/, "'$1"),
      ).toBe(`'${text}`);
    },
  );

  // Where `;` separates, an English file's `"Leite;=1+41;x"` behind another field is three fields, and one computes 42.
  test.each([
    ['Leite;=1+41;x', "Leite;'=1+41;x"],
    ['Leite,=1+41', "Leite,'=1+41"],
    ['Leite\t+1', "Leite\t'+1"],
    ['Leite\n=1+41\r\n@A1\r-1', "Leite\n'=1+41\r\n'@A1\r'-1"],
    ['Leite;"=1+41";x', 'Leite;\'"=1+41";x'],
    ['"=1+41"', '\'"=1+41"'],
    ['=1;=2,=3', "'=1;'=2,'=3"],
    ['Leite;\uFF1D1+41', "Leite;'\uFF1D1+41"],
    ['Leite - 1; 2, 3+4=7; =x', 'Leite - 1; 2, 3+4=7; =x'],
  ])('is no formula behind another separator either, and is read back: %j', (text, harmless) => {
    for (const language of ['en', 'pt-BR', 'es'] as const) {
      expect(parse(csvField(text, language), { relax_column_count: true, record_delimiter: '\r\n\0' })).toEqual([
        [harmless],
      ]);
    }
    expect(withoutGuard(harmless)).toBe(text);
  });

  test('begins no formula in any cell, by whichever separator and quotation marks it is read', () => {
    const unit = fc.constantFrom(...'a0=+-@"\',;\t\r\n\uFF1D');
    fc.assert(
      fc.property(fc.array(fc.string({ unit }), { minLength: 2, maxLength: 4 }), (texts) => {
        const line = csvLine(['first', ...texts], 'en');
        for (const separator of [/[;\r\n]/, /[,\r\n]/, /[\t\r\n]/, /[;,\t\r\n]/]) {
          const cells = line.split(separator).map((cell) => cell.replace(/^"+/, ''));
          expect(cells.filter((cell) => /^[=+\-@\uFF1D]/.test(cell))).toEqual([]);
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('with a separator, a quote or a line break is quoted (RFC 4180 §2)', () => {
    const values = ['a,b', 'say "x"', 'one\r\ntwo', 'a;b', 'plain', null, ''];
    expect(csvLine(values, 'en')).toBe('"a,b","say ""x""","one\r\ntwo","a;b",plain,,\r\n');
    expect(csvLine(values, 'pt-BR')).toBe('"a,b";"say ""x""";"one\r\ntwo";"a;b";plain;;\r\n');
  });

  test('comes back as it went in, but for the apostrophe before a formula', () => {
    const unit = fc.constantFrom(...'a0 =+-@"\',;\t\r\n\0\uFEFF\uFF1Dçع😀');
    const line = fc.array(fc.string({ unit }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
        const file = lines.map((texts) => csvLine(['first', ...texts], 'pt-BR')).join('');
        expect(parse(file, { delimiter: ';', record_delimiter: '\r\n' })).toEqual(
          lines.map((texts) => [
            'first',
            ...texts.map((text) =>
              text.replaceAll(/(^|[;,\t\r\n])(?="*[=+\-@\uFF1D])/g, "$1'").replace(/^(?=[\t\r\n])/, "'"),
            ),
          ]),
        );
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});
