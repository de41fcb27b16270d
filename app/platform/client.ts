// The typed client of the platform's REST API v3: one function an operation, each answering a Result.
import type { z } from 'zod';
import type { ProductBatches } from '../contract/batches.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import type { Slot } from '../rate-limit/slots.ts';
import type { Lane, Purpose } from '../rate-limit/lanes.ts';
import type { Failure, FailureKind } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { mostValues } from '../domain/json.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { HttpResponse } from '../ports.ts';
import { isTokenOf, type AccessToken } from './access-token.ts';
import { failureOf, readAnswer, readPlatformTime } from './answer.ts';
import { batchesAnswerSchema } from './batches.ts';
import type { Exchange } from './exchange.ts';
import type { ListedElement } from './listing/listed-element.ts';
import type { IdentifiedOption, StockName, StockProduct } from './listing/stock-fields.ts';
import { listingAnswerSchema } from './listing/wire.ts';
import { couponSettingsPath } from './paths.ts';
import {
  isIdempotencyKey,
  queryOf,
  refusalOfListing,
  type BalanceQuery,
  type BatchesQuery,
  type CouponSettingsQuery,
  maxPerPage,
  type ListingQuery,
} from './query.ts';
import { scopesAnswerSchema } from './scopes.ts';
import { balanceAnswerSchema, couponSettingsAnswerSchema } from './wire.ts';

/** A call's wishes of the rate limit, and the way to call it off. */
export interface CallOptions {
  readonly lane: Lane;
  /** It takes only a slot that nobody else wants (B8 of app/rate-limit). */
  readonly isSpare?: boolean;
  readonly signal?: AbortSignal;
  /**
   * A person waits for the answer as long as this signal stands: when it aborts, a call that still waits for its slot
   * fails with `cancelled` and costs none, and one that has left goes on. A 429 is followed by another try when its
   * pause is over, three in all.
   */
  readonly whileWanted?: AbortSignal;
  /** The e-mail of whoever the call is for; whoever is signed in when it is made, unless it is named. */
  readonly user?: string;
  /** Under whose sign-in it leaves; under that of whoever is signed in, unless it is given. */
  readonly tokens?: TokenSource;
  /** Called when the slot is granted and the request leaves; again for each repetition. Where it aborts `whileWanted`, it does not leave. */
  readonly onLeaving?: () => void;
}

/** One page of API v3 §4.3. */
export interface ListingPage {
  /** In their order; one that cannot be read has no product. */
  readonly elements: readonly ListedElement[];
  readonly currentPage: number;
  readonly lastPage: number;
  readonly perPage: number;
  readonly total: number;
  /**
   * The platform's clock when it answered, in milliseconds since 1970; null without a `Date` header that can be read.
   */
  readonly platformTime: number | null;
}

/** API v3 §4.4, of the movements and options that were asked for. */
export interface BalanceAnswer {
  readonly stock: StockName;
  readonly product: StockProduct;
  /** May be negative and have decimals. */
  readonly balance: number;
  readonly options: readonly IdentifiedOption[];
}

/** What was asked for one figure: its balance, or a listing by these ids, its own the first. */
export type FiguresAnswer =
  | { readonly kind: 'balance'; readonly balance: BalanceAnswer }
  | {
      readonly kind: 'listing';
      readonly productIds: readonly Id[];
      readonly elements: Result<readonly ListedElement[], Failure>;
    };

/** One setting of API v3 §4.6. */
export interface CouponSetting {
  readonly productId: Id;
  readonly isEnabled: boolean;
}

/** Where the client gets its tokens from; the session is one, and so is each kept sign-in. */
export interface TokenSource {
  /** The e-mail of whoever is signed in by it now; null when nobody is. */
  user(): string | null;
  /** A token that is good as far as is known. */
  accessToken(): Promise<Result<AccessToken, Failure>>;
  /** A newer token than the one that the platform refused; the session's may be another user's by then. */
  renew(refusedToken: string): Promise<Result<AccessToken, Failure>>;
}

/** One attempt at a writing request; the bytes and the key are the queue's. */
export interface Sending {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey: string;
  readonly accessToken: AccessToken;
  /** The e-mail of whoever asked for it. */
  readonly user: string;
  /** Their sign-in; that of whoever is signed in, unless it is given. */
  readonly tokens?: TokenSource;
  /** Ended by the call, unless it fails with `inputInvalid` or `userChanged`. */
  readonly slot: Slot;
  readonly signal?: AbortSignal;
}

