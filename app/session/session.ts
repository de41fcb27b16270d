// Who is signed in, and the tokens (API v3 §5; RFC 6749 §6). The refresh token is in the keychain, the access token in
// memory alone. What belongs to one sign-in lies in sign-in.ts.
//
// The problem: access tokens expire, a renewal may replace the refresh token as well, and a 401 does not say whose it
// is. Why the plain ways fail:
// - Where each call that meets a 401 renews for itself, the second renewal shows a refresh token that the first has
//   ended, and the platform ends the session.
// - To sign out at each renewal that fails signs people out at every outage, captive portal and proxy error.
// - A new refresh token that is kept after its first use is lost when the process dies in between.
// - A renewal that is under way when somebody else signs in hands the token to the wrong user.
//
//   signedOut ──signIn──▶ signedIn ──refused refresh──▶ ended ──signIn──▶ signedIn
//       ▲                    │ signOut                    │ signOut
//       └────────────────────┴────────────────────────────┘
//
// Invariants, cited by the tests:
//   S1  At most one renewal of a sign-in is under way, however many calls wait for it.
//   S2  Only an answer that names the grant or the user, or an open keychain without the entry, ends a
//       session, or a 401 of unknown origin that comes again twice over a minute; trouble on the way, any other answer
//       or a locked keychain never does: the refresh token is kept, and a renewal that was answered without a token is
//       tried again after a pause.
//   S3  No token, password or client secret leaves this folder but in the call that needs it.
//   S4  A refresh token serves the user who signed in with it and nobody else, even when the mark is older than the
//       token.
//   S5  What an earlier sign-in was still waiting for, its keychain included, changes nothing of a later one, nor of a
//       user who has come back meanwhile.
//   S6  Whoever closes the app waits until the keychain has kept what the platform gave: rotation may have ended the
//       older token already.
//   S7  A user who is kept has an entry of their own, and none of theirs is lost when another comes: what was under way
//       for them goes on, and ends there. Who signs out leaves no token in the keychain, in the shared entry neither; nor
//       does who is not kept when another comes. What an end cuts off there is done at the next start.
//   S8  A user has one sign-in here at most: the one that was used while another was at the screen is the one that they
//       come back to, so that no renewal of theirs is lost between two.
//   S9  Whose sign-out a full disk has not noted is nobody at the next start: the keychain says so in the token's place.
// It never sends a call other than for tokens.
import { signedOut, type SessionState } from '../contract/terminal-state.ts';
import type { Failure } from '../domain/failure.ts';
import { createListeners } from '../domain/listeners.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { isSameUser } from '../domain/same-user.ts';
import type { AccessToken } from '../platform/access-token.ts';
import type { TokenSource } from '../platform/client.ts';
import {
  createEntries,
  ownTokenName,
  refreshTokenName,
  removeTokens,
  type Entries,
  type EntryPorts,
} from './entries.ts';
import type { SignInSlot, Tokens } from './memory.ts';
import { createSignIn, noTokens, type SignIn, type SignInPorts } from './sign-in.ts';

/** The mark that survives a restart: who was signed in, and that the keychain must hold a token. */
export interface SessionMark {
  readonly email: string;
}

export interface SessionPorts extends Pick<SignInPorts, 'clock' | 'requestToken' | 'client'>, EntryPorts {
  /** Fails where the next start will find the mark of before. */
  readonly saveMark: (mark: SessionMark | null) => Result<void, Failure>;
  /** Whose kept sign-ins may be used, whoever is signed in. */
  readonly keptUsers?: () => readonly string[];
  /** Whether this user, who is signed in, must give the password before anything of theirs is sent. */
  readonly needsPassword?: (email: string) => boolean;
  /** This user signed out, or the platform refused their token. */
  readonly onOver?: (email: string) => void;
  /** Where a sign-in that no keychain keeps outlives this session while the app runs; nowhere when absent. */
  readonly slot?: SignInSlot;
}

/** The sign-in of one user, whoever comes to the screen meanwhile. */
export interface BoundSignIn extends TokenSource {
  readonly email: string;
  /** Whether a person is needed before it gives a token: the keychain is locked, say. */
  readonly isStuck: () => boolean;
}

