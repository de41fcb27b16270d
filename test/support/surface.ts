import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowserHost } from './browser-host.ts';
import { orderlyEnd } from './child.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { findElectron, launchElectron } from './electron.ts';
import { launchPackaged, whyNoPackage, type PackagedSession } from './packaged.ts';
import { temporaryDirectory } from './temporary.ts';
import { launchOnWindows, windowsPackage } from './windows.ts';

const patienceMs = 20_000;

/** Tillside on the screen. */
export interface Running {
  readonly page: Page;
  /** The page's complaints so far; a test wants none. */
  readonly complaints: readonly string[];
  /** Does what makes the page hand over a file, and answers the file, saved without a dialogue. */
  save(action: () => Promise<void>): Promise<{ readonly name: string; readonly text: string }>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Ends it as a person would. */
  close(): Promise<void>;
}

export interface Surface {
  readonly name: string;
  /** Why it cannot be had here; null when it can. */
  readonly missing: string | null;
  /** Whether its absence is a failure and no reason to skip. */
  readonly isRequired: boolean;
  /** Starts Tillside on this data directory in English unless the flags say otherwise. */
  start(dataDirectory: string, flags?: readonly string[]): Promise<Running>;
}

function isSet(variable: string): boolean {
  return !['', '0', 'false', undefined].includes(process.env[variable]);
}

const inChromium: Surface = {
  name: 'in Chromium',
  missing: findChromium() === null ? 'no Chromium' : null,
  isRequired: isSet('CI'),
  start: async (dataDirectory, flags = ['--lang', 'en']) => {
    const host = await startBrowserHost(['--data-dir', dataDirectory, ...flags]);
    const chromium = await launchChromium();
    const { page, watch } = await chromium.open(host.url);
    page.setDefaultTimeout(patienceMs);
    return {
      page,
      complaints: watch.complaints,
      save: async (action) => {
        const [download] = await Promise.all([page.waitForEvent('download'), action()]);
        return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
      },
      kill: async () => {
        await host.child.stop('SIGKILL');
        await chromium.close();
      },
      close: async () => {
        await chromium.close();
        const { code } = await host.child.stop();
        if (code !== orderlyEnd('SIGTERM').code) {
          throw new Error(`the browser host ended with ${String(code)}:\n${host.child.errorLines.join('\n')}`);
        }
      },
    };
  },
};

const electron = findElectron();
const inElectron: Surface = {
  name: 'in Electron',
  missing: 'missing' in electron ? electron.missing : null,
  isRequired: isSet('TILLSIDE_REQUIRE_ELECTRON'),
  start: async (dataDirectory, flags = ['--lang', 'en']) => {
    const { application, page, watch, kill, close } = await launchElectron(['--data-dir', dataDirectory, ...flags]);
    page.setDefaultTimeout(patienceMs);
    const save: Running['save'] = async (action) => {
      // Among what Tillside keeps nothing is saved.
      const folder = temporaryDirectory();
      // Listens after the app itself, which may have refused by then.
      const listening = await application.evaluateHandle(({ session }, saveIn) => {
        const saved = new Promise<string>((resolve) => {
          session.defaultSession.once('will-download', (event, item) => {
            if (event.defaultPrevented) {
              resolve('');
              return;
            }
            item.setSavePath(`${saveIn}/${item.getFilename()}`);
            item.once('done', () => resolve(item.getFilename()));
          });
        });
        return { saved };
      }, folder);
      await action();
      const name = await listening.evaluate(({ saved }) => saved);
      return { name, text: readFileSync(join(folder, name), 'utf8') };
    };
    return { page, complaints: watch.complaints, save, kill, close };
  },
};

interface HandedOver {
  readonly name: string;
  readonly text: string;
}

/** The packaged app as this starts it. */
const packagedBy =
  (launch: (flags: readonly string[]) => Promise<PackagedSession>): Surface['start'] =>
  async (dataDirectory, flags = ['--lang', 'en']) => {
    const { page, watch, kill, close } = await launch(['--data-dir', dataDirectory, ...flags]);
    page.setDefaultTimeout(patienceMs);
    // Nothing reaches into the packaged app's main process, so the file is taken at the page's edge; that such a one is
    // let through to the disk is tested in Electron.
    const save: Running['save'] = async (action) => {
      await page.evaluate(() => {
        const urls = URL as { createObjectURL: (blob: Blob) => string };
        const blobs = new Map<string, Blob>();
        const create = urls.createObjectURL.bind(URL);
        urls.createObjectURL = (blob) => {
          const url = create(blob);
          blobs.set(url, blob);
          return url;
        };
        (window as unknown as { handedOver: Promise<HandedOver> }).handedOver = new Promise((resolve) => {
          HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement) {
            // The mark at a file's beginning belongs to it.
            void blobs
              .get(this.href)
              ?.arrayBuffer()
              .then((bytes) => {
                resolve({ name: this.download, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) });
              });
          };
        });
      });
      await action();
      return page.evaluate(() => (window as unknown as { handedOver: Promise<HandedOver> }).handedOver);
    };
    return { page, complaints: watch.complaints, save, kill, close };
  };

const inPackage: Surface = {
  name: 'packaged',
  missing: inElectron.missing ?? whyNoPackage(),
  isRequired: inElectron.isRequired,
  start: packagedBy(launchPackaged),
};

const onWindows: Surface = {
  name: 'packaged for Windows',
  missing: null,
  isRequired: true,
  start: packagedBy(launchOnWindows),
};

/** Whether a sign-in outlives its process: on Linux tests leave out the address at which the keychain is found. */
export const hasKeychain = windowsPackage !== null || process.platform !== 'linux';

const installed = isSet('TILLSIDE_PACKAGED') ? inPackage : inElectron;
export const surfaces: readonly Surface[] = windowsPackage === null ? [inChromium, installed] : [onWindows];
