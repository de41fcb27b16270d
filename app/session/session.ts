// Who is signed in, and the tokens (API v3 §5; RFC 6749 §6). The refresh token is in the keychain, the access token in
// memory alone. What belongs to one sign-in lies in sign-in.ts.
//
//   signedOut ──signIn──▶ signedIn ──refused refresh──▶ ended ──signIn──▶ signedIn
//       ▲                    │ signOut                    │ signOut
//       └────────────────────┴────────────────────────────┘
//
// Invariants, cited by the tests:
//   S1  At most one renewal of a sign-in is under way, however many calls wait for it.
//   S2  Only an answer that names the grant, the client or the user ends a session; trouble on the way, any other
//       answer or a locked keychain never does: the refresh token is kept, and a renewal that was answered without a
//       token is tried again after a pause.
//   S3  No token, password or client secret leaves this folder but in the call that needs it.
//   S4  A refresh token serves the user who signed in with it and nobody else, even when the mark is older than the
//       token.
//   S5  What an earlier sign-in was still waiting for, its keychain included, changes nothing of a later one.
//   S6  Whoever closes the app waits until the keychain has kept what the platform gave: rotation may have ended the
//       older token already.
// It never sends a call other than for tokens.
import { z } from 'zod';
import type { SessionState } from '../contract/terminal-state.ts';
import type { Failure } from '../domain/failure.ts';
import { parseJson, writeJson } from '../domain/json.ts';
import { createListeners } from '../domain/listeners.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { AccessToken } from '../platform/access-token.ts';
import type { Vault } from '../ports.ts';
import type { SignInSlot, Tokens } from './memory.ts';
import { createSignIn, noTokens, type SignInPorts } from './sign-in.ts';

export const refreshTokenName = 'refresh-token';
/** What the keychain holds: the token, and whose it is. */
const entrySchema = z.object({ email: z.string(), token: z.string().min(1) });

/** What survives a restart beside the keychain: who was signed in. It also says that the keychain must hold a token. */
export interface SessionMark {
  readonly email: string;
}

export interface SessionPorts extends Pick<SignInPorts, 'clock' | 'requestToken' | 'client'> {
  readonly vault: Vault;
  readonly saveMark: (mark: SessionMark | null) => void;
  /** Whoever signed out has a token in the keychain still, which did not remove it. */
  readonly onTokenLeft?: () => void;
  /**
   * Where a sign-in that no keychain keeps outlives this session, for as long as the app runs; nowhere when it is
   * absent.
   */
  readonly slot?: SignInSlot;
}

export interface Session {
  state(): SessionState;
  /** The e-mail of whoever is signed in, or null when nobody is or the session has ended. */
  user(): string | null;
  /** Finds the token of an earlier run. */
  restore(mark: SessionMark): Promise<void>;
  /** Fails with `credentialsRejected`, or as the network did. Never tries twice. */
  signIn(email: string, password: string): Promise<Result<void, Failure>>;
  signOut(): Promise<void>;
  /** Nobody is signed in here any more, but the keychain, or the memory, keeps the sign-in for where it is good. */
  forget(): void;
  /** Goes on with the sign-in of an earlier session of this run that no keychain has kept. False when there is none. */
  resume(): boolean;
  /**
   * A token that is good as far as is known, renewed first when it is about to expire. Fails with `signInNeeded`, with
   * `renewalFailed` when an answer brought none, or as the network did.
   */
  accessToken(): Promise<Result<AccessToken, Failure>>;
  /** The platform refused this token: answers a newer one. Any number of callers share one renewal. */
  renew(refusedToken: string): Promise<Result<AccessToken, Failure>>;
  /** Resolves when nothing is under way any more, the keychain included. Requests must have been abandoned before. */
  settle(): Promise<void>;
  onChange(listener: () => void): void;
}

const signedOut: SessionState = { state: 'signedOut', email: null, keptIn: null, failure: null };

