// API v3 from the server's side, over the ports of a shop.
import {
  answerJson,
  answerNothing,
  objectIn,
  problem,
  refuse,
  refuseFields,
  refuseNotFound,
  refuseTooMany,
  withHeaders,
  type PlatformAnswer,
  type PlatformRequest,
} from './answers.ts';
import { listCoupons, updateCoupons } from './coupons.ts';
import { readAs } from './error-readings.ts';
import { companyOf, isJson, refuseAtGate, refuseMissing } from './gate.ts';
import {
  answerOnce,
  carryOut,
  changeNothing,
  echo,
  echoNoKey,
  isKept,
  refuseKey,
  type Outcome,
  type UnderWay,
} from './idempotency.ts';
import type { Company, Shop } from './ports.ts';
import { Query } from './query.ts';
import { countArrival, countInMemory } from './rate-limit.ts';
import type { Readings } from './readings.ts';
import { routeOf, type CompanyRoute, type Operation } from './routes.ts';
import { listScopes } from './scopes.ts';
import { noSeal, sealBy } from './seal.ts';
import { listBatches, listProducts, readBalance } from './stocks.ts';
import { Tokens, provedApplication, type Caller } from './tokens.ts';

const tokenPath = '/oauth/token';
/** Whoever asks for a token without an application's secret: guesses share one limit, and use up nobody else's. */
const guesses = '';

function isWriting(method: string): boolean {
  return method === 'POST' || method === 'PUT';
}

/** A request, and who sent it. */
export interface Incoming {
  readonly request: PlatformRequest;
  readonly path: string;
  /** With the leading "?"; empty when there is none. */
  readonly query: string;
  readonly caller: Caller | null;
  /** The application of the token, or of the token request with the right secret. */
  readonly clientId: string | null;
  readonly key: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An answer given on purpose in place of the true one. */
export interface Interference {
  readonly answer: PlatformAnswer;
  /** Whether it is given before the request is looked at. */
  readonly isAtGate: boolean;
  readonly isEffectApplied: boolean;
}

/**
 * Whose limit a request uses up. Null for one without a good token, which is refused and writes nothing: tills ask so,
 * too, whether the platform is there, and would share a limit with every stranger.
 */
function countedTo({ path, caller, clientId }: Incoming): string | null {
  if (path === tokenPath) {
    return clientId ?? guesses;
  }
  return caller?.isCurrent === true ? caller.clientId : null;
}

export class Service {
  readonly #shop: Shop;
  readonly #readings: () => Readings;
  readonly #now: () => number;
  readonly #tokens: Tokens;
  readonly #underWay: UnderWay = new Map();
  readonly #guesses = countInMemory();

  constructor(shop: Shop, readings: () => Readings, now: () => number) {
    this.#shop = shop;
    this.#readings = readings;
    this.#now = now;
    this.#tokens = new Tokens(shop.ledger, shop.accounts, now);
  }

