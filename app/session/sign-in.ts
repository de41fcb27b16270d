// One sign-in of one user: its tokens and their renewal; invariants S1, S2 and S5 of session.ts.
import { backoffMs } from '../domain/backoff.ts';
import type { SessionState } from '../contract/terminal-state.ts';
import { isNetworkFailure, type Failure } from '../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { AccessToken } from '../platform/access-token.ts';
import { isOfClient, type TokenAnswer } from '../platform/token-answer.ts';
import type { ClientCredentials, RequestToken } from '../platform/tokens.ts';
import type { Clock } from '../ports.ts';
import type { Tokens } from './memory.ts';

// A token is renewed this long before it expires, or at half of a shorter life.
const renewBeforeMs = 60_000;
// After a renewal that was answered without a token, doubled each time.
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
// A 401 of which nobody knows whose it is must come again twice, over a minute, before it ends a sign-in (S2).
const doubtPauseMs = 30_000;
// mutant: a 401 of unknown origin ends the session the first time (S2)
const doubtsThatEnd = 3;

export const noTokens: Tokens = { access: null, renewAtMs: null, refresh: null };

const nobody = fail<Failure>({ kind: 'signInNeeded' });

export interface SignInPorts {
  readonly clock: Clock;
  readonly requestToken: RequestToken;
  readonly client: () => Promise<Result<ClientCredentials, Failure>>;
  /** The refresh token of this user from the keychain. */
  readonly readKept: (email: string | null) => Promise<Result<string, Failure>>;
  readonly writeKept: (email: string, token: string) => Promise<Result<void, Failure>>;
  /** The keychain has, or has not, taken the token of this user. */
  readonly onWritten: (email: string, isKept: boolean) => void;
  readonly onMove: (state: SessionState, tokens: Tokens) => void;
  /** Hears of all that whoever closes the app must wait for. */
  readonly track: <Value>(work: Promise<Value>) => Promise<Value>;
}

/** When a token that has come now is to be renewed; null when the platform does not tell its life. */
function renewalTime({ expires_in: seconds }: TokenAnswer, nowMs: number): number | null {
  return seconds === undefined ? null : nowMs + Math.max(seconds * 1000 - renewBeforeMs, seconds * 500);
}

/** The renewals of one sign-in: one at a time (S1), and a pause after one that was answered without a token. */
function createRenewal(clock: Clock, request: () => Promise<Result<AccessToken, Failure>>) {
  let underWay: Promise<Result<AccessToken, Failure>> | null = null;
  // The last token that the platform refused.
  let refused: string | null = null;
  let pause: { readonly untilMs: number; readonly times: number; readonly failure: Failure } | null = null;
  let doubts = 0;
  return {
    start: (): Promise<Result<AccessToken, Failure>> => {
      if (underWay === null && pause !== null && clock.uptimeMs() < pause.untilMs) {
        return Promise.resolve(fail(pause.failure));
      }
      // mutant: two refreshes at once (I6)
      underWay ??= request().finally(() => {
        underWay = null;
      });
      return underWay;
    },
    refuse: (token: string): void => {
      refused = token;
    },
    /** The platform has not refused this one. */
    serves: (token: string | null): boolean => token !== null && token !== refused,
    succeeded: (): void => {
      pause = null;
      doubts = 0;
    },
    /**
     * Whether this refusal ends the sign-in: the platform's does, unless it names the client alone, which is nobody's
     * sign-in; so does one of unknown origin that has come often enough.
     */
    isOver: (failure: Failure): boolean => {
      const { kind } = failure;
      doubts += kind === 'unauthorized' ? 1 : 0;
      // mutant: a client secret that was changed ends all sign-ins (S2)
      return (
        !isOfClient(failure) && (kind === 'credentialsRejected' || (kind === 'unauthorized' && doubts >= doubtsThatEnd))
      );
    },
    /**
     * The failure of the request ended nothing (S2). An answer without a token says nothing of the call that wanted it,
     * and so has a kind of its own.
     */
    failed: (failure: Failure): Failure => {
      if (failure.status === undefined || isNetworkFailure(failure) || failure.kind === 'tooManyRequests') {
        return failure;
      }
      const times = pause?.times ?? 0;
      pause = {
        untilMs:
          clock.uptimeMs() +
          (failure.kind === 'unauthorized' ? doubtPauseMs : backoffMs(times, firstPauseMs, maxPauseMs)),
        times: times + 1,
        failure: { ...failure, kind: 'renewalFailed' },
      };
      return pause.failure;
    },
  };
}

