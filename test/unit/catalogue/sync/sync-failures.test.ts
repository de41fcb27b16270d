// The proof of the copying where things vanish or fail, and of the time that it says it needs.
import { describe, expect, test, vi } from 'vitest';
import { doesCopyRest } from '../../../../app/expiring/night.ts';
import { isCopied } from '../../../../app/contract/copied.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import type { SharedPages } from '../../../../app/catalogue/sync/shared-pages.ts';
import { catalogueMigrations } from '../../../../app/catalogue/repository/migrations.ts';
import { Database, StorageError } from '../../../../app/storage/database.ts';
import { stockOne, stockTwo } from '../catalogue-fixture.ts';
import { all, copiedIds, prepare, type SyncSetting } from './sync-fixture.ts';

/** Pages of a hub at which no other terminal reads. */
const alone: SharedPages = {
  pass: () => ({
    take: () => Promise.resolve(null),
    nowMs: () => null,
    publish: () => undefined,
    takenIn: () => undefined,
    dropped: () => undefined,
  }),
  doubt: () => undefined,
  forget: () => undefined,
};

describe('S4: the sweep', () => {
  async function withVanished(
    vanish: (setting: SyncSetting) => void,
    before: (setting: SyncSetting) => void = () => undefined,
  ): Promise<SyncSetting> {
    const setting = await prepare({ products: 300 });
    setting.sync.start();
    await setting.clock.advance(5_000);
    vanish(setting);
    before(setting);
    setting.sync.copyAgain();
    await setting.clock.advance(20_000);
    return setting;
  }
  const drop = (from: number, count: number) => (setting: SyncSetting) => {
    setting.platform.stocks.get(stockOne)?.splice(from - 1, count);
  };

  test('removes what a full listing and the platform itself do not show any more', async () => {
    const setting = await withVanished(drop(101, 120));
    expect(copiedIds(setting, 300)).toEqual([...all(100), ...all(300).slice(220)]);
    expect(setting.sync.state()).toMatchObject({ phase: 'complete', copied: 180, total: 180 });
  });

  test('comes also after a listing that was asked for in the middle of the changes', async () => {
    const setting = await prepare();
    const { clock, platform, sync } = setting;
    const products = platform.fill(stockOne, 300);
    sync.start();
    await clock.advance(10_000);
    // Changes of all products are being read, and one has gone.
    platform.stocks.set(
      stockOne,
      products.map((product) => ({ ...product, updatedAt: clock.now() })).filter(({ id }) => id !== 7n),
    );
    platform.beforeListing = ({ updatedFrom, page }) => {
      if (updatedFrom !== undefined && page === 2) {
        platform.beforeListing = () => undefined;
        sync.copyAgain();
      }
    };
    await clock.advance(180_000);
    expect(copiedIds(setting, 300)).toEqual(all(300).filter((product) => product !== 7));
    expect(sync.state().phase).toBe('complete');
  });

  test('happens by itself within a day', async () => {
    const setting = await prepare({ products: 30 });
    setting.sync.start();
    await setting.clock.advance(5_000);
    drop(5, 1)(setting);
    await setting.clock.advance(25 * 3_600_000);
    expect(copiedIds(setting, 30)).not.toContain(5);
    expect(setting.sync.state().copied).toBe(29);
  });

  test('keeps what the listing hid but the platform still has', async () => {
    const setting = await withVanished(
      () => undefined,
      ({ platform }) => {
        platform.changePage = (page, query) =>
          query.productIds === undefined && query.updatedFrom === undefined
            ? {
                ...page,
                elements: page.elements.filter((element) => (element as { id: number }).id % 10 !== 0),
                total: 270,
              }
            : page;
      },
    );
    expect(copiedIds(setting, 300)).toEqual(all(300));
  });

  test('does not believe one listing that misses more than half', async () => {
    const setting = await withVanished(drop(51, 250));
    expect(setting.sync.state().copied).toBe(300);
    setting.sync.copyAgain();
    await setting.clock.advance(20_000);
    expect(setting.sync.state().copied).toBe(50);
  });

  test('removes nothing when a page of the listing could not be read', async () => {
    const setting = await withVanished(drop(10, 1), ({ platform }) => {
      platform.failListing = (query) =>
        (query.page - 1) * query.perPage <= 150 &&
        query.page * query.perPage > 150 &&
        query.updatedFrom === undefined &&
        query.productIds === undefined
          ? { kind: 'answerTooLarge' }
          : null;
    });
    await setting.clock.advance(600_000);
    expect(copiedIds(setting, 300)).toEqual(all(300));
  });

  test('trusts a steady listing alone when the platform does not filter by ids', async () => {
    const setting = await withVanished(drop(10, 1), ({ platform }) => {
      platform.changePage = (page, query) =>
        query.productIds === undefined
          ? page
          : { ...page, elements: [{ id: 1 }, { id: 2 }], total: 299, lastPage: 150 };
    });
    expect(copiedIds(setting, 300)).not.toContain(10);
    expect(setting.sync.state().copied).toBe(299);
  });
});

