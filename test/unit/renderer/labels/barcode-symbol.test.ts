import { describe, expect, it } from 'vitest';
import { barcodeTypes, type BarcodeTypeName } from '../../../../app/domain/codes/barcode-types.ts';
import {
  drawSymbol,
  fullHeight,
  fullWidth,
  pathOf,
  type BarcodeSymbol,
} from '../../../../renderer/labels/barcode-symbol.ts';
import { ean13Modules } from './ean13.ts';

const samples: Readonly<Record<BarcodeTypeName, string>> = {
  C39: 'ABC-12',
  C39_PLUS: 'ABC-12',
  C39E: 'Abc-12',
  C39E_PLUS: 'Abc-12',
  C93: 'Ab 12',
  S25: '12345',
  S25_PLUS: '12345',
  I25: '00012345678905',
  I25_PLUS: '12345',
  C128: 'Abc-123456',
  C128_A: 'ABC-12',
  C128_B: 'Abc-12',
  C128_C: '123456',
  EAN2: '05',
  EAN5: '90200',
  EAN8: '95200002',
  EAN13: '9520000000011',
  UPCA: '036000291452',
  UPCE: '04252614',
  MSI: '12345',
  MSI_PLUS: '12345',
  POSTNET: '01234',
  PLANET: '01234567890',
  RMS4CC: 'LE28HS9Z',
  KIX: '1231FZ13XHS',
  IMB: '01234567094987654321',
  CODABAR: '12345',
  CODE11: '12-345',
  PHARMA: '117480',
  PHARMA2T: '117480',
  QRCODE: 'Pão de queijo',
  PDF417: 'Açaí',
  DATAMATRIX: '9520000000011',
};

function draw(type: BarcodeTypeName, text = samples[type]): BarcodeSymbol {
  const symbol = drawSymbol({ type, text });
  if (symbol === null) throw new Error(`${type} was not drawn`);
  return symbol;
}

/** Dark and light along the symbol, one character a module. */
function modulesOf({ width, shapes }: BarcodeSymbol): string {
  const dark = Array.from({ length: Math.round(width) }, () => '0');
  for (const points of shapes) {
    const xs = points.map(([x]) => x);
    dark.fill('1', Math.min(...xs), Math.max(...xs));
  }
  return dark.join('');
}

describe('every barcode type', () => {
  it.each(Object.keys(barcodeTypes) as BarcodeTypeName[])(
    '%s is drawn inside of its symbol, with white around',
    (type) => {
      expect(barcodeTypes[type].carries(samples[type])).toBe(true);
      const symbol = draw(type);
      expect(symbol.shapes.length).toBeGreaterThan(2);
      for (const [x, y] of symbol.shapes.flat()) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(symbol.width);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(symbol.height);
      }
      expect(fullWidth(symbol)).toBeGreaterThan(symbol.width + 3);
      expect(fullHeight(symbol)).toBeGreaterThanOrEqual(symbol.height);
    },
  );

  it('with a check digit is drawn otherwise than without', () => {
    for (const [plain, plus] of [
      ['C39', 'C39_PLUS'],
      ['C39E', 'C39E_PLUS'],
      ['S25', 'S25_PLUS'],
      ['MSI', 'MSI_PLUS'],
    ] as const) {
      expect(draw(plus, '12345').width, plus).toBeGreaterThan(draw(plain, '12345').width);
    }
    expect(modulesOf(draw('I25_PLUS', '1234567'))).toBe(modulesOf(draw('I25', '12345670')));
    // One that is there already is not added again.
    expect(modulesOf(draw('I25_PLUS', '00012345678905'))).toBe(modulesOf(draw('I25', '00012345678905')));
  });

  it('is nothing for a text that it cannot carry', () => {
    expect([
      drawSymbol({ type: 'EAN13', text: '12' }),
      drawSymbol({ type: 'C39', text: 'ç' }),
      drawSymbol({ type: 'QRCODE', text: '' }),
    ]).toEqual([null, null, null]);
  });
});

describe('the bars', () => {
  it.each(['9520000000011', '0000000000000', '7891234567895', '1234567890128'])(
    'of EAN-13 %s are those of the standard',
    (digits) => {
      const symbol = draw('EAN13', digits);
      expect(symbol.width).toBe(95);
      expect(modulesOf(symbol)).toBe(ean13Modules(digits));
      expect(symbol.shapes).toHaveLength(30);
    },
  );

  // ISO/IEC 15417 table 1: the starts, and the codewords of what is written below.
  const codewords: Readonly<Record<number, string>> = {
    103: '11010000100',
    104: '11010010000',
    105: '11010011100',
    33: '10100011000',
    34: '10001011000',
    12: '10110011100',
    56: '11100010110',
  };
  it.each([
    ['C128_A', 'AB', [103, 33, 34]],
    ['C128_B', 'AB', [104, 33, 34]],
    ['C128_C', '1256', [105, 12, 56]],
  ] as const)('of %s stay in its set', (type, text, expected) => {
    expect(modulesOf(draw(type, text)).startsWith(expected.map((codeword) => codewords[codeword]).join(''))).toBe(true);
  });

  it('of Codabar get a start and a stop where the number has none', () => {
    expect(modulesOf(draw('CODABAR', '123'))).toBe(modulesOf(draw('CODABAR', 'A123A')));
  });

  it('stand upright where they differ in height: a two-track code has long and short ones', () => {
    const heights = draw('RMS4CC').shapes.map((points) => Math.round((points[2]?.[1] ?? 0) - (points[0]?.[1] ?? 0)));
    expect(new Set(heights).size).toBeGreaterThan(2);
  });
});

it('a path closes every shape and places every point', () => {
  expect(
    pathOf(
      [
        [
          [0, 0],
          [1, 0],
          [1, 2],
          [0, 2],
        ],
      ],
      ([x, y]) => [x + 10, y / 3],
    ),
  ).toBe('M10 0L11 0L11 0.6667L10 0.6667Z');
});
