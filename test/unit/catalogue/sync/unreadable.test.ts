// The proof that what the platform lists and this app cannot read is counted, once each, as long as it is so and no
// longer (X1 to X3 of store/unreadable.ts), and that the copying stays right beside it.
import { describe, expect, test } from 'vitest';
import { id, stockOne, stockTwo, type FakePlatform, type PlatformPage } from '../catalogue-fixture.ts';
import { all, copiedIds, prepare, type SyncSetting } from './sync-fixture.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

type Element = Record<string, unknown>;

/** The elements of these products come spoiled, wherever they are listed. */
function spoil(platform: FakePlatform, broken: ReadonlySet<number>, how: (element: Element) => unknown): void {
  platform.changePage = (page): PlatformPage => ({
    ...page,
    elements: page.elements.map((element) => {
      const listed = element as Element;
      return broken.has(Number(listed['id'])) ? how(listed) : element;
    }),
  });
}

const wrongId = (element: Element): Element => ({ ...element, id: `N-${String(element['id'])}` });

async function copied(
  count: number,
  broken: ReadonlySet<number>,
  how: (element: Element) => unknown = wrongId,
): Promise<SyncSetting> {
  const setting = await prepare({ products: count });
  spoil(setting.platform, broken, how);
  setting.sync.start();
  await setting.clock.advance(minuteMs);
  return setting;
}

const unreadableOf = ({ repository }: SyncSetting): number => repository.stocks()[0]?.unreadable ?? -1;

describe('counted', () => {
  const five = new Set([7, 120, 121, 333, 500]);

  test.each([
    ['whose id cannot be read', wrongId],
    ['without an id', ({ id: _id, ...rest }: Element) => rest],
    ['with an id alone, which cannot be read', ({ id: given }: Element) => ({ id: `N-${String(given)}` })],
    ['that are no objects', () => null],
    ['that are all the same text', () => 'x'],
    ['that say nothing', () => ({})],
  ])('elements %s: 495 of 500', async (_name, how) => {
    const setting = await copied(500, five, how);
    expect(setting.sync.state()).toMatchObject({ phase: 'complete', copied: 495, unreadable: 5, total: 500 });
    expect(setting.sync.state().stocks).toMatchObject([{ stockId: stockOne, copied: 495, unreadable: 5 }]);
  });

  test('a whole page, and one that is spoiled from beginning to end', async () => {
    const setting = await copied(300, new Set(all(300).slice(100, 200)));
    expect(setting.sync.state()).toMatchObject({ phase: 'complete', copied: 200, unreadable: 100 });
    const nothing = await copied(40, new Set(all(40)));
    expect(nothing.sync.state()).toMatchObject({ copied: 0, unreadable: 40, total: 40 });
  });

  test('rows whose page is never answered so that it can be read', async () => {
    const setting = await prepare({ products: 250 });
    setting.platform.failListing = ({ page, perPage, productIds }) =>
      productIds === undefined && 41 > (page - 1) * perPage && 41 <= page * perPage
        ? { kind: 'answerMalformed', message: 'spoiled' }
        : null;
    setting.sync.start();
    await setting.clock.advance(20 * minuteMs);
    expect(setting.sync.state()).toMatchObject({ copied: 249, unreadable: 1 });
    expect(setting.repository.unreadable.samples(setting.repository.stocks()[0] ?? expect.unreachable())).toEqual([
      { why: 'page', text: 'answerMalformed' },
    ]);
  });

  test('once, though it comes on two pages, in every pass over changes, and with another figure', async () => {
    const setting = await copied(150, new Set([7, 30]));
    const { platform, clock } = setting;
    const products = platform.stocks.get(stockOne) ?? [];
    spoil(platform, new Set([7, 30]), (element) => ({ ...wrongId(element), balance: clock.now() }));
    for (const place of [6, 29]) {
      products[place] = { ...(products[place] ?? expect.unreachable()), updatedAt: clock.now() + dayMs };
    }
    await clock.advance(60 * minuteMs);
    expect(unreadableOf(setting)).toBe(2);
    await clock.advance(2 * dayMs);
    expect(unreadableOf(setting)).toBe(2);
  });

  test('one that only changes show, and is spoiled from then on', async () => {
    const setting = await copied(150, new Set());
    const { platform, clock } = setting;
    expect(unreadableOf(setting)).toBe(0);
    spoil(platform, new Set([9]), wrongId);
    const products = platform.stocks.get(stockOne) ?? [];
    products[8] = { ...(products[8] ?? expect.unreachable()), updatedAt: clock.now() + 1 };
    await clock.advance(10 * minuteMs);
    expect(unreadableOf(setting)).toBe(1);
  });

  test('for each stock by itself', async () => {
    const setting = await prepare({ stockIds: [stockOne, stockTwo], products: 20 });
    setting.platform.fill(stockTwo, 30);
    spoil(setting.platform, new Set([3, 25]), wrongId);
    setting.sync.start();
    await setting.clock.advance(minuteMs);
    expect(setting.sync.state().stocks.map(({ copied: here, unreadable }) => [here, unreadable])).toEqual([
      [19, 1],
      [28, 2],
    ]);
    expect(setting.sync.state().unreadable).toBe(3);
  });

  test('also after a restart in the middle of the listing, and after one later', async () => {
    const first = await prepare();
    first.platform.fill(stockOne, 450);
    spoil(first.platform, new Set([7, 150, 420]), wrongId);
    let pages = 0;
    first.platform.beforeListing = () => {
      pages += 1;
      if (pages === 3) {
        first.sync.stop();
      }
    };
    first.sync.start();
    await first.clock.advance(minuteMs);
    first.repository.close();
    const second = await prepare({ from: first });
    first.platform.beforeListing = () => undefined;
    second.sync.start();
    await second.clock.advance(minuteMs);
    expect(second.sync.state()).toMatchObject({ phase: 'complete', copied: 447, unreadable: 3 });
    second.sync.stop();
    second.repository.close();
    const third = await prepare({ from: second });
    expect(third.sync.state()).toMatchObject({ copied: 447, unreadable: 3 });
  });
});

