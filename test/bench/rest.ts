// A till at rest, beside a bare window of the same runtime: nobody at the keyboard, the copy complete, the last
// scan's product on the screen.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { cardOf, connect, lookAtPlatform, seeConnection, seeCopyComplete, signIn } from '../e2e/story.ts';
import { startChild, type Child } from '../support/child.ts';
import { electronCommand } from '../support/electron.ts';
import { listening, seePage } from '../support/packaged.ts';
import { startPlatform } from '../support/platform.ts';
import { scan } from '../support/wedge.ts';
import { layBareApp, windowTitle } from './bare-app.ts';
import { readTree } from './process-tree.ts';
import { median } from './statistics.ts';
import type { Figure } from './table.ts';

const products = 300;
/** What a start leaves to be done is over by then: compiled code is kept, heaps are swept, caches are written. */
const settleMs = 120_000;
const restMs = 60_000;
const minute = 60_000;
const megabyte = 1_000_000;

interface Rest {
  /** A minute. */
  readonly wakeUps: number;
  readonly processorMs: number;
  /** An hour. */
  readonly writtenBytes: number;
  readonly residentBytes: number;
}

async function watchRest({ process: { pid = 0 } }: Child): Promise<Rest> {
  await sleep(settleMs);
  const [before, startedAt] = [readTree(pid), performance.now()];
  await sleep(restMs);
  const after = readTree(pid);
  const minutes = (performance.now() - startedAt) / minute;
  return {
    wakeUps: (after.wakeUps - before.wakeUps) / minutes,
    processorMs: (after.processorMs - before.processorMs) / minutes,
    writtenBytes: ((after.writtenBytes - before.writtenBytes) / minutes) * 60,
    residentBytes: after.residentBytes,
  };
}

/** Starts the app, and answers it with the address at which its page can be driven. */
async function start(
  flags: readonly string[],
  app?: string,
): Promise<{ readonly child: Child; readonly address: string }> {
  const { path, parameters } = electronCommand(flags, app);
  const child = startChild(path, [...parameters, '--remote-debugging-port=0']);
  const [, address = '', port = ''] = await child.waitForErrorLine(listening);
  await seePage(Number(port), windowTitle);
  return { child, address };
}

/** Drives the page, and leaves it alone again: what watches a page wakes it. */
async function drive(address: string, action: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.connectOverCDP(address);
  const page = browser.contexts()[0]?.pages()[0];
  if (page === undefined) {
    throw new Error('no page');
  }
  await action(page);
  await browser.close();
}

interface Round {
  readonly online: Rest;
  readonly offline: Rest;
  readonly bare: Rest;
}

async function measureRound(directory: string): Promise<Round> {
  const platform = await startPlatform(['--products', String(products)]);
  const { product } = await lookAtPlatform(platform);
  const { child, address } = await start(['--data-dir', join(directory, 'data'), '--lang', 'en']);
  try {
    await drive(address, async (page) => {
      await connect(page, platform);
      await signIn(page, platform);
      await seeCopyComplete(page);
      await scan(page, product.barcode);
      await cardOf(page, product.name).waitFor();
    });
    const online = await watchRest(child);
    await platform.child.stop('SIGKILL');
    await drive(address, async (page) => {
      await scan(page, product.barcode);
      await seeConnection(page, 'Offline');
    });
    const offline = await watchRest(child);
    await child.stop('SIGKILL');
    const bare = await start([], layBareApp(join(directory, 'bare')));
    const rest = await watchRest(bare.child);
    await bare.child.stop('SIGKILL');
    return { online, offline, bare: rest };
  } finally {
    await platform.child.stop('SIGKILL');
    await child.stop('SIGKILL');
  }
}

/** Measures the built app at rest; needs Linux, an Electron runtime and a display. */
export async function measureRest(directory: string, rounds: number): Promise<readonly Figure[]> {
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await measureRound(join(directory, `round-${round}`)));
  }
  const of = (state: keyof Round, what: keyof Rest): number => median(measured.map((round) => round[state][what]));
  const beside = (what: keyof Rest, scale = 1) => [{ name: 'a bare window', value: of('bare', what) / scale }];
  return (['online', 'offline'] as const).flatMap((state): readonly Figure[] => [
    {
      name: `wake-ups a minute, ${state}`,
      unit: 'wake-ups',
      value: of(state, 'wakeUps'),
      peers: beside('wakeUps'),
      aim: Math.round(3 * of('bare', 'wakeUps') + 20),
    },
    {
      name: `processor a minute, ${state}`,
      unit: 'ms',
      value: of(state, 'processorMs'),
      peers: beside('processorMs'),
      aim: 50,
    },
    {
      name: `written to disk an hour, ${state}`,
      unit: 'MB',
      value: of(state, 'writtenBytes') / megabyte,
      peers: beside('writtenBytes', megabyte),
      aim: 1,
    },
    {
      name: `memory, ${products} products, ${state}`,
      unit: 'MB',
      value: of(state, 'residentBytes') / megabyte,
      peers: beside('residentBytes', megabyte),
    },
  ]);
}
