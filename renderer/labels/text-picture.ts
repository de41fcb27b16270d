import { dotsPerMm, type PrinterDpi } from '../../app/domain/labels/dots.ts';
import type { LabelDrawing, LabelText, PrintedDrawing, TextPicture } from '../../app/domain/labels/drawing.ts';
import type { PrinterLanguage } from '../../app/domain/labels/languages.ts';
import { simplified } from './helvetica.ts';

/** Room below the baseline, and above it. */
const [below, above] = [0.3, 1];

function toBase64(bits: Uint8Array): string {
  let text = '';
  for (const byte of bits) {
    text += String.fromCharCode(byte);
  }
  return btoa(text);
}

/** The text in the label's own letters, in dots. */
function pictureOf({ text, size, weight, width }: LabelText, scale: number): TextPicture {
  const columns = Math.max(1, Math.ceil(width * scale) + 1);
  const baseline = Math.ceil(above * size * scale);
  const rows = baseline + Math.ceil(below * size * scale);
  const context = new OffscreenCanvas(columns, rows).getContext('2d', { willReadFrequently: true });
  if (context === null) {
    throw new Error('no canvas');
  }
  context.fillStyle = '#fff';
  context.fillRect(0, 0, columns, rows);
  context.fillStyle = '#000';
  context.font = `${weight === 'bold' ? 700 : 400} ${size * scale}px "Atkinson Hyperlegible Next", sans-serif`;
  const natural = context.measureText(text).width;
  const wanted = (width * scale) / Math.max(1, natural);
  // As wide as the layout says, as on the screen; not wider where the layout cannot know it.
  context.scale(simplified(text) === text ? wanted : Math.min(1, wanted), 1);
  context.fillText(text, 0, baseline);
  const { data } = context.getImageData(0, 0, columns, rows);
  const rowBytes = Math.ceil(columns / 8);
  const bits = new Uint8Array(rowBytes * rows);
  for (let dot = 0; dot < columns * rows; dot += 1) {
    if ((data[4 * dot] ?? 255) < 128) {
      const byte = Math.floor(dot / columns) * rowBytes + ((dot % columns) >> 3);
      bits[byte] = (bits[byte] ?? 0) | (0x80 >> ((dot % columns) & 7));
    }
  }
  return { columns, rows, baseline, bits: toBase64(bits) };
}

/** The label with pictures of those texts for which the printer has no letters of its own. */
export function withPictures(
  { width, height, texts, shapes }: LabelDrawing,
  { language, dpi }: { readonly language: PrinterLanguage; readonly dpi: PrinterDpi },
): PrintedDrawing {
  const scale = dotsPerMm(dpi);
  return {
    width,
    height,
    shapes,
    texts: texts.map((text) =>
      language === 'zpl' && simplified(text.text) === text.text ? text : { ...text, picture: pictureOf(text, scale) },
    ),
  };
}