describe('S5: failures', () => {
  test('keep the old data, are told, and are tried again with growing patience', async () => {
    const setting = await prepare({ products: 300 });
    const { clock, platform, sync } = setting;
    sync.start();
    await clock.advance(5_000);
    const failure: Failure = { kind: 'unreachable', message: 'down' };
    platform.failListing = () => failure;
    platform.listings.length = 0;
    await clock.advance(3_600_000);
    expect(sync.state()).toMatchObject({ phase: 'waiting', copied: 300, failure });
    expect(platform.listings.length).toBeGreaterThan(8);
    expect(platform.listings.length).toBeLessThan(30);
    platform.failListing = () => null;
    sync.resume();
    await clock.advance(1_000);
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
  });

  test('a page that fails for an hour is read in the end, and nothing is lost', async () => {
    const setting = await prepare({ products: 900 });
    const { clock, platform, sync } = setting;
    const goodFrom = clock.now() + 3_600_000;
    platform.failListing = (query) => {
      const isTheRow = (query.page - 1) * query.perPage <= 550 && query.page * query.perPage > 550;
      return isTheRow && query.updatedFrom === undefined && clock.now() < goodFrom
        ? { kind: 'platformFailed', status: 500 }
        : null;
    };
    sync.start();
    await clock.advance(3_000_000);
    expect(copiedIds(setting, 900)).toEqual(all(900).filter((product) => product !== 551));
    await clock.advance(14_000_000);
    expect(copiedIds(setting, 900)).toEqual(all(900));
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
    expect(platform.listings.length).toBeLessThan(300);
  });

  test('a row that can never be read is jumped over, all others are copied', async () => {
    const setting = await prepare({ products: 900 });
    const { clock, platform, sync } = setting;
    platform.failListing = (query) =>
      (query.page - 1) * query.perPage <= 550 && query.page * query.perPage > 550 && query.updatedFrom === undefined
        ? { kind: 'answerTooLarge' }
        : null;
    sync.start();
    await clock.advance(600_000);
    expect(copiedIds(setting, 900)).toEqual(all(900).filter((product) => product !== 551));
    expect(sync.state()).toMatchObject({ phase: 'complete' });
  });

  test('what is no longer due by the time of its retry is not waited for (I15)', async () => {
    const setting = await prepare({ products: 250 });
    const { clock, platform, sync, repository } = setting;
    sync.start();
    await clock.advance(15 * 60_000);
    platform.failListing = ({ productIds }) => (productIds === undefined ? null : { kind: 'renewalFailed' });
    // An old figure is looked at, and is not asked for again within ten minutes.
    const product = { stockId: stockOne, productId: '7' as Id };
    repository.recent.remember({ at: clock.now(), text: 'C0000007', answer: 'found', product });
    await clock.advance(90_000);
    expect(platform.listings.filter(({ productIds }) => productIds !== undefined)).toHaveLength(1);
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
  });

  test('an outage in the middle of the changes does not put off the next ones', async () => {
    const setting = await prepare({ products: 250 });
    const { clock, platform, sync } = setting;
    sync.start();
    await clock.advance(5_000);
    platform.failListing = () => ({ kind: 'unreachable' });
    await clock.advance(2 * 3_600_000);
    platform.failListing = () => null;
    sync.resume();
    await clock.advance(1_000);
    platform.listings.length = 0;
    await clock.advance(300_000);
    expect(platform.listings.length).toBeGreaterThanOrEqual(2);
  });

  test('nothing is asked while nothing gets through, and what waited is asked at once afterwards (I15)', async () => {
    let outage: Failure | null = null;
    const setting = await prepare({ outage: () => outage, products: 250 });
    const { clock, platform, sync } = setting;
    sync.start();
    await clock.advance(5_000);
    outage = { kind: 'unreachable', message: 'down' };
    platform.failListing = () => outage;
    platform.listings.length = 0;
    await clock.advance(3_600_000);
    expect(platform.listings).toEqual([]);
    expect(sync.state()).toMatchObject({ phase: 'waiting', copied: 250, failure: outage });
    platform.failListing = () => null;
    outage = null;
    sync.resume();
    await clock.advance(1_000);
    expect(platform.listings.length).toBeGreaterThan(0);
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
  });

  test('pages that were read ahead into an outage do not fail once more after it', async () => {
    const { clock, platform, sync } = await prepare({ products: 4_000 });
    sync.start();
    await clock.advance(3_000);
    platform.failListing = () => ({ kind: 'unreachable', message: 'down' });
    await clock.advance(8_000);
    expect(sync.state().phase).toBe('waiting');
    platform.failListing = () => null;
    sync.resume();
    for (let second = 0; second < 10; second += 1) {
      await clock.advance(1_000);
      expect(sync.state().phase).toBe('copying');
    }
  });

  test('an outage of the first listing leaves its page as large as it was', async () => {
    let outage: Failure | null = { kind: 'timedOut' };
    const setting = await prepare({ outage: () => outage, products: 250 });
    const { clock, platform, sync } = setting;
    sync.start();
    await clock.advance(3_600_000);
    expect(platform.listings).toEqual([]);
    outage = null;
    sync.resume();
    await clock.advance(60_000);
    expect(platform.listings[0]).toMatchObject({ page: 1, perPage: 100 });
    expect(copiedIds(setting, 250)).toEqual(all(250));
  });

  test('an outage forgets no failure of a page: one that times out each time is read in smaller ones', async () => {
    let outage: Failure | null = null;
    const { clock, platform, sync } = await prepare({ outage: () => outage, products: 90 });
    platform.failListing = ({ perPage }) => {
      outage = perPage === 100 ? { kind: 'timedOut' } : null;
      return outage;
    };
    sync.start();
    for (let round = 0; round < 4; round += 1) {
      // The retry is due before the probe is answered.
      await clock.advance(70_000);
      outage = null;
      sync.resume();
    }
    expect(sync.state().copied).toBe(90);
  });

  test('where terminals share their pages, others may get through: it is asked all the same', async () => {
    const { clock, sync } = await prepare({
      outage: () => ({ kind: 'unreachable' }),
      shared: () => alone,
      products: 250,
    });
    sync.start();
    await clock.advance(60_000);
    expect(sync.state()).toMatchObject({ phase: 'complete', copied: 250 });
  });

  test('Retry-After is obeyed', async () => {
    const { clock, platform, sync } = await prepare({ products: 10 });
    platform.failListing = () => ({ kind: 'tooManyRequests', retryAfterMs: 120_000 });
    sync.start();
    await clock.advance(119_000);
    expect(platform.listings).toHaveLength(1);
    await clock.advance(40_000);
    expect(platform.listings).toHaveLength(2);
  });

  test('one stock that is refused does not hold up the other', async () => {
    const setting = await prepare({ stockIds: [stockOne, stockTwo] });
    const { clock, platform, sync } = setting;
    platform.fill(stockTwo, 250);
    platform.failListing = (query) => (query.stockId === stockOne ? { kind: 'notFound', status: 404 } : null);
    sync.start();
    await clock.advance(5_000);
    expect(copiedIds(setting, 250, stockTwo)).toEqual(all(250));
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: { kind: 'notFound' } });
  });

  test('the end of a copy is known while another stock is refused', async () => {
    const { clock, platform, sync } = await prepare({ stockIds: [stockOne, stockTwo] });
    platform.fill(stockTwo, 20_000);
    platform.failListing = ({ stockId }) => (stockId === stockOne ? { kind: 'forbidden' } : null);
    sync.start();
    await clock.advance(60_000);
    expect(sync.state().stocks).toMatchObject([{ refused: 'forbidden' }, { refused: null }]);
    const ends: (number | null)[] = [];
    sync.onChange(() => ends.push(sync.state().completeAt));
    await clock.advance(60_000);
    expect(ends.length).toBeGreaterThan(5);
    expect(ends).not.toContain(null);
  });

  test('a store that cannot be written to keeps its place, is told, and goes on when it can', async () => {
    const setting = await prepare({ products: 250 });
    const { clock, sync, repository, path, logs } = setting;
    const other = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations });
    other.exec('BEGIN IMMEDIATE');
    sync.start();
    await clock.advance(0);
    await vi.waitFor(() => {
      expect(sync.state()).toMatchObject({ phase: 'waiting', copied: 0, failure: { kind: 'alreadyRunning' } });
    });
    expect(logs).toEqual(['alreadyRunning']);
    expect(repository.search.search('produto', 5)).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
    await clock.advance(31_000);
    expect(copiedIds(setting, 250)).toEqual(all(250));
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
  });

  test('a platform that refuses pages beyond the last has no more of them', async () => {
    const setting = await prepare({ products: 200 });
    const { clock, platform, sync } = setting;
    platform.changePage = (page) => ({ ...page, total: 201 });
    platform.failListing = (query) => (query.page > 2 ? { kind: 'unprocessable', status: 422 } : null);
    sync.start();
    await clock.advance(10_000);
    expect(sync.state()).toMatchObject({ phase: 'complete', copied: 200, failure: null });
  });

  test.each([404, 400, 422])(
    'P2: a page that has gone because products went, refused with %d, loses nothing that moved up',
    async (status) => {
      const setting = await prepare({ products: 201 });
      const { clock, platform, sync } = setting;
      const products = () => platform.stocks.get(stockOne) ?? [];
      platform.beforeListing = (query) => {
        if (query.page === 3 && products().length === 201) {
          platform.stocks.set(
            stockOne,
            products().filter((product) => product.id !== 7n),
          );
        }
      };
      const kind = ({ 404: 'notFound', 400: 'badRequest', 422: 'unprocessable' } as const)[status] ?? 'notFound';
      platform.failListing = (query) =>
        query.updatedFrom === undefined &&
        query.productIds === undefined &&
        (query.page - 1) * query.perPage >= products().length
          ? { kind, status }
          : null;
      sync.start();
      await clock.advance(30_000);
      // A product that went was read before; the next listing misses it.
      expect(copiedIds(setting, 201)).toEqual(all(201));
      expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
    },
  );

  test.each(['forbidden', 'notFound'] as const)(
    'a stock of which the first page is %s twice is not waited for until a page comes (I15)',
    async (kind) => {
      const setting = await prepare({ stockIds: [stockOne, stockTwo], products: 150 });
      const { clock, platform, sync } = setting;
      platform.fill(stockTwo, 150);
      let isRefused = true;
      platform.failListing = ({ stockId, page }) =>
        stockId === stockTwo && (isRefused || page > 1) ? { kind: isRefused ? kind : 'unreachable' } : null;
      sync.start();
      await clock.advance(4_000);
      expect(isCopied(sync.state().stocks)).toBe(false);
      await clock.advance(20_000);
      expect(sync.state().stocks).toMatchObject([
        { copied: 150, refused: null },
        { copied: 0, refused: kind },
      ]);
      expect(isCopied(sync.state().stocks)).toBe(true);
      // Batches are asked for at night while the copy rests.
      expect(doesCopyRest(sync.state(), clock.now())).toBe(true);
      // Nor does the log of support tell a copy with each try.
      const phases = new Set<string>();
      sync.onChange(() => phases.add(sync.state().phase));
      await clock.advance(900_000);
      expect([...phases].toSorted()).toEqual(['complete', 'updating']);
      expect(isCopied(sync.state().stocks.slice(1))).toBe(false);
      const again = await prepare({ stockIds: [stockTwo, stockOne], from: setting });
      expect(isCopied(again.sync.state().stocks)).toBe(true);

      isRefused = false;
      await clock.advance(300_000);
      expect(sync.state().stocks).toMatchObject([{}, { copied: 100, refused: null }]);
      expect(isCopied(sync.state().stocks)).toBe(false);
    },
  );

  test.each([
    ['refused once after it could not be reached', ['unreachable', 'forbidden'], null],
    ['refused twice, but not in a row', ['forbidden', 'unreachable', 'forbidden'], null],
    ['refused twice in a row', ['unreachable', 'forbidden', 'notFound'], 'notFound'],
  ] as const)('a stock that is %s is known as refused only then', async (_how, failures, refused) => {
    const { clock, platform, sync } = await prepare({ stockIds: [stockOne, stockTwo], products: 150 });
    platform.fill(stockTwo, 150);
    const left: ('unreachable' | 'forbidden' | 'notFound')[] = [...failures];
    platform.failListing = ({ stockId }) => (stockId === stockTwo ? { kind: left.shift() ?? 'unreachable' } : null);
    sync.start();
    await clock.advance(3_600_000);
    expect(left).toEqual([]);
    expect(sync.state().stocks[1]).toMatchObject({ refused });
  });

  test.each(['forbidden', 'notFound'] as const)(
    'a stock that is %s half-way through its first copy goes on from there once it is allowed',
    async (kind) => {
      const { clock, platform, sync } = await prepare({ stockIds: [stockOne, stockTwo], products: 150 });
      platform.fill(stockTwo, 1550);
      const pages = () => platform.listings.filter(({ stockId }) => stockId === stockTwo).map(({ page }) => page);
      platform.failListing = ({ stockId }) => (stockId === stockTwo && pages().includes(9) ? { kind } : null);
      sync.start();
      await clock.advance(3_600_000);
      expect(sync.state().stocks).toMatchObject([{ copied: 150 }, { copied: 800, refused: kind }]);

      platform.failListing = ({ updatedFrom }) => (updatedFrom === undefined ? null : { kind: 'unreachable' });
      await clock.advance(300_000);
      expect(sync.state().stocks).toMatchObject([{}, { copied: 1550, refused: null }]);
      const later = pages().slice(pages().indexOf(9));
      expect(later.filter((page) => page > 1 && page < 9)).toEqual([]);
    },
  );

  test.each(['answerMalformed', 'timedOut', null] as const)(
    'a page that alone is refused is no refusal of its stock, nor its end (first page: %s)',
    async (first) => {
      const { clock, platform, sync } = await prepare({ stockIds: [stockOne, stockTwo], products: 150 });
      platform.fill(stockTwo, 1550);
      let isDown = false;
      platform.failListing = ({ stockId, page, perPage }) => {
        isDown ||= stockId === stockTwo && page === 9;
        const isThere = page * perPage > 800 && page * perPage <= 900;
        const kind = isThere ? 'notFound' : first;
        return isDown && kind !== null && (isThere || page === 1) ? { kind } : null;
      };
      sync.start();
      await clock.advance(120_000);
      expect(isCopied(sync.state().stocks)).toBe(false);
      expect(sync.state().stocks).toMatchObject([{}, { copied: 800, refused: null }]);
      platform.failListing = () => null;
      await clock.advance(300_000);
      expect(sync.state()).toMatchObject({ phase: 'complete', copied: 1700, failure: null });
    },
  );

  test('a page that has gone with many before it is left for the last one that is there', async () => {
    const setting = await prepare({ products: 2000 });
    const { clock, platform, sync } = setting;
    const products = () => platform.stocks.get(stockOne) ?? [];
    platform.beforeListing = ({ page }) => {
      if (page === 18) {
        platform.stocks.set(stockOne, products().slice(0, 1201));
      }
    };
    platform.failListing = ({ page, perPage, updatedFrom }) =>
      updatedFrom === undefined && page > 1 && (page - 1) * perPage >= products().length ? { kind: 'notFound' } : null;
    sync.start();
    await clock.advance(60_000);
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
    const refused = platform.listings.slice(platform.listings.findIndex(({ page }) => page === 18));
    expect(refused.map(({ page }) => page).slice(0, 3)).toEqual([18, 1, 13]);
    // What went was read before; the next listing misses it.
    sync.copyAgain();
    await clock.advance(120_000);
    expect(copiedIds(setting, 2000)).toEqual(all(1201));
  });

  test('a try of a stock that is refused ends no listing of the other', async () => {
    const { clock, platform, sync } = await prepare({ stockIds: [stockTwo, stockOne], products: 6_000 });
    platform.failListing = ({ stockId }) => (stockId === stockTwo ? { kind: 'forbidden' } : null);
    sync.start();
    await clock.advance(300_000);
    expect(sync.state().phase).toBe('complete');
    const phases: string[] = [];
    sync.onChange(() => phases.push(sync.state().phase));
    sync.copyAgain();
    await clock.advance(300_000);
    const turns = phases.filter((phase, at) => phase !== phases[at - 1]);
    expect(turns.filter((phase) => phase === 'copying')).toHaveLength(1);
  });

  test('a page that is refused, though the one before it announced it, is told and read later', async () => {
    const setting = await prepare({ products: 250 });
    const { clock, platform, sync } = setting;
    let isRefused = true;
    platform.failListing = ({ page, perPage }) =>
      isRefused && page * perPage > 200 ? { kind: 'unprocessable', status: 422 } : null;
    sync.start();
    await clock.advance(30_000);
    expect(sync.state()).toMatchObject({ phase: 'waiting', copied: 200, failure: { kind: 'unprocessable' } });
    isRefused = false;
    await clock.advance(900_000);
    expect(copiedIds(setting, 250)).toEqual(all(250));
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
  });
});

