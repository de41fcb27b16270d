import { expect, test } from 'vitest';
import { ticketLastsMs } from '../../../app/hub/document.ts';
import { createLentTurns } from '../../../app/hub/lent-turns.ts';

const held = { session: 0, person: 0, queue: 0, catalogue: 0 };
const waiter = { lane: 'catalogue', sinceMs: 0 } as const;

test.each([
  [ticketLastsMs, waiter],
  [ticketLastsMs + 1, undefined],
])('a ticket that was asked for %i ms ago lets %o go (H4)', (ageMs, goes) => {
  const rateShare = { rights: () => 1, own: () => 0, share: () => 0 };
  const turns = createLentTurns(rateShare, () => false);
  turns.lend('catalogue', 0);
  expect(turns.next([waiter], { limit: 60, wholeLimit: 60, reserve: 3, held, nowMs: ageMs })).toBe(goes);
});

test('a right that was lent for what is spare is not used while anybody else waits (B8, H11)', () => {
  const rateShare = { rights: () => 1, own: () => 0, share: () => 0 };
  const turns = createLentTurns(rateShare, () => false);
  const spare = { ...waiter, isSpare: true };
  const state = { limit: 60, wholeLimit: 60, reserve: 3, held, nowMs: 0 };
  turns.lend('catalogue', 0);
  expect(turns.next([spare, { lane: 'queue', sinceMs: 0 }], state)).toBeUndefined();
  expect(turns.next([spare], state)).toBe(spare);
});

test('a terminal that uses its share uses a ticket beyond it while that lasts, and nothing else (H4, H9)', () => {
  const rateShare = { rights: () => 9, own: () => 1, share: () => 1 };
  const turns = createLentTurns(rateShare, () => true);
  const person = { lane: 'person', sinceMs: 0 } as const;
  const state = { limit: 60, wholeLimit: 60, reserve: 0, held, nowMs: ticketLastsMs };
  const used = { ...state, held: { ...held, queue: 1 } };
  expect(turns.next([person], state)).toBe(person);
  expect(turns.next([person], used)).toBeUndefined();
  turns.lend('person', 0);
  expect(turns.next([person], { ...used, nowMs: ticketLastsMs + 1 })).toBeUndefined();
  expect(turns.next([person], { ...used, held: { ...held, queue: 9 } })).toBeUndefined();
  expect(turns.next([person], used)).toBe(person);
});

test('a ticket is used once by a terminal that uses its share (H4, H9)', () => {
  const turns = createLentTurns({ rights: () => 9, own: () => 0, share: () => 0 }, () => true);
  const state = { limit: 60, wholeLimit: 60, reserve: 0, held, nowMs: 0 };
  turns.lend('catalogue', 0);
  expect(turns.next([waiter], state)).toBe(waiter);
  expect(turns.next([waiter], state)).toBeUndefined();
});
