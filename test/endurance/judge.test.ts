import { expect, test } from 'vitest';
import { judge, maxInWindow, type Evidence, type Intent } from './judge.ts';

function intent(isEnabled: boolean, status: Intent['status'] = 'acknowledged'): Intent {
  return { productId: '1', isEnabled, status };
}
const row = (isEnabled: boolean, status = 'delivered') => ({ productId: '1', isEnabled, status });
const effect = (isEnabled: boolean, idempotencyKey = 'a') => ({ productId: '1', isEnabled, idempotencyKey });
const put = (idempotencyKey: string, body = `of ${idempotencyKey}`) => ({ idempotencyKey, body });

/** On, off and on again, the first two sent, the second under a key that left twice. */
const sound: Evidence = {
  intents: [intent(true), intent(false), intent(true)],
  restorations: [],
  books: { switches: [row(true), row(false), row(true)], restorations: [] },
  effects: [effect(true), effect(false, 'b'), effect(true, 'c')],
  keyed: [put('a'), put('b'), put('b'), put('c')],
  leftAtMs: [1, 2, 3, 4],
  settingsBefore: new Map([['2', true]]),
  settingsAfter: new Map([
    ['1', true],
    ['2', true],
  ]),
};

function rulesOf(change: Partial<Evidence>): string[] {
  return [...new Set(judge({ ...sound, ...change }).map(({ rule }) => rule))];
}

test('finds nothing wrong with a sound till', () => {
  expect(judge(sound)).toEqual([]);
});

test.each([
  ['an unknown one that was accepted', [intent(true), intent(false, 'unknown'), intent(true)]],
  [
    'an unknown one that was not',
    [intent(true), intent(true, 'unknown'), intent(false), intent(true), intent(false, 'unknown')],
  ],
  ['a refused one', [intent(true), intent(false), intent(false, 'refused'), intent(true)]],
])('accepts %s (K1)', (_, intents) => {
  expect(judge({ ...sound, intents })).toEqual([]);
});

test.each([
  ['an acknowledged one has vanished', [intent(true), intent(false), intent(true), intent(false)]],
  ['one has vanished from the middle', [intent(true), intent(true), intent(false), intent(true)]],
  ['nobody asked for one', [intent(true), intent(false)]],
  ['a refused one was accepted', [intent(true), intent(false), intent(true, 'refused')]],
])('finds that %s (K1)', (_, intents) => {
  expect(rulesOf({ intents })).toEqual(['K1']);
});

test.each(['pending', 'inFlight', 'parked', 'discarded'])(
  'finds that an update is still or wrongly %s (K2)',
  (status) => {
    expect(rulesOf({ books: { switches: [row(true), row(false, status), row(true)], restorations: [] } })).toEqual([
      'K2',
    ]);
  },
);

test.each([
  ['acknowledged', 1, 'parked', []],
  ['acknowledged', 0, 'parked', ['K1']],
  ['acknowledged', 2, 'parked', ['K1']],
  ['acknowledged', 1, 'delivered', ['K2']],
  ['unknown', 0, 'parked', []],
  ['unknown', 1, 'parked', []],
  ['unknown', 2, 'parked', ['K1']],
  ['refused', 1, 'parked', ['K1']],
] as const)(
  'judges a user asked back (%s) that the books have %i times, %s: %j',
  (status, count, bookStatus, rules) => {
    const rows = Array.from({ length: count }, () => ({ userId: '9', status: bookStatus }));
    expect(rulesOf({ restorations: [{ userId: '9', status }], books: { ...sound.books, restorations: rows } })).toEqual(
      rules,
    );
  },
);

test('finds a user whom nobody asked back (K1)', () => {
  expect(rulesOf({ books: { ...sound.books, restorations: [{ userId: '9', status: 'parked' }] } })).toEqual(['K1']);
});

test('finds that the platform has something else (K3)', () => {
  expect(
    rulesOf({
      settingsAfter: new Map([
        ['2', true],
        ['1', false],
      ]),
    }),
  ).toEqual(['K3']);
  expect(rulesOf({ settingsAfter: new Map([['2', true]]) })).toEqual(['K3']);
  expect(
    rulesOf({
      settingsAfter: new Map([
        ['2', false],
        ['1', true],
      ]),
    }),
  ).toEqual(['K3']);
});

test('finds a key that took effect twice, one with other bytes, and one that never left (K4)', () => {
  expect(rulesOf({ effects: [effect(true), effect(true), effect(false, 'b'), effect(true, 'c')] })).toContain('K4');
  expect(rulesOf({ keyed: [put('a'), put('b'), put('b', 'others'), put('c')] })).toEqual(['K4']);
  expect(rulesOf({ keyed: [put('a'), put('b')] })).toContain('K4');
});

test('finds effects out of the order of keys or of intent (K5)', () => {
  expect(rulesOf({ effects: [effect(true, 'c'), effect(false, 'b'), effect(true)] })).toEqual(['K5']);
  expect(rulesOf({ effects: [effect(false), effect(true, 'b'), effect(true, 'c')] })).toEqual(['K5']);
});

test('finds more than 60 requests in 60 s, wherever the minute begins (K6)', () => {
  const evenly = Array.from({ length: 200 }, (_, place) => place * 1000);
  expect(maxInWindow(evenly)).toBe(60);
  expect(rulesOf({ leftAtMs: evenly })).toEqual([]);
  expect(rulesOf({ leftAtMs: [...evenly, 199_500] })).toEqual(['K6']);
});
