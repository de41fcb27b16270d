// The proof of what a code means: cleaning, check digits, and that every form of one GTIN meets under one key.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkDigitOf,
  cleanCode,
  codeKeys,
  expandUpcE,
  expandUpcE7,
  hasValidCheckDigit,
  hasWrongCheckDigit,
  looksLikeGtin,
  splitAddOn,
  unitInCase,
  defaultGtin,
} from '../../../../app/domain/codes/barcode.ts';

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
    ['  6291041500213\r\n', '6291041500213', null],
    [']E06291041500213\r', '6291041500213', 'E0'],
    ['\u0002]C1ABC\u0003', 'ABC', 'C1'],
    ['\t]E0 6291041500213 \t', '6291041500213', 'E0'],
    [']E0', ']E0', null],
    [']d2\u001d0109520000000011\u001d\r', '\u001d0109520000000011', 'd2'],
    ['10A\u001d21B\u001d', '10A\u001d21B', null],
    ['café 500 g', 'café 500 g', null],
  ])('%j becomes %j', (given, text, symbology) => {
    expect(cleanCode(given)).toEqual({ text, symbology, unreadable: null });
  });

  test('says why a text cannot be a code', () => {
    expect(cleanCode(' \r\n')).toMatchObject({ text: '', unreadable: 'empty' });
    expect(cleanCode('\u001d')).toMatchObject({ text: '', unreadable: 'empty' });
    expect(cleanCode('12\u000034').unreadable).toBe('controlCharacters');
    expect(cleanCode('9'.repeat(501))).toMatchObject({ text: '9'.repeat(500), unreadable: 'tooLong' });
    expect(cleanCode('9'.repeat(500)).unreadable).toBeNull();
  });

  test('never throws, is bounded, and cleaning twice changes no readable code without an identifier', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (given) => {
        const { text, unreadable } = cleanCode(given);
        expect(text.length).toBeLessThanOrEqual(500);
        if (unreadable === null && !text.startsWith(']')) {
          expect(cleanCode(text)).toEqual({ text, symbology: null, unreadable: null });
        }
      }),
    );
  });
});

test('only 8, 12, 13 and 14 digits look like a GTIN', () => {
  expect(['8', '12', '13', '14'].every((length) => looksLikeGtin('1'.repeat(Number(length))))).toBe(true);
  expect(['7', '9', '10', '11', '15'].some((length) => looksLikeGtin('1'.repeat(Number(length))))).toBe(false);
});

describe('a case', () => {
  test.each([
    ['19520000000018', '9520000000011'],
    ['89520000000017', '9520000000011'],
    ['10000095200009', '95200002'],
    ['10042100005261', '0042100005264'],
    ['09520000000011', null],
    ['99520000000014', null],
    ['19520000000011', null],
    ['9520000000011', null],
  ])('%s has the unit %s inside', (code, unit) => {
    expect(unitInCase(code)).toBe(unit);
  });

  test('of any unit, by any indicator, gives the unit back', () => {
    fc.assert(
      fc.property(gtin(13), fc.integer({ min: 1, max: 8 }), (unit, indicator) => {
        const body = String(indicator) + unit.slice(0, 12);
        expect(shareKey(unitInCase(body + checkDigitOf(body)) ?? '', unit)).toBe(true);
      }),
    );
  });

  test('the usual form of a GTIN is the one that a barcode carries', () => {
    expect(['09520000000011', '00000095200002', '19520000000018'].map(defaultGtin)).toEqual([
      '9520000000011',
      '95200002',
      '19520000000018',
    ]);
  });
});

test.each([
  ['977952000000505', '9779520000005', '05'],
  ['9779520000005 05', '9779520000005', '05'],
  ['9779520000005]E105', '9779520000005', '05'],
  ['978952000000452495', '9789520000004', '52495'],
  ['04210000526412345', '042100005264', '12345'],
])('%s is %s with the add-on %s', (text, code, addOn) => {
  expect(splitAddOn(text)).toEqual({ code, addOn });
});

test.each(['9779520000006 05', '9779520000005', '19520000000018', '9779520000005055', 'x'])(
  '%s has no add-on',
  (text) => {
    expect(splitAddOn(text)).toBeNull();
  },
);

test.each([
  ['4252614', ['042100005264']],
  ['0425261', ['004252000061', '042100005264']],
  ['1234567', ['123456000070']],
  ['2345678', []],
  ['425261', []],
])('seven digits %s of a UPC-E may be %j', (text, codes) => {
  expect(expandUpcE7(text).every((code) => hasValidCheckDigit(code))).toBe(true);
  expect(expandUpcE7(text)).toEqual(codes);
});
