// The proof that the copying believes no single figure of the platform, and no single clock: whatever `last_page`,
// `total`, `Date` and `updated_from` say or mean, the copy comes to be whole.
import { describe, expect, test } from 'vitest';
import type { ListingQuery } from '../../../../app/platform/query.ts';
import { id, stockOne, type FakeProduct, type PlatformPage } from '../catalogue-fixture.ts';
import { all, copiedIds, prepare, type SyncSetting } from './sync-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

async function copied(
  changePage: (page: PlatformPage, query: ListingQuery) => PlatformPage,
  count = 450,
): Promise<SyncSetting> {
  const setting = await prepare({ products: count });
  setting.platform.changePage = changePage;
  setting.sync.start();
  await setting.clock.advance(minuteMs);
  return setting;
}

describe('the envelope', () => {
  test.each([0, 1, 3, 99_999])('a last page of %d', async (lastPage) => {
    const setting = await copied((page) => ({ ...page, lastPage }));
    expect(copiedIds(setting, 450)).toEqual(all(450));
    expect(setting.sync.state().phase).toBe('complete');
    expect(setting.platform.listings.length).toBeLessThan(30);
  });

  test.each([
    ['nothing', () => 0],
    ['half of it', (total: number) => Math.floor(total / 2)],
    ['ten times as many', (total: number) => 10 * total],
    ['another number on every page', (total: number, { page }: ListingQuery) => total + ((page * 7) % 5)],
  ])('a total of %s', async (_name, total) => {
    const setting = await copied((page, query) =>
      query.updatedFrom === undefined && query.productIds === undefined
        ? { ...page, total: total(page.total, query) }
        : page,
    );
    await setting.clock.advance(30 * minuteMs);
    expect(copiedIds(setting, 450)).toEqual(all(450));
    expect(setting.platform.listings.length).toBeLessThan(90);
  });

  test('pages of other sizes than were asked for, and of one size after another', async () => {
    const setting = await prepare({ products: 450 });
    setting.platform.beforeListing = ({ page }) => {
      setting.platform.largestPage = page % 3 === 0 ? 25 : 50;
    };
    setting.sync.start();
    await setting.clock.advance(10 * minuteMs);
    expect(copiedIds(setting, 450)).toEqual(all(450));
  });
});

