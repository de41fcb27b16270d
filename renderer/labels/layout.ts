import { dotsPerMm } from '../../app/domain/labels/dots.ts';
import type { LabelDrawing, LabelText, Point } from '../../app/domain/labels/drawing.ts';
import { fullHeight, fullWidth, type BarcodeSymbol } from './barcode-symbol.ts';
import type { SymbolKind } from './barcode-symbologies.ts';
import { measure, type Weight } from './helvetica.ts';

/** The texts on a label. Empty ones take no room. */
export interface LabelContent {
  readonly name: string;
  /** A line that the person typed, such as a price. */
  readonly line: string;
  /** The platform's fields that the shop wants on it. */
  readonly fields: readonly string[];
  readonly symbol: BarcodeSymbol | null;
  /** The code below the bars. */
  readonly readable: string;
  /** Small print, to the left and to the right. */
  readonly facts: string;
  readonly date: string;
}

/** How a label came out. */
export interface LaidOutLabel extends LabelDrawing {
  /** How wide a module came out; null without bars. */
  readonly module: number | null;
  /** True when its modules are too narrow for most scanners. */
  readonly isTooFine: boolean;
}

/** Printed smaller, a text is not read at a shelf: 6 points. */
const smallestText = 2.1;
const lineHeight = 1.16;
/** Heights above the baseline, and below. */
const ascent = 0.76;
/** Of the commonest label printers. */
const commonDot = 1 / dotsPerMm(203);
/** Wider modules gain nothing; the bars of the post have one size, 1/72 inch a module. */
const widestModule: Readonly<Record<SymbolKind, number>> = { bars: 0.5, tracks: 25.4 / 72, matrix: 0.8 };
/** 7.5 thousandths of an inch; most scanners read nothing finer. */
const finestModule = 0.19;
const maxTextLength = 500;

function widthOf(text: string, size: number, weight: Weight): number {
  return (measure(text, weight) * size) / 1000;
}

/** The text cut so that it fits, with an ellipsis where it was. */
function fitted(text: string, size: number, weight: Weight, width: number): string {
  if (widthOf(text, size, weight) <= width) {
    return text;
  }
  const characters = [...text];
  while (characters.length > 0 && widthOf(`${characters.join('')}…`, size, weight) > width) {
    characters.pop();
  }
  return `${characters.join('').trimEnd()}…`;
}

/** Between words, but not between a number and its unit or another short word. */
const breakable = /(?<!\d) | (?!\p{L}{1,3}(?![\p{L}\p{N}]))/u;

/** Breaks a text between its words, and within a word that is wider than the line. */
function broken(text: string, size: number, weight: Weight, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(breakable)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, size, weight) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') {
      lines.push(line);
    }
    line = '';
    for (const character of word) {
      if (line !== '' && widthOf(line + character, size, weight) > width) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return line === '' ? lines : [...lines, line];
}

interface Block {
  readonly lines: readonly string[];
  readonly size: number;
}

/** The largest size at which the text takes so many lines; at the smallest it is cut. */
function shrunk(given: string, maxLines: number, size: number, width: number): Block {
  const text = given.slice(0, maxTextLength).replaceAll(/\s+/g, ' ').trim();
  for (let tried = size; tried > smallestText; tried *= 0.95) {
    const lines = broken(text, tried, 'bold', width);
    if (lines.length <= maxLines) {
      return { lines, size: tried };
    }
  }
  const lines = broken(text, smallestText, 'bold', width);
  const last = lines.slice(maxLines - 1).join(' ');
  return {
    lines: [...lines.slice(0, maxLines - 1), ...(last === '' ? [] : [fitted(last, smallestText, 'bold', width)])],
    size: smallestText,
  };
}

interface Placed {
  readonly shapes: BarcodeSymbol['shapes'];
  readonly module: number;
}

