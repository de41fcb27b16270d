import { isUprightBar, type Point, type TextPicture } from './drawing.ts';

/** Dots per inch of a label printer's head. */
export const printerDpis = [203, 300] as const;
export type PrinterDpi = (typeof printerDpis)[number];

/** Dots in a millimetre. What is sold as 203 has eight. */
export function dotsPerMm(dpi: PrinterDpi): number {
  return dpi === 203 ? 8 : dpi / 25.4;
}

/** In dots, from the top left. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Picture extends Box {
  /** Row by row from the top, each in whole bytes, the leftmost dot highest; 1 is black. */
  readonly bits: Uint8Array;
}

/** The parts of a label that are no text: boxes where they suffice, else a picture. */
export type Marks =
  | { readonly kind: 'boxes'; readonly boxes: readonly Box[] }
  | { readonly kind: 'picture'; readonly picture: Picture };

export const bytesPerRow = (width: number): number => Math.ceil(width / 8);

function boundsOf(shape: readonly Point[], scale: number): Box {
  const xs = shape.map(([x]) => x);
  const ys = shape.map(([, y]) => y);
  const [x, y] = [Math.round(Math.min(...xs) * scale), Math.round(Math.min(...ys) * scale)];
  return {
    x,
    y,
    width: Math.max(1, Math.round(Math.max(...xs) * scale) - x),
    height: Math.max(1, Math.round(Math.max(...ys) * scale) - y),
  };
}

type Edge = readonly [from: Point, to: Point];

/** Each point with the one before it; the first with the last. */
const edgesOf = (shapes: readonly (readonly Point[])[]): readonly Edge[] =>
  shapes.flatMap((shape) => shape.map((to, place): Edge => [shape.at(place - 1) ?? to, to]));

/** How many rows of dots the shapes' lines cross together, which is what drawing them costs. */
export function rowsCrossed(shapes: readonly (readonly Point[])[], scale: number): number {
  return edgesOf(shapes).reduce((sum, [[, fromY], [, toY]]) => sum + Math.abs(toY - fromY) * scale, 0);
}

/** Where each of so many rows from `top` on is crossed by the shapes' edges, from the left. */
function crossingsOf(
  shapes: readonly (readonly Point[])[],
  scale: number,
  top: number,
  height: number,
): readonly (readonly number[])[] {
  const rows = Array.from({ length: height }, (): number[] => []);
  for (const [[fromX, fromY], [toX, toY]] of edgesOf(shapes)) {
    const first = Math.max(0, Math.floor(Math.min(fromY, toY) * scale) - top - 1);
    const last = Math.ceil(Math.max(fromY, toY) * scale) - top;
    for (const [place, row] of rows.slice(first, last + 1).entries()) {
      const y = (top + first + place + 0.5) / scale;
      if (fromY <= y !== toY <= y) {
        row.push(fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX));
      }
    }
  }
  return rows.map((row) => row.toSorted((left, right) => left - right));
}

/** More than the largest label has, 100 mm by 50 mm at 300 dpi; each takes its time, and whoever scans waits. */
const maxDots = 1_000_000;

/** Fills the shapes by the even-odd rule: a dot is black when its middle is. Null where no label is so large. */
function pictureOf(shapes: readonly (readonly Point[])[], scale: number): Picture | null {
  const points = shapes.flat();
  const [left, top] = [
    Math.floor(points.reduce((least, [x]) => Math.min(least, x), Infinity) * scale),
    Math.floor(points.reduce((least, [, y]) => Math.min(least, y), Infinity) * scale),
  ];
  const width = Math.ceil(points.reduce((most, [x]) => Math.max(most, x), 0) * scale) - left;
  const height = Math.ceil(points.reduce((most, [, y]) => Math.max(most, y), 0) * scale) - top;
  if (width * height > maxDots) {
    return null;
  }
  const rowBytes = bytesPerRow(width);
  const bits = new Uint8Array(rowBytes * height);
  for (const [row, crossings] of crossingsOf(shapes, scale, top, height).entries()) {
    for (let place = 0; place + 1 < crossings.length; place += 2) {
      const from = Math.round((crossings[place] ?? 0) * scale) - left;
      const to = Math.round((crossings[place + 1] ?? 0) * scale) - left;
      for (let column = Math.max(0, from); column < Math.min(width, to); column += 1) {
        const byte = row * rowBytes + (column >> 3);
        bits[byte] = (bits[byte] ?? 0) | (0x80 >> (column & 7));
      }
    }
  }
  return { x: left, y: top, width, height, bits };
}

/** The shapes, lengths in millimetres, in dots of a printer that has so many in a millimetre. Null where no label is so large. */
export function marksOf(shapes: readonly (readonly Point[])[], scale: number): Marks | null {
  if (shapes.every(isUprightBar)) {
    const boxes = shapes.map((shape) => boundsOf(shape, scale)).toSorted((left, right) => left.x - right.x);
    // Boxes that lie in one another would blacken what the even-odd rule leaves white.
    if (boxes.every(({ x }, place) => place === 0 || x >= endOf(boxes[place - 1]))) {
      return { kind: 'boxes', boxes };
    }
  }
  const picture = pictureOf(shapes, scale);
  return picture === null ? null : { kind: 'picture', picture };
}

function endOf(box: Box | undefined): number {
  return box === undefined ? 0 : box.x + box.width;
}

/** A text's picture at its place; null when its bits are not as many as it says. */
export function placedText(
  { columns, rows, baseline, bits }: TextPicture,
  at: { readonly x: number; readonly y: number },
  scale: number,
): Picture | null {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(bits), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
  if (bytes.length !== bytesPerRow(columns) * rows) {
    return null;
  }
  return {
    x: Math.max(0, Math.round(at.x * scale)),
    y: Math.max(0, Math.round(at.y * scale) - baseline),
    width: columns,
    height: rows,
    bits: bytes,
  };
}
