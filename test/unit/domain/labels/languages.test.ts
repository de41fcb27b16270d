import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dotsPerMm, marksOf } from '../../../../app/domain/labels/dots.ts';
import type { PrintedDrawing, TextPicture } from '../../../../app/domain/labels/drawing.ts';
import { encodeLabel } from '../../../../app/domain/labels/languages.ts';
import { drawSymbol } from '../../../../renderer/labels/barcode-symbol.ts';
import { layOut, type LabelContent } from '../../../../renderer/labels/layout.ts';
import { labelPapers } from '../../../../renderer/labels/sizes.ts';
import { drawZpl, type ZplPicture } from '../../../support/zpl-picture.ts';
import { ean13Modules } from '../../renderer/labels/ean13.ts';

const ean = '9520000000011';
const content: LabelContent = {
  name: 'Pão de queijo «caipira»',
  line: 'R$ 9,90',
  fields: [],
  symbol: drawSymbol({ type: 'EAN13', text: ean }),
  readable: '9 520000 000011',
  facts: 'A-101',
  date: '10 de mar. de 2026',
};

function lay(more: Partial<LabelContent> = {}, scale = 8): PrintedDrawing {
  const { width, height, texts, shapes } = layOut({ ...content, ...more }, labelPapers['60x40'].label, 1 / scale);
  return { width, height, texts, shapes };
}

/** A text's picture: all black, a byte wide. */
const picture: TextPicture = { columns: 8, rows: 2, baseline: 2, bits: btoa('\u00ff\u00ff') };
const withPictures = (drawing: PrintedDrawing): PrintedDrawing => ({
  ...drawing,
  texts: drawing.texts.map((text) => ({ ...text, picture })),
});

const latin = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('latin1');
const zplOf = (drawing: PrintedDrawing, copies = 1): Uint8Array =>
  encodeLabel(drawing, copies, { language: 'zpl', dpi: 203 }) ?? new Uint8Array();

/** Which dots of a row are black. */
const rowOf = (drawn: ZplPicture, y: number): string =>
  Array.from({ length: drawn.width }, (_, x) => (drawn.isBlack(x, y) ? '1' : '0')).join('');

describe('ZPL, drawn by a renderer that is not ours', () => {
  it('shows the bars as a scanner reads them, with whole dots a module', async () => {
    const drawing = lay();
    const [drawn] = await drawZpl(zplOf(drawing), drawing);
    expect([drawn?.width, drawn?.height]).toEqual([480, 320]);
    if (drawn === undefined) return;
    const ys = drawing.shapes.flat().map(([, y]) => y);
    const row = rowOf(drawn, Math.round(((Math.min(...ys) + Math.max(...ys)) / 2) * 8));
    expect(
      row
        .replaceAll(/^0+|0+$/g, '')
        .match(/.{3}/g)
        ?.map((three) => three[1])
        ?.join(''),
    ).toBe(ean13Modules(ean));
    expect(row.replaceAll(/^0+|0+$/g, '')).toHaveLength(95 * 3);
  });

  it('shows a matrix as the layout has it, dot by dot', async () => {
    const drawing = { ...lay({ symbol: drawSymbol({ type: 'QRCODE', text: 'Açaí 500 ml' }) }), texts: [] };
    const marks = marksOf(drawing.shapes, 8);
    const [drawn] = await drawZpl(zplOf(drawing), drawing);
    expect(marks?.kind).toBe('picture');
    if (marks?.kind !== 'picture' || drawn === undefined) return;
    const { x, y, width, height, bits } = marks.picture;
    const rowBytes = Math.ceil(width / 8);
    const ours = Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (_unused, column) =>
        ((bits[row * rowBytes + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1 ? '1' : '0',
      ).join(''),
    );
    const theirs = Array.from({ length: height }, (_, row) => rowOf(drawn, y + row).slice(x, x + width));
    expect(theirs).toEqual(ours);
    // Its finder pattern: seven modules, of which the second and the sixth are white.
    expect(ours[0]?.startsWith('1'.repeat(7))).toBe(true);
  });

  it('prints a product whose name is a command as its name, and nothing else', async () => {
    const drawing = lay({ name: '^XA^FO0,0^GB480,320,320^FS', facts: '~JA _5E ^XZ\\&', line: '^PQ900' });
    const drawn = await drawZpl(zplOf(drawing), drawing);
    expect(drawn).toHaveLength(1);
    // The box that the name would draw covers all of it.
    expect(rowOf(drawn[0] as ZplPicture, 1)).toBe('0'.repeat(480));
    expect(rowOf(drawn[0] as ZplPicture, Math.round((drawing.texts[0]?.y ?? 0) * 8) - 4)).toContain('1');
  });

  it('shows a text’s picture where its letters would stand', async () => {
    const [first] = lay({ symbol: null, readable: '', facts: '', date: '', line: '' }).texts;
    if (first === undefined) throw new Error('no text');
    const drawing: PrintedDrawing = { width: 60, height: 40, shapes: [], texts: [{ ...first, text: '語', picture }] };
    const [drawn] = await drawZpl(zplOf(drawing), drawing);
    const [x, y] = [Math.round(first.x * 8), Math.round(first.y * 8) - picture.baseline];
    expect(rowOf(drawn as ZplPicture, y)).toBe(`${'0'.repeat(x)}11111111${'0'.repeat(480 - x - 8)}`);
    expect(rowOf(drawn as ZplPicture, y + 2)).not.toContain('1');
  });
});

describe('whatever a product is called', () => {
  it('only the label’s own commands are sent', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom('^XZ^XA', '~HS', '^FS^FD', '_5E'),
    );
    fc.assert(
      fc.property(text, text, text, (name, line, facts) => {
        const sent = latin(zplOf(lay({ name, line: line.slice(0, 60), facts }), 3));
        const commands = sent.match(/[\^~][A-Z0-9]{2}/g) ?? [];
        expect(sent).toMatch(/^\^XA\^CI28[ -~\n]*\^PQ3\^XZ\n$/);
        expect(
          commands.filter((command) => !/\^(XA|CI|PW|LL|LH|FO|GB|GF|FT|A0|FB|FH|FD|FS|PQ|XZ)/.test(command)),
        ).toEqual([]);
        expect(commands.filter((command) => /\^(XA|XZ|PQ|LH)/.test(command))).toHaveLength(4);
      }),
      { seed: 1, numRuns: 15 },
    );
  });

  it.each(['left', 'middle', 'right'] as const)('in ZPL no character of it commands a text that is set %s', (align) => {
    const texts = lay()
      .texts.slice(0, 1)
      .map((text) => ({ ...text, text: String.raw`_5E\&`, align }));
    const sent = latin(zplOf({ ...lay(), shapes: [], texts }));
    // In a block a backslash begins a command; in any field an underscore begins a character.
    expect(sent).toContain('^FH_^FD_5F5E_5C_26^FS');
    expect(sent).not.toContain('^FB');
  });

  it.each(['tspl', 'epl'] as const)('in %s it is not sent', (language) => {
    expect(latin(encodeLabel(withPictures(lay()), 7, { language, dpi: 203 }))).not.toMatch(/caipira|9,90/);
  });
});

