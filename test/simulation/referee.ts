// The platform that judges: API v3 in memory, written from its document alone and apart from the training platform,
// which never forgets.
import { createRefereeStock, type ListingRules, type RefereeStock } from './referee-stock.ts';
import {
  createRefereeTokens,
  refusalOf,
  type RefereeTokens,
  type TokenRules,
  type UserAccount,
} from './referee-tokens.ts';
import { createRefereeUsers, type RefereeUser, type RefereeUsers } from './referee-users.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Trace } from './trace.ts';

/** How this platform reads what its document leaves open. */
export interface RefereeRules {
  readonly tokens: TokenRules;
  /** Whether a 401 or a 429 is stored under the key like any other answer (API v3 §8 rule 3). */
  readonly storesUnauthorized: boolean;
  readonly storesTooMany: boolean;
  /** Whether a 401 or 429 that is not stored carries the echoed key. */
  readonly echoesAtGate: boolean;
  /** Whether answers to a PUT carry the echoed key at all; a gateway may drop it from every one (API v3 §8 rule 5). */
  readonly echoes: boolean;
  /** The value of `Idempotency-Replayed` in a replay, and in a first answer; null: the header is absent. */
  readonly replayed: string | null;
  readonly first: string | null;
  readonly limitWindow: 'sliding' | 'fixed';
  readonly retryAfter: 'seconds' | 'date' | 'absent';
  /** Whether a 422 names the items at fault. */
  readonly namesItems: boolean;
  /** From where `items.N` of a 422 counts, and whether its validations give the product as value. */
  readonly itemsFrom: 0 | 1;
  readonly givesValues: boolean;
  /**
   * The coupon listing for whoever names a company (API v3 §4.6): that company's settings; the same for all, for
   * settings are the account's and no header is heeded; or a refusal of any company.
   */
  readonly couponsOf: 'company' | 'account' | 400 | 403 | 404 | 422;
  /**
   * The status of a coupon listing that is asked for without a company; null: it is answered for the first company.
   */
  readonly companylessStatus: 400 | 403 | 422 | null;
  /** Whether the coupon listing holds products whose coupon is off. */
  readonly listsDisabled: boolean;
  /** The status of a success: 204, or 200 with a body. */
  readonly successStatus: 200 | 204;
  /** How long the answer to a key is remembered, in milliseconds; null: for ever, as API v3 §8 rule 3 can be read. */
  readonly keyRetentionMs: number | null;
  /** Whether a key that one client has sent is known when another sends it; the document does not say. */
  readonly keysOf: 'platform' | 'client';
  readonly listing: ListingRules;
}

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Arrival {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly email: string | null;
  readonly companyId: string | null;
  /** The network's own doing: a second copy, or one that came after the terminal had given it up. */
  readonly isOfNetwork: boolean;
  status: number;
}

export interface Effect {
  readonly atMs: number;
  readonly productId: string;
  readonly isEnabled: boolean;
  /** Null when somebody else did it. */
  readonly key: string | null;
  readonly email: string | null;
  readonly companyId: string | null;
  /** The setting before. */
  readonly before: boolean;
  /** The status of the answer to the request that did it. */
  readonly status: number;
}

export interface Referee {
  readonly rules: RefereeRules;
  /** The first company's stock. */
  readonly stock: RefereeStock;
  /** Every company's stock, by the company's id. */
  readonly stocks: ReadonlyMap<string, RefereeStock>;
  readonly tokens: RefereeTokens;
  readonly arrivals: readonly Arrival[];
  readonly effects: readonly Effect[];
  readonly users: RefereeUsers;
  /** Keys that this platform forgot and was then asked with again: a second effect of theirs is its own doing. */
  readonly forgotten: ReadonlySet<string>;
  /** Products that this platform refuses to change. */
  readonly refused: ReadonlySet<string>;
  answer(request: WireRequest, isOfNetwork: boolean): WireAnswer;
  /** The setting of a company, the first one unless another is named. */
  setting(productId: string, companyId?: string): boolean;
  /** All products whose coupon is on there. */
  enabled(companyId?: string): ReadonlySet<string>;
  /** Somebody at another terminal restores a user, if that can be done. */
  restoreByOther(userId: string): void;
  /** Somebody at another terminal switches a product of the first company. */
  changeByOther(productId: string, isEnabled: boolean): void;
  /** How likely a change ends in a 500, and how many requests a minute other terminals make. */
  trouble: { failing: number; othersPerMinute: number };
}

interface RefereeWorld {
  readonly nowMs: () => number;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly companyId: string;
  readonly stockId: string;
  readonly clientIds: readonly string[];
  readonly clientSecret: string;
  readonly users: readonly UserAccount[];
  readonly products: number;
  /** How many products can never be switched. */
  readonly refusedProducts: number;
  /**
   * A second company, whose stock begins with the first company's product of this place. Both have settings from the
   * start, and each its own.
   */
  readonly second?: {
    readonly companyId: string;
    readonly stockId: string;
    readonly products: number;
    readonly firstPlace: number;
  };
  readonly deletedUsers?: readonly RefereeUser[];
}

