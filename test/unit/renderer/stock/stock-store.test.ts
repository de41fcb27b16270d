// Cites the invariants of stock/stock-store.ts.
import { describe, expect, it } from 'vitest';
import type { Later } from '../../../../renderer/dom/clock.ts';
import { firstQuery, stockViews } from '../../../../renderer/stock/stock-views.ts';
import { createStockStore, rowAt, rowsPerStockPage } from '../../../../renderer/stock/stock-store.ts';
import { createHeldBridge, failed, ok, type OpenCall } from '../stores/held-bridge.ts';
import { createPersonStores } from '../../../../renderer/stores/make-store.ts';

function open() {
  const held = createHeldBridge();
  const waiting: { readonly delayMs: number; readonly callback: () => void }[] = [];
  const later: Later = (delayMs, callback) => {
    const one = { delayMs, callback };
    waiting.push(one);
    return () => {
      waiting.splice(waiting.indexOf(one), 1);
    };
  };
  const people = createPersonStores();
  const store = createStockStore(people.make, held.bridge, later);
  return {
    ...held,
    people,
    store,
    state: () => store.getState(),
    asked: () => held.calls.map(({ input }) => [input['view'], input['offset']]),
    /** Lets the time pass after which everything that waits happens. */
    pass: () => {
      for (const { callback } of waiting.splice(0)) callback();
    },
  };
}

const rowsOf = (prefix: string, count: number): unknown[] =>
  Array.from({ length: count }, (_unused, place) => ({ name: `${prefix}${place}` }));
const page = (
  view: number,
  total: number | null,
  more: { found?: number; isWhole?: boolean; prefix?: string; rows?: number } = {},
): unknown =>
  ok({
    view,
    total,
    found: more.found ?? total ?? 0,
    isWhole: more.isWhole ?? true,
    rows: rowsOf(more.prefix ?? `v${view}-`, more.rows ?? rowsPerStockPage),
  });
const answer = (call: OpenCall, result: unknown): Promise<void> => call.answer(result);