describe('the clocks', () => {
  function change({ platform, clock }: SyncSetting, product: number): void {
    const products = platform.stocks.get(stockOne) ?? [];
    products[product - 1] = {
      ...(products[product - 1] as FakeProduct),
      name: `Mudou ${product}`,
      updatedAt: clock.now() - clockOff,
    };
  }
  /** By how much this machine's clock has been set since. */
  let clockOff = 0;

  test.each([
    ['at the beginning of time', Date.UTC(1970, 0, 1)],
    ['a year ago', Date.UTC(2025, 0, 5)],
    ['a year ahead', Date.UTC(2027, 0, 5)],
    ['at its end', Date.UTC(9999, 0, 1)],
  ])('a Date that stands %s', async (_name, platformTime) => {
    clockOff = 0;
    const setting = await copied((page) => ({ ...page, platformTime }), 50);
    change(setting, 7);
    await setting.clock.advance(3 * minuteMs);
    // A clock of the platform that is off by a year cannot be told from this machine's own being so: the next full
    // listing brings it.
    const byChanges = setting.repository.reader.nameOf(id(7))?.name;
    setting.sync.copyAgain();
    await setting.clock.advance(minuteMs);
    expect([byChanges, setting.repository.reader.nameOf(id(7))?.name]).toContain('Mudou 7');
    expect(setting.sync.state().phase).toBe('complete');
  });

  test.each([-24 * hourMs, -hourMs, hourMs, 24 * hourMs])(
    'this machine is set by %d ms in the middle of a pass, and back',
    async (byMs) => {
      clockOff = 0;
      const setting = await prepare({ products: 450 });
      setting.platform.beforeListing = ({ page }) => {
        const wanted = page % 2 === 0 ? byMs : 0;
        setting.clock.jumpWall(wanted - clockOff);
        clockOff = wanted;
        setting.platform.platformOffsetMs = -clockOff;
      };
      setting.sync.start();
      await setting.clock.advance(minuteMs);
      for (let product = 1; product <= 3; product += 1) {
        change(setting, product);
        await setting.clock.advance(10 * minuteMs);
        expect(setting.repository.reader.nameOf(id(product))?.name).toBe(`Mudou ${product}`);
      }
      expect(copiedIds(setting, 450)).toEqual(all(450));
    },
  );

  test.each([
    ['every machine', 0],
    ['the platform, and of this one in 1970', -56 * 365 * 24 * hourMs],
    ['the platform, and of this one a year ahead', 365 * 24 * hourMs],
    ['the platform, and of this one as far ahead as that was', 72 * hourMs],
  ])('what changes once the clock of the platform is set right by days, by the time of %s', async (_name, aheadMs) => {
    const setting = await prepare({ aheadMs, products: 50 });
    const { clock, platform, sync, repository } = setting;
    platform.platformOffsetMs = 72 * hourMs;
    sync.start();
    await clock.advance(10 * minuteMs);
    sync.stop();
    clockOff = 0;
    platform.platformOffsetMs = 0;
    change(setting, 7);
    await clock.advance(20 * minuteMs);
    const before = platform.listings.length;
    sync.start();
    await clock.advance(5 * minuteMs);
    expect(repository.reader.nameOf(id(7))?.name).toBe('Mudou 7');
    const since = platform.listings.slice(before);
    expect(since.every(({ updatedFrom }) => updatedFrom !== undefined)).toBe(true);
    expect(since.length).toBeLessThan(6);
  });

  /** Of so many answers one is another server's, whose clock is so far from the first one's. */
  async function twoServers(every: number, apartMs: number) {
    const setting = await prepare({ products: 50 });
    const { platform } = setting;
    let asked = 0;
    platform.beforeListing = () => {
      asked += 1;
      platform.platformOffsetMs = asked % every === 0 ? apartMs : 0;
    };
    return setting;
  }

  test('of two servers behind one address, one days ahead of the other, cost no listing anew', async () => {
    const setting = await twoServers(3, 72 * hourMs);
    const { clock, platform, sync, repository } = setting;
    sync.start();
    await clock.advance(minuteMs);
    const before = platform.listings.length;
    clockOff = 0;
    change(setting, 7);
    await clock.advance(6 * hourMs);
    expect(repository.reader.nameOf(id(7))?.name).toBe('Mudou 7');
    const since = platform.listings.slice(before);
    expect(since.every(({ updatedFrom }) => updatedFrom !== undefined)).toBe(true);
    expect(since.length).toBeLessThan(2 * 180 + 2);
  });

  test.each([5, 30])(
    'of two servers %d minutes apart no change is missed, and no day of them asked for',
    async (apart) => {
      const setting = await twoServers(2, -apart * minuteMs);
      const { clock, platform, sync, repository } = setting;
      sync.start();
      await clock.advance(10 * minuteMs);
      platform.listings.length = 0;
      clockOff = apart * minuteMs;
      const backMs: number[] = [];
      for (let product = 1; product <= 20; product += 1) {
        change(setting, product);
        await clock.advance(5 * minuteMs);
        expect(repository.reader.nameOf(id(product))?.name).toBe(`Mudou ${product}`);
        backMs.push(
          ...platform.listings.flatMap(({ updatedFrom }) =>
            updatedFrom === undefined ? [] : [clock.now() - Date.parse(updatedFrom)],
          ),
        );
        platform.listings.length = 0;
      }
      expect(backMs.length).toBeGreaterThan(50);
      expect(Math.max(...backMs)).toBeLessThan((apart + 15) * minuteMs);
    },
  );
});

describe('the changes', () => {
  test.each([
    ['the moment itself counts', (updatedAt: number, from: number) => updatedAt >= from],
    ['the moment itself does not count', (updatedAt: number, from: number) => updatedAt > from],
    ['the parameter is not heeded', () => true],
    [
      'the offset is read as if it were UTC',
      (updatedAt: number, from: number, text: string) =>
        updatedAt >= (Number.isNaN(from) ? 0 : Date.parse(`${text.slice(0, 19)}Z`)),
    ],
  ])('where %s, every change comes', async (_name, isFrom) => {
    const setting = await prepare();
    const { clock, platform, sync, repository } = setting;
    const products = platform
      .fill(stockOne, 150)
      .map((product) => ({ ...product, updatedAt: clock.now() - 100 * hourMs }));
    platform.stocks.set(stockOne, products);
    platform.changePage = (page, query) => {
      if (query.updatedFrom === undefined) {
        return page;
      }
      const fitting = (platform.stocks.get(stockOne) ?? []).filter(({ updatedAt }) =>
        isFrom(updatedAt, Date.parse(query.updatedFrom ?? ''), query.updatedFrom ?? ''),
      );
      const elements = fitting
        .slice((query.page - 1) * 100, query.page * 100)
        .map((product) => ({ ...product, id: Number(product.id), updatedAt: undefined }));
      return { ...page, elements, total: fitting.length, lastPage: Math.max(1, Math.ceil(fitting.length / 100)) };
    };
    sync.start();
    await clock.advance(minuteMs);
    for (let product = 1; product <= 4; product += 1) {
      platform.stocks.set(
        stockOne,
        (platform.stocks.get(stockOne) ?? []).map((one, place) =>
          place === product - 1 ? { ...one, name: `Mudou ${product}`, updatedAt: clock.now() } : one,
        ),
      );
      await clock.advance(150_000);
      expect(repository.reader.nameOf(id(product))?.name).toBe(`Mudou ${product}`);
    }
  });

  test('that fill many pages, while they go on, all come', async () => {
    const setting = await prepare({ products: 900 });
    const { clock, platform, sync, repository } = setting;
    sync.start();
    await clock.advance(minuteMs);
    let pages = 0;
    platform.beforeListing = ({ updatedFrom }) => {
      const products = platform.stocks.get(stockOne) ?? [];
      if (updatedFrom !== undefined && pages === 0) {
        platform.stocks.set(
          stockOne,
          products.map((product) => ({ ...product, name: `Mudou ${product.id}`, updatedAt: clock.now() })),
        );
      }
      pages += 1;
    };
    await clock.advance(10 * minuteMs);
    expect(pages).toBeGreaterThan(9);
    expect(all(900).every((product) => repository.reader.nameOf(id(product))?.name === `Mudou ${product}`)).toBe(true);
  });
});

