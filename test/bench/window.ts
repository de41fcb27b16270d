// A window of Electron, of the built app or of another, that can be driven.
import { chromium, type Browser, type Page } from 'playwright-core';
import { startChild, type Child } from '../support/child.ts';
import { electronCommand } from '../support/electron.ts';
import { listening, seePage } from '../support/packaged.ts';
import { windowTitle } from './bare-app.ts';

/** Starts the app, the built one by default, and answers it with the address at which its page can be driven. */
export async function startWindow(
  flags: readonly string[],
  app?: string,
  before: readonly string[] = [],
): Promise<{ readonly child: Child; readonly address: string }> {
  const { path, parameters } = electronCommand(flags, app);
  const child = startChild(path, [...before, ...parameters, '--remote-debugging-port=0']);
  try {
    const [, address = '', port = ''] = await child.waitForErrorLine(listening);
    await seePage(Number(port), windowTitle);
    return { child, address };
  } catch (error) {
    await child.stop('SIGKILL');
    throw error;
  }
}

/** The page at this address. Whoever drives it closes the browser afterwards, which leaves the page alone again. */
export async function openPageOf(address: string): Promise<{ readonly page: Page; readonly browser: Browser }> {
  const browser = await chromium.connectOverCDP(address);
  const page = browser.contexts()[0]?.pages()[0];
  if (page === undefined) {
    await browser.close();
    throw new Error('no page');
  }
  return { page, browser };
}