describe('the stock table', () => {
  it('asks the first page alone, and the others of the view that it named', async () => {
    const { store, state, asked, next } = open();
    store.getState().see(50, 310);
    expect(asked()).toEqual([[undefined, 0]]);
    await answer(next('stock:browse'), page(7, 1_000));
    expect(asked().slice(1)).toEqual([
      [7, 100],
      [7, 200],
    ]);
    expect(state()).toMatchObject({ total: 1_000, count: 1_000, isStale: false });
    await answer(next('stock:browse'), page(7, 1_000, { prefix: 'second-' }));
    expect(asked().at(-1)).toEqual([7, 300]);
    expect(rowAt(state().pages, 101)).toMatchObject({ name: 'second-1' });
    expect(rowAt(state().pages, 900)).toBeUndefined();
  });

  it('drops what belongs to an older query, and keeps its rows until new ones come (invariants 1, 2)', async () => {
    const { store, state, next } = open();
    store.getState().see(0, 20);
    await answer(next('stock:browse'), page(1, 40, { prefix: 'old-', rows: 40 }));
    store.getState().show('zero');
    const slow = next('stock:browse');
    store.getState().show('negative');
    expect(rowAt(state().pages, 0)).toMatchObject({ name: 'old-0' });
    expect(state().isStale).toBe(true);
    await answer(slow, page(2, 9, { prefix: 'zero-', rows: 9 }));
    expect(rowAt(state().pages, 0)).toMatchObject({ name: 'old-0' });
    await answer(next('stock:browse'), page(3, 4, { prefix: 'negative-', rows: 4 }));
    expect(rowAt(state().pages, 0)).toMatchObject({ name: 'negative-0' });
    expect(state()).toMatchObject({ total: 4, count: 4, isStale: false, query: { amount: 'negative' } });
  });

  it('asks for each view by itself, keeps filters and order, and asks nothing for what is not of the copy', () => {
    const { store, state, calls } = open();
    store.getState().see(0, 20);
    store.getState().choose({ term: 'pro', orderBy: 'name', direction: 'desc' });
    const asked: unknown[] = [];
    for (const view of stockViews) {
      const before = calls.length;
      store.getState().show(view);
      const query = calls.slice(before).map(({ input }) => input['query'])[0];
      asked.push([view, query === undefined ? null : [state().query.list, state().query.amount]]);
      expect(state()).toMatchObject({ shown: view, query: { term: 'pro', orderBy: 'name', direction: 'desc' } });
      expect(query ?? state().query).toEqual(state().query);
    }
    expect(asked).toEqual([
      ['all', ['all', 'all']],
      ['below', ['below', 'all']],
      ['watched', ['watched', 'all']],
      ['ranOut', ['ranOut', 'all']],
      ['cameBack', ['cameBack', 'all']],
      ['changedToday', ['changedToday', 'all']],
      ['expiring', null],
      ['negative', ['all', 'negative']],
      ['zero', ['all', 'zero']],
      ['unknownCodes', null],
    ]);
  });

  it('asks again while products are being counted, and fills the page that was short (invariant 3)', async () => {
    const { store, state, asked, next, pass } = open();
    store.getState().see(0, 20);
    await answer(next('stock:browse'), page(1, null, { found: 30, isWhole: false, rows: 30 }));
    expect(state()).toMatchObject({ total: null, count: 30 });
    pass();
    expect(asked()).toEqual([
      [undefined, 0],
      [1, 0],
    ]);
    await answer(next('stock:browse'), page(1, null, { found: 400, isWhole: false }));
    expect(state()).toMatchObject({ total: null, count: 400 });
    pass();
    await answer(next('stock:browse'), page(1, 812));
    expect(state()).toMatchObject({ total: 812, count: 812 });
    pass();
    expect(asked()).toHaveLength(3);
  });

  it('is read again when the copy has changed and somebody looks, without shrinking (invariants 2, 4)', async () => {
    const { store, state, asked, next, pass } = open();
    store.getState().noticeCopy();
    pass();
    expect(asked()).toEqual([]);
    store.getState().see(300, 320);
    await answer(next('stock:browse'), page(1, 500, { prefix: 'old-' }));
    store.getState().noticeCopy();
    store.getState().noticeCopy();
    pass();
    expect(asked().slice(1)).toEqual([[undefined, 300]]);
    expect(rowAt(state().pages, 300)).toMatchObject({ name: 'old-0' });
    await answer(next('stock:browse'), page(2, null, { found: 400, isWhole: false, prefix: 'new-' }));
    expect(rowAt(state().pages, 300)).toMatchObject({ name: 'new-0' });
    expect(state().count).toBe(500);
    store.getState().leave(4_400);
    pass();
    expect(asked()).toHaveLength(2);
    expect(state().top).toBe(4_400);
  });

  it('of very many rows reads what is in sight again, and makes the order anew only now and then', async () => {
    const { store, state, asked, next, pass } = open();
    store.getState().see(0, 20);
    await answer(next('stock:browse'), page(1, 1_000_000));
    for (let time = 1; time <= 6; time += 1) {
      store.getState().noticeCopy();
      pass();
      await answer(next('stock:browse'), page(time < 6 ? 1 : 2, 1_000_000, { prefix: `time ${time} - ` }));
      expect(rowAt(state().pages, 0)).toMatchObject({ name: `time ${time} - 0` });
    }
    expect(asked()).toEqual([
      [undefined, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [undefined, 0],
    ]);
  });

  it('holds a few pages alone, wherever a person scrolls to', async () => {
    const { store, state, next } = open();
    for (let row = 0; row < 3_000; row += 100) {
      store.getState().see(row, row + 20);
      await answer(next('stock:browse'), page(1, 1_000_000));
    }
    expect(state().pages.size).toBeLessThanOrEqual(8);
    store.getState().see(0, 20);
    await answer(next('stock:browse'), page(1, 1_000_000, { prefix: 'again-' }));
    expect(rowAt(state().pages, 5)).toMatchObject({ name: 'again-5' });
  });

  it('tells why it could not be read, and forgets everything of another person', async () => {
    const { people, store, state, next } = open();
    store.getState().see(0, 20);
    await answer(next('stock:browse'), failed('storageFailed'));
    expect(state().failure).toEqual({ kind: 'storageFailed' });
    store.getState().choose({ term: 'a' });
    await answer(next('stock:browse'), page(1, 1));
    people.take('next', false);
    expect(state()).toMatchObject({ shown: 'all', query: firstQuery, total: null, count: 0, failure: null });
    expect(state().pages.size).toBe(0);
  });
});