export interface Session {
  state(): SessionState;
  /** The e-mail of whoever is signed in, or null when nobody is or the session has ended. */
  user(): string | null;
  /**
   * Under which sign-ins what waits goes out: that of whoever is signed in first, even when it has ended, unless the
   * password is needed first; then those that are kept.
   */
  signIns(): readonly BoundSignIn[];
  /** Finds the token of an earlier run. */
  restore(mark: SessionMark): Promise<void>;
  /** Fails with `credentialsRejected`, `cancelled` where somebody came meanwhile, or as the network did. Tries once. */
  signIn(email: string, password: string): Promise<Result<void, Failure>>;
  signOut(): Promise<void>;
  /** Another number once somebody has come, tried to sign in or signed out, the same user too. */
  readonly arrivals: () => number;
  /**
   * Goes on with the kept sign-in of this user, in the place of any other; an attempt to sign in is over. Fails with
   * `signInNeeded`.
   */
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

/** Whose sign-in it is now, and those that wait for their user's return (S7). Begins with nobody's. */
function createSignIns(
  ports: SessionPorts,
  entries: Entries,
  now: Pick<SignInPorts, 'onMove' | 'onWritten' | 'track'> & { readonly onMoveAside: () => void },
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
          } else {
            now.onMoveAside();
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

  function dropWaiting(email: string): void {
    aside.get(ownTokenName(email))?.drop();
    aside.delete(ownTokenName(email));
  }

  function putAside(next: string | null): void {
    const leaving = current.user();
    if (entries.keeps(leaving) && !isSameUser(leaving, next)) {
      dropWaiting(leaving);
      aside.set(ownTokenName(leaving), current);
    } else {
      current.drop();
    }
  }

  /** Whatever was known or under way belongs to someone else from now on (S5), or waits for its user's return. */
  function begin(state: SessionState, tokens: Tokens = noTokens): SignIn {
    putAside(state.email);
    current = make(state, tokens);
    return current;
  }

  return {
    current: (): SignIn => current,
    begin,
    end: (): void => {
      current.drop();
      current = make(signedOut, noTokens);
    },
    waiting: (email: string): SignIn | undefined => aside.get(ownTokenName(email)),
    /** Goes on with the one that waits for this user, or as the keychain has it (S8). */
    comeTo: (email: string): SignIn => {
      const kept = aside.get(ownTokenName(email));
      // mutant: a sign-in that was used beside another is opened a second time when its user comes (S8)
      if (kept === undefined || kept.user() === null) {
        return begin({ state: 'signedIn', email, keptIn: 'keychain', failure: null });
      }
      aside.delete(ownTokenName(email));
      putAside(email);
      current = kept;
      return kept;
    },
    dropWaiting,
    /** One that nobody has come back to since the start is found in the keychain once it is used. */
    keptAside: (email: string): SignIn => {
      const name = ownTokenName(email);
      const kept = aside.get(name) ?? make({ state: 'signedIn', email, keptIn: 'keychain', failure: null }, noTokens);
      aside.set(name, kept);
      return kept;
    },
  };
}

interface KeepingParts {
  readonly ports: SessionPorts;
  readonly trying: Pick<ReturnType<typeof createSigningIn>, 'arriving' | 'end'>;
  readonly isSharedTaken: () => boolean;
  readonly track: SignInPorts['track'];
  readonly moveMark: (email: string | null, arriving: string | null) => boolean;
  readonly notify: () => void;
}

/** A renewal whose token the keychain did not take is good for this run alone: it is given to it again. */
async function keepAgain(one: SignIn): Promise<void> {
  // mutant: a renewal beside that the keychain did not take is lost at the end of the run (S8)
  if (one.user() !== null && one.state().keptIn === 'memory') {
    await one.keepNow();
  }
}

/** The work on the sign-ins that are kept beside each other (S7). */
function createKeeping(
  entries: Entries,
  {
    current,
    waiting,
    comeTo,
    dropWaiting,
  }: Pick<ReturnType<typeof createSignIns>, 'current' | 'waiting' | 'comeTo' | 'dropWaiting'>,
  { ports, trying, isSharedTaken, track, moveMark, notify }: KeepingParts,
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
    if (!isSharedTaken()) {
      await entries.remove(refreshTokenName);
    }
    return succeed(undefined);
  }

