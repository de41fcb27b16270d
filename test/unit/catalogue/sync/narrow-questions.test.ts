// A refusal of a narrower question says nothing of its stock while the plain first page is answered.
import { expect, test } from 'vitest';
import type { FailureKind } from '../../../../app/domain/failure.ts';
import type { ListingQuery } from '../../../../app/platform/query.ts';
import { id, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { all, copiedIds, prepare, type SyncSetting } from './sync-fixture.ts';

const minuteMs = 60_000;

/** Passes in steps that a till's clock would see. */
async function wait({ clock }: SyncSetting, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await clock.advance(minuteMs);
  }
}

const isOneOf = (element: unknown, ids: readonly number[]): boolean =>
  ids.includes(Number((element as { id: unknown }).id));

/** An answer without an element is a failure. */
function failEmpty({ platform }: SyncSetting, kind: FailureKind): void {
  platform.failListing = ({ stockId, updatedFrom, productIds }: ListingQuery) => {
    const since = updatedFrom === undefined ? null : Date.parse(updatedFrom);
    const fits = (platform.stocks.get(stockId) ?? []).some(
      (product) => (since === null || product.updatedAt >= since) && (productIds?.includes(id(product.id)) ?? true),
    );
    return fits ? null : { kind };
  };
}

test('a filter that nothing fits, answered with 404, is an empty list: of changes, and of what has gone', async () => {
  const setting = await prepare({ stockIds: [stockOne, stockTwo] });
  const products = setting.platform.fill(stockOne, 150);
  setting.platform.fill(stockTwo, 50);
  failEmpty(setting, 'notFound');
  setting.sync.start();
  await wait(setting, 10);
  expect(setting.sync.state()).toMatchObject({ phase: 'complete', failure: null });
  expect(setting.sync.state().stocks).toMatchObject([{ refused: null }, { refused: null }]);
  expect(setting.clock.now() - (setting.sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(5 * minuteMs);

  products.splice(5, 1);
  setting.sync.copyAgain();
  await wait(setting, 10);
  expect(copiedIds(setting, 150)).toEqual(all(150).filter((product) => product !== 6));
});

test('a 404 to several ids, of which one has gone, takes no other from the copy', async () => {
  const setting = await prepare();
  const { platform, sync } = setting;
  const products = platform.fill(stockOne, 150);
  sync.start();
  await wait(setting, 10);
  const [gone] = products.splice(5, 1);
  // The next listing misses three that are there.
  platform.changePage = (page, { productIds }) => ({
    ...page,
    elements:
      productIds === undefined ? page.elements.filter((element) => !isOneOf(element, [8, 9, 10])) : page.elements,
  });
  platform.failListing = ({ productIds }) =>
    productIds?.includes(id(gone?.id ?? 0)) === true ? { kind: 'notFound' } : null;
  sync.copyAgain();
  await wait(setting, 20);
  expect(copiedIds(setting, 150)).toEqual(all(150).filter((product) => product !== 6));
});

test.each(['forbidden', 'notFound', 'unprocessable', 'badRequest', 'refused'] as const)(
  'a page that alone is %s is read in smaller ones, and its stock is not refused',
  async (kind) => {
    const setting = await prepare({ stockIds: [stockOne, stockTwo], products: 500 });
    setting.platform.fill(stockTwo, 50);
    setting.platform.failListing = ({ stockId, page, perPage, updatedFrom }) =>
      stockId === stockOne && updatedFrom === undefined && page === 3 && perPage === 100 ? { kind } : null;
    setting.sync.start();
    await wait(setting, 5);
    expect(setting.sync.state()).toMatchObject({ phase: 'complete', copied: 550, stocks: [{ refused: null }, {}] });
  },
);

test('a row that alone is forbidden is jumped over, and all others are copied', async () => {
  const setting = await prepare({ products: 250 });
  setting.platform.failListing = ({ page, perPage, updatedFrom }) =>
    updatedFrom === undefined && (page - 1) * perPage <= 120 && page * perPage > 120 ? { kind: 'forbidden' } : null;
  setting.sync.start();
  await wait(setting, 60);
  expect(copiedIds(setting, 250)).toEqual(all(250).filter((product) => product !== 121));
  expect(setting.sync.state()).toMatchObject({ phase: 'complete', stocks: [{ refused: null }] });
});

test.each(['forbidden', 'notFound', 'unprocessable', 'badRequest', 'answerMalformed'] as const)(
  'where changes always fail as %s, listings count as of their start, and come again within hours',
  async (kind) => {
    const setting = await prepare();
    const { clock, platform, sync } = setting;
    const products = platform.fill(stockOne, 250);
    platform.failListing = ({ updatedFrom }) => (updatedFrom === undefined ? null : { kind });
    const begunAt = clock.now();
    sync.start();
    await wait(setting, 15);
    const [first] = sync.state().stocks;
    expect(first).toMatchObject({ refused: null, copied: 250 });
    expect((first?.completeAsOf ?? 0) - begunAt).toBeLessThan(minuteMs);
    products.splice(5, 1);
    await wait(setting, 120);
    expect(copiedIds(setting, 250)).not.toContain(6);
    expect(clock.now() - (sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(120 * minuteMs);
  },
);

test.each(['notFound', 'unprocessable', 'badRequest'] as const)(
  'a till that was off longer than changes go back (%s) is listed anew, and then reads changes again',
  async (kind) => {
    const setting = await prepare({ products: 250 });
    const { clock, platform, sync } = setting;
    const dayMs = 1440 * minuteMs;
    platform.failListing = ({ updatedFrom }) =>
      updatedFrom !== undefined && Date.parse(updatedFrom) < clock.now() - 7 * dayMs ? { kind } : null;
    sync.start();
    await wait(setting, 10);
    sync.stop();
    await clock.advance(10 * dayMs);
    sync.start();
    await wait(setting, 15);
    expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
    expect(clock.now() - (sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(10 * minuteMs);
  },
);

test('a first page that is forbidden as well refuses the stock, also where changes are read', async () => {
  const setting = await prepare({ stockIds: [stockOne, stockTwo], products: 250 });
  setting.platform.fill(stockTwo, 50);
  setting.sync.start();
  await wait(setting, 10);
  setting.platform.failListing = ({ stockId }) => (stockId === stockOne ? { kind: 'forbidden' } : null);
  await wait(setting, 10);
  expect(setting.sync.state().stocks).toMatchObject([{ refused: 'forbidden' }, { refused: null }]);
});

test.each(['platformFailed', 'timedOut', 'badRequest', 'forbidden', 'answerMalformed'] as const)(
  'a product that has gone and cannot be asked for (%s) keeps no other in the copy',
  async (kind) => {
    const setting = await prepare();
    const products = setting.platform.fill(stockOne, 300);
    setting.sync.start();
    await wait(setting, 1);
    setting.platform.stocks.set(
      stockOne,
      products.filter(({ id: product }) => product < 50n || product > 90n),
    );
    setting.platform.failListing = ({ productIds }) => (productIds?.includes(id(60)) === true ? { kind } : null);
    setting.sync.copyAgain();
    await wait(setting, 20);
    expect(copiedIds(setting, 300).filter((product) => product >= 50 && product <= 90)).toEqual([60]);
    expect(setting.sync.state()).toMatchObject({ phase: 'complete', failure: null, stocks: [{ refused: null }] });
  },
);

test('a platform that fails to answer for anything sweeps nothing and leaves nothing out', async () => {
  const setting = await prepare();
  const products = setting.platform.fill(stockOne, 60);
  setting.sync.start();
  await wait(setting, 1);
  setting.platform.stocks.set(stockOne, products.slice(0, 50));
  let isDown = false;
  setting.platform.failListing = ({ productIds }) => {
    isDown ||= productIds !== undefined;
    return isDown ? { kind: 'platformFailed' } : null;
  };
  setting.sync.copyAgain();
  await wait(setting, 120);
  expect(copiedIds(setting, 60)).toEqual(all(60));
  setting.platform.failListing = () => null;
  await wait(setting, 10);
  expect(copiedIds(setting, 60)).toEqual(all(50));
});

test.each(['changes', 'ids'] as const)('a single 404 to %s, of a machine in between, loses nothing', async (filter) => {
  const setting = await prepare();
  const { clock, platform, repository, sync } = setting;
  const products = platform.fill(stockOne, 150);
  sync.start();
  await wait(setting, 10);
  const changed = products.map((one) => (one.id === 7n ? { ...one, balance: 777, updatedAt: clock.now() } : one));
  // A listing that is read anew does not show it; by its id it is there.
  platform.stocks.set(stockOne, filter === 'ids' ? changed.filter((one) => one.id !== 7n) : changed);
  let left = 1;
  platform.failListing = ({ updatedFrom, productIds }) => {
    if (left === 0 || (filter === 'ids' ? productIds : updatedFrom) === undefined) {
      return null;
    }
    left -= 1;
    platform.stocks.set(stockOne, changed);
    return { kind: 'notFound' };
  };
  if (filter === 'ids') {
    sync.copyAgain();
  }
  await wait(setting, 30);
  expect([left, repository.reader.figure(stockOne, id(7))]).toEqual([0, 777]);
});

test('a platform that refuses all ids is asked for few of them', async () => {
  const setting = await prepare();
  const products = setting.platform.fill(stockOne, 600);
  setting.sync.start();
  await wait(setting, 10);
  setting.platform.stocks.set(stockOne, products.slice(0, 200));
  setting.platform.failListing = ({ productIds }) => (productIds === undefined ? null : { kind: 'badRequest' });
  setting.sync.copyAgain();
  const before = setting.platform.listings.length;
  await wait(setting, 240);
  expect(
    setting.platform.listings.slice(before).filter(({ productIds }) => productIds !== undefined).length,
  ).toBeLessThan(80);
  expect(setting.sync.state().phase).toBe('complete');
});

test('a 404 to every question for ids removes nothing that is there, and is asked again a few times', async () => {
  const setting = await prepare();
  const products = setting.platform.fill(stockOne, 150);
  setting.sync.start();
  await wait(setting, 10);
  // The listing misses one that is there by its id.
  setting.platform.stocks.set(
    stockOne,
    products.filter((one) => one.id !== 7n),
  );
  setting.platform.failListing = ({ productIds }) => (productIds === undefined ? null : { kind: 'notFound' });
  setting.sync.copyAgain();
  await wait(setting, 30);
  expect(copiedIds(setting, 150)).toEqual(all(150));
  expect(setting.platform.listings.filter(({ productIds }) => productIds !== undefined).length).toBeLessThan(8);
  expect(setting.sync.state().phase).toBe('complete');
});

test.each([
  ['answers an empty list', null, 1],
  ['answers 404 where nothing fits', 'nothing', 4],
  ['answers 404 to every question for changes', 'changes', 5],
] as const)('of a platform that %s, changes are asked for with as few requests as can be', async (_, failing, each) => {
  const setting = await prepare({ products: 150 });
  const { platform } = setting;
  if (failing === 'nothing') {
    failEmpty(setting, 'notFound');
  }
  if (failing === 'changes') {
    platform.failListing = ({ updatedFrom }) => (updatedFrom === undefined ? null : { kind: 'notFound' });
  }
  setting.sync.start();
  await wait(setting, 20);
  const before = platform.listings.length;
  await wait(setting, 20);
  expect(platform.listings.length - before).toBe(10 * each);
});

test.each([
  ['tells changes of the last week alone', true, 10_000_000],
  ['filters by another date than it tells', false, 0],
] as const)('a platform that %s, and answers 404 where nothing fits, keeps its changes', async (_, isOfWeek, agoMs) => {
  const setting = await prepare({ products: 150 });
  const { clock, platform, sync } = setting;
  const updated_at = new Date(clock.now() - agoMs).toISOString();
  platform.changePage = (page) => ({
    ...page,
    elements: page.elements.map((element) => ({ ...(element as object), updated_at })),
  });
  failEmpty(setting, 'notFound');
  const failing = platform.failListing;
  platform.failListing = (query) =>
    isOfWeek && query.updatedFrom !== undefined && Date.parse(query.updatedFrom) < clock.now() - 7 * 1440 * minuteMs
      ? { kind: 'notFound' }
      : failing(query);
  sync.start();
  await wait(setting, 60);
  expect(sync.state()).toMatchObject({ phase: 'complete', failure: null });
  expect(clock.now() - (sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(5 * minuteMs);
});

test.each([
  ['answers 404 where nothing fits', false],
  ['answers 404 to all changes from then on', true],
] as const)(
  'where changes of a week alone are told, without dates, and a shop is quiet, a platform that %s',
  async (_, isRefusing) => {
    const setting = await prepare();
    const { clock, platform, sync } = setting;
    const products = platform.fill(stockOne, 150);
    platform.changePage = (page) => ({
      ...page,
      elements: page.elements.map((element) => ({ ...(element as object), updated_at: null })),
    });
    failEmpty(setting, 'notFound');
    const failing = platform.failListing;
    platform.failListing = (query) => {
      const since = query.updatedFrom === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.updatedFrom);
      return since < clock.now() - 7 * 1440 * minuteMs ? { kind: 'notFound' } : failing(query);
    };
    sync.start();
    await wait(setting, 30);
    // The last sale of the week.
    platform.stocks.set(
      stockOne,
      products.map((one) => (one.id === 7n ? { ...one, balance: 777, updatedAt: clock.now() } : one)),
    );
    await wait(setting, 120);
    const ofAll = () =>
      platform.listings.filter(({ updatedFrom, perPage }) => updatedFrom === undefined && perPage === 100);
    const before = ofAll().length;
    if (isRefusing) {
      platform.failListing = ({ updatedFrom }) => (updatedFrom === undefined ? null : { kind: 'notFound' });
    }
    await wait(setting, 300);
    const ageMs = clock.now() - (sync.state().stocks[0]?.completeAsOf ?? 0);
    expect([ofAll().length > before, ageMs > 5 * minuteMs]).toEqual([isRefusing, isRefusing]);
  },
);

test('a witness that fails in another way proves nothing', async () => {
  const setting = await prepare({ products: 150 });
  const { clock, platform, sync } = setting;
  platform.failListing = ({ updatedFrom, perPage }) =>
    updatedFrom === undefined ? null : { kind: perPage === 1 ? 'badRequest' : 'notFound' };
  sync.start();
  await wait(setting, 60);
  expect(clock.now() - (sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(5 * minuteMs);
});

test('a 404 to changes is an empty list also where one row fails each page that it is on', async () => {
  const setting = await prepare();
  const { platform, clock } = setting;
  const products = platform.fill(stockOne, 150);
  platform.failListing = ({ updatedFrom, page, perPage }) => {
    if (updatedFrom !== undefined) {
      const since = Date.parse(updatedFrom);
      return products.some(({ updatedAt }) => updatedAt >= since) ? null : { kind: 'notFound' };
    }
    return (page - 1) * perPage <= 6 && page * perPage > 6 ? { kind: 'answerMalformed' } : null;
  };
  setting.sync.start();
  await wait(setting, 180);
  expect(clock.now() - (setting.sync.state().stocks[0]?.completeAsOf ?? 0)).toBeLessThan(70 * minuteMs);
});

test('where each question for ids is answered with 404, a lost answer to a witness lets nothing go', async () => {
  const setting = await prepare({ stockIds: [stockOne] });
  const products = setting.platform.fill(stockOne, 150);
  setting.sync.start();
  await wait(setting, 10);
  let asked = 0;
  setting.platform.failListing = ({ productIds }) => {
    asked += 1;
    if (asked % 5 === 0) {
      return { kind: 'timedOut' };
    }
    return productIds === undefined ? null : { kind: 'notFound' };
  };
  const hidden = new Set([7n, 20n, 33n, 46n, 59n, 72n, 85n]);
  setting.platform.stocks.set(
    stockOne,
    products.filter((one) => !hidden.has(one.id)),
  );
  setting.sync.copyAgain();
  await wait(setting, 120);
  expect(copiedIds(setting, 150)).toEqual(all(150));
});
