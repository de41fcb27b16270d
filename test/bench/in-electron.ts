import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { invoke, seeConnection, signIn } from '../e2e/story.ts';
import type { Platform } from '../support/platform.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { scan } from '../support/wedge.ts';
import { layBareApp } from './bare-app.ts';
import { pick, type ProductData, type Scannable } from './fixtures.ts';
import { startMapServer } from './map-server.ts';
import { fillIndexedDb, lookUpInIndexedDb, lookUpInMap, lookUpOverWall } from './page-lookups.ts';
import { scanWatchScript, type ScanTimes, type ScanWatch } from './scan-watch.ts';
import { spreadOf, type Spread } from './statistics.ts';
import { startWindow } from './window.ts';

type WatchedWindow = Window & { readonly scanWatch: ScanWatch };

/** As a scanner that acts as a keyboard types. */
const keyGapMs = 5;
const pauseMs = 80;
const scansARound = 200;
const lookupsARound = 300;
const patienceMs = 120_000;
const scanPatienceMs = 2000;

/** The things to close in the end, the last first. */
type Closers = (() => Promise<unknown>)[];

async function openWindow(closers: Closers, flags: readonly string[], app?: string): Promise<Page> {
  const { child, openPage } = await startWindow(flags, app);
  closers.push(() => child.stop('SIGKILL'));
  const page = await openPage();
  page.setDefaultTimeout(patienceMs);
  return page;
}

/** Loads the page anew, with the stopwatch before the app's own scripts. */
async function installStopwatch(page: Page): Promise<void> {
  await page.addInitScript(scanWatchScript);
  await page.reload();
  await page.getByRole('textbox', { name: 'Barcode, code or name' }).waitFor();
}

/** Opens the app's window, signs in, ends the platform and waits until the terminal knows that it is offline. */
async function openApp(closers: Closers, dataDirectory: string, product: Scannable, platform: Platform): Promise<Page> {
  const flags = ['--data-dir', dataDirectory, '--lang', 'en', '--provision', join(dataDirectory, 'provision.json')];
  const page = await openWindow(closers, flags);
  await signIn(page, platform);
  await page.getByRole('textbox', { name: 'Barcode, code or name' }).waitFor();
  await platform.child.stop();
  await scan(page, product.code);
  await seeConnection(page, 'Offline');
  await installStopwatch(page);
  return page;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

async function type(session: CDPSession, text: string): Promise<void> {
  const startedAt = performance.now();
  const keys = [...text].map((key) => ({
    key,
    code: `Digit${key}`,
    text: key,
    windowsVirtualKeyCode: key.charCodeAt(0),
  }));
  const enter = { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 };
  const sent: Promise<unknown>[] = [];
  for (const [index, { text: character, ...key }] of [...keys, enter].entries()) {
    // Nothing is waited for but the time: a scanner does not wait for the page either.
    await wait(Math.max(0, startedAt + index * keyGapMs - performance.now()));
    sent.push(
      session.send('Input.dispatchKeyEvent', { ...key, type: 'keyDown', text: character }),
      session.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' }),
    );
  }
  await Promise.all(sent);
}

/** The result of scanning many products. */
interface Scans {
  readonly times: readonly ScanTimes[];
  /** Scans whose keys a busy machine tore so far apart that no scanner could have typed them. */
  readonly torn: number;
}

/**
 * Scans these products one after the other, each when the one before is on the screen and the page has come to rest.
 * Throws when none is shown.
 */
async function scanAll(page: Page, products: readonly Scannable[], fraction: () => number): Promise<Scans> {
  const session = await page.context().newCDPSession(page);
  const times: ScanTimes[] = [];
  for (const { code, name } of products) {
    const painted = page.evaluate(
      ([wanted, patience]) =>
        Promise.race([
          (window as unknown as WatchedWindow).scanWatch.next(wanted),
          new Promise<null>((resolve) => {
            setTimeout(resolve, patience, null);
          }),
        ]),
      [name, scanPatienceMs] as const,
    );
    // A scan may come at any moment between two frames.
    await wait(pauseMs + fraction() * 17);
    await type(session, code);
    const measured = await painted;
    if (measured !== null) {
      times.push(measured);
    }
  }
  await session.detach();
  if (times.length === 0) {
    throw new Error(`none of ${products.length} scans was shown by ${page.url()}`);
  }
  return { times, torn: products.length - times.length };
}

type ScanSpreads = Readonly<Record<'answered' | 'painted' | 'presented', Spread>>;

function spreadsOf(rounds: readonly Scans[]): ScanSpreads {
  const of = (key: keyof ScanTimes): Spread => spreadOf(rounds.map(({ times }) => times.map((time) => time[key])));
  return { answered: of('answeredMs'), painted: of('paintedMs'), presented: of('presentedMs') };
}

/** The figures that are measured in a page. */
interface ElectronFigures {
  readonly bridge: Spread;
  readonly indexedDb: Spread;
  readonly map: Spread;
  readonly app: ScanSpreads;
  readonly overMap: ScanSpreads;
  readonly torn: number;
}

/**
 * Takes all of it in Electron, turn by turn; ends the platform on the way. `directory` holds the copy in `full`, and a
 * JSON list of cards a line, those of `known`, in `known-cards`. Needs a display.
 */
export async function measureInElectron(options: {
  readonly directory: string;
  readonly productData: ProductData;
  readonly known: ProductData;
  readonly platform: Platform;
  readonly rounds: number;
}): Promise<ElectronFigures> {
  const { directory, productData, known, platform, rounds } = options;
  const [first] = pick(productData, 1, 0);
  if (first === undefined) {
    throw new Error('no product');
  }
  const closers: Closers = [];
  try {
    const page = await openApp(closers, join(directory, 'full'), first, platform);
    const state = (await invoke(page, 'terminal:read')) as { readonly value: unknown };
    const server = await startMapServer(join(directory, 'known-cards'), state.value);
    closers.push(server.close);
    const mapPage = await openWindow(closers, [], layBareApp(join(directory, 'bare'), server.origin));
    await installStopwatch(mapPage);
    await fillIndexedDb(mapPage);
    const walls: number[][] = [];
    const databases: number[][] = [];
    const maps: number[][] = [];
    const scans: Scans[] = [];
    const mapScans: Scans[] = [];
    // The first round warms up what every till has warm by its first customer, and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const codesOf = (some: ProductData): string[] => pick(some, lookupsARound, round).map(({ code }) => code);
      walls.push(await lookUpOverWall(page, codesOf(productData)));
      databases.push(await lookUpInIndexedDb(mapPage, codesOf(known)));
      maps.push(await lookUpInMap(mapPage, codesOf(known)));
      const productsOf = (some: ProductData): readonly Scannable[] =>
        pick(some, round === 0 ? scansARound / 4 : scansARound, 100 + round);
      scans.push(await scanAll(page, productsOf(productData), createSeededRandom(`scans ${round}`).fraction));
      mapScans.push(await scanAll(mapPage, productsOf(known), createSeededRandom(`scans ${round}`).fraction));
    }
    const torn = [...scans, ...mapScans].reduce((sum, one) => sum + one.torn, 0);
    const counted = <Round>(all: readonly Round[]): readonly Round[] => all.slice(1);
    return {
      bridge: spreadOf(counted(walls)),
      indexedDb: spreadOf(counted(databases)),
      map: spreadOf(counted(maps)),
      app: spreadsOf(counted(scans)),
      overMap: spreadsOf(counted(mapScans)),
      torn,
    };
  } finally {
    for (const close of closers.toReversed()) {
      await close();
    }
  }
}
