// Proves that a call which is locked asks for the PIN and is made again, that there is one question for all (invariant
// 1), and that where nobody can ask a call fails at once (invariant 2).
import { describe, expect, test } from 'vitest';
import type { Channel } from '../../../../app/contract/contract.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import { askingForPin } from '../../../../renderer/lock/pin-retry.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import { createPinStore } from '../../../../renderer/lock/pin-store.ts';
import { settlePromises } from '../../../support/manual-clock.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

function desk({ actions = Number.POSITIVE_INFINITY } = {}) {
  const made: [Channel, unknown][] = [];
  const tried: string[] = [];
  let left = 0;
  const unlock = (digits: string) => {
    tried.push(digits);
    if (digits !== '2580') {
      return Promise.resolve(fail({ kind: 'pinWrong' as const }));
    }
    left = actions;
    return Promise.resolve(succeed({}));
  };
  const pin = createPinStore(makeLastingStore, unlock, () => (left = 0));
  const bare: Bridge = {
    subscribe: () => () => undefined,
    call: (channel, input) => {
      made.push([channel, input]);
      if (left <= 0) {
        return Promise.resolve(fail({ kind: 'locked' }));
      }
      left -= 1;
      return Promise.resolve(succeed({} as never));
    },
  };
  let who = 'ana';
  const bridge = askingForPin(
    bare,
    (rule, purpose) => pin.getState().ask(rule, purpose),
    () => who,
  );
  return { made, tried, pin, bridge, come: (next: string) => (who = next) };
}

const restore = { userId: '5' as Id };
const discard = { updateId: 3 };

describe('a call that is locked', () => {
  test('asks once for all who wait, and each is made again with its own input', async () => {
    const { made, pin, bridge } = desk();
    pin.getState().attach();
    const one = bridge.call('user:restore', restore);
    const two = bridge.call('queue:discard', discard);
    await settlePromises();
    expect(pin.getState().asked).toBe('users');
    await pin.getState().tryPin('0000');
    expect(pin.getState()).toMatchObject({ asked: 'users', failure: { kind: 'pinWrong' }, isTrying: false });
    const trying = pin.getState().tryPin('2580');
    expect(pin.getState()).toMatchObject({ failure: null, isTrying: true });
    await trying;
    expect([await one, await two]).toEqual([succeed({}), succeed({})]);
    expect(made).toEqual([
      ['user:restore', restore],
      ['queue:discard', discard],
      ['user:restore', restore],
      ['queue:discard', discard],
    ]);
    expect(pin.getState()).toMatchObject({ asked: null, failure: null });
  });

  test('asks again when the one action went to another that waited', async () => {
    const { pin, bridge, tried } = desk({ actions: 1 });
    pin.getState().attach();
    const one = bridge.call('user:restore', restore);
    const two = bridge.call('queue:discard', discard);
    await settlePromises();
    await pin.getState().tryPin('2580');
    expect(await one).toEqual(succeed({}));
    await settlePromises();
    expect(pin.getState().asked).toBe('discarding');
    await pin.getState().tryPin('2580');
    expect(await two).toEqual(succeed({}));
    expect(tried).toHaveLength(2);
  });

  test('fails as it did when a person gives up, or the last dialog goes', async () => {
    const { pin, bridge, made } = desk();
    const deaf = pin.getState().attach();
    const one = bridge.call('user:restore', restore);
    await settlePromises();
    pin.getState().giveUp();
    expect(await one).toEqual(fail({ kind: 'locked' }));
    const two = bridge.call('user:restore', restore);
    await settlePromises();
    deaf();
    expect(await two).toEqual(fail({ kind: 'locked' }));
    expect(made).toHaveLength(2);
  });

  test('is not asked for at the next shop, or of the next person, and not made there', async () => {
    const { pin, bridge, made, come } = desk();
    pin.getState().attach();
    const one = bridge.call('user:restore', restore);
    come('bia');
    await settlePromises();
    expect(pin.getState().asked).toBeNull();
    expect(await one).toEqual(fail({ kind: 'locked' }));
    expect(made).toHaveLength(1);
  });

  test('fails at once on a page without a dialog', async () => {
    const { pin, bridge } = desk();
    expect(await bridge.call('user:restore', restore)).toEqual(fail({ kind: 'locked' }));
    expect(pin.getState().asked).toBeNull();
  });

  test('is not taken for one when the table calls it free', async () => {
    const { pin, bridge } = desk();
    pin.getState().attach();
    expect(await bridge.call('lock:setPin', { pin: null })).toEqual(fail({ kind: 'locked' }));
    expect(pin.getState().asked).toBeNull();
  });

  test('is asked for when a retry is locked, for then it overwrites', async () => {
    const { pin, bridge } = desk();
    pin.getState().attach();
    const retrying = bridge.call('queue:retry', { updateId: 3 });
    await settlePromises();
    expect(pin.getState().asked).toBe('coupons');
    await pin.getState().tryPin('2580');
    expect(await retrying).toEqual(succeed({}));
  });

  test.each([
    ['nobody asks', 0],
    ['somebody else asks', 1],
  ])('a PIN that is right after the question was withdrawn leaves all locked (then %s)', async (_who, others) => {
    const { pin, bridge } = desk();
    pin.getState().attach();
    const one = bridge.call('user:restore', restore);
    await settlePromises();
    const trying = pin.getState().tryPin('2580');
    void pin.getState().tryPin('2580');
    pin.getState().giveUp();
    const asking = others === 0 ? null : pin.getState().ask('users', null);
    await trying;
    expect(await one).toEqual(fail({ kind: 'locked' }));
    expect(pin.getState()).toMatchObject({ isTrying: false, asked: asking === null ? null : 'users' });
    const next = bridge.call('user:restore', restore);
    await settlePromises();
    expect(pin.getState().asked).toBe('users');
    pin.getState().giveUp();
    expect(await next).toEqual(fail({ kind: 'locked' }));
  });
});

