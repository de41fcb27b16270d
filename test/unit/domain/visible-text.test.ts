// The proof that what nobody sees goes (V1 to V4 of visible-text.ts), and that what joins letters and pictures stays.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../../app/catalogue/search/words.ts';
import { cleanCode } from '../../../app/domain/codes/barcode.ts';
import { toText } from '../../../app/domain/loose-json.ts';
import { visibleText } from '../../../app/domain/visible-text.ts';
import { ListedElement } from '../../../app/platform/listing/listed-element.ts';

test.each([
  ['a name turned around', 'Caf\u202e\u00e9 \u2066ten', 'Café ten'],
  ['marks of direction', '\u200eLeite\u200f 1\u061c L', 'Leite 1 L'],
  ['zero-width blanks', 'Ca\u200bf\ufeff\u00e9\u2060', 'Café'],
  ['joiners between Latin letters', 'Ca\u200df\u200c\u00e9', 'Café'],
  ['joiners after accents of their own', 'Cafe\u0301\u200d a\u0303\u200co', 'Cafe\u0301 a\u0303o'],
  ['marks that are never drawn', 'Ca\u034ff\u17b4\u00e9\u17b5', 'Café'],
  ['joiners after digits and blanks', '78\u200d9 \u200c1', '789 1'],
  ['a soft hyphen', 'Choco\u00adlate', 'Chocolate'],
  ['tags', 'A\u{e0041}\u{e0042}', 'A'],
  ['annotations', '\ufff9A\ufffab\ufffb', 'Ab'],
  ['separators of lines, and fillers', 'A\u2028B\u2029C\u3164D\uffa0E\u115fF\u1160G', 'A B C D E F G'],
])('%s', (_name, text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(toText(text)).toBe(shown);
});

test.each([
  ['Persian with a non-joiner', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['Arabic with marks and a joiner', '\u0647\u0651\u200d'],
  ['Sinhala with a joiner', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ['Hindi with both', '\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937'],
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a firefighter', '\u{1f469}\u{1f3fd}\u200d\u{1f692}'],
  ['a flag of colours', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
  ['a heart on fire', '\u2764\ufe0f\u200d\u{1f525}'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['accents of their own', 'Cafe\u0301 a\u0303'],
  ['Hebrew and Greek', '\u05e7\u05e4\u05d4 \u03ba\u03b1\u03c6\u03ad'],
])('%s stays as it is', (_name, text) => {
  expect(visibleText(text)).toBe(text);
});

test('whatever the text, cleaned once is clean, and nothing turns or hides a part of it', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(
          fc.constantFrom(
            '\u202e',
            '\u2066',
            '\u200b',
            '\u200d',
            '\u200c',
            '\u{e0041}',
            '\u{1f3f4}',
            '\u0915',
            'a',
            ' ',
          ),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        ),
      }),
      (text) => {
        const shown = visibleText(text);
        expect(shown).not.toMatch(/[\p{Bidi_Control}\u200b\u2060\ufeff\u2028\u2029]/u);
        expect(visibleText(shown)).toBe(shown);
      },
    ),
    { seed: 1, numRuns: 3_000 },
  );
});

describe('where it is read', () => {
  const element = {
    id: 1,
    code: 'A\u200b1',
    name: '\u202eCaf\u200b\u00e9 \u2066torrado',
    barcode: '\u200e7890000000017',
    unit: 'K\u200bG',
    'sh\u202eelf': 'A\u20663',
  };

  test('a product has none of it in its name, codes, unit and fields', () => {
    const listed = new ListedElement(element);
    expect(listed.product).toMatchObject({ name: 'Café torrado', code: 'A1', barcodes: ['7890000000017'], unit: 'KG' });
    expect(listed.product?.extra).toEqual([{ name: 'shelf', value: 'A3' }]);
    expect(listed.shown([{ path: 'name', name: 'Nome', on: ['card'] }])).toMatchObject([{ value: 'Café torrado' }]);
  });

  test('it is found by what is seen, and by what was copied with it', () => {
    expect(wordsOf(element.name)).toEqual(['cafe', 'torrado']);
    expect(wordsOf('caf\u200b\u00e9')).toEqual(['cafe']);
    expect(cleanCode('\u200e7890000000017\u200b')).toMatchObject({ text: '7890000000017', unreadable: null });
  });
});
