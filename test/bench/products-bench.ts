import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../build/launch.ts';
import { findElectron } from '../support/electron.ts';
import { launchPlatform, type Platform } from '../support/platform.ts';
import { measureCopying } from './sync.ts';
import { catalogueOf, fillCatalogue, makeProductData, type ProductData } from './fixtures.ts';
import { measureInElectron } from './in-electron.ts';
import { measureSearchPeers, type SearchPeer } from './search-peers.ts';
import { medianOf, startHostOnce, startJsonMapOnce, type StartUp } from './start-up.ts';
import { measureStockScroll, measureStockTable } from './stock-table.ts';
import { measureStore, typings } from './store-figures.ts';
import type { Figure } from './table.ts';
import { provision } from './terminal-host.ts';
import { measureWhileCopying } from './while-copying.ts';

const frameMs = 1000 / 60;
const megabyte = 1_000_000;
/**
 * More than that a page cannot well hold in a Map or write to IndexedDB in the time of a bench: those peers then have
 * these alone.
 */
const maxInPage = 100_000;

/** The parts of a measurement. */
interface Setting {
  readonly directory: string;
  readonly platform: Platform;
  readonly productData: ProductData;
  /** Those that the page's peers have. */
  readonly known: ProductData;
  readonly rounds: number;
}

function named(text: string, { known, productData }: Setting): string {
  return known.count < productData.count ? `${text} of the first ${known.count.toLocaleString('en-GB')}` : text;
}

async function startUpFigures(
  { directory, platform, productData, known, rounds }: Setting,
  peers: readonly SearchPeer[],
): Promise<readonly Figure[]> {
  const [full, one] = [join(directory, 'full'), join(directory, 'one')];
  // Nobody is signed in, and without any product nothing may be looked up.
  const single = makeProductData(1);
  const [cards, noCards] = [join(directory, 'cards'), join(directory, 'no-cards')];
  writeFileSync(noCards, '');
  const smallest = catalogueOf(one, platform.url);
  await fillCatalogue(smallest.path, smallest.fingerprint, single);
  const code = known.scannable[0]?.code ?? '';
  const starts: {
    readonly host: StartUp[];
    readonly hostOfOne: StartUp[];
    readonly map: StartUp[];
    readonly mapOfNone: StartUp[];
  } = { host: [], hostOfOne: [], map: [], mapOfNone: [] };
  for (let round = 0; round < rounds; round += 1) {
    starts.host.push(await startHostOnce(full, productData, productData, round));
    starts.hostOfOne.push(await startHostOnce(one, single, known, round));
    starts.map.push(await startJsonMapOnce(cards, code));
    starts.mapOfNone.push(await startJsonMapOnce(noCards, code));
  }
  const [host, hostOfOne, map, mapOfNone] = [
    medianOf(starts.host),
    medianOf(starts.hostOfOne),
    medianOf(starts.map),
    medianOf(starts.mapOfNone),
  ];
  return [
    {
      name: 'start of the host to first answered scan',
      unit: 'ms',
      value: host.startMs,
      peers: [
        { name: 'the host with one product', value: hostOfOne.startMs },
        { name: 'Node reading a JSON copy into a Map', value: map.startMs },
        { name: 'Node reading nothing', value: mapOfNone.startMs },
        ...peers.map((peer) => ({ name: `${peer.name} until it can search`, value: peer.buildMs })),
      ],
      aim: 1000,
    },
    {
      name: 'memory over a catalogue of one, after 500 lookups and 100 searches',
      unit: 'MB',
      value: (host.residentBytes - hostOfOne.residentBytes) / megabyte,
      peers: [
        { name: 'a Map of them in Node', value: (map.residentBytes - mapOfNone.residentBytes) / megabyte },
        ...peers.map((peer) => ({ name: `${peer.name}'s index`, value: peer.memoryBytes / megabyte })),
      ],
      aim: 50,
    },
  ];
}

const searchAimOf = (count: number): number => (count > 100_000 ? 20 : 5);

async function storeFigures(
  { directory, platform, productData, rounds }: Setting,
  peers: readonly SearchPeer[],
): Promise<readonly Figure[]> {
  const { path, fingerprint } = catalogueOf(join(directory, 'full'), platform.url);
  const { even, zipf, miss, find, map, pages, typed, adversarial } = await measureStore(
    path,
    fingerprint,
    productData,
    rounds,
  );
  const besideMap = (key: 'p50' | 'p99'): Figure['peers'] => [{ name: 'a Map in Node', value: map[key] }];
  const besideBoth = (key: 'p50' | 'p99'): Figure['peers'] => [
    ...besideMap(key),
    { name: 'three pages of its file, anywhere in it, only read', value: pages[key] },
  ];
  const besideSearch = (key: 'p50' | 'p99'): Figure['peers'] =>
    peers.map((peer) => ({
      name: peer.name === 'SQLite FTS5' ? 'SQLite FTS5 with trigrams' : `${peer.name} in memory`,
      value: peer[key],
    }));
  const searchAim = searchAimOf(productData.count);
  return [
    { name: 'barcode to card in the store, p50', unit: 'ms', value: even.p50, peers: besideBoth('p50') },
    { name: 'barcode to card in the store, p99', unit: 'ms', value: even.p99, peers: besideBoth('p99'), aim: 0.05 },
    {
      name: 'the same as scans fall in a shop (Zipf), p99',
      unit: 'ms',
      value: zipf.p99,
      peers: besideMap('p99'),
      aim: 0.05,
    },
    { name: 'a barcode that nobody has, p99', unit: 'ms', value: miss.p99, peers: besideMap('p99'), aim: 0.05 },
    { name: 'the whole lookup, remembered on disk, p99', unit: 'ms', value: find.p99, peers: besideMap('p99') },
    { name: 'search as typed, p50', unit: 'ms', value: typed.p50, peers: besideSearch('p50') },
    { name: 'search as typed, p99', unit: 'ms', value: typed.p99, peers: besideSearch('p99'), aim: searchAim },
    {
      name: 'search for what was made up to be slow, p99',
      unit: 'ms',
      value: adversarial.p99,
      peers: [],
      aim: searchAim,
    },
  ];
}

