// The invariants are those of renderer/lookup/expiry-store.ts.
import { expect, test } from 'vitest';
import type { ReadBatches } from '../../../../app/contract/details.ts';
import type { TerminalState } from '../../../../app/contract/terminal-state.ts';
import { createExpiryStore, mayAskUnasked } from '../../../../renderer/lookup/expiry-store.ts';
import { card, createHeldBridge, failed, id, ok } from '../stores/held-bridge.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

const hourMs = 3_600_000;
const nowMs = 100 * hourMs;
const batches = (asOf: number): ReadBatches => ({
  product: { id: null, name: null, sku: null, unit: null },
  optionNames: '',
  total: 0,
  batches: [],
  asOf,
});
const kept = (asOf: number | null): unknown => ok({ movements: null, batches: asOf === null ? null : batches(asOf) });

function prepare({ hasRoom = true } = {}) {
  const held = createHeldBridge();
  let room = hasRoom;
  const waiting = new Set<() => void>();
  const later = (_delayMs: number, callback: () => void): (() => void) => {
    waiting.add(callback);
    return () => waiting.delete(callback);
  };
  const store = createExpiryStore(
    makeLastingStore,
    held.bridge,
    () => room,
    later,
    () => nowMs,
  );
  return {
    ...held,
    store,
    setRoom: (next: boolean) => (room = next),
    /** The person has stayed. */
    stay: () => {
      for (const callback of waiting) {
        waiting.delete(callback);
        callback();
      }
    },
    asked: () => held.calls.filter(({ channel }) => channel === 'product:readBatches').map(({ input }) => input),
  };
}

test('what is kept is shown at once, and a day-old answer is asked for anew only when the person stays', async () => {
  const { store, next, stay, asked } = prepare();
  void store.getState().show(card('7'));
  await next('product:readKept').answer(kept(nowMs - 30 * hourMs));
  expect(store.getState().batches?.asOf).toBe(nowMs - 30 * hourMs);
  expect(asked()).toEqual([]);
  stay();
  expect(asked()).toEqual([{ stockId: id('1'), productId: id('7'), optionIds: [] }]);
  await next('product:readBatches').answer(ok(batches(nowMs)));
  expect(store.getState().batches?.asOf).toBe(nowMs);
});

test('an answer from before a clock was set back is asked for anew, and gives way to the one of now', async () => {
  const { store, next, stay, asked } = prepare();
  void store.getState().show(card('7'));
  await next('product:readKept').answer(kept(nowMs + 48 * hourMs));
  stay();
  expect(asked()).toHaveLength(1);
  await next('product:readBatches').answer(ok(batches(nowMs)));
  expect(store.getState().batches?.asOf).toBe(nowMs);
});

test('a fresh answer is good enough', async () => {
  const { store, next, stay, asked } = prepare();
  void store.getState().show(card('7'));
  await next('product:readKept').answer(kept(nowMs - hourMs));
  stay();
  expect(asked()).toEqual([]);
});

test('whoever scans on has nothing asked, and sees no batches of the product before (invariants 1 and 2)', async () => {
  const { store, next, stay, asked } = prepare();
  void store.getState().show(card('7'));
  const first = next('product:readKept');
  void store.getState().show(card('8'));
  await first.answer(kept(nowMs));
  expect(store.getState().batches).toBeNull();
  await next('product:readKept').answer(kept(null));
  stay();
  expect(asked().map(({ productId }) => productId)).toEqual([id('8')]);
  void store.getState().show(card('9'));
  await next('product:readBatches').answer(ok(batches(nowMs)));
  expect(store.getState().batches).toBeNull();
});

test('nothing is asked while the rate limit has no room', async () => {
  const { store, next, stay, asked, setRoom } = prepare();
  void store.getState().show(card('7'));
  await next('product:readKept').answer(kept(null));
  setRoom(false);
  stay();
  expect(asked()).toEqual([]);
});

test('the same product with a newer figure is the same product, and a failure says nothing (invariant 3)', async () => {
  const { store, next, stay, asked, calls } = prepare();
  void store.getState().show(card('7'));
  await next('product:readKept').answer(kept(null));
  stay();
  await next('product:readBatches').answer(failed('tooManyRequests'));
  void store.getState().show(card('7', { balance: { amount: 9, asOf: nowMs, source: 'live' } }));
  stay();
  expect(asked()).toHaveLength(1);
  expect(calls).toHaveLength(2);
  expect(store.getState().batches).toBeNull();
});

test('what a person has asked for in the details is taken, and an older answer never replaces it', async () => {
  const { store, next, stay, asked } = prepare();
  void store.getState().show(card('7'));
  const slow = next('product:readKept');
  store.getState().take({ stockId: id('1'), productId: id('7') }, batches(nowMs));
  await slow.answer(kept(nowMs - 50 * hourMs));
  expect(store.getState().batches?.asOf).toBe(nowMs);
  store.getState().take({ stockId: id('1'), productId: id('8') }, batches(nowMs + 1));
  expect(store.getState().batches?.asOf).toBe(nowMs);
  stay();
  expect(asked()).toEqual([]);
});

test('nothing is asked by itself in safe mode, offline, signed out, in a pause or at half the rate limit', () => {
  const state = {
    isSafeMode: false,
    connection: { state: 'online' },
    session: { state: 'signedIn' },
    rateLimit: { limit: 60, used: 30, pausedUntil: null },
  } as TerminalState;
  expect(mayAskUnasked(state)).toBe(true);
  expect(mayAskUnasked(null)).toBe(false);
  expect(mayAskUnasked({ ...state, isSafeMode: true })).toBe(false);
  expect(mayAskUnasked({ ...state, connection: { ...state.connection, state: 'offline' } })).toBe(false);
  expect(mayAskUnasked({ ...state, session: { ...state.session, state: 'ended' } })).toBe(false);
  expect(mayAskUnasked({ ...state, rateLimit: { ...state.rateLimit, pausedUntil: 1 } })).toBe(false);
  expect(mayAskUnasked({ ...state, rateLimit: { ...state.rateLimit, used: 31 } })).toBe(false);
});
