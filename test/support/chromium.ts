import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { watchPage, type PageWatch } from './page-watch.ts';

/** Without windows of its own it takes a quarter less of the processor for the same page. */
const withoutWindows = 'chromium-headless-shell';
const commandNames = [
  withoutWindows,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const applicationPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path of a Chromium, if need be of one that has windows: that of TILLSIDE_CHROMIUM, Playwright's own, or the system's;
 * null when there is none.
 */
export function findChromium(hasWindows = false): string | null {
  const named = process.env['TILLSIDE_CHROMIUM'];
  if (named !== undefined && named !== '') {
    return isExecutable(named) ? named : null;
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    chromium.executablePath(),
    ...commandNames
      .filter((name) => !hasWindows || name !== withoutWindows)
      .flatMap((name) => ['/usr/bin', ...folders].map((folder) => join(folder, name))),
    ...applicationPaths,
  ];
  return candidates.find((path) => path !== '' && isExecutable(path)) ?? null;
}

/** Whether tests leave Chromium out: there is none here, and a CI must have one. */
export const lacksChromium = findChromium() === null && process.env['CI'] === undefined;

/** Flags that keep Chromium from speaking to the network by itself, and let it start as root. */
export function quietFlags(): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-dev-shm-usage',
    // Without windows of its own it would draw letters in another way.
    '--font-render-hinting=slight',
    ...(isRoot ? ['--no-sandbox'] : []),
  ];
}

/** A started Chromium. */
export interface ChromiumSession {
  readonly browser: Browser;
  /** Opens an address in a fresh profile; the watch collects what the page complains of. */
  open(url: string, options?: BrowserContextOptions): Promise<{ readonly page: Page; readonly watch: PageWatch }>;
  close(): Promise<void>;
}

/** Starts a headless Chromium. Throws when there is none. */
export async function launchChromium(extraFlags: readonly string[] = []): Promise<ChromiumSession> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error('no Chromium was found; `npm test` installs one');
  }
  const browser = await chromium.launch({ executablePath, args: [...quietFlags(), ...extraFlags] });
  return {
    browser,
    open: async (url, options) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const watch = watchPage(page);
      await page.goto(url);
      return { page, watch };
    },
    close: () => browser.close(),
  };
}
