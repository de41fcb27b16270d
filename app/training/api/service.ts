import { parseId, type Id } from '../../domain/int64.ts';
import {
  answerNothing,
  refuse,
  refuseNotFound,
  refuseTooMany,
  withHeaders,
  type PlatformAnswer,
  type PlatformRequest,
} from './answers.ts';
import { Balances } from '../data/balances.ts';
import { Changes } from '../data/changes.ts';
import { createCategory } from './categories.ts';
import { Conditions } from '../options/network-conditions.ts';
import { CouponOperations, type CouponEffect } from './coupon-operations.ts';
import { Faults, isBeforePlatform, type Fault } from '../options/faults.ts';
import { answerOfFault, companyOf, isJson, refuseAtGate, refuseMissing } from './gate.ts';
import { answerOnce, echo, echoNoKey, isKept, keepInMemory, refuseKey } from './idempotency.ts';
import { defaultVariants, type Variants } from '../options/variants.ts';
import { ProductIndex } from '../data/product-index.ts';
import type { Products } from '../data/products.ts';
import { readId } from './query.ts';
import { countArrival } from './rate-limit.ts';
import { readAs } from './error-variants.ts';
import { routeOf, type CompanyRoute, type Operation } from './routes.ts';
import { secondTillHeader } from '../second-till.ts';
import { StockOperations } from './stock-operations.ts';
import type { TrainingStore } from '../data/store.ts';
import { listScopes } from './scopes.ts';
import { Tokens, applicationNamed, provedApplication, type Caller } from './tokens.ts';
import { Users } from './users.ts';
import { places, stocks, type Company } from '../data/world.ts';

/** The outcome of a request: an answer, and whether it reaches the caller whole. */
export interface Delivery {
  readonly answer: PlatformAnswer;
  readonly wire: 'whole' | 'truncated' | 'dropped' | 'hanging';
}

/** A request as the platform saw it. */
export interface Arrival {
  readonly at: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** With the leading "?"; empty when there is none. */
  readonly query: string;
  readonly clientId: string | null;
  readonly idempotencyKey: string | null;
  /**
   * The status of the answer, whether or not it reached the caller; null when the request never came as far as the
   * platform.
   */
  readonly status: number | null;
  readonly isReplayed: boolean;
  readonly fault: Fault['kind'] | null;
}

const maximumArrivals = 100_000;
/** Any page of a browser on this machine may send addresses of 16 KB, without being known. */
const maximumArrivalCharacters = 50_000_000;
const charactersOf = ({ path, query, idempotencyKey }: Arrival): number =>
  path.length + query.length + (idempotencyKey ?? '').length;
// Requests that name no known application share one rate limit.
const nobody = '';
const tokenPath = '/oauth/token';

function isWriting(method: string): boolean {
  return method === 'POST' || method === 'PUT';
}

