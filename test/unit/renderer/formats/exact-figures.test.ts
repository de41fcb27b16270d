// The proof that no figure is written as another one, wherever it is shown: on cards, in tables, on labels and beside
// what a code says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Language } from '../../../../app/contract/basics.ts';
import { languages } from '../../../../app/domain/language.ts';
import { unitsOfMeasure, type UnitCode } from '../../../../app/domain/units.ts';
import { formatBatchFact } from '../../../../renderer/formats/batches.ts';
import { formatFact } from '../../../../renderer/formats/code-facts.ts';
import { formatNumber, partDecimals } from '../../../../renderer/formats/numbers.ts';
import { formatQuantity } from '../../../../renderer/formats/units.ts';

/** The figure that a person of this language reads in it. */
function read(text: string, language: Language): number {
  const [group, point] = language === 'en' ? [',', '.'] : ['.', ','];
  return Number(text.replaceAll(group, '').replace(point, '.').replace('\u2212', '-'));
}

const amounts = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -10_000, max: 10_000, noNaN: true }),
  fc
    .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: 0, max: 6 }))
    .map(([digits, decimals]) => Number(`${digits}e-${decimals}`)),
);
const language = fc.constantFrom(...languages);

test('any figure, in any unit and language, reads back as itself, and nought has no minus', () => {
  fc.assert(
    fc.property(
      amounts,
      language,
      fc.constantFrom(null, 'SOMETHING', ...(Object.keys(unitsOfMeasure) as UnitCode[])),
      (amount, of, unit) => {
        const texts = [
          formatNumber(amount, of),
          formatQuantity(amount, unit, of),
          formatFact({ kind: 'pieces', amount, currency: null }, of),
          formatFact({ kind: 'price', amount, currency: null }, of),
          formatBatchFact({ kind: 'number', name: 'left', value: amount }, of),
        ];
        for (const text of texts) {
          expect(read(text, of)).toBe(amount === 0 ? 0 : amount);
          const { main, more } = partDecimals(text);
          expect(main + more).toBe(text);
          expect(more === '' || /\D\d{3}$/.test(main)).toBe(true);
        }
      },
    ),
    { seed: 1, numRuns: 3_000 },
  );
});

test.each([
  [2.99951, 'KG', '2.99951', '2.999', '51'],
  [0.0004, 'KG', '0.0004', '0.000', '4'],
  [-0.0004, 'KG', '\u22120.0004', '\u22120.000', '4'],
  [-0, 'KG', '0', '0', ''],
  [1.5, 'KG', '1.500', '1.500', ''],
  [1_234_567, 'UNID', '1,234,567', '1,234,567', ''],
  [1_234.5678, 'UNID', '1,234.5678', '1,234.567', '8'],
])('%d %s is written %s', (amount, unit, text, main, more) => {
  expect(formatQuantity(amount, unit, 'en')).toBe(text);
  expect(partDecimals(text)).toEqual({ main, more });
});

test.each([
  ['en', '€2.99951'],
  ['pt-BR', '€\u00A02,99951'],
  ['es', '2,99951\u00A0€'],
] as const)('a price is not rounded to its currency: %s', (of, text) => {
  expect(formatFact({ kind: 'price', amount: 2.99951, currency: 'EUR' }, of)).toBe(text);
  expect(formatFact({ kind: 'price', amount: 2.5, currency: 'EUR' }, 'en')).toBe('€2.50');
  expect(formatFact({ kind: 'price', amount: 300, currency: 'JPY' }, 'en')).toBe('¥300');
});
