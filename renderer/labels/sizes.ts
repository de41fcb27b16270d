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

interface Place {
  readonly x: number;
  readonly y: number;
}

/** One product's label, so many times. */
export interface Copies<Label> {
  readonly label: Label;
  readonly copies: number;
}

export function placesOnPage({ columns, rows }: LabelPaper): number {
  return columns * rows;
}

/**
 * Where each label lies, page by page, one product after the other; `first` is the place of the first one on its page,
 * counted from 1. The last page may not be full.
 */
export function pagesOf<Label>(
  paper: LabelPaper,
  wanted: readonly Copies<Label>[],
  first = 1,
): readonly (readonly (Place & { readonly label: Label })[])[] {
  const perPage = placesOnPage(paper);
  const { label: size, columns, top } = paper;
  const labels = wanted.flatMap(({ label, copies }) => Array.from({ length: copies }, () => label));
  const placed = labels.map((label, index) => {
    const place = (index + first - 1) % perPage;
    return {
      page: Math.floor((index + first - 1) / perPage),
      at: { label, x: (place % columns) * size.width, y: top + Math.floor(place / columns) * size.height },
    };
  });
  return [...Map.groupBy(placed, ({ page }) => page).values()].map((page) => page.map(({ at }) => at));
}
