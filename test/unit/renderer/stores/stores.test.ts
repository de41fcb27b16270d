import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../../../app/contract/terminal-state.ts';
import { createCouponStores, shownCoupon } from '../../../../renderer/coupons/coupons-store.ts';
import { createNavigationStore, screenOf } from '../../../../renderer/stores/navigation.ts';
import { createPagedList, rowsPerPage, type Page } from '../../../../renderer/stores/paged-list.ts';
import { createQueueStores } from '../../../../renderer/queue/queue-store.ts';
import { createTerminalStore } from '../../../../renderer/stores/terminal.ts';
import { createHeldBridge, failed, id, ok } from './held-bridge.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

const snapshot = (revision: number): TerminalState => ({ revision }) as TerminalState;

describe('the terminal', () => {
  it('drops a stale snapshot (invariant 1)', () => {
    const store = createTerminalStore();
    store.getState().take(snapshot(5));
    store.getState().take(snapshot(4));
    store.getState().take(snapshot(5));
    expect(store.getState().state?.revision).toBe(5);
    store.getState().take(snapshot(6));
    expect(store.getState().state?.revision).toBe(6);
  });

  it('takes any snapshot after the main process had gone (invariant 2)', () => {
    const store = createTerminalStore();
    store.getState().take(snapshot(50));
    store.getState().lose(true);
    expect(store.getState()).toMatchObject({ isGone: true, isShutOut: true });
    store.getState().take(snapshot(1));
    expect(store.getState()).toMatchObject({ isGone: false, isShutOut: false, state: { revision: 1 } });
  });

  it('keeps the parts of a snapshot that are the same, and they alone', () => {
    const store = createTerminalStore();
    const whole = (revision: number, used: number, stockIds: readonly string[]): TerminalState =>
      ({ revision, rateLimit: { limit: 60, used }, profile: { stockIds, hub: null }, notices: [] }) as never;
    const takeNext = (next: TerminalState): TerminalState => {
      store.getState().take(next);
      const { state } = store.getState();
      expect(state).toEqual(next);
      return state as TerminalState;
    };
    const first = takeNext(whole(1, 2, ['1', '2']));
    const second = takeNext(whole(2, 3, ['1', '2']));
    expect(second.profile).toBe(first.profile);
    expect(second.notices).toBe(first.notices);
    expect(second.rateLimit).not.toBe(first.rateLimit);
    const third = takeNext(whole(3, 3, ['1']));
    expect(third.profile).not.toBe(second.profile);
    expect(third.rateLimit).toBe(second.rateLimit);
    takeNext({ revision: 4, profile: null, notices: [{ id: 1 }] } as never);
  });
});

describe('a coupon switch', () => {
  it('shows at once where it was moved, and the last move wins', async () => {
    const { bridge, next } = createHeldBridge();
    const moved: unknown[] = [];
    const { store } = createCouponStores(
      makeLastingStore,
      bridge,
      (productId) => (coupon) => void moved.push([productId, coupon.isEnabled]),
      () => () => undefined,
    );
    void store.getState().move(id('7'), true);
    expect(store.getState().moved.get(id('7'))).toBe(true);
    void store.getState().move(id('7'), false);
    expect(store.getState().moved.get(id('7'))).toBe(false);
    const [first, second] = [next('coupon:switch'), next('coupon:switch')];
    await second.answer(ok({ isEnabled: false, status: 'waiting', failure: null }));
    await first.answer(ok({ isEnabled: true, status: 'waiting', failure: null }));
    expect(moved).toEqual([['7', false]]);
    expect(store.getState().moved.size).toBe(0);
  });

  it('is not said to wait before it is on disk, and stays as it was until the PIN that it needs is given', () => {
    const coupon = { isEnabled: false, status: 'confirmed', failure: null } as const;
    expect(shownCoupon(coupon, undefined, false)).toBe(coupon);
    expect(shownCoupon(coupon, true, false)).toEqual({ isEnabled: true, status: 'keeping', failure: null });
    expect(shownCoupon(coupon, true, true)).toBe(coupon);
  });

  it('goes back when it was not kept, and says why', async () => {
    const { bridge, next } = createHeldBridge();
    const { store } = createCouponStores(
      makeLastingStore,
      bridge,
      () => () => expect.unreachable(),
      () => () => undefined,
    );
    void store.getState().move(id('7'), true);
    await next('coupon:switch').answer(failed('storageFull'));
    expect(store.getState().moved.size).toBe(0);
    expect(store.getState().switchFailure).toEqual({ productId: '7', failure: { kind: 'storageFull' } });
  });
});

