import { parseArgs } from 'node:util';
import { runInWorkers } from '../support/workers.ts';
import { commitHash, firstExploredSeed } from './explored-seeds.ts';
import type { SeedReport } from './run-seed.ts';
import type { Work } from './seed-worker.ts';
import { formatLines, formatTime } from './trace.ts';

const usage = 'simulate [--seeds N] [--seed S] [--explore E] [--shifts H] [--hub [--terminals N]]';
const linesBefore = 40;
const linesAfter = 5;
const maxViolations = 5;

function readOptions(): {
  readonly first: number;
  readonly count: number;
  readonly explored: number;
  readonly shiftHours: number;
  readonly isSingle: boolean;
  readonly world?: 'hub';
  readonly terminals?: number;
} | null {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string' },
        seed: { type: 'string' },
        explore: { type: 'string' },
        shifts: { type: 'string' },
        hub: { type: 'boolean' },
        terminals: { type: 'string' },
      },
    });
    const count = Number(values.seeds ?? (values.seed === undefined ? 20 : 1));
    const first = Number(values.seed ?? 1);
    const explored = Number(values.explore ?? 0);
    const shiftHours = Number(values.shifts ?? 0.25);
    const terminals = Number(values.terminals ?? 1);
    const isSound =
      Number.isSafeInteger(count) &&
      count > 0 &&
      Number.isSafeInteger(first) &&
      first >= 0 &&
      Number.isSafeInteger(explored) &&
      explored >= 0 &&
      shiftHours > 0 &&
      shiftHours <= 100 &&
      Number.isSafeInteger(terminals) &&
      terminals > 0 &&
      (values.terminals === undefined || values.hub === true);
    return isSound
      ? {
          first,
          count,
          explored,
          shiftHours,
          isSingle: values.seed !== undefined && count === 1 && explored === 0,
          ...(values.hub === true ? { world: 'hub' as const } : {}),
          ...(values.terminals === undefined ? {} : { terminals }),
        }
      : null;
  } catch {
    return null;
  }
}

/** The trace around the first violation. */
function excerpt({ trace, violations }: SeedReport): string {
  const atMs = violations[0]?.atMs ?? 0;
  const place = trace.findLastIndex((line) => line.atMs <= atMs && !line.text.startsWith('VIOLATION'));
  return formatLines(trace.slice(Math.max(0, place - linesBefore), place + linesAfter));
}

function tellFailure(report: SeedReport, withExcerpt: boolean): void {
  console.log(`seed ${String(report.seed)} FAILED, trace ${report.traceHash}`);
  if (withExcerpt) {
    console.log(excerpt(report).replaceAll(/^/gm, '    '));
  }
  for (const { rule, atMs, what } of report.violations.slice(0, maxViolations)) {
    console.log(`  ${rule} at ${formatTime(atMs)}: ${what}`);
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    console.error(usage);
    return 2;
  }
  const { first, count, explored, isSingle, ...work } = options;
  const seeds = Array.from({ length: count }, (_, place) => first + place);
  if (explored > 0) {
    const hash = commitHash();
    const firstExplored = firstExploredSeed(hash);
    seeds.push(...Array.from({ length: explored }, (_, place) => firstExplored + place));
    console.log(
      `${hash === null ? 'no commit' : `commit ${hash.slice(0, 12)}`} explores ${String(explored)} seeds, again by: npm run simulate -- --seeds ${String(explored)} --seed ${String(firstExplored)}`,
    );
  }
  const startedAt = performance.now();
  const total = { simulatedMs: 0, requests: 0, switches: 0, restorations: 0, crashes: 0, drainMs: 0 };
  const failed: number[] = [];
  const works = seeds.map((seed): Work => ({ ...work, seed }));
  const onReport = (report: SeedReport): void => {
    for (const name of ['simulatedMs', 'requests', 'switches', 'restorations', 'crashes'] as const) {
      total[name] += report[name];
    }
    total.drainMs = Math.max(total.drainMs, report.drainMs);
    if (isSingle) {
      console.log(formatLines(report.trace));
      console.log(`trace ${report.traceHash}`);
    }
    if (report.violations.length > 0) {
      failed.push(report.seed);
      tellFailure(report, !isSingle);
    }
  };
  await runInWorkers({ script: new URL('seed-worker.ts', import.meta.url), works, onReport });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${String(seeds.length)} seeds, ${(total.simulatedMs / 3_600_000).toFixed(1)} simulated hours, ${String(total.requests)} requests, ${String(total.switches)} switches, ${String(total.restorations)} restorations, ${String(total.crashes)} crashes, ` +
      `longest drain ${(total.drainMs / 1000).toFixed(0)} s, ${(seeds.length / seconds).toFixed(1)} seeds a second: ` +
      (failed.length === 0
        ? 'all hold'
        : `${String(failed.length)} FAILED: ${failed.sort((left, right) => left - right).join(' ')}`),
  );
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
