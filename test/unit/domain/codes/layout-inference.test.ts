// The proof that labels of known products lead back to the layout that they were printed by, and to nothing that reads
// them otherwise.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDigitOf } from '../../../../app/domain/codes/barcode.ts';
import { inferLayouts, type KnownLabel } from '../../../../app/domain/codes/layout-inference.ts';
import {
  figureVerifierOf,
  readLayout,
  readScaleLabel,
  type ScaleFigure,
  type ScaleLayout,
} from '../../../../app/domain/codes/scale-label.ts';

const letters: Readonly<Record<ScaleFigure, string>> = { weight: 'K', price: 'T', pieces: 'Q' };

/**
 * Any layout with a run of three to seven digits for the item and one for the figure, in either order, with whatever
 * stands around them.
 */
const anyLayout = fc
  .record({
    prefix: fc.constantFrom('2', '02', '20', '23', '29'),
    item: fc.integer({ min: 3, max: 7 }),
    figure: fc.integer({ min: 2, max: 7 }),
    kind: fc.constantFrom<ScaleFigure>('weight', 'price', 'pieces'),
    isItemFirst: fc.boolean(),
    gaps: fc.array(fc.constantFrom('', '0', 'X', 'V', '5'), { minLength: 2, maxLength: 2 }),
    decimals: fc.integer({ min: 0, max: 4 }),
    fill: fc.constantFrom('0', 'X'),
  })
  .map(({ prefix, item, figure, kind, isItemFirst, gaps: [first = '', second = ''], decimals, fill }) => {
    const run = letters[kind].repeat(figure);
    const pointed = decimals === 0 || decimals >= figure ? run : `${run.slice(0, -decimals)},${run.slice(-decimals)}`;
    const [left, right] = isItemFirst ? ['C'.repeat(item), pointed] : [pointed, 'C'.repeat(item)];
    const body = `${prefix}${left}${first}${right}${second}`;
    return `${body}${fill.repeat(Math.max(0, 12 - body.replace(',', '').length))}V`;
  })
  .map((text) => readLayout(text))
  .filter((layout): layout is ScaleLayout => typeof layout !== 'string');

/** A label as a scale with this layout prints it. */
function print(layout: ScaleLayout, item: string, figure: string, other: number): string {
  const { places, verifierAt } = layout;
  const next = { C: 0, figure: 0 };
  const body = Array.from(places.slice(0, 12), (place, at) => {
    if (place === 'C') {
      return item[next.C++] ?? '';
    }
    if (/[KTQ]/.test(place)) {
      return figure[next.figure++] ?? '';
    }
    if (at === verifierAt) {
      return figureVerifierOf(figure);
    }
    return place === 'X' ? String((other * (at + 3)) % 10) : place;
  });
  return body.join('') + checkDigitOf(body.join(''));
}

const digits = (length: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: 10 ** length - 1 }).map((value) => String(value).padStart(length, '0'));

const printed = anyLayout.chain((layout) => {
  const lengthOf = (sign: RegExp): number => [...layout.places].filter((place) => sign.test(place)).length;
  const label = fc
    .record({
      item: digits(lengthOf(/C/)),
      figure: digits(lengthOf(/[KTQ]/)),
      other: fc.integer({ min: 0, max: 9 }),
      hasZeros: fc.boolean(),
    })
    .map(({ item, figure, other, hasZeros }): KnownLabel => ({
      text: print(layout, item, figure, other),
      codes: [hasZeros ? item : item.replace(/^0+/, ''), '999999999'],
      amount: Number(`${figure}e-${layout.decimals}`),
    }));
  return fc.record({ layout: fc.constant(layout), labels: fc.array(label, { minLength: 3, maxLength: 5 }) });
});

/** The layout with each X, as far as these labels show it: their common digit. */
function shownBy({ places }: ScaleLayout, labels: readonly KnownLabel[]): string {
  return [...places]
    .map((place, at) =>
      place === 'X' && new Set(labels.map(({ text }) => text[at])).size === 1 ? (labels[0]?.text[at] ?? '') : place,
    )
    .join('');
}

