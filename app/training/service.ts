import { parseId, type Id } from '../domain/int64.ts';
import {
  answerNothing,
  problem,
  refuse,
  refuseNotFound,
  refuseTooMany,
  refuseUnauthorized,
  type PlatformAnswer,
  type PlatformRequest,
} from '../service/answers.ts';
import type { Effect } from '../service/ports.ts';
import { readId } from '../service/query.ts';
import { Service, type Incoming, type Interference } from '../service/service.ts';
import { TrainingAccounts } from './accounts.ts';
import { TrainingCoupons, type CouponEffect } from './coupons.ts';
import { Balances } from './data/balances.ts';
import { Changes } from './data/changes.ts';
import { ProductIndex } from './data/product-index.ts';
import type { Products } from './data/products.ts';
import type { TrainingRepository } from './data/repository.ts';
import { places, stocks } from './data/world.ts';
import { Faults, isBeforePlatform, type Fault } from './options/faults.ts';
import { Conditions } from './options/network-conditions.ts';
import { defaultVariants, type Variants } from './options/variants.ts';
import { secondTillHeader } from './second-till.ts';
import { TrainingSource } from './source.ts';

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
  /** The status of the answer, which may not have reached the caller; null when the request never came so far. */
  readonly status: number | null;
  readonly isReplayed: boolean;
  readonly fault: Fault['kind'] | null;
}

const maximumArrivals = 100_000;
/** Any page of a browser on this machine may send addresses of 16 KB, without being known. */
const maximumArrivalCharacters = 50_000_000;
const charactersOf = ({ path, query, idempotencyKey }: Arrival): number =>
  path.length + query.length + (idempotencyKey ?? '').length;
const categoryCountFact = 'categories';
const firstCategoryId = 301;

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

function answerOfFault({ status = 500, code, field, retryAfterSeconds = 5 }: Fault): PlatformAnswer {
  if (code !== undefined || field !== undefined) {
    const named = field === undefined ? [] : [problem(field, 'simulated')];
    return refuse(status, code ?? 'unprocessable_entity', 'Falha simulada.', named);
  }
  switch (status) {
    case 400:
      return refuse(400, 'bad_request', 'Falha simulada: requisição inválida.');
    case 401:
      return refuseUnauthorized('Falha simulada: autenticação expirada.');
    case 403:
      return refuse(403, 'forbidden', 'Falha simulada: sem permissão.');
    case 404:
      return refuseNotFound();
    case 422:
      return refuse(422, 'unprocessable_entity', 'Falha simulada: dados inválidos.');
    case 429:
      return refuseTooMany(retryAfterSeconds);
    default:
      return refuse(status, 'internal_server_error', 'Falha simulada: erro interno da plataforma.');
  }
}

function interferenceOf(fault: Fault | null): Interference | null {
  return fault?.kind === 'answer'
    ? {
        answer: answerOfFault(fault),
        isAtGate: fault.status === 401 || fault.status === 429,
        isEffectApplied: fault.isEffectApplied === true,
      }
    : null;
}

/** The service over the made-up shop, with its faults. */
export class TrainingService {
  readonly products: Products;
  readonly users: TrainingAccounts;
  readonly faults = new Faults();
  readonly conditions: Conditions;
  readonly #service: Service;
  readonly #repository: TrainingRepository;
  readonly #now: () => number;
  readonly #balances: Balances;
  readonly #changes: Changes;
  readonly #coupons: TrainingCoupons;
  readonly #arrivals: Arrival[] = [];
  #arrivalCharacters = 0;
  #variants: Variants;

  constructor(
    repository: TrainingRepository,
    products: Products,
    now: () => number,
    variants: Partial<Variants> = {},
    seed = 1,
  ) {
    const readVariants = (): Variants => this.#variants;
    this.#repository = repository;
    this.#now = now;
    this.#variants = { ...defaultVariants, ...variants };
    this.products = products;
    this.users = new TrainingAccounts(repository, readVariants);
    this.conditions = new Conditions(seed);
    this.#changes = new Changes(repository);
    this.#balances = new Balances(products, this.#changes);
    this.#coupons = new TrainingCoupons(repository, products, this.#changes, readVariants);
    const index = new ProductIndex(products, this.#changes);
    const shop = {
      accounts: this.users,
      source: new TrainingSource(products, this.#changes, this.#balances, index, readVariants),
      coupons: this.#coupons,
      ledger: repository,
      createCategory: () => this.#createCategory(),
    };
    this.#service = new Service(shop, readVariants, now);
  }

  /** Takes one request; whatever it changes is stored before this resolves. */
  async handle(request: PlatformRequest): Promise<Delivery> {
    const isOfSecondTill = request.headers[secondTillHeader] !== undefined;
    const incoming = await this.#service.identify(request);
    const fault = this.faults.take(request.method, incoming.path) ?? this.conditions.meet(isOfSecondTill);
    const delivery = await this.#deliver(incoming, fault);
    this.#observe({
      at: incoming.now,
      method: request.method,
      path: incoming.path,
      query: incoming.query,
      clientId: incoming.clientId,
      idempotencyKey: incoming.key ?? null,
      status: isBeforePlatform(fault) ? null : delivery.answer.status,
      isReplayed: delivery.answer.headers['idempotency-replayed'] === 'true',
      fault: fault?.kind ?? null,
    });
    return delivery;
  }

  async #deliver(incoming: Incoming, fault: Fault | null): Promise<Delivery> {
    const kind = fault?.kind ?? 'answer';
    if (kind === 'captivePortal') {
      return { answer: page(200, 'Bem-vindo à rede da loja: aceite os termos'), wire: 'whole' };
    }
    if (kind === 'proxyPage') {
      return { answer: page(502, '502 Bad Gateway'), wire: 'whole' };
    }
    const answer = isBeforePlatform(fault)
      ? answerNothing()
      : await this.#service.answer(incoming, interferenceOf(fault));
    return { answer, wire: wireAfter[kind] };
  }

  #createCategory(): { readonly id: number; readonly effect: Effect } {
    const count = Number(this.#repository.readFact(categoryCountFact) ?? 0);
    return {
      id: firstCategoryId + count,
      effect: () => {
        this.#repository.writeFact(categoryCountFact, String(count + 1));
      },
    };
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
    this.#repository.expireTokens('access', this.#now());
  }

  /** Every refresh token ends now; access tokens stay good for their time. */
  revokeRefreshTokens(): void {
    this.#repository.expireTokens('refresh', this.#now());
  }

  /** Somebody else changes a setting at the platform. */
  changeCouponSetting(productId: string, isEnabled: boolean, companyId: Id = places.companyId): void {
    const id = parseId(productId);
    if (id === null) {
      throw new RangeError(`not an id: ${productId}`);
    }
    const cause = { at: this.#now(), idempotencyKey: null, clientId: null, userId: null };
    this.#coupons.change(companyId, [{ productId: id, isEnabled }], cause)();
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
