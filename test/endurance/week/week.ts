import { parseArgs } from 'node:util';
import { ownTemporaryFiles } from '../../support/temporary-root.ts';
import { judgeSeries, formatTable } from './judge.ts';
import { daysOfWeek, formatLoad } from './plan.ts';
import type { WeekReport } from './virtual-week.ts';

const usage = `week [--clock virtual|real] [--seed S]
  A week of one terminal, under a virtual clock and in the machine's own time; both unless one is named.
  virtual: [--days N] [--share PART] [--day-hours H] [--leak]
    Each day has that part of a day's load, and lasts so long. With --leak it leaks, and must fail.
  real: [--minutes N]
    A part of the week's load where it is not 60.`;
const maxReported = 20;

interface Options {
  readonly clocks: readonly string[];
  readonly seed: string;
  readonly days: number;
  readonly share: number;
  readonly dayHours: number;
  readonly minutes: number;
  readonly isLeaking: boolean;
}

function readOptions(): Options | null {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      options: {
        clock: text,
        seed: text,
        days: text,
        share: text,
        'day-hours': text,
        minutes: text,
        leak: { type: 'boolean' },
      },
    });
    const options: Options = {
      clocks: values.clock === undefined ? ['virtual', 'real'] : [values.clock],
      seed: values.seed ?? '1',
      days: Number(values.days ?? daysOfWeek),
      share: Number(values.share ?? 1),
      dayHours: Number(values['day-hours'] ?? 24),
      minutes: Number(values.minutes ?? 60),
      isLeaking: values.leak ?? false,
    };
    const { clocks, days, share, dayHours, minutes } = options;
    const isSound =
      clocks.every((clock) => clock === 'virtual' || clock === 'real') &&
      Number.isSafeInteger(days) &&
      days > 1 &&
      [share, dayHours, minutes].every((value) => value > 0);
    return isSound ? options : null;
  } catch {
    return null;
  }
}

const onLine = (line: string): void => {
  console.log(line);
};

/** Modules of the other clock, such as Vite, are no part of a heap that is counted. */
async function live(clock: string, options: Options): Promise<WeekReport> {
  if (clock === 'virtual') {
    const { runVirtualWeek } = await import('./virtual-week.ts');
    return runVirtualWeek({ ...options, onDay: onLine });
  }
  const { runRealWeek } = await import('./real-week.ts');
  return runRealWeek({ ...options, onSample: onLine });
}

/** Tells what came of it; answers whether all of it holds. */
function conclude(
  clock: string,
  { series, violations, asked, done, requests, maxInWindow }: WeekReport,
  seconds: number,
): boolean {
  const judged = series.map(judgeSeries);
  const failures = [
    ...judged.flatMap(({ what, broken }) => (broken === null ? [] : [`${broken} ${what} is not flat`])),
    ...(formatLoad(asked) === formatLoad(done) ? [] : [`asked were ${formatLoad(asked)}`]),
    ...violations,
  ];
  onLine(formatTable(judged));
  failures.slice(0, maxReported).forEach(onLine);
  onLine(
    `${clock} clock: ${formatLoad(done)}, ${requests} requests, at most ${maxInWindow} in any minute, ${seconds.toFixed(0)} s: ` +
      (failures.length === 0 ? 'all hold' : `${failures.length} FAILED`),
  );
  return failures.length === 0;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    console.error(usage);
    return 2;
  }
  ownTemporaryFiles();
  let isGood = true;
  for (const clock of options.clocks) {
    const startedAt = performance.now();
    const report = await live(clock, options);
    isGood = conclude(clock, report, (performance.now() - startedAt) / 1000) && isGood;
  }
  return isGood ? 0 : 1;
}

process.exitCode = await main();
