// Owns `npm run bench`: measures how fast and how small Tillside is with few and with many products, each figure beside a plainer
// way of doing the same in the same run, and prints a table. A slow machine makes no failure: figures are medians of
// repeated rounds, and a missed aim is only said. Never writes anything but below a temporary folder.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale, say } from '../../build/launch.ts';
import { startPlatform, type Platform } from '../support/platform.ts';
import { measureCatalogue, measureMap } from './catalogue-bench.ts';
import { backlog, measureDrain, type DrainFigures } from './drain.ts';
import { measureEnqueue } from './enqueue.ts';
import { catalogueOf, fillCatalogue, makeGoods, type Goods } from './goods.ts';
import { measureInChromium } from './in-chromium.ts';
import { measureQueueScroll } from './queue-scroll.ts';
import { medianOf, startHostOnce, startJsonMapOnce, type StartUp } from './start-up.ts';
import { digits, median } from './statistics.ts';
import { writeTable, type Figure } from './table.ts';
import { provision } from './terminal-host.ts';

const help = `Usage: npm run bench -- [--products N,N] [--rounds N]

  --products N,N  for each of these numbers of products; 5000,100000 by default
  --rounds N      rounds of every measurement, of which the median counts; 5 by default
`;
const frameMs = 1000 / 60;
const megabyte = 1_000_000;

