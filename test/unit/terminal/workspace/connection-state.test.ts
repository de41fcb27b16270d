// The proof of the one decision how a terminal stands with the platform, over all that can be known, and of the queue
// that is told beside it.
import { describe, expect, test } from 'vitest';
import { connectionStates, connectionStateSchema, type ConnectionState } from '../../../../app/contract/connection.ts';
import { noUpdates, queueStateSchema, type QueueState } from '../../../../app/contract/terminal-state.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import type { Way } from '../../../../app/platform/connection.ts';
import {
  connectionStateOf,
  queueBeside,
  type KnownConnection,
} from '../../../../app/terminal/workspace/connection-state.ts';

const locked: Failure = { kind: 'vaultLocked' };
const refused: Failure = { kind: 'credentialsRejected', status: 401 };
const sessions = {
  signedIn: { state: 'signedIn', failure: null },
  stuck: { state: 'signedIn', failure: locked },
  ended: { state: 'ended', failure: refused },
  signedOut: { state: 'signedOut', failure: null },
} as const satisfies Record<string, KnownConnection['session']>;
const failures: Readonly<Record<Way['state'], Failure | null>> = {
  unknown: null,
  open: null,
  noAnswer: { kind: 'timedOut' },
  offline: { kind: 'unreachable' },
};
const way = (state: Way['state'], isStarting = false): Way => ({
  state,
  since: 1000,
  failure: failures[state],
  isStarting,
});
type Column = keyof typeof sessions;
const columns: readonly Column[] = ['signedIn', 'stuck', 'ended', 'signedOut'];

// Each row: the way; then what is said with each session, of a real store.
const table: readonly { readonly known: Way; readonly expected: readonly ConnectionState['state'][] }[] = [
  { known: way('open'), expected: ['online', 'signIn', 'signIn', 'signIn'] },
  { known: way('noAnswer'), expected: ['noAnswer', 'noAnswer', 'noAnswer', 'noAnswer'] },
  { known: way('offline'), expected: ['offline', 'offline', 'offline', 'offline'] },
  { known: way('unknown', true), expected: ['checking', 'signIn', 'signIn', 'signIn'] },
  { known: way('unknown'), expected: ['resting', 'signIn', 'signIn', 'signIn'] },
];

describe('I29: what is said', () => {
  test.each(table)('of the way $known.state, starting $known.isStarting', ({ known, expected }) => {
    const said = columns.map((column) =>
      connectionStateOf({ way: known, session: sessions[column], isPractice: false, isSafeMode: false }),
    );
    expect(said.map(({ state }) => state)).toEqual(expected);
    for (const one of said) {
      expect(connectionStateSchema.safeParse(one).success).toBe(true);
      expect(one.since).toBe(one.state === 'offline' || one.state === 'noAnswer' ? 1000 : null);
    }
  });

  test('in safe mode nothing is looked for, and without a store nothing is asked', () => {
    const calm = { session: sessions.signedIn, isPractice: false, isSafeMode: true };
    expect(connectionStateOf({ ...calm, way: way('unknown', true) }).state).toBe('resting');
    expect(connectionStateOf({ ...calm, way: way('open') }).state).toBe('online');
    expect(connectionStateOf({ ...calm, way: way('unknown'), session: sessions.stuck })).toEqual({
      state: 'signIn',
      since: null,
      failure: locked,
    });
    expect(connectionStateOf(null)).toEqual({ state: 'resting', since: null, failure: null });
  });

  test('the practice store signs in by itself at its start, and not for ever', () => {
    const practice = { session: sessions.signedOut, isPractice: true, isSafeMode: false };
    expect(connectionStateOf({ ...practice, way: way('unknown', true) }).state).toBe('checking');
    expect(connectionStateOf({ ...practice, way: way('unknown') }).state).toBe('signIn');
  });

  test('why, where anything is to be mended', () => {
    const known = { session: sessions.ended, isPractice: false, isSafeMode: false };
    expect(connectionStateOf({ ...known, way: way('open') }).failure).toEqual(refused);
    expect(connectionStateOf({ ...known, way: way('offline') }).failure).toEqual({ kind: 'unreachable' });
  });
});

describe('I29: the queue beside it', () => {
  const holds = [null, 'offline', 'signIn', 'otherUser', 'rateLimit', 'retry', 'safeMode'] as const;
  const queue = (more: Partial<QueueState>): QueueState => ({ ...noUpdates, pending: 2, nextTryAt: 5000, ...more });

  test('what waits waits for what the connection says, and for nothing else that it does not', () => {
    for (const state of connectionStates) {
      for (const heldBy of holds) {
        const reported = queueBeside(queue({ heldBy }), { state });
        expect(queueStateSchema.safeParse(reported).success).toBe(true);
        const isCut = state === 'offline' || state === 'noAnswer' || state === 'signIn';
        const own = heldBy === 'offline' || heldBy === 'signIn' ? 'retry' : heldBy;
        const held = isCut ? state : own;
        expect(reported.heldBy).toBe(heldBy === 'safeMode' ? 'safeMode' : held);
        // Without the network or a sign-in, or in safe mode, no try is planned.
        const isPlanned = heldBy !== 'safeMode' && state !== 'offline' && state !== 'signIn';
        expect(reported.nextTryAt).toBe(isPlanned ? 5000 : null);
      }
    }
  });

  test('while bytes are under way nothing holds it', () => {
    for (const state of connectionStates) {
      expect(queueBeside(queue({ inFlight: 1, heldBy: 'retry' }), { state })).toMatchObject({
        heldBy: null,
        nextTryAt: null,
        inFlight: 1,
      });
    }
  });

  test('what goes out under kept sign-ins waits for the way alone, and for no sign-in at the screen', () => {
    const kept = (heldBy: QueueState['heldBy']): QueueState =>
      queue({ pending: 0, heldBy, ofKept: { count: 2, emails: ['bia@example.com'] } });
    expect(queueBeside(kept(null), { state: 'signIn' })).toMatchObject({ heldBy: null });
    expect(queueBeside(kept('rateLimit'), { state: 'signIn' })).toMatchObject({ heldBy: 'rateLimit', nextTryAt: 5000 });
    for (const state of ['offline', 'noAnswer'] as const) {
      expect(queueBeside(kept('retry'), { state })).toMatchObject({ heldBy: state });
    }
    expect(queueBeside(kept('offline'), { state: 'online' })).toMatchObject({ heldBy: 'retry' });
    expect(queueBeside({ ...kept('retry'), pending: 1 }, { state: 'signIn' })).toMatchObject({ heldBy: 'signIn' });
  });

  test('of others alone it is said whose they are', () => {
    const others = queue({
      pending: 0,
      heldBy: 'otherUser',
      ofOthers: { count: 1, emails: ['bia@example.com'], parked: 0 },
    });
    expect(queueBeside(others, { state: 'offline' })).toEqual({ ...others, nextTryAt: null });
  });
});
