// The proof of the copying where all goes well or the listing moves: the first copy, drift, restarts and changes, on a
// real file and a clock that the test moves.
import { describe, expect, test } from 'vitest';
import { id, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { all, copiedIds, prepare, type SyncSetting } from './sync-fixture.ts';

describe('the first copy', () => {
  test('reads every page in order of the code, then the changes, and is complete (S2, S6)', async () => {
    const setting = await prepare({ products: 250 });
    const { clock, platform, sync } = setting;
    sync.start();
    await clock.advance(1_000);
    expect(
      platform.listings.map(({ page, perPage, orderByField, orderByType, updatedFrom }) => [
        page,
        perPage,
        orderByField,
        orderByType,
        updatedFrom === undefined,
      ]),
    ).toEqual([
      [1, 100, 'code', 'asc', true],
      [2, 100, 'code', 'asc', true],
      [3, 100, 'code', 'asc', true],
      [1, 100, 'code', 'asc', false],
    ]);
    expect(new Set(platform.lanes)).toEqual(new Set(['catalogue']));
    expect(copiedIds(setting, 250)).toEqual(all(250));
    expect(sync.state()).toMatchObject({
      phase: 'complete',
      copied: 250,
      total: 250,
      completeAt: null,
      failure: null,
      stocks: [{ copied: 250, total: 250 }],
    });
    expect(sync.state().stocks[0]?.completeAsOf).not.toBeNull();
  });

  test('of an empty stock is complete, and looked at again before long', async () => {
    const { clock, platform, sync } = await prepare();
    platform.stocks.set(stockOne, []);
    sync.start();
    await clock.advance(1_000);
    expect(sync.state()).toMatchObject({ phase: 'complete', copied: 0, total: 0 });
    platform.fill(stockOne, 3);
    await clock.advance(660_000);
    expect(sync.state().copied).toBe(3);
  });

  test('of several stocks goes one after another, and all totals are known early', async () => {
    const setting = await prepare({ stockIds: [stockOne, stockTwo], products: 350 });
    const { clock, platform, sync } = setting;
    platform.fill(stockTwo, 120);
    sync.start();
    await clock.advance(3_000);
    expect(platform.listings.slice(0, 3).map(({ stockId, page }) => [stockId, page])).toEqual([
      [stockOne, 1],
      [stockTwo, 1],
      [stockOne, 2],
    ]);
    expect(sync.state()).toMatchObject({ phase: 'complete', copied: 470, total: 470 });
    expect(copiedIds(setting, 120, stockTwo)).toEqual(all(120));
  });

  test('a listing that came empty by mistake is not taken for a complete copy', async () => {
    const { clock, platform, sync } = await prepare({ products: 250 });
    platform.changePage = (page, query) => (query.updatedFrom === undefined ? { ...page, elements: [] } : page);
    sync.start();
    await clock.advance(5_000);
    expect(sync.state().stocks[0]?.completeAsOf).toBeNull();
    const asked = platform.listings.length;
    await clock.advance(60_000);
    expect(platform.listings.length).toBe(asked);
    platform.changePage = (page) => page;
    await clock.advance(700_000);
    expect(sync.state()).toMatchObject({ phase: 'complete', copied: 250 });
  });
});

describe('a listing that moves while it is read', () => {
  test('S1, S2: rows that vanish, come and change their place are neither lost nor doubled', async () => {
    const setting = await prepare();
    const { clock, platform, sync } = setting;
    const products = platform.fill(stockOne, 600);
    let page = 0;
    platform.beforeListing = (query) => {
      if (query.updatedFrom !== undefined || page > 8) {
        return;
      }
      page += 1;
      products.splice(
        products.findIndex((product) => product.id === BigInt(page * 3)),
        1,
      );
      products.push({ id: BigInt(1_000 + page), code: `A${page}`, name: `Novo ${page}`, updatedAt: clock.now() });
      const moved = products.findIndex((product) => product.id === BigInt(500 - page));
      const old = products[moved];
      if (old !== undefined) {
        products[moved] = { ...old, code: `A0${page}`, updatedAt: clock.now() };
      }
    };
    sync.start();
    await clock.advance(10_000);
    const wanted = products.map((product) => Number(product.id)).toSorted((left, right) => left - right);
    expect(copiedIds(setting, 1_100)).toEqual(expect.arrayContaining(wanted));
    // A product that vanished after its page was read goes with the next full listing.
    platform.beforeListing = () => undefined;
    sync.copyAgain();
    await clock.advance(10_000);
    expect(copiedIds(setting, 1_100)).toEqual(wanted);
    expect(sync.state()).toMatchObject({ phase: 'complete', copied: wanted.length });
  });

  test('a page that is repeated once does no harm', async () => {
    const setting = await prepare();
    const { clock, platform, sync } = setting;
    const products = platform.fill(stockOne, 300);
    let repeats = 1;
    platform.changePage = (page, query) => {
      if (query.page === 2 && repeats > 0) {
        repeats -= 1;
        return {
          ...page,
          elements: products
            .slice(0, 100)
            .map((product) => ({ id: Number(product.id), code: product.code, name: product.name })),
        };
      }
      return page;
    };
    sync.start();
    await clock.advance(10_000);
    expect(copiedIds(setting, 300)).toEqual(all(300));
  });

  test('a platform that answers page 1 for ever is left alone after a bounded number of pages', async () => {
    const { clock, platform, sync } = await prepare();
    const products = platform.fill(stockOne, 1_000);
    platform.changePage = (page, query) => ({
      ...page,
      currentPage: query.page,
      total: 1_000_000,
      lastPage: 10_000,
      elements: products.slice(0, 100).map((product) => ({ id: Number(product.id) })),
    });
    sync.start();
    await clock.advance(60_000);
    expect(platform.listings.length).toBeLessThan(40);
    expect(sync.state().copied).toBe(100);
  });

  test.each([1, 99_999])('a last page of %d that lies is not believed', async (lastPage) => {
    const setting = await prepare({ products: 450 });
    const { clock, platform, sync } = setting;
    platform.changePage = (page) => ({ ...page, lastPage });
    sync.start();
    await clock.advance(10_000);
    expect(copiedIds(setting, 450)).toEqual(all(450));
    expect(sync.state().phase).toBe('complete');
    expect(platform.listings.length).toBeLessThan(12);
  });

  test('a total that is always too large is read twice, then believed to be how this platform counts', async () => {
    const { clock, platform, sync } = await prepare({ products: 250 });
    platform.changePage = (page, query) =>
      query.updatedFrom === undefined ? { ...page, total: page.total + 40 } : page;
    sync.start();
    await clock.advance(10_000);
    expect(platform.listings.filter((query) => query.updatedFrom === undefined && query.page === 1)).toHaveLength(2);
    expect(sync.state()).toMatchObject({ phase: 'complete', copied: 250 });
  });

  test('elements without an id are told, skipped and counted', async () => {
    const { clock, platform, sync, logs } = await prepare({ products: 50 });
    platform.changePage = (page) => ({
      ...page,
      elements: [...page.elements, { name: 'no id' }, 7],
      total: page.total + 2,
    });
    sync.start();
    await clock.advance(10_000);
    expect(logs).toContain('elements of the listing could not be read');
    expect(sync.state()).toMatchObject({ phase: 'complete', copied: 50, unreadable: 2 });
  });
});

describe('S1: a restart in the middle', () => {
  test('goes on from the page after the last one stored', async () => {
    const first = await prepare();
    first.platform.fill(stockOne, 900);
    first.platform.failListing = (query) => (query.page === 5 ? { kind: 'unreachable' } : null);
    first.sync.start();
    await first.clock.advance(1_000);
    expect(first.sync.state()).toMatchObject({ phase: 'waiting', copied: 400, failure: { kind: 'unreachable' } });
    first.sync.stop();
    first.repository.close();
    first.platform.failListing = () => null;
    first.platform.listings.length = 0;

    const second = await prepare({ from: first });
    expect(second.sync.state()).toMatchObject({ phase: 'idle', copied: 400, total: 900 });
    second.sync.start();
    await second.clock.advance(5_000);
    expect(first.platform.listings[0]?.page).toBe(5);
    expect(copiedIds(second, 900)).toEqual(all(900));
    expect(second.sync.state().phase).toBe('complete');
  });

  test('at any page, however often, ends with the same copy', async () => {
    let setting = await prepare();
    setting.platform.fill(stockOne, 500);
    for (let stop = 1; stop <= 8; stop += 1) {
      let pages = 0;
      const { sync, platform } = setting;
      platform.beforeListing = () => {
        pages += 1;
        if (pages === 2) {
          sync.stop();
        }
      };
      sync.start();
      await setting.clock.advance(1_000);
      sync.stop();
      setting.repository.close();
      setting = await prepare({ from: setting });
    }
    setting.platform.beforeListing = () => undefined;
    setting.sync.start();
    await setting.clock.advance(5_000);
    expect(copiedIds(setting, 500)).toEqual(all(500));
    expect(setting.sync.state()).toMatchObject({ phase: 'complete', copied: 500 });
  });

  test('an answer that comes after stop touches nothing', async () => {
    const { clock, platform, sync, repository } = await prepare({ products: 100 });
    platform.beforeListing = () => {
      sync.stop();
      repository.close();
    };
    sync.start();
    await clock.advance(1_000);
    expect(platform.listings).toHaveLength(1);
  });
});

describe('changes', () => {
  async function complete(
    count: number,
    before: (setting: SyncSetting) => void = () => undefined,
  ): Promise<SyncSetting> {
    const setting = await prepare({ products: count });
    before(setting);
    setting.sync.start();
    await setting.clock.advance(30_000);
    expect(setting.sync.state().phase).toBe('complete');
    setting.platform.listings.length = 0;
    return setting;
  }

  function change({ platform, clock }: SyncSetting, product: number): void {
    const products = platform.stocks.get(stockOne) ?? [];
    const old = products[product - 1];
    if (old !== undefined) {
      products[product - 1] = { ...old, name: `Mudou ${product}`, updatedAt: clock.now() };
    }
  }

  const nameOf = ({ repository }: SyncSetting, product: number): string | undefined =>
    repository.reader.nameOf(id(product))?.name;

  test('S3: are asked for every two minutes, from where the last ones began, with an overlap', async () => {
    const setting = await complete(150);
    for (let product = 1; product <= 3; product += 1) {
      change(setting, product);
      await setting.clock.advance(150_000);
      expect(nameOf(setting, product)).toBe(`Mudou ${product}`);
    }
    expect(setting.platform.listings.every((query) => query.updatedFrom !== undefined && query.page === 1)).toBe(true);
    expect(setting.platform.listings.length).toBeLessThanOrEqual(4);
    const [from] = setting.platform.listings;
    expect(Date.parse(from?.updatedFrom ?? '')).toBeLessThan(setting.clock.now() - 450_000);
  });

  test.each([24 * 3_600_000, -24 * 3_600_000, null])(
    'are found when the Date header is off by %s ms',
    async (offset) => {
      const setting = await complete(150, ({ platform }) => {
        platform.platformOffsetMs = offset;
      });
      change(setting, 7);
      await setting.clock.advance(150_000);
      expect(nameOf(setting, 7)).toBe('Mudou 7');
    },
  );

  test('carry the offset that the store writes its own dates in', async () => {
    const setting = await complete(3, ({ platform }) => {
      platform.changePage = (page) => ({
        ...page,
        elements: page.elements.map((element) => ({ ...(element as object), updated_at: '2026-01-01T10:00:00-03:00' })),
      });
    });
    await setting.clock.advance(150_000);
    expect(setting.platform.listings[0]?.updatedFrom).toMatch(/-03:00$/);
  });

  test('keep coming while a new full listing is read', async () => {
    const setting = await complete(3_000);
    setting.platform.latencyMs = 30_000;
    setting.sync.copyAgain();
    change(setting, 2_999);
    await setting.clock.advance(990_000);
    const kinds = setting.platform.listings.map((query) => (query.updatedFrom === undefined ? 'full' : 'changes'));
    expect(kinds.slice(0, kinds.lastIndexOf('full')).filter((kind) => kind === 'changes').length).toBeGreaterThan(2);
    expect(nameOf(setting, 2_999)).toBe('Mudou 2999');
  });
});
