import { describe, expect, it } from 'vitest';
import { card, id, ok } from '../stores/held-bridge.ts';
import { openLookup } from './open-lookup.ts';

describe('suggestions', () => {
  it('of an older text never show, and none show after a scan', async () => {
    const { store, next, pass } = openLookup();
    store.getState().type('ca');
    pass();
    store.getState().type('caf');
    const [older, newer] = [next('lookup:search'), next('lookup:search')];
    await newer.answer(ok([card('1')]));
    await older.answer(ok([]));
    expect(store.getState().suggestions).toHaveLength(1);
    void store.getState().find('caf', 'typed');
    pass();
    expect(store.getState().suggestions).toEqual([]);
  });

  it('need two characters', () => {
    const { store, calls } = openLookup();
    store.getState().type('c');
    expect(calls).toEqual([]);
  });

  it('are eight, with how many there are, and say when nothing fits', async () => {
    const { store, next, pass } = openLookup();
    store.getState().type('pao');
    await next('lookup:search').answer(ok(Array.from({ length: 12 }, (_, place) => card(String(place + 1)))));
    expect(store.getState()).toMatchObject({
      suggestionsFound: 12,
      hasMoreSuggestions: false,
      isNothingFitting: false,
    });
    expect(store.getState().suggestions).toHaveLength(8);
    pass();
    store.getState().type('paop');
    await next('lookup:search').answer(
      ok(
        Array.from({ length: 50 }, (_, line) =>
          card(String((line >> 1) + 1), { stockId: id(String(11 + (line % 2))) }),
        ),
      ),
    );
    expect(store.getState()).toMatchObject({ suggestionsFound: 25, hasMoreSuggestions: true });
    expect(store.getState().suggestions.map(({ first, hits }) => [first.productId, hits.length])).toEqual(
      Array.from({ length: 8 }, (_, place) => [String(place + 1), 2]),
    );
    pass();
    store.getState().type('paozz');
    await next('lookup:search').answer(ok([]));
    expect(store.getState()).toMatchObject({ suggestions: [], suggestionsFound: 0, isNothingFitting: true });
    pass();
    store.getState().type('9521630343');
    await next('lookup:search').answer(ok([]));
    expect(store.getState().isNothingFitting).toBe(false);
    pass();
    store.getState().type('p');
    expect(store.getState().isNothingFitting).toBe(false);
  });

  it('are looked up again as the copy grows while there are none, and not after that', async () => {
    const { store, next, calls, pass } = openLookup();
    const searches = (): number => calls.filter(({ channel }) => channel === 'lookup:search').length;
    store.getState().type('caf');
    await next('lookup:search').answer(ok([]));
    pass();
    void store.getState().noticeCopy();
    expect(store.getState().isNothingFitting).toBe(true);
    await next('lookup:search').answer(ok([card('5')]));
    expect(store.getState()).toMatchObject({ suggestionsFound: 1, isNothingFitting: false });
    void store.getState().noticeCopy();
    expect(searches()).toBe(2);
    pass();
    store.getState().type('9521630343');
    await next('lookup:search').answer(ok([]));
    store.getState().dropSuggestions();
    void store.getState().noticeCopy();
    expect(searches()).toBe(3);
  });

  it('are what the text may have meant once nothing fits and the keys pause, until something fits', async () => {
    const { store, next, calls, pass } = openLookup();
    const asked = (): readonly string[] => calls.map(({ channel }) => channel);
    store.getState().type('vassora');
    await next('lookup:search').answer(ok([]));
    expect(asked()).toEqual(['lookup:search']);
    expect(store.getState()).toMatchObject({ isNothingFitting: true, areMeant: false });
    pass();
    await next('lookup:findSimilar').answer(ok([card('5'), card('6')]));
    expect(store.getState()).toMatchObject({ isNothingFitting: false, areMeant: true, suggestionsFound: 2 });
    const meant = store.getState().suggestions;
    // A copy that grows takes nothing away, and shows what then fits.
    void store.getState().noticeCopy();
    await next('lookup:search').answer(ok([]));
    expect(store.getState().suggestions).toBe(meant);
    pass();
    void store.getState().noticeCopy();
    await next('lookup:search').answer(ok([card('7')]));
    expect(store.getState()).toMatchObject({ areMeant: false, suggestionsFound: 1 });
  });

  it('are not what an older text may have meant, nor asked for when nothing is meant by a number', async () => {
    const { store, next, calls, pass } = openLookup();
    store.getState().type('vassora');
    await next('lookup:search').answer(ok([]));
    pass();
    const older = next('lookup:findSimilar');
    store.getState().type('vassor');
    await older.answer(ok([card('5')]));
    expect(store.getState().areMeant).toBe(false);
    await next('lookup:search').answer(ok([card('6')]));
    expect(store.getState()).toMatchObject({ areMeant: false, suggestionsFound: 1 });
    pass();
    store.getState().type('9521630343');
    await next('lookup:search').answer(ok([]));
    pass();
    expect(calls.filter(({ channel }) => channel === 'lookup:findSimilar')).toHaveLength(1);
  });

  it('are not asked for among keys that come as fast as a scanner, before they rest', async () => {
    const { store, calls, pass, next } = openLookup();
    for (const text of ['7', '78', '789', '7890']) {
      store.getState().type(text);
    }
    expect(calls).toEqual([]);
    pass();
    await next('lookup:search').answer(ok([card('5')]));
    expect(calls.map(({ input }) => input['text'])).toEqual(['7890']);
    store.getState().type('78901');
    store.getState().type('789012');
    void store.getState().find('789012', 'scan');
    pass();
    expect(calls.filter(({ channel }) => channel === 'lookup:search')).toHaveLength(2);
  });

  it('and lookups never ask for more than the contract takes', () => {
    const { store, next } = openLookup();
    store.getState().type('1'.repeat(10_000));
    expect(String(next('lookup:search').input['text'])).toHaveLength(4096);
    void store.getState().find('1'.repeat(10_000), 'typed');
    expect(String(next('lookup:find').input['text'])).toHaveLength(4096);
  });
});
