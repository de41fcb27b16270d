// Checks the invariants of renderer/lookup/lookup-store.ts with answers that come late, out of order and not at all.
import { describe, expect, it } from 'vitest';
import { isUntouchedQuestion } from '../../../../renderer/lookup/choosing.ts';
import { card, failed, found, id, ok } from '../stores/held-bridge.ts';
import { openLookup } from './open-lookup.ts';
import type { CouponState } from '../../../../app/contract/coupons.ts';

const coupon = (isEnabled: boolean, status: CouponState['status']): CouponState => ({
  isEnabled,
  status,
  failure: null,
});

describe('a badge', () => {
  it('that is typed is looked up nowhere, and no longer stands in the field', async () => {
    const { store, badges, calls } = openLookup();
    store.getState().type('TILL0123456789012345');
    await store.getState().find('TILL0123456789012345', 'typed');
    expect([badges, store.getState().text, calls]).toEqual([[true], '', []]);
  });
});

describe('two scans at once (invariant 1)', () => {
  it('are both looked up, and the newer one stays though the older answers later', async () => {
    const { store, next, shown } = openLookup(true);
    void store.getState().find('one', 'scan');
    void store.getState().find('two', 'scan');
    const [first, second] = [next('lookup:find'), next('lookup:find')];
    expect([first.input, second.input]).toEqual([
      { text: 'one', source: 'scan' },
      { text: 'two', source: 'scan' },
    ]);
    await second.answer(found('two', card('2')));
    await first.answer(found('one', card('1')));
    expect(shown().map(({ productId }) => productId)).toEqual(['2']);
    expect(store.getState().text).toBe('two');
    expect(store.getState().answered).toBe(2);
  });

  it('do not mix when the older one is asked from the platform', async () => {
    const { store, next, shown, scan } = openLookup();
    void store.getState().find('one', 'scan');
    await next('lookup:find').answer(ok({ kind: 'unknown', text: 'one', asked: false }));
    const asked = next('lookup:ask');
    await scan('two', card('2'));
    await asked.answer(found('one', card('1')));
    expect(shown().map(({ productId }) => productId)).toEqual(['2']);
    expect(store.getState().improvement).toBe('refreshing');
  });
});

describe('what stood in the field before a question (invariant 11)', () => {
  it.each(['found', 'failed'])(
    'is held for former until the wait shows or it is %s; what is typed is not',
    async (how) => {
      const { store, next, pass, scan } = openLookup(true);
      const isFormer = (): boolean => store.getState().holdsFormer();
      const answer = how === 'found' ? found('2', card('2')) : failed('notReady');
      await scan('1', card('1'));
      expect(isFormer()).toBe(false);
      void store.getState().find('2', 'scan');
      expect([store.getState().text, isFormer()]).toEqual(['1', true]);
      store.getState().type('ca');
      expect(isFormer()).toBe(false);
      store.getState().type('1');
      expect(isFormer()).toBe(true);
      pass();
      expect([store.getState().text, isFormer()]).toEqual(['2', false]);
      void store.getState().find('3', 'scan');
      expect(isFormer()).toBe(true);
      await next('lookup:find').answer(found('2', card('2')));
      expect(isFormer()).toBe(true);
      await next('lookup:find').answer(answer);
      expect(isFormer()).toBe(false);
    },
  );
});

describe('what is typed after a question (invariant 10)', () => {
  it('stays in the field when the answer comes, late or soon, until the next question', async () => {
    const { store, next, pass, shown } = openLookup(true);
    const look = () => [store.getState().text, store.getState().isTypedOver(), shown().map((one) => one.productId)];
    void store.getState().find('7', 'typed');
    store.getState().type('ca');
    pass();
    await next('lookup:find').answer(found('7', card('7')));
    expect(look()).toEqual(['ca', true, ['7']]);
    void store.getState().find('8', 'scan');
    pass();
    await next('lookup:find').answer(found('8', card('8')));
    expect(look()).toEqual(['8', false, ['8']]);
  });

  it.each(['before', 'after'])('is not what a badge puts back into the field, %s the wait shows', async (when) => {
    const { store, next, pass } = openLookup(true);
    void store.getState().find('7', 'scan');
    pass();
    await next('lookup:find').answer(found('7', card('7')));
    void store.getState().find('8', 'scan');
    (when === 'after' ? pass : () => undefined)();
    store.getState().type('7TI');
    store.getState().type('7');
    pass();
    await next('lookup:find').answer(found('8', card('8')));
    expect([store.getState().text, store.getState().isTypedOver()]).toEqual(['8', false]);
  });
});

