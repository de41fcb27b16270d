// A till at rest, beside a bare window of the same runtime: nobody at the keyboard, the copy complete, the last
// scan's product on the screen.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { cardOf, connect, lookAtPlatform, seeConnection, seeCopyComplete, signIn } from '../e2e/story.ts';
import type { Child } from '../support/child.ts';
import { launchPlatform, type Platform } from '../support/platform.ts';
import { scan } from '../support/wedge.ts';
import { layBareApp } from './bare-app.ts';
import { catalogueOf, fillCatalogue, makeProductData, pick } from './fixtures.ts';
import { readTree } from './process-tree.ts';
import { median } from './statistics.ts';
import type { Figure } from './table.ts';
import { provision } from './terminal-host.ts';
import { startWindow, type RunningWindow } from './window.ts';

const products = 300;
/** The work that a start leaves is over by then: compiled code is kept, heaps are swept, caches are written. */
const settleMs = 120_000;
/** Changes are asked for so often at rest: one question lies in it, whenever it begins. */
const restMs = 120_000;
const minute = 60_000;
/** The tray learns of the choice before the window is closed. */
const traySettleMs = 1000;
const scansBeforeWeighing = 30;
const weighSettleMs = 30_000;
/** In megabytes. */
const memoryAims = [
  { count: 5_000, aim: 60 },
  { count: 100_000, aim: 80 },
  { count: 1_000_000, aim: 120 },
] as const;
const megabyte = 1_000_000;

interface Rest {
  /** A minute. */
  readonly wakeUps: number;
  readonly processorMs: number;
  /** An hour. */
  readonly writtenBytes: number;
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
  };
}

/** Drives the page, and leaves it alone again. */
async function drive({ openPage }: RunningWindow, action: (page: Page) => Promise<void>): Promise<void> {
  const page = await openPage();
  try {
    await action(page);
  } finally {
    await page.context().browser()?.close();
  }
}

const states = ['online', 'offline', 'in the tray', 'bare'] as const;
type State = (typeof states)[number];

/**
 * Lays down what the runtime reads before the app: at a signal it closes the window, as a hand on its button does. What
 * is said the first time that happens is answered.
 */
function layCloser(path: string): string {
  writeFileSync(
    path,
    `const { BrowserWindow, dialog } = require('electron');
dialog.showMessageBox = () => Promise.resolve({ response: 0 });
process.on('SIGUSR2', () => {
  const window = BrowserWindow.getAllWindows().find((one) => one.isVisible());
  window.once('hide', () => console.log('hidden'));
  window.close();
});
`,
  );
  return path;
}

/** From now on a window that is closed goes on in the tray. */
async function keepInTray(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { tillside } = window as unknown as {
      tillside: { invoke(channel: string, input: unknown): Promise<unknown> };
    };
    await tillside.invoke('settings:update', { companion: { shortcut: null, hideAfterSeconds: 0, keepInTray: true } });
  });
  await sleep(traySettleMs);
}

/** Starts a terminal, and brings it to this state. */
async function bringTo(state: Exclude<State, 'bare'>, data: string, platform: Platform): Promise<RunningWindow> {
  const { product } = await lookAtPlatform(platform);
  mkdirSync(data, { recursive: true });
  const running = await startWindow(['--data-dir', data, '--lang', 'en'], undefined, [
    '-r',
    layCloser(join(data, 'closer.cjs')),
  ]);
  await drive(running, async (page) => {
    await connect(page, platform);
    await signIn(page, platform);
    await seeCopyComplete(page);
    await scan(page, product.barcode);
    await cardOf(page, product.name).waitFor();
    if (state === 'in the tray') {
      await keepInTray(page);
    }
    if (state === 'offline') {
      await platform.child.stop('SIGKILL');
      await scan(page, product.barcode);
      await seeConnection(page, 'Offline');
    }
  });
  // Whoever drives a page keeps it awake, shown or not.
  if (state === 'in the tray') {
    running.child.process.kill('SIGUSR2');
    await running.child.waitForLine(/^hidden$/);
  }
  return running;
}

/** All at once: what wakes a process of one wakes none of another, and each round is as long as one of them. */
async function measureRound(directory: string): Promise<Readonly<Record<State, Rest>>> {
  const platforms: Platform[] = [];
  const windows = new Map<State, RunningWindow>();
  try {
    for (const state of states) {
      if (state === 'bare') {
        windows.set(state, await startWindow([], layBareApp(join(directory, state))));
      } else {
        const platform = await launchPlatform(['--products', String(products)]);
        platforms.push(platform);
        windows.set(state, await bringTo(state, join(directory, state), platform));
      }
    }
    const watched = await Promise.all(
      [...windows].map(async ([state, { child }]) => [state, await watchRest(child)] as const),
    );
    // One that hangs is at rest as well.
    for (const { openPage } of windows.values()) {
      await openPage();
    }
    return Object.fromEntries(watched) as Record<State, Rest>;
  } finally {
    await Promise.all([...windows.values(), ...platforms].map(({ child }) => child.stop('SIGKILL')));
  }
}

