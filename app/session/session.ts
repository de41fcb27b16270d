// Who is signed in, and the tokens (API v3 §5; RFC 6749 §6). The refresh token is in the keychain, the access token in memory alone.
//
//   signedOut ──signIn──▶ signedIn ──refused refresh──▶ ended ──signIn──▶ signedIn
//       ▲                    │ signOut                    │ signOut
//       └────────────────────┴────────────────────────────┘
//
// Invariants, cited by the tests:
//   S1  At most one renewal of a sign-in is under way, however many calls wait for it.
//   S2  Only an answer that names the grant, the client or the user ends a session; trouble on the way, any other answer or a locked keychain never
//       does: the refresh token is kept, and a renewal that was answered without a token is tried again after a pause.
//   S3  No token, password or client secret leaves this folder but in the call that needs it.
//   S4  A refresh token serves the user who signed in with it and nobody else, even when the mark is older than the token.
//   S5  What an earlier sign-in was still waiting for, its keychain included, changes nothing of a later one.
//   S6  Whoever closes the app waits until the keychain has kept what the platform gave: rotation may have ended the older token already.
// It never sends a call other than for tokens.
import { backoffMs } from '../domain/backoff.ts';
import { createListeners } from '../domain/listeners.ts';
import { z } from 'zod';
import type { SessionState } from '../contract/terminal-state.ts';
import { isNetworkFailure, type Failure } from '../domain/failure.ts';
import { parseJson, writeJson } from '../domain/json.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { AccessToken } from '../platform/access-token.ts';
import type { TokenAnswer } from '../platform/token-answer.ts';
import type { ClientCredentials, RequestToken } from '../platform/tokens.ts';
import type { Clock, Vault } from '../ports.ts';
import type { SignInSlot, Tokens } from './memory.ts';

// A token is renewed this long before it expires, or at half of a shorter life.
const renewBeforeMs = 60_000;
/** After a renewal that was answered without a token, doubled each time. */
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
export const refreshTokenName = 'refresh-token';
/** What the keychain holds: the token, and whose it is. */
const entrySchema = z.object({ email: z.string(), token: z.string().min(1) });

/** What survives a restart beside the keychain: who was signed in. It also says that the keychain must hold a token. */
export interface SessionMark {
  readonly email: string;
}