/**
 * One function an operation. Besides what each names, each fails as the network, the session or the answer did
 * (`readAnswer`); and with `userChanged`, unsent, when the token is not of the user whom the call is for or when that
 * sign-in is another's, or nobody's, by the time that it leaves.
 */
export interface PlatformClient {
  /** API v3 §4.3. Fails with `inputInvalid` when a parameter is out of its bounds; nothing was sent then. */
  listStockProducts(query: ListingQuery, options: CallOptions): Promise<Result<ListingPage, Failure>>;
  /** API v3 §4.4. Fails with `answerMalformed` when the answer speaks of another product or stock. */
  readBalance(query: BalanceQuery, options: CallOptions): Promise<Result<BalanceAnswer, Failure>>;
  /**
   * The balance of one product (API v3 §4.4); where other terminals wait for products of its stock when the slot is
   * granted, one listing of all instead (API v3 §4.3 `product_ids`), whose failure is in the answer. Fails likewise.
   */
  readFigures(
    query: Pick<BalanceQuery, 'stockId' | 'productId'>,
    options: CallOptions,
  ): Promise<Result<FiguresAnswer, Failure>>;
  /** API v3 §4.5. Fails with `answerMalformed` when the answer speaks of another product. */
  listBatches(query: BatchesQuery, options: CallOptions): Promise<Result<ProductBatches, Failure>>;
  /**
   * API v3 §4.6, of this company: with the header that most operations require (§5 rule 5), though it is not listed
   * there. Fails with `answerMalformed` when the answer speaks of another company.
   */
  listCouponSettings(
    query: CouponSettingsQuery,
    options: CallOptions,
  ): Promise<Result<readonly CouponSetting[], Failure>>;
  /** The same without the header: of whichever company the platform takes it for, unless the answer names another. */
  listSettingsOfUnnamedCompany(
    query: CouponSettingsQuery,
    options: CallOptions,
  ): Promise<Result<readonly CouponSetting[], Failure>>;
  /** API v3 §4.2: the scopes that the platform knows, as far as its answer can be read; needs no sign-in. */
  listScopes(options: CallOptions): Promise<Result<readonly string[], Failure>>;
  /**
   * Sends the exact bytes of a coupon update (API v3 §4.7) or a restoration (API v3 §4.8) under their key and answers
   * whatever came, of any status. Fails with `inputInvalid`, unsent, for a key that is empty or longer than 100
   * characters (API v3 §8). The caller holds the slot and the token, for it must put the attempt on disk between taking
   * the slot and sending.
   */
  write(sending: Sending): Promise<Result<HttpResponse, Failure>>;
}

export interface ClientPorts {
  readonly exchange: Exchange;
  readonly rateLimit: Pick<RateLimit, 'take' | 'slowDown' | 'wantedFigures'>;
  readonly tokens: TokenSource;
  readonly companyId: Id;
}

/** An answer about another product or stock than was asked for must not be kept under this one's name. */
function isOther(answered: StockProduct | StockName, asked: Id): boolean {
  return answered.id !== null && answered.id !== asked;
}

const otherThing: Failure = {
  kind: 'answerMalformed',
  message: 'the answer speaks of another product, stock or company',
};
const noKey: Failure = { kind: 'inputInvalid', message: 'Idempotency-Key' };

const maxTriesWhileWanted = 3;

interface Call extends CallOptions {
  readonly isOfCompany: boolean;
  readonly purpose: Purpose;
}

function purposeOf({ term, productIds, updatedFrom, page }: ListingQuery): Purpose {
  if (term !== undefined) {
    return { kind: 'question', subject: term };
  }
  return productIds !== undefined
    ? { kind: 'sweep', subject: null }
    : { kind: updatedFrom === undefined ? 'listing' : 'changes', subject: String(page) };
}

function listingPath(query: ListingQuery): string {
  return `/api/v3/stocks/${query.stockId}/products${queryOf({
    term: query.term,
    order_by_field: query.orderByField,
    order_by_type: query.orderByType,
    product_ids: query.productIds,
    amount_in_stock: query.amountInStock,
    page: query.page,
    per_page: query.perPage,
    updated_from: query.updatedFrom,
  })}`;
}

function balancePath({ stockId, productId, movementType, optionIds }: BalanceQuery): string {
  return `/api/v3/stocks/${stockId}/products/${productId}/balance${queryOf({ movement_type: movementType, option_ids: optionIds })}`;
}

