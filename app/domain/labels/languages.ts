// A label in the languages of label printers. Nothing that a product is called can become a command: in ZPL each
// character but letters, digits and a few marks is written as hexadecimal (^FH); in TSPL and EPL texts are pictures,
// whose lengths stand before them.
import {
  bytesPerRow,
  dotsPerMm,
  marksOf,
  placedText,
  rowsCrossed,
  type Box,
  type Picture,
  type PrinterDpi,
} from './dots.ts';
import type { LabelText, PrintedDrawing } from './drawing.ts';

export const printerLanguages = ['zpl', 'tspl', 'epl'] as const;
export type PrinterLanguage = (typeof printerLanguages)[number];

/** The parts of a label, in dots. */
interface Parts {
  readonly boxes: readonly Box[];
  readonly pictures: readonly Picture[];
  /** In the printer's own letters. */
  readonly texts: readonly LabelText[];
}

/** A part of what is sent: a command, or the bytes of a picture. */
type Piece = string | Uint8Array;

interface Sheet {
  /** In dots. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly copies: number;
}

function inverted(bits: Uint8Array): Uint8Array {
  return bits.map((byte) => ~byte & 0xff);
}

/** A field's data in ^FH with "_" as its mark, in UTF-8. */
function fieldData(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9 .,:()/%+*=-]/.test(character)
        ? character
        : `_${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

const hexadecimal = (bits: Uint8Array): string =>
  Array.from(bits, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');

function zplText({ text, x, y, size, width, align }: LabelText, scale: number): string {
  const height = Math.max(10, Math.round(size * scale));
  // A block moves its text to an end, but has commands of its own behind a backslash.
  const block =
    align === 'left' || text.includes('\\')
      ? ''
      : `^FB${Math.round(width * scale) + 2},1,0,${align === 'right' ? 'R' : 'C'},0`;
  return `^FT${Math.max(0, Math.round(x * scale))},${Math.round(y * scale)}^A0N,${height},${height}${block}^FH_^FD${fieldData(text)}^FS`;
}

function zpl({ boxes, pictures, texts }: Parts, { width, height, scale, copies }: Sheet): readonly Piece[] {
  return [
    `^XA^CI28^PW${width}^LL${height}^LH0,0`,
    ...boxes.map((box) => `^FO${box.x},${box.y}^GB${box.width},${box.height},${Math.min(box.width, box.height)}^FS`),
    ...pictures.map(
      (one) =>
        `^FO${one.x},${one.y}^GFA,${one.bits.length},${one.bits.length},${bytesPerRow(one.width)},${hexadecimal(one.bits)}^FS`,
    ),
    ...texts.map((text) => zplText(text, scale)),
    `^PQ${copies}^XZ`,
  ].map((line) => `${line}\n`);
}

function tspl({ boxes, pictures }: Parts, { width, height, scale, copies }: Sheet): readonly Piece[] {
  const millimetres = (dots: number): string => String(Number((dots / scale).toFixed(2)));
  return [
    `SIZE ${millimetres(width)} mm,${millimetres(height)} mm\r\nCLS\r\n`,
    ...boxes.map((box) => `BAR ${box.x},${box.y},${box.width},${box.height}\r\n`),
    // Here 0 is black.
    ...pictures.flatMap((one) => [
      `BITMAP ${one.x},${one.y},${bytesPerRow(one.width)},${one.height},0,`,
      inverted(one.bits),
      '\r\n',
    ]),
    `PRINT 1,${copies}\r\n`,
  ];
}

function epl({ boxes, pictures }: Parts, { width, copies }: Sheet): readonly Piece[] {
  return [
    `\nN\nq${width}\n`,
    ...boxes.map((box) => `LO${box.x},${box.y},${box.width},${box.height}\n`),
    // Here 0 is black, too.
    ...pictures.flatMap((one) => [
      `GW${one.x},${one.y},${bytesPerRow(one.width)},${one.height},`,
      inverted(one.bits),
      '\n',
    ]),
    `P${copies}\n`,
  ];
}

const languages = { zpl, tspl, epl } as const;

/** The largest symbol on the largest label crosses a twentieth of it; more would hold up whoever scans meanwhile. */
const maxRowsCrossed = 1_000_000;

/** All of it in one. */
export function joined(pieces: readonly Piece[]): Uint8Array {
  const encoder = new TextEncoder();
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : piece));
  const all = new Uint8Array(bytes.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * The bytes that a printer is sent for so many copies of a label. Null when a text has no picture where the language
 * needs one, or one whose bits are not as many as it says; and for shapes that are more work than any symbol,
 * or larger than any label.
 */
export function encodeLabel(
  drawing: PrintedDrawing,
  copies: number,
  printer: { readonly language: PrinterLanguage; readonly dpi: PrinterDpi },
): Uint8Array | null {
  const scale = dotsPerMm(printer.dpi);
  if (rowsCrossed(drawing.shapes, scale) > maxRowsCrossed) {
    return null;
  }
  const marks = marksOf(drawing.shapes, scale);
  if (marks === null) {
    return null;
  }
  const pictures: Picture[] = marks.kind === 'picture' ? [marks.picture] : [];
  const texts: LabelText[] = [];
  for (const text of drawing.texts) {
    if (text.picture === undefined) {
      texts.push(text);
      continue;
    }
    const picture = placedText(text.picture, text, scale);
    if (picture === null) {
      return null;
    }
    pictures.push(picture);
  }
  if (texts.length > 0 && printer.language !== 'zpl') {
    return null;
  }
  const parts = { boxes: marks.kind === 'boxes' ? marks.boxes : [], pictures, texts };
  const sheet = { width: Math.round(drawing.width * scale), height: Math.round(drawing.height * scale), scale, copies };
  return joined(languages[printer.language](parts, sheet));
}