describe('changes of several pages, off the network for an hour before', () => {
  /** A copy of 400 products of which 250 have another figure since, before the changes are asked for. */
  async function behind(): Promise<SyncSetting> {
    const setting = await copied((page) => page, 400);
    const { platform, clock } = setting;
    await clock.advance(5 * minuteMs);
    platform.failListing = () => ({ kind: 'unreachable' });
    await clock.advance(hourMs);
    const products = platform.stocks.get(stockOne) ?? [];
    platform.stocks.set(
      stockOne,
      products.map((one) => (one.id <= 250n ? { ...one, balance: 777, updatedAt: clock.now() } : one)),
    );
    await clock.advance(hourMs);
    platform.listings.length = 0;
    platform.failListing = () => null;
    return setting;
  }
  test('P3: no row is missed where one of them gets another code between two pages', async () => {
    const setting = await behind();
    const { platform, clock, repository, sync } = setting;
    let isMoved = false;
    platform.beforeListing = ({ page, updatedFrom }) => {
      if (updatedFrom !== undefined && page === 2 && !isMoved) {
        isMoved = true;
        const products = platform.stocks.get(stockOne) ?? [];
        const renamed = { code: 'Z0000005', updatedAt: clock.now() };
        platform.stocks.set(
          stockOne,
          products.map((one) => (one.id === 5n ? { ...one, ...renamed } : one)),
        );
      }
    };
    sync.resume();
    await clock.advance(10 * minuteMs);
    expect(isMoved).toBe(true);
    for (const { id: one, balance } of platform.stocks.get(stockOne) ?? []) {
      expect([one, repository.reader.figure(stockOne, id(one))]).toEqual([one, balance]);
    }
    expect(clock.now() - (sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(5 * minuteMs);
  });

  test('where the platform always counts more than it lists, they are read three times, and the copy goes on', async () => {
    const setting = await behind();
    const { platform, clock, sync } = setting;
    platform.changePage = (page, { updatedFrom }) =>
      updatedFrom === undefined ? page : { ...page, total: page.total + 7 };
    sync.resume();
    await clock.advance(20 * minuteMs);
    const firsts = platform.listings.filter(({ page, updatedFrom }) => page === 1 && updatedFrom !== undefined);
    const times = new Map(firsts.map(({ updatedFrom }) => [updatedFrom, 0]));
    firsts.forEach(({ updatedFrom }) => times.set(updatedFrom, (times.get(updatedFrom) ?? 0) + 1));
    expect(Math.max(...times.values())).toBe(3);
    expect(clock.now() - (sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(10 * minuteMs);
  });
});

test('P3: what is sold while changes of several pages are read makes them no longer, and the copy no older', async () => {
  const setting = await copied((page) => page, 2_000);
  const { platform, clock, sync } = setting;
  let [sold, oldestMs] = [0, 0];
  for (let second = 0; second < 1_800; second += 1) {
    const products = platform.stocks.get(stockOne) ?? [];
    for (let sale = 0; sale < 3; sale += 1) {
      sold = (sold * 31 + 17) % products.length;
      const one = products[sold] ?? expect.unreachable('a product');
      products[sold] = { ...one, balance: second, updatedAt: clock.now() };
    }
    await clock.advance(1_000);
    oldestMs = Math.max(oldestMs, clock.now() - (sync.state().stocks[0]?.completeAsOf ?? 0));
  }
  expect(oldestMs).toBeLessThan(180_000);
});
