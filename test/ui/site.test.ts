import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { site } from '../../build/parts.ts';
import { projectDirectory } from '../../build/project.ts';
import { isStale } from '../../build/stale.ts';
import manifest from '../../package.json' with { type: 'json' };
import config from '../../docs/.vitepress/config.ts';
import { launchChromium, type ChromiumSession } from '../support/chromium.ts';
import { readDocument } from '../support/docs.ts';
import { listenLocally } from '../support/listen.ts';
import { shareOf } from '../support/night.ts';

/** A busy machine takes a minute and more. */
const buildTimeoutMs = 600_000;
const folder = join(projectDirectory, 'dist/site');
/** Of which the site was not told when it was made. */
const below = '/some/folder/';
const pages = globSync('docs/{,*/}*.md', { cwd: projectDirectory, exclude: ['docs/README.md'] }).map(readDocument);
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

let server: Server;
let chromium: ChromiumSession;
let home = '';

/** The file that an address leads to. */
function fileOf(address: URL): string {
  const path = decodeURIComponent(address.pathname).replace(below, '/');
  return join(folder, path.endsWith('/') ? `${path}index.html` : path);
}

beforeAll(async () => {
  if (isStale(projectDirectory, site)) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(projectDirectory, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'docs'],
      { cwd: projectDirectory, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
    );
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/warn|error/i)]);
  }
  server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://localhost');
    const file = fileOf(address);
    if (address.pathname.startsWith(below) && existsSync(file) && statSync(file).isFile()) {
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(readFileSync(file));
    } else {
      response.writeHead(404).end();
    }
  });
  const port = await listenLocally(server);
  home = `http://127.0.0.1:${port}${below}`;
  chromium = await launchChromium();
}, buildTimeoutMs);

afterAll(async () => {
  await chromium.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a page of the site; in the end everything was found, on this machine, and nothing was complained of. */
async function visit(path: string, look: (page: Page) => Promise<void>): Promise<void> {
  const { page, watch } = await chromium.open('about:blank', { viewport: { width: 1280, height: 800 } });
  const strange: string[] = [];
  page.on('response', (response) => {
    const isData = response.url().startsWith('data:');
    if (!isData && !(response.ok() && response.url().startsWith(home))) {
      strange.push(`${response.status()} ${response.url()}`);
    }
  });
  await page.goto(home + path);
  await look(page);
  await page.context().close();
  expect([strange, watch.complaints]).toEqual([[], []]);
}

/** Each link of the page leads to a file of the site and to a heading in it, or to the project's repository. */
async function expectLinksLead(page: Page): Promise<void> {
  const addresses = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
  expect(addresses.length).toBeGreaterThan(5);
  const dead = [...new Set(addresses)].filter((address) => {
    const url = new URL(address);
    const anchor = decodeURIComponent(url.hash.slice(1));
    const isThere = address.startsWith(home) && existsSync(fileOf(url));
    return !(isThere && (anchor === '' || readFileSync(fileOf(url), 'utf8').includes(`id="${anchor}"`)));
  });
  expect(dead).toEqual([manifest.repository.url]);
}

const titleOf = (path: string): string => pages.find((one) => one.path === path)?.headings[0]?.title ?? '';

// That no link of a page is dead, the build and test/unit/docs/ prove as well.
it.each(shareOf(pages, 2))(
  'has $path with its pictures, and every link of it leads somewhere',
  async ({ path, pictures }) => {
    await visit(path.replace('docs/', '').replace('.md', '.html'), async (page) => {
      await page.getByRole('heading', { level: 1, name: titleOf(path) }).waitFor();
      await expect
        .poll(() =>
          page
            .locator('.vp-doc img')
            .evaluateAll(
              (all) => all.filter((one) => one instanceof HTMLImageElement && one.naturalWidth === 1024).length,
            ),
        )
        .toBe(pictures.length);
      await expectLinksLead(page);
    });
  },
);

it('has a link that leads nowhere end its build', () => {
  expect(config.ignoreDeadLinks).toBeUndefined();
});

it('leads from its first page to a page, to another one and to the same in another language', async () => {
  await visit('', async (page) => {
    await page.getByRole('link', { name: 'Questions and answers' }).click();
    await page.getByRole('heading', { level: 1, name: titleOf('docs/en/questions.md') }).waitFor();
    await expectLinksLead(page);
    await page.locator('.VPSidebar').getByRole('link', { name: 'Technician' }).click();
    await page.getByRole('heading', { level: 1, name: titleOf('docs/en/technician.md') }).waitFor();
    await page.getByRole('button', { name: 'Change language' }).hover();
    await page.locator('.VPNavBarTranslations').getByRole('link', { name: 'Español' }).click();
    await page.getByRole('heading', { level: 1, name: titleOf('docs/es/technician.md') }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await page.locator('.VPNavBarTitle a').click();
    await page.getByRole('heading', { level: 1, name: titleOf('docs/es/cashier.md') }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: titleOf('docs/index.md') }).waitFor();
    await expectLinksLead(page);
  });
});

it('finds what is searched for', async () => {
  await visit('en/cashier.html', async (page) => {
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('scanner');
    await page
      .locator('.VPLocalSearchBox')
      .getByRole('link', { name: /Scanner/ })
      .first()
      .click();
    await page.waitForURL(/scanner/i);
    await page
      .getByRole('heading', { name: /scanner/i })
      .first()
      .waitFor();
  });
});