describe('codes that come all at once (invariant 8)', () => {
  it('are looked up in turns, as many as the recent ones hold, the last one shown', async () => {
    const { store, calls, shown } = openLookup(true);
    for (let scan = 1; scan <= 3000; scan += 1) {
      void store.getState().find(`code ${scan}`, 'scan');
    }
    const finds = () => calls.filter(({ channel }) => channel === 'lookup:find');
    expect(finds().length).toBeLessThan(10);
    expect(store.getState().newest().sequence).toBe(3000);
    for (let answered = 0; answered < finds().length; answered += 1) {
      const { input, answer } = finds()[answered] ?? expect.fail();
      await answer(found(String(input['text']), card(String(input['text']).slice(5))));
    }
    const texts = finds().map(({ input }) => String(input['text']));
    expect(texts.slice(-100)).toEqual(Array.from({ length: 100 }, (_, place) => `code ${2901 + place}`));
    expect(texts.length).toBeLessThan(110);
    expect(shown().map(({ productId }) => productId)).toEqual(['3000']);
    expect(calls.filter(({ channel }) => channel === 'lookup:listRecent').length).toBeLessThan(10);
  });

  it('keep their order with what withdraws one of them', async () => {
    const { store, calls } = openLookup(true);
    for (let scan = 1; scan <= 12; scan += 1) {
      void store.getState().find(String(scan), 'scan');
    }
    store.getState().withdraw('12');
    void store.getState().note('13');
    for (let answered = 0; answered < 14; answered += 1) {
      await calls.filter(({ channel }) => channel !== 'lookup:listRecent')[answered]?.answer(failed('notReady'));
    }
    const order = calls.filter(({ channel }) => channel !== 'lookup:listRecent');
    expect(order.slice(-3).map(({ channel, input }) => `${channel} ${String(input['text'])}`)).toEqual([
      'lookup:find 12',
      'lookup:withdraw 12',
      'lookup:find 13',
    ]);
  });
});

describe('a scan in pieces', () => {
  it('takes the place of the answer on the screen, and its lookup is forgotten', async () => {
    const { store, next, scan } = openLookup(true);
    await scan('12', card('1'));
    await next('lookup:listRecent').answer(ok([]));
    expect(store.getState().answer?.kind).toBe('found');
    store.getState().withdraw('12');
    await next('lookup:withdraw').answer(ok({}));
    store.getState().showPieces();
    const { answer, answered, inPieces, scanned } = store.getState();
    expect([answer, inPieces === answered, scanned === answered]).toEqual([null, true, true]);
    store.getState().clear();
    expect(store.getState().inPieces).not.toBe(store.getState().answered);
  });
});

