import { takeOut } from '../domain/redact.ts';
import type { Pace } from './pace.ts';
import type { Send, WireAnswer, WireRequest } from './http-send.ts';

interface Place {
  /** Without a slash at its end. */
  readonly url: string;
  readonly company: string;
  readonly stock: string;
}

/** A platform, and with what to sign in there. */
export interface SignInTarget extends Place {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly email: string;
  readonly password: string;
}

/** A sign-in that others look after: no token is asked for, and nothing of a sign-in is tried. */
interface SignedInTarget extends Place {
  /** Who is signed in. */
  readonly email: string;
  /** An access token; a newer one than that which was refused. Null where there is none. */
  readonly access: (refused: string | null) => Promise<string | null>;
}

/** The platform to be judged, and who asks. */
export type Target = SignInTarget | SignedInTarget;

export interface Ask {
  readonly method?: WireRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** In place of the usual ones; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Text is sent as it is, all else as JSON. */
  readonly body?: unknown;
}

/** A request with its answer, as a run keeps it: what is read in one may take fifty times as much memory. */
export interface KeptExchange {
  readonly request: WireRequest;
  readonly answer: WireAnswer;
}

/** The same to be judged. */
export interface Exchange extends KeptExchange {
  /** The answer's body; undefined when it is not JSON. */
  readonly json: unknown;
}

/** No whole answer came to a request, nor to its repetition. */
export class NoAnswer extends Error {}
/** The person has ended the run. */
export class Stopped extends Error {}

export const companyHeader = 'Service-Company-Id';
/** No platform that counts from 1 has come as far: the largest int64. */
export const unlikelyId = '9223372036854775807';
const maxRepetitions = 3;
const anyToken = /token"\s*:\s*("(?:[^"\\]|\\.)+")/gi;
/** Two long ones; and of a whole run far more than are asked for. Each is looked for in all that is shown. */
const maxTokenAnswer = 65_536;
const maxTokens = 200;

const reviveInteger = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value;

/** No answer of the document has a tenth of it; what walks one must not run out of its stack. */
const deepest = 200;

function isWithin(value: unknown, levels: number): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (levels > 0 && Object.values(value).every((part) => isWithin(part, levels - 1)))
  );
}

