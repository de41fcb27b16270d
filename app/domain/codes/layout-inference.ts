//   A layout is tried as: 2 or 02, one run of the item, one run of the figure, perhaps a verifier of the figure, the
//   check digit (scale-label.ts). A place that is none of these bears the digit that all labels have there, else X:
//   what the labels do not show differently is taken to be fixed.
import { parseId } from '../int64.ts';
import {
  figureVerifierOf,
  readLayout,
  readScaleLabel,
  scaleLabelDigits,
  defaultLayouts,
  type ScaleFigure,
  type ScaleLayout,
} from './scale-label.ts';

/** A label, its product's codes, one of which its item is, and its figure. */
export interface KnownLabel {
  /** As it was scanned. */
  readonly text: string;
  /** With whatever leading zeros; a product's id is one of them. */
  readonly codes: readonly string[];
  readonly amount: number;
}

/** With fewer labels too many layouts fit. */
export const minLabels = 3;
/** Labels that are taken together. */
export const maxLabels = 8;

interface Run {
  readonly start: number;
  readonly length: number;
}

const letters: Readonly<Record<ScaleFigure, { readonly letter: string; readonly decimals: number }>> = {
  weight: { letter: 'K', decimals: 3 },
  price: { letter: 'T', decimals: 2 },
  pieces: { letter: 'Q', decimals: 0 },
};
const checkDigitAt = 12;
const maxItemLength = 8;
const maxFigureLength = 8;

function bare(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

function* runsOf(longest: number): Iterable<Run> {
  for (let start = 1; start < checkDigitAt; start += 1) {
    for (let length = 1; length <= Math.min(longest, checkDigitAt - start); length += 1) {
      yield { start, length };
    }
  }
}

function cut(digits: string, { start, length }: Run): string {
  return digits.slice(start, start + length);
}

function holds({ start, length }: Run, place: number): boolean {
  return place >= start && place < start + length;
}

function isApart(one: Run, other: Run): boolean {
  return one.start + one.length <= other.start || other.start + other.length <= one.start;
}

/** The decimals by which a run says each label's figure, as far as a layout can say so; null when none does. */
function decimalsOf(
  labels: readonly { readonly digits: string; readonly amount: number }[],
  run: Run,
  usual: number,
): readonly number[] {
  const possible = [
    ...new Set([usual, ...Array.from({ length: Math.max(0, run.length - 1) }, (_, place) => place + 1)]),
  ];
  return possible.filter((decimals) =>
    labels.every(({ digits, amount }) => Number(`${cut(digits, run)}e-${decimals}`) === amount),
  );
}

function write(
  all: readonly string[],
  item: Run,
  figure: Run,
  letter: string,
  verifierAt: number | null,
  point: number | null,
): string {
  const [first = ''] = all;
  const signAt = (place: number): string => {
    if (place === checkDigitAt || place === verifierAt) {
      return 'V';
    }
    if (holds(item, place)) {
      return 'C';
    }
    if (holds(figure, place)) {
      return letter;
    }
    return all.every((digits) => digits[place] === first[place]) ? first.charAt(place) : 'X';
  };
  return Array.from({ length: checkDigitAt + 1 }, (_, place) => (place === point ? ',' : '') + signAt(place)).join('');
}

function preference({ text, places, verifierAt }: ScaleLayout): readonly number[] {
  const usual = defaultLayouts.indexOf(text);
  return [
    usual === -1 ? defaultLayouts.length : usual,
    verifierAt === null ? 1 : 0,
    -places.replaceAll(/[^KTQ]/g, '').length,
    places.replaceAll(/[^X]/g, '').length,
  ];
}

/**
 * Every layout that reads all of these labels as their product and figure, the most usual one first; none when a label
 * is none of a scale's, or when there are fewer than three.
 */
export function inferLayouts(given: readonly KnownLabel[], figure: ScaleFigure): readonly ScaleLayout[] {
  const labels = given.slice(0, maxLabels).flatMap(({ text, codes, amount }) => {
    const digits = scaleLabelDigits(text);
    return digits === null
      ? []
      : [
          {
            digits,
            amount,
            codes: new Set(codes.filter((code) => /^\d+$/.test(code) && parseId(bare(code)) !== null).map(bare)),
          },
        ];
  });
  if (labels.length < Math.max(minLabels, given.slice(0, maxLabels).length)) {
    return [];
  }
  const all = labels.map(({ digits }) => digits);
  const { letter, decimals: usual } = letters[figure];
  const items = [...runsOf(maxItemLength)].filter((run) =>
    labels.every(({ digits, codes }) => codes.has(bare(cut(digits, run)))),
  );
  const figures = [...runsOf(maxFigureLength)].flatMap((run) =>
    decimalsOf(labels, run, usual).map((decimals) => ({ run, decimals })),
  );
  const texts = items.flatMap((item) =>
    figures
      .filter(({ run }) => isApart(item, run))
      .flatMap(({ run, decimals }) => {
        const point = decimals === usual ? null : run.start + run.length - decimals;
        const canVerify = run.length === 4 || run.length === 5;
        const verifiers = Array.from({ length: checkDigitAt - 1 }, (_, place) => place + 1).filter(
          (place) =>
            canVerify &&
            !holds(item, place) &&
            !holds(run, place) &&
            all.every((digits) => digits[place] === figureVerifierOf(cut(digits, run))),
        );
        return [null, ...verifiers].map((verifierAt) => write(all, item, run, letter, verifierAt, point));
      }),
  );
  const layouts = [...new Set(texts)].flatMap((text) => {
    const layout = readLayout(text);
    return typeof layout === 'string' ? [] : [layout];
  });
  return layouts
    .filter((layout) =>
      labels.every(({ digits, amount, codes }) =>
        readScaleLabel(digits, [layout]).readings.some(
          (reading) => reading.amount === amount && codes.has(bare(reading.item)),
        ),
      ),
    )
    .map((layout) => ({ layout, by: preference(layout) }))
    .toSorted(
      (one, other) =>
        one.by.map((value, place) => value - (other.by[place] ?? 0)).find((difference) => difference !== 0) ?? 0,
    )
    .map(({ layout }) => layout);
}
