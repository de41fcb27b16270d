import { parseArgs } from 'node:util';
import { runInWorkers } from '../support/workers.ts';
import { describeCoverage, gapsOf, mergeCoverage, noCoverage } from './calls/coverage.ts';
import { firstSeedOfNight } from './night-seeds.ts';
import { openNightSum } from './night-sum.ts';
import type { SeedReport } from './run-seed.ts';
import type { Work } from './seed-worker.ts';
import { formatLines, formatTime } from './trace.ts';

const usage = `simulate [--seeds N] [--seed S] [--shifts H] [--hub [--terminals N]]
simulate --coverage [--seeds N] [--seed S] [--shifts H]
  In every seed somebody makes every call; ends with what was played, and fails when anything was not.
simulate --night YYYY-MM-DD [--minutes M] [--sum FILE] [--shifts H] [--hub [--terminals N]]
  Seeds that belong to the date, one after another while the minutes last. The file adds up all nights.`;
const linesBefore = 40;
const linesAfter = 5;
const maxViolations = 5;

interface Options {
  readonly first: number;
  /** Of a night: endless, while its minutes last. */
  readonly count: number;
  readonly minutes: number;
  readonly sumPath: string | null;
  readonly isSingle: boolean;
  /** Whether what was played of the contract is told, and judged. */
  readonly isCoverage: boolean;
  /** The options with which every seed is played. */
  readonly work: Omit<Work, 'seed'>;
}

const isWhole = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least;

function readOptions(): Options | null {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      options: {
        seeds: text,
        seed: text,
        shifts: text,
        hub: { type: 'boolean' },
        terminals: text,
        coverage: { type: 'boolean' },
        night: text,
        minutes: text,
        sum: text,
      },
    });
    const { night } = values;
    const isNight = night !== undefined;
    const count = Number(values.seeds ?? (values.seed === undefined ? 20 : 1));
    const first = isNight ? firstSeedOfNight(night) : Number(values.seed ?? 1);
    const minutes = Number(values.minutes ?? 60);
    const shiftHours = Number(values.shifts ?? 0.25);
    const terminals = Number(values.terminals ?? 1);
    const isSound =
      isWhole(count, 1) &&
      isWhole(first, 0) &&
      isWhole(terminals, 1) &&
      shiftHours > 0 &&
      shiftHours <= 100 &&
      minutes > 0 &&
      (values.terminals === undefined || values.hub === true) &&
      !(values.coverage === true && values.hub === true) &&
      (isNight
        ? values.seeds === undefined && values.seed === undefined
        : values.minutes === undefined && values.sum === undefined);
    return isSound
      ? {
          first,
          count: isNight ? Infinity : count,
          minutes: isNight ? minutes : Infinity,
          sumPath: values.sum ?? null,
          isSingle: values.seed !== undefined && count === 1,
          isCoverage: values.coverage === true,
          work: {
            shiftHours,
            ...(values.coverage === true ? { isPressed: true } : {}),
            ...(values.hub === true ? { world: 'hub' as const } : {}),
            ...(values.terminals === undefined ? {} : { terminals }),
          },
        }
      : null;
  } catch {
    return null;
  }
}

/** The seeds to play, until their time is up. */
function* seedsOf({ first, count, minutes }: Options): Generator<number> {
  const endMs = performance.now() + minutes * 60_000;
  for (let place = 0; place < count && performance.now() < endMs; place += 1) {
    yield first + place;
  }
}

/** The trace around the first violation. */
function excerpt({ trace, violations }: SeedReport): string {
  const atMs = violations[0]?.atMs ?? 0;
  const place = trace.findLastIndex((line) => line.atMs <= atMs && !line.text.startsWith('VIOLATION'));
  return formatLines(trace.slice(Math.max(0, place - linesBefore), place + linesAfter));
}

function printFailure(report: SeedReport, withExcerpt: boolean): void {
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
  const { isSingle, isCoverage, sumPath, work } = options;
  const sum = sumPath === null ? null : openNightSum(sumPath);
  const startedAt = performance.now();
  const total = { seeds: 0, simulatedMs: 0, requests: 0, switches: 0, restorations: 0, crashes: 0, drainMs: 0 };
  const failed: number[] = [];
  let coverage = noCoverage;
  const onReport = (report: SeedReport): void => {
    total.seeds += 1;
    coverage = mergeCoverage(coverage, report.coverage);
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
      printFailure(report, !isSingle);
    }
  };
  await runInWorkers({
    script: new URL('seed-worker.ts', import.meta.url),
    works: seedsOf(options).map((seed): Work => ({ ...work, seed })),
    onReport,
  });
  if (sum !== null) {
    console.log(sum.add(total));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${String(total.seeds)} seeds, ${(total.simulatedMs / 3_600_000).toFixed(1)} simulated hours, ${String(total.requests)} requests, ${String(total.switches)} switches, ${String(total.restorations)} restorations, ${String(total.crashes)} crashes, ` +
      `longest drain ${(total.drainMs / 1000).toFixed(0)} s, ${(total.seeds / seconds).toFixed(1)} seeds a second: ` +
      (failed.length === 0
        ? 'all hold'
        : `${String(failed.length)} FAILED: ${failed.sort((left, right) => left - right).join(' ')}`),
  );
  if (isCoverage) {
    console.log(describeCoverage(coverage));
  }
  return failed.length === 0 && !(isCoverage && gapsOf(coverage).length > 0) ? 0 : 1;
}

process.exitCode = await main();
