import type { LabelSize } from '../../app/contract/labels.ts';

export interface LabelPaper {
  /** Of the page: a label on a roll is its own page. */
  readonly page: { readonly width: number; readonly height: number };
  readonly label: { readonly width: number; readonly height: number; readonly margin: number };
  readonly columns: number;
  readonly rows: number;
  /** From the page's top to the first label. */
  readonly top: number;
}

function roll(width: number, height: number): LabelPaper {
  return {
    page: { width, height },
    label: { width, height, margin: height > 30 ? 2 : 1.5 },
    columns: 1,
    rows: 1,
    top: 0,
  };
}

export const labelPapers: Readonly<Record<LabelSize, LabelPaper>> = {
  '40x25': roll(40, 25),
  '50x30': roll(50, 30),
  '60x40': roll(60, 40),
  '100x50': roll(100, 50),
  // The common sheet of 24; the outer labels' margin is wider than what printers cannot reach.
  a4: {
    page: { width: 210, height: 297 },
    label: { width: 70, height: 37, margin: 4.5 },
    columns: 3,
    rows: 8,
    top: 0.5,
  },
};

/** Where each of so many labels lies, page by page; the last page may not be full. */
export function pagesOf(
  { label, columns, rows, top }: LabelPaper,
  copies: number,
): readonly (readonly { readonly x: number; readonly y: number }[])[] {
  const places = Array.from({ length: columns * rows }, (_, place) => ({
    x: (place % columns) * label.width,
    y: top + Math.floor(place / columns) * label.height,
  }));
  return Array.from({ length: Math.ceil(copies / places.length) }, (_, page) =>
    places.slice(0, copies - page * places.length),
  );
}