async function windowFigures(setting: Setting): Promise<readonly Figure[]> {
  const found = findElectron();
  if ('missing' in found) {
    say(`scans are not measured: ${found.missing}`);
    return [];
  }
  const { bridge, indexedDb, map, app, overMap, torn } = await measureInElectron(setting);
  const share = (key: 'p50' | 'p99'): Figure => ({
    name: `lookup over the bridge, ${key}`,
    unit: 'ms',
    value: bridge[key],
    peers: [
      { name: named('IndexedDB', setting), value: indexedDb[key] },
      { name: named('a Map in the page', setting), value: map[key] },
    ],
  });
  const scan = (moment: 'answered' | 'painted' | 'presented', key: 'p50' | 'p99', aim?: number): Figure => ({
    name: `scan to ${moment}, ${key}`,
    unit: 'frames',
    value: app[moment][key] / frameMs,
    peers: [{ name: named('the same page over a Map', setting), value: overMap[moment][key] / frameMs }],
    ...(aim === undefined ? {} : { aim }),
  });
  if (torn > 0) {
    say(`${torn} scans were torn apart by a busy machine and do not count`);
  }
  return [
    share('p50'),
    share('p99'),
    scan('answered', 'p50'),
    scan('painted', 'p50', 1),
    scan('painted', 'p99', 2),
    scan('presented', 'p50'),
    scan('presented', 'p99'),
  ];
}

async function copyingFigures({ directory, platform, productData }: Setting): Promise<readonly Figure[]> {
  const { maxBlockMs, maxBlockCpuMs, p99BlockMs, pageCpuMs } = await measureCopying(
    join(directory, 'full'),
    platform.url,
    productData,
  );
  const { path, fingerprint } = catalogueOf(join(directory, 'full'), platform.url);
  const { typed, firstScans, laterScans } = await measureWhileCopying(path, fingerprint, productData);
  return [
    {
      name: 'longest block of the main process while copying',
      unit: 'ms',
      value: maxBlockMs,
      peers: [{ name: "of the processor's time alone", value: maxBlockCpuMs }],
      aim: 16,
    },
    { name: 'the same, p99', unit: 'ms', value: p99BlockMs, peers: [] },
    { name: 'search as typed while copying, p50', unit: 'ms', value: typed.p50, peers: [] },
    {
      name: 'search as typed while copying, p99',
      unit: 'ms',
      value: typed.p99,
      peers: [],
      aim: searchAimOf(productData.count),
    },
    {
      name: 'the 31st to the 500th scan while copying, p50',
      unit: 'ms',
      value: laterScans.p50,
      peers: [{ name: 'the first 30', value: firstScans.p50 }],
      aim: firstScans.p50,
    },
    {
      name: 'the 31st to the 500th scan while copying, p99',
      unit: 'ms',
      value: laterScans.p99,
      peers: [{ name: 'the first 30', value: firstScans.p99 }],
    },
    { name: 'a page of the listing stored, in all', unit: 'ms', value: pageCpuMs, peers: [] },
  ];
}

/** Measures everything that depends on how many products there are. */
export async function measureProducts(directory: string, count: number, rounds: number): Promise<readonly Figure[]> {
  const platform = await launchPlatform(['--products', String(count)]);
  try {
    say(`${count} products: copying them`);
    const productData = makeProductData(count);
    const known = count > maxInPage ? makeProductData(maxInPage) : productData;
    const setting: Setting = { directory, platform, productData, known, rounds };
    for (const name of ['full', 'one']) {
      provision(join(directory, name), platform);
    }
    const { path, fingerprint } = catalogueOf(join(directory, 'full'), platform.url);
    let written = 0;
    const { rawBytes } = await fillCatalogue(path, fingerprint, productData, (cards) => {
      const line = `${JSON.stringify(cards)}\n`;
      appendFileSync(join(directory, 'cards'), line);
      if (written < maxInPage) {
        appendFileSync(join(directory, 'known-cards'), line);
      }
      written += cards.length;
    });
    const onDisk: Figure = {
      name: 'size on disk of a product beyond its own raw element',
      unit: 'bytes',
      value: (statSync(path).size - rawBytes) / count,
      peers: [{ name: 'the raw element', value: rawBytes / count }],
      aim: 400,
    };
    say(`${count} products: MiniSearch, FlexSearch and FTS5`);
    const peers = await measureSearchPeers(directory, join(directory, 'cards'), typings(productData, 1));
    say(`${count} products: the repository`);
    const repository = await storeFigures(setting, peers);
    const table = await measureStockTable(path, fingerprint, count);
    say(`${count} products: start-up and memory`);
    const startUp = await startUpFigures(setting, peers);
    say(`${count} products: the stock table in Chromium`);
    const scroll = await measureStockScroll(join(directory, 'full'), platform, rounds);
    say(`${count} products: the window`);
    const inWindow = await windowFigures(setting);
    say(`${count} products: copying over them`);
    const copying = await copyingFigures(setting);
    return [...repository, onDisk, ...startUp, ...copying, ...table, ...scroll, ...inWindow];
  } finally {
    await platform.child.stop();
  }
}
