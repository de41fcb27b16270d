import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Bottleneck from 'bottleneck';
import PQueue from 'p-queue';
import { temporaryRoot } from '../simulation/temporary-root.ts';
import { createSeededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { createWorld, type World } from '../simulation/virtual-clock.ts';
import {
  createListingPlatform,
  idOf,
  listingUrl,
  openListingWorld,
  type LimitWindow,
  type ListingPlatform,
} from '../support/listing-world.ts';
import { installSimulatedGlobals } from './faults/simulated-globals.ts';
import { digits } from './statistics.ts';

const pageSize = 100;
const limit = 60;
/** Slots that Tillside keeps for a scan (app/rate-limit/rules.ts). */
const reserve = 3;
const minuteMs = 60_000;
const maxMs = 10 * 24 * 3_600_000;
/** Between two scans, on average. */
const scanGapMs = 10_000;
const pausedMs = 5_000;

const listingPolicies = ['Tillside', 'p-queue', 'p-queue strict', 'Bottleneck'] as const;
type ListingPolicy = (typeof listingPolicies)[number];

interface ListingFigures {
  readonly policy: ListingPolicy;
  readonly products: number;
  readonly limitWindow: LimitWindow;
  readonly latencyMs: number;
  /** From the start until the copy was complete. */
  readonly tookMs: number;
  /** pages / (60 − reserve − scans made a minute), in milliseconds. */
  readonly idealMs: number;
  readonly refused: number;
  readonly scans: number;
  /** From a scan until its live call left. */
  readonly maxWaitMs: number;
  readonly scansLate: number;
  readonly maxInSlidingMinute: number;
}

/** Waits for these scans, noted as they leave. */
interface Scans {
  begin(): void;
  stop(): void;
  readonly waitsMs: number[];
}

/** People who scan at this distance, on average, each scan another product. */
function createScans(
  world: World,
  random: SeededRandom,
  platform: ListingPlatform,
  products: number,
  call: (productId: number) => void,
): Scans {
  const waitsMs: number[] = [];
  const askedAtMs = new Map<string, number>();
  let isOver = false;
  platform.onSend = (path) => {
    const productId = /products\/(\d+)\/balance$/.exec(path)?.[1];
    const atMs = productId === undefined ? undefined : askedAtMs.get(productId);
    if (productId !== undefined && atMs !== undefined) {
      askedAtMs.delete(productId);
      waitsMs.push(world.nowMs() - atMs);
    }
  };
  const next = (): void => {
    world.after(random.waitMs(scanGapMs), () => {
      if (isOver) {
        return;
      }
      const productId = 1_000_000 + random.integer(0, products - 1);
      if (!askedAtMs.has(String(productId))) {
        askedAtMs.set(String(productId), world.nowMs());
        call(productId);
      }
      next();
    });
  };
  return {
    waitsMs,
    begin: next,
    stop: () => {
      isOver = true;
      // Who still waits has waited until now.
      waitsMs.push(...[...askedAtMs.values()].map((atMs) => world.nowMs() - atMs));
    },
  };
}

function figuresOf(
  policy: ListingPolicy,
  options: ListingOptions,
  world: World,
  platform: ListingPlatform,
  { waitsMs }: Scans,
): ListingFigures {
  const { products, limitWindow, latencyMs } = options;
  const tookMs = world.nowMs();
  const scansAMinute = waitsMs.length / (tookMs / minuteMs);
  return {
    policy,
    products,
    limitWindow,
    latencyMs,
    tookMs,
    idealMs: (products / pageSize / (limit - reserve - scansAMinute)) * minuteMs,
    refused: platform.refused(),
    scans: waitsMs.length,
    maxWaitMs: Math.max(0, ...waitsMs),
    scansLate: waitsMs.filter((waitMs) => waitMs > 50).length,
    maxInSlidingMinute: platform.maxSeen().sliding,
  };
}

interface ListingOptions {
  readonly products: number;
  readonly limitWindow: LimitWindow;
  readonly latencyMs: number;
}

/** Between a half and one and a half of it. */
function jitter(random: SeededRandom, latencyMs: number): () => number {
  return () => Math.round(latencyMs * (0.5 + random.fraction()));
}

/** Tillside's own: the real rate limit, client, store and copying, with its files below this folder. */
async function measureListing(directory: string, options: ListingOptions): Promise<ListingFigures> {
  const { products, limitWindow, latencyMs } = options;
  const random = createSeededRandom(`listing ${products} ${latencyMs}`);
  const own = await openListingWorld(directory, 'listing', {
    products,
    limitWindow,
    latencyMs: jitter(random.fork('latency'), latencyMs),
  });
  const { world, catalogue, platform } = own;
  try {
    const scans = createScans(
      world,
      random.fork('scans'),
      platform,
      products,
      (productId) => void catalogue.refresh(idOf(1), idOf(productId)),
    );
    scans.begin();
    catalogue.start();
    await world.runUntil(maxMs, () => catalogue.state().stocks.every(({ completeAsOf }) => completeAsOf !== null));
    scans.stop();
    if (catalogue.state().copied !== products) {
      throw new Error(`${catalogue.state().copied} of ${products} products were copied`);
    }
    return figuresOf('Tillside', options, world, platform, scans);
  } finally {
    own.close();
  }
}

/** Runs the action when its turn comes, and answers what it does. */
type Schedule = (isScan: boolean, action: () => Promise<number>) => Promise<number>;

function scheduleOf(policy: Exclude<ListingPolicy, 'Tillside'>): Schedule {
  if (policy === 'Bottleneck') {
    const limiter = new Bottleneck({
      maxConcurrent: 6,
      reservoir: limit,
      reservoirRefreshAmount: limit,
      reservoirRefreshInterval: minuteMs,
    });
    return (isScan, action) => limiter.schedule({ priority: isScan ? 1 : 5 }, action);
  }
  const queue = new PQueue({
    concurrency: 6,
    intervalCap: limit,
    interval: minuteMs,
    strict: policy === 'p-queue strict',
  });
  return (isScan, action) => queue.add(action, { priority: isScan ? 1 : 0 });
}

/**
 * A library's limiter with the same 60 a minute, six at a time, scans first; a refused page waits 5 s and is asked for
 * again. It counts the products and stores nothing.
 */
async function measurePeerListing(
  policy: Exclude<ListingPolicy, 'Tillside'>,
  options: ListingOptions,
): Promise<ListingFigures> {
  const { products, limitWindow, latencyMs } = options;
  const random = createSeededRandom(`listing ${products} ${latencyMs}`);
  const world = createWorld();
  const platform = createListingPlatform(world, random.fork('platform'), {
    products,
    limitWindow,
    latencyMs: jitter(random.fork('latency'), latencyMs),
    element: () => '0',
  });
  const restore = installSimulatedGlobals(world, random.fork('globals'), () => 0);
  try {
    const schedule = scheduleOf(policy);
    const ask = async (isScan: boolean, path: string): Promise<void> => {
      const send = async (): Promise<number> => {
        const answer = await platform.send({
          method: 'GET',
          url: listingUrl + path,
          headers: {},
          timeoutMs: minuteMs,
          maxBytes: 1e9,
        });
        return answer.ok ? answer.value.status : 0;
      };
      while ((await schedule(isScan, send)) === 429) {
        await new Promise<void>((resolve) => {
          world.after(pausedMs, resolve);
        });
      }
    };
    const scans = createScans(
      world,
      random.fork('scans'),
      platform,
      products,
      (productId) => void ask(true, `/api/v3/stocks/1/products/${productId}/balance`),
    );
    scans.begin();
    let left = Math.ceil(products / pageSize);
    let next = 1;
    const work = async (): Promise<void> => {
      for (let page = next; page <= Math.ceil(products / pageSize); page = next) {
        next += 1;
        await ask(false, `/api/v3/stocks/1/products?page=${page}&per_page=${pageSize}`);
        left -= 1;
      }
    };
    for (let worker = 0; worker < 6; worker += 1) {
      void work();
    }
    await world.runUntil(maxMs, () => left === 0);
    scans.stop();
    return figuresOf(policy, options, world, platform, scans);
  } finally {
    restore();
  }
}

/** One row for each policy and each reading of the limit. */
export async function measureListings(
  products: number,
  latencyMs: number,
  onDone: (figures: ListingFigures) => void = () => undefined,
): Promise<readonly ListingFigures[]> {
  const all: ListingFigures[] = [];
  const root = mkdtempSync(join(temporaryRoot, 'tillside-listing-'));
  try {
    for (const limitWindow of ['sliding', 'fixed'] as const) {
      for (const policy of listingPolicies) {
        const directory = join(root, limitWindow);
        mkdirSync(directory, { recursive: true });
        const options = { products, limitWindow, latencyMs };
        const figures =
          policy === 'Tillside' ? await measureListing(directory, options) : await measurePeerListing(policy, options);
        rmSync(directory, { recursive: true, force: true });
        all.push(figures);
        onDone(figures);
      }
    }
    return all;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function minutes(timeMs: number): string {
  return digits(timeMs / minuteMs);
}

/** One line of the table. */
function lineOf({
  policy,
  products,
  limitWindow,
  latencyMs,
  tookMs,
  idealMs,
  refused,
  scans,
  maxWaitMs,
  scansLate,
  maxInSlidingMinute,
}: ListingFigures): string {
  const cells = [
    products.toLocaleString('en-GB'),
    `${latencyMs / 1000} s`,
    limitWindow,
    policy,
    minutes(tookMs),
    `${minutes(idealMs)} (${tookMs <= idealMs ? '−' : '+'}${digits(Math.abs((100 * (tookMs - idealMs)) / idealMs))} %)`,
    String(refused),
    String(maxInSlidingMinute),
    `${Math.round(maxWaitMs)} ms`,
    `${scansLate} of ${scans}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const heading = [
  'products',
  'latency',
  'limit counted in',
  'by',
  'minutes',
  'pages / (60 − 3 − scans)',
  '429s',
  'most in 60 s',
  'longest wait of a scan',
  'scans over 50 ms',
];

/** The table of all of them. */
export function writeListingTable(all: readonly ListingFigures[]): string {
  return [`| ${heading.join(' | ')} |`, `| ${heading.map(() => '---').join(' | ')} |`, ...all.map(lineOf)].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      products: { type: 'string', default: '10000,100000' },
      latency: { type: 'string', default: '200,1000,3000' },
    },
  });
  const all: ListingFigures[] = [];
  for (const products of values.products.split(',').map(Number)) {
    for (const latencyMs of values.latency.split(',').map(Number)) {
      all.push(
        ...(await measureListings(products, latencyMs, (figures) => process.stderr.write(`${lineOf(figures)}\n`))),
      );
    }
  }
  process.stdout.write(`${writeListingTable(all)}\n`);
}