/** No token could be had from the keychain: the session has ended when there is none for this user, and else waits. */
function lostBy(failure: Failure, state: SessionState): SessionState {
  return { ...state, state: failure.kind === 'signInNeeded' ? 'ended' : state.state, failure };
}

/** Without a person no token can be had, for this reason; or, without one, one can again. One that serves does so still. */
function stuckBy(failure: Failure | null, state: SessionState, isServed: boolean): SessionState {
  const changes = failure === null ? state.failure !== null : !isServed;
  return state.state === 'signedIn' && changes ? { ...state, failure } : state;
}

/** Where this refresh token is kept from now on; the keychain's word counts unless the sign-in is over by then. */
async function writeRefresh(
  { writeKept, onWritten }: Pick<SignInPorts, 'writeKept' | 'onWritten'>,
  email: string,
  refresh: string | null,
  isOver: () => boolean,
): Promise<'keychain' | 'memory'> {
  if (refresh === null) {
    // A platform that hands out no refresh token leaves nothing worth keeping.
    return 'memory';
  }
  const written = await writeKept(email, refresh);
  if (!isOver()) {
    onWritten(email, written.ok);
  }
  return written.ok ? 'keychain' : 'memory';
}

/** Has the keychain keep what is held, where it does not yet; false where there is nothing to keep. */
async function keepHeld(
  ports: Pick<SignInPorts, 'readKept' | 'writeKept'>,
  email: string | null,
  { keptIn, refresh }: Pick<Tokens, 'refresh'> & Pick<SessionState, 'keptIn'>,
  onKept: (email: string, refresh: string) => void,
): Promise<Result<boolean, Failure>> {
  if (email === null) {
    return nobody;
  }
  if (keptIn === 'keychain') {
    return mapResult(await ports.readKept(email), () => true);
  }
  if (refresh === null) {
    return succeed(false);
  }
  const written = await ports.writeKept(email, refresh);
  if (written.ok) {
    onKept(email, refresh);
  }
  return written.ok ? succeed(true) : fail({ kind: 'vaultUnavailable' });
}

