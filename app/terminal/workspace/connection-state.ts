// How this terminal stands with the platform, in the one place that decides it. Whatever tells of it reads the snapshot.
import type { ConnectionState } from '../../contract/connection.ts';
import type { QueueState, SessionState } from '../../contract/terminal-state.ts';
import { goingOf } from '../../contract/waiting.ts';
import type { Way } from '../../platform/connection.ts';

/** The facts that are known of an open shop. */
export interface KnownConnection {
  readonly way: Way;
  /** Of whoever the work is for, at the screen or not. */
  readonly session: Pick<SessionState, 'state' | 'failure'>;
  /** The practice store signs in by itself. */
  readonly isPractice: boolean;
  readonly isSafeMode: boolean;
}

const says = (state: ConnectionState['state'], failure: ConnectionState['failure'] = null): ConnectionState => ({
  state,
  since: null,
  failure,
});

/**
 * How an open shop stands with the platform; null where none is open. What must be mended first is told first: a
 * sign-in is of no use without the network.
 */
export function connectionStateOf(known: KnownConnection | null): ConnectionState {
  if (known === null) {
    return says('resting');
  }
  const { way, session, isPractice, isSafeMode } = known;
  if (way.state === 'offline' || way.state === 'noAnswer') {
    return { state: way.state, since: way.since, failure: way.failure };
  }
  const isSigningIn = session.state === 'signedOut' && isPractice && way.isStarting;
  // mutant: a locked keychain is no reason to sign in (I29)
  if (!isSigningIn && (session.state !== 'signedIn' || session.failure !== null)) {
    return says('signIn', session.failure);
  }
  if (way.state === 'open') {
    return says('online');
  }
  return says(way.isStarting && !isSafeMode ? 'checking' : 'resting');
}

/**
 * The queue as it is told beside this connection: what waits, waits for what the connection says, and no try is told
 * that would not be made.
 */
export function queueBeside(queue: QueueState, { state }: Pick<ConnectionState, 'state'>): QueueState {
  const { pending, inFlight, heldBy } = queue;
  if (goingOf(queue) === 0 || heldBy === 'safeMode') {
    return { ...queue, nextTryAt: null };
  }
  if (inFlight > 0) {
    return { ...queue, heldBy: null, nextTryAt: null };
  }
  if (state === 'offline' || (state === 'signIn' && pending > 0)) {
    // mutant: a next try is told that waits for a sign-in (I29)
    return { ...queue, heldBy: state, nextTryAt: null };
  }
  if (state === 'noAnswer') {
    return { ...queue, heldBy: state };
  }
  // The way is free, or the keychain open again: what has waited for it is tried next.
  return { ...queue, heldBy: heldBy === 'offline' || heldBy === 'signIn' ? 'retry' : heldBy };
}
