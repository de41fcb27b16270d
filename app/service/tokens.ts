// Sign-in: the two grants of API v3 §2 and §5, and whom a bearer token belongs to.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { answerJson, objectIn, problem, refuse, refuseUnauthorized } from './answers.ts';
import { changeNothing, type Outcome } from './idempotency.ts';
import type { Readings } from './readings.ts';
import type { Accounts, Application, Ledger } from './ports.ts';

// API v3 does not say how long a refresh token is good; a month outlasts any weekend.
const refreshTokenMs = 30 * 86_400_000;
/** Far more than a till sends. A stranger's body is read as JSON before anything is known of who sends it. */
const maxRequestLength = 8192;

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

/** Characters of an access token before what shows under which secret of its application it was given. */
const randomLength = 43;
/** A new secret ends what was given under the one before. */
const accessToken = (random: string, clientSecret: string): string =>
  random + createHmac('sha256', clientSecret).update(random).digest('base64url').slice(0, 22);

/** Compares two secrets in a time that tells nothing of them. */
export function isSame(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(left)), Buffer.from(hashOf(right)));
}

/** The body of a token request; null when it is no JSON object, or longer than any. */
const documentOf = (body: string | null): ReturnType<typeof objectIn> =>
  body === null || body.length > maxRequestLength ? null : objectIn(body);

function textIn(document: ReturnType<typeof objectIn>, name: string): string {
  const value = document?.[name];
  return typeof value === 'string' ? value : '';
}

const applicationOf = (accounts: Accounts, clientId: string): Application | null =>
  accounts.applications().find((application) => application.clientId === clientId) ?? null;

/** The application of a token request with the right secret; null for any other. */
export function provedApplication(accounts: Accounts, body: string | null): string | null {
  const document = documentOf(body);
  const application = applicationOf(accounts, textIn(document, 'client_id'));
  return application !== null && isSame(application.clientSecret, textIn(document, 'client_secret'))
    ? application.clientId
    : null;
}

export class Tokens {
  readonly #ledger: Ledger;
  readonly #accounts: Accounts;
  readonly #now: () => number;

  constructor(ledger: Ledger, accounts: Accounts, now: () => number) {
    this.#ledger = ledger;
    this.#accounts = accounts;
    this.#now = now;
  }

  /** The caller behind `Authorization: Bearer ...`; null without a token that this service gave. */
  async callerOf(authorization: string | undefined): Promise<Caller | null> {
    const token = /^Bearer ([\w-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? '';
    const isGivenTo = ({ clientSecret }: Application): boolean =>
      isSame(token, accessToken(token.slice(0, randomLength), clientSecret));
    // So the ledger is asked by nobody for a token that was made up.
    const proved = this.#accounts.applications().filter(isGivenTo);
    const row = proved.length === 0 ? null : await this.#ledger.readToken(hashOf(token));
    const application = proved.find((one) => one.clientId === row?.clientId);
    if (row?.kind !== 'access' || application === undefined) {
      return null;
    }
    const { clientId, userId, expiresAt } = row;
    const isOfSomebody = !application.isDeactivated && (await this.#accounts.isActive(userId));
    return { clientId, userId, isCurrent: isOfSomebody && expiresAt > this.#now() };
  }

  /** Answers POST /oauth/token (API v3 §4.1). */
  async grant(body: string | null, readings: Readings): Promise<Outcome> {
    const document = documentOf(body);
    if (document === null) {
      return changeNothing(refuse(400, 'bad_request', 'O corpo da requisição não é um JSON válido.'));
    }
    const text = (name: string): string => textIn(document, name);
    const grantType = text('grant_type');
    if (grantType !== 'password' && grantType !== 'refresh_token') {
      return changeNothing(refuse(400, 'bad_request', 'O campo grant_type deve ser password ou refresh_token.'));
    }
    const needed = [
      'client_id',
      'client_secret',
      ...(grantType === 'password' ? ['username', 'password'] : ['refresh_token']),
    ];
    const missing = needed.filter((name) => text(name) === '');
    if (missing.length > 0) {
      const message = `Campos obrigatórios ausentes: ${missing.join(', ')}.`;
      const problems = missing.map((name) => problem(name, 'required'));
      return changeNothing(
        readings.missingCredentials === 401
          ? refuseUnauthorized(message)
          : refuse(400, 'bad_request', message, problems),
      );
    }
    const application = applicationOf(this.#accounts, text('client_id'));
    if (application === null || application.isDeactivated || !isSame(application.clientSecret, text('client_secret'))) {
      return changeNothing(refuseUnauthorized('Aplicação não reconhecida: confira client_id e client_secret.'));
    }
    const scope = document['scope'] === undefined && readings.scopeWhenAbsent === 'all' ? '*' : document['scope'];
    if (scope !== '*') {
      return changeNothing(refuse(400, 'invalid_scope', 'O escopo informado é inválido ou não existe.'));
    }
    return grantType === 'password'
      ? this.#grantPassword(application, text('username'), text('password'), readings)
      : this.#grantRefresh(application, text('refresh_token'), readings);
  }

  async #grantPassword(
    application: Application,
    email: string,
    password: string,
    readings: Readings,
  ): Promise<Outcome> {
    const userId = await this.#accounts.signIn(email, password);
    return userId === null
      ? changeNothing(refuseUnauthorized('E-mail ou senha incorretos.'))
      : this.#issue(application, userId, readings, null);
  }

  async #grantRefresh(application: Application, refreshToken: string, readings: Readings): Promise<Outcome> {
    const hash = hashOf(refreshToken);
    const row = await this.#ledger.readToken(hash);
    if (
      row === null ||
      row.kind !== 'refresh' ||
      row.clientId !== application.clientId ||
      row.expiresAt <= this.#now() ||
      !(await this.#accounts.isActive(row.userId))
    ) {
      return changeNothing(refuseUnauthorized('A sessão expirou. Entre novamente.'));
    }
    return this.#issue(application, row.userId, readings, hash);
  }

  /** New tokens; where tokens are rotated, in the place of the refresh token `renewed`. */
  #issue({ clientId, clientSecret }: Application, userId: string, readings: Readings, renewed: string | null): Outcome {
    const isRotated = readings.refreshTokens === 'rotated';
    const isRefreshed = isRotated || (renewed === null && readings.refreshTokens !== 'none');
    const make = (): string => randomBytes(32).toString('base64url');
    const [access, refresh] = [accessToken(make(), clientSecret), isRefreshed ? make() : null];
    const add = (token: string, kind: 'access' | 'refresh', lifetimeMs: number): void => {
      this.#ledger.addToken(hashOf(token), { kind, clientId, userId, expiresAt: this.#now() + lifetimeMs });
    };
    const answer = answerJson(200, {
      token_type: 'Bearer',
      ...(readings.hasExpiresIn ? { expires_in: readings.accessTokenSeconds } : {}),
      access_token: access,
      ...(refresh === null ? {} : { refresh_token: refresh }),
    });
    const effect = (): void => {
      // Of two renewals at once one alone takes it away.
      if (isRotated && renewed !== null) {
        this.#ledger.spendToken(renewed);
      }
      add(access, 'access', readings.accessTokenSeconds * 1000);
      if (refresh !== null) {
        add(refresh, 'refresh', refreshTokenMs);
      }
    };
    return { answer, effect };
  }
}