  /** Reads who sends what. */
  async identify(request: PlatformRequest): Promise<Incoming> {
    const mark = request.target.indexOf('?');
    const path = mark < 0 ? request.target : request.target.slice(0, mark);
    const caller = await this.#tokens.callerOf(request.headers['authorization']);
    const { 'idempotency-key': key = '' } = request.headers;
    return {
      request,
      path,
      query: mark < 0 ? '' : request.target.slice(mark),
      caller,
      clientId: path === tokenPath ? provedApplication(this.#shop.accounts, request.body) : (caller?.clientId ?? null),
      key: key === '' ? undefined : key,
      now: this.#now(),
    };
  }

  /** Answers a request. Whatever it changes is stored together with its answer, all or nothing, before this resolves. */
  async answer(incoming: Incoming, interference: Interference | null = null): Promise<PlatformAnswer> {
    const { request, path, caller, now } = incoming;
    const readings = this.#readings();
    const counted = path.startsWith('/api/') || readings.areTokensCounted ? countedTo(incoming) : null;
    const counting = counted === guesses ? this.#guesses : this.#shop.ledger;
    const waitSeconds = counted === null ? 0 : await countArrival(counting, counted, now, readings);
    const route = routeOf(request.method, path, readings);
    const atGate = interference?.isAtGate === true ? interference.answer : refuseAtGate(caller, path, route);
    const refused = waitSeconds > 0 ? refuseTooMany(waitSeconds) : atGate;
    const refusal = refused === null ? null : readAs(readings, refused, now);
    const isKeyed =
      isWriting(request.method) &&
      (path.startsWith('/api/v3/') || (path === tokenPath && readings.tokenKeys !== 'ignored'));
    const answerAfresh = async (): Promise<Outcome> =>
      refusal === null ? this.#operate(incoming, route, interference) : changeNothing(refusal);
    // No 401 comes before the 404 of an unknown path: who has a token that has ended would fill the ledger with those.
    const keeping = route === 'unknown' && caller?.isCurrent !== true ? { ...incoming, clientId: null } : incoming;
    const answer =
      isKeyed && (refusal === null || isKept(refusal.status, readings))
        ? await this.#answerKeyed(keeping, answerAfresh)
        : await this.#make(answerAfresh);
    return withHeaders(answer, { date: new Date(now).toUTCString() });
  }

  async #make(answerAfresh: () => Promise<Outcome>): Promise<PlatformAnswer> {
    return (await carryOut(this.#shop.ledger, answerAfresh)).answer;
  }

  /** Without a good key or an application that is who it says there is nothing to keep an answer under. */
  async #answerKeyed(
    { request, path, clientId, key }: Incoming,
    answerAfresh: () => Promise<Outcome>,
  ): Promise<PlatformAnswer> {
    const readings = this.#readings();
    if (key === undefined) {
      return echoNoKey(await this.#make(answerAfresh), readings);
    }
    const isOfToken = path === tokenPath;
    if (clientId === null || refuseKey(key) !== null || (isOfToken && readings.tokenKeys === 'echoed')) {
      return echo(await this.#make(answerAfresh), key, false, readings);
    }
    const seal = isOfToken ? sealBy(request.body ?? '') : noSeal;
    return answerOnce(this.#underWay, this.#shop.ledger, seal, clientId, key, readings, answerAfresh);
  }

  async #operate(
    incoming: Incoming,
    route: ReturnType<typeof routeOf>,
    interference: Interference | null,
  ): Promise<Outcome> {
    const readings = this.#readings();
    const own = interference === null || interference.isEffectApplied ? await this.#operateWell(incoming, route) : null;
    return {
      answer: readAs(readings, interference?.answer ?? own?.answer ?? answerNothing(), incoming.now),
      effect: own?.effect ?? null,
    };
  }

  async #operateWell(incoming: Incoming, route: ReturnType<typeof routeOf>): Promise<Outcome> {
    const { request, key } = incoming;
    const readings = this.#readings();
    if (route === 'unknown') {
      return changeNothing(refuseNotFound());
    }
    if (request.body === null) {
      return changeNothing(refuse(400, 'bad_request', 'O corpo da requisição é grande demais.'));
    }
    const missing = ['Content-Type', 'Accept'].filter((name) => !isJson(request.headers[name.toLowerCase()]));
    if (missing.length > 0) {
      return changeNothing(refuseMissing(missing));
    }
    if ('allowed' in route) {
      const answer = refuse(405, 'method_not_allowed', 'Método não permitido para este recurso.');
      return changeNothing(withHeaders(answer, { allow: route.allowed.join(', ') }));
    }
    const keyRefusal = this.#refuseKeyOf(request.method, route.operation, key);
    if (route.operation === 'token') {
      return keyRefusal === null ? this.#tokens.grant(request.body, readings) : changeNothing(keyRefusal);
    }
    if (route.operation === 'scopes') {
      return changeNothing(keyRefusal ?? listScopes(readings.scopesShape));
    }
    if (route.operation === 'createCategory') {
      return keyRefusal === null ? this.#createCategory(request.body) : changeNothing(keyRefusal);
    }
    const header = request.headers['service-company-id'];
    const company = companyOf(this.#shop.accounts, header, route.operation, readings);
    if ('status' in company) {
      return changeNothing(company);
    }
    return keyRefusal === null ? this.#carryOut(incoming, route, company) : changeNothing(keyRefusal);
  }

  /** A key that is too long is refused everywhere, a missing one where it is required (API v3 §8). */
  #refuseKeyOf(method: string, operation: Operation, key: string | undefined): PlatformAnswer | null {
    const isDeclared = operation === 'updateCoupons' || operation === 'restoreUser';
    const isRequired = isDeclared || this.#readings().keysRequired === 'all';
    return isWriting(method) && (isRequired || key !== undefined) ? refuseKey(key) : null;
  }

  /**
   * POST /api/v3/categories, the sample call of API v3 §4.9, whose body and response are not shown: any JSON object, and
   * 201 with the id of what was created, so that the general rules can be tried on a call that creates something.
   */
  #createCategory(body: string): Outcome {
    if (this.#shop.createCategory === undefined) {
      return changeNothing(refuseNotFound());
    }
    if (objectIn(body) === null) {
      return changeNothing(refuse(400, 'bad_request', 'O corpo da requisição não é um JSON válido.'));
    }
    const { id, effect } = this.#shop.createCategory();
    return { answer: answerJson(201, { id }), effect };
  }

  /** API v3 §4.8. */
  async #restoreUser(userId: string): Promise<Outcome> {
    const restored = await this.#shop.accounts.restore(userId);
    if (typeof restored === 'function') {
      return { answer: answerNothing(), effect: restored };
    }
    const refusals = {
      unknown: refuseNotFound(),
      active:
        this.#readings().restoreOfActive === 'accepted'
          ? answerNothing()
          : refuseFields([problem('userId', 'deleted')]),
      emailTaken: refuse(400, 'bad_request', 'Já existe outro usuário com o mesmo e-mail.'),
    };
    return changeNothing(refusals[restored]);
  }

  async #carryOut(incoming: Incoming, route: CompanyRoute, company: Company): Promise<Outcome> {
    const { request, caller, key, now } = incoming;
    const { accounts, source, coupons } = this.#shop;
    const readings = this.#readings();
    const query = new Query(new URLSearchParams(incoming.query));
    if (route.operation === 'listCoupons') {
      return changeNothing(await listCoupons(coupons, company, query, readings));
    }
    if (route.operation === 'updateCoupons') {
      const cause = {
        at: now,
        idempotencyKey: key ?? null,
        clientId: caller?.clientId ?? null,
        userId: caller?.userId ?? null,
      };
      return updateCoupons(this.#shop, company, request.body, cause, readings);
    }
    if (route.operation === 'restoreUser') {
      return this.#restoreUser(String(route.userId));
    }
    const stock = accounts
      .stocks()
      .find(({ id, companyId }) => BigInt(id) === route.stockId && companyId === company.id);
    if (stock === undefined) {
      return changeNothing(refuseNotFound());
    }
    const asked = { source, stock, query, readings };
    if (route.operation === 'listProducts') {
      return changeNothing(await listProducts(asked));
    }
    const read = route.operation === 'readBalance' ? readBalance : listBatches;
    return changeNothing(await read(asked, route.productId));
  }
}
