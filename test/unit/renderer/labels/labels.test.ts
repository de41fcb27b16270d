import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { labelSizes } from '../../../../app/contract/limits/labels.ts';
import type { LabelSize } from '../../../../app/contract/labels.ts';
import { drawCode } from '../../../../renderer/labels/barcode-picture.ts';
import { drawSymbol } from '../../../../renderer/labels/barcode-symbol.ts';
import { contentOf, isWhollyPrintable, labelFileName } from '../../../../renderer/labels/content.ts';
import { measure, simplified } from '../../../../renderer/labels/helvetica.ts';
import { layOut, type LabelContent, type LaidOutLabel } from '../../../../renderer/labels/layout.ts';
import { writePdf } from '../../../../renderer/labels/pdf.ts';
import { labelPapers, pagesOf } from '../../../../renderer/labels/sizes.ts';
import { ean13Modules } from './ean13.ts';
import { id } from '../stores/held-bridge.ts';
import { readPdf } from './read-pdf.ts';

const ean = '9520000000011';
const content: LabelContent = {
  name: 'Pão de queijo « caipira » (é da serra)',
  line: 'R$ 9,90',
  fields: [],
  symbol: drawSymbol({ type: 'EAN13', text: ean }),
  readable: '9 520000 000011',
  facts: 'A-101 · 12 un.',
  date: '10 de mar. de 2026',
};
const lay = (size: LabelSize, more: Partial<LabelContent> = {}): LaidOutLabel =>
  layOut({ ...content, ...more }, labelPapers[size].label);
const pointsOf = (millimetres: number): number => (millimetres * 72) / 25.4;

/** Marks that leave the label, lie over another, or stand upside down. */
function faultsOf({ width, height, texts, shapes }: LaidOutLabel): string[] {
  const outside = texts.filter(
    ({ x, y, size, width: wide }) => x < 0.5 || x + wide > width - 0.5 || y - size * 0.75 < 0.5 || y > height - 0.5,
  );
  const ys = shapes.flat().map(([, y]) => y);
  const xs = shapes.flat().map(([x]) => x);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const across = texts.filter(({ y, size }) => y > top && y - size * 0.72 < bottom);
  return [
    ...outside.map(({ text }) => `outside: ${text}`),
    ...(shapes.length === 0
      ? []
      : [
          ...across.map(({ text }) => `over the bars: ${text}`),
          ...(Math.min(...xs) < 0.5 || Math.max(...xs) > width - 0.5 ? ['bars outside'] : []),
          ...(bottom - top < 3 ? [`bars ${bottom - top} mm high`] : []),
        ]),
  ];
}

