// Owns the proof of what a code means: cleaning, check digits, and that every form of one GTIN meets under one key.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDigitOf, cleanCode, codeKeys, expandUpcE, hasValidCheckDigit, hasWrongCheckDigit, looksLikeGtin } from '../../../app/domain/barcode.ts';

const digits = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const gtin = (length: number): fc.Arbitrary<string> => digits(length - 1).map((body) => body + checkDigitOf(body));
const shareKey = (left: string, right: string): boolean => codeKeys(left).some((key) => codeKeys(right).includes(key));

describe('the check digit', () => {
  test('agrees with published examples', () => {
    expect(checkDigitOf('629104150021')).toBe('3');
    expect(hasValidCheckDigit('6291041500213')).toBe(true);
    expect(hasValidCheckDigit('036000291452')).toBe(true);
    expect(hasValidCheckDigit('9638507')).toBe(false);
    expect(hasValidCheckDigit('96385074')).toBe(true);
  });

  test('finds every single wrong digit', () => {
    fc.assert(
      fc.property(gtin(13), fc.nat(12), fc.integer({ min: 1, max: 9 }), (code, place, by) => {
        const wrong = code.slice(0, place) + String((Number(code[place]) + by) % 10) + code.slice(place + 1);
        expect(hasValidCheckDigit(wrong)).toBe(false);
        expect(hasWrongCheckDigit(wrong)).toBe(true);
      }),
    );
  });
});

describe('the keys of a code', () => {
  test('an EAN-13 and a UPC-A meet with any leading zeros, up to 14 digits', () => {
    fc.assert(
      fc.property(fc.constantFrom(8, 12, 13).chain(gtin), (code) => {
        for (let length = code.length; length <= 14; length += 1) {
          expect(shareKey(code, code.padStart(length, '0'))).toBe(true);
        }
      }),
    );
  });

  test('a UPC-A that lost its leading zeros in a number is still found', () => {
    expect(shareKey('036000291452', '36000291452')).toBe(true);
  });

  test('a UPC-E meets its UPC-A', () => {
    expect(expandUpcE('04252614')).toBe('042100005264');
    expect(expandUpcE('425261')).toBe('042100005264');
    expect(expandUpcE('01234532')).toBeNull();
    expect(shareKey('04252614', '042100005264')).toBe(true);
    expect(shareKey('04252614', '0042100005264')).toBe(true);
    expect(hasWrongCheckDigit('04252614')).toBe(false);
  });

  test.each([
    ['425260', '04200000526'],
    ['123453', '01230000045'],
    ['123454', '01234000005'],
    ['123455', '01234500005'],
  ])('UPC-E %s has the body %s', (core, body) => {
    expect(expandUpcE(core)?.slice(0, 11)).toBe(body);
  });

  test('different GTINs never share a key', () => {
    fc.assert(
      fc.property(gtin(13), gtin(13), (left, right) => {
        expect(shareKey(left, right)).toBe(left === right);
      }),
    );
  });

  test('a code that is no GTIN is its own key, whatever its letter case', () => {
    expect(codeKeys('ab-12')).toEqual(['AB-12']);
    expect(shareKey('00123', '123')).toBe(false);
    expect(codeKeys('7891000100104')).toEqual(['7891000100104']);
  });

  test('any text has between one and two keys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect([1, 2]).toContain(codeKeys(text).length);
      }),
    );
  });
});

describe('cleaning', () => {
  test.each([
    ['  6291041500213\r\n', '6291041500213'],
    [']E06291041500213\r', '6291041500213'],
    ['\u0002]C1ABC\u0003', 'ABC'],
    ['\t]E0 6291041500213 \t', '6291041500213'],
    [']E0', ']E0'],
    ['café 500 g', 'café 500 g'],
  ])('%j becomes %j', (given, text) => {
    expect(cleanCode(given)).toEqual({ text, unreadable: null });
  });

  test('says why a text cannot be a code', () => {
    expect(cleanCode(' \r\n')).toEqual({ text: '', unreadable: 'empty' });
    expect(cleanCode('12\u000034').unreadable).toBe('controlCharacters');
    expect(cleanCode('9'.repeat(501))).toEqual({ text: '9'.repeat(500), unreadable: 'tooLong' });
    expect(cleanCode('9'.repeat(500)).unreadable).toBeNull();
  });

  test('never throws, is bounded, and cleaning twice changes no readable code without an identifier', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (given) => {
        const { text, unreadable } = cleanCode(given);
        expect(text.length).toBeLessThanOrEqual(500);
        if (unreadable === null && !text.startsWith(']')) {
          expect(cleanCode(text)).toEqual({ text, unreadable: null });
        }
      }),
    );
  });
});

test('only 8, 12, 13 and 14 digits look like a GTIN', () => {
  expect(['8', '12', '13', '14'].every((length) => looksLikeGtin('1'.repeat(Number(length))))).toBe(true);
  expect(['7', '9', '10', '11', '15'].some((length) => looksLikeGtin('1'.repeat(Number(length))))).toBe(false);
});