describe('a find (invariant 4)', () => {
  it('shows its answer and nothing before it when that comes at once', async () => {
    const { store, next, shown } = openLookup(true);
    const seen: boolean[] = [];
    store.subscribe((state) => seen.push(state.answered === state.sequence));
    void store.getState().find('one', 'scan');
    expect(store.getState().text).toBe('');
    expect(seen).toEqual([]);
    await next('lookup:find').answer(found('one', card('1')));
    expect(shown().map(({ productId }) => productId)).toEqual(['1']);
    expect(store.getState()).toMatchObject({ text: 'one', sequence: 1, answered: 1 });
  });

  it('shows that it waits when the answer takes longer, and the answer then', async () => {
    const { store, next, pass } = openLookup(true);
    void store.getState().find('one', 'scan');
    pass();
    expect(store.getState()).toMatchObject({ text: 'one', sequence: 1, answered: 0 });
    await next('lookup:find').answer(found('one', card('1')));
    expect(store.getState()).toMatchObject({ text: 'one', sequence: 1, answered: 1 });
  });

  it('that a newer one overtook shows nothing any more', async () => {
    const { store, next, pass } = openLookup(true);
    void store.getState().find('one', 'scan');
    void store.getState().find('two', 'scan');
    pass();
    expect(store.getState()).toMatchObject({ text: 'two', sequence: 2, answered: 0 });
    await next('lookup:find').answer(found('one', card('1')));
    expect(store.getState()).toMatchObject({ text: 'two', answer: null, answered: 0 });
  });
});

describe('a found product', () => {
  it('is refreshed by itself when the platform can be reached', async () => {
    const { store, next, shown, scan } = openLookup();
    await scan('x', card('1'));
    expect(store.getState().improvement).toBe('refreshing');
    await next('product:refresh').answer(ok(card('1', { balance: { amount: 4, asOf: 2000, source: 'live' } })));
    expect(shown()[0]?.balance).toEqual({ amount: 4, asOf: 2000, source: 'live' });
    expect(store.getState().improvement).toBe('none');
  });

  it('is not refreshed while offline', async () => {
    const { calls, scan } = openLookup(true);
    await scan('x', card('1'));
    expect(calls.some(({ channel }) => channel === 'product:refresh')).toBe(false);
  });

  it('keeps its figure when the refresh fails, and says why', async () => {
    const { store, next, shown, scan } = openLookup();
    await scan('x', card('1'));
    await next('product:refresh').answer(failed('timedOut'));
    expect(shown()[0]?.balance.amount).toBe(5);
    expect(store.getState().improvementFailure).toEqual({ kind: 'timedOut' });
  });

  it.each([
    ['1', { kind: 'timedOut' }],
    ['2', null],
  ])('says of several stocks why the first one has no live figure alone (%s fails)', async (failing, failure) => {
    const { store, next, scan } = openLookup();
    await scan('x', card('1'), card('1', { stockId: id('2') }));
    for (const stockId of ['1', '2']) {
      const answer = failing === stockId ? failed('timedOut') : ok(card('1', { stockId: id(stockId) }));
      await next('product:refresh').answer(answer);
    }
    expect(store.getState()).toMatchObject({ improvement: 'none', improvementFailure: failure });
  });

  it('never takes an earlier figure for a later one (invariant 2)', async () => {
    const { store, next, shown, scan } = openLookup();
    await scan('x', card('1'));
    store.getState().takeCard(card('1', { balance: { amount: 3, asOf: 3000, source: 'live' } }));
    await next('product:refresh').answer(ok(card('1', { balance: { amount: 4, asOf: 2000, source: 'live' } })));
    expect(shown()[0]?.balance.amount).toBe(3);
  });

  it('takes the platform\u2019s figure for one that a clock has told which was set back since (invariant 2)', async () => {
    const { next, shown, scan } = openLookup();
    const hourAhead = Date.now() + 3_600_000;
    const ahead = { amount: 9, asOf: hourAhead, source: 'live' } as const;
    await scan('a', card('1', { balance: ahead }));
    const now = { amount: 4, asOf: hourAhead - 3_600_000, source: 'live' } as const;
    await next('product:refresh').answer(ok(card('1', { balance: now })));
    expect(shown()[0]?.balance).toEqual(now);
  });

  it('never takes no figure for one, nor one from before a clock was set back for one of now (invariant 2)', async () => {
    const { store, shown, scan } = openLookup();
    const now = { amount: 4, asOf: Date.now(), source: 'live' } as const;
    await scan('a', card('1', { balance: now }));
    store.getState().takeCard(card('1', { balance: { amount: 9, asOf: Date.now() + 30_000, source: 'live' } }));
    expect(shown()[0]?.balance).toEqual(now);
    store.getState().takeCard(card('1', { balance: { amount: null, asOf: null, source: null } }));
    expect(shown()[0]?.balance).toEqual(now);
  });

  it('keeps a coupon that was switched while the figure was being read (invariant 3)', async () => {
    const { store, next, shown, scan } = openLookup();
    await scan('x', card('1'));
    store.getState().beginSwitch(id('1'))(coupon(true, 'waiting'));
    await next('product:refresh').answer(ok(card('1', { balance: { amount: 4, asOf: 2000, source: 'live' } })));
    expect(shown()[0]).toMatchObject({ balance: { amount: 4 }, coupon: { isEnabled: true, status: 'waiting' } });
  });

  it('keeps what became of a switch when the answer to the switch comes after it (invariant 3)', async () => {
    const { store, shown, scan } = openLookup();
    await scan('x', card('1'));
    const takeFirst = store.getState().beginSwitch(id('1'));
    store.getState().takeCard(card('1', { coupon: coupon(true, 'confirmed') }));
    takeFirst(coupon(true, 'waiting'));
    expect(shown()[0]?.coupon.status).toBe('confirmed');
    const takeSecond = store.getState().beginSwitch(id('1'));
    store.getState().takeCard(card('1', { coupon: coupon(true, 'parked') }));
    takeSecond(coupon(false, 'waiting'));
    expect(shown()[0]?.coupon).toMatchObject({ isEnabled: true, status: 'parked' });
    // What is said of a card before the switch was kept is older than its answer.
    const takeThird = store.getState().beginSwitch(id('1'));
    store.getState().takeCard(card('1', { coupon: coupon(true, 'confirmed') }));
    takeThird(coupon(false, 'waiting'));
    expect(shown()[0]?.coupon).toMatchObject({ isEnabled: false, status: 'waiting' });
  });

  it('shows what was said of a card while its answer was under way (invariant 3)', async () => {
    const { store, next, shown, scan } = openLookup();
    void store.getState().find('x', 'scan');
    store.getState().takeCard(card('1', { coupon: coupon(true, 'confirmed') }));
    await next('lookup:find').answer(found('x', card('1', { coupon: coupon(true, 'waiting') })));
    expect(shown()[0]?.coupon.status).toBe('confirmed');
    await scan('x', card('1', { coupon: coupon(true, 'waiting') }));
    expect(shown()[0]?.coupon.status).toBe('waiting');
  });

  it('spends at most four calls on one answer', async () => {
    const { calls, scan } = openLookup();
    await scan('x', ...['1', '2', '3', '4', '5', '6'].map((one) => card(one)));
    expect(calls.filter(({ channel }) => channel === 'product:refresh')).toHaveLength(4);
  });
});

