import { describe, expect, it } from 'vitest';
import { maxChosen } from '../../../../app/contract/limits/coupons.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { succeed, type Result } from '../../../../app/domain/result.ts';
import { createRestorationStore } from '../../../../renderer/users/restoration-store.ts';
import { createRowChoice } from '../../../../renderer/stores/row-selection.ts';
import { createHeldBridge, failed, id, ok } from './held-bridge.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

/** A list whose first hundred rows are here. */
function open(total = 1_000) {
  const asked: {
    first: number;
    howMany: number;
    answer: (result?: Result<readonly Id[], Failure>) => Promise<void>;
  }[] = [];
  const idsFrom = (first: number, howMany: number): Id[] =>
    Array.from({ length: howMany }, (_unused, step) => id(String(first + step)));
  const choice = createRowChoice<Id>(makeLastingStore, {
    max: maxChosen,
    total: () => total,
    idAt: (place) => (place < 100 ? id(String(place)) : undefined),
    ids: (first, howMany) =>
      new Promise((resolve) => {
        asked.push({
          first,
          howMany,
          answer: async (result = { ok: true, value: idsFrom(first, howMany) }) => {
            resolve(result);
            for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          },
        });
      }),
  });
  const chosen = (): string[] => [...choice.getState().chosen].toSorted((left, right) => Number(left) - Number(right));
  return { choice, asked, chosen, act: choice.getState() };
}

describe('what is chosen', () => {
  it('is a row more, or a row less, and a row that is not here yet is nothing', () => {
    const { act, chosen } = open();
    act.toggle(3);
    act.toggle(5);
    act.toggle(3);
    act.toggle(500);
    expect(chosen()).toEqual(['5']);
  });

  it('is a range from the last one, can be drawn in again, and keeps earlier choices (invariant 2)', async () => {
    const { act, chosen } = open();
    act.toggle(1);
    act.toggle(10);
    await act.extendTo(13);
    expect(chosen()).toEqual(['1', '10', '11', '12', '13']);
    await act.extendTo(8);
    expect(chosen()).toEqual(['1', '8', '9', '10']);
    act.moveTo(20);
    await act.extendTo(21);
    expect(chosen()).toEqual(['1', '8', '9', '10', '20', '21']);
  });

  it('is a range far beyond what is here, of which only the last one asked for counts (invariant 1)', async () => {
    const { act, asked, chosen } = open();
    act.toggle(98);
    const long = act.extendTo(400);
    const short = act.extendTo(101);
    expect(asked.map(({ first, howMany }) => [first, howMany])).toEqual([
      [98, 303],
      [98, 4],
    ]);
    await asked[1]?.answer();
    await asked[0]?.answer();
    await Promise.all([long, short]);
    expect(chosen()).toEqual(['98', '99', '100', '101']);
    const late = act.extendTo(300);
    act.clear();
    await asked[2]?.answer();
    await late;
    expect(chosen()).toEqual([]);
  });

  it('is all that the list shows beside what was chosen before, until one is taken out', async () => {
    const { choice, act, asked } = open(250);
    act.choose([id('9000')]);
    const all = act.chooseAll();
    await asked[0]?.answer();
    await all;
    expect(choice.getState()).toMatchObject({ isAll: true });
    expect(choice.getState().chosen.size).toBe(251);
    act.toggle(7);
    expect(choice.getState().isAll).toBe(false);
    expect(choice.getState().chosen.size).toBe(250);
  });

  it('is never more than the queue holds, and says so (invariant 3)', async () => {
    const { choice, act, asked } = open(maxChosen);
    act.choose([id('99999')]);
    const all = act.chooseAll();
    await asked[0]?.answer();
    await all;
    expect(choice.getState()).toMatchObject({ isTooMany: true, isAll: false });
    expect(choice.getState().chosen.size).toBe(1);
    act.clear();
    expect(choice.getState().isTooMany).toBe(false);
  });

  it('stays when the list shows something else; a failure is told and changes nothing', async () => {
    const { choice, act, asked, chosen } = open();
    act.toggle(4);
    act.forgetPlaces();
    expect(choice.getState().active).toBe(-1);
    expect(chosen()).toEqual(['4']);
    const all = act.chooseAll();
    await asked[0]?.answer({ ok: false, failure: { kind: 'notReady' } });
    await all;
    expect(choice.getState()).toMatchObject({ failure: { kind: 'notReady' }, isAll: false });
    expect(chosen()).toEqual(['4']);
  });

  it('is out of sight only once all the list shows next is known, and can be left out (invariant 4)', async () => {
    const { choice, act, asked, chosen } = open(250);
    const outside = (): readonly string[] | undefined => choice.getState().outside?.values().toArray();
    act.toggle(4);
    act.choose([id('4'), id('9000'), id('9001')]);
    expect(outside()).toBeUndefined();
    const looked = act.look();
    await asked[0]?.answer();
    await looked;
    expect(outside()).toEqual(['9000', '9001']);
    act.forgetPlaces();
    expect(outside()).toBeUndefined();
    const late = act.look();
    act.forgetPlaces();
    const last = act.look();
    await asked[2]?.answer({ ok: true, value: [id('9000')] });
    await asked[1]?.answer();
    await Promise.all([late, last]);
    expect(outside()).toEqual(['4', '9001']);
    // One that is ticked in the list is seen.
    act.toggle(4);
    act.toggle(4);
    act.toggle(5);
    expect(outside()).toEqual(['9001']);
    act.keepShown();
    expect(chosen()).toEqual(['4', '5', '9000']);
    expect(outside()).toEqual([]);
  });
});