describe('a label', () => {
  it.each(labelSizes)('of %s holds everything, with bars that scanners read', (size) => {
    const drawing = lay(size);
    expect(faultsOf(drawing)).toEqual([]);
    expect(drawing.isTooFine).toBe(false);
    // A scanner of the till asks for a quarter of a millimetre; a label printer's dots are an eighth.
    expect(drawing.module).toBeGreaterThanOrEqual(0.249);
    expect(((drawing.module ?? 0) / (25.4 / 203.2)) % 1).toBeCloseTo(0, 6);
    const words = drawing.texts.map(({ text }) => text).join(' ');
    for (const part of ['caipira', content.line, content.readable, content.facts, content.date]) {
      expect(words).toContain(part);
    }
  });

  it.each(labelSizes)('of %s has room for a price line and fields of the listing', (size) => {
    const drawing = lay(size, { fields: ['Price: 9,90', 'Aisle: 7 B', `Note: ${'x'.repeat(300)}`] });
    expect(faultsOf(drawing)).toEqual([]);
    expect(drawing.texts.map(({ text }) => text).join(' ')).toContain('Price: 9,90');
  });

  it.each(labelSizes)('of %s stays whole under names of 500 characters, with spaces and without', (size) => {
    for (const name of ['x'.repeat(500), 'Maçã verde '.repeat(46), 'W'.repeat(500), '語'.repeat(500)]) {
      const drawing = lay(size, { name, line: 'R$ 9,90 a unidade; leve três e pague duas, só hoje' });
      expect(faultsOf(drawing)).toEqual([]);
      expect(
        drawing.texts
          .filter(({ y }) => y < drawing.height / 2)
          .map(({ text }) => text)
          .join(''),
      ).toContain('…');
    }
  });

  it('never loses its form, whatever is on it', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 500 }), fc.string({ maxLength: 60 }));
    fc.assert(
      fc.property(
        fc.constantFrom(...labelSizes),
        text,
        text,
        text,
        fc.stringMatching(/^[ -~]{1,40}$/),
        (size, name, line, facts, code) => {
          const drawing = lay(size, {
            name,
            line: line.slice(0, 60),
            facts,
            readable: code,
            symbol: drawSymbol({ type: 'C128', text: code }),
          });
          expect(faultsOf(drawing)).toEqual([]);
          readPdf(writePdf([{ label: drawing, copies: 3 }], labelPapers[size], 1, name));
        },
      ),
      { seed: 1, numRuns: 30 },
    );
  });

  it('says when its bars are too fine, and does without bars', () => {
    const long = drawSymbol({ type: 'C128', text: 'Ab'.repeat(15) });
    expect([lay('40x25', { symbol: long }).isTooFine, lay('100x50', { symbol: long }).isTooFine]).toEqual([
      true,
      false,
    ]);
    const none = lay('40x25', { symbol: null, readable: '' });
    expect([none.module, none.shapes.length, none.isTooFine]).toEqual([null, 0, false]);
    expect(none.texts.every(({ text }) => text !== '')).toBe(true);
  });

  it('keeps a postal code its size, and a matrix its shape', () => {
    for (const [type, text] of [
      ['RMS4CC', 'LE28HS9Z'],
      ['QRCODE', 'Açaí'],
      ['PDF417', 'Açaí'],
    ] as const) {
      const symbol = drawSymbol({ type, text });
      const { shapes } = lay('60x40', { symbol });
      const size = (axis: 0 | 1): number =>
        Math.max(...shapes.flat().map((point) => point[axis])) - Math.min(...shapes.flat().map((point) => point[axis]));
      expect(size(0) / size(1)).toBeCloseTo((symbol?.width ?? 0) / (symbol?.height ?? 1), 1);
    }
    expect(lay('100x50', { symbol: drawSymbol({ type: 'RMS4CC', text: 'LE28HS9Z' }) }).module).toBeCloseTo(
      25.4 / 72,
      6,
    );
  });
});

describe('a name that breaks', () => {
  it('never does so between a number and its unit', () => {
    for (let length = 1; length < 40; length += 1) {
      const lines = lay('40x25', { line: '', name: `${'Pão '.repeat(length)}tradicional 1 kg pacote de 500 g` })
        .texts.filter(({ weight }) => weight === 'bold')
        .map(({ text }) => text);
      expect(lines.filter((line) => /\d$/.test(line) || /^(kg|g)(?!\p{L})/u.test(line))).toEqual([]);
    }
  });
});