describe('a miss', () => {
  it.each([
    { kind: 'unknown' },
    { kind: 'notCopied', copied: 1, total: 2, completeAt: null },
    { kind: 'unreadable', why: 'checkDigit' },
  ])('that is $kind is asked from the platform once', async (drawn) => {
    const { store, next, calls } = openLookup();
    const { kind } = drawn;
    const miss = { ...drawn, text: 'x' };
    void store.getState().find('x', 'scan');
    await next('lookup:find').answer(ok({ ...miss, asked: false }));
    expect(store.getState().improvement).toBe('asking');
    await next('lookup:ask').answer(ok({ ...miss, asked: true }));
    expect(store.getState()).toMatchObject({ improvement: 'none', answer: { kind, asked: true } });
    expect(calls.filter(({ channel }) => channel === 'lookup:ask')).toHaveLength(1);
  });

  it('with a wrong check digit is looked up again once the copy has grown, and stays asked (invariant 6)', async () => {
    const { store, next, calls, shown } = openLookup();
    const miss = { kind: 'unreadable', text: '10000001', why: 'checkDigit' };
    void store.getState().find('10000001', 'scan');
    await next('lookup:find').answer(ok({ ...miss, asked: false }));
    await next('lookup:ask').answer(ok({ ...miss, asked: true }));
    void store.getState().noticeCopy();
    await next('lookup:find').answer(ok({ ...miss, asked: false }));
    expect(store.getState().answer).toEqual({ ...miss, asked: true });
    void store.getState().noticeCopy();
    await next('lookup:find').answer(found('10000001', card('5')));
    expect(shown().map(({ productId }) => productId)).toEqual(['5']);
    expect(calls.filter(({ channel }) => channel === 'lookup:ask')).toHaveLength(1);
  });

  it('that is unreadable is not asked', async () => {
    const { store, next, calls } = openLookup();
    void store.getState().find('x', 'scan');
    await next('lookup:find').answer(ok({ kind: 'unreadable', text: 'x', why: 'tooLong' }));
    expect(calls.some(({ channel }) => channel === 'lookup:ask')).toBe(false);
  });

  it('stays, with the reason, when the platform cannot be asked', async () => {
    const { store, next } = openLookup();
    void store.getState().find('x', 'scan');
    await next('lookup:find').answer(ok({ kind: 'unknown', text: 'x', asked: false }));
    await next('lookup:ask').answer(failed('unreachable'));
    expect(store.getState()).toMatchObject({
      answer: { kind: 'unknown' },
      improvementFailure: { kind: 'unreachable' },
    });
  });
});