const page = (status: number, text: string): PlatformAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>`,
});

const wireAfter = {
  answer: 'whole',
  truncate: 'truncated',
  dropBeforeEffect: 'dropped',
  dropAfterEffect: 'dropped',
  hangBeforeEffect: 'hanging',
  hangAfterEffect: 'hanging',
} as const;

interface Incoming {
  readonly request: PlatformRequest;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly caller: Caller | null;
  readonly clientId: string | null;
  readonly key: string | undefined;
  readonly now: number;
  readonly fault: Fault | null;
}

export class TrainingService {
  readonly products: Products;
  readonly #store: TrainingStore;
  readonly #now: () => number;
  readonly #tokens: Tokens;
  readonly #balances: Balances;
  readonly #changes: Changes;
  readonly #stockOperations: StockOperations;
  readonly #coupons: CouponOperations;
  readonly #arrivals: Arrival[] = [];
  #arrivalCharacters = 0;
  readonly faults = new Faults();
  readonly users: Users;
  readonly conditions: Conditions;
  // A token is never written in clear.
  readonly #tokenAnswers = keepInMemory();
  #variants: Variants;

  constructor(store: TrainingStore, products: Products, now: () => number, variants: Partial<Variants> = {}, seed = 1) {
    this.#store = store;
    this.#now = now;
    this.#variants = { ...defaultVariants, ...variants };
    this.products = products;
    this.users = new Users(store);
    this.conditions = new Conditions(seed);
    this.#tokens = new Tokens(store, this.users, now);
    this.#changes = new Changes(store);
    this.#balances = new Balances(products, this.#changes);
    const index = new ProductIndex(products, this.#changes);
    this.#stockOperations = new StockOperations(products, this.#changes, this.#balances, index);
    this.#coupons = new CouponOperations(store, products, this.#changes);
  }

  /** Takes one request; whatever it changes is stored, all or nothing, before this returns. */
  handle(request: PlatformRequest): Delivery {
    const now = this.#now();
    const mark = request.target.indexOf('?');
    const path = mark < 0 ? request.target : request.target.slice(0, mark);
    const parameters = new URLSearchParams(mark < 0 ? '' : request.target.slice(mark + 1));
    const caller = this.#tokens.callerOf(request.headers['authorization']);
    const clientId = caller?.clientId ?? (path === tokenPath ? applicationNamed(request.body) : null);
    const { 'idempotency-key': header = '' } = request.headers;
    const key = header === '' ? undefined : header;
    const fault =
      this.faults.take(request.method, path) ?? this.conditions.meet(request.headers[secondTillHeader] !== undefined);
    const delivery = this.#store.transaction(() =>
      this.#deliver({ request, path, parameters, caller, clientId, key, now, fault }),
    );
    const isSeen = !isBeforePlatform(fault);
    this.#observe({
      at: now,
      method: request.method,
      path,
      query: mark < 0 ? '' : request.target.slice(mark),
      clientId,
      idempotencyKey: key ?? null,
      status: isSeen ? delivery.answer.status : null,
      isReplayed: delivery.answer.headers['idempotency-replayed'] === 'true',
      fault: fault?.kind ?? null,
    });
    return { ...delivery, answer: withHeaders(delivery.answer, { date: new Date(now).toUTCString() }) };
  }

  #deliver(incoming: Incoming): Delivery {
    const kind = incoming.fault?.kind ?? 'answer';
    if (kind === 'captivePortal') {
      return { answer: page(200, 'Bem-vindo à rede da loja: aceite os termos'), wire: 'whole' };
    }
    if (kind === 'proxyPage') {
      return { answer: page(502, '502 Bad Gateway'), wire: 'whole' };
    }
    const wire = wireAfter[kind];
    return { answer: isBeforePlatform(incoming.fault) ? answerNothing() : this.#answer(incoming), wire };
  }

  /** A refusal at the gate before the key or after it; see variants.ts on `keptRefusals`. */
  #answer(incoming: Incoming): PlatformAnswer {
    const { request, path } = incoming;
    const isCounted = this.#variants.areTokensCounted || path.startsWith('/api/');
    const waitSeconds = isCounted
      ? countArrival(this.#store, incoming.clientId ?? nobody, incoming.now, this.#variants)
      : 0;
    const route = routeOf(request.method, path, this.#variants);
    const atGate =
      waitSeconds > 0 ? refuseTooMany(waitSeconds) : refuseAtGate(incoming.caller, incoming.fault, path, route);
    const refusal = atGate === null ? null : readAs(this.#variants, atGate, incoming.now);
    const isKeyed =
      isWriting(request.method) &&
      (path.startsWith('/api/v3/') || (path === tokenPath && this.#variants.tokenKeys !== 'ignored'));
    return !isKeyed || (refusal !== null && !isKept(refusal.status, this.#variants))
      ? (refusal ?? this.#operate(incoming, route))
      : this.#answerKeyed(incoming, () => refusal ?? this.#operate(incoming, route));
  }

  /** Without a good key or an application that is who it says there is nothing to keep an answer under. */
  #answerKeyed({ request, path, caller, key }: Incoming, answerAfresh: () => PlatformAnswer): PlatformAnswer {
    const variants = this.#variants;
    if (key === undefined) {
      return echoNoKey(answerAfresh(), variants);
    }
    const isOfToken = path === tokenPath;
    const clientId = isOfToken ? provedApplication(request.body) : (caller?.clientId ?? null);
    if (clientId === null || refuseKey(key) !== null || (isOfToken && variants.tokenKeys === 'echoed')) {
      return echo(answerAfresh(), key, false, variants);
    }
    return answerOnce(isOfToken ? this.#tokenAnswers : this.#store, clientId, key, variants, answerAfresh);
  }

  #operate(incoming: Incoming, route: ReturnType<typeof routeOf>): PlatformAnswer {
    const { fault, now } = incoming;
    if (fault?.kind !== 'answer') {
      return readAs(this.#variants, this.#operateWell(incoming, route), now);
    }
    if (fault.isEffectApplied === true) {
      this.#operateWell(incoming, route);
    }
    return readAs(this.#variants, answerOfFault(fault), now);
  }

  #operateWell(incoming: Incoming, route: ReturnType<typeof routeOf>): PlatformAnswer {
    const { request, key } = incoming;
    if (route === 'unknown') {
      return refuseNotFound();
    }
    if (request.body === null) {
      return refuse(400, 'bad_request', 'O corpo da requisição é grande demais.');
    }
    const missing = ['Content-Type', 'Accept'].filter((name) => !isJson(request.headers[name.toLowerCase()]));
    if (missing.length > 0) {
      return refuseMissing(missing);
    }
    if ('allowed' in route) {
      const answer = refuse(405, 'method_not_allowed', 'Método não permitido para este recurso.');
      return withHeaders(answer, { allow: route.allowed.join(', ') });
    }
    const keyRefusal = this.#refuseKeyOf(request.method, route.operation, key);
    if (route.operation === 'token') {
      return keyRefusal ?? this.#tokens.grant(request.body, this.#variants);
    }
    if (route.operation === 'scopes') {
      return keyRefusal ?? listScopes(this.#variants.scopesShape);
    }
    if (route.operation === 'createCategory') {
      return keyRefusal ?? createCategory(this.#store, request.body);
    }
    const company = companyOf(request.headers['service-company-id'], route.operation, this.#variants);
    if ('status' in company) {
      return company;
    }
    return keyRefusal ?? this.#carryOut(incoming, route, company);
  }

  /** A key that is too long is refused everywhere, a missing one where it is required (API v3 §8). */
  #refuseKeyOf(method: string, operation: Operation, key: string | undefined): PlatformAnswer | null {
    const isDeclared = operation === 'updateCoupons' || operation === 'restoreUser';
    const isRequired = isDeclared || this.#variants.keysRequired === 'all';
    return isWriting(method) && (isRequired || key !== undefined) ? refuseKey(key) : null;
  }

  #carryOut(incoming: Incoming, route: CompanyRoute, company: Company): PlatformAnswer {
    const { request, parameters, caller, key, now } = incoming;
    if (route.operation === 'listCoupons') {
      return this.#coupons.list(company.id, parameters, this.#variants);
    }
    if (route.operation === 'updateCoupons') {
      const cause = {
        at: now,
        idempotencyKey: key ?? null,
        clientId: caller?.clientId ?? null,
        userId: caller?.userId ?? null,
      };
      return this.#coupons.update(company, request.body, cause, this.#variants);
    }
    if (route.operation === 'restoreUser') {
      return this.users.restore(String(route.userId), this.#variants);
    }
    const stock = stocks.find(
      (candidate) => BigInt(candidate.id) === route.stockId && candidate.companyId === company.id,
    );
    if (stock === undefined) {
      return refuseNotFound();
    }
    if (route.operation === 'listProducts') {
      return this.#stockOperations.list(stock, parameters, this.#variants);
    }
    return route.operation === 'readBalance'
      ? this.#stockOperations.readBalance(stock, route.productId, parameters, this.#variants)
      : this.#stockOperations.listBatches(stock, route.productId, parameters, this.#variants);
  }

  // ---- What tests and a control panel see and change ---------------------------------------------------------------

  get variants(): Variants {
    return this.#variants;
  }

  /** Sets some of the variants; the others stay. */
  setVariants(variants: Partial<Variants>): void {
    this.#variants = { ...this.#variants, ...variants };
  }

  /** The latest requests, oldest first, of this run. */
  get arrivals(): readonly Arrival[] {
    return this.#arrivals;
  }

  /** The latest coupon settings that were changed, oldest first, of this run. */
  get effects(): readonly CouponEffect[] {
    return this.#coupons.effects;
  }

  /** The settings of the company's products by id, as API v3 §4.6 lists them. */
  couponSettings(companyId: Id = places.companyId): ReadonlyMap<string, boolean> {
    return this.#coupons.settingsOf(companyId);
  }

  /** Every access token ends now; refresh tokens stay good. */
  expireAccessTokens(): void {
    this.#store.expireTokens('access', this.#now());
  }

  /** Every refresh token ends now; access tokens stay good for their time. */
  revokeRefreshTokens(): void {
    this.#store.expireTokens('refresh', this.#now());
  }

  /** Somebody else changes a setting at the platform. */
  changeCouponSetting(productId: string, isEnabled: boolean, companyId: Id = places.companyId): void {
    const id = parseId(productId);
    if (id === null) {
      throw new RangeError(`not an id: ${productId}`);
    }
    this.#coupons.change(companyId, id, isEnabled, {
      at: this.#now(),
      idempotencyKey: null,
      clientId: null,
      userId: null,
    });
  }

  /** The product's quantity in the stock. */
  amountOf(stockId: string, productId: string): number {
    const stock = stocks.find((candidate) => candidate.id === stockId);
    if (stock === undefined) {
      throw new RangeError(`no stock ${stockId}`);
    }
    return this.#balances.amountOf(stock, this.#indexOf(productId));
  }

  /** The product's quantity in the stock is now this one. */
  changeBalance(stockId: string, productId: string, amount: number): void {
    this.#changes.changeAmount(stockId, this.#indexOf(productId), amount, this.#now());
  }

  renameProduct(productId: string, name: string): void {
    this.#changes.edit(this.#indexOf(productId), { name }, this.#now());
  }

  /** The product vanishes from every listing, and is not found any more; or comes back. */
  removeProduct(productId: string, isRemoved = true): void {
    this.#changes.edit(this.#indexOf(productId), { isRemoved }, this.#now());
  }

  #indexOf(productId: string): number {
    const id = readId(productId);
    const index = id === null ? null : this.products.indexOfId(id);
    if (index === null) {
      throw new RangeError(`no product ${productId}`);
    }
    return index;
  }

  #observe(arrival: Arrival): void {
    this.#arrivals.push(arrival);
    this.#arrivalCharacters += charactersOf(arrival);
    while (this.#arrivals.length > maximumArrivals || this.#arrivalCharacters > maximumArrivalCharacters) {
      const oldest = this.#arrivals.shift();
      this.#arrivalCharacters -= oldest === undefined ? this.#arrivalCharacters : charactersOf(oldest);
    }
  }
}
