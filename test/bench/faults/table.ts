import type { Figures } from './verdict.ts';

export interface PolicyFigures {
  readonly name: string;
  readonly runs: readonly Figures[];
}

type Count = 'lost' | 'givenUp' | 'doubled' | 'outOfOrder' | 'wrong' | 'stuck' | 'requests' | 'tooMany' | 'accepted';

/** The sum of one figure over all runs. */
export function total(runs: readonly Figures[], figure: Count): number {
  return runs.reduce((sum, run) => sum + run[figure], 0);
}

function duration(timeMs: number): string {
  const seconds = Math.round(timeMs / 1000);
  return seconds < 120 ? `${String(seconds)} s` : `${String(Math.round(seconds / 60))} min`;
}

function drain(runs: readonly Figures[]): string {
  const times = runs.flatMap(({ drainMs }) => drainMs ?? []).sort((left, right) => left - right);
  const middle = times[Math.floor(times.length / 2)];
  const never = runs.length - times.length;
  const longest = never > 0 ? `never in ${String(never)}` : duration(times.at(-1) ?? 0);
  return `${middle === undefined ? '–' : duration(middle)} / ${longest}`;
}

function row({ name, runs }: PolicyFigures): string {
  const counts = (['lost', 'doubled', 'outOfOrder', 'wrong', 'stuck', 'givenUp'] as const).map((figure) =>
    String(total(runs, figure)),
  );
  const perRun = (['requests', 'tooMany'] as const).map((figure) => (total(runs, figure) / runs.length).toFixed(0));
  return `| ${[name, ...counts, ...perRun, drain(runs)].join(' | ')} |`;
}

/** The table of all policies, in their order. */
export function formatTable(policies: readonly PolicyFigures[]): string {
  return [
    '| policy | lost | doubled | out of order | wrong at the end | stuck | given up, told | requests a run | 429s a run | time to drain, median / longest |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...policies.map(row),
  ].join('\n');
}
