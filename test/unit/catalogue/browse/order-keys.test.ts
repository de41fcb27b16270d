// The proof that the folded keys put names and codes in the order that a person expects.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeOrderKey, levelOf, orderKey } from '../../../../app/catalogue/browse/order-keys.ts';

function sorted(texts: readonly string[], keyOf: (text: string) => string = orderKey): string[] {
  return texts.toSorted((left, right) => Buffer.compare(Buffer.from(keyOf(left)), Buffer.from(keyOf(right))));
}

test('accents, capitals and doubled blanks do not matter', () => {
  expect(orderKey('  ÁGUA   de Côco ')).toBe(orderKey('agua de coco'));
  expect(sorted(['zinco', 'Éter', 'abacate', 'Água', 'eter 2', 'ÔNIX'])).toEqual([
    'abacate',
    'Água',
    'Éter',
    'eter 2',
    'ÔNIX',
    'zinco',
  ]);
});

test('numbers count as numbers', () => {
  expect(sorted(['Lata 10', 'Lata 9', 'Lata 100', 'Lata', 'Latas', 'Lata 09 L'])).toEqual([
    'Lata',
    'Lata 9',
    'Lata 09 L',
    'Lata 10',
    'Lata 100',
    'Latas',
  ]);
  expect(sorted(['A10', 'A2', '100', '20', 'B1', 'A-1'], codeOrderKey)).toEqual([
    '20',
    '100',
    'A-1',
    'A2',
    'A10',
    'B1',
  ]);
});

test('letters, digits and blanks are in the order of Intl.Collator', () => {
  const word = fc
    .string({ unit: fc.constantFrom(...'abcxyzABZáÉçõ 0129'), minLength: 1, maxLength: 12 })
    .map((text) => text.trim().replaceAll(/\s+/g, ' '));
  const collator = new Intl.Collator('pt-BR', { sensitivity: 'base', numeric: true });
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(Math.sign(Buffer.compare(Buffer.from(orderKey(one)), Buffer.from(orderKey(other))))).toBe(
        Math.sign(collator.compare(one, other)),
      );
    }),
    { seed: 1, numRuns: 2000 },
  );
});

test('a key is short and whole, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const key = orderKey(name);
      expect(Array.from(key).length).toBeLessThanOrEqual(80);
      expect(key.isWellFormed()).toBe(true);
    }),
    { seed: 1 },
  );
  expect(orderKey('7'.repeat(500)).length).toBeLessThanOrEqual(80);
});

test('a product without a code comes after all that have one', () => {
  expect(Buffer.compare(Buffer.from(codeOrderKey(null)), Buffer.from(codeOrderKey('\u{10FFFD}z')))).toBe(1);
});

test('a level tells what the filters ask, and nothing where nobody knows', () => {
  expect([0.001, 0, -0, -3, null].map(levelOf)).toEqual([1, 0, 0, -1, null]);
});
