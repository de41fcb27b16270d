import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { buildStale, say } from '../../build/launch.ts';
import { findElectron, runtimeVersion } from '../../build/electron-runtime.ts';
import { maxFirstScreenBytes, weighFirstScreen } from '../../build/first-screen.ts';
import { packaged } from '../../build/parts.ts';
import { projectDirectory } from '../../build/project.ts';
import { isStale } from '../../build/stale.ts';
import { launchPlatform } from '../support/platform.ts';
import { formatFairness, measureFairness } from './rate-limit.ts';
import { measureHubCallTable, measureHubTable, measureShopDayTable } from './hub.ts';
import { backlog, measureDrain, type DrainFigures } from './drain.ts';
import { measureEnqueue } from './enqueue.ts';
import { measureFiles } from './files.ts';
import { listScreens, measureListScroll, type ListScreen } from './list-scroll.ts';
import { measureListings, writeListingTable } from './listing.ts';
import { measurePackage } from './package-bench.ts';
import { measureRest } from './rest.ts';
import { measureProducts } from './products-bench.ts';
import { measureService } from './service/service.ts';
import { measureStart } from './start.ts';
import { digits, median } from './statistics.ts';
import { writeTable, type Figure } from './table.ts';

const tables = [
  'products',
  'listing',
  'rate-limit',
  'hub',
  'queue',
  'files',
  'page',
  'package',
  'start',
  'rest',
  'service',
] as const;
/**
 * A listing is written to disk product by product, for two readings of the limit: more of them take longer than all the
 * rest.
 */
const maxListed = 100_000;
const listingLatencyMs = 200;

const help = `Usage: npm run bench -- [--products N,N] [--rounds N] [--tables NAME,NAME]

  --products N,N      for each of these numbers of products; 10000,100000,1000000 by default, of which a million takes most of the time
  --rounds N          rounds of every measurement, of which the median counts; 3 by default
  --tables NAME,NAME  of ${tables.join(', ')}; all by default

Scans, the start and a till at rest are measured in Electron; without a display, xvfb-run -a makes one.
`;