describe('a failed lookup', () => {
  it('leaves no older answer on the screen', async () => {
    const { store, next, scan } = openLookup(true);
    await scan('one', card('1'));
    void store.getState().find('two', 'scan');
    await next('lookup:find').answer(failed('notReady'));
    expect(store.getState()).toMatchObject({ answer: null, failure: { kind: 'notReady' }, answered: 2 });
  });
});

describe('opening a hit', () => {
  it('reads it in every stock, its own first, and leaves out those that do not have it', async () => {
    const { store, next, shown } = openLookup(true);
    const { stockId, stockName, productId, code, name, unit, balance } = card('1', { stockId: id('2') });
    void store
      .getState()
      .open({ stockId, stockName, productId, code, name, unit, balance }, [id('1'), id('2'), id('3')]);
    const reads = [next('product:read'), next('product:read'), next('product:read')];
    expect(reads.map(({ input }) => input['stockId'])).toEqual(['2', '1', '3']);
    await reads[0]?.answer(ok(card('1', { stockId: id('2') })));
    await reads[1]?.answer(ok(card('1', { stockId: id('1') })));
    await reads[2]?.answer(failed('notFoundHere'));
    expect(shown().map((one) => one.stockId)).toEqual(['2', '1']);
  });
});

describe('a question to the platform that came to nothing (invariant 5)', () => {
  const refreshes = (calls: readonly { channel: string }[]): number =>
    calls.filter(({ channel }) => channel === 'product:refresh').length;

  it('is asked again when the network is back', async () => {
    const { store, next, calls, shown, scan } = openLookup();
    await scan('x', card('1'));
    await next('product:refresh').answer(failed('unreachable'));
    void store.getState().askAgain();
    await next('product:refresh').answer(ok(card('1', { balance: { amount: 4, asOf: 2000, source: 'live' } })));
    expect(shown()[0]?.balance.amount).toBe(4);
    expect(store.getState().improvementFailure).toBeNull();
    expect(refreshes(calls)).toBe(2);
  });

  it('is no failure when it was turned away, and is asked again when the screen is shown again, once', async () => {
    const { store, next, calls, scan } = openLookup();
    await scan('x', card('1'));
    await next('product:refresh').answer(failed('cancelled'));
    expect(store.getState()).toMatchObject({ improvement: 'none', improvementFailure: null });
    void store.getState().resume();
    await next('product:refresh').answer(ok(card('1')));
    void store.getState().resume();
    expect(refreshes(calls)).toBe(2);
  });

  it('is asked anew when a person says so, though the platform has answered, and once at a time', async () => {
    const { store, next, calls } = openLookup();
    void store.getState().find('x', 'scan');
    const unknown = (asked: boolean): unknown => ok({ kind: 'unknown', text: 'x', asked });
    await next('lookup:find').answer(unknown(false));
    await next('lookup:ask').answer(unknown(true));
    void store.getState().askAnew();
    void store.getState().askAnew();
    await next('lookup:ask').answer(found('x', card('1', { balance: { amount: 4, asOf: 2000, source: 'live' } })));
    expect(store.getState().answer?.kind).toBe('found');
    expect(calls.filter(({ channel }) => channel === 'lookup:ask')).toHaveLength(2);
    void store.getState().askAnew();
    expect(calls.filter(({ channel }) => channel === 'lookup:ask')).toHaveLength(2);
  });

  it('is not asked for what a newer scan has left behind', async () => {
    const { store, next, calls, scan } = openLookup();
    await scan('x', card('1'));
    await next('product:refresh').answer(failed('unreachable'));
    void store.getState().find('y', 'scan');
    void store.getState().askAgain();
    expect(refreshes(calls)).toBe(1);
  });
});

