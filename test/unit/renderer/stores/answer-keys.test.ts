// Checks the invariants of renderer/stores/answer-keys.ts.
import { expect, it } from 'vitest';
import { createAnswerKeys, longestWaitMs, type KeySubject } from '../../../../renderer/stores/answer-keys.ts';
import type { ShortcutId } from '../../../../renderer/stores/shortcuts.ts';
import { createPersonStores } from '../../../../renderer/stores/make-store.ts';

function open() {
  const lookup = { asked: 1, answered: 1, arrivedAtMs: 0 };
  const world = { nowMs: 1_000, isDialogOpen: false, isBadgeRead: false, offered: true };
  const acted: ShortcutId[] = [];
  const timers = new Map<() => void, number>();
  const people = createPersonStores();
  const store = createAnswerKeys({
    make: people.make,
    places: {
      lookup: { asked: () => lookup.asked, answered: () => lookup.answered, arrivedAtMs: () => lookup.arrivedAtMs },
      stocktakes: { asked: () => 0, answered: () => 0, arrivedAtMs: () => 0 },
    },
    run: (id) => {
      acted.push(...(world.offered ? [id] : []));
      return world.offered;
    },
    isDialogOpen: () => world.isDialogOpen,
    isBadgeRead: () => world.isBadgeRead,
    later: (delayMs, callback) => {
      timers.set(callback, delayMs);
      return () => timers.delete(callback);
    },
    nowMs: () => world.nowMs,
  });
  const keys = store.getState();
  const subject = (turn: number, what: string, kind: KeySubject['kind'] = 'one'): KeySubject => ({ turn, what, kind });
  const show = (one: KeySubject): KeySubject => {
    lookup.answered = one.turn;
    keys.show('lookup', one);
    return one;
  };
  const paint = (one: KeySubject): void => keys.paint('lookup', one);
  paint(show(subject(1, 'A')));
  return {
    lookup,
    world,
    acted,
    show,
    paint,
    subject,
    leave: () => people.take('next', false),
    press: (id: ShortcutId = 'coupon', atMs = world.nowMs) => keys.press(id, atMs),
    said: () => store.getState().note?.why ?? null,
    /** The waits of this length end. */
    pass: (delayMs: number) => [...timers].forEach(([callback, one]) => (one === delayMs ? callback() : undefined)),
  };
}

it('a key acts at once on what has been painted', () => {
  const { press, acted, said } = open();
  expect([press(), acted, said()]).toEqual([true, ['coupon'], null]);
});

it('1, 2. pressed after a scan, it waits for the painted answer, and never acts on the one before', () => {
  const { press, acted, said, lookup, show, paint, subject } = open();
  lookup.asked = 2;
  press();
  expect(acted).toEqual([]);
  const second = show(subject(2, 'B'));
  expect(acted).toEqual([]);
  paint(second);
  expect([acted, said()]).toEqual([['coupon'], null]);
});

it('2. pressed when the answer is drawn but not painted, it waits, too', () => {
  const { press, acted, lookup, show, paint, subject } = open();
  lookup.asked = 2;
  const second = show(subject(2, 'B'));
  press();
  expect(acted).toEqual([]);
  paint(second);
  expect(acted).toEqual(['coupon']);
});

it('3. what came in place of what was asked for is acted on only once it has been seen', () => {
  const { press, acted, said, lookup, world, show, paint, subject } = open();
  lookup.asked = 2;
  press();
  const second = show(subject(2, 'B', 'unasked'));
  press('label');
  paint(second);
  expect([acted, said()]).toEqual([[], 'changed']);
  world.nowMs += 1;
  press();
  expect([acted, said()]).toEqual([['coupon'], null]);
});

it('1. an older answer that is painted meanwhile is not its own', () => {
  const { press, acted, lookup, show, paint, subject } = open();
  lookup.asked = 3;
  press();
  paint(show(subject(2, 'B')));
  expect(acted).toEqual([]);
  paint(show(subject(3, 'C')));
  expect(acted).toEqual(['coupon']);
});

