import { runTill, type KillReport } from './kill-till.ts';

/** A till is judged after so many kills: its platform and its books are then replaced by fresh ones. */
const killsPerTill = 50;
const maxToldPerTill = 10;

interface KillRun {
  readonly reports: readonly KillReport[];
  readonly failures: readonly string[];
  readonly seconds: number;
}

interface KillRunOptions {
  readonly kills: number;
  /** The first till's; the others follow it. */
  readonly seed: number;
  readonly tillsAtATime: number;
  /** Called with a line for everything that was not as it should be, as soon as it is known. */
  readonly onFailure: (line: string) => void;
}

/** Runs tills until there were so many kills. */
export async function runKills({ kills, seed, tillsAtATime, onFailure }: KillRunOptions): Promise<KillRun> {
  const startedAt = performance.now();
  const shares = Array.from({ length: Math.ceil(kills / killsPerTill) }, (_, place) => ({
    seed: seed + place,
    kills: Math.min(killsPerTill, kills - place * killsPerTill),
  }));
  const reports: KillReport[] = [];
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let share = shares.shift(); share !== undefined; share = shares.shift()) {
      const command = `--seed ${share.seed} --kills ${share.kills}`;
      const tell = (what: string): void => {
        failures.push(`${command}: ${what}`);
        onFailure(`${command}: ${what}`);
      };
      try {
        const report = await runTill({ seed: String(share.seed), kills: share.kills });
        reports.push(report);
        for (const { rule, what } of report.violations.slice(0, maxToldPerTill)) {
          tell(`${rule} ${what}`);
        }
      } catch (error) {
        tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: tillsAtATime }, work));
  return { reports, failures, seconds: (performance.now() - startedAt) / 1000 };
}

/** One line of totals. */
export function tellKills({ reports, failures, seconds }: KillRun): string {
  const sum = (count: (report: KillReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const during = (['starting', 'switching', 'arrived', 'carried', 'answered', 'anytime'] as const)
    .map((moment) => `${moment} ${sum(({ killsDuring }) => killsDuring[moment])}`)
    .join(', ');
  return (
    `${sum(({ kills }) => kills)} kills (${during}) of ${reports.length} tills, ${sum(({ acknowledged }) => acknowledged)} switches acknowledged and ${sum(({ unknown }) => unknown)} cut short, ` +
    `${sum(({ requests }) => requests)} requests, ${sum(({ effects }) => effects)} effects, ${sum(({ replays }) => replays)} replays, at most ${Math.max(0, ...reports.map((report) => report.maxInWindow))} requests a minute, ` +
    `longest drain ${(Math.max(0, ...reports.map(({ drainMs }) => drainMs)) / 1000).toFixed(1)} s, ${seconds.toFixed(0)} s: ${failures.length === 0 ? 'all hold' : `${failures.length} FAILED`}`
  );
}