describe('the PDF', () => {
  it.each(labelSizes)('of %s has pages of exact millimetres, and every copy', (size) => {
    const paper = labelPapers[size];
    const { pages, catalogue, fonts } = readPdf(writePdf([{ label: lay(size), copies: 50 }], paper, 1, content.name));
    expect(pages).toHaveLength(size === 'a4' ? 3 : 50);
    expect(pages.reduce((sum, { content: drawn }) => sum + (drawn.match(/\/L0 Do/g) ?? []).length, 0)).toBe(50);
    for (const { width, height } of pages) {
      expect(width).toBeCloseTo(pointsOf(paper.page.width), 2);
      expect(height).toBeCloseTo(pointsOf(paper.page.height), 2);
    }
    expect(catalogue).toContain('/PrintScaling /None');
    expect(fonts.every((font) => font.includes('/WinAnsiEncoding'))).toBe(true);
  });

  it('says the texts with their accents, in places on the page', () => {
    const drawing = lay('50x30');
    const { texts, pages } = readPdf(writePdf([{ label: drawing, copies: 1 }], labelPapers['50x30'], 1, content.name));
    expect(texts.map(({ text }) => text)).toEqual(drawing.texts.map(({ text }) => text));
    expect(texts.map(({ text }) => text).join(' ')).toContain('Pão de queijo « caipira » (é da serra)');
    for (const { x, y } of texts) {
      expect(x).toBeGreaterThan(0);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(pages[0]?.height ?? 0);
    }
    // The name is above, the small print below.
    expect(texts[0]?.y).toBeGreaterThan(texts.find(({ text }) => text === content.facts)?.y ?? Infinity);
  });

  it('has the bars of the standard, module for module', () => {
    const drawing = lay('60x40');
    const { rectangles } = readPdf(writePdf([{ label: drawing, copies: 1 }], labelPapers['60x40'], 1, ''));
    expect(rectangles).toHaveLength(30);
    const module = pointsOf(drawing.module ?? 0);
    const left = Math.min(...rectangles.map(({ x }) => x));
    const dark = Array.from({ length: 95 }, () => '0');
    for (const { x, width } of rectangles) {
      dark.fill('1', Math.round((x - left) / module), Math.round((x - left + width) / module));
      expect(width / module).toBeCloseTo(Math.round(width / module), 1);
    }
    expect(dark.join('')).toBe(ean13Modules(ean));
    // Left of it eleven modules of white, right of it seven (GS1 General Specifications §5.2.3).
    expect(left).toBeGreaterThanOrEqual(11 * module);
    expect(pointsOf(60) - left - 95 * module).toBeGreaterThanOrEqual(7 * module);
  });

  it('has each of several products in its place', () => {
    const labels = [
      { label: lay('a4'), copies: 2 },
      { label: lay('a4', { name: 'Rodo' }), copies: 1 },
    ];
    const { pages } = readPdf(writePdf(labels, labelPapers.a4, 3, 'x'));
    expect(pages.map(({ content: drawn }) => drawn.match(/\/L\d Do/g))).toEqual([['/L0 Do', '/L0 Do', '/L1 Do']]);
    expect(pages[0]?.content.startsWith(`q 1 0 0 1 ${Number(pointsOf(140).toFixed(3))} `)).toBe(true);
  });

  it('is small: two hundred labels in less than a hundred kilobytes', () => {
    expect(writePdf([{ label: lay('40x25'), copies: 200 }], labelPapers['40x25'], 1, content.name).length).toBeLessThan(
      100_000,
    );
  });

  it('keeps parentheses and backslashes as they are, and puts the nearest letter for what Helvetica lacks', () => {
    const { texts } = readPdf(
      writePdf([{ label: lay('100x50', { name: 'a\\b (c) Łódź ﬁ 語' }), copies: 1 }], labelPapers['100x50'], 1, '語'),
    );
    expect(texts[0]?.text).toBe('a\\b (c) ?ódz fi ?');
  });
});

