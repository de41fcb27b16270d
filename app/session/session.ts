// Who is signed in, and the tokens (API v3 §5; RFC 6749 §6). The refresh token is in the keychain, the access token in
// memory alone. What belongs to one sign-in lies in sign-in.ts.
//
//   signedOut ──signIn──▶ signedIn ──refused refresh──▶ ended ──signIn──▶ signedIn
//       ▲                    │ signOut                    │ signOut
//       └────────────────────┴────────────────────────────┘
//
// Invariants, cited by the tests:
//   S1  At most one renewal of a sign-in is under way, however many calls wait for it.
//   S2  Only an answer that names the grant, the client or the user, or an open keychain without the entry, ends a
//       session, or a 401 of unknown origin that comes again twice over a minute; trouble on the way, any other answer or a locked keychain never does: the refresh token is kept, and a
//       renewal that was answered without a token is tried again after a pause.
//   S3  No token, password or client secret leaves this folder but in the call that needs it.
//   S4  A refresh token serves the user who signed in with it and nobody else, even when the mark is older than the
//       token.
//   S5  What an earlier sign-in was still waiting for, its keychain included, changes nothing of a later one.
//   S6  Whoever closes the app waits until the keychain has kept what the platform gave: rotation may have ended the
//       older token already.
//   S7  A user who is kept has an entry of their own, and none of theirs is lost when another comes: what was under way
//       for them goes on, and ends there.
// It never sends a call other than for tokens.
import { z } from 'zod';
import type { SessionState } from '../contract/terminal-state.ts';
import type { Failure } from '../domain/failure.ts';
import { parseJson, writeJson } from '../domain/json.ts';
import { createListeners } from '../domain/listeners.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { AccessToken } from '../platform/access-token.ts';
import type { Vault } from '../ports.ts';
import { clientSecretName } from './client-secret.ts';
import type { SignInSlot, Tokens } from './memory.ts';
import { createSignIn, noTokens, type SignIn, type SignInPorts } from './sign-in.ts';

export const refreshTokenName = 'refresh-token';
/** The same for a user whose sign-in is kept beside others'. */
export const ownTokenName = (email: string): string => `${refreshTokenName} ${email.toLowerCase()}`;
/** What the keychain holds: the token, and whose it is. */
const entrySchema = z.object({ email: z.string(), token: z.string().min(1) });

/** What survives a restart beside the keychain: who was signed in. It also says that the keychain must hold a token. */
export interface SessionMark {
  readonly email: string;
}

