// The proof of what is asked before the app ends, in each state and language: only where going on would send something,
// and never that it would where a person is needed first.
import { describe, expect, test } from 'vitest';
import { endingQuestionOf, isAllSent } from '../../../../app/hosts/electron/ending-view.ts';
import type { TerminalState } from '../../../../app/contract/terminal-state.ts';
import { languages } from '../../../../app/domain/language.ts';
import { firstRunState } from '../../../support/fake-handlers.ts';

const ready: TerminalState = {
  ...firstRunState,
  host: 'electron',
  phase: 'ready',
  language: 'en',
  session: { ...firstRunState.session, state: 'signedIn', email: 'ana@example.com' },
  connection: { state: 'online', since: 0, failure: null },
};
const waiting = (queue: Partial<TerminalState['queue']>, more: Partial<TerminalState> = {}): TerminalState => ({
  ...ready,
  ...more,
  queue: { ...ready.queue, ...queue },
});
const cut = (state: 'offline' | 'noAnswer'): Partial<TerminalState> => ({
  connection: { state, since: 1, failure: null },
});
const signInNeeded = { state: 'signIn', since: null, failure: null } as const;
const choices = (state: TerminalState, hasTray = true): readonly string[] | undefined =>
  endingQuestionOf(state, hasTray)?.answers.map(({ choice }) => choice);

describe('nothing is asked', () => {
  test.each<[string, TerminalState]>([
    ['while nothing waits', ready],
    ['for what needs a decision alone, which nothing sends', waiting({ parked: 2 })],
    ["for others' changes alone", waiting({ ofOthers: { count: 3, emails: ['bia@example.com'], parked: 0 } })],
    ['at the check station', waiting({ pending: 1 }, { station: { ...ready.station, isOn: true } })],
    ['in safe mode, where nothing is sent', waiting({ pending: 1, heldBy: 'safeMode' }, { isSafeMode: true })],
  ])('%s', (_name, state) => {
    expect(endingQuestionOf(state, true)).toBeNull();
  });
});

test('with a tray the app can end when all is sent, without one it stays or ends', () => {
  expect(choices(waiting({ pending: 1 }))).toEqual(['endWhenSent', 'stay', 'end']);
  expect(choices(waiting({ inFlight: 1 }))).toEqual(['endWhenSent', 'stay', 'end']);
  expect(choices(waiting({ pending: 1 }), false)).toEqual(['stay', 'end']);
  // Under a kept sign-in it needs nobody.
  const kept = waiting({ ofKept: { count: 1, emails: ['bia@example.com'] } }, { connection: signInNeeded });
  expect(choices(kept)).toEqual(['endWhenSent', 'stay', 'end']);
});

test('the default is never to lose the sending', () => {
  for (const hasTray of [true, false]) {
    expect(choices(waiting({ pending: 1 }), hasTray)?.[0]).not.toBe('end');
  }
});

test('what waits for a sign-in is not promised to be sent', () => {
  for (const state of [
    waiting({ pending: 1, heldBy: 'signIn' }, { connection: { state: 'signIn', since: null, failure: null } }),
    waiting({ inFlight: 1 }, { connection: { state: 'signIn', since: null, failure: null } }),
    waiting({ pending: 1 }, { ...cut('offline'), session: { ...ready.session, state: 'ended' } }),
    waiting({ pending: 1 }, { session: { ...ready.session, state: 'ended' } }),
  ]) {
    expect(choices(state)).toEqual(['stay', 'end']);
    expect(endingQuestionOf(state, true)?.detail).toMatch(/^Somebody has to sign in/);
  }
});

test('it says how many, why, and what else needs a decision', () => {
  for (const queue of [{ pending: 1 }, { inFlight: 1 }]) {
    expect(endingQuestionOf(waiting(queue, cut('offline')), true)).toMatchObject({
      message: '1 change not sent',
      detail: expect.stringMatching(/^There is no network just now\.\nNothing is lost/) as string,
    });
    expect(endingQuestionOf(waiting(queue, cut('noAnswer')), true)).toMatchObject({
      detail: expect.stringMatching(/^The platform does not answer just now\.\nNothing is lost/) as string,
    });
  }
  expect(endingQuestionOf(waiting({ pending: 1200, inFlight: 34, parked: 1 }), true)).toMatchObject({
    message: '1,234 changes not sent',
    detail: expect.stringMatching(/\n1 change needs your decision\.$/) as string,
  });
  expect(
    endingQuestionOf(waiting({ pending: 1, ofOthers: { ...ready.queue.ofOthers, parked: 1 } }), true),
  ).toMatchObject({ detail: expect.stringMatching(/\n1 change needs your decision\.$/) as string });
  for (const language of languages) {
    const question = endingQuestionOf(waiting({ pending: 2, parked: 2 }, { language }), true);
    expect(JSON.stringify(question)).not.toMatch(/[{}]count/);
    expect(new Set(question?.answers.map(({ label }) => label)).size).toBe(3);
  }
});

test('all is sent when nothing waits, and not when a change was refused meanwhile', () => {
  expect(isAllSent(waiting({ pending: 1 }), 0)).toBe(false);
  expect(isAllSent(waiting({ inFlight: 1 }), 0)).toBe(false);
  expect(isAllSent(waiting({ delivered: 1 }), 0)).toBe(true);
  expect(isAllSent(waiting({ parked: 1 }), 0)).toBe(false);
  expect(isAllSent(waiting({ parked: 1 }), 1)).toBe(true);
  // Of whoever has locked the till, or is kept.
  expect(isAllSent(waiting({ ofOthers: { ...ready.queue.ofOthers, parked: 1 } }), 0)).toBe(false);
});
