import { momentNames, runTill, type KillReport } from './kill-till.ts';
import type { MadePart, Part } from './sittings.ts';

/** A till is judged after so many kills: its platform and its books are then replaced by fresh ones. */
export const killsPerTill = 50;
const maxReportedPerTill = 10;

interface KillRunOptions {
  /** Of `buildHost`. */
  readonly script: string;
  /** One a till. */
  readonly tills: readonly Part[];
  readonly tillsAtATime: number;
  /** Called with each till as soon as it is judged. */
  readonly onTill: (made: MadePart<KillReport>) => void;
}

async function makeTill(script: string, { seed, count: kills }: Part): Promise<MadePart<KillReport>> {
  const describe = (what: string): string => `--seed ${seed} --kills ${kills}: ${what}`;
  try {
    const report = await runTill({ script, seed: String(seed), kills });
    const failures = report.violations
      .slice(0, maxReportedPerTill)
      .map(({ rule, what }) => describe(`${rule} ${what}`));
    return { seed, count: kills, report, failures };
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { seed, count: kills, report: null, failures: [describe(what)] };
  }
}

/** Runs these tills, some beside each other. */
export async function runKills({ script, tills, tillsAtATime, onTill }: KillRunOptions): Promise<void> {
  const left = [...tills];
  const work = async (): Promise<void> => {
    for (let till = left.shift(); till !== undefined; till = left.shift()) {
      onTill(await makeTill(script, till));
    }
  };
  await Promise.all(Array.from({ length: Math.min(tillsAtATime, left.length) }, work));
}

/** One line of totals, and before it a line for every failure. */
export function summarizeKills(made: readonly MadePart<KillReport>[], seconds: number, sittings = ''): string {
  const reports = made.flatMap(({ report }) => (report === null ? [] : [report]));
  const failures = made.flatMap((till) => till.failures);
  const sum = (pick: (report: KillReport) => number): number =>
    reports.reduce((total, report) => total + pick(report), 0);
  const during = momentNames.map((moment) => `${moment} ${sum(({ killsDuring }) => killsDuring[moment])}`).join(', ');
  return [
    ...failures,
    `${sum(({ kills }) => kills)} kills (${during}) of ${reports.length} tills, ${sum(({ acknowledged }) => acknowledged)} switches acknowledged and ${sum(({ unknown }) => unknown)} cut short, ` +
      `${sum(({ requests }) => requests)} requests, ${sum(({ effects }) => effects)} effects, ${sum(({ replays }) => replays)} replays, at most ${Math.max(0, ...reports.map((report) => report.maxInWindow))} requests a minute, ` +
      `longest drain ${(Math.max(0, ...reports.map(({ drainMs }) => drainMs)) / 1000).toFixed(1)} s, ${seconds.toFixed(0)} s${sittings}: ${failures.length === 0 ? 'all hold' : `${failures.length} FAILED`}`,
  ].join('\n');
}