describe('a product that was opened in a stock', () => {
  it('keeps that stock as the chosen one until the next lookup', async () => {
    const { store, next, scan } = openLookup(true);
    const {
      coupon: _coupon,
      barcodes: _barcodes,
      options: _options,
      extra: _extra,
      ...hit
    } = card('1', { stockId: id('2') });
    void store.getState().open(hit, [id('1'), id('2')]);
    const [depot, shop] = [next('product:read'), next('product:read')];
    await depot.answer(ok(card('1', { stockId: id('2') })));
    await shop.answer(ok(card('1')));
    expect(store.getState().chosenStockId).toBe('2');
    await scan('x', card('1'));
    expect(store.getState().chosenStockId).toBeNull();
  });
});

describe('the recent ones', () => {
  it.each([false, true])('show the figure that the card shows (it came while they were read: %s)', async (isLate) => {
    const { store, next, scan } = openLookup();
    const { coupon: _coupon, barcodes: _barcodes, options: _options, extra: _extra, ...hit } = card('1');
    await scan('x', card('1'));
    const steps = [
      () => next('lookup:listRecent').answer(ok([{ id: 1, at: 1, text: 'x', answer: 'found', hit }])),
      () => next('product:refresh').answer(ok(card('1', { balance: { amount: 4, asOf: 2000, source: 'live' } }))),
    ];
    for (const step of isLate ? steps.toReversed() : steps) {
      await step();
    }
    expect(store.getState().recent[0]?.hit?.balance).toEqual({ amount: 4, asOf: 2000, source: 'live' });
  });
});

it('the recent ones are read again when the copy grows, where one was not copied', async () => {
  const { store, next } = openLookup();
  const missed = { id: 1, at: 1, text: 'vassoura', answer: 'notCopied', hit: null } as const;
  void store.getState().readRecent();
  await next('lookup:listRecent').answer(ok([missed]));
  void store.getState().noticeCopy();
  await next('lookup:listRecent').answer(ok([{ ...missed, answer: 'unknown' }]));
  expect(store.getState().recent).toMatchObject([{ answer: 'unknown' }]);
});

describe('what a text may have meant', () => {
  const unknown = ok({ kind: 'unknown', text: 'vassora', asked: false });

  it('is asked for after a typed text was not found, and goes with the next lookup', async () => {
    const { store, next, scan } = openLookup(true);
    void store.getState().find('vassora', 'typed');
    await next('lookup:find').answer(unknown);
    expect(store.getState().answer?.kind).toBe('unknown');
    const asked = next('lookup:findSimilar');
    expect(asked.input).toEqual({ text: 'vassora' });
    await asked.answer(ok([card('1'), card('2')]));
    expect(store.getState().similar.map(({ first }) => first.productId)).toEqual(['1', '2']);
    await scan('two', card('2'));
    expect(store.getState().similar).toEqual([]);
  });

  it('is dropped when it comes after another lookup', async () => {
    const { store, next } = openLookup(true);
    void store.getState().find('vassora', 'typed');
    await next('lookup:find').answer(unknown);
    const asked = next('lookup:findSimilar');
    void store.getState().find('other', 'typed');
    await next('lookup:find').answer(ok({ kind: 'unknown', text: 'other', asked: false }));
    await asked.answer(ok([card('1')]));
    expect(store.getState().similar).toEqual([]);
  });

  it('is asked for neither a scan nor what was found', async () => {
    const { store, next, calls } = openLookup(true);
    void store.getState().find('vassora', 'scan');
    await next('lookup:find').answer(unknown);
    void store.getState().find('vassoura', 'typed');
    await next('lookup:find').answer(found('vassoura', card('1')));
    expect(calls.filter(({ channel }) => channel === 'lookup:findSimilar')).toEqual([]);
  });
});

