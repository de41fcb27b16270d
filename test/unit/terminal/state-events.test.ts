import { expect, test } from 'vitest';
import type { ProductCard } from '../../../app/contract/products.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createStateEvents } from '../../../app/terminal/state-events.ts';
import { createManualClock } from '../../support/manual-clock.ts';

function open() {
  const clock = createManualClock();
  const received: [string, unknown][] = [];
  const logged: string[] = [];
  const made = {
    clock,
    received,
    logged,
    isUnreadable: false,
    isOnline: true,
    card: { productId: '7' } as ProductCard,
  };
  const versions = { shop: null as object | null, queue: '', coupons: '' };
  const stateEvents = createStateEvents({
    clock,
    log: (_level, message) => void logged.push(message),
    snapshot: (known) => {
      if (made.isUnreadable) {
        throw new StorageError({ kind: 'storageFailed' });
      }
      return { ...known, isOnline: made.isOnline } as unknown as TerminalState;
    },
    listVersions: () => ({ ...versions }),
    changedCards: (emit) => {
      emit(made.card);
      return true;
    },
  });
  stateEvents.subscribe((name, payload) => void received.push([name, payload]));
  return Object.assign(made, { stateEvents, versions, names: () => received.splice(0).map(([name]) => name) });
}

test('changes that come together are told once, cards only when one may have changed', async () => {
  const { clock, stateEvents, names } = open();
  stateEvents.changed();
  stateEvents.changed();
  await clock.advance(30);
  expect(names()).toEqual(['terminal:changed']);
  stateEvents.cardsChanged();
  await clock.advance(30);
  expect(names()).toEqual(['product:changed']);
});

test('what leaves everything as it was wakes no screen', async () => {
  const made = open();
  const { clock, stateEvents, received, names } = made;
  const change = async (isOnline: boolean): Promise<void> => {
    made.isOnline = isOnline;
    stateEvents.changed();
    await clock.advance(30);
  };
  await change(true);
  await change(true);
  expect(received.map(([, payload]) => payload)).toMatchObject([{ revision: 1, isOnline: true }]);
  await change(false);
  expect(received.slice(1).map(([, payload]) => payload)).toMatchObject([{ revision: 2, isOnline: false }]);
  expect(names()).toHaveLength(2);
  stateEvents.changed();
  expect(stateEvents.read()).toMatchObject({ revision: 2, isOnline: false });
  await clock.advance(30);
  expect(names()).toEqual([]);
});

test('a screen that has read what was never emitted is told when it is over', async () => {
  const made = open();
  const { clock, stateEvents, names } = made;
  stateEvents.changed();
  await clock.advance(30);
  names();
  made.isOnline = false;
  stateEvents.changed();
  expect(stateEvents.read()).toMatchObject({ revision: 1, isOnline: false });
  made.isOnline = true;
  await clock.advance(30);
  expect(names()).toEqual(['terminal:changed']);
});

test('what a list shows is told when it has changed, and then alone', async () => {
  const { clock, stateEvents, versions, names } = open();
  for (const [change, events] of [
    [{ queue: '1' }, ['terminal:changed', 'queue:changed', 'coupon:changed']],
    [{}, []],
    [{ coupons: '1' }, ['terminal:changed', 'coupon:changed']],
    [{ shop: {} }, ['terminal:changed', 'queue:changed', 'coupon:changed']],
    [{}, []],
  ] as const) {
    Object.assign(versions, change);
    stateEvents.changed();
    await clock.advance(30);
    expect(names()).toEqual(events);
  }
});

test('nothing is told in between stores, and then once', async () => {
  const { clock, stateEvents, names } = open();
  await stateEvents.quietly(async () => {
    stateEvents.changed();
    await clock.advance(100);
  });
  expect(names()).toEqual([]);
  await clock.advance(30);
  expect(names()).toEqual(['terminal:changed']);
});

test('a store that cannot be read is said once, and the next change tries again', async () => {
  const made = open();
  const { clock, stateEvents, logged, names } = made;
  made.isUnreadable = true;
  stateEvents.cardsChanged();
  await clock.advance(1000);
  expect(logged).toHaveLength(2);
  expect([names(), stateEvents.state().notices.map(({ kind }) => kind)]).toEqual([[], ['storageFull']]);
  made.isUnreadable = false;
  stateEvents.changed();
  await clock.advance(30);
  expect(names()).toEqual(['terminal:changed', 'product:changed']);
});

test('nothing is told after the end', async () => {
  const { clock, stateEvents, names } = open();
  stateEvents.changed();
  stateEvents.close();
  stateEvents.cardsChanged();
  stateEvents.notify('catalogueRebuilt', '');
  await stateEvents.quietly(() => Promise.resolve());
  await clock.advance(1000);
  expect(names()).toEqual([]);
});
