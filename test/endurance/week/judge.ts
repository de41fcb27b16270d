// Whether what was measured once a day stays flat after the first day. Pure. Rules, cited by the tests:
//   F1  flat: no later day is above the first by more than a part of it and a constant.
//   F2  flat: nor does it grow on every single day by more than the constant in all. A leak that is too slow for F1 grows
//       so; what merely varies falls on some day.
//   F3  bounded: what grows by design is never above the bound that the code states.
// It never measures anything.

export type Unit = 'bytes' | 'count';

type Rule =
  | { readonly kind: 'flat'; readonly part: number; readonly constant: number }
  /** `why` names the bound where it stands in the code. */
  | { readonly kind: 'bounded'; readonly max: number; readonly why: string };

/** One thing that was measured at the end of each day. */
export interface Series {
  readonly what: string;
  readonly unit: Unit;
  readonly days: readonly number[];
  readonly rule: Rule;
}

export interface Judged extends Series {
  /** The most that a day after the first may show. */
  readonly bound: number;
  /** Null when all is well. */
  readonly broken: 'F1' | 'F2' | 'F3' | null;
}

/** Fewer days show no direction. */
const leastDaysOfCreep = 4;

function boundOf({ days: [first = 0], rule }: Series): number {
  return rule.kind === 'bounded' ? rule.max : first * (1 + rule.part) + rule.constant;
}

function isCreeping(days: readonly number[], constant: number): boolean {
  const [first = 0] = days;
  return (
    days.length >= leastDaysOfCreep &&
    days.every((value, day) => day === 0 || value > (days[day - 1] ?? value)) &&
    (days.at(-1) ?? first) - first > constant
  );
}

/** Throws RangeError where there is no day after the first, or one was not measured. */
export function judgeSeries(series: Series): Judged {
  const { days, rule, what } = series;
  if (days.length < 2 || days.some((value) => !Number.isFinite(value))) {
    throw new RangeError(`${what}: ${days.join(', ')} are no days to compare`);
  }
  const bound = boundOf(series);
  if (rule.kind === 'bounded') {
    return { ...series, bound, broken: days.some((value) => value > bound) ? 'F3' : null };
  }
  const isAbove = days.slice(1).some((value) => value > bound);
  const creep = isCreeping(days, rule.constant) ? 'F2' : null;
  return { ...series, bound, broken: isAbove ? 'F1' : creep };
}

/** A figure as a person reads it. */
export function formatFigure(value: number, unit: Unit): string {
  return unit === 'bytes' ? `${(value / 1024).toFixed(0)} KiB` : value.toFixed(0);
}

/** A table of all days: what, each day, the bound, and whether it is met. */
export function formatTable(judged: readonly Judged[]): string {
  const days = judged[0]?.days.map((_value, day) => `${day + 1}`) ?? [];
  const rows = judged.map(({ what, unit, days: values, bound, broken, rule }) => [
    what,
    ...values.map((value) => formatFigure(value, unit)),
    formatFigure(bound, unit),
    broken === null ? 'yes' : `NO (${broken})`,
    rule.kind === 'bounded' ? rule.why : '',
  ]);
  const heads = ['at the end of day', ...days, 'bound', 'met', ''];
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 || column === heads.length - 1
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(heads), ...rows.map(line)].join('\n');
}
