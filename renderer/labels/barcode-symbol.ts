import type { DrawingContext } from 'bwip-js/browser';
import type { BarcodeChoice } from '../../app/domain/codes/barcode-choice.ts';
import type { Point } from '../../app/domain/labels/drawing.ts';
import { symbologies, type SymbolKind } from './barcode-symbologies.ts';

/** All lengths in modules; the white around is not among the shapes. */
export interface BarcodeSymbol {
  readonly kind: SymbolKind;
  readonly width: number;
  /** Of `bars`, which may be stretched, only a proposal. */
  readonly height: number;
  readonly quiet: { readonly left: number; readonly right: number; readonly around: number };
  /** Closed polygons, filled by the even-odd rule; a bar is four points. */
  readonly shapes: readonly (readonly Point[])[];
}

// Enough for the widths that are no whole number of units, those of the postal codes, to be right within a hundredth.
const scale = 20;

interface Collected {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly (readonly Point[])[];
}

/** Takes what bwip-js draws as polygons, in its pixels, y downwards. */
function collector(): DrawingContext<Collected> {
  let [width, height] = [0, 0];
  const shapes: Point[][] = [];
  const refuse = (): never => {
    throw new Error('not a shape of straight lines');
  };
  return {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (drawnWidth, drawnHeight) => {
      [width, height] = [drawnWidth, drawnHeight];
    },
    // An upright line with its pen's width is a bar; bwip-js counts its last pixel in.
    line: (x, fromY, _x, toY, penWidth) => {
      const left = x - penWidth / 2 + (penWidth % 2 === 0 ? 0 : 0.5);
      const [top, bottom] = [Math.min(fromY, toY), Math.max(fromY, toY) + 1];
      shapes.push([
        [left, top],
        [left + penWidth, top],
        [left + penWidth, bottom],
        [left, bottom],
      ]);
    },
    polygon: (points) => void shapes.push(points.map(([x, y]) => [x, y])),
    hexagon: refuse,
    ellipse: refuse,
    fill: () => {},
    text: () => {},
    end: () => ({ width, height, shapes }),
  };
}

/** Draws a code; null when its type cannot carry it after all. */
export function drawSymbol({ text, type }: Pick<BarcodeChoice, 'text' | 'type'>): BarcodeSymbol | null {
  const { encode, kind, options, prepare, quiet, unitsPerModule } = symbologies[type];
  let drawn: Collected;
  try {
    drawn = encode({ bcid: type, text: prepare(text), scaleX: scale, scaleY: scale, ...options }, collector());
  } catch {
    return null;
  }
  const module = scale * unitsPerModule;
  const [left, right] = quiet;
  return {
    kind,
    width: drawn.width / module,
    height: drawn.height / module,
    quiet: { left, right, around: kind === 'bars' ? 0 : left },
    shapes: drawn.shapes.map((points) => points.map(([x, y]) => [x / module, y / module] as const)),
  };
}

/** How wide a symbol is with the white that it needs, in modules. */
export function fullWidth({ width, quiet }: BarcodeSymbol): number {
  return quiet.left + width + quiet.right;
}

/** How high a symbol is with the white that it needs, in modules. */
export function fullHeight({ height, quiet }: BarcodeSymbol): number {
  return height + 2 * quiet.around;
}

/** The shapes as the `d` of an SVG path; `place` puts each point where it belongs. */
export function pathOf(shapes: BarcodeSymbol['shapes'], place: (point: Point) => Point): string {
  const write = (point: Point): string =>
    place(point)
      .map((length) => Number(length.toFixed(4)))
      .join(' ');
  return shapes.map((points) => `M${points.map(write).join('L')}Z`).join('');
}