it('1. another scan before its own was painted: it acts on neither, and says so', () => {
  const { press, acted, said, lookup, show, paint, subject } = open();
  lookup.asked = 2;
  press();
  lookup.asked = 3;
  paint(show(subject(3, 'C')));
  expect([acted, said()]).toEqual([[], 'overtaken']);
});

it('4. pressed again after another scan, it acts on that one, and says that the first did nothing', () => {
  const { press, acted, said, lookup, show, paint, subject } = open();
  lookup.asked = 2;
  press();
  lookup.asked = 3;
  press();
  press();
  paint(show(subject(3, 'C')));
  expect([acted, said()]).toEqual([['coupon'], 'overtaken']);
});

it('an answer that takes too long and was overtaken is no answer to press again for', () => {
  const { press, said, lookup, pass } = open();
  lookup.asked = 2;
  press();
  lookup.asked = 3;
  pass(longestWaitMs);
  expect(said()).toBe('overtaken');
});

it('that a product is to be chosen first is said until one is', () => {
  const { press, said, lookup, show, paint, subject } = open();
  lookup.asked = 2;
  paint(show(subject(2, '', 'choice')));
  press();
  expect(said()).toBe('choice');
  lookup.asked = 3;
  paint(show(subject(3, 'A')));
  expect(said()).toBeNull();
});

it.each(['none', 'choice'] as const)('an answer without a product is said: %s', (kind) => {
  const { press, acted, said, lookup, show, paint, subject } = open();
  lookup.asked = 2;
  press();
  paint(show(subject(2, '', kind)));
  expect([acted, said()]).toEqual([[], kind]);
});

it('an answer that takes too long is said, and the key does not act on it any more', () => {
  const { press, acted, said, lookup, show, paint, subject, pass } = open();
  lookup.asked = 2;
  press();
  pass(longestWaitMs);
  expect(said()).toBe('late');
  paint(show(subject(2, 'B')));
  expect(acted).toEqual([]);
});

it('3. what came by itself since the key was pressed is not acted on, and is said', () => {
  const { press, acted, said, show, paint, subject, world } = open();
  const card = show(subject(1, 'B'));
  press('coupon', 1_005);
  expect([acted, said()]).toEqual([[], 'changed']);
  world.nowMs = 1_020;
  paint(card);
  press('coupon', 1_010);
  expect(acted).toEqual([]);
  press('coupon', 1_030);
  expect(acted).toEqual(['coupon']);
});

it('3. a scan that came beside the keys is not the answer to a key that was pressed before it', () => {
  const { press, acted, said, lookup, show, paint, subject } = open();
  Object.assign(lookup, { asked: 2, arrivedAtMs: 1_010 });
  press('coupon', 1_005);
  expect(said()).toBe('changed');
  press('coupon', 1_015);
  paint(show(subject(2, 'B')));
  expect(acted).toEqual(['coupon']);
});

it('4. the same key twice while it waits is one; several act in their order', () => {
  const { press, acted, lookup, show, paint, subject } = open();
  lookup.asked = 2;
  press('coupon');
  press('details');
  press('coupon');
  paint(show(subject(2, 'B')));
  expect(acted).toEqual(['coupon', 'details']);
});

it.each([
  ['changed', { isDialogOpen: true }],
  ['badge', { isBadgeRead: true }],
  ['notNow', { offered: false }],
] as const)('5. nothing is done and %s is said', (why, state) => {
  const { press, acted, said, world } = open();
  Object.assign(world, state);
  press();
  expect([acted, said()]).toEqual([[], why]);
});

it('whoever comes next gets no key of the one before', () => {
  const { press, acted, said, lookup, show, paint, subject, leave } = open();
  lookup.asked = 2;
  press();
  leave();
  paint(show(subject(2, 'B')));
  expect([acted, said()]).toEqual([[], null]);
});