describe('TSPL', () => {
  const sent = latin(encodeLabel(withPictures(lay()), 7, { language: 'tspl', dpi: 203 }));

  it('draws bars by commands and texts as pictures, in which 0 is black', () => {
    const lines = sent.split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['SIZE 60 mm,40 mm', 'CLS']);
    expect(lines.filter((line) => line.startsWith('BAR '))).toHaveLength(30);
    const { x = 0, y = 0 } = lay().texts[0] ?? {};
    expect(lines).toContain(`BITMAP ${Math.round(x * 8)},${Math.round(y * 8) - 2},1,2,0,\0\0`);
    expect(lines.slice(-2)).toEqual(['PRINT 1,7', '']);
  });
});

describe('EPL', () => {
  it('draws bars by commands and texts as pictures, in which 0 is black', () => {
    const lines = latin(encodeLabel(withPictures(lay()), 2, { language: 'epl', dpi: 203 })).split('\n');
    expect(lines.slice(0, 3)).toEqual(['', 'N', 'q480']);
    expect(lines.filter((line) => /^LO\d+,\d+,\d+,\d+$/.test(line))).toHaveLength(30);
    expect(lines.filter((line) => /^GW\d+,\d+,1,2,\0\0$/.test(line))).toHaveLength(lay().texts.length);
    expect(lines.slice(-2)).toEqual(['P2', '']);
  });
});

describe('a label that cannot be encoded', () => {
  it('has a text without a picture where the language has no letters', () => {
    expect(encodeLabel(lay(), 1, { language: 'tspl', dpi: 203 })).toBeNull();
    expect(encodeLabel(lay(), 1, { language: 'epl', dpi: 203 })).toBeNull();
  });

  it('has lines that cross more rows of dots than any symbol, which would hold up every scan', () => {
    // No larger than a label, so that nothing but the rows speaks against it.
    const zigzag = Array.from({ length: 4000 }, (_, place) => [place / 80, place % 2 === 0 ? 0 : 40] as const);
    expect(encodeLabel({ ...lay(), shapes: [zigzag] }, 1, { language: 'zpl', dpi: 203 })).toBeNull();
    expect(encodeLabel({ ...lay(), shapes: [zigzag.slice(0, 500)] }, 1, { language: 'zpl', dpi: 203 })).not.toBeNull();
  });

  it('has a shape that no label has room for, whose dots would fill the memory', () => {
    const triangleOf = (size: number) => [[0, 0] as const, [size, 0] as const, [0, size] as const];
    expect(encodeLabel({ ...lay(), shapes: [triangleOf(100)] }, 1, { language: 'zpl', dpi: 203 })).not.toBeNull();
    expect(encodeLabel({ ...lay(), shapes: [triangleOf(500)] }, 1, { language: 'zpl', dpi: 203 })).toBeNull();
  });

  it.each(['AA==', 'AAAA', '%'])('has a picture whose bits are not as many as it says: %s', (bits) => {
    const drawing = lay();
    const texts = drawing.texts.map((text) => ({ ...text, picture: { ...picture, bits } }));
    expect(encodeLabel({ ...drawing, texts }, 1, { language: 'zpl', dpi: 203 })).toBeNull();
  });
});

describe('a finer printer', () => {
  it('has bars of whole dots as well', () => {
    const scale = dotsPerMm(300);
    const marks = marksOf(lay({}, scale).shapes, scale);
    const widths = marks?.kind === 'boxes' ? marks.boxes.map(({ width }) => width) : [];
    const module = Math.min(...widths);
    expect(new Set(widths.map((width) => width / module))).toEqual(new Set([1, 2, 3]));
  });
});