describe('from any layout and three labels or more', () => {
  test('the layouts that fit contain the true one; when it is alone, it is the one that is proposed', () => {
    let alone = 0;
    fc.assert(
      fc.property(printed, ({ layout, labels }) => {
        const found = inferLayouts(labels, layout.figure);
        const isTrue = (one: ScaleLayout): boolean =>
          one.places === shownBy(layout, labels) &&
          one.decimals === layout.decimals &&
          one.verifierAt === layout.verifierAt;
        expect(found.filter(isTrue)).toHaveLength(1);
        alone += found.length === 1 ? 1 : 0;
      }),
      { seed: 1, numRuns: 1_500 },
    );
    // A proof of nothing but long lists would be none.
    expect(alone).toBeGreaterThan(500);
  });

  test('each reads every label as its product and its figure, and can be kept', () => {
    fc.assert(
      fc.property(printed, ({ layout, labels }) => {
        for (const found of inferLayouts(labels, layout.figure)) {
          expect(readLayout(found.text)).toEqual(found);
          for (const { text, codes, amount } of labels) {
            const [reading] = readScaleLabel(text, [found]).readings;
            expect(reading?.amount).toBe(amount);
            expect(codes.map((code) => Number(code))).toContain(Number(reading?.item));
          }
        }
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});

const known = (text: string, code: string, amount: number): KnownLabel => ({
  text: text + checkDigitOf(text),
  codes: [code],
  amount,
});

test.each([
  [
    'prices of a usual layout, once a price is large',
    'price',
    [known('212341234567', '1234', 12_345.67), known('243210000750', '4321', 7.5), known('256780012900', '5678', 129)],
    ['2CCCCTTTTTTTV'],
  ],
  [
    'weights behind a prefix',
    'weight',
    [
      known('201234512345', '12345', 12.345),
      known('205432198765', '54321', 98.765),
      known('209876500500', '98765', 0.5),
    ],
    ['2CCCCCCKKKKKV', '20CCCCCKKKKKV'],
  ],
  [
    'prices with one decimal',
    'price',
    [
      known('212345123450', '12345', 12_345),
      known('254321000075', '54321', 7.5),
      known('298765987654', '98765', 98_765.4),
    ],
    ['2CCCCCTTTTT,TV'],
  ],
] as const)('%s', (_name, figure, labels, expected) => {
  expect(inferLayouts(labels, figure).map(({ text }) => text)).toEqual(expected);
});

test('where the labels leave it open, all that fit are answered, the usual one first', () => {
  const labels = [
    known('212340001599', '1234', 15.99),
    known('243210000750', '4321', 7.5),
    known('256780012900', '5678', 129),
  ];
  expect(inferLayouts(labels, 'price').map(({ text }) => text)).toEqual([
    '2CCCC0TTTTTTV',
    '2CCCCTTTTTTTV',
    '2CCCC00TTTTTV',
  ]);
  // One more decides.
  expect(inferLayouts([...labels, known('287650200000', '8765', 2_000)], 'price').map(({ text }) => text)).toEqual([
    '2CCCC0TTTTTTV',
    '2CCCCTTTTTTTV',
  ]);
});

test.each([
  ['two labels', [known('212340001599', '1234', 15.99), known('243210000750', '4321', 7.5)]],
  [
    'a wrong product',
    [known('212340001599', '1235', 15.99), known('243210000750', '4321', 7.5), known('256780012900', '5678', 129)],
  ],
  [
    'a wrong figure',
    [known('212340001599', '1234', 15.98), known('243210000750', '4321', 7.5), known('256780012900', '5678', 129)],
  ],
  [
    'a code that is no scale label',
    [known('789100010010', '1234', 15.99), known('243210000750', '4321', 7.5), known('256780012900', '5678', 129)],
  ],
  [
    'a product without digits in its code',
    [
      { ...known('212340001599', 'ABC', 15.99) },
      known('243210000750', '4321', 7.5),
      known('256780012900', '5678', 129),
    ],
  ],
])('%s lead to nothing', (_name, labels) => {
  expect(inferLayouts(labels, 'price')).toEqual([]);
});
