// Checks invariant 6 of renderer/lookup/lookup-store.ts: what is on the screen while the copy grows.
import { describe, expect, it } from 'vitest';
import { card, failed, found, id, ok } from '../stores/held-bridge.ts';
import { answerStocks, openLookup } from './open-lookup.ts';

/** Product 8 takes the place of 7, which was scanned. */
async function makeWay(
  store: ReturnType<typeof openLookup>['store'],
  next: ReturnType<typeof openLookup>['next'],
): Promise<void> {
  void store.getState().find('x', 'scan');
  await next('lookup:find').answer(found('x', card('7')));
  void store.getState().noticeCopy();
  await next('lookup:find').answer(found('x', card('8')));
  await answerStocks(next, card('7'));
}

describe('a miss while the copy grows (invariant 6)', () => {
  const notCopied = (copied: number, more = {}): unknown =>
    ok({ kind: 'notCopied', text: 'x', copied, total: 10, completeAt: null, asked: false, ...more });

  it('becomes the product as soon as the copy has it, without a new lookup', async () => {
    const { store, next, shown } = openLookup(true);
    void store.getState().find('x', 'scan');
    await next('lookup:find').answer(notCopied(1));
    void store.getState().noticeCopy();
    const again = next('lookup:find');
    expect(again.input).toEqual({ text: 'x', source: 'scan', isAgain: true });
    await again.answer(found('x', card('7')));
    expect(shown().map(({ productId }) => productId)).toEqual(['7']);
    expect(store.getState().sequence).toBe(1);
  });

  it('becomes unknown when the copy is complete, and what the platform said to it stays', async () => {
    const { store, next, calls } = openLookup();
    void store.getState().find('x', 'scan');
    await next('lookup:find').answer(notCopied(1));
    await next('lookup:ask').answer(notCopied(1, { asked: true }));
    void store.getState().noticeCopy();
    await next('lookup:find').answer(notCopied(8));
    expect(store.getState().answer).toMatchObject({ kind: 'notCopied', copied: 8, asked: true });
    void store.getState().noticeCopy();
    await next('lookup:find').answer(ok({ kind: 'unknown', text: 'x', asked: false }));
    expect(store.getState().answer).toMatchObject({ kind: 'unknown', asked: true });
    expect(calls.filter(({ channel }) => channel === 'lookup:ask')).toHaveLength(1);
  });

  it.each(['scan', 'typed'] as const)(
    'a product of which others have the code makes way for them (%s)',
    async (source) => {
      const { store, next, shown } = openLookup(true);
      const again = async (answer: unknown): Promise<unknown> => {
        void store.getState().noticeCopy();
        const { answer: before } = store.getState();
        await next('lookup:find').answer(answer);
        if (before?.kind === 'found') {
          await answerStocks(next, before.cards[0]);
        }
        const { answer: now } = store.getState();
        return now?.kind === 'several'
          ? now.hits.map(({ productId }) => productId)
          : shown().map((one) => one.productId);
      };
      const several = (...ids: string[]) =>
        ok({ kind: 'several', text: 'x', hits: ids.map((productId) => ({ productId })) });
      void store.getState().find('x', source);
      await next('lookup:find').answer(found('x', card('7')));
      expect(await again(notCopied(1))).toEqual(['7']);
      expect(await again(found('x', card('8')))).toEqual(['8']);
      expect(await again(several('8', '9'))).toEqual(['8', '9']);
      expect(await again(several('6', '8', '9'))).toEqual(['8', '9', '6']);
      expect(await again(ok({ kind: 'several', text: 'x', read: { as: 'search' }, hits: [] }))).toEqual([
        '8',
        '9',
        '6',
      ]);
      expect(await again(found('x', card('5')))).toEqual(['5']);
    },
  );

  it('a list of what was found by name gets the stocks that come, and stays the list that it was', async () => {
    const { store, next } = openLookup(true);
    const byName = (...places: string[]) => {
      const hits = places.map((place) => ({ productId: place[0], stockId: place[1] }));
      return ok({ kind: 'several', text: 'caf', read: { as: 'search' }, hits });
    };
    const again = async (answer: unknown) => {
      void store.getState().noticeCopy();
      await next('lookup:find').answer(answer);
      const { answer: now } = store.getState();
      return now?.kind === 'several' ? now.hits.map((hit) => `${hit.productId}${hit.stockId}`) : now?.kind;
    };
    void store.getState().find('caf', 'typed');
    await next('lookup:find').answer(byName('71', '81'));
    expect(await again(byName('61', '81', '82', '71', '72'))).toEqual(['71', '72', '81', '82']);
    expect(await again(byName('61', '62', '82'))).toEqual(['71', '72', '81', '82']);
    expect(await again(byName('72', '81', '82'))).toEqual(['72', '81', '82']);
  });

  it.each(['scan', 'typed', 'opened'])(
    'a product that another stock has too gets it, without a sound (%s)',
    async (how) => {
      const { store, next, shown } = openLookup(true);
      const [depot, shop] = [card('7', { stockId: id('2') }), card('7')];
      if (how === 'opened') {
        void store.getState().open(depot, [id('2')]);
        await next('product:read').answer(ok(depot));
      } else {
        void store.getState().find('x', how === 'scan' ? 'scan' : 'typed');
        await next('lookup:find').answer(found('x', depot));
      }
      const { scanned } = store.getState();
      void store.getState().noticeCopy();
      if (how !== 'opened') {
        const read = { as: how === 'typed' ? 'search' : 'barcode' };
        await next('lookup:find').answer(ok({ kind: 'found', text: 'x', read, cards: [shop, depot] }));
      }
      await answerStocks(next, shop, depot);
      expect(shown().map(({ stockId }) => stockId)).toEqual(how === 'opened' ? ['2', '1'] : ['1', '2']);
      expect(store.getState().scanned).toBe(scanned);
    },
  );

  it.each(['before', 'while'])(
    'stays while a dialog is open, and is looked up when it is closed (%s)',
    async (when) => {
      const { store, next, shown, openDialog, closeDialog, calls, scan } = openLookup(true);
      await scan('x', card('7'));
      const finish = async (productId: string): Promise<void> => {
        await next('lookup:find').answer(found('x', card(productId)));
        await answerStocks(next, card('7'));
      };
      if (when === 'before') {
        openDialog();
      }
      void store.getState().noticeCopy();
      if (when === 'while') {
        openDialog();
        await finish('8');
      }
      expect(shown()[0]?.productId).toBe('7');
      const before = calls.length;
      await closeDialog();
      expect(calls).toHaveLength(before + 1);
      await finish('9');
      expect(shown()[0]?.productId).toBe('9');
    },
  );

  it.each([
    ['a scan', null],
    ['what the platform has for a miss', ok({ kind: 'unknown', text: 'x', asked: false })],
  ])('%s that is answered while a dialog is open shows when it is closed', async (_what, miss) => {
    const { store, next, shown, openDialog, closeDialog } = openLookup();
    void store.getState().find('x', 'scan');
    if (miss !== null) {
      await next('lookup:find').answer(miss);
    }
    openDialog();
    await next(miss === null ? 'lookup:find' : 'lookup:ask').answer(found('x', card('7')));
    expect(shown()).toEqual([]);
    await closeDialog();
    expect(shown()).toHaveLength(1);
  });

  it('what the copy says while an answer is held is looked at once it is shown', async () => {
    const { store, next, shown, openDialog, closeDialog } = openLookup(true);
    void store.getState().find('x', 'scan');
    openDialog();
    void store.getState().noticeCopy();
    await next('lookup:find').answer(found('x', card('7')));
    await closeDialog();
    expect(shown().map(({ productId }) => productId)).toEqual(['7']);
    await next('lookup:find').answer(found('x', card('8')));
    await answerStocks(next, card('7'));
    expect(shown().map(({ productId }) => productId)).toEqual(['8']);
  });

  it('stays when a scan fails while a dialog is open, and makes way when it is closed', async () => {
    const { store, next, shown, openDialog, closeDialog, scan } = openLookup(true);
    await scan('x', card('7'));
    void store.getState().find('y', 'scan');
    openDialog();
    await next('lookup:find').answer(failed('storageFailed'));
    expect(shown()[0]?.productId).toBe('7');
    await closeDialog();
    expect([shown(), store.getState().failure]).toEqual([[], { kind: 'storageFailed' }]);
  });

  it('leaves out a stock in which the product is no longer, but not one that could not be read', async () => {
    const { store, next, shown, scan } = openLookup(true);
    const [shop, depot] = [card('7'), card('7', { stockId: id('2') })];
    await scan('x', shop, depot);
    void store.getState().noticeCopy();
    await next('lookup:find').answer(found('x', depot));
    await next('product:read').answer(failed('storageFailed'));
    await next('product:read').answer(ok(depot));
    expect(shown().map(({ stockId }) => stockId)).toEqual(['1', '2']);
    void store.getState().noticeCopy();
    await next('lookup:find').answer(found('x', depot));
    await answerStocks(next, depot);
    expect(shown().map(({ stockId }) => stockId)).toEqual(['2']);
  });

  it('why a figure was not read is not said of the product that has taken its place', async () => {
    const { store, next, shown } = openLookup();
    await makeWay(store, next);
    const [former, newest] = [next('product:refresh'), next('product:refresh')];
    await newest.answer(ok(card('8')));
    await former.answer(failed('timedOut'));
    expect(shown()[0]?.productId).toBe('8');
    expect(store.getState().improvementFailure).toBeNull();
  });

  it('a live figure is asked for of the product that takes the place of another', async () => {
    const { store, next, calls } = openLookup();
    await makeWay(store, next);
    expect(calls.filter(({ channel }) => channel === 'product:refresh').map(({ input }) => input)).toMatchObject([
      { productId: '7' },
      { productId: '8' },
    ]);
  });

  it('that the copy has answered is not overwritten by the platform\u2019s later miss', async () => {
    const { store, next, shown } = openLookup();
    void store.getState().find('x', 'scan');
    await next('lookup:find').answer(notCopied(1));
    void store.getState().noticeCopy();
    await next('lookup:find').answer(found('x', card('7')));
    await next('lookup:ask').answer(notCopied(1, { asked: true }));
    expect(shown()).toHaveLength(1);
  });

  it('is looked up one at a time', async () => {
    const { store, next, calls } = openLookup(true);
    void store.getState().find('x', 'typed');
    await next('lookup:find').answer(notCopied(1));
    void store.getState().noticeCopy();
    void store.getState().noticeCopy();
    expect(calls.filter(({ channel }) => channel === 'lookup:find')).toHaveLength(2);
    await next('lookup:find').answer(notCopied(2));
    await next('lookup:find').answer(found('x', card('7')));
    expect(calls.filter(({ channel }) => channel === 'lookup:find')).toHaveLength(3);
  });
});