  return {
    change: (email) => {
      const leaving = current().user();
      const isHere = isSameUser(leaving, email);
      if (!isHere && (!entries.keeps(email) || waiting(email)?.user() === null)) {
        return fail({ kind: 'signInNeeded' });
      }
      // mutant: a sign-in that is answered late takes the screen from who has come back meanwhile (S5)
      trying.end();
      if (isHere) {
        return succeed(undefined);
      }
      const arriving = trying.arriving();
      const come = comeTo(email);
      // Also where it was looked for in vain, or not yet.
      void track(come.load().then(() => keepAgain(come)));
      moveMark(current().state().keptIn === 'keychain' ? email : null, arriving);
      ports.slot?.write(null);
      notify();
      return succeed(undefined);
    },
    entry: () => entries.nameOf(current().state().email),
    keepApart: () => track(moveToOwn()),
    release: async (email) => {
      dropWaiting(email);
      ports.onOver?.(email);
      notify();
      const left = await track(removeTokens(ports.vault, email, true, isSharedTaken));
      left.forEach((name) => ports.onTokenLeft?.(name));
    },
  };
}

/** Makes what binds calls to one user's sign-in, whoever comes; `arriving` is whose new token is being kept. */
function createBinding(
  { keptUsers = () => [], needsPassword = () => false }: Pick<SessionPorts, 'keptUsers' | 'needsPassword'>,
  { current, waiting, keptAside }: Pick<ReturnType<typeof createSignIns>, 'current' | 'waiting' | 'keptAside'>,
  track: SignInPorts['track'],
  arriving: () => string | null,
): () => readonly BoundSignIn[] {
  const mayUse = (email: string): boolean =>
    keptUsers().some((one) => isSameUser(one, email)) && !isSameUser(email, arriving());

  function bind(email: string, own: SignIn): BoundSignIn {
    // mutant: what waits for the password goes out all the same (C6)
    const isHere = (): boolean => (own === current() ? !needsPassword(email) : waiting(email) === own && mayUse(email));
    return {
      email,
      user: () => (isHere() ? own.user() : null),
      isStuck: () => own.state().failure !== null,
      accessToken: () => {
        if (!isHere()) {
          return Promise.resolve(fail({ kind: 'userChanged' }));
        }
        if (own !== current()) {
          void track(keepAgain(own));
        }
        return own.accessToken();
      },
      renew: own.renew,
    };
  }

  return () => {
    const { email } = current().state();
    const kept = keptUsers()
      .filter((one) => !isSameUser(one, email) && mayUse(one))
      .map((one) => bind(one, keptAside(one)))
      .filter((one) => one.user() !== null);
    return email === null || needsPassword(email) ? kept : [bind(email, current()), ...kept];
  };
}

/** Makes what tries to sign in: one after another, of which the newest alone may succeed. */
function createSigningIn(
  ports: Pick<SessionPorts, 'client' | 'requestToken'>,
  { current, begin, dropWaiting }: Pick<ReturnType<typeof createSignIns>, 'current' | 'begin' | 'dropWaiting'>,
  onMove: SignInPorts['onMove'],
  {
    dropMark,
    overtake,
  }: {
    readonly dropMark: () => void;
    /** Somebody comes while the token of this user is on its way into the keychain. */
    readonly overtake: (email: string) => void;
  },
) {
  // Rises with each attempt, and with whoever comes or goes.
  let count = 0;
  // Whose new token is being kept: nobody else may look for the older one meanwhile (S8).
  let arriving: { readonly email: string } | null = null;
  let newest = new AbortController();

  /** Nobody who is trying to sign in will succeed any more, nor wait for a slot, which all others would wait behind. */
  function end(): void {
    count += 1;
    newest.abort();
    newest = new AbortController();
  }

  async function signIn(email: string, password: string): Promise<Result<void, Failure>> {
    const before = current();
    end();
    const [attempt, { signal }] = [count, newest];
    const client = await ports.client();
    if (!client.ok) {
      return client;
    }
    const grant = { grant_type: 'password', username: email, password } as const;
    const answer = await ports.requestToken(client.value, grant, signal);
    if (before !== current() || attempt !== count) {
      return fail({ kind: 'cancelled' });
    }
    if (!answer.ok) {
      return answer;
    }
    const isAgain = before.state().email === email;
    const signedIn = begin(isAgain ? before.state() : signedOut);
    dropWaiting(email);
    if (arriving !== null) {
      overtake(arriving.email);
    }
    const mine = { email };
    // mutant: the older token of who signs in again is looked for while the newer one is being kept (S8)
    arriving = mine;
    if (!isAgain) {
      // While the keychain takes its time, the new token must not pass for the user before.
      onMove(signedOut, noTokens);
    }
    await signedIn.keep(email, answer.value);
    arriving = arriving === mine ? null : arriving;
    if (attempt !== count) {
      return fail({ kind: 'cancelled' });
    }
    if (answer.value.refresh_token === undefined) {
      dropMark();
    }
    return succeed(undefined);
  }

  return { signIn, count: (): number => count, arriving: (): string | null => arriving?.email ?? null, end };
}

