// A figure that is asked for with those for which other tills wait (H15 of app/hub/document.ts).
import { describe, expect, test } from 'vitest';
import type { LookupPorts } from '../../../../app/catalogue/lookup/lookup.ts';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import type { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import { id, stockOne } from '../catalogue-fixture.ts';
import { prepare, shop } from './lookup-fixture.ts';

const hourMs = 3_600_000;
const others = [id(2), id(3)];

/** A till whose platform has these products, with others waiting for two of them. */
async function till() {
  const shown: { readonly stockId: Id; readonly productIds: readonly (Id | undefined)[] }[] = [];
  const shared: LookupPorts['shared'] = {
    nowMs: () => 0,
    balance: (stockId, productId) => shown.push({ stockId, productIds: [productId] }),
    alias: () => undefined,
    figures: (stockId: Id, elements: readonly ListedElement[]) => {
      shown.push({ stockId, productIds: elements.map(({ product }) => product?.productId) });
    },
  };
  const setting = await prepare(shop, { shared });
  const { clock, platform, repository } = setting;
  platform.stocks.set(
    stockOne,
    platform.fill(stockOne, 4).map((product) => ({ ...product, balance: 10 * Number(product.id) })),
  );
  platform.wanted = others;
  clock.sleep(1_000);
  const balances = (): (number | null | undefined)[] =>
    [1, 2, 3].map((number) => setting.lookup.read(stockOne, id(number))?.balance.amount);
  const [stock] = repository.stocks();
  return { ...setting, shown, balances, stock: stock ?? expect.unreachable('a stock') };
}

describe('a live figure (H15)', () => {
  test('is asked for with them by one listing, and all are kept and shared', async () => {
    const { lookup, platform, clock, shown, balances } = await till();
    const leavesAt = clock.now() + 5_000;
    platform.granting = () => {
      clock.sleep(5_000);
      return Promise.resolve(true);
    };
    const answer = await lookup.refresh(stockOne, id(1));
    expect(answer).toMatchObject({ ok: true, value: { productId: '1', balance: { amount: 10, asOf: leavesAt } } });
    expect(balances()).toEqual([10, 20, 30]);
    expect(shown).toEqual([{ stockId: stockOne, productIds: ['1', '2', '3'] }]);
    expect([platform.listings.map(({ productIds }) => productIds), platform.balances]).toEqual([[['1', '2', '3']], []]);
  });

  test('is asked for by itself where the listing does not have it, and later again with others', async () => {
    const { lookup, platform, shown } = await till();
    platform.changePage = (page) => ({ ...page, elements: page.elements.slice(1) });
    expect(await lookup.refresh(stockOne, id(1))).toMatchObject({ ok: true, value: { balance: { amount: 7 } } });
    expect(shown.map(({ productIds }) => productIds)).toEqual([['2', '3'], ['1']]);
    await lookup.refresh(stockOne, id(1));
    expect(platform.listings).toHaveLength(2);
  });

  test.for([
    ['refuses the ids', { failListing: () => ({ kind: 'refused' as const }) }],
    ['fails with them', { failListing: () => ({ kind: 'platformFailed' as const }) }],
    ['lists no figures', { changePage: (page: object) => ({ ...page, elements: [{ id: 1, name: 'Café' }] }) }],
    ['lists others', { changePage: (page: object) => ({ ...page, elements: [{ id: 9, name: 'Sal', balance: 3 }] }) }],
  ] as const)('is asked for by itself for an hour where the platform %s', async ([, change]) => {
    const { lookup, platform, clock } = await till();
    Object.assign(platform, change);
    for (const answered of [1, 2]) {
      expect(await lookup.refresh(stockOne, id(1))).toMatchObject({ ok: true, value: { balance: { amount: 7 } } });
      expect([platform.listings.length, platform.balances.length]).toEqual([1, answered]);
    }
    expect(lookup.read(stockOne, id(9))).toBeNull();
    clock.sleep(hourMs);
    await lookup.refresh(stockOne, id(1));
    expect(platform.listings).toHaveLength(2);
  });

  test('fails as the listing where no other question would be answered', async () => {
    const { lookup, platform } = await till();
    platform.failListing = () => ({ kind: 'tooManyRequests' });
    expect(await lookup.refresh(stockOne, id(1))).toMatchObject({ ok: false, failure: { kind: 'tooManyRequests' } });
    expect(platform.balances).toEqual([]);
  });

  test('of a stock that the platform refuses is asked for by itself, whatever others share (decision 40)', async () => {
    const { lookup, platform, repository, stock } = await till();
    repository.saveProgress(stock, { ...noProgress, refused: 'forbidden' });
    platform.answerBalance = () => {
      lookup.noticeShared();
      return Promise.resolve({ ok: false, failure: { kind: 'forbidden' } });
    };
    expect(await lookup.refresh(stockOne, id(1))).toMatchObject({ ok: false, failure: { kind: 'forbidden' } });
    expect(platform.listings).toEqual([]);
  });

  test('is answered by one that another till asked for since, while it waits for its slot', async () => {
    const { lookup, platform, repository, clock, stock } = await till();
    platform.granting = (whileWanted) =>
      new Promise((resolve) => {
        whileWanted?.addEventListener('abort', () => {
          resolve(false);
        });
      });
    let answer: unknown = null;
    const asked = lookup.refresh(stockOne, id(1)).then((value) => (answer = value));
    const hear = async (askedAt: number): Promise<void> => {
      repository.writer.saveBalance(stock, id(1), { amount: 5, options: [], asOf: askedAt });
      lookup.noticeShared();
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    };
    await hear(clock.now() - 1_001);
    expect(answer).toBeNull();
    clock.sleep(500);
    await hear(clock.now());
    expect(await asked).toMatchObject({ ok: true, value: { balance: { amount: 5, asOf: clock.now() } } });
    expect([platform.listings, platform.balances]).toEqual([[], []]);
  });

  test('is not answered by one of a moment still to come, from before the clock was set back', async () => {
    const { lookup, platform, repository, clock, stock } = await till();
    repository.writer.saveBalance(stock, id(1), { amount: 5, options: [], asOf: clock.now() + hourMs });
    platform.wanted = [];
    platform.granting = (whileWanted) => {
      lookup.noticeShared();
      return Promise.resolve(whileWanted?.aborted === false);
    };
    expect(await lookup.refresh(stockOne, id(1))).toMatchObject({ ok: true });
    expect(platform.balances).toHaveLength(1);
  });

  test('that another till has shared stands though the platform refuses one more request', async () => {
    const { lookup, platform, repository, clock, stock } = await till();
    platform.wanted = [];
    platform.answerBalance = () => {
      repository.writer.saveBalance(stock, id(1), { amount: 5, options: [], asOf: clock.now() });
      lookup.noticeShared();
      return Promise.resolve({ ok: false, failure: { kind: 'tooManyRequests' } });
    };
    expect(await lookup.refresh(stockOne, id(1))).toMatchObject({ ok: true, value: { balance: { amount: 5 } } });
  });
});
