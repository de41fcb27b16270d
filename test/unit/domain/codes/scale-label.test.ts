// The proof of scale labels: which layouts are right, what each says of a label, and the verifiers of GS1's section
// 7.9.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDigitOf } from '../../../../app/domain/codes/barcode.ts';
import {
  figureVerifierOf,
  readLayout,
  readLayouts,
  readScaleLabel,
  defaultLayouts,
} from '../../../../app/domain/codes/scale-label.ts';

const withCheck = (body: string): string => body + checkDigitOf(body);
const read = (text: string, ...layouts: string[]) => readScaleLabel(text, readLayouts(layouts));

describe('a layout', () => {
  test.each([
    ['2CCCC0TTTTTTV', 'price', 2, null],
    ['2 cccc 0 tttttt v', 'price', 2, null],
    ['20CCCCCKKKKKV', 'weight', 3, null],
    ['20CCCCCVKKKKV', 'weight', 3, 7],
    ['02CCCCCKK,KKKV', 'weight', 3, null],
    ['21CCCCCTTT.TTV', 'price', 2, null],
    ['22CCCCCKKKK.KV', 'weight', 1, null],
    ['2XCCCCCXXXQQV', 'pieces', 0, null],
  ])('%s is of %s with %i decimals', (text, figure, decimals, verifierAt) => {
    expect(readLayout(text)).toMatchObject({ figure, decimals, verifierAt });
  });

  test.each([
    ['', 'length'],
    ['2CCCC0TTTTTV', 'length'],
    ['2CCCC0TTTTTTTV', 'length'],
    ['2'.repeat(500), 'length'],
    ['2CCCC0PPPPPPV', 'character'],
    ['21.....{NNDDD}', 'character'],
    ['7CCCC0TTTTTTV', 'prefix'],
    ['CCCCC0TTTTTTV', 'prefix'],
    ['2CCCC0TTTTTTT', 'checkDigit'],
    ['200000TTTTTTV', 'code'],
    ['2CC0CCTTTTTTV', 'code'],
    ['2CCCCCCCCCCCV', 'figure'],
    ['2CCCCTTTTKKKV', 'figure'],
    ['2CCCC0TT0TTTV', 'figure'],
    ['2CC.CC0TTTTTTV', 'point'],
    ['2CCCC0TTTTTT,V', 'point'],
    ['2CCCC0,TTTTTTV', 'point'],
    ['2CCCCVTTTTTTV', 'verifier'],
    ['2CCCVVVTTTTTV', 'verifier'],
  ])('%s is none: %s', (text, fault) => {
    expect(readLayout(text)).toBe(fault);
  });

  test('of the usual ones is right; of others only the right ones count, in their order', () => {
    expect(readLayouts(defaultLayouts).map(({ text }) => text)).toEqual(defaultLayouts);
    expect(readLayouts(['x', '20CCCCCKKKKKV', '', '2CCCC0TTTTTTV']).map(({ text }) => text)).toEqual([
      '20CCCCCKKKKKV',
      '2CCCC0TTTTTTV',
    ]);
    expect(readLayouts(Array.from({ length: 50 }, () => '2CCCC0TTTTTTV'))).toHaveLength(20);
  });

  test('reading never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'2CXKTQV0., '), maxLength: 16 })),
        (text) => {
          const layout = readLayout(text);
          expect(typeof layout === 'string' || layout.places.length === 13).toBe(true);
        },
      ),
    );
  });
});

describe('a label', () => {
  test('says item and figure by each layout that it fits, in their order', () => {
    const { readings } = read('2014900002840', ...defaultLayouts);
    expect(readings.map(({ layout, item, amount }) => [layout.text, item, amount])).toEqual([
      ['2CCCC0TTTTTTV', '0149', 2.84],
      ['2CCCCCTTTTTTV', '01490', 2.84],
      ['2CCCCCCTTTTTV', '014900', 2.84],
    ]);
  });

  test.each([
    ['2010085025049', '2CCCCCCKKKKKV', '010085', 2.504],
    [withCheck('200000200102'), '20CCCCCKKKKKV', '00002', 0.102],
    [withCheck('211234500012'), '21CCCCCKKKK,KV', '12345', 1.2],
    [withCheck('211234500012'), '2XCCCCCXXXQQV', '12345', 12],
    [withCheck('021234501999'), '02CCCCCTTTTTV', '12345', 19.99],
  ])('%s by %s is item %s, %d', (text, layout, item, amount) => {
    expect(read(text, layout).readings).toMatchObject([{ item, amount }]);
  });

  test('of UPC-A with number system 2 is one of prefix 02; leading noughts of a GTIN-14 do not matter', () => {
    const upc = withCheck('21234501999');
    for (const text of [upc, `0${upc}`, `00${upc}`]) {
      expect(read(text, '02CCCCCTTTTTV').readings).toMatchObject([{ item: '12345', amount: 19.99 }]);
    }
  });

  test.each([
    ['another prefix', withCheck('201234501999'), '21CCCCCTTTTTV'],
    ['a wrong check digit', '2014900002841', '2CCCC0TTTTTTV'],
    ['an article of another maker', '9520000000011', '2CCCC0TTTTTTV'],
    ['no EAN-13', '20149000', '2CCCC0TTTTTTV'],
    ['letters', '2A14900002840', '2CCCC0TTTTTTV'],
    ['an item of noughts alone', withCheck('200000000284'), '2CCCC0TTTTTTV'],
  ])('is none with %s', (_name, text, layout) => {
    expect(read(text, layout)).toEqual({ readings: [], isMisread: false });
  });

  test('has its item also as the code with a figure of nought', () => {
    expect(read(withCheck('211234501500'), '21CCCCCKKKKKV').readings[0]?.zeroed).toEqual([
      withCheck('211234500000'),
      '2112345000000',
    ]);
    expect(read(withCheck(`2012345${figureVerifierOf('1500')}1500`), '20CCCCCVKKKKV').readings[0]?.zeroed).toEqual([
      withCheck('201234500000'),
      '2012345000000',
    ]);
  });
});

describe('the verifier of a figure', () => {
  test("agrees with the standard's examples (§7.9.3, §7.9.4)", () => {
    expect(figureVerifierOf('2875')).toBe('9');
    expect(figureVerifierOf('14685')).toBe('6');
    expect(['0000', '00000'].map(figureVerifierOf)).toEqual(['0', '0']);
  });

  test('finds every single wrong digit of four and of five', () => {
    const figure = fc.constantFrom(4, 5).chain((length) => fc.stringMatching(new RegExp(`^\\d{${length}}$`)));
    fc.assert(
      fc.property(figure, fc.nat(4), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
        const place = at % digits.length;
        const wrong = digits.slice(0, place) + String((Number(digits[place]) + by) % 10) + digits.slice(place + 1);
        expect(figureVerifierOf(wrong)).not.toBe(figureVerifierOf(digits));
      }),
    );
  });

  test('that is wrong makes the label misread, unless another layout fits', () => {
    const right = withCheck('201234592875');
    const wrong = withCheck('201234582875');
    expect(read(right, '20CCCCCVTTTTV').readings).toMatchObject([{ item: '12345', amount: 28.75 }]);
    expect(read(wrong, '20CCCCCVTTTTV')).toEqual({ readings: [], isMisread: true });
    expect(read(wrong, '20CCCCCVTTTTV', '2CCCCCCTTTTTV').readings).toMatchObject([{ item: '012345', amount: 828.75 }]);
  });
});
