// The proof that a page that is stored in slices is stored like any other: whatever moment a crash cuts it off at,
// reading it again counts each row once, and every search finds it.
import { describe, expect, test } from 'vitest';
import { storeInSlices } from '../../../../app/catalogue/repository/slices.ts';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { all, copiedIds, prepare } from '../sync/sync-fixture.ts';
import { id, openRepository, stockOne } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

const askedAt = 1_000;

function page(
  count: number,
  nameOf: (place: number) => string = (place) => `Biscoito ${place}`,
): Record<string, unknown>[] {
  return Array.from({ length: count }, (_unused, place) => ({
    id: place + 1,
    name: nameOf(place),
    code: `C${String(place).padStart(4, '0')}`,
    balance: place,
  }));
}

function stockOf(repository: CatalogueRepository) {
  const [stock] = repository.stocks();
  if (stock === undefined) {
    throw new Error('no stock');
  }
  return stock;
}

async function storeUntil(
  repository: CatalogueRepository,
  elements: readonly unknown[],
  rests: number,
  uptimeMs: () => number = () => 0,
): Promise<boolean> {
  let left = rests;
  return storeInSlices(repository, stockOf(repository), listed(elements), askedAt, uptimeMs, () => {
    left -= 1;
    return Promise.resolve(left > 0);
  });
}

describe('a page in slices', () => {
  test.each(all(8))(
    'L2: cut off at rest %d and opened again, it is counted once and found by every word',
    async (rests) => {
      const first = await openRepository();
      first.repository.writer.save(stockOf(first.repository), listed(page(30)), { pass: 1, seenSince: 1, askedAt: 1 });
      const elements = page(100, (place) => (place % 10 === 0 ? `Torrada ${place}` : `Biscoito ${place}`));
      const isWhole = await storeUntil(first.repository, elements, rests);
      expect(isWhole).toBe(rests === 8);
      first.repository.close();
      const { repository } = await openRepository({ path: first.path });
      expect(await storeUntil(repository, elements, 100)).toBe(true);
      expect(
        repository.writer.save(stockOf(repository), listed(elements), { pass: 2, seenSince: 2, askedAt }),
      ).toMatchObject({ fresh: 100, newlySeen: 100, skipped: 0 });
      expect(stockOf(repository).copied).toBe(100);
      expect([...repository.search.all('torrada')].flat()).toHaveLength(10);
      expect([...repository.search.all('biscoito')].flat()).toHaveLength(90);
      expect(new Set([...repository.search.all('0099')].flat()).size).toBe(1);
      expect(repository.reader.card(repository.reader.find(stockOne, id(100)) ?? 0)?.balance).toEqual({
        amount: 99,
        asOf: askedAt,
        source: 'listing',
      });
    },
  );

  test('L1: on a disk where each product takes long, others have their turn after every second one', async () => {
    const { repository } = await openRepository();
    let uptimeMs = 0;
    // A look at the clock as the slice begins and before each product but its first, each three milliseconds later.
    const slow = (): number => (uptimeMs += 3);
    expect(await storeUntil(repository, page(12), 4, slow)).toBe(false);
    expect(stockOf(repository).copied).toBe(8);
    expect(await storeUntil(repository, page(12), 100, slow)).toBe(true);
    expect(stockOf(repository).copied).toBe(10);
    expect([...repository.search.all('biscoito')].flat()).toHaveLength(10);
  });

  test('T1: rows that are not indexed yet may change and go, and only their last state is found', async () => {
    const { repository } = await openRepository();
    const stock = stockOf(repository);
    repository.writer.saveAhead(stock, listed(page(3)), askedAt);
    expect(repository.search.search('biscoito', 5)).toEqual([]);
    repository.writer.saveAhead(stock, listed([{ id: 2, name: 'Torrada', code: 'T2' }]), askedAt);
    repository.writer.remove(stock, [id(3)]);
    repository.writer.index();
    expect([...repository.search.all('biscoito')].flat()).toHaveLength(1);
    expect([...repository.search.all('torrada')].flat()).toHaveLength(1);
    expect(repository.search.search('C0002', 5)).toEqual([]);
  });

  test('T2: rows that a stop left out are brought in by the next page, whoever writes it', async () => {
    const { repository } = await openRepository();
    repository.writer.saveAhead(stockOf(repository), listed(page(3)), askedAt);
    repository.writer.save(stockOf(repository), listed([{ id: 9, name: 'Água', code: 'A9' }]), {
      pass: 0,
      seenSince: 0,
      askedAt,
    });
    expect([...repository.search.all('biscoito')].flat()).toHaveLength(3);
  });

  test('T2: rows that a crash left out are found as soon as the copy is open again', async () => {
    const first = await openRepository();
    first.repository.writer.saveAhead(stockOf(first.repository), listed(page(3)), askedAt);
    expect(first.repository.search.search('biscoito', 5)).toEqual([]);
    first.repository.close();
    const { repository } = await openRepository({ path: first.path });
    expect(repository.search.search('biscoito', 5)).toHaveLength(3);
    expect([...repository.browse.matching('biscoito')].flat()).toHaveLength(3);
  });

  test('copying that stops in the middle of a page goes on where it was, and loses and doubles nothing', async () => {
    const setting = await prepare();
    setting.platform.fill(stockOne, 350);
    setting.sync.start();
    let rests = 0;
    // Stopped and started again at many a moment, most of them in the middle of a page.
    for (; rests < 60; rests += 1) {
      await setting.clock.advance(rests % 3 === 0 ? 0 : 700);
      setting.sync.stop();
      await setting.clock.advance(0);
      setting.sync.start();
    }
    await setting.clock.advance(600_000);
    expect(setting.sync.state()).toMatchObject({ phase: 'complete', copied: 350 });
    expect(copiedIds(setting, 350)).toEqual(all(350));
    expect(setting.repository.stocks()[0]?.progress).toMatchObject({ isKnownShort: false, sweep: null });
  });
});
