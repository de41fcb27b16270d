import { openBrowse } from '../../app/catalogue/browse/browse.ts';
import type { BrowseReader } from '../../app/catalogue/browse/browse-reader.ts';
import { openCatalogueRepository } from '../../app/catalogue/repository/repository.ts';
import type { StockQuery } from '../../app/contract/browse.ts';
import { everyProduct } from '../../app/contract/every-product.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import { catalogueMigrations } from '../../app/catalogue/repository/migrations.ts';
import { Database } from '../../app/storage/database.ts';
import { launchChromium } from '../support/chromium.ts';
import type { Platform } from '../support/platform.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { stockId } from './fixtures.ts';
import { scrollInTurns, viewport } from './scroll.ts';
import { median, percentile } from './statistics.ts';
import type { Figure } from './table.ts';
import { startHost } from './terminal-host.ts';

const pages = 200;
/** Each of them walks the whole index. */
const offsetPages = 20;
const rowsPerPage = 100;

/** A reader that notes how much of the processor's time each stretch of an order took, in milliseconds. */
function timed(reader: BrowseReader, stretches: number[]): BrowseReader {
  return {
    ...reader,
    stretch: (...parameters) => {
      const before = process.cpuUsage();
      const stretch = reader.stretch(...parameters);
      const { user, system } = process.cpuUsage(before);
      stretches.push((user + system) / 1000);
      return stretch;
    },
  };
}

async function measureOffset(path: string, starts: readonly number[]): Promise<readonly number[]> {
  const database = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations });
  const page = database.prepare(
    'SELECT code, name, balance, unit, balance_as_of FROM (SELECT product FROM name_order ORDER BY key, product LIMIT ? OFFSET ?) JOIN products ON products.number = product',
  );
  const times = starts.map((start) => {
    const from = performance.now();
    page.all(rowsPerPage, start);
    return performance.now() - from;
  });
  database.close();
  return times;
}

/** Figures of the table over a filled copy of so many products, called in this process. */
export async function measureStockTable(path: string, fingerprint: string, count: number): Promise<readonly Figure[]> {
  const random = createSeededRandom('pages');
  const starts = Array.from({ length: pages }, () => random.integer(0, Math.max(0, count - rowsPerPage - 1)));
  const offset = await measureOffset(path, starts.slice(0, offsetPages));
  const { repository } = await openCatalogueRepository({ path, fingerprint, stockIds: [stockId], now: () => 0 });
  const stretches: number[] = [];
  const browse = openBrowse({
    clock: createNodeClock(),
    reader: timed(repository.browse, stretches),
    stocks: () => repository.stocks(),
    watched: () => [],
    offsetMinutes: () => 0,
  });
  const read = async (
    query: StockQuery,
    view: number | undefined,
    start: number,
  ): Promise<{ readonly view: number; readonly isWhole: boolean }> => {
    const page = await browse.page({ query, view, offset: start, limit: rowsPerPage });
    if (!page.ok) {
      throw new Error(page.failure.kind);
    }
    return page.value;
  };
  const open = async (query: StockQuery) => {
    const from = performance.now();
    let view = await read(query, undefined, 0);
    const firstMs = performance.now() - from;
    while (!view.isWhole) {
      view = await read(query, view.view, count);
    }
    return { query, view: view.view, firstMs, wholeMs: performance.now() - from };
  };
  const byName = await open(everyProduct);
  // As the screen opens.
  const byBalance = await open({ ...everyProduct, orderBy: 'balance' });
  const byMoment = await open({ ...everyProduct, orderBy: 'asOf' });
  const times: number[] = [];
  for (const start of starts) {
    const before = performance.now();
    await read(byBalance.query, byBalance.view, start);
    times.push(performance.now() - before);
  }
  browse.close();
  repository.close();
  return [
    {
      name: 'first page of the stock table, by balance',
      unit: 'ms',
      value: byBalance.firstMs,
      peers: [
        { name: 'by name', value: byName.firstMs },
        { name: 'by the age of the figures', value: byMoment.firstMs },
      ],
      aim: 16,
    },
    {
      name: 'until all of it can be jumped to, by balance',
      unit: 'ms',
      value: byBalance.wholeMs,
      peers: [
        { name: 'by name', value: byName.wholeMs },
        { name: 'by the age of the figures', value: byMoment.wholeMs },
      ],
    },
    {
      name: 'longest stretch of the main process meanwhile, its processor time',
      unit: 'ms',
      value: Math.max(...stretches),
      peers: [],
      aim: 16,
    },
    {
      name: 'a page from anywhere in the stock table, p50',
      unit: 'ms',
      value: median(times),
      peers: [{ name: 'SQLite with OFFSET', value: median(offset) }],
      aim: 16,
    },
    {
      name: 'a page from anywhere in the stock table, p99',
      unit: 'ms',
      value: percentile(times, 0.99),
      peers: [{ name: 'SQLite with OFFSET', value: percentile(offset, 0.99) }],
    },
  ];
}

const emptyBox =
  '<div class="box" style="height:600px;overflow:auto"><div style="height:4000000px;background:linear-gradient(white,black)"></div></div>';

/** Figures of the table's scrolling on a host over a filled copy; the platform must have as many products. */
export async function measureStockScroll(
  dataDirectory: string,
  platform: Platform,
  rounds: number,
): Promise<readonly Figure[]> {
  const [own, plain] = [await launchChromium(), await launchChromium()];
  const host = await startHost(dataDirectory);
  try {
    await host.invoke('session:signIn', { email: platform.email, password: platform.password });
    const context = await own.browser.newContext({ viewport, locale: 'en-GB' });
    await context.addCookies([{ ...host.cookie, url: host.origin }]);
    const page = await context.newPage();
    await page.goto(`${host.origin}/#lookup`);
    const link = page.getByRole('link', { name: 'Stock' });
    await link.waitFor();
    const from = performance.now();
    await link.click();
    await page.locator('.stock-row .stock-code').nth(3).waitFor();
    const openedMs = performance.now() - from;
    const box = await plain.browser.newPage({ viewport });
    await box.setContent(emptyBox);
    const scrolled = await scrollInTurns({ own: [page, '.stock-table'], plain: [box, '.box'] }, rounds);
    return [
      { name: 'click to the first rows of the stock table', unit: 'ms', value: openedMs, peers: [] },
      {
        name: 'late frames in 4 s of scrolling the stock table',
        unit: 'frames',
        value: scrolled.own.late,
        peers: [{ name: 'a box without rows', value: scrolled.plain.late }],
      },
      {
        name: 'p99 of a frame meanwhile',
        unit: 'ms',
        value: scrolled.own.p99Ms,
        peers: [{ name: 'a box without rows', value: scrolled.plain.p99Ms }],
      },
      { name: 'frames with a row that was not here yet', unit: 'frames', value: scrolled.own.blank, peers: [], aim: 0 },
    ];
  } finally {
    await Promise.all([own.close(), plain.close(), host.stop()]);
  }
}