/** A terminal with a copy of so many products, in a folder of its own. */
async function layTerminal(data: string, count: number, platform: Platform) {
  provision(data, platform);
  const productData = makeProductData(count);
  const { path, fingerprint } = catalogueOf(data, platform.url);
  await fillCatalogue(path, fingerprint, productData);
  return { data, productData };
}

/** Of all its processes after scans and searches, in bytes. */
async function weigh({ data, productData }: Awaited<ReturnType<typeof layTerminal>>, round: number): Promise<number> {
  const running = await startWindow(['--data-dir', data, '--lang', 'en', '--provision', join(data, 'provision.json')]);
  const { child } = running;
  try {
    await drive(running, async (page) => {
      await page.locator('main').waitFor();
      for (const { code, name } of pick(productData, scansBeforeWeighing, round)) {
        await scan(page, code);
        await cardOf(page, name).waitFor();
      }
      for (const { name } of pick(productData, scansBeforeWeighing, round + 1)) {
        await page.locator('.finder-input').fill(name.slice(0, 8));
        await page.getByRole('option').first().waitFor();
      }
    });
    await sleep(weighSettleMs);
    return readTree(child.process.pid ?? 0).residentBytes;
  } finally {
    await child.stop('SIGKILL');
  }
}

async function weighBare(directory: string): Promise<number> {
  const { child } = await startWindow([], layBareApp(directory));
  try {
    await sleep(weighSettleMs);
    return readTree(child.process.pid ?? 0).residentBytes;
  } finally {
    await child.stop('SIGKILL');
  }
}

async function measureMemory(directory: string, rounds: number): Promise<readonly Figure[]> {
  const platform = await launchPlatform(['--products', '200']);
  const measured: { readonly bare: number; readonly ours: readonly number[] }[] = [];
  try {
    const terminals: Awaited<ReturnType<typeof layTerminal>>[] = [];
    for (const { count } of memoryAims) {
      terminals.push(await layTerminal(join(directory, `memory-${count}`), count, platform));
    }
    for (let round = 0; round < rounds; round += 1) {
      const bare = await weighBare(join(directory, `bare-${round}`));
      const ours: number[] = [];
      for (const terminal of terminals) {
        ours.push(await weigh(terminal, round));
      }
      measured.push({ bare, ours });
    }
  } finally {
    await platform.child.stop('SIGKILL');
  }
  return memoryAims.map(({ count, aim }, index) => {
    const values = measured.map(({ bare, ours }) => ((ours[index] ?? Number.NaN) - bare) / megabyte);
    return {
      name: `memory above a bare window, ${count.toLocaleString('en-GB')} products`,
      unit: 'MB',
      value: median(values),
      spread: values,
      peers: [{ name: 'the bare window', value: median(measured.map(({ bare }) => bare)) / megabyte }],
      aim,
    };
  });
}

/** Measures the built app at rest; needs Linux, an Electron runtime and a display. */
export async function measureRest(directory: string, rounds: number): Promise<readonly Figure[]> {
  const measured: Readonly<Record<State, Rest>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await measureRound(join(directory, `round-${round}`)));
  }
  const figure = (name: string, unit: Figure['unit'], key: keyof Rest, aim: number, scale = 1) => {
    const valuesOf = (state: State): readonly number[] => measured.map((round) => round[state][key] / scale);
    const bare = valuesOf('bare');
    return (['online', 'offline', 'in the tray'] as const).map((state): Figure => {
      const values = valuesOf(state);
      return {
        name: `${name}, ${state}`,
        unit,
        value: median(values),
        spread: values,
        peers: [{ name: 'a bare window', value: median(bare), spread: bare }],
        aim,
      };
    });
  };
  const bareWakeUps = median(measured.map(({ bare }) => bare.wakeUps));
  return [
    ...figure('wake-ups a minute', 'wake-ups', 'wakeUps', Math.round(3 * bareWakeUps + 20)),
    ...figure('processor a minute', 'ms', 'processorMs', 50),
    ...figure('written to disk an hour', 'MB', 'writtenBytes', 1, megabyte),
    ...(await measureMemory(directory, rounds)),
  ];
}