function readBalanceOf({ stockId, productId }: BalanceQuery, response: HttpResponse): Result<BalanceAnswer, Failure> {
  const read = readAnswer(response, balanceAnswerSchema);
  return read.ok && (isOther(read.value.product, productId) || isOther(read.value.stock, stockId))
    ? fail(otherThing)
    : read;
}

/** By status or by code: the document ties an expired authentication to its code alone (API v3 §5 rule 6). */
function isRefusedAs(
  kind: FailureKind,
  answer: Result<HttpResponse, Failure>,
): answer is { readonly ok: true; readonly value: HttpResponse } {
  return answer.ok && answer.value.status >= 400 && failureOf(answer.value).kind === kind;
}

/** The parts that the operations share: a call's slot, its token with its renewal, and its repetition after a 429. */
function createCalls({ exchange, rateLimit, tokens: ofTheScreen, companyId }: ClientPorts) {
  /** The token's text for the header, at the moment in which the call leaves. */
  function attach(token: AccessToken, user: string, tokens: TokenSource = ofTheScreen): Result<string, Failure> {
    return isTokenOf(token, user) && isTokenOf(token, tokens.user())
      ? succeed(token.text)
      : fail({ kind: 'userChanged' });
  }

  async function attempt(
    pathNow: () => string,
    carried: { readonly token: AccessToken; readonly user: string } | null,
    { isOfCompany, purpose, lane, isSpare, signal, whileWanted, onLeaving, tokens }: Call,
  ): Promise<Result<HttpResponse, Failure>> {
    const ends = [signal, whileWanted].filter((end) => end !== undefined);
    const end = ends.length > 1 ? AbortSignal.any(ends) : ends[0];
    const slot = await rateLimit.take(lane, end, purpose, isSpare);
    if (!slot.ok) {
      return slot;
    }
    const accessToken = carried === null ? null : attach(carried.token, carried.user, tokens);
    if (accessToken?.ok === false) {
      slot.value.giveBack();
      return accessToken;
    }
    onLeaving?.();
    if (whileWanted?.aborted === true) {
      slot.value.giveBack();
      return fail({ kind: 'cancelled' });
    }
    const answer = await exchange({
      slot: slot.value,
      method: 'GET',
      path: pathNow(),
      ...(accessToken === null ? {} : { accessToken: accessToken.value }),
      ...(isOfCompany ? { companyId } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    // Without a token it is not this application's limit that is used up.
    if (carried !== null && isRefusedAs('tooManyRequests', answer)) {
      // mutant: a refusal for too many requests is not told by the listing (I13, I5)
      rateLimit.slowDown(failureOf(answer.value).retryAfterMs);
    }
    return answer;
  }

  /** `pathNow` is asked when the slot is granted. */
  async function ask(pathNow: () => string, call: Call): Promise<Result<HttpResponse, Failure>> {
    const tokens = call.tokens ?? ofTheScreen;
    const user = call.user ?? tokens.user();
    const token = await tokens.accessToken();
    if (!token.ok) {
      return token;
    }
    let current = { token: token.value, user: user ?? token.value.user };
    let answer = await attempt(pathNow, current, call);
    if (isRefusedAs('unauthorized', answer)) {
      const renewed = await tokens.renew(current.token.text);
      if (!renewed.ok) {
        return renewed;
      }
      current = { ...current, token: renewed.value };
      answer = await attempt(pathNow, current, call);
    }
    for (
      let tries = 1;
      isRefusedAs('tooManyRequests', answer) && call.whileWanted?.aborted === false && tries < maxTriesWhileWanted;
      tries += 1
    ) {
      answer = await attempt(pathNow, current, call);
    }
    return answer;
  }

  async function get<Shape>(
    path: string,
    schema: z.ZodType<Shape>,
    call: Call,
  ): Promise<Result<{ body: Shape; response: HttpResponse }, Failure>> {
    const answer = await ask(() => path, call);
    if (!answer.ok) {
      return answer;
    }
    const response = answer.value;
    const most = call.purpose.kind === 'coupons' ? mostValues : undefined;
    return mapResult(readAnswer(response, schema, most), (body) => ({ body, response }));
  }

  return { attach, attempt, ask, get };
}

/** Makes the client of one company at one platform. */
export function createPlatformClient(ports: ClientPorts): PlatformClient {
  const { exchange, companyId, rateLimit } = ports;
  const { attach, attempt, ask, get } = createCalls(ports);

  async function listSettings(
    { productId, isEnabled }: CouponSettingsQuery,
    options: CallOptions,
    isOfCompany: boolean,
  ) {
    const path = `${couponSettingsPath}${queryOf({ product_id: productId, is_enabled: isEnabled })}`;
    const answer = await get(path, couponSettingsAnswerSchema, {
      ...options,
      isOfCompany,
      purpose: { kind: 'coupons', subject: null },
    });
    if (!answer.ok) {
      return answer;
    }
    const { items } = answer.value.body;
    // mutant: settings that name another company are taken for this one's (I4)
    if (items.some((item) => item.company_id !== null && item.company_id !== companyId)) {
      return fail(otherThing);
    }
    // A platform that does not know a filter answers more than was asked for.
    return succeed(
      items
        .map((item) => ({ productId: item.product_id, isEnabled: item.is_enabled }))
        .filter(
          (setting) =>
            (productId === undefined || setting.productId === productId) &&
            (isEnabled === undefined || setting.isEnabled === isEnabled),
        ),
    );
  }

  return {
    listStockProducts: async (query, options) => {
      const refusal = refusalOfListing(query);
      if (refusal !== null) {
        return fail(refusal);
      }
      const path = listingPath(query);
      const answer = await get(path, listingAnswerSchema, { ...options, isOfCompany: true, purpose: purposeOf(query) });
      if (!answer.ok) {
        return answer;
      }
      const { body, response } = answer.value;
      return succeed({ ...body, platformTime: readPlatformTime(response.headers) });
    },
    readBalance: async (query, options) => {
      const answer = await ask(() => balancePath(query), {
        ...options,
        isOfCompany: true,
        purpose: { kind: 'balance', subject: query.productId },
      });
      return answer.ok ? readBalanceOf(query, answer.value) : answer;
    },
    readFigures: async ({ stockId, productId }, options) => {
      const scope = `${companyId}/${stockId}`;
      let productIds: readonly Id[] = [productId];
      const pathNow = (): string => {
        // mutant: others' figures are not asked for with one's own (H15)
        productIds = [...new Set([productId, ...rateLimit.wantedFigures(scope)])].slice(0, maxPerPage);
        return productIds.length === 1
          ? balancePath({ stockId, productId })
          : listingPath({ stockId, productIds, page: 1, perPage: maxPerPage, amountInStock: 'all' });
      };
      const purpose: Purpose = { kind: 'balance', subject: productId, figure: { scope, productId } };
      const answer = await ask(pathNow, { ...options, isOfCompany: true, purpose });
      if (!answer.ok) {
        return answer;
      }
      return productIds.length === 1
        ? mapResult(readBalanceOf({ stockId, productId }, answer.value), (balance) => ({ kind: 'balance', balance }))
        : succeed({
            kind: 'listing',
            productIds,
            // Where more follow, a product's row may be one of several (combined-rows.ts).
            elements: mapResult(readAnswer(answer.value, listingAnswerSchema), ({ elements, total }) =>
              total > elements.length ? [] : elements,
            ),
          });
    },
    listBatches: async ({ stockId, productId, optionIds }, options) => {
      const answer = await get(
        `/api/v3/stocks/${stockId}/products/${productId}/batches${queryOf({ option_ids: optionIds })}`,
        batchesAnswerSchema,
        { ...options, isOfCompany: true, purpose: { kind: 'batches', subject: productId } },
      );
      if (!answer.ok) {
        return answer;
      }
      const { body } = answer.value;
      return isOther(body.product, productId) ? fail(otherThing) : succeed(body);
    },
    // mutant: the settings are asked without the company (I2, I3, I4)
    listCouponSettings: (query, options) => listSettings(query, options, true),
    listSettingsOfUnnamedCompany: (query, options) => listSettings(query, options, false),
    listScopes: async (options) => {
      const answer = await attempt(() => '/oauth/scopes', null, {
        ...options,
        isOfCompany: false,
        purpose: { kind: 'connection', subject: null },
      });
      return answer.ok ? readAnswer(answer.value, scopesAnswerSchema) : answer;
    },
    write: async ({ accessToken, user, tokens, ...sending }) => {
      if (!isIdempotencyKey(sending.idempotencyKey)) {
        return fail(noKey);
      }
      const attached = attach(accessToken, user, tokens);
      return attached.ok ? exchange({ ...sending, accessToken: attached.value, companyId }) : attached;
    },
  };
}