/** A list whose rows change; only those of `here` have been read, and those that begin with a dot are not choosable. */
function openMoving(names: readonly string[]) {
  const list = { names, here: [0, Infinity] as readonly [number, number] };
  const isHere = (place: number): boolean => place >= list.here[0] && place < list.here[1];
  const keyAt = (place: number): string | undefined => (isHere(place) ? list.names[place] : undefined);
  const choice = createRowChoice<string>(makeLastingStore, {
    max: 8,
    total: () => list.names.length,
    keyAt,
    idAt: (place) => (keyAt(place)?.startsWith('.') === true ? null : keyAt(place)),
    ids: (first, howMany) =>
      Promise.resolve(succeed(list.names.slice(first, first + howMany).filter((name) => !name.startsWith('.')))),
  });
  return { list, choice, act: choice.getState(), chosen: () => [...choice.getState().chosen].join('') };
}

describe('a row that moves in the list', () => {
  const everywhere = [0, Infinity] as const;
  it.each([
    ['after one that came', 'nabcdefg', everywhere, 'g', 'bcdefg'],
    ['after one that came, a range upwards', 'nabcdefg', everywhere, 'n', 'nab'],
    ['before one that went', 'bcdefg', everywhere, 'e', 'bcde'],
    ['to the other side', 'acdefbg', everywhere, 'd', 'defb'],
    ['out of sight', 'nabcdefg', [4, 8], 'g', 'bcdefg'],
    ['out of sight, a range upwards', 'acdefgb', [0, 3], 'd', 'defgb'],
    ['away', 'acdefg', everywhere, 'f', 'f'],
    ['away out of sight', 'acdefghijklm', [4, 8], 'f', 'f'],
  ] as const)('is where a range begins: %s (invariant 5)', async (_how, after, here, last, meant) => {
    const { list, act, chosen } = openMoving([...'abcdefg']);
    act.moveTo(1);
    list.names = [...after];
    list.here = here;
    await act.extendTo(list.names.indexOf(last));
    expect(chosen()).toBe(meant);
  });

  it('is where a range begins also when it cannot be chosen, or was read later (invariant 5)', async () => {
    const { list, act, chosen } = openMoving(['a', '.b', 'c', 'd']);
    act.moveTo(1);
    list.names = ['n', ...list.names];
    await act.extendTo(4);
    expect(chosen()).toBe('cd');
    act.clear();
    list.here = [0, 1];
    act.moveTo(3);
    list.here = everywhere;
    await act.look();
    list.names = ['m', ...list.names];
    await act.extendTo(5);
    expect(chosen()).toBe('cd');
  });

  it('has the keyboard wherever it is, and nothing has it when it has gone (invariant 5)', async () => {
    const { list, choice, act, chosen } = openMoving([...'abcdef']);
    const look = async (names: string, here: readonly [number, number] = everywhere): Promise<number> => {
      Object.assign(list, { names: [...names], here });
      await act.look();
      return choice.getState().active;
    };
    act.moveTo(1);
    expect(await look('nabcdef')).toBe(2);
    expect(await look('mnabcdef', [4, 8])).toBe(2);
    expect(await look('mnabcdef')).toBe(3);
    expect(await look('mnacdef')).toBe(-1);
    act.clear();
    await act.extendTo(4);
    expect(chosen()).toBe('d');
  });
});

describe('a restoration', () => {
  const update = { kind: 'restoreUser', userId: '703', status: 'pending' };

  it('is asked for, and followed as the queue changes', async () => {
    const { bridge, next, calls } = createHeldBridge();
    const store = createRestorationStore(makeLastingStore, bridge);
    await store.getState().readAgain();
    expect(calls).toEqual([]);
    void store.getState().ask(id('703'));
    await next('user:readRestoration').answer(ok(null));
    await next('user:restore').answer(ok({}));
    await next('user:readRestoration').answer(ok(update));
    expect(store.getState()).toMatchObject({ isWorking: false, isAlready: false, update: { status: 'pending' } });
    void store.getState().readAgain();
    void store.getState().readAgain();
    const [late, last] = [next('user:readRestoration'), next('user:readRestoration')];
    await last.answer(ok({ ...update, status: 'delivered' }));
    await late.answer(ok(update));
    expect(store.getState().update?.status).toBe('delivered');
  });

  it('that could not be kept says why; one that was forgotten meanwhile says nothing', async () => {
    const { bridge, next, calls } = createHeldBridge();
    const store = createRestorationStore(makeLastingStore, bridge);
    void store.getState().ask(id('703'));
    await next('user:readRestoration').answer(ok(null));
    await next('user:restore').answer(failed('queueFull'));
    expect(store.getState()).toMatchObject({ failure: { kind: 'queueFull' }, update: null, isWorking: false });
    void store.getState().ask(id('704'));
    await next('user:readRestoration').answer(ok(null));
    store.getState().forget();
    await next('user:restore').answer(ok({}));
    expect(store.getState()).toMatchObject({ userId: null, failure: null });
    expect(calls.map(({ channel }) => channel)).toEqual([
      'user:readRestoration',
      'user:restore',
      'user:readRestoration',
      'user:restore',
    ]);
  });

  it.each([
    ['pending', true],
    ['inFlight', true],
    ['parked', false],
    ['delivered', false],
  ] as const)('that is %s when it is asked for again: waits already %s', async (status, isAlready) => {
    const { bridge, next } = createHeldBridge();
    const store = createRestorationStore(makeLastingStore, bridge);
    void store.getState().ask(id('703'));
    await next('user:readRestoration').answer(ok({ ...update, status }));
    await next('user:restore').answer(ok({}));
    await next('user:readRestoration').answer(ok(update));
    expect(store.getState()).toMatchObject({ isAlready });
  });
});