describe('the queue', () => {
  it('reads again only for a higher revision, and only while somebody looks', async () => {
    const { bridge, calls, next } = createHeldBridge();
    const { store, list } = createQueueStores(makeLastingStore, bridge, () => () => undefined);
    store.getState().takeRevision(1);
    expect(calls).toHaveLength(0);
    list.getState().see(0, 0);
    await next('queue:list').answer(
      ok({
        total: 0,
        counts: { pending: 0, inFlight: 0, delivered: 0, parked: 0, superseded: 0, discarded: 0 },
        isCut: false,
        rows: [],
      }),
    );
    store.getState().takeRevision(1);
    expect(calls).toHaveLength(1);
    store.getState().takeRevision(2);
    expect(calls).toHaveLength(2);
    list.getState().leave();
    store.getState().takeRevision(3);
    expect(calls).toHaveLength(2);
  });

  it('sends one retry at a time for a row', async () => {
    const { bridge, calls, next } = createHeldBridge();
    const { store } = createQueueStores(makeLastingStore, bridge, () => () => undefined);
    void store.getState().retry(4);
    void store.getState().retry(4);
    expect(calls).toHaveLength(1);
    await next('queue:retry').answer(failed('notFoundHere'));
    expect(store.getState()).toMatchObject({ failure: { kind: 'notFoundHere' } });
    expect(store.getState().busy.size).toBe(0);
  });
});

describe('a paged list', () => {
  function open() {
    const reads: { filter: string; offset: number; answer: (page: Page<string>) => Promise<void> }[] = [];
    const list = createPagedList<string, string>(
      makeLastingStore,
      (filter, offset) =>
        new Promise((resolve) => {
          reads.push({
            filter,
            offset,
            answer: async (value) => {
              resolve({ ok: true, value });
              for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
            },
          });
        }),
      'all',
    );
    return { list, reads };
  }
  const page = (word: string, total = 250): Page<string> => ({
    total,
    rows: Array.from({ length: rowsPerPage }, (_, index) => `${word} ${index}`),
  });

  it('reads each page in sight once', async () => {
    const { list, reads } = open();
    list.getState().see(0, 10);
    list.getState().see(5, 15);
    await reads[0]?.answer(page('a'));
    list.getState().see(95, 105);
    expect(reads.map(({ offset }) => offset)).toEqual([0, 100]);
    await reads[1]?.answer(page('b'));
    expect(list.getState().rows.get(99)).toBe('a 99');
    expect(list.getState().rows.get(100)).toBe('b 0');
  });

  it('drops a page of an older reading (invariant 1)', async () => {
    const { list, reads } = open();
    list.getState().see(0, 10);
    list.getState().choose('few');
    await reads[1]?.answer(page('few', 100));
    await reads[0]?.answer(page('all'));
    expect(list.getState()).toMatchObject({ filter: 'few', total: 100 });
    expect(list.getState().rows.get(0)).toBe('few 0');
  });

  it('keeps the rows until the new ones are there, in whatever order they come (invariant 2)', async () => {
    const { list, reads } = open();
    list.getState().see(90, 110);
    await reads[0]?.answer(page('a'));
    await reads[1]?.answer(page('b'));
    list.getState().readAgain();
    expect(list.getState().rows.get(100)).toBe('b 0');
    await reads[3]?.answer(page('new b'));
    await reads[2]?.answer(page('new a'));
    expect(list.getState().rows.get(100)).toBe('new b 0');
    expect(list.getState().rows.get(99)).toBe('new a 99');
  });
});

describe('the address', () => {
  it('names the screen; anything else is the lookup', () => {
    expect(['#queue', '#settings', '', '#elsewhere'].map(screenOf)).toEqual(['queue', 'settings', 'lookup', 'lookup']);
  });

  it('names the section of the settings, which stay where they were last', () => {
    const store = createNavigationStore('#settings/scanner', () => undefined);
    const places = ['#lookup', '#settings', '#settings/copy', '#settings/elsewhere'].map((fragment) => {
      store.getState().take(fragment);
      return [store.getState().screen, store.getState().section];
    });
    expect(places).toEqual([
      ['lookup', 'scanner'],
      ['settings', 'scanner'],
      ['settings', 'copy'],
      ['settings', 'copy'],
    ]);
  });

  it('is written when a screen is chosen', () => {
    const shown: string[] = [];
    const store = createNavigationStore('#coupons', (fragment) => shown.push(fragment));
    expect(store.getState().screen).toBe('coupons');
    store.getState().go('queue');
    expect([store.getState().screen, ...shown]).toEqual(['queue', '#queue']);
  });
});
