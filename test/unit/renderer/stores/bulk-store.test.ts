import { describe, expect, it } from 'vitest';
import { maxUpdatesAtOnce } from '../../../../app/contract/limits/queue.ts';
import { couponBulk } from '../../../../renderer/coupons/coupon-bulk.ts';
import { queueBulk } from '../../../../renderer/queue/queue-bulk.ts';
import { createBulk, type BulkFeature } from '../../../../renderer/stores/bulk-store.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import { createHeldBridge, failed, id, ok } from './held-bridge.ts';
import { createPersonStores } from '../../../../renderer/stores/make-store.ts';

const idsOf = (howMany: number): number[] => Array.from({ length: howMany }, (_unused, place) => place + 1);
const none = { pending: 0, retryable: 0, ofOthers: 0, conflicts: 0, damaged: 0, attempted: 0, gone: 0 };
const counted = { willChange: 200, unsure: 0, already: 0, needed: 150, room: 900, ownerId: 3 };

function open<Key, Action extends string, Counted>(featureOf: (bridge: Bridge) => BulkFeature<Key, Action, Counted>) {
  const { bridge, next, calls } = createHeldBridge();
  const timers: { readonly afterMs: number; readonly action: () => void }[] = [];
  const chosen: (readonly Key[])[] = [];
  const people = createPersonStores();
  const many = createBulk(
    people.make,
    featureOf(bridge),
    (afterMs, action) => {
      const timer = { afterMs, action };
      timers.push(timer);
      return () => {
        timers.splice(timers.indexOf(timer), 1);
      };
    },
    (keys) => chosen.push(keys),
  );
  return { people, many, next, calls, timers, chosen, act: many.getState() };
}

const coupons = () => ({
  ...open(couponBulk),
  keysOf: (howMany: number) => idsOf(howMany).map((number) => id(String(number))),
  action: 'on' as const,
  count: 'coupon:countMany',
  counted,
  perform: 'coupon:switchMany',
  done: (updateIds: number[]) => ok({ updateIds, already: maxUpdatesAtOnce - updateIds.length, undoForMs: 8_000 }),
  undo: 'coupon:undoMany',
  undone: (takenBack: number) => ok({ takenBack, sent: 0 }),
});
const updates = () => ({
  ...open(queueBulk),
  keysOf: idsOf,
  action: 'discard' as const,
  count: 'queue:countMany',
  counted: none,
  perform: 'queue:discardMany',
  done: (updateIds: number[]) => ok({ updateIds }),
  undo: 'queue:bringBack',
  undone: (broughtBack: number) => ok({ broughtBack }),
});