/** The refresh token of this user in the keychain, whose mark says that there is an entry. */
async function readEntry(vault: Vault, email: string | null): Promise<Result<string, Failure>> {
  const stored = await vault.read(refreshTokenName);
  if (!stored.ok) {
    return stored;
  }
  // The mark says that there is an entry: an empty answer means that the keychain is locked (S2).
  if (stored.value === null) {
    return fail({ kind: 'vaultLocked' });
  }
  // S4. A mark that could not be written, on a full disk say, still names the user before.
  const entry = entrySchema.safeParse(parseJson(stored.value));
  return entry.success && entry.data.email === email ? succeed(entry.data.token) : fail({ kind: 'signInNeeded' });
}

/** Makes a session in which nobody is signed in. */
export function createSession(ports: SessionPorts): Session {
  const { vault } = ports;
  const { add: onChange, emit: tell } = createListeners();
  // Rises with each attempt to sign in: only the newest may succeed.
  let signIns = 0;
  // Whose token the keychain holds, as far as the mark says.
  let marked: string | null = null;
  const underWay = new Set<Promise<unknown>>();

  // S6
  function track<Value>(work: Promise<Value>): Promise<Value> {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  function saveMark(email: string | null): void {
    marked = email;
    ports.saveMark(email === null ? null : { email });
  }

  function onMove({ state, email, keptIn }: SessionState, tokens: Tokens): void {
    ports.slot?.write(state === 'signedIn' && email !== null && keptIn === 'memory' ? { email, tokens } : null);
    tell();
  }

  const signInPorts: SignInPorts = {
    ...ports,
    readKept: (email) => readEntry(vault, email),
    writeKept: (email, token) => vault.write(refreshTokenName, writeJson({ email, token })),
    onWritten: (email, isKept) => {
      // An older token of the same user is there still: a keychain that does not take a newer one signs nobody out
      // (S2).
      if (isKept || marked !== email) {
        saveMark(isKept ? email : null);
      }
    },
    onMove,
    track,
  };
  let current = createSignIn(signInPorts, signedOut, noTokens);

  /** Whatever was known or under way belongs to someone else from now on (S5). */
  function begin(state: SessionState, tokens: Tokens = noTokens) {
    current.drop();
    current = createSignIn(signInPorts, state, tokens);
    return current;
  }

  async function signIn(email: string, password: string): Promise<Result<void, Failure>> {
    const client = await ports.client();
    if (!client.ok) {
      return client;
    }
    const before = current;
    const attempt = (signIns += 1);
    const answer = await ports.requestToken(client.value, { grant_type: 'password', username: email, password });
    if (before !== current || attempt !== signIns) {
      return fail({ kind: 'cancelled' });
    }
    if (!answer.ok) {
      return answer;
    }
    const isSameUser = before.state().email === email;
    const signedIn = begin(isSameUser ? before.state() : signedOut);
    if (!isSameUser) {
      // While the keychain takes its time, the new token must not pass for the user before.
      onMove(signedOut, noTokens);
    }
    await signedIn.keep(email, answer.value);
    if (answer.value.refresh_token === undefined) {
      saveMark(null);
    }
    return succeed(undefined);
  }

  async function signOut(): Promise<void> {
    const wasInKeychain = current.state().keptIn === 'keychain' || marked !== null;
    const mine = begin(signedOut);
    saveMark(null);
    onMove(signedOut, noTokens);
    const removed = await vault.remove(refreshTokenName);
    if (!removed.ok && wasInKeychain && mine === current) {
      ports.onTokenLeft?.();
    }
  }

  return {
    state: () => current.state(),
    user: () => current.user(),
    restore: async ({ email }) => {
      marked = email;
      const restored = begin({ state: 'signedIn', email, keptIn: 'keychain', failure: null });
      onMove(restored.state(), noTokens);
      await restored.load();
    },
    signIn: (email, password) => track(signIn(email, password)),
    signOut: () => track(signOut()),
    forget: () => {
      begin(signedOut);
      marked = null;
      tell();
    },
    resume: () => {
      const held = ports.slot?.read() ?? null;
      if (held === null) {
        return false;
      }
      const resumed = begin({ state: 'signedIn', email: held.email, keptIn: 'memory', failure: null }, held.tokens);
      onMove(resumed.state(), held.tokens);
      return true;
    },
    accessToken: () => current.accessToken(),
    renew: (refusedToken) => current.renew(refusedToken),
    settle: async () => {
      await Promise.allSettled(underWay);
    },
    onChange,
  };
}