describe('a label that fits several products', () => {
  const several = ok({
    kind: 'several',
    text: '2123400003453',
    read: { as: 'scaleLabel', ofCase: null, layout: null, facts: [], fault: null },
    hits: [card('1'), card('2')],
  });

  it('is chosen with what it says, and the newest scan still counts (invariant 1)', async () => {
    const { store, next, shown, scan } = openLookup(true);
    void store.getState().find('2123400003453', 'scan');
    await next('lookup:find').answer(several);
    void store.getState().choose(card('2'), []);
    const chosen = next('lookup:choose');
    expect(chosen.input).toEqual({ text: '2123400003453', productId: '2' });
    await scan('7', card('7'));
    await chosen.answer(found('2123400003453', card('2')));
    expect(shown().map(({ productId }) => productId)).toEqual(['7']);
  });

  it.each([
    ['kept', { chosenAt: 1 }, 0],
    ['kept nowhere, as nobody is signed in', {}, 2],
  ])('leads back to its list when the choice is %s', async (_how, more, chosenOf) => {
    const { store, next } = openLookup(true);
    void store.getState().find('2123400003453', 'scan');
    await next('lookup:find').answer(several);
    void store.getState().choose(card('2'), []);
    const read = { as: 'scaleLabel', ofCase: null, layout: null, facts: [], fault: null, ...more };
    await next('lookup:choose').answer(ok({ kind: 'found', text: '2123400003453', read, cards: [card('2')] }));
    expect(store.getState().chosenOf).toBe(chosenOf);
    void store.getState().chooseAgain();
    expect(next('lookup:find').input).toEqual({ text: '2123400003453', source: 'scan', isChoosing: true });
  });

  it('of which the chosen one has gone says so', async () => {
    const { store, next } = openLookup(true);
    void store.getState().find('2123400003453', 'scan');
    await next('lookup:find').answer(several);
    void store.getState().choose(card('2'), []);
    await next('lookup:choose').answer(failed('notFoundHere'));
    expect(store.getState()).toMatchObject({ answer: null, failure: { kind: 'notFoundHere' } });
  });

  it('is listed again with all that it may mean, which is no new lookup', async () => {
    const { store, next } = openLookup(true);
    void store.getState().find('2123400003453', 'scan');
    const read = { as: 'scaleLabel', ofCase: null, layout: null, facts: [], fault: null, chosenAt: 1 };
    await next('lookup:find').answer(ok({ kind: 'found', text: '2123400003453', read, cards: [card('2')] }));
    void store.getState().chooseAgain();
    const again = next('lookup:find');
    expect(again.input).toEqual({ text: '2123400003453', source: 'scan', isChoosing: true });
    await again.answer(several);
    expect(store.getState().answer?.kind).toBe('several');
  });

  it('is not chosen by a product that is opened from elsewhere, nor is a text by a line of its list', async () => {
    const { store, next, calls } = openLookup(true);
    void store.getState().find('2123400003453', 'scan');
    await next('lookup:find').answer(several);
    void store.getState().open(card('2'), []);
    expect(next('product:read').input).toMatchObject({ productId: '2' });
    void store.getState().find('caf', 'typed');
    await next('lookup:find').answer(ok({ kind: 'several', text: 'caf', hits: [card('1'), card('2')] }));
    void store.getState().choose(card('1'), []);
    expect(next('product:read').input).toMatchObject({ productId: '1' });
    expect(calls.some(({ channel }) => channel === 'lookup:choose')).toBe(false);
  });
});

