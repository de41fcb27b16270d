import { describe, expect, test } from 'vitest';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import { fail } from '../../../../app/domain/result.ts';
import { id, stockOne } from '../catalogue-fixture.ts';
import { openShop } from './open-shop.ts';

describe('a view', () => {
  const three = [1, 2, 3].map((number) => ({
    id: number,
    code: `C${number}`,
    name: `Produto ${number}`,
    balance: number,
  }));

  test('V1: keeps its rows in their places while the copy changes; a new one shows what has changed', async () => {
    const shop = await openShop();
    shop.save(three);
    const before = await shop.page({});
    shop.save([
      { id: 1, code: 'C1', name: 'Zinco', balance: 9 },
      { id: 4, code: 'C4', name: 'Abacate', balance: 1 },
    ]);
    const [stock] = shop.repository.stocks();
    shop.repository.writer.remove(stock ?? { number: 0, stockId: stockOne }, [id(2)]);
    expect((await shop.page({ view: before.view })).names).toEqual(['Zinco', null, 'Produto 3']);
    const after = await shop.page({});
    expect(after).toMatchObject({ names: ['Abacate', 'Produto 3', 'Zinco'], total: 3 });
    expect(after.view).not.toBe(before.view);
  });

  test('of another query is another view', async () => {
    const shop = await openShop();
    shop.save(three);
    const { view } = await shop.page({});
    const other = await shop.page({ view, query: { ...everyProduct, direction: 'desc' } });
    expect(other.names).toEqual(['Produto 3', 'Produto 2', 'Produto 1']);
    expect(other.view).not.toBe(view);
  });

  test('V3: is forgotten when newer ones need its room, and when nobody asks for two minutes', async () => {
    const shop = await openShop();
    shop.save(three);
    const first = await shop.page({});
    const others = [await shop.page({}), await shop.page({})];
    expect((await shop.page({ view: first.view })).view).toBe(first.view);
    await shop.page({});
    expect((await shop.page({ view: first.view })).view).toBe(first.view);
    expect(others).not.toContainEqual(
      expect.objectContaining({ view: (await shop.page({ view: others[0]?.view ?? 0 })).view }),
    );
    await shop.clock.advance(121_000);
    expect((await shop.page({ view: first.view })).view).not.toBe(first.view);
  });

  test('is not to be had of a copy that is closed', async () => {
    const shop = await openShop();
    shop.browse.close();
    expect(await shop.browse.page({ query: everyProduct, offset: 0, limit: 1 })).toEqual(fail({ kind: 'notReady' }));
  });
});
