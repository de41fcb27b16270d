// The shop's hub beside terminals without one: what is simulated is the platform, the network, the hub's server and the
// time, in which no work takes any; each terminal runs the app's own sync, rate limit and part in the hub.
import { runFairness } from '../simulation/account/fairness.ts';
import { startTerminal } from '../simulation/account/sharing-terminal.ts';
import { runShopDay } from '../simulation/hub/shop-day.ts';
import { startersWithHub } from '../simulation/hub/sharing-hub.ts';
import { measureCopies } from './hub-copies.ts';
import { measureHubCalls } from './hub-calls.ts';
import { digits, percentile } from './statistics.ts';
import { writeTable } from './table.ts';

const products = 100_000;
const rules = { window: 'sliding', countsRefused: false, retryAfter: 'seconds' } as const;

interface HubFigures {
  readonly copiedMs: number;
  readonly refusalsPerMinute: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** `callMs` is the mean of each way between a terminal and the hub. */
async function measureHub(terminals: number, hasHub: boolean, callMs = 1): Promise<HubFigures> {
  const { refusalsPerMinute, scanMs } = await runFairness(
    { seed: 1, terminals, account: rules, settleMinutes: 30, minutes: 95, scanGapMs: 60_000 },
    hasHub ? startersWithHub(callMs) : startTerminal,
  );
  return {
    copiedMs: await measureCopies(products, terminals, hasHub, callMs),
    refusalsPerMinute,
    p50Ms: percentile(scanMs, 0.5),
    p99Ms: percentile(scanMs, 0.99),
  };
}

const seconds = (waitMs: number): string => (Number.isFinite(waitMs) ? (waitMs / 1000).toFixed(2) : 'never');

/** One line of the table: without a hub → with one. */
function lineOf(terminals: number, [alone, hub]: readonly [HubFigures, HubFigures]): string {
  const both = (cell: (figures: HubFigures) => string): string => `${cell(alone)} → ${cell(hub)}`;
  const cells = [
    String(terminals),
    `${both(({ copiedMs }) => digits(copiedMs / 60_000))} min`,
    both(({ refusalsPerMinute }) => refusalsPerMinute.toFixed(1)),
    `${both(({ p50Ms, p99Ms }) => `${seconds(p50Ms)}/${seconds(p99Ms)}`)} s`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The changes that a hub makes, for so many terminals that share one account, as a table in Markdown. */
export async function measureHubTable(onLine: (line: string) => void): Promise<string> {
  const lines = [
    `| terminals | all have ${products.toLocaleString('en-GB')} products: without → with a hub | 429s a minute | scan to live figure, p50/p99 |`,
    '| ---: | ---: | ---: | ---: |',
  ];
  for (const terminals of [1, 2, 10, 50]) {
    const line = lineOf(terminals, [await measureHub(terminals, false), await measureHub(terminals, true)]);
    onLine(line);
    lines.push(line);
  }
  return lines.join('\n');
}

/** Scans a minute of all tills: well below the limit, and where bursts exceed it. */
const dayLoads = [
  { tills: 1, scansPerMinute: 30 },
  { tills: 2, scansPerMinute: 40 },
  { tills: 10, scansPerMinute: 40 },
  { tills: 10, scansPerMinute: 50 },
  { tills: 50, scansPerMinute: 40 },
  { tills: 50, scansPerMinute: 50 },
  { tills: 200, scansPerMinute: 40 },
] as const;

/** A shop whose copies are complete, beside one ideal queue for the same scans, as a table in Markdown. */
export async function measureShopDayTable(onLine: (line: string) => void): Promise<string> {
  const lines = [
    '| terminals | scans a minute of all, by Poisson | a scan waits for its figure’s turn, p50/p99 | each asked for by itself | so by one ideal queue | answered by others | writes at the hub a minute, lost to others |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  ];
  for (const { tills, scansPerMinute } of dayLoads) {
    // Two hundred tills compute long.
    const day = { seed: 1, tills, scanEveryMs: (60_000 * tills) / scansPerMinute, minutes: tills > 50 ? 10 : 60 };
    const alone = await runShopDay(day);
    const { waitsMs, joinedPercent, writesPerMinute, lostPercent } = await runShopDay({ ...day, isListed: true });
    const both = (all: readonly number[]): string =>
      `${seconds(percentile(all, 0.5))}/${seconds(percentile(all, 0.99))} s`;
    const writes = `${digits(writesPerMinute)}, ${digits(lostPercent)} %`;
    const waits = [waitsMs, alone.waitsMs, alone.idealMs].map(both);
    const line = `| ${[tills, scansPerMinute, ...waits, `${digits(joinedPercent)} %`, writes].join(' | ')} |`;
    onLine(line);
    lines.push(line);
  }
  return lines.join('\n');
}

/** The cost of a turn at the hub, as a table in Markdown. */
export async function measureHubCallTable(): Promise<string> {
  const figures = await measureHubCalls();
  if (figures === null) {
    return 'A turn at the hub: not measured, there is no PostgreSQL here.';
  }
  const { select, update, ...tills } = figures;
  return writeTable(
    'a turn at the hub: it is read, and a lent slot is written',
    (['one', 'ten'] as const).flatMap((count) =>
      (['p50', 'p99'] as const).map((part) => ({
        name: `${count === 'one' ? 'one till' : 'ten tills, each every 250 ms'}, ${part}`,
        unit: 'ms' as const,
        value: tills[count][part],
        peers: [
          { name: 'a bare "select 1"', value: select[part] },
          { name: 'a bare update, as durable', value: update[part] },
        ],
      })),
    ),
  );
}