export interface SessionPorts {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly requestToken: RequestToken;
  readonly client: () => Promise<Result<ClientCredentials, Failure>>;
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
const noTokens: Tokens = { access: null, renewAtMs: null, refresh: null };

/** Makes a session in which nobody is signed in. */
export function createSession(ports: SessionPorts): Session {
  const { clock, vault } = ports;
  const { add: onChange, emit: tell } = createListeners();
  let state: SessionState = signedOut;
  let tokens: Tokens = { ...noTokens };
  let renewal: Promise<Result<AccessToken, Failure>> | null = null;
  /** The last renewal was answered without a token: until when no other is sent, and what it failed with. */
  let refusedFor: { readonly untilMs: number; readonly times: number; readonly failure: Failure } | null = null;
  // Rises with each change of who is signed in (S5).
  let generation = 0;
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

  function move(next: SessionState): void {
    state = next;
    ports.slot?.write(
      next.state === 'signedIn' && next.email !== null && next.keptIn === 'memory'
        ? { email: next.email, tokens }
        : null,
    );
    tell();
  }

  async function keep(email: string, answer: TokenAnswer): Promise<void> {
    const mine = generation;
    const lifeMs = answer.expires_in === undefined ? null : answer.expires_in * 1000;
    const refresh = answer.refresh_token ?? tokens.refresh;
    const isNewRefresh = refresh !== tokens.refresh || state.keptIn !== 'keychain';
    tokens = {
      access: answer.access_token,
      renewAtMs: lifeMs === null ? null : clock.uptimeMs() + Math.max(lifeMs - renewBeforeMs, lifeMs / 2),
      refresh,
    };
    if (refresh !== null && isNewRefresh) {
      // A platform that hands out no refresh token leaves nothing worth keeping.
      const written = await vault.write(refreshTokenName, writeJson({ email, token: refresh }));
      if (mine !== generation) {
        return;
      }
      // An older token of the same user is there still: a keychain that does not take a newer one signs nobody out
      // (S2).
      if (written.ok || marked !== email) {
        saveMark(written.ok ? email : null);
      }
      move({ state: 'signedIn', email, keptIn: written.ok ? 'keychain' : 'memory', failure: null });
      return;
    }
    move({ state: 'signedIn', email, keptIn: refresh === null ? 'memory' : state.keptIn, failure: null });
  }

  async function loadRefreshToken(): Promise<Result<string, Failure>> {
    if (tokens.refresh !== null) {
      return succeed(tokens.refresh);
    }
    if (state.keptIn !== 'keychain') {
      return fail({ kind: 'signInNeeded' });
    }
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
    return entry.success && entry.data.email === state.email
      ? succeed(entry.data.token)
      : fail({ kind: 'signInNeeded' });
  }

  /** The token could not be had: the session has ended when there is none for this user, and else waits. */
  function noteMissing(failure: Failure): void {
    move({ ...state, state: failure.kind === 'signInNeeded' ? 'ended' : state.state, failure });
  }

  async function requestRenewal(): Promise<Result<AccessToken, Failure>> {
    const mine = generation;
    const { email } = state;
    const refresh = await loadRefreshToken();
    if (mine !== generation || email === null) {
      return fail({ kind: 'signInNeeded' });
    }
    if (!refresh.ok) {
      noteMissing(refresh.failure);
      return refresh;
    }
    tokens = { ...tokens, refresh: refresh.value };
    const client = await ports.client();
    if (!client.ok) {
      move({ ...state, failure: client.failure });
      return client;
    }
    const answer = await ports.requestToken(client.value, {
      grant_type: 'refresh_token',
      refresh_token: refresh.value,
    });
    if (mine !== generation) {
      return fail({ kind: 'signInNeeded' });
    }
    if (answer.ok) {
      refusedFor = null;
      await keep(email, answer.value);
      return mine === generation
        ? succeed({ text: answer.value.access_token, user: email })
        : fail({ kind: 'signInNeeded' });
    }
    if (answer.failure.kind === 'credentialsRejected') {
      tokens = { ...noTokens };
      move({ ...state, state: 'ended', failure: answer.failure });
      return fail({ ...answer.failure, kind: 'signInNeeded' });
    }
    return fail(noteUnanswered(answer.failure));
  }

  /**
   * What a renewal failed with that ended nothing. An answer without a token says nothing of the call that wanted it,
   * and so has a kind of its own.
   */
  function noteUnanswered(failure: Failure): Failure {
    if (failure.status === undefined || isNetworkFailure(failure) || failure.kind === 'tooManyRequests') {
      return failure;
    }
    const times = refusedFor?.times ?? 0;
    const pauseMs = backoffMs(times, firstPauseMs, maxPauseMs);
    refusedFor = {
      untilMs: clock.uptimeMs() + pauseMs,
      times: times + 1,
      failure: { ...failure, kind: 'renewalFailed' },
    };
    return refusedFor.failure;
  }

  // S1
  function startRenewal(): Promise<Result<AccessToken, Failure>> {
    if (renewal === null && refusedFor !== null && clock.uptimeMs() < refusedFor.untilMs) {
      return Promise.resolve(fail(refusedFor.failure));
    }
    if (renewal === null) {
      const started = track(requestRenewal()).finally(() => {
        renewal = renewal === started ? null : renewal;
      });
      renewal = started;
    }
    return renewal;
  }

  /** Whatever was known or under way belongs to someone else from now on (S5). */
  function begin(): void {
    generation += 1;
    tokens = { ...noTokens };
    renewal = null;
    refusedFor = null;
  }

  async function signIn(email: string, password: string): Promise<Result<void, Failure>> {
    const client = await ports.client();
    if (!client.ok) {
      return client;
    }
    const mine = generation;
    const attempt = (signIns += 1);
    const answer = await ports.requestToken(client.value, { grant_type: 'password', username: email, password });
    if (mine !== generation || attempt !== signIns) {
      return fail({ kind: 'cancelled' });
    }
    if (!answer.ok) {
      return answer;
    }
    begin();
    if (state.email !== email) {
      // While the keychain takes its time, the new token must not pass for the user before.
      move(signedOut);
    }
    await keep(email, answer.value);
    if (answer.value.refresh_token === undefined) {
      saveMark(null);
    }
    return succeed(undefined);
  }

  async function signOut(): Promise<void> {
    const wasInKeychain = state.keptIn === 'keychain' || marked !== null;
    begin();
    const mine = generation;
    saveMark(null);
    move(signedOut);
    const removed = await vault.remove(refreshTokenName);
    if (!removed.ok && wasInKeychain && mine === generation) {
      ports.onTokenLeft?.();
    }
  }

  return {
    state: () => state,
    user: () => (state.state === 'signedIn' ? state.email : null),
    restore: async (mark) => {
      begin();
      const mine = generation;
      marked = mark.email;
      move({ state: 'signedIn', email: mark.email, keptIn: 'keychain', failure: null });
      const stored = await loadRefreshToken();
      if (mine !== generation) {
        return;
      }
      if (stored.ok) {
        // A renewal may have brought a newer one meanwhile.
        tokens = { ...tokens, refresh: tokens.refresh ?? stored.value };
      } else {
        noteMissing(stored.failure);
      }
    },
    signIn: (email, password) => track(signIn(email, password)),
    signOut: () => track(signOut()),
    forget: () => {
      begin();
      marked = null;
      state = signedOut;
      tell();
    },
    resume: () => {
      const held = ports.slot?.read() ?? null;
      if (held === null) {
        return false;
      }
      begin();
      tokens = held.tokens;
      move({ state: 'signedIn', email: held.email, keptIn: 'memory', failure: null });
      return true;
    },
    accessToken: async () => {
      const { email: user } = state;
      if (state.state !== 'signedIn' || user === null) {
        return fail({ kind: 'signInNeeded' });
      }
      const { access, renewAtMs } = tokens;
      if (access !== null && (renewAtMs === null || clock.uptimeMs() < renewAtMs)) {
        return succeed({ text: access, user });
      }
      const renewed = await startRenewal();
      // A token that is merely about to expire may still serve while its renewal has trouble on the way.
      return !renewed.ok && access !== null && tokens.access === access ? succeed({ text: access, user }) : renewed;
    },
    renew: (refusedToken) => {
      const { email: user } = state;
      if (state.state !== 'signedIn' || user === null) {
        return Promise.resolve(fail({ kind: 'signInNeeded' }));
      }
      return tokens.access !== null && tokens.access !== refusedToken
        ? Promise.resolve(succeed({ text: tokens.access, user }))
        : startRenewal();
    },
    settle: async () => {
      await Promise.allSettled(underWay);
    },
    onChange,
  };
}
