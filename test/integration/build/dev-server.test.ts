import { appendFileSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { enterHost, openDevServer } from '../../../build/dev-server.ts';
import { projectDirectory } from '../../../build/project.ts';
import { startBrowserHost } from '../../support/browser-host.ts';
import { lacksChromium, launchChromium } from '../../support/chromium.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test.skipIf(lacksChromium)(
  'a change of a style sheet shows on the practice store without the page being loaded anew',
  async () => {
    const copy = temporaryDirectory();
    const copied = ['renderer', 'app', 'build', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];
    for (const name of copied) {
      cpSync(join(projectDirectory, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(projectDirectory, 'node_modules'), join(copy, 'node_modules'), 'junction');
    const host = await startBrowserHost(['--training', '--data-dir', temporaryDirectory()]);
    onTestFinished(async () => {
      await host.child.stop();
    });
    const session = await enterHost(host.url);
    const server = await openDevServer(copy, 0, () => session);
    onTestFinished(() => server.close());
    const chromium = await launchChromium();
    onTestFinished(() => chromium.close());

    const { page } = await chromium.open(server.resolvedUrls?.local[0] ?? '');
    await page.locator('.finder-input').waitFor({ timeout: 60_000 });
    // In words, not by their keys.
    expect(await page.locator('.finder-input').getAttribute('aria-label')).toContain(' ');
    await page.evaluate(() => {
      document.title = 'not loaded anew';
    });
    appendFileSync(join(copy, 'renderer', 'styles', 'base.css'), '\nbody { outline: 3px solid rgb(1, 2, 3); }\n');
    await page.waitForFunction(() => getComputedStyle(document.body).outlineColor === 'rgb(1, 2, 3)');
    expect(await page.title()).toBe('not loaded anew');
  },
  120_000,
);
