import { describe, expect, it } from 'vitest';
import { mostUpdatesAtOnce } from '../../../../app/contract/limits.ts';
import {
  choosableOf,
  countOf,
  createQueueStores,
  hiddenBy,
  shownStanding,
  toDecide,
} from '../../../../renderer/queue/queue-store.ts';
import { createQueueMany } from '../../../../renderer/queue/queue-bulk-store.ts';
import { createHeldWall, failed, ok } from '../stores/held-bridge.ts';

const idsOf = (howMany: number): number[] => Array.from({ length: howMany }, (_unused, place) => place + 1);
const none = { pending: 0, retryable: 0, ofOthers: 0, conflicts: 0, damaged: 0, attempted: 0, gone: 0 };

function open() {
  const { wall, next, calls } = createHeldWall();
  const timers: (() => void)[] = [];
  const chosen: (readonly number[])[] = [];
  const many = createQueueMany(
    wall,
    (_afterMs, action) => {
      timers.push(action);
      return () => {
        timers.splice(timers.indexOf(action), 1);
      };
    },
    (updateIds) => chosen.push(updateIds),
  );
  return { many, next, calls, timers, chosen, act: many.getState() };
}

describe('many updates', () => {
  it('are counted slice by slice before anything is asked', async () => {
    const { many, next, act } = open();
    void act.ask('retry', idsOf(mostUpdatesAtOnce + 2), 0);
    expect(many.getState().question?.counted).toBeNull();
    await next('queue:countMany').answer(ok({ ...none, retryable: 199, gone: 1 }));
    await next('queue:countMany').answer(ok({ ...none, retryable: 1, ofOthers: 1, conflicts: 1, damaged: 1 }));
    expect(many.getState().question?.counted).toEqual({
      ...none,
      retryable: 200,
      ofOthers: 1,
      conflicts: 1,
      damaged: 1,
      gone: 1,
    });
  });

  it('are given up slice by slice, told as they go, and can be brought back for a while', async () => {
    const { many, next, act, timers, chosen } = open();
    const all = idsOf(mostUpdatesAtOnce + 2);
    void act.ask('discard', all, 0);
    await next('queue:countMany').answer(ok(none));
    await next('queue:countMany').answer(ok(none));
    void act.confirm();
    expect(many.getState()).toMatchObject({ question: null, work: { action: 'discard', done: 0, of: 202 } });
    await next('queue:discardMany').answer(ok({ updateIds: all.slice(0, 200) }));
    expect(many.getState().work).toMatchObject({ done: 200 });
    await next('queue:discardMany').answer(ok({ updateIds: [201] }));
    expect(many.getState()).toMatchObject({
      work: null,
      outcome: { kind: 'discarded', canBringBack: true, failure: null },
    });
    expect(chosen).toEqual([[]]);
    void act.bringBack();
    await next('queue:bringBack').answer(ok({ broughtBack: 150 }));
    await next('queue:bringBack').answer(ok({ broughtBack: 1 }));
    expect(many.getState().outcome).toEqual({ kind: 'broughtBack', count: 151, of: 201, failure: null });
    // Told for a while, too.
    expect(timers).toHaveLength(1);
    timers[0]?.();
    expect(many.getState().outcome).toBeNull();
  });

  it('are no longer offered back when the time is over', async () => {
    const { many, act, timers, calls } = open();
    act.offerBack([1]);
    timers[0]?.();
    expect(many.getState().outcome).toBeNull();
    await act.bringBack();
    expect(calls).toEqual([]);
  });

  it('can be stopped between two slices: what is done stays done and is told, the rest stays chosen (invariant 2)', async () => {
    const { many, next, act, chosen } = open();
    void act.ask('retry', idsOf(500), 0);
    for (let slice = 0; slice < 3; slice += 1) {
      await next('queue:countMany').answer(ok(none));
    }
    void act.confirm();
    act.stop();
    await next('queue:retryMany').answer(ok({ retried: 480 }));
    expect(many.getState()).toMatchObject({
      work: null,
      outcome: { kind: 'retried', count: 480, failure: { kind: 'cancelled' } },
    });
    expect(chosen).toEqual([idsOf(500).slice(200)]);
  });

  it('that fail halfway are told as far as they came, and what was given up can be brought back all the same', async () => {
    const { many, next, act, chosen } = open();
    void act.ask('discard', idsOf(400), 0);
    await next('queue:countMany').answer(ok(none));
    await next('queue:countMany').answer(ok(none));
    void act.confirm();
    await next('queue:discardMany').answer(ok({ updateIds: [1, 2] }));
    await next('queue:discardMany').answer(failed('storageFull'));
    expect(many.getState().outcome).toEqual({
      kind: 'discarded',
      updateIds: [1, 2],
      canBringBack: true,
      failure: { kind: 'storageFull' },
    });
    expect(chosen).toEqual([idsOf(400).slice(200)]);
  });

  it('that were tried again are told for a while, and a failure until it has been read', async () => {
    const { many, next, act, timers } = open();
    for (const answer of [ok({ retried: 1 }), failed('storageFull')]) {
      void act.ask('retry', [1], 0);
      await next('queue:countMany').answer(ok({ ...none, retryable: 1 }));
      void act.confirm();
      await next('queue:retryMany').answer(answer);
      expect(many.getState().outcome).toMatchObject({ kind: 'retried' });
      timers.at(-1)?.();
    }
    expect(many.getState().outcome).toMatchObject({ failure: { kind: 'storageFull' } });
    void act.ask('retry', [1], 0);
    await next('queue:countMany').answer(ok({ ...none, retryable: 1 }));
    void act.confirm();
    await next('queue:retryMany').answer(ok({ retried: 1 }));
    timers.at(-1)?.();
    expect(many.getState().outcome).toBeNull();
  });

  it('cannot be counted: that is said, and nothing is done', async () => {
    const { many, next, act, calls } = open();
    void act.ask('discard', [1], 0);
    await next('queue:countMany').answer(failed('storageFailed'));
    expect(many.getState().question?.failure).toEqual({ kind: 'storageFailed' });
    act.cancel();
    expect(many.getState().question).toBeNull();
    await act.confirm();
    expect(calls).toHaveLength(1);
  });
});