/** The platform's clock at the beginning of the simulated world, in milliseconds since 1970. */
export const platformEpochMs = Date.UTC(2031, 0, 6, 11, 0, 0);
const limit = 60;
const windowMs = 60_000;
const listingErrors = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
  422: 'unprocessable_entity',
  500: 'internal_server_error',
};

interface Change {
  readonly productId: string;
  readonly isEnabled: boolean;
}

function errorBody(code: string, meta: readonly unknown[] = []): string {
  return JSON.stringify({ code, message: code.replaceAll('_', ' '), meta });
}

/** Reads JSON with every integer as its digits. */
function readExactly(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? value) : value,
    );
  } catch {
    return null;
  }
}

/** The changes that a body asks for, or null when it is not of the documented shape (API v3 §4.7). */
function readChanges(text: string): readonly Change[] | null {
  const body = readExactly(text);
  const items: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'items') : null;
  if (!Array.isArray(items) || items.length === 0) {
    return null;
  }
  const changes = items.flatMap((item: unknown): Change[] => {
    const fields = typeof item === 'object' && item !== null ? item : {};
    const id: unknown = Reflect.get(fields, 'product_id');
    const isEnabled: unknown = Reflect.get(fields, 'is_enabled');
    return typeof id === 'string' && typeof isEnabled === 'boolean' ? [{ productId: id, isEnabled }] : [];
  });
  return changes.length === items.length ? changes : null;
}