async function inTemporaryFolder<Value>(action: (directory: string) => Promise<Value>): Promise<Value> {
  const directory = mkdtempSync(join(tmpdir(), 'tillside-bench-'));
  try {
    return await action(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function measureQueue(directory: string, rounds: number): Promise<string> {
  const { enqueue, insert } = await measureEnqueue(directory, rounds);
  const durable = (key: 'p50' | 'p99'): Figure => ({
    name: `coupon update made durable, ${key}`,
    unit: 'ms',
    value: enqueue[key],
    peers: [{ name: 'a bare SQLite insert, as durable', value: insert[key] }],
  });
  say(`the queue: ${backlog} updates on their way out`);
  const drains: DrainFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    drains.push(await measureDrain(join(directory, `drain-${round}`)));
  }
  const drained = (key: 'requests' | 'maxBlockMs' | 'maxBlockCpuMs'): number =>
    median(drains.map((drain) => drain[key]));
  say('the queue: its lists in Chromium');
  const counts = { short: 100, long: backlog };
  const platform = await launchPlatform(['--products', '200']);
  const rows = (count: number): string => `the list with ${count.toLocaleString('en-GB')}`;
  const scrolls: Figure[] = [];
  for (const screen of Object.keys(listScreens) as ListScreen[]) {
    const { short, long } = await measureListScroll(directory, platform, screen, counts, rounds);
    scrolls.push(
      {
        name: `${screen}: late frames in 4 s of scrolling, ${rows(counts.long)}`,
        unit: 'frames',
        value: long.late,
        peers: [{ name: rows(counts.short), value: short.late }],
        aim: short.late,
      },
      {
        name: `${screen}: p99 of a frame while scrolling, ${rows(counts.long)}`,
        unit: 'ms',
        value: long.p99Ms,
        peers: [{ name: rows(counts.short), value: short.p99Ms }],
      },
    );
  }
  await platform.child.stop();
  return writeTable('queue', [
    { ...durable('p50'), aim: Number(digits(1.5 * insert.p50)) },
    durable('p99'),
    {
      name: `requests that carried ${backlog.toLocaleString('en-GB')} updates`,
      unit: 'requests',
      value: drained('requests'),
      peers: [],
      aim: backlog / 100,
    },
    {
      name: 'longest block of the main process meanwhile',
      unit: 'ms',
      value: drained('maxBlockMs'),
      peers: [{ name: "of the processor's time alone", value: drained('maxBlockCpuMs') }],
      aim: 50,
    },
    ...scrolls,
  ]);
}

function readNumbers(text: string): readonly number[] {
  const numbers = text.split(',').map(Number);
  if (numbers.some((number) => !Number.isSafeInteger(number) || number < 100 || number > 1_000_000)) {
    throw new RangeError(`numbers of products are from 100 to 1000000, not "${text}"`);
  }
  return numbers;
}

function readTables(text: string): ReadonlySet<string> {
  const wanted = new Set(text.split(','));
  if ([...wanted].some((name) => !tables.some((table) => table === name))) {
    throw new RangeError(`tables are ${tables.join(', ')}, not "${text}"`);
  }
  return wanted;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      products: { type: 'string', default: '10000,100000,1000000' },
      rounds: { type: 'string', default: '3' },
      tables: { type: 'string', default: tables.join(',') },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const rounds = Math.max(1, Math.min(100, Math.trunc(Number(values.rounds)) || 1));
  const counts = readNumbers(values.products);
  const wanted = readTables(values.tables);
  await buildStale();
  const [processor] = cpus();
  const electron = findElectron();
  const runtime = electron === null ? null : runtimeVersion(electron);
  const print = (text: string): void => {
    process.stdout.write(`${text}\n\n`);
  };
  print(
    `Medians of ${rounds} rounds; a frame is 1/60 s; ${cpus().length} × ${processor?.model.trim() ?? 'processor'}, Node ${process.versions.node}, Electron ${runtime ?? 'none'}.\nOther work at the start, as the system's load over a minute: ${digits(loadavg()[0] ?? Number.NaN)}; well above nought, the p99 of everything is that work's.`,
  );
  for (const count of wanted.has('products') ? counts : []) {
    print(
      writeTable(
        `${count.toLocaleString('en-GB')} products`,
        await inTemporaryFolder((directory) => measureProducts(directory, count, rounds)),
      ),
    );
  }
  for (const count of wanted.has('listing') ? counts.filter((some) => some <= maxListed) : []) {
    say(`${count} products: full listings in simulated time`);
    print(writeListingTable(await measureListings(count, listingLatencyMs)));
  }
  for (const count of wanted.has('service') && process.platform === 'linux' ? counts : []) {
    say(`a bridge over ${count} products`);
    const figures = await inTemporaryFolder((directory) => measureService(directory, count, rounds));
    print(writeTable(`a bridge over ${count.toLocaleString('en-GB')} products`, figures));
  }
  if (wanted.has('rate-limit')) {
    say('the rate limit, shared by several terminals');
    print(formatFairness(await measureFairness()));
  }
  if (wanted.has('hub')) {
    say('terminals with a hub beside those without');
    print(await measureHubTable(say));
    say("a shop's day");
    print(await measureShopDayTable(say));
    say('a real hub');
    print(await measureHubCallTable());
  }
  if (wanted.has('queue')) {
    say('the queue');
    print(await inTemporaryFolder((directory) => measureQueue(directory, rounds)));
  }
  if (wanted.has('files')) {
    say('the stock table as files');
    print(writeTable('files', await measureFiles(rounds)));
  }
  if (wanted.has('page')) {
    say('the first screen');
    const { scriptBytes, styleBytes, bytes } = await weighFirstScreen();
    print(
      writeTable('the first screen', [
        {
          name: 'all that is read before it is drawn, after gzip',
          unit: 'bytes',
          value: bytes,
          peers: [
            { name: 'its scripts', value: scriptBytes },
            { name: 'its styles', value: styleBytes },
          ],
          aim: maxFirstScreenBytes,
        },
      ]),
    );
  }
  if ((wanted.has('package') || wanted.has('start')) && process.platform === 'linux') {
    if (isStale(projectDirectory, packaged)) {
      spawnSync(process.execPath, [join(projectDirectory, 'build', 'package.ts')], { stdio: 'ignore' });
    }
  }
  if (wanted.has('package') && process.platform === 'linux') {
    say('the package');
    print(writeTable('the package', measurePackage()));
  }
  if (wanted.has('start') && process.platform === 'linux') {
    say('the start');
    print(writeTable('the start', await inTemporaryFolder((directory) => measureStart(directory, rounds))));
  }
  if (wanted.has('rest') && process.platform === 'linux') {
    say('a till at rest');
    print(writeTable('at rest', await inTemporaryFolder((directory) => measureRest(directory, rounds))));
  }
}

await main();
