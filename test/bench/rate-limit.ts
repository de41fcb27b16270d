import { pathToFileURL } from 'node:url';
import { runFairness, type Fairness } from '../simulation/account/fairness.ts';
import type { AccountRules } from '../simulation/account/shared-account.ts';
import { sharingPeers } from '../simulation/account/sharing-peers.ts';
import { startTerminal, type SharingTerminal, type TerminalWorld } from '../simulation/account/sharing-terminal.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import type { World } from '../simulation/virtual-clock.ts';
import { installSimulatedGlobals } from './faults/simulated-globals.ts';
import { percentile } from './statistics.ts';

interface FairnessRow {
  readonly name: string;
  readonly account: string;
  readonly terminals: number;
  readonly fairness: Fairness;
}

/** The app's aims: at least so much of the limit used and so fair, at most so many refusals a minute in all. */
const fairnessAims = { throughput: 0.85, jain: 0.9, refusalsPerMinute: 2 };

const counts = [1, 2, 5, 10];
const settleMinutes = 30;
const minutes = 150;

/** How the limit may be read; with fixed windows it makes no difference whether a refused request counts. */
const accounts: readonly { readonly name: string; readonly rules: AccountRules }[] = [
  { name: 'sliding', rules: { window: 'sliding', countsRefused: false, retryAfter: 'seconds' } },
  { name: 'sliding, no Retry-After', rules: { window: 'sliding', countsRefused: false, retryAfter: 'absent' } },
  { name: 'sliding, refused ones count', rules: { window: 'sliding', countsRefused: true, retryAfter: 'seconds' } },
  { name: 'fixed', rules: { window: 'fixed', countsRefused: false, retryAfter: 'seconds' } },
];

function measure(
  start: (setting: TerminalWorld) => SharingTerminal,
  terminals: number,
  account: AccountRules,
  onWorld?: (world: World) => void,
): Promise<Fairness> {
  return runFairness(
    {
      seed: 1,
      terminals,
      account,
      settleMinutes,
      minutes,
      scanGapMs: 60_000,
      ...(onWorld === undefined ? {} : { onWorld }),
    },
    start,
  );
}

/** Under the globals that a library finds in the simulated world. */
async function measurePeer(
  start: (setting: TerminalWorld) => SharingTerminal,
  terminals: number,
  account: AccountRules,
): Promise<Fairness> {
  let putBack = (): void => undefined;
  try {
    return await measure(start, terminals, account, (world) => {
      putBack = installSimulatedGlobals(world, createSeededRandom('peer'), () => 1);
    });
  } finally {
    putBack();
  }
}

/** This app for each account and number of terminals, and the others where ten share. */
export async function measureFairness(): Promise<readonly FairnessRow[]> {
  const rows: FairnessRow[] = [];
  for (const { name: account, rules } of accounts) {
    for (const terminals of counts) {
      rows.push({ name: 'Tillside', account, terminals, fairness: await measure(startTerminal, terminals, rules) });
    }
    for (const { name, start } of sharingPeers) {
      rows.push({ name, account, terminals: 10, fairness: await measurePeer(start, 10, rules) });
    }
  }
  return rows;
}

/**
 * How long a scan's question waits in a terminal that is alone on its account and copies without end, in milliseconds.
 */
interface ScanDeparture {
  readonly scansPerMinute: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** For a few scans a minute, and for more than the reserve covers. */
async function measureScanDepartures(): Promise<readonly ScanDeparture[]> {
  const departures: ScanDeparture[] = [];
  for (const scansPerMinute of [1, 2, 10]) {
    const rules = accounts[0]?.rules ?? { window: 'sliding', countsRefused: false, retryAfter: 'seconds' };
    const { scanLeftMs } = await runFairness(
      { seed: 1, terminals: 1, account: rules, settleMinutes: 2, minutes: 60, scanGapMs: 60_000 / scansPerMinute },
      startTerminal,
    );
    departures.push({
      scansPerMinute,
      p50Ms: percentile(scanLeftMs, 0.5),
      p99Ms: percentile(scanLeftMs, 0.99),
      maxMs: Math.max(...scanLeftMs),
    });
  }
  return departures;
}

/** The departures as a table in Markdown. */
function formatDepartures(departures: readonly ScanDeparture[]): string {
  const lines = departures.map(
    ({ scansPerMinute, p50Ms, p99Ms, maxMs }) =>
      `| ${String(scansPerMinute)} | ${[p50Ms, p99Ms, maxMs].map((waitMs) => `${waitMs.toFixed(0)} ms`).join(' | ')} |`,
  );
  return [
    '| scans a minute while a full listing runs | question leaves, p50 | p99 | longest |',
    '| ---: | ---: | ---: | ---: |',
    ...lines,
  ].join('\n');
}

function seconds(waitMs: number): string {
  return waitMs === Number.POSITIVE_INFINITY ? 'never' : `${(waitMs / 1000).toFixed(1)} s`;
}

function met({ name, fairness }: FairnessRow): string {
  if (!name.startsWith('Tillside')) {
    return '';
  }
  const { throughput, jain, refusalsPerMinute } = fairness;
  const isMet =
    throughput >= fairnessAims.throughput &&
    jain >= fairnessAims.jain &&
    refusalsPerMinute <= fairnessAims.refusalsPerMinute;
  return isMet ? 'yes' : 'NO';
}

/** The rows as a table in Markdown. */
export function formatFairness(rows: readonly FairnessRow[]): string {
  const head = [
    'the account counts',
    'terminals',
    '',
    'of the limit used',
    "Jain's index",
    '429s a minute, in all',
    'scan to live figure, p50 / p90 / p99',
    'met',
  ];
  const lines = rows.map((row) => {
    const { throughput, jain, refusalsPerMinute, scanMs } = row.fairness;
    const waits = [0.5, 0.9, 0.99].map((share) => seconds(percentile(scanMs, share))).join(' / ');
    return [
      row.account,
      String(row.terminals),
      row.name,
      `${(100 * throughput).toFixed(0)}%`,
      jain.toFixed(3),
      refusalsPerMinute.toFixed(2),
      waits,
      met(row),
    ];
  });
  return [head, head.map((_, place) => (place === 2 || place === 0 ? '---' : '---:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(`${formatDepartures(await measureScanDepartures())}\n\n${formatFairness(await measureFairness())}`);
}