describe('several products with one code (invariant 7)', () => {
  const read = { as: 'gs1', ofCase: null, layout: null, facts: [{ kind: 'expiry', date: '2026-03-07' }], fault: null };
  const hitOf = (productId: string) => {
    const { coupon: _coupon, barcodes: _barcodes, options: _options, extra: _extra, ...hit } = card(productId);
    return hit;
  };
  const several = (how: unknown) => ok({ kind: 'several', text: '789', read: how, hits: [hitOf('1'), hitOf('2')] });

  it('the chosen one takes the place of the question, and keeps what the code said besides', async () => {
    const { store, next, scan } = openLookup(true);
    void store.getState().find('789', 'scan');
    await next('lookup:find').answer(several(read));
    expect(isUntouchedQuestion(store.getState())).toBe(true);
    void store.getState().choose(hitOf('2'), [id('1')]);
    const asked = next('product:read');
    expect(asked.input).toEqual({ stockId: '1', productId: '2', isOpened: true, text: '789' });
    await asked.answer(ok(card('2')));
    const { answer, chosenOf, text } = store.getState();
    expect([answer?.kind === 'found' ? answer.read : null, chosenOf, text]).toEqual([read, 2, '789']);
    await scan('x', card('1'));
    expect(store.getState().chosenOf).toBe(0);
  });

  it('a list of what was searched for is no question: the product is opened by its own name', async () => {
    const { store, next } = openLookup(true);
    void store.getState().find('789', 'typed');
    await next('lookup:find').answer(several({ ...read, as: 'search', facts: [] }));
    expect(isUntouchedQuestion(store.getState())).toBe(false);
    void store.getState().choose(hitOf('2'), [id('1')]);
    expect(next('product:read').input).toEqual({ stockId: '1', productId: '2', isOpened: true });
  });

  it('is not answered by a product opened from elsewhere: the recent ones, or a name typed since', async () => {
    const { store, next } = openLookup(true);
    void store.getState().find('789', 'scan');
    await next('lookup:find').answer(several(read));
    void store.getState().open(hitOf('2'), [id('1')]);
    const asked = next('product:read');
    expect(asked.input).toEqual({ stockId: '1', productId: '2', isOpened: true });
    await asked.answer(ok(card('2')));
    const { answer, chosenOf } = store.getState();
    expect([answer?.kind === 'found' ? answer.read : null, chosenOf]).toEqual([undefined, 0]);
  });

  it('is answered by nothing while a newer scan waits for its answer, which then shows (invariant 1)', async () => {
    const { store, next, calls, shown } = openLookup(true);
    void store.getState().find('789', 'scan');
    await next('lookup:find').answer(several(read));
    void store.getState().find('7', 'scan');
    void store.getState().choose(hitOf('2'), [id('1')]);
    expect(calls.filter(({ channel }) => channel === 'product:read')).toEqual([]);
    await next('lookup:find').answer(found('7', card('7')));
    expect(shown().map(({ productId }) => productId)).toEqual(['7']);
  });

  it('the way back lists them again, as the code was scanned', async () => {
    const { store, next } = openLookup(true);
    void store.getState().find('789', 'scan');
    await next('lookup:find').answer(several(read));
    void store.getState().choose(hitOf('2'), [id('1')]);
    await next('product:read').answer(ok(card('2')));
    void store.getState().chooseAgain();
    expect(next('lookup:find').input).toEqual({ text: '789', source: 'typed' });
  });

  it('once something is typed, digits are the text’s', async () => {
    const { store, next } = openLookup(true);
    void store.getState().find('789', 'scan');
    await next('lookup:find').answer(several(read));
    store.getState().type('7');
    expect(isUntouchedQuestion(store.getState())).toBe(false);
  });
});