export interface SessionPorts extends Pick<SignInPorts, 'clock' | 'requestToken' | 'client'> {
  readonly vault: Vault;
  readonly saveMark: (mark: SessionMark | null) => void;
  /** Whoever signed out has a token in the keychain still, which did not remove this entry. */
  readonly onTokenLeft?: (name: string) => void;
  /** Whether the sign-in of this user outlives that of another (S7). */
  readonly isKept?: (email: string) => boolean;
  /** This user signed out, or the platform refused their token. */
  readonly onOver?: (email: string) => void;
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
  /** Goes on with the kept sign-in of this user, in the place of any other. Fails with `signInNeeded`. */
  change(email: string): Result<void, Failure>;
  /**
   * Has the keychain keep the sign-in, where it does not yet. False where the platform gave nothing to keep. Fails with
   * `vaultLocked`, `vaultUnavailable` or `signInNeeded`.
   */
  keepNow(): Promise<Result<boolean, Failure>>;
  /** Moves the token of whoever is signed in to an entry of their own. Fails with `vaultUnavailable`, or `signInNeeded`. */
  keepApart(): Promise<Result<void, Failure>>;
  /** The keychain's entry for whoever is signed in. */
  entry(): string;
  /** Forgets the kept sign-in of a user who is not signed in now. */
  release(email: string): Promise<void>;
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

/** Whether the keychain has no such entry: one that is open answers the client secret, before and after. */
async function isMissing(vault: Vault, name: string): Promise<boolean> {
  const secretBefore = await vault.read(clientSecretName);
  const entry = await vault.read(name);
  const secretAfter = await vault.read(clientSecretName);
  const hasSecret = (read: Result<string | null, Failure>): boolean => read.ok && read.value !== null;
  return hasSecret(secretBefore) && entry.ok && entry.value === null && hasSecret(secretAfter);
}

/** The token of this user in one entry of the keychain, which must be there. */
async function readEntry(vault: Vault, name: string, email: string | null): Promise<Result<string, Failure>> {
  const stored = await vault.read(name);
  if (!stored.ok) {
    return stored;
  }
  // The mark says that there is an entry: an empty answer means that the keychain is locked (S2), or that the mark
  // could not be changed when the entry was removed.
  if (stored.value === null) {
    return fail({ kind: (await isMissing(vault, name)) ? 'signInNeeded' : 'vaultLocked' });
  }
  // S4. A mark that could not be written, on a full disk say, still names the user before.
  const entry = entrySchema.safeParse(parseJson(stored.value));
  return entry.success && entry.data.email === email ? succeed(entry.data.token) : fail({ kind: 'signInNeeded' });
}

const isSameUser = (one: string | null, other: string | null): boolean => one?.toLowerCase() === other?.toLowerCase();

/** The keychain's entries: one that all share, and one for each who is kept (S7). */
function createEntries({ vault, isKept, onTokenLeft }: Pick<SessionPorts, 'vault' | 'isKept' | 'onTokenLeft'>) {
  const keeps = (email: string | null): email is string => email !== null && isKept?.(email) === true;
  const nameOf = (email: string | null): string => (keeps(email) ? ownTokenName(email) : refreshTokenName);
  return {
    keeps,
    nameOf,
    read: async (email: string | null): Promise<Result<string, Failure>> => {
      const found = await readEntry(vault, nameOf(email), email);
      if (found.ok || found.failure.kind === 'vaultUnavailable' || !keeps(email)) {
        return found;
      }
      // The app ended before the token of a user who is kept was moved.
      const shared = await readEntry(vault, refreshTokenName, email);
      return shared.ok ? shared : found;
    },
    write: (email: string, token: string) => vault.write(nameOf(email), writeJson({ email, token })),
    remove: async (name: string): Promise<void> => {
      const removed = await vault.remove(name);
      if (!removed.ok) {
        onTokenLeft?.(name);
      }
    },
  };
}

type Entries = ReturnType<typeof createEntries>;

/** Whose sign-in it is now, and those that wait for their user's return (S7). Begins with nobody's. */
function createSignIns(
  ports: SessionPorts,
  entries: Entries,
  now: Pick<SignInPorts, 'onMove' | 'onWritten' | 'track'>,
) {
  const aside = new Map<string, SignIn>();

  function make(state: SessionState, tokens: Tokens): SignIn {
    const made: SignIn = createSignIn(
      {
        ...ports,
        readKept: entries.read,
        writeKept: entries.write,
        onWritten: (email, isWritten) => {
          if (made === current) {
            now.onWritten(email, isWritten);
          }
        },
        onMove: (next, held) => {
          if (next.state === 'ended' && next.email !== null) {
            ports.onOver?.(next.email);
          }
          if (made === current) {
            now.onMove(next, held);
          }
        },
        track: now.track,
      },
      state,
      tokens,
    );
    return made;
  }
  let current = make(signedOut, noTokens);

  function putAside(next: string | null): void {
    const leaving = current.user();
    if (entries.keeps(leaving) && !isSameUser(leaving, next)) {
      aside.set(ownTokenName(leaving), current);
    } else {
      current.drop();
    }
  }

  return {
    current: (): SignIn => current,
    /** Whatever was known or under way belongs to someone else from now on (S5), or waits for its user's return. */
    begin: (state: SessionState, tokens: Tokens = noTokens): SignIn => {
      putAside(state.email);
      current = make(state, tokens);
      return current;
    },
    end: (): void => {
      current.drop();
      current = make(signedOut, noTokens);
    },
    waiting: (email: string): SignIn | undefined => aside.get(ownTokenName(email)),
    bringBack: (kept: SignIn, email: string): void => {
      aside.delete(ownTokenName(email));
      putAside(email);
      current = kept;
    },
    dropWaiting: (email: string): void => {
      aside.get(ownTokenName(email))?.drop();
      aside.delete(ownTokenName(email));
    },
  };
}

interface KeepingParts {
  readonly ports: SessionPorts;
  readonly track: SignInPorts['track'];
  readonly saveMark: (email: string | null) => void;
  readonly tell: () => void;
}

/** What is done with the sign-ins that are kept beside each other (S7). */
function createKeeping(
  entries: Entries,
  { current, begin, waiting, bringBack, dropWaiting }: Omit<ReturnType<typeof createSignIns>, 'end'>,
  { ports, track, saveMark, tell }: KeepingParts,
): Pick<Session, 'change' | 'keepApart' | 'entry' | 'release'> {
  /** A newer token may come while the older one is written. */
  async function moveToOwn(): Promise<Result<void, Failure>> {
    const mine = current();
    const { email, keptIn } = mine.state();
    if (email === null || keptIn !== 'keychain') {
      return fail({ kind: 'vaultUnavailable' });
    }
    const token = await mine.load();
    if (!token.ok) {
      return token;
    }
    const written = await entries.write(email, token.value);
    const now = await mine.load();
    if (!written.ok || !now.ok) {
      return written.ok ? fail({ kind: 'signInNeeded' }) : written;
    }
    if (now.value !== token.value) {
      return moveToOwn();
    }
    await entries.remove(refreshTokenName);
    return succeed(undefined);
  }

  return {
    change: (email) => {
      const leaving = current().user();
      if (isSameUser(leaving, email)) {
        return succeed(undefined);
      }
      const kept = waiting(email);
      if (!entries.keeps(email) || kept?.user() === null) {
        return fail({ kind: 'signInNeeded' });
      }
      if (kept === undefined) {
        void track(begin({ state: 'signedIn', email, keptIn: 'keychain', failure: null }).load());
      } else {
        bringBack(kept, email);
      }
      saveMark(current().state().keptIn === 'keychain' ? email : null);
      ports.slot?.write(null);
      tell();
      if (leaving !== null && !entries.keeps(leaving)) {
        // As if they had signed out: nobody can come back to it.
        void track(entries.remove(refreshTokenName));
      }
      return succeed(undefined);
    },
    entry: () => entries.nameOf(current().state().email),
    keepApart: () => track(moveToOwn()),
    release: async (email) => {
      dropWaiting(email);
      ports.onOver?.(email);
      await track(entries.remove(ownTokenName(email)));
    },
  };
}

/** Makes a session in which nobody is signed in. */
export function createSession(ports: SessionPorts): Session {
  const { add: onChange, emit: tell } = createListeners();
  // Rises with each attempt to sign in: only the newest may succeed.
  let attempts = 0;
  // Whose token the keychain holds, as far as the mark says.
  let marked: string | null = null;
  const underWay = new Set<Promise<unknown>>();
  const entries = createEntries(ports);

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

  const onWritten = (email: string, isWritten: boolean): void => {
    // An older token of the same user is there still: a keychain that does not take a newer one signs nobody out (S2).
    if (isWritten || marked !== email) {
      saveMark(isWritten ? email : null);
    }
  };
  const { current, begin, end, waiting, bringBack, dropWaiting } = createSignIns(ports, entries, {
    onMove,
    onWritten,
    track,
  });

  async function signIn(email: string, password: string): Promise<Result<void, Failure>> {
    const client = await ports.client();
    if (!client.ok) {
      return client;
    }
    const before = current();
    const attempt = (attempts += 1);
    const answer = await ports.requestToken(client.value, { grant_type: 'password', username: email, password });
    if (before !== current() || attempt !== attempts) {
      return fail({ kind: 'cancelled' });
    }
    if (!answer.ok) {
      return answer;
    }
    const isAgain = before.state().email === email;
    const signedIn = begin(isAgain ? before.state() : signedOut);
    dropWaiting(email);
    if (!isAgain) {
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
    const { email, keptIn } = current().state();
    const wasInKeychain = keptIn === 'keychain' || marked !== null;
    const name = entries.nameOf(email ?? marked);
    end();
    saveMark(null);
    if (email !== null) {
      ports.onOver?.(email);
    }
    onMove(signedOut, noTokens);
    const mine = current();
    const removed = await ports.vault.remove(name);
    if (!removed.ok && wasInKeychain && mine === current()) {
      ports.onTokenLeft?.(name);
    }
  }

  return {
    ...createKeeping(entries, { current, begin, waiting, bringBack, dropWaiting }, { track, saveMark, tell, ports }),
    state: () => current().state(),
    user: () => current().user(),
    restore: async ({ email }) => {
      marked = email;
      const restored = begin({ state: 'signedIn', email, keptIn: 'keychain', failure: null });
      onMove(restored.state(), noTokens);
      await restored.load();
    },
    signIn: (email, password) => track(signIn(email, password)),
    signOut: () => track(signOut()),
    keepNow: () => track(current().keepNow()),
    forget: () => {
      end();
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
    accessToken: () => current().accessToken(),
    renew: (refusedToken) => current().renew(refusedToken),
    settle: async () => {
      await Promise.allSettled(underWay);
    },
    onChange,
  };
}