test('S1: a page that a full disk refuses at its commit is read again, and nothing of it has gone', async () => {
  const setting = await prepare({ stockIds: [stockOne] });
  const { platform, clock, repository, sync } = setting;
  const products = platform.fill(stockOne, 400);
  // A platform that does not filter by ids.
  platform.changePage = (page, { productIds }) =>
    productIds === undefined ? page : { ...page, elements: [{ id: 1, name: 'Produto 1' }], total: 399 };
  sync.start();
  await clock.advance(600_000);
  const transaction = repository.transaction.bind(repository);
  vi.spyOn(repository, 'transaction').mockImplementation((action) =>
    transaction(() => {
      const value = action();
      if (repository.stocks()[0]?.progress.full?.pagesRead === 2) {
        vi.restoreAllMocks();
        throw new StorageError({ kind: 'storageFull' });
      }
      return value;
    }),
  );
  platform.listings.length = 0;
  platform.stocks.set(
    stockOne,
    products.filter(({ id: one }) => one !== 350n),
  );
  sync.copyAgain();
  await clock.advance(1_800_000);
  const pages = platform.listings.filter(
    ({ updatedFrom, productIds }) => updatedFrom === undefined && productIds === undefined,
  );
  expect(pages.map(({ page }) => page).slice(0, 5)).toEqual(expect.arrayContaining([1, 2, 3, 4]));
  expect(pages.filter(({ page }) => page === 2)).toHaveLength(2);
  expect(copiedIds(setting, 400)).toEqual(all(400).filter((one) => one !== 350));
});
