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
import { stockId } from './fixtures.ts';
import { createFractions, median, percentile } from './statistics.ts';
import type { Figure } from './table.ts';
import { startHost } from './terminal-host.ts';

const pages = 200;
/** Each of them walks the whole index. */
const offsetPages = 20;
const rowsPerPage = 100;
const viewport = { width: 1366, height: 768 };
const scrollMs = 4000;
/** About the speed of a strong swipe. */
const pixelsAFrame = 120;
const lateMs = 1000 / 30;
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
  const fraction = createFractions(1);
  const starts = Array.from({ length: pages }, () => Math.floor(fraction() * Math.max(1, count - rowsPerPage)));
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

/**
 * The gaps between the frames of one scroll in milliseconds, and how many frames showed a row that was not here yet.
 */
interface Scroll {
  readonly gaps: readonly number[];
  readonly blank: number;
}

/** Runs in the page: scrolls the box at the same speed for a while, from wherever it is. */
async function scrollBox([selector, durationMs, step]: readonly [string, number, number]): Promise<Scroll> {
  const box = document.querySelector(selector);
  const gaps: number[] = [];
  let blank = 0;
  let startedAt: number | null = null;
  let before = 0;
  let direction = 1;
  return new Promise((resolve) => {
    const frame = (now: number): void => {
      startedAt ??= now;
      if (now > startedAt) {
        gaps.push(now - before);
      }
      before = now;
      if (box === null || now - startedAt > durationMs) {
        resolve({ gaps, blank });
        return;
      }
      const { top, bottom } = box.getBoundingClientRect();
      const isBlank = [...box.querySelectorAll('[data-blank="true"]')].some(
        (row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().top < bottom,
      );
      blank += isBlank ? 1 : 0;
      const isAtEnd = direction > 0 ? box.scrollTop + box.clientHeight >= box.scrollHeight - 1 : box.scrollTop <= 0;
      direction = isAtEnd ? -direction : direction;
      box.scrollTop += direction * step;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

const emptyBox =
  '<div class="box" style="height:600px;overflow:auto"><div style="height:4000000px;background:linear-gradient(white,black)"></div></div>';

/** Figures of the table's scrolling on a host over a filled copy; the platform must have as many products. */
export async function measureStockScroll(
  dataDirectory: string,
  platform: Platform,
  rounds: number,
): Promise<readonly Figure[]> {
  // One browser each: a page that stands behind another is drawn when there is time.
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
    const scrolls: { readonly own: Scroll[]; readonly plain: Scroll[] } = { own: [], plain: [] };
    // The first round warms up, and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      await page.bringToFront();
      scrolls.own.push(await page.evaluate(scrollBox, ['.stock-table', scrollMs, pixelsAFrame] as const));
      await box.bringToFront();
      scrolls.plain.push(await box.evaluate(scrollBox, ['.box', scrollMs, pixelsAFrame] as const));
    }
    const late = (some: readonly Scroll[]): number =>
      median(some.slice(1).map(({ gaps }) => gaps.filter((gap) => gap > lateMs).length));
    const p99 = (some: readonly Scroll[]): number => median(some.slice(1).map(({ gaps }) => percentile(gaps, 0.99)));
    return [
      { name: 'click to the first rows of the stock table', unit: 'ms', value: openedMs, peers: [] },
      {
        name: 'late frames in 4 s of scrolling the stock table',
        unit: 'frames',
        value: late(scrolls.own),
        peers: [{ name: 'a box without rows', value: late(scrolls.plain) }],
      },
      {
        name: 'p99 of a frame meanwhile',
        unit: 'ms',
        value: p99(scrolls.own),
        peers: [{ name: 'a box without rows', value: p99(scrolls.plain) }],
      },
      {
        name: 'frames with a row that was not here yet',
        unit: 'frames',
        value: median(scrolls.own.slice(1).map(({ blank }) => blank)),
        peers: [],
        aim: 0,
      },
    ];
  } finally {
    await Promise.all([own.close(), plain.close(), host.stop()]);
  }
}