describe.each([
  ['coupons', coupons, true],
  ['updates', updates as unknown as typeof coupons, false],
])('many %s', (_name, openAll, keepsPlace) => {
  /** Two slices, asked and counted. */
  async function ask() {
    const all = openAll();
    const keys = all.keysOf(maxUpdatesAtOnce + 2);
    void all.act.ask(all.action, keys, 0);
    expect(all.many.getState().question?.counted).toBeNull();
    await all.next(all.count).answer(ok(all.counted));
    await all.next(all.count).answer(ok(all.counted));
    expect(all.many.getState().question?.counted).not.toBeNull();
    return { ...all, keys };
  }

  it('are done once, slice by slice, told as they go, and can be undone for a while', async () => {
    const { many, next, act, timers, chosen, keys, perform, done, undo, undone, calls } = await ask();
    void act.confirm();
    void act.confirm(); // Invariant 1
    act.cancel();
    expect(many.getState().question === null).toBe(!keepsPlace);
    expect(many.getState().work).toMatchObject({ done: 0, of: 202 });
    await next(perform).answer(done(idsOf(200)));
    expect(many.getState().work).toMatchObject({ done: 200 });
    await next(perform).answer(done([201]));
    expect(many.getState()).toMatchObject({
      question: null,
      work: null,
      outcome: { count: 201, canUndo: true, failure: null },
    });
    expect(chosen).toEqual([[]]);
    void act.undo();
    void act.undo();
    expect(many.getState().outcome === null).toBe(!keepsPlace);
    await next(undo).answer(undone(150));
    await next(undo).answer(undone(1));
    expect(many.getState().outcome).toMatchObject({ action: 'undo', count: 151, of: 201, failure: null });
    expect(calls.filter(({ channel }) => [perform, undo].includes(channel))).toHaveLength(4);
    expect(chosen.at(-1)).toEqual(keepsPlace ? keys : []);
    // Told for a while, too.
    expect(timers).toHaveLength(1);
    timers[0]?.action();
    expect(many.getState().outcome).toBeNull();
  });

  it('are no longer told or undone when the time is over', async () => {
    const { many, next, act, timers, perform, done, calls } = await ask();
    void act.confirm();
    await next(perform).answer(done(idsOf(200)));
    await next(perform).answer(done([201]));
    expect(timers.map(({ afterMs }) => afterMs)).toEqual([keepsPlace ? 8_000 : 10_000]);
    timers[0]?.action();
    expect(many.getState().outcome).toBeNull();
    await act.undo();
    expect(calls).toHaveLength(4);
  });

  it('can be stopped between slices: what is done stays and is told, the rest stays chosen (invariant 2)', async () => {
    const { many, next, act, chosen, keys, perform, done } = await ask();
    void act.confirm();
    act.stop();
    await next(perform).answer(done(idsOf(180)));
    expect(many.getState()).toMatchObject({
      question: null,
      work: null,
      outcome: { count: 180, canUndo: true, failure: { kind: 'cancelled' } },
    });
    expect(chosen).toEqual([keys.slice(200)]);
  });

  it('that fail halfway are told as far as they came until read, and can be undone for their time', async () => {
    const { many, next, act, chosen, keys, timers, perform, done } = await ask();
    void act.confirm();
    await next(perform).answer(done([1, 2]));
    await next(perform).answer(failed('storageFull'));
    const reported = { updateIds: [1, 2], failure: { kind: 'storageFull' } };
    expect(many.getState().outcome).toMatchObject({ ...reported, canUndo: true });
    expect(chosen).toEqual([keys.slice(200)]);
    timers[0]?.action();
    expect(many.getState().outcome).toMatchObject({ ...reported, canUndo: false });
    act.forget();
    expect(many.getState().outcome).toBeNull();
  });

  it('cannot be counted: that is said, and nothing is done', async () => {
    const { many, next, act, calls, keysOf, action, count } = openAll();
    void act.ask(action, keysOf(1), 0);
    await next(count).answer(failed('storageFailed'));
    expect(many.getState().question?.failure).toEqual({ kind: 'storageFailed' });
    await act.confirm();
    act.cancel();
    expect(many.getState().question).toBeNull();
    await act.confirm();
    expect(calls).toHaveLength(1);
  });

  it('are counted no further when the question was given up', async () => {
    const { many, next, act, calls, keysOf, action, count, counted: answer } = openAll();
    void act.ask(action, keysOf(201), 0);
    act.cancel();
    await next(count).answer(ok(answer));
    expect(many.getState().question).toBeNull();
    expect(calls).toHaveLength(1);
  });

  it('are left as far as they are, untold, when another person comes', async () => {
    const { people, many, next, act, calls, chosen, perform, done } = await ask();
    void act.confirm();
    people.take('next', false);
    expect(many.getState().work).toMatchObject({ done: 0 });
    await next(perform).answer(done(idsOf(200)));
    expect(many.getState()).toMatchObject({ question: null, work: null, outcome: null });
    expect([calls.length, chosen]).toEqual([3, []]);
  });
});

