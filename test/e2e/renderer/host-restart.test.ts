// Checks in a real Chromium what a page says when the browser host behind it was started anew: the calls are answered with 401, for its
// cookie is of the run before.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { build } from 'vite';
import { openBrowserHost, type BrowserHost } from '../../../app/hosts/browser/server.ts';
import { launchChromium } from '../../support/chromium.ts';
import { createFakeHandlers } from '../../support/fake-handlers.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';

const temporary = makeTemporaryDirectory();
const chromium = await launchChromium();
afterAll(async () => {
  await chromium.close();
  temporary.remove();
});

it('a page of the run before is told that it is not known, at each try', async () => {
  const rendererDirectory = join(temporary.path, 'renderer');
  await build({ configFile: 'vite.config.ts', logLevel: 'error', build: { outDir: rendererDirectory, emptyOutDir: true } });
  let address = '';
  const start = (port: number): Promise<BrowserHost> =>
    openBrowserHost({ handlers: createFakeHandlers(), subscribe: () => () => undefined, log: () => undefined, rendererDirectory, port, language: 'en', onAddress: (given) => (address = given) });
  const first = await start(0);
  const { page } = await chromium.open(address, { viewport: { width: 1024, height: 768 }, locale: 'en-GB' });
  await page.getByRole('button', { name: 'Practice store', exact: true }).waitFor();
  await first.close();
  const second = await start(first.port);
  await page.getByRole('button', { name: 'Practice store', exact: true }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Tillside was started anew' });
  await dialog.getByText('Open the new address').waitFor();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Tried once: this page is still not known.').waitFor();
  expect(await dialog.innerText()).toContain('What was waiting to be sent is kept on this terminal.');
  await second.close();
});
