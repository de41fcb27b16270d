// Sign-in at the training platform: the two grants of API v3 §2 and §5, and whom a bearer token belongs to.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseJson } from '../../domain/json.ts';
import { answerJson, problem, refuse, refuseUnauthorized, type PlatformAnswer } from './answers.ts';
import type { Variants } from '../options/variants.ts';
import type { TrainingStore } from '../data/store.ts';
import { applications } from '../data/world.ts';
import type { Users } from './users.ts';

// API v3 does not say how long a refresh token is good; a month outlasts any weekend.
const refreshTokenMs = 30 * 86_400_000;

/** Who a bearer token says that the caller is. */
export interface Caller {
  readonly clientId: string;
  readonly userId: string;
  /** False once the token has expired: the application is known, but may do nothing. */
  readonly isCurrent: boolean;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(left)), Buffer.from(hashOf(right)));
}

/** The application of a token request with the right secret; null for any other. */
export function provedApplication(body: string | null): string | null {
  const named = parseJson(body ?? '');
  const secret =
    typeof named === 'object' && named !== null && 'client_secret' in named ? named.client_secret : undefined;
  const application = applications.find(({ clientId }) => clientId === applicationNamed(body));
  return application !== undefined && typeof secret === 'string' && isSame(application.clientSecret, secret)
    ? application.clientId
    : null;
}

/** The application that a token request names, whether or not its secret is right; null when there is none such. */
export function applicationNamed(body: string | null): string | null {
  const named = parseJson(body ?? '');
  const clientId = typeof named === 'object' && named !== null && 'client_id' in named ? named.client_id : undefined;
  return applications.find((application) => application.clientId === clientId)?.clientId ?? null;
}

export class Tokens {
  readonly #store: TrainingStore;
  readonly #users: Users;
  readonly #now: () => number;

  constructor(store: TrainingStore, users: Users, now: () => number) {
    this.#store = store;
    this.#users = users;
    this.#now = now;
  }

  /** The caller behind `Authorization: Bearer ...`; null without a token that this platform gave. */
  callerOf(authorization: string | undefined): Caller | null {
    const token = /^Bearer ([\w-]{1,200})$/i.exec(authorization ?? '')?.[1];
    const row = token === undefined ? null : this.#store.readToken(hashOf(token));
    const isOfSomebody = row !== null && this.#users.isActive(row.userId);
    return row?.kind === 'access'
      ? { clientId: row.clientId, userId: row.userId, isCurrent: isOfSomebody && row.expiresAt > this.#now() }
      : null;
  }

  /** Answers POST /oauth/token (API v3 §4.1). */
  grant(body: string | null, variants: Variants): PlatformAnswer {
    const document = parseJson(body ?? '');
    if (typeof document !== 'object' || document === null || Array.isArray(document)) {
      return refuse(400, 'bad_request', 'O corpo da requisição não é um JSON válido.');
    }
    const fields = document as Readonly<Record<string, unknown>>;
    const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
    const grantType = text('grant_type');
    if (grantType !== 'password' && grantType !== 'refresh_token') {
      return refuse(400, 'bad_request', 'O campo grant_type deve ser password ou refresh_token.');
    }
    const needed = [
      'client_id',
      'client_secret',
      ...(grantType === 'password' ? ['username', 'password'] : ['refresh_token']),
    ];
    const missing = needed.filter((name) => text(name) === '');
    if (missing.length > 0) {
      const message = `Campos obrigatórios ausentes: ${missing.join(', ')}.`;
      return variants.missingCredentials === 401
        ? refuseUnauthorized(message)
        : refuse(
            400,
            'bad_request',
            message,
            missing.map((name) => problem(name, 'required')),
          );
    }
    const application = applications.find((candidate) => candidate.clientId === text('client_id'));
    if (
      application === undefined ||
      application.isDeactivated ||
      !isSame(application.clientSecret, text('client_secret'))
    ) {
      return refuseUnauthorized('Aplicação não reconhecida: confira client_id e client_secret.');
    }
    const scope = fields['scope'] === undefined && variants.scopeWhenAbsent === 'all' ? '*' : fields['scope'];
    if (scope !== '*') {
      return refuse(400, 'invalid_scope', 'O escopo informado é inválido ou não existe.');
    }
    return grantType === 'password'
      ? this.#grantPassword(application.clientId, text('username'), text('password'), variants)
      : this.#grantRefresh(application.clientId, text('refresh_token'), variants);
  }

  #grantPassword(clientId: string, email: string, password: string, variants: Variants): PlatformAnswer {
    const user = this.#users.activeByEmail(email);
    if (user === null || !isSame(user.password, password)) {
      return refuseUnauthorized('E-mail ou senha incorretos.');
    }
    return this.#issue(clientId, user.id, variants, true);
  }

  #grantRefresh(clientId: string, refreshToken: string, variants: Variants): PlatformAnswer {
    const hash = hashOf(refreshToken);
    const row = this.#store.readToken(hash);
    if (
      row === null ||
      row.kind !== 'refresh' ||
      row.clientId !== clientId ||
      row.expiresAt <= this.#now() ||
      !this.#users.isActive(row.userId)
    ) {
      return refuseUnauthorized('A sessão expirou. Entre novamente.');
    }
    const isRotated = variants.refreshTokens === 'rotated';
    if (isRotated) {
      this.#store.removeToken(hash);
    }
    return this.#issue(clientId, row.userId, variants, isRotated);
  }

  #issue(clientId: string, userId: string, variants: Variants, hasRefreshToken: boolean): PlatformAnswer {
    const make = (kind: 'access' | 'refresh', lifetimeMs: number): string => {
      const token = randomBytes(32).toString('base64url');
      this.#store.addToken(hashOf(token), { kind, clientId, userId, expiresAt: this.#now() + lifetimeMs });
      return token;
    };
    return answerJson(200, {
      token_type: 'Bearer',
      ...(variants.hasExpiresIn ? { expires_in: variants.accessTokenSeconds } : {}),
      access_token: make('access', variants.accessTokenSeconds * 1000),
      ...(hasRefreshToken && variants.refreshTokens !== 'none'
        ? { refresh_token: make('refresh', refreshTokenMs) }
        : {}),
    });
  }
}