describe('the list of the queue', () => {
  const counts = { pending: 1, inFlight: 2, delivered: 4, parked: 8, superseded: 16, discarded: 32 };
  it('counts what each filter shows', () => {
    expect([
      countOf(counts, 'all'),
      countOf(counts, 'waiting'),
      countOf(counts, 'parked'),
      countOf(counts, 'givenUp'),
    ]).toEqual([63, 3, 8, 48]);
  });

  it('says of what was sent and waits for the next try that it was tried, and not that it is being sent', () => {
    const sealed = { standing: 'inFlight', isOwn: true, attempts: 2, failure: null } as const;
    expect(shownStanding(sealed, null)).toBe('inFlight');
    expect(shownStanding(sealed, 'offline')).toBe('tried');
    expect(shownStanding({ ...sealed, isOwn: false }, null)).toBe('tried');
    expect(shownStanding({ ...sealed, attempts: 0 }, 'offline')).toBe('pending');
    expect(shownStanding({ ...sealed, standing: 'parked' }, 'offline')).toBe('parked');
  });

  it('tells what was taken back apart from what was given up', () => {
    const over = { standing: 'discarded', isOwn: true, attempts: 0 } as const;
    expect(shownStanding({ ...over, failure: { kind: 'cancelled' } }, null)).toBe('undone');
    expect(shownStanding({ ...over, failure: null }, null)).toBe('discarded');
    expect(shownStanding({ ...over, attempts: 1, failure: { kind: 'cancelled' } }, null)).toBe('discarded');
  });

  it('says for each filter how many can be chosen, and how many are under way', () => {
    expect(choosableOf(counts, 'all')).toEqual({ open: 9, underWay: 2 });
    expect(choosableOf(counts, 'waiting')).toEqual({ open: 1, underWay: 2 });
    expect(choosableOf(counts, 'parked')).toEqual({ open: 8, underWay: 0 });
    expect(choosableOf(counts, 'givenUp')).toEqual({ open: 0, underWay: 0 });
  });

  it('says how many of those that wait or need a decision, whoever made them, a search hides', () => {
    const queue = { pending: 20, inFlight: 3, parked: 8, ofOthers: { count: 2, emails: [], parked: 5 } };
    expect(toDecide(queue)).toBe(13);
    expect(hiddenBy('cerveja', counts, queue)).toBe(38 - 11);
    expect(hiddenBy(' ', counts, queue)).toBe(0);
    expect(hiddenBy('cerveja', null, queue)).toBe(0);
  });

  it('chooses only what something can be done with, and asks for what is not in sight', async () => {
    const { wall, next } = createHeldWall();
    const { list, choice, facts } = createQueueStores(wall, () => () => undefined);
    list.getState().see(0, 0);
    const row = (id: number, standing: string): unknown => ({
      kind: 'restoreUser',
      id,
      standing,
      email: 'ana@example.com',
      companyId: '7',
      isOwn: true,
      createdAt: 0,
      changedAt: 0,
      attempts: 0,
      failure: null,
      parkedBecause: null,
      userId: '7',
    });
    await next('queue:list').answer(
      ok({ total: 300, counts, isCut: false, rows: [row(9, 'pending'), row(8, 'delivered'), row(7, 'parked')] }),
    );
    expect(facts.getState().counts).toEqual(counts);
    const { toggle, extendTo, chooseAll } = choice.getState();
    toggle(1);
    expect([...choice.getState().chosen]).toEqual([]);
    toggle(0);
    await extendTo(2);
    expect([...choice.getState().chosen]).toEqual([9, 7]);
    void chooseAll();
    const asked = next('queue:listIds');
    expect(asked.input).toEqual({ standings: [], offset: 0, limit: 300 });
    await asked.answer(ok({ total: 300, updateIds: [9, 7, 5] }));
    expect([...choice.getState().chosen]).toEqual([9, 7, 5]);
  });
});