describe('many coupons', () => {
  const two = [id('1'), id('2')];
  const counts = { willChange: 2, unsure: 0, already: 0, needed: 2, room: 10, ownerId: 3 };

  async function confirm() {
    const all = open(couponBulk);
    void all.act.ask('off', two, 0);
    await all.next('coupon:countMany').answer(ok(counts));
    void all.act.confirm();
    return all;
  }

  it('ask for the room of all slices with the first, for the user for whom they were counted', async () => {
    const { next, act, many } = open(couponBulk);
    const keys = idsOf(201).map((number) => id(String(number)));
    void act.ask('on', keys, 0);
    await next('coupon:countMany').answer(ok(counted));
    await next('coupon:countMany').answer(
      ok({ willChange: 1, unsure: 0, already: 0, needed: 1, room: 899, ownerId: 3 }),
    );
    expect(many.getState().question?.counted).toEqual({ ...counted, willChange: 201, needed: 151, room: 899 });
    void act.confirm();
    const first = next('coupon:switchMany');
    expect(first.input).toEqual({ productIds: keys.slice(0, 200), isEnabled: true, ownerId: 3, needed: 151 });
    await first.answer(ok({ updateIds: idsOf(200), already: 0, undoForMs: 8_000 }));
    const last = next('coupon:switchMany');
    expect(last.input).toEqual({ productIds: keys.slice(200), isEnabled: true, ownerId: 3, needed: 0 });
    await last.answer(ok({ updateIds: [201], already: 0, undoForMs: 8_000 }));
    void act.undo();
    expect(next('coupon:undoMany').input).toMatchObject({ isLast: false });
  });

  it('say why nothing was done, and stay a question', async () => {
    const { many, next } = await confirm();
    await next('coupon:switchMany').answer(failed('queueFull'));
    expect(many.getState()).toMatchObject({ question: { failure: { kind: 'queueFull' } }, work: null, outcome: null });
  });

  it('stay chosen where the queue became full, and tell what had left when they are undone', async () => {
    const { many, next, act, chosen } = await confirm();
    await next('coupon:switchMany').answer(ok({ updateIds: [7], already: 0, undoForMs: 8_000 }));
    expect(many.getState().outcome).toMatchObject({ count: 1, failure: { kind: 'queueFull' } });
    expect(chosen).toEqual([two]);
    void act.undo();
    const undoing = next('coupon:undoMany');
    expect(undoing.input).toEqual({ updateIds: [7], isLast: true });
    await undoing.answer(ok({ takenBack: 0, sent: 1 }));
    expect(many.getState().outcome).toMatchObject({ action: 'undo', count: 0, sent: 1 });
  });
});

describe('many updates', () => {
  it('are summed, slice by slice', async () => {
    const { many, next, act } = open(queueBulk);
    void act.ask('retry', idsOf(maxUpdatesAtOnce + 2), 0);
    await next('queue:countMany').answer(ok({ ...none, retryable: 199, gone: 1 }));
    await next('queue:countMany').answer(ok({ ...none, retryable: 1, ofOthers: 1, conflicts: 1, damaged: 1 }));
    const sum = { ...none, retryable: 200, ofOthers: 1, conflicts: 1, damaged: 1, gone: 1 };
    expect(many.getState().question?.counted).toEqual(sum);
  });

  it('that were tried again are told and cannot be undone, also when it failed', async () => {
    const { many, next, act } = open(queueBulk);
    for (const [answer, outcome] of [
      [ok({ retried: 1 }), { count: 1, failure: null }],
      [failed('storageFull'), { count: 0, failure: { kind: 'storageFull' } }],
    ] as const) {
      void act.ask('retry', [1], 0);
      await next('queue:countMany').answer(ok({ ...none, retryable: 1 }));
      void act.confirm();
      await next('queue:retryMany').answer(answer);
      expect(many.getState().outcome).toMatchObject({ action: 'retry', canUndo: false, ...outcome });
    }
  });

  it('that one call gave up are offered back', async () => {
    const { many, next, act } = open(queueBulk);
    act.offerUndo('discard', [1]);
    void act.undo();
    await next('queue:bringBack').answer(ok({ broughtBack: 1 }));
    expect(many.getState().outcome).toMatchObject({ action: 'undo', count: 1, of: 1 });
  });
});