interface Room {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function placeSymbol(symbol: BarcodeSymbol, { left, top, width, height }: Room, dot: number): Placed {
  const fitting = Math.min(
    width / fullWidth(symbol),
    symbol.kind === 'bars' ? Infinity : height / fullHeight(symbol),
    widestModule[symbol.kind],
  );
  const dots = Math.floor(fitting / dot + 1e-9) * dot;
  // Whole dots keep every bar as wide as its like; below two of them, as fine as it must be.
  const module = dots >= 2 * dot && symbol.kind !== 'tracks' ? dots : fitting;
  const upright = symbol.kind === 'bars' ? height / symbol.height : module;
  // At a whole dot, so that a printer rounds no bar otherwise than its like.
  const x = Math.round((left + (width - fullWidth(symbol) * module) / 2 + symbol.quiet.left * module) / dot) * dot;
  const y = symbol.kind === 'bars' ? top : top + (height - symbol.height * module) / 2;
  return {
    module,
    shapes: symbol.shapes.map((points) =>
      points.map(([across, down]): Point => [x + across * module, y + down * upright]),
    ),
  };
}

/** Lays a label out for a printer with dots of so many millimetres. */
export function layOut(
  { name, line, fields, symbol, readable, facts, date }: LabelContent,
  { width, height, margin }: { readonly width: number; readonly height: number; readonly margin: number },
  dot = commonDot,
): LaidOutLabel {
  const inner = width - 2 * margin;
  const texts: LabelText[] = [];
  const write = (text: string, align: LabelText['align'], top: number, size: number, weight: Weight): void => {
    const wide = widthOf(text, size, weight);
    const x = { left: margin, middle: (width - wide) / 2, right: width - margin - wide }[align];
    texts.push({ text, x, y: top + ascent * size, size, weight, width: wide, align });
  };

  let top = margin;
  const hasLine = line.trim() !== '';
  // The person's own line is the louder one.
  const extra = fields.join(' · ');
  const isLow = height < 40 && hasLine;
  const title = shrunk(name, isLow && extra !== '' ? 1 : 2, Math.min(5.5, height * 0.13) * (hasLine ? 0.8 : 1), inner);
  for (const text of title.lines) {
    write(text, 'left', top, title.size, 'bold');
    top += title.size * lineHeight;
  }
  if (hasLine) {
    const own = shrunk(line, 1, Math.min(8, height * 0.17), inner);
    write(own.lines[0] ?? '', 'left', top, own.size, 'bold');
    top += own.size * lineHeight;
  }
  if (extra !== '') {
    const block = shrunk(extra, isLow ? 1 : 2, Math.min(4.5, height * 0.12) * (hasLine ? 0.8 : 1), inner);
    for (const text of block.lines) {
      write(text, 'left', top, block.size, 'bold');
      top += block.size * lineHeight;
    }
  }

  const small = Math.max(smallestText, Math.min(3, height * 0.07));
  let bottom = height - margin;
  if (facts !== '' || date !== '') {
    bottom -= small * lineHeight;
    const dateWidth = widthOf(date, small, 'regular');
    write(fitted(facts, small, 'regular', inner - dateWidth - small), 'left', bottom, small, 'regular');
    write(date, 'right', bottom, small, 'regular');
  }

  if (symbol === null) {
    return {
      width,
      height,
      texts: texts.filter(({ text }) => text !== ''),
      shapes: [],
      module: null,
      isTooFine: false,
    };
  }
  const digits = Math.max(smallestText, Math.min(3.6, height * 0.085));
  bottom -= digits * lineHeight;
  write(fitted(readable, digits, 'regular', inner), 'middle', bottom, digits, 'regular');
  const gap = Math.min(1, height * 0.025);
  const { shapes, module } = placeSymbol(
    symbol,
    { left: margin, top: top + gap, width: inner, height: bottom - top - 1.5 * gap },
    dot,
  );
  return {
    width,
    height,
    texts: texts.filter(({ text }) => text !== ''),
    shapes,
    module,
    isTooFine: module < finestModule,
  };
}
