// The proof of what becomes of the line of a code that several products share, once one of them is chosen for it.
import { expect, test } from 'vitest';
import type { CatalogueAnswer } from '../../../app/catalogue/lookup/answers.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { createStocktakeHandlers } from '../../../app/stocktakes/calls.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { valueOf } from '../../support/value-of.ts';
import { begin, openRepository } from './stocktake-fixture.ts';

const code = '9520000000028';
const card = (number: number) => ({
  stockId: '11' as Id,
  productId: String(number) as Id,
  code: `A-${number}`,
  name: `Suco ${number}`,
  unit: 'UNID',
  balance: { amount: 5, asOf: 0 },
});

/** A count in which a code of two products was scanned twice. */
async function openShared() {
  const repository = await openRepository();
  const stocktakeId = begin(repository);
  const named = { products: [1, 2] };
  const identify = (text: string): CatalogueAnswer =>
    ({
      kind: named.products.length > 1 ? 'several' : 'found',
      text,
      hits: named.products.map(card),
      cards: named.products.map(card),
    }) as unknown as CatalogueAnswer;
  const shop = {
    catalogue: {
      identify,
      read: (_stockId: Id, productId: Id) => card(Number(productId)),
      nameOf: (productId: Id) => card(Number(productId)),
      state: () => ({ stocks: [{ stockId: '11', completeAsOf: 1, refused: null }] }),
    },
    stocktakes: { use: (action: (one: typeof repository) => unknown) => Promise.resolve(action(repository)) },
    session: { state: () => ({ email: null }) },
  };
  const withOpen = ((action: (open: typeof shop) => unknown) => action(shop)) as unknown as Parameters<
    typeof createStocktakeHandlers
  >[0];
  const call = createStocktakeHandlers(withOpen, createManualClock());
  const scan = async (source: 'scan' | 'typed', of: { readonly instead?: number } = {}) =>
    valueOf(await call['stocktake:scan']({ stocktakeId, text: code, source, ...of }));
  await scan('scan');
  const counted = await scan('scan');
  const lines = (): unknown =>
    repository.lines.list(stocktakeId, null, 0, 9).rows.map((one) => [one.code, one.quantity]);
  expect(lines()).toEqual([[code, 2]]);
  return { call, stocktakeId, scan, named, lines, instead: counted.kind === 'counted' ? counted.line.id : -1 };
}

test('what was counted of a code comes back to it by one undo', async () => {
  const { call, stocktakeId, lines, instead } = await openShared();
  const undo = async () => {
    const { line } = valueOf(await call['stocktake:undo']({ stocktakeId, step: null }));
    await call['stocktake:undo']({ stocktakeId, step: line?.step ?? null });
  };
  await call['stocktake:add']({ stocktakeId, productId: '2' as Id, instead });
  expect(lines()).toEqual([['A-2', 2]]);
  await undo();
  expect(lines()).toEqual([[code, 2]]);
  await undo();
  expect(lines()).toEqual([[code, 1]]);
});

test('where the code names one product by now, all that was counted of it goes there', async () => {
  const { scan, named, lines, instead } = await openShared();
  expect((await scan('typed', { instead })).kind).toBe('several');
  expect(lines()).toEqual([[code, 2]]);
  named.products = [2];
  await scan('typed', { instead });
  expect(lines()).toEqual([['A-2', 2]]);
});