function readJson(text: string): unknown {
  try {
    // Reviving takes many times as long, which a large answer would make minutes.
    const value: unknown = /\d{16}/.test(text) ? JSON.parse(text, reviveInteger) : JSON.parse(text);
    return isWithin(value, deepest) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads what was kept. */
export const readKept = ({ request, answer }: KeptExchange): Exchange => ({
  request,
  answer,
  json: readJson(answer.text),
});

/** The member of an object, along a path; undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let part = value;
  for (const name of path) {
    part = typeof part === 'object' && part !== null ? (part as Record<string | number, unknown>)[name] : undefined;
  }
  return part;
}

interface Means {
  readonly send: Send;
  readonly pace: Pace;
  readonly wait: (ms: number, signal: AbortSignal | null) => Promise<void>;
  readonly uuid: () => string;
  readonly signal: AbortSignal;
}

/** Asks the platform, keeps what came, and takes note of how it reads what the document leaves open. */
export class Probe {
  readonly target: Target;
  readonly uuid: () => string;
  readonly exchanges: KeptExchange[] = [];
  /** Requests to which no answer came, nor to their repetition, with the reason. */
  readonly unanswered: { readonly request: WireRequest; readonly why: string }[] = [];
  /** How the platform reads what the document leaves open, by the id of the reading. */
  readonly readings = new Map<string, string>();
  /** What must not be seen in a report; only ever more. */
  readonly secrets = new Set<string>();
  #bare = { size: 0, of: (text: string): string => text };
  /** True while a coupon is put back: then a signal stops nothing, and the reserve may be used. */
  isPuttingBack = false;
  signIn: Exchange | null = null;
  readonly #means: Means;
  readonly #kept = new Map<string, KeptExchange>();
  #accessToken = '';
  #uselessRenewals = 0;
  #refusedTooMany = 0;

  constructor(target: Target, means: Means) {
    this.target = target;
    this.#means = means;
    this.uuid = means.uuid;
    for (const secret of 'access' in target ? [] : [target.clientSecret, target.password]) {
      this.secrets.add(secret);
    }
  }

  /** The text without the secrets, however they are written in it. */
  withoutSecrets(text: string): string {
    const { size } = this.secrets;
    if (this.#bare.size !== size) this.#bare = { size, of: takeOut([...this.secrets]) };
    return this.#bare.of(text);
  }

  note(reading: string, value: string): void {
    this.readings.set(reading, value);
  }

  /** Forgets the kept answers: the next check asks anew. */
  forget(): void {
    this.#kept.clear();
  }

  /** The answer to the same request of before, where there is one. */
  async once(ask: Ask): Promise<Exchange> {
    const name = JSON.stringify(ask);
    const kept = this.#kept.get(name);
    if (kept !== undefined) return readKept(kept);
    const exchange = await this.ask(ask);
    this.#kept.set(name, { request: exchange.request, answer: exchange.answer });
    return exchange;
  }

  /** The stock's listing; the usual order and size of a page may be named otherwise. */
  list(query: Readonly<Record<string, string>> = {}, headers: Ask['headers'] = {}): Promise<Exchange> {
    return this.once({ path: `/api/v3/stocks/${this.target.stock}/products`, query, headers });
  }

  /** A token request with a key of its own; undefined leaves a field out. */
  token(fields: Readonly<Record<string, unknown>> = {}, key: string | null = this.uuid()): Promise<Exchange> {
    const { target } = this;
    if ('access' in target) throw new TypeError('no token is asked for where others look after the sign-in');
    const { clientId, clientSecret, email, password } = target;
    const grant = { grant_type: 'password', client_id: clientId, client_secret: clientSecret };
    return this.ask({
      method: 'POST',
      path: '/oauth/token',
      headers: { Authorization: null, [companyHeader]: null, 'Idempotency-Key': key },
      body: { ...grant, username: email, password, scope: '*', ...fields },
    });
  }

  /** Uses a token in the place of the one that was refused, if any; false where none comes. */
  async renew(refused: string | null): Promise<boolean> {
    if (!('access' in this.target)) return this.use(await this.token());
    const token = await this.target.access(refused);
    if (token === null) return false;
    this.secrets.add(token);
    this.#accessToken = token;
    return true;
  }

  /** Uses the access token of this answer from now on; false when it has none. */
  use(exchange: Exchange): boolean {
    const token = at(exchange.json, 'access_token');
    const isToken = exchange.answer.status < 300 && typeof token === 'string' && token !== '';
    this.#accessToken = isToken ? token : this.#accessToken;
    return isToken;
  }

  /**
   * Sends the request. It is repeated as it is, key and all, where no answer came or the platform was too busy, and
   * under a new token where the token had ended. Rejects with `NoAnswer` or `Stopped`.
   */
  async ask(ask: Ask): Promise<Exchange> {
    const exchange = await this.#exchange(ask);
    if (exchange.answer.status === 429 && this.#refusedTooMany < maxRepetitions) {
      this.#refusedTooMany += 1;
      const seconds = Number(exchange.answer.headers['retry-after'] ?? 60);
      await this.#means.wait(1000 * (seconds > 0 && seconds < 60 ? seconds : 60), this.#signal);
      return this.#exchange(ask);
    }
    const isOurs = ask.headers?.['Authorization'] === undefined;
    if (exchange.answer.status !== 401 || !isOurs || this.#uselessRenewals >= maxRepetitions) {
      return exchange;
    }
    this.#uselessRenewals += 1;
    if (!(await this.renew(this.#accessToken))) return exchange;
    const again = await this.#exchange(ask);
    this.#uselessRenewals -= again.answer.status === 401 ? 0 : 1;
    return again;
  }

  get #signal(): AbortSignal | null {
    return this.isPuttingBack ? null : this.#means.signal;
  }

  async #exchange(ask: Ask): Promise<Exchange> {
    const request = this.#write(ask);
    const sent = await this.#send(request).then((first) => (typeof first === 'string' ? this.#send(request) : first));
    const answer = typeof sent === 'string' || !ask.path.startsWith('/oauth/') ? sent : this.#noteTokens(sent);
    if (typeof answer === 'string') {
      this.unanswered.push({ request, why: answer });
      throw new NoAnswer(answer);
    }
    const kept = { request, answer };
    this.exchanges.push(kept);
    return readKept(kept);
  }

  /** Of a token request every token, also those that are not used; a text where that is more than any platform gives. */
  #noteTokens(answer: WireAnswer): WireAnswer | string {
    if (answer.text.length > maxTokenAnswer) return `an answer of more than ${maxTokenAnswer} characters`;
    for (const [, written = ''] of answer.text.matchAll(anyToken)) {
      const token = readJson(written);
      this.secrets.add(typeof token === 'string' ? token : written.slice(1, -1));
      if (this.secrets.size > maxTokens) return `more than ${maxTokens} tokens`;
    }
    return answer;
  }

  async #send(request: WireRequest): Promise<WireAnswer | string> {
    const end = await this.#means.pace(this.isPuttingBack, this.#signal);
    try {
      if (this.#signal?.aborted === true) throw new Stopped('stopped');
      return await this.#means.send(request);
    } finally {
      end();
    }
  }

  #write({ method = 'GET', path, query = {}, headers = {}, body }: Ask): WireRequest {
    const usual: Record<string, string | null> = {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      Authorization: `Bearer ${this.#accessToken}`,
      [companyHeader]: this.target.company,
      ...headers,
    };
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
    return {
      method,
      url: `${this.target.url}${path}${search.length > 0 ? '?' : ''}${search.join('&')}`,
      headers: Object.fromEntries(
        Object.entries(usual).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
      body: typeof body === 'object' ? JSON.stringify(body) : ((body as string | undefined) ?? null),
    };
  }
}