describe('the words of a label', () => {
  const card = {
    productId: id('7'),
    name: 'Café',
    code: 'A-1',
    unit: 'KG',
    balance: { amount: -1.5, asOf: 0, source: 'live' as const },
  };
  const drawn = drawCode({ text: ean, type: 'EAN13', refused: null });
  const wishes = {
    t: ((key: string) => key) as TFunction,
    line: '',
    withBalance: true,
    nowMs: Date.parse('2026-03-10T15:00:00-03:00'),
    language: 'pt-BR' as const,
  };

  it('are the code that is not drawn, the figure with its unit, and the day', () => {
    expect(contentOf(card, drawn, wishes)).toMatchObject({
      name: 'Café',
      readable: '9 520000 000011',
      facts: 'A-1 · -1,500 kg',
      date: '10 de mar. de 2026',
    });
    expect(contentOf(card, drawn, { ...wishes, withBalance: false }).facts).toBe('A-1 · kg');
    expect(
      contentOf({ ...card, balance: { amount: null, asOf: null, source: null }, unit: null }, drawn, wishes).facts,
    ).toBe('A-1');
    expect(contentOf({ ...card, code: ean }, drawn, { ...wishes, language: 'en' })).toMatchObject({
      facts: '-1.500 kg',
      date: 'Mar 10, 2026',
    });
    expect(contentOf(card, null, wishes)).toMatchObject({ symbol: null, readable: '', facts: 'A-1 · -1,500 kg' });
  });

  it('are the fields of the listing that the shop wants there, and no others', () => {
    const fields = [
      { name: 'Price', value: '9.90', kind: 'number' as const, on: ['label' as const] },
      { name: 'Supplier', value: 'Example', kind: 'text' as const, on: ['card' as const] },
      { name: 'Aisle', value: '7 B', kind: 'text' as const, on: ['card' as const, 'label' as const] },
    ];
    const reported = contentOf({ ...card, fields }, drawn, wishes);
    expect(reported.fields).toEqual(['Price: 9,90', 'Aisle: 7 B']);
    expect(layOut(reported, labelPapers['50x30'].label).texts.map(({ text }) => text)).toContain(
      'Price: 9,90 · Aisle: 7 B',
    );
  });

  it('can be told to lose letters in a PDF', () => {
    expect([isWhollyPrintable(contentOf(card, drawn, wishes)), isWhollyPrintable({ ...content, name: '語' })]).toEqual([
      true,
      false,
    ]);
    expect(simplified('“Ação” – 5 €…')).toBe('“Ação” – 5 €…');
  });

  it('measure as Helvetica does', () => {
    // From Adobe's metrics of the font.
    expect([
      measure('A', 'regular'),
      measure('ç', 'regular'),
      measure('W', 'bold'),
      measure('€', 'regular'),
      measure('', 'bold'),
    ]).toEqual([667, 500, 944, 556, 0]);
  });

  it('name the file', () => {
    expect([
      labelFileName(card),
      labelFileName({ ...card, code: '../é' }),
      labelFileName({ ...card, code: '語' }),
      labelFileName({ ...card, code: null }),
    ]).toEqual(['label-A-1.pdf', 'label-7.pdf', 'label-7.pdf', 'label-7.pdf']);
  });
});

describe('the papers', () => {
  it('are those of the style sheet', () => {
    const css = readFileSync(join(import.meta.dirname, '../../../../renderer/labels/labels.css'), 'utf8');
    for (const [size, { page }] of Object.entries(labelPapers)) {
      expect(css).toContain(`@page label-${size} {\n  margin: 0;\n  size: ${page.width}mm ${page.height}mm;\n}`);
      expect(css).toContain(`.print-pages[data-size='${size}'] {\n  page: label-${size};\n}`);
    }
  });

  it.each(labelSizes)('of %s hold their labels', (size) => {
    const { page, label, columns, rows, top } = labelPapers[size];
    expect(columns * label.width).toBeLessThanOrEqual(page.width);
    expect(top + rows * label.height).toBeLessThanOrEqual(page.height);
  });

  it('are filled place by place', () => {
    const label = 'A';
    expect(pagesOf(labelPapers.a4, [{ label, copies: 25 }]).map((places) => places.length)).toEqual([24, 1]);
    expect(pagesOf(labelPapers.a4, [{ label, copies: 4 }])).toEqual([
      [
        { label, x: 0, y: 0.5 },
        { label, x: 70, y: 0.5 },
        { label, x: 140, y: 0.5 },
        { label, x: 0, y: 37.5 },
      ],
    ]);
    expect(pagesOf(labelPapers['40x25'], [{ label, copies: 2 }])).toEqual([
      [{ label, x: 0, y: 0 }],
      [{ label, x: 0, y: 0 }],
    ]);
    expect(pagesOf(labelPapers.a4, [])).toEqual([]);
  });

  it('take several products one after the other, from the first free place on', () => {
    const wanted = [
      { label: 'A', copies: 2 },
      { label: 'B', copies: 1 },
    ];
    expect(pagesOf(labelPapers.a4, wanted, 23)).toEqual([
      [
        { label: 'A', x: 70, y: 259.5 },
        { label: 'A', x: 140, y: 259.5 },
      ],
      [{ label: 'B', x: 0, y: 0.5 }],
    ]);
  });
});