describe('mended', () => {
  test('by the next full listing it is none', async () => {
    const setting = await copied(150, new Set([7, 30]));
    setting.platform.changePage = (page) => page;
    setting.sync.copyAgain();
    await setting.clock.advance(minuteMs);
    expect(setting.sync.state()).toMatchObject({ copied: 150, unreadable: 0 });
    expect(setting.repository.unreadable.samples(setting.repository.stocks()[0] ?? expect.unreachable())).toEqual([]);
  });

  test('by the changes that bring it', async () => {
    const setting = await copied(150, new Set([7, 30]));
    const { platform, clock } = setting;
    spoil(platform, new Set([30]), wrongId);
    const products = platform.stocks.get(stockOne) ?? [];
    products[6] = { ...(products[6] ?? expect.unreachable()), updatedAt: clock.now() + 1 };
    await clock.advance(10 * minuteMs);
    expect(setting.sync.state()).toMatchObject({ copied: 149, unreadable: 1 });
  });

  test('not by a listing that was cut off, nor by one that shows less than half', async () => {
    const setting = await copied(350, new Set([340, 341]));
    const { platform, sync, clock } = setting;
    platform.changePage = (page, query) =>
      query.productIds === undefined && query.updatedFrom === undefined
        ? { ...page, elements: page.elements.slice(0, 10) }
        : page;
    sync.copyAgain();
    await clock.advance(minuteMs);
    expect(unreadableOf(setting)).toBe(2);
  });

  test('a product that has become unreadable is not taken for one that vanished', async () => {
    const setting = await copied(150, new Set());
    const { platform, sync, clock } = setting;
    spoil(platform, new Set([9, 80]), wrongId);
    (platform.stocks.get(stockOne) ?? []).splice(100, 3);
    sync.copyAgain();
    await clock.advance(5 * minuteMs);
    expect(copiedIds(setting, 150)).toEqual(all(150).filter((one) => ![101, 102, 103].includes(one)));
    expect(setting.sync.state()).toMatchObject({ copied: 147, unreadable: 2 });
  });
});

describe('told', () => {
  test('once for each, with at most five samples that bear no secret and are short', async () => {
    const setting = await copied(150, new Set(all(20)), (element) => ({
      ...wrongId(element),
      note: 'Bearer abc.def.ghi',
      seller: 'ana@example.com',
      long: 'x'.repeat(5_000),
    }));
    await setting.clock.advance(60 * minuteMs);
    expect(setting.logs.filter((line) => line === 'elements of the listing could not be read')).toHaveLength(1);
    const samples = setting.repository.unreadable.samples(setting.repository.stocks()[0] ?? expect.unreachable());
    expect(samples).toHaveLength(5);
    expect(samples.every(({ why, text }) => why === 'wrongId' && text.length <= 300)).toBe(true);
    expect(JSON.stringify(samples)).toContain('N-1');
    expect(JSON.stringify(samples)).not.toMatch(/abc\.def|ana@/);
  });

  test('a platform that answers the same unreadable page for ever is left alone', async () => {
    const setting = await prepare();
    setting.platform.changePage = (page, query) =>
      query.productIds === undefined
        ? { ...page, elements: [{ code: 'X', name: 'no id' }], lastPage: 99_999, total: 99_999 }
        : page;
    setting.sync.start();
    await setting.clock.advance(5 * minuteMs);
    expect(setting.platform.listings.length).toBeLessThan(30);
    expect(unreadableOf(setting)).toBe(1);
  });

  test('a stock that the profile no longer has takes its count along', async () => {
    const setting = await copied(50, new Set([3]));
    const [stock] = setting.repository.stocks();
    expect(stock?.unreadable).toBe(1);
    setting.sync.stop();
    setting.repository.close();
    const other = await prepare({ from: setting, stockIds: [stockTwo] });
    while (other.repository.removeFormer(1_000)) {
      // Until nothing is left.
    }
    other.sync.stop();
    other.repository.close();
    const again = await prepare({ from: setting });
    expect(unreadableOf(again)).toBe(0);
    expect(again.repository.reader.find(stockOne, id(5))).toBeNull();
  });
});
