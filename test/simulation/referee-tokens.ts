// The referee's sign-ins: users, the two grants, rotation, expiry and revocation (API v3 §4.1, §5; RFC 6749 §6).
import type { SeededRandom } from '../support/seeded-random.ts';

/** Every secret of a simulated world begins with this, so that a leak is found by one search. */
export const secretMark = 'HUSH-';

export interface TokenRules {
  readonly lifeMs: number;
  /** Whether answers carry `expires_in`; the document does not say. */
  readonly statesExpiry: boolean;
  /** The refresh token in the answer to a refresh: a new one each time, the same again, or none. */
  readonly refreshToken: 'rotated' | 'repeated' | 'silent';
  /**
   * How a grant is refused: RFC 6749 §5.2 names it, API v3 §5 rule 6 gives 401, §7 a code or the field of a validation
   * error.
   */
  readonly refusal: 'oauth' | 'status' | 'code' | 'field';
  /**
   * The effect of an idempotency key on a token request: none; it must be there; or the first answer to it is given
   * again (API v3 §8 rules 1, 3 and 4).
   */
  readonly keys: 'ignored' | 'demanded' | 'replayed';
  /** Whether a sign-in ends those of everybody else at this client; the document does not say. */
  readonly sessions: 'many' | 'one';
}

/** The status and the body of a refused grant. */
export function refusalOf({ refusal }: TokenRules): { readonly status: number; readonly body: string } {
  switch (refusal) {
    case 'oauth':
      return { status: 400, body: '{"error":"invalid_grant"}' };
    case 'status':
      return { status: 401, body: '' };
    case 'code':
      return { status: 403, body: '{"code":"unauthorized"}' };
    case 'field':
      return {
        status: 422,
        body: '{"code":"unprocessable_entity","meta":[{"field":"refresh_token","validations":[{"type":"exists","value":[]}]}]}',
      };
  }
}

export interface UserAccount {
  readonly email: string;
  readonly password: string;
}

export interface RefereeTokens {
  /** Answers the body of a token answer, or null when the grant is refused; `key` is the request's idempotency key. */
  grant(request: unknown, key: string | null): string | null;
  /** Whose token this is, or null when it is unknown, expired or revoked. */
  userOf(authorization: string | undefined): string | null;
  /** Whose token this is or was, however long ago. */
  ownerOf(authorization: string | undefined): string | null;
  /** The client that this token was given to; null when it is unknown. */
  clientOf(authorization: string | undefined): string | null;
  /** Whose password or refresh token this body of a token request carries; null for any other. */
  asksFor(body: string): string | null;
  /** All access tokens end now; refresh tokens stay good. */
  expireAll(): void;
  /** All refresh tokens end now, too: everybody must sign in again. */
  revokeAll(): void;
  /** Whose sign-in somebody else's has ended, and when. */
  readonly overtaken: readonly { readonly email: string; readonly atMs: number }[];
}

interface Owner {
  readonly email: string;
  readonly client: string;
}

interface AccessToken extends Owner {
  readonly expiresAtMs: number;
}

function textOf(request: object, name: string): string {
  const value: unknown = Reflect.get(request, name);
  return typeof value === 'string' ? value : '';
}

export function createRefereeTokens(
  nowMs: () => number,
  random: SeededRandom,
  rules: TokenRules,
  accounts: {
    readonly clientIds: readonly string[];
    readonly clientSecret: string;
    readonly users: readonly UserAccount[];
  },
): RefereeTokens {
  let access = new Map<string, AccessToken>();
  let refresh = new Map<string, Owner>();
  const owners = new Map<string, Owner>();
  const refreshOwners = new Map<string, string>();
  let answers = new Map<string, string | null>();
  const overtaken: { readonly email: string; readonly atMs: number }[] = [];

  function endOthers({ email, client }: Owner): void {
    const stays = (one: Owner): boolean => one.email === email || one.client !== client;
    for (const other of new Set([...refresh.values()].filter((one) => !stays(one)).map((one) => one.email))) {
      overtaken.push({ email: other, atMs: nowMs() });
    }
    access = new Map([...access].filter(([, token]) => stays(token)));
    refresh = new Map([...refresh].filter(([, one]) => stays(one)));
    answers = new Map(
      [...answers].filter(([, answered]) => [...refresh.keys()].some((token) => answered?.includes(token))),
    );
  }

  function tokenOf(authorization: string | undefined): string {
    return (authorization ?? '').replace(/^Bearer /, '');
  }

  function answer(owner: Owner, previous: string | null): string {
    const accessToken = `${secretMark}access-${random.uuid()}`;
    owners.set(accessToken, owner);
    access.set(accessToken, { ...owner, expiresAtMs: nowMs() + rules.lifeMs });
    const isNew = previous === null || rules.refreshToken === 'rotated';
    const refreshToken = isNew ? `${secretMark}refresh-${random.uuid()}` : previous;
    if (isNew) {
      refresh.set(refreshToken, owner);
      refreshOwners.set(refreshToken, owner.email);
      // Rotation ends the old one at once: whoever misses this answer must sign in again.
      refresh.delete(previous ?? '');
    }
    return JSON.stringify({
      token_type: 'Bearer',
      access_token: accessToken,
      ...(previous !== null && rules.refreshToken === 'silent' ? {} : { refresh_token: refreshToken }),
      ...(rules.statesExpiry ? { expires_in: Math.round(rules.lifeMs / 1000) } : {}),
    });
  }

  function grantAfresh(request: unknown): string | null {
    if (typeof request !== 'object' || request === null) {
      return null;
    }
    const client = textOf(request, 'client_id');
    if (!accounts.clientIds.includes(client) || textOf(request, 'client_secret') !== accounts.clientSecret) {
      return null;
    }
    if (textOf(request, 'grant_type') === 'password') {
      const user = accounts.users.find(
        ({ email, password }) => email === textOf(request, 'username') && password === textOf(request, 'password'),
      );
      if (user === undefined) {
        return null;
      }
      const owner = { email: user.email, client };
      if (rules.sessions === 'one') {
        endOthers(owner);
      }
      return answer(owner, null);
    }
    const token = textOf(request, 'refresh_token');
    const owner = textOf(request, 'grant_type') === 'refresh_token' ? refresh.get(token) : undefined;
    return owner?.client === client ? answer(owner, token) : null;
  }

  return {
    grant: (request, key) => {
      if (key === null || rules.keys !== 'replayed') {
        return grantAfresh(request);
      }
      const earlier = answers.get(key);
      const given = earlier === undefined ? grantAfresh(request) : earlier;
      answers.set(key, given);
      return given;
    },
    userOf: (authorization) => {
      const token = access.get(tokenOf(authorization));
      return token === undefined || token.expiresAtMs <= nowMs() ? null : token.email;
    },
    ownerOf: (authorization) => owners.get(tokenOf(authorization))?.email ?? null,
    clientOf: (authorization) => owners.get(tokenOf(authorization))?.client ?? null,
    asksFor: (body) => {
      const parsed: unknown = JSON.parse(body);
      const request = typeof parsed === 'object' && parsed !== null ? parsed : {};
      return refreshOwners.get(textOf(request, 'refresh_token')) ?? (textOf(request, 'username') || null);
    },
    expireAll: () => {
      access = new Map();
    },
    revokeAll: () => {
      access = new Map();
      refresh = new Map();
      // Nobody is given a revoked token again.
      answers = new Map();
    },
    overtaken,
  };
}