/** Makes a session in which nobody is signed in. */
export function createSession(ports: SessionPorts): Session {
  const { add: onChange, emit: notify } = createListeners();
  // Whose token the keychain holds, as far as the mark says.
  let marked: string | null = null;
  // Whose may lie in the shared entry all the same: they were given up while it was on its way there.
  let overtaken: string | null = null;
  const underWay = new Set<Promise<unknown>>();
  const entries = createEntries(ports);

  // S6
  function track<Value>(work: Promise<Value>): Promise<Value> {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  function saveMark(email: string | null): boolean {
    [marked, overtaken] = [email, null];
    return ports.saveMark(email === null ? null : { email }).ok;
  }

  /** S7: to who has an entry of their own, or to nobody: the token of who has none goes, also one that is being kept. */
  function moveMark(email: string | null, arriving: string | null = null): boolean {
    const isLeft = [marked, arriving, overtaken].some((one) => one !== null && !entries.keeps(one));
    const isNoted = saveMark(email);
    if (isLeft && (email === null || entries.keeps(email))) {
      // mutant: what a full disk has noted takes the place of a token that comes meanwhile (S9)
      void track(isNoted ? entries.remove(refreshTokenName) : entries.replaceByOver(refreshTokenName));
    }
    return isNoted;
  }

  function onMove({ state, email, keptIn }: SessionState, tokens: Tokens): void {
    ports.slot?.write(state === 'signedIn' && email !== null && keptIn === 'memory' ? { email, tokens } : null);
    notify();
  }

  const onWritten = (email: string, isWritten: boolean): void => {
    // An older token of the same user is there still: a keychain that does not take a newer one signs nobody out (S2).
    if (isWritten || overtaken !== null || !isSameUser(marked, email)) {
      moveMark(isWritten ? email : null);
    }
  };
  const all = createSignIns(ports, entries, { onMove, onMoveAside: notify, onWritten, track });
  const { current, begin, end, comeTo, dropWaiting } = all;
  const trying = createSigningIn(ports, all, onMove, {
    dropMark: () => moveMark(null),
    overtake: (email) => {
      // Theirs stays where it is, and says nothing of the shared entry.
      if (!entries.keeps(email) && !isSameUser(marked, email)) overtaken = email;
    },
  });

  /** The token of who has come meanwhile, and has none of their own, takes the place of whose was there. */
  function isSharedTaken(): boolean {
    const here = trying.arriving() ?? current().user();
    return here !== null && !entries.keeps(here);
  }

  async function signOut(): Promise<void> {
    const { email, keptIn } = current().state();
    const wasInKeychain = keptIn === 'keychain' || [marked, trying.arriving()].some((one) => one !== null);
    const removing = email ?? trying.arriving() ?? marked;
    const [isKept, entry] = [entries.keeps(removing), entries.nameOf(removing)];
    end();
    trying.end();
    // Who has none of their own has the shared one, which goes below.
    const isNoted = isKept ? moveMark(null) : saveMark(null);
    // mutant: who signs out while their new token is being kept is thought to have one (S9)
    if (removing !== null) {
      ports.onOver?.(removing);
    }
    onMove(signedOut, noTokens);
    const mine = current();
    const left = await removeTokens(ports.vault, removing, isKept, isSharedTaken);
    if (!isNoted && mine === current()) {
      await entries.noteOver(entry);
    }
    if (wasInKeychain) {
      left.forEach((name) => ports.onTokenLeft?.(name));
    }
  }

  return {
    ...createKeeping(entries, all, { ports, trying, isSharedTaken, track, moveMark, notify }),
    state: () => current().state(),
    user: () => current().user(),
    signIns: createBinding(ports, all, track, trying.arriving),
    restore: async ({ email }) => {
      marked = email;
      const come = comeTo(email);
      onMove(come.state(), noTokens);
      await come.load();
      if (come.state().state === 'ended' && (await entries.isOver(email)) && come === current()) {
        await track(signOut());
      }
    },
    signIn: (email, password) => track(trying.signIn(email, password)),
    signOut: () => track(signOut()),
    arrivals: trying.count,
    keepNow: () => track(current().keepNow()),
    forget: () => {
      end();
      trying.end();
      marked = null;
      notify();
    },
    resume: () => {
      const held = ports.slot?.read() ?? null;
      if (held === null) {
        return false;
      }
      dropWaiting(held.email);
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