/** The calls that ask for a token: one that serves, or a renewal that all share (S1). */
function createTokenCalls(
  clock: Clock,
  renewal: ReturnType<typeof createRenewal>,
  userNow: () => string | null,
  tokensNow: () => Tokens,
) {
  return {
    accessToken: async (): Promise<Result<AccessToken, Failure>> => {
      const user = userNow();
      const { access, renewAtMs } = tokensNow();
      if (user === null) {
        return nobody;
      }
      if (access !== null && (renewAtMs === null || clock.uptimeMs() < renewAtMs)) {
        return succeed({ text: access, user });
      }
      const renewed = await renewal.start();
      // A token that is merely about to expire may still serve while its renewal has trouble on the way.
      return !renewed.ok && access !== null && tokensNow().access === access
        ? succeed({ text: access, user })
        : renewed;
    },
    renew: (refusedToken: string): Promise<Result<AccessToken, Failure>> => {
      const user = userNow();
      if (user === null) {
        return Promise.resolve(nobody);
      }
      renewal.refuse(refusedToken);
      const { access } = tokensNow();
      return access !== null && access !== refusedToken
        ? Promise.resolve(succeed({ text: access, user }))
        : renewal.start();
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Makes a sign-in in this state, with the tokens that are known of it. */
export function createSignIn(ports: SignInPorts, initial: SessionState, held: Tokens) {
  const renewal = createRenewal(ports.clock, () => ports.track(requestRenewal()));
  let state = initial;
  let tokens = held;
  let isOver = false;

  function move(next: SessionState): void {
    const hasMoved = next !== state;
    state = next;
    if (hasMoved && !isOver) {
      ports.onMove(state, tokens);
    }
  }

  function stick(failure: Failure | null): void {
    move(stuckBy(failure, state, renewal.serves(tokens.access)));
  }

  /** The e-mail of its user; null when nobody is signed in by it, or it has ended. */
  const userNow = (): string | null => (state.state === 'signedIn' ? state.email : null);

  /** Takes over what the platform gave. */
  async function keep(email: string, answer: TokenAnswer): Promise<void> {
    // mutant: a refresh's new refresh token is forgotten (I12)
    const refresh = answer.refresh_token ?? tokens.refresh;
    const isNewRefresh = refresh !== tokens.refresh || state.keptIn !== 'keychain';
    tokens = { access: answer.access_token, renewAtMs: renewalTime(answer, ports.clock.uptimeMs()), refresh };
    const keptIn =
      isNewRefresh || refresh === null ? await writeRefresh(ports, email, refresh, () => isOver) : state.keptIn;
    if (!isOver) {
      move({ state: 'signedIn', email, keptIn, failure: null });
    }
  }

  /** Has the refresh token in memory, from the keychain when it is not there yet. */
  async function load(): Promise<Result<string, Failure>> {
    if (tokens.refresh !== null) {
      return succeed(tokens.refresh);
    }
    const found = state.keptIn === 'keychain' ? await ports.readKept(state.email) : nobody;
    if (isOver) {
      return nobody;
    }
    if (found.ok) {
      // A renewal may have brought a newer one meanwhile.
      tokens = { ...tokens, refresh: tokens.refresh ?? found.value };
      stick(null);
    } else {
      move(lostBy(found.failure, state));
    }
    return found;
  }

  async function requestRenewal(): Promise<Result<AccessToken, Failure>> {
    const { email } = state;
    const refresh = await load();
    if (isOver || email === null) {
      return nobody;
    }
    if (!refresh.ok) {
      return refresh;
    }
    const client = await ports.client();
    if (!client.ok) {
      stick(client.failure);
      return client;
    }
    if (state.failure === null || !isOfClient(state.failure)) {
      stick(null);
    }
    const grant = { grant_type: 'refresh_token', refresh_token: refresh.value } as const;
    const answer = await ports.requestToken(client.value, grant);
    if (isOver) {
      return nobody;
    }
    if (answer.ok) {
      renewal.succeeded();
      await keep(email, answer.value);
      return isOver ? nobody : succeed({ text: answer.value.access_token, user: email });
    }
    // mutant: any trouble with a refresh ends the sign-in (I12)
    if (renewal.isOver(answer.failure)) {
      tokens = noTokens;
      move({ ...state, state: 'ended', failure: { ...answer.failure, kind: 'credentialsRejected' } });
      return fail({ ...answer.failure, kind: 'signInNeeded' });
    }
    if (isOfClient(answer.failure)) {
      stick(answer.failure);
    }
    return fail(renewal.failed(answer.failure));
  }

  return {
    state: (): SessionState => state,
    user: userNow,
    keep,
    keepNow: (): Promise<Result<boolean, Failure>> =>
      keepHeld(ports, userNow(), { refresh: tokens.refresh, keptIn: state.keptIn }, (email, refresh) => {
        // A renewal that came meanwhile has written a newer one, and knows better.
        if (!isOver && tokens.refresh === refresh) {
          ports.onWritten(email, true);
          move({ ...state, keptIn: 'keychain' });
        }
      }),
    load,
    ...createTokenCalls(ports.clock, renewal, userNow, () => tokens),
    /** Another has begun: whatever is under way changes nothing any more (S5). */
    drop: (): void => {
      isOver = true;
      tokens = noTokens;
    },
  };
}
