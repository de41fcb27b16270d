import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openPage } from '../../app/hosts/page.ts';
import { openBrowserHost } from '../../app/hosts/browser/server.ts';
import { projectDirectory } from '../../build/project.ts';
import { launchChromium } from './chromium.ts';
import { openPracticeTerminal, type PracticeTerminal } from './practice-terminal.ts';

export interface PracticePage {
  readonly practice: PracticeTerminal;
  readonly page: Page;
  /** The page's complaints so far; a test wants none. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens the practice store in English in a page of 1024×768; by default in this machine's time zone and with a mouse.
 */
export async function openPracticePage(
  context: Pick<BrowserContextOptions, 'timezoneId' | 'hasTouch'> = {},
): Promise<PracticePage> {
  const rendererDirectory = join(projectDirectory, 'dist/renderer');
  const practice = await openPracticeTerminal({ panel: openPage(rendererDirectory) });
  let address = '';
  const host = await openBrowserHost({
    handlers: practice.terminal.handlers,
    subscribe: (listener) => practice.terminal.subscribe(listener),
    log: () => undefined,
    rendererDirectory,
    port: 0,
    language: 'en',
    onAddress: (given) => {
      address = given;
    },
  });
  const chromium = await launchChromium();
  const { page, watch } = await chromium.open(address, {
    viewport: { width: 1024, height: 768 },
    locale: 'en-GB',
    ...context,
  });
  return {
    practice,
    page,
    complaints: watch.complaints,
    close: async () => {
      await chromium.close();
      await host.close();
      await practice.close();
    },
  };
}