async function inTemporaryFolder<Value>(action: (directory: string) => Promise<Value>): Promise<Value> {
  const directory = mkdtempSync(join(tmpdir(), 'tillside-bench-'));
  try {
    return await action(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function measureStartUp(directory: string, platformUrl: string, goods: Goods, known: Goods, rounds: number): Promise<readonly Figure[]> {
  const [full, none] = [join(directory, 'full'), join(directory, 'none')];
  const [cards, noCards] = [join(directory, 'cards'), join(directory, 'no-cards')];
  writeFileSync(noCards, '');
  const empty = catalogueOf(none, platformUrl);
  await fillCatalogue(empty.path, empty.fingerprint, makeGoods(0));
  const code = known.scannable[0]?.code ?? '';
  const starts: { readonly host: StartUp[]; readonly hostOfNone: StartUp[]; readonly map: StartUp[]; readonly mapOfNone: StartUp[] } = { host: [], hostOfNone: [], map: [], mapOfNone: [] };
  for (let round = 0; round < rounds; round += 1) {
    starts.host.push(await startHostOnce(full, goods, known, round));
    starts.hostOfNone.push(await startHostOnce(none, makeGoods(0), known, round));
    starts.map.push(await startJsonMapOnce(cards, code));
    starts.mapOfNone.push(await startJsonMapOnce(noCards, code));
  }
  const [host, hostOfNone, map, mapOfNone] = [medianOf(starts.host), medianOf(starts.hostOfNone), medianOf(starts.map), medianOf(starts.mapOfNone)];
  return [
    {
      name: 'start of the host to first answered lookup',
      unit: 'ms',
      value: host.startMs,
      peers: [
        { name: 'the host without products', value: hostOfNone.startMs },
        { name: 'Node reading JSON into a Map', value: map.startMs },
        { name: 'Node reading nothing', value: mapOfNone.startMs },
      ],
      aim: 1000,
    },
    {
      name: 'memory for the products after 500 lookups',
      unit: 'MB',
      value: (host.residentBytes - hostOfNone.residentBytes) / megabyte,
      peers: [{ name: 'a Map of them in Node', value: (map.residentBytes - mapOfNone.residentBytes) / megabyte }],
      aim: 60,
    },
  ];
}

async function measureStore(directory: string, count: number): Promise<readonly Figure[]> {
  const map = measureMap(count);
  const { lookup, find, search } = await measureCatalogue(join(directory, 'bench.db'), count);
  const peers = [{ name: 'a Map in Node', value: map.lookup.p99Ms }];
  return [
    { name: 'barcode to card in the store, p50', unit: 'ms', value: lookup.p50Ms, peers: [{ name: 'a Map in Node', value: map.lookup.p50Ms }] },
    { name: 'barcode to card in the store, p99', unit: 'ms', value: lookup.p99Ms, peers, aim: 0.1 },
    { name: 'the whole lookup, remembered on disk, p99', unit: 'ms', value: find.p99Ms, peers },
    { name: 'search as typed, p99', unit: 'ms', value: search.p99Ms, peers: [] },
  ];
}

async function measureBrowser(directory: string, goods: Goods, platform: Platform, rounds: number): Promise<readonly Figure[]> {
  const { wall, indexedDb, map, app, overMap, torn } = await measureInChromium({ dataDirectory: join(directory, 'full'), cardsPath: join(directory, 'cards'), goods, platform, rounds });
  const share = (key: 'p50' | 'p99', aim?: number): Figure => ({
    name: `lookup over the wall, ${key}`,
    unit: 'ms',
    value: wall[key],
    peers: [
      { name: 'IndexedDB', value: indexedDb[key] },
      { name: 'a Map in the page', value: map[key] },
    ],
    ...(aim === undefined ? {} : { aim }),
  });
  const scan = (moment: 'answered' | 'painted' | 'presented', key: 'p50' | 'p99', aim?: number): Figure => ({
    name: `scan to ${moment}, ${key}`,
    unit: 'frames',
    value: app[moment][key] / frameMs,
    peers: [{ name: 'the same page over a Map', value: overMap[moment][key] / frameMs }],
    ...(aim === undefined ? {} : { aim }),
  });
  if (torn > 0) {
    say(`${torn} scans were torn apart by a busy machine and do not count`);
  }
  return [share('p50'), share('p99'), scan('answered', 'p50'), scan('painted', 'p50'), scan('painted', 'p99', 2), scan('presented', 'p50'), scan('presented', 'p99')];
}

async function measureCount(directory: string, count: number, rounds: number): Promise<string> {
  const platform = await startPlatform(['--products', String(count)]);
  try {
    say(`${count} products: the store`);
    const store = await measureStore(directory, count);
    const goods = makeGoods(count);
    for (const name of ['full', 'none']) {
      provision(join(directory, name), platform);
    }
    const { path, fingerprint } = catalogueOf(join(directory, 'full'), platform.url);
    await fillCatalogue(path, fingerprint, goods, (cards) => {
      appendFileSync(join(directory, 'cards'), `${JSON.stringify(cards)}\n`);
    });
    say(`${count} products: start-up and memory`);
    const startUp = await measureStartUp(directory, platform.url, goods, makeGoods(Math.min(count, 5000)), rounds);
    say(`${count} products: Chromium`);
    const browser = await measureBrowser(directory, goods, platform, rounds);
    return writeTable(`${count.toLocaleString('en-GB')} products`, [...store, ...browser, ...startUp]);
  } finally {
    await platform.child.stop();
  }
}

async function measureQueue(directory: string, rounds: number): Promise<string> {
  const { enqueue, insert } = await measureEnqueue(directory, rounds);
  const durable = (key: 'p50' | 'p99'): Figure => ({ name: `coupon update made durable, ${key}`, unit: 'ms', value: enqueue[key], peers: [{ name: 'a bare SQLite insert, as durable', value: insert[key] }] });
  say(`the queue: ${backlog} updates on their way out`);
  const drains: DrainFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    drains.push(await measureDrain(join(directory, `drain-${round}`)));
  }
  const drained = (key: 'requests' | 'longestBlockMs' | 'longestBlockCpuMs'): number => median(drains.map((drain) => drain[key]));
  say('the queue: its list in Chromium');
  const counts = { short: 100, long: backlog };
  const platform = await startPlatform(['--products', '200']);
  const scrolled = await measureQueueScroll(directory, platform, counts, rounds);
  await platform.child.stop();
  const rows = (count: number): string => `the list with ${count.toLocaleString('en-GB')}`;
  return writeTable('queue', [
    { ...durable('p50'), aim: Number(digits(1.5 * insert.p50)) },
    durable('p99'),
    { name: `requests that carried ${backlog.toLocaleString('en-GB')} updates`, unit: 'requests', value: drained('requests'), peers: [], aim: backlog / 100 },
    { name: 'longest block of the main process meanwhile', unit: 'ms', value: drained('longestBlockMs'), peers: [{ name: "of the processor's time alone", value: drained('longestBlockCpuMs') }], aim: 50 },
    { name: `late frames in 4 s of scrolling, ${rows(counts.long)}`, unit: 'frames', value: scrolled.long.late, peers: [{ name: rows(counts.short), value: scrolled.short.late }], aim: scrolled.short.late },
    { name: `p99 of a frame while scrolling, ${rows(counts.long)}`, unit: 'ms', value: scrolled.long.p99Ms, peers: [{ name: rows(counts.short), value: scrolled.short.p99Ms }] },
  ]);
}

function readNumbers(text: string): readonly number[] {
  const numbers = text.split(',').map(Number);
  if (numbers.some((number) => !Number.isSafeInteger(number) || number < 100 || number > 1_000_000)) {
    throw new RangeError(`numbers of products are from 100 to 1000000, not "${text}"`);
  }
  return numbers;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { products: { type: 'string', default: '5000,100000' }, rounds: { type: 'string', default: '5' }, help: { type: 'boolean', default: false } } });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const rounds = Math.max(1, Math.min(100, Math.trunc(Number(values.rounds)) || 1));
  const counts = readNumbers(values.products);
  await buildStale(['renderer']);
  const [processor] = cpus();
  const print = (text: string): void => {
    process.stdout.write(`${text}\n\n`);
  };
  print(`Medians of ${rounds} rounds; a frame is 1/60 s; ${cpus().length} × ${processor?.model.trim() ?? 'processor'}, Node ${process.versions.node}.\nOther work at the start, as the system's load over a minute: ${digits(loadavg()[0] ?? Number.NaN)}; well above nought, the p99 of everything is that work's.`);
  for (const count of counts) {
    print(await inTemporaryFolder((directory) => measureCount(directory, count, rounds)));
  }
  say('the queue');
  print(await inTemporaryFolder((directory) => measureQueue(directory, rounds)));
}

await main();