/** Makes a platform with this world's users and products. */
export function createReferee(world: RefereeWorld, rules: RefereeRules): Referee {
  const { nowMs, random, trace } = world;
  const stock = createRefereeStock(nowMs, random.fork('stock'), world.products, 0, rules.listing);
  const companies = new Map([[world.companyId, { stockId: world.stockId, stock }]]);
  if (world.second !== undefined) {
    const { companyId, stockId, products, firstPlace } = world.second;
    companies.set(companyId, {
      stockId,
      stock: createRefereeStock(nowMs, random.fork('second stock'), products, firstPlace, rules.listing),
    });
  }
  const users = createRefereeUsers(nowMs, world.deletedUsers ?? []);
  const tokens = createRefereeTokens(nowMs, random.fork('tokens'), rules.tokens, world);
  const arrivals: Arrival[] = [];
  const effects: Effect[] = [];
  const ofAccount = new Map<string, boolean>();
  const ofCompanies = new Map(
    [...companies.keys()].map((id) => [id, rules.couponsOf === 'account' ? ofAccount : new Map<string, boolean>()]),
  );
  const settingsOf = (companyId: string): Map<string, boolean> => ofCompanies.get(companyId) ?? ofAccount;
  const stored = new Map<string, { readonly answer: WireAnswer; readonly atMs: number }>();
  const forgotten = new Set<string>();
  const refused = new Set(stock.productIds.slice(0, world.refusedProducts));
  if (world.second !== undefined) {
    for (const [place, [companyId, company]] of [...companies].entries()) {
      // A coupon that is on in the one is off in the other, or was never set there.
      company.stock.productIds.forEach((productId, number) => {
        if (number % 3 === 0) {
          settingsOf(companyId).set(productId, (number + place) % 2 === 0);
        }
      });
    }
  }
  const trouble = { failing: 0, othersPerMinute: 0 };

  function reply(status: number, body: string, headers: Readonly<Record<string, string>> = {}): WireAnswer {
    return {
      status,
      body,
      headers: {
        'content-type': 'application/json',
        date: new Date(platformEpochMs + nowMs() + rules.listing.dateOffMs).toUTCString(),
        ...headers,
      },
    };
  }

  function isOverLimit(): boolean {
    const now = nowMs();
    const from = rules.limitWindow === 'sliding' ? now - windowMs : now - (now % windowMs) - 1;
    const mine = arrivals.findLastIndex((arrival) => arrival.atMs <= from);
    return arrivals.length - 1 - mine + trouble.othersPerMinute > limit;
  }

  function tooMany(): WireAnswer {
    const seconds = random.integer(1, 20);
    const retryAfter =
      rules.retryAfter === 'seconds'
        ? String(seconds)
        : new Date(platformEpochMs + nowMs() + rules.listing.dateOffMs + 1000 * seconds).toUTCString();
    return reply(
      429,
      errorBody('too_many_requests'),
      rules.retryAfter === 'absent' ? {} : { 'retry-after': retryAfter },
    );
  }

  function take(changes: readonly Change[], key: string, email: string, companyId: string, status: number): void {
    for (const { productId, isEnabled } of changes) {
      effects.push({
        atMs: nowMs(),
        productId,
        isEnabled,
        key,
        email,
        companyId,
        before: settingsOf(companyId).get(productId) ?? false,
        status,
      });
      settingsOf(companyId).set(productId, isEnabled);
      trace.add(`effect ${productId.slice(-4)} ${isEnabled ? 'on' : 'off'} by ${email} key ${key.slice(0, 8)}`);
    }
  }

  function update(request: WireRequest, key: string, email: string): WireAnswer {
    const changes = readChanges(request.body);
    const companyId = request.headers['service-company-id'] ?? '';
    const company = companies.get(companyId);
    if (company === undefined) {
      return reply(400, errorBody('missing_headers'));
    }
    if (changes === null) {
      return reply(400, errorBody('bad_request'));
    }
    const faults = changes.flatMap(({ productId }, place) =>
      company.stock.barcodeOf(productId) === '' || refused.has(productId)
        ? [
            {
              field: `items.${String(place + rules.itemsFrom)}.product_id`,
              validations: [{ type: 'exists', value: rules.givesValues ? [productId] : [] }],
            },
          ]
        : [],
    );
    if (faults.length > 0) {
      return reply(422, errorBody('unprocessable_entity', rules.namesItems ? faults : []));
    }
    if (random.chance(trouble.failing)) {
      const status = random.pick([500, 500, 503]);
      // Before the change, after it, or in the middle of it.
      take(
        changes.slice(0, random.pick([0, changes.length, random.integer(0, changes.length)])),
        key,
        email,
        companyId,
        status,
      );
      return reply(status, random.chance(0.5) ? errorBody('internal_server_error') : '');
    }
    take(changes, key, email, companyId, rules.successStatus);
    return rules.successStatus === 204 ? reply(204, '') : reply(200, '{}');
  }

  /** API v3 §4.8. */
  function restore(request: WireRequest, userId: string, key: string, email: string): WireAnswer {
    const companyId = request.headers['service-company-id'] ?? '';
    const status = users.statusOf(companyId, userId);
    if (status !== 204) {
      return reply(status, errorBody(status === 400 ? 'bad_request' : 'not_found'));
    }
    const failure = random.chance(trouble.failing)
      ? reply(random.pick([500, 503]), errorBody('internal_server_error'))
      : null;
    if (failure === null || random.chance(0.5)) {
      users.restore(companyId, userId, { key, email });
      trace.add(`effect user ${userId} is back by ${email} key ${key.slice(0, 8)}`);
    }
    return failure ?? reply(204, '');
  }

  function perform(request: WireRequest, path: string, key: string, email: string): WireAnswer {
    const userId = /^\/api\/v3\/users\/(\d+)$/.exec(path)?.[1];
    if (request.method === 'POST' && userId !== undefined) {
      return restore(request, userId, key, email);
    }
    return request.method === 'PUT' && path === '/api/v3/products/consumption-coupons'
      ? update(request, key, email)
      : reply(404, errorBody('not_found'));
  }

  /** The answer that is remembered for the key, if any still is. */
  function recall(place: string, key: string): WireAnswer | null {
    const earlier = stored.get(place);
    if (earlier === undefined) {
      return null;
    }
    if (rules.keyRetentionMs === null || nowMs() - earlier.atMs <= rules.keyRetentionMs) {
      return earlier.answer;
    }
    trace.add(`forgotten key ${key.slice(0, 8)}`);
    forgotten.add(key);
    return null;
  }

  function withEcho(answer: WireAnswer, key: string, replayed: string | null): WireAnswer {
    if (!rules.echoes) {
      return answer;
    }
    return {
      ...answer,
      headers: {
        ...answer.headers,
        'idempotency-key': key,
        ...(replayed === null ? {} : { 'idempotency-replayed': replayed }),
      },
    };
  }

  const gateOfLimit = (): WireAnswer | null => (isOverLimit() ? tooMany() : null);

  /** A PUT or POST under its key (API v3 §8 rules 3 to 5). */
  function write(request: WireRequest, arrival: Arrival): WireAnswer {
    const { key, email } = arrival;
    if (key === null || key.length > 100) {
      return reply(400, errorBody('missing_headers'));
    }
    const gate = email === null ? reply(401, errorBody('unauthorized')) : gateOfLimit();
    const isStoredGate = gate !== null && (gate.status === 401 ? rules.storesUnauthorized : rules.storesTooMany);
    if (gate !== null && !isStoredGate) {
      return rules.echoesAtGate ? withEcho(gate, key, rules.first) : gate;
    }
    const client = rules.keysOf === 'client' ? tokens.clientOf(request.headers['authorization']) : null;
    const place = `${client ?? ''} ${key}`;
    const earlier = recall(place, key);
    if (earlier !== null) {
      return withEcho(earlier, key, rules.replayed);
    }
    const answer = gate ?? perform(request, arrival.path, key, email ?? '');
    stored.set(place, { answer, atMs: nowMs() });
    return withEcho(answer, key, rules.first);
  }

  /** How the list of coupon settings is refused to whoever names this company; null where it is not. */
  function refusalOfNamed(companyId: string): 400 | 403 | 404 | 422 | null {
    if (typeof rules.couponsOf === 'number') {
      return rules.couponsOf;
    }
    return companies.has(companyId) ? null : 403;
  }

  function get(path: string, query: URLSearchParams, request: WireRequest, email: string | null): WireAnswer {
    if (email === null) {
      return reply(401, errorBody('unauthorized'));
    }
    if (isOverLimit()) {
      return tooMany();
    }
    if (path === '/api/v3/products/consumption-coupons') {
      const companyId = request.headers['service-company-id'];
      const refusal = companyId === undefined ? rules.companylessStatus : refusalOfNamed(companyId);
      if (refusal !== null) {
        const isMissing = companyId === undefined && refusal !== 403;
        return reply(refusal, errorBody(isMissing ? 'missing_headers' : listingErrors[refusal]));
      }
      const items = [...settingsOf(companyId ?? world.companyId)]
        .filter(([, isEnabled]) => isEnabled || rules.listsDisabled)
        .map(([id, isEnabled]) => `{"product_id":${id},"is_enabled":${String(isEnabled)}}`);
      return reply(200, `{"items":[${items.join(',')}]}`);
    }
    const [, stockId, productId, what] =
      /^\/api\/v3\/stocks\/(\d+)\/products(?:\/(\d+)\/(balance|batches))?$/.exec(path) ?? [];
    const company = companies.get(request.headers['service-company-id'] ?? '');
    if (stockId === undefined || stockId !== company?.stockId) {
      return reply(stockId === undefined ? 404 : 400, errorBody('bad_request'));
    }
    if (productId === undefined) {
      const body = company.stock.list(query, platformEpochMs);
      return typeof body === 'string' ? reply(200, body) : reply(body, errorBody(listingErrors[body]));
    }
    const body = company.stock[what === 'batches' ? 'batches' : 'balance'](productId, stockId);
    return body === null ? reply(404, errorBody('not_found')) : reply(200, body);
  }

  function token(request: WireRequest, key: string | null): WireAnswer {
    if (isOverLimit()) {
      return tooMany();
    }
    if (key === null && rules.tokens.keys === 'demanded') {
      return reply(400, errorBody('missing_headers'));
    }
    const body = tokens.grant(readExactly(request.body), key);
    const refusal = refusalOf(rules.tokens);
    const answer = body === null ? reply(refusal.status, refusal.body) : reply(200, body);
    return key === null || rules.tokens.keys === 'ignored' ? answer : withEcho(answer, key, rules.first);
  }

  return {
    rules,
    stock,
    stocks: new Map([...companies].map(([id, company]) => [id, company.stock])),
    tokens,
    users,
    forgotten,
    arrivals,
    effects,
    refused,
    trouble,
    answer: (request, isOfNetwork) => {
      const url = new URL(request.url);
      const isToken = url.pathname === '/oauth/token';
      const arrival: Arrival = {
        atMs: nowMs(),
        method: request.method,
        path: url.pathname,
        key: request.headers['idempotency-key'] ?? null,
        email: isToken ? null : tokens.userOf(request.headers['authorization']),
        companyId: request.headers['service-company-id'] ?? null,
        isOfNetwork,
        status: 0,
      };
      arrivals.push(arrival);
      const api = (): WireAnswer =>
        request.method === 'GET'
          ? get(url.pathname, url.searchParams, request, arrival.email)
          : write(request, arrival);
      const answer = isToken ? token(request, arrival.key) : api();
      arrival.status = answer.status;
      return answer;
    },
    setting: (productId, companyId = world.companyId) => settingsOf(companyId).get(productId) ?? false,
    enabled: (companyId = world.companyId) =>
      new Set([...settingsOf(companyId)].filter(([, isEnabled]) => isEnabled).map(([productId]) => productId)),
    restoreByOther: (userId) => {
      const companyId = [...companies.keys()].find((id) => users.statusOf(id, userId) === 204);
      if (companyId !== undefined) {
        users.restore(companyId, userId, null);
      }
    },
    changeByOther: (productId, isEnabled) => {
      effects.push({
        atMs: nowMs(),
        productId,
        isEnabled,
        key: null,
        email: null,
        companyId: world.companyId,
        before: settingsOf(world.companyId).get(productId) ?? false,
        status: 0,
      });
      settingsOf(world.companyId).set(productId, isEnabled);
      trace.add(`other ${productId.slice(-4)} ${isEnabled ? 'on' : 'off'}`);
    },
  };
}