test('a PIN is tried once the one before, whose question had gone, has come to its end', async () => {
  let isOpen = false;
  const answers: (() => void)[] = [];
  const pin = createPinStore(
    makeLastingStore,
    () =>
      new Promise((resolve) => {
        answers.push(() => {
          isOpen = true;
          resolve(succeed({}));
        });
      }),
    (opened) => {
      expect(opened).toBe('coupons');
      isOpen = false;
    },
  );
  pin.getState().attach();
  const first = pin.getState().ask('coupons', null);
  void pin.getState().tryPin('2580');
  pin.getState().giveUp();
  expect(await first).toBe(false);
  const second = pin.getState().ask('users', null);
  expect(pin.getState().isTrying).toBe(true);
  void pin.getState().tryPin('2580');
  answers[0]?.();
  await settlePromises();
  expect([isOpen, pin.getState().isTrying, answers.length]).toEqual([false, false, 1]);
  void pin.getState().tryPin('2580');
  answers[1]?.();
  expect([await second, isOpen]).toEqual([true, true]);
});

describe('the question says what it would let through', () => {
  const productId = '7' as Id;
  const minimum = (of: string, figure: number | null, stockId = '11') => ({ stockId, productId: of, minimum: figure });
  test.each([
    ['coupon:switch', { productId, isEnabled: false }, { does: 'couponOff', productId }],
    ['coupon:switch', { productId, isEnabled: true }, { does: 'couponOn', productId }],
    ['coupon:switchMany', { productIds: [productId], isEnabled: true, ownerId: 1, needed: 1 }, { does: 'couponsOn' }],
    ['couponSet:remove', { setId: 1 }, { does: 'removeSet' }],
    ['shopLists:export', {}, { does: 'saveLists' }],
    ['hub:leave', {}, { does: 'leaveHub' }],
    ['watchList:set', { minima: [minimum('7', 12)] }, { does: 'minimum', productId, minimum: 12 }],
    ['watchList:set', { minima: [minimum('7', null)] }, { does: 'noMinimum', productId }],
    [
      'watchList:set',
      { minima: [minimum('7', 12), minimum('8', 12), minimum('8', 12, '12')] },
      { does: 'minima', count: 2, minimum: 12 },
    ],
    ['watchList:set', { minima: [minimum('7', 12), minimum('8', 4)] }, { does: 'mixedMinima', count: 2 }],
    ['user:restore', restore, null],
  ] as const)('%s', async (channel, input, purpose) => {
    const { pin, bridge } = desk();
    pin.getState().attach();
    void bridge.call(channel, input as never);
    await settlePromises();
    expect(pin.getState().purpose).toEqual(purpose);
    pin.getState().giveUp();
    expect(pin.getState().purpose).toBe(null);
  });
});
