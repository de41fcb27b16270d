import { describe, expect, it } from 'vitest';
import {
  chooseBarcode,
  codesToDraw,
  readableCode,
  statedType,
  typeByForm,
} from '../../../../app/domain/codes/barcode-choice.ts';
import { barcodeTypes, isBarcodeTypeName, type BarcodeTypeName } from '../../../../app/domain/codes/barcode-types.ts';

// As API v3 §2 "Barcode types" lists them.
const listed1D =
  'C39, C39_PLUS, C39E, C39E_PLUS, C93, S25, S25_PLUS, I25, I25_PLUS, C128, C128_A, C128_B, C128_C, EAN2, EAN5, EAN8, EAN13, UPCA, UPCE, MSI, MSI_PLUS, POSTNET, PLANET, RMS4CC, KIX, IMB, CODABAR, CODE11, PHARMA, PHARMA2T';
const listed2D = 'QRCODE, PDF417, DATAMATRIX';

it('the barcode types are exactly those that the platform lists', () => {
  const namesOf = (dimension: string): string[] =>
    Object.entries(barcodeTypes)
      .filter(([, type]) => type.dimension === dimension)
      .map(([name]) => name);
  expect(namesOf('1D')).toEqual(listed1D.split(', '));
  expect(namesOf('2D')).toEqual(listed2D.split(', '));
  expect([isBarcodeTypeName('RMS4CC'), isBarcodeTypeName('ean13'), isBarcodeTypeName('toString')]).toEqual([
    true,
    false,
    false,
  ]);
});

describe('a type', () => {
  it.each<[BarcodeTypeName, readonly string[], readonly string[]]>([
    ['C39', ['ABC-12', 'A B$/+%.'], ['abc', 'A*B', '', 'Ç']],
    ['C39E', ['abc', 'a\tb'], ['ã', '']],
    ['C93', ['Ab 1'], ['é']],
    ['I25', ['1234', '00012345678905'], ['123', '12a4']],
    ['I25_PLUS', ['123', '1236', '00012345678905'], ['1234', '00012345678906']],
    ['C128_A', ['ABC 12', '\u001d'], ['abc']],
    ['C128_B', ['abc~'], ['\t', 'ç']],
    ['C128_C', ['1234'], ['123', '12A4']],
    ['EAN2', ['05'], ['5', '005']],
    ['EAN5', ['90200'], ['9020']],
    ['EAN8', ['95200002'], ['95200003', '9520000']],
    ['EAN13', ['9520000000011'], ['9520000000012', '952000000001']],
    ['UPCA', ['036000291452'], ['036000291453']],
    ['UPCE', ['01234565'], ['01234566', '123456']],
    ['POSTNET', ['01234', '012345678', '01234567890'], ['0123456', '0123A']],
    ['PLANET', ['01234567890', '0123456789012'], ['012345678901']],
    ['RMS4CC', ['LE28HS9Z'], ['le28']],
    ['KIX', ['1231FZ13XHS'], ['1231 FZ']],
    [
      'IMB',
      ['01234567094987654321', '0123456709498765432101234567891'],
      ['05234567094987654321'.replace('05', '09'), '0123'],
    ],
    ['CODABAR', ['1234', 'A1234B', '12-3$'], ['A1234', 'E12E', 'A']],
    ['CODE11', ['12-3'], ['12A']],
    ['PHARMA', ['3', '131070'], ['2', '131071', '03']],
    ['PHARMA2T', ['4', '64570080'], ['3', '64570081']],
    ['QRCODE', ['Pão de queijo', 'x'.repeat(500)], ['', 'x'.repeat(501)]],
  ])('%s carries what its symbology can, and no more', (name, fitting, others) => {
    const { carries } = barcodeTypes[name];
    expect(fitting.filter((text) => !carries(text))).toEqual([]);
    expect(others.filter(carries)).toEqual([]);
  });
});

describe('a code is drawn', () => {
  it.each([
    ['9520000000011', 'EAN13'],
    ['95200002', 'EAN8'],
    ['036000291452', 'UPCA'],
    ['04252614', 'UPCE'],
    ['00012345678905', 'I25'],
    // A wrong check digit: the bars of an EAN would say something else.
    ['9520000000012', 'C128'],
    ['A-101', 'C128'],
    ['12345', 'C128'],
    ['PÃO-1', 'QRCODE'],
    ['x'.repeat(90), 'QRCODE'],
  ] as const)('%s by its form as %s', (text, type) => {
    expect(typeByForm(text)).toBe(type);
    expect(chooseBarcode(text, null)).toEqual({ text, type, refused: null });
  });

  it('as the type that the platform names, if it fits, and else by its form, which is said', () => {
    expect(chooseBarcode('9520000000011', 'C128_C')).toMatchObject({ type: 'EAN13', refused: 'C128_C' });
    expect(chooseBarcode('9520000000011', 'QRCODE')).toMatchObject({ type: 'QRCODE', refused: null });
    expect(chooseBarcode('A-101', 'EAN13')).toMatchObject({ type: 'C128', refused: 'EAN13' });
  });

  it('not at all when no type can carry it', () => {
    expect([chooseBarcode('', null), chooseBarcode('é'.repeat(600), 'EAN13')]).toEqual([null, null]);
  });

  it('with the digits in the groups of its type', () => {
    expect(
      [
        ['9520000000011', 'EAN13'],
        ['95200002', 'EAN8'],
        ['036000291452', 'UPCA'],
        ['01234565', 'UPCE'],
        ['A-101', 'C128'],
      ].map(([text, type]) => readableCode({ text: String(text), type: type as BarcodeTypeName })),
    ).toEqual(['9 520000 000011', '9520 0002', '0 36000 29145 2', '0 123456 5', 'A-101']);
  });
});

describe('the type that a product\u2019s fields name', () => {
  it('is read from a field that speaks of a type, and from no other', () => {
    expect(
      statedType([
        { name: 'brand', value: 'MSI' },
        { name: 'barcode_type', value: 'C39' },
      ]),
    ).toBe('C39');
    expect(statedType([{ name: 'tipoCodigo', value: 'EAN8' }])).toBe('EAN8');
    expect(statedType([{ name: 'brand', value: 'MSI' }])).toBeNull();
    expect(statedType([{ name: 'type', value: 'simple' }])).toBeNull();
  });

  it('is nobody\u2019s when two fields differ', () => {
    expect(
      statedType([
        { name: 'barcode_type', value: 'C39' },
        { name: 'type', value: 'EAN8' },
      ]),
    ).toBeNull();
    expect(
      statedType([
        { name: 'barcode_type', value: 'C39' },
        { name: 'type', value: 'C39' },
      ]),
    ).toBe('C39');
  });
});

describe('the codes of a product', () => {
  const product = { barcodes: ['95200002', '9520000000011', '09520000000028'], code: 'A-1' };
  it('begin with the one that was scanned, in whatever form', () => {
    expect(codesToDraw(product, '9520000000011')).toEqual(['9520000000011', '95200002', '09520000000028']);
    expect(codesToDraw(product, '9520000000028')[0]).toBe('09520000000028');
    expect(codesToDraw(product, 'coffee')).toEqual(product.barcodes);
  });
  it('are its own code when it has no barcode, or none', () => {
    expect(codesToDraw({ barcodes: [], code: 'A-1' }, 'A-1')).toEqual(['A-1']);
    expect(codesToDraw({ barcodes: [], code: null }, 'x')).toEqual([]);
  });
});
