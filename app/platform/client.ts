// Owns the typed client of the platform's REST API v3: one function an operation, each answering a Result. Every call
// takes its slot of the allowance and carries the session's token; this file never decides when to call, and never retries
// beyond the one renewal of an expired token.
import type { z } from 'zod';
import type { Budget } from '../budget/budget.ts';
import type { Lane } from '../budget/lanes.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { HttpResponse } from '../ports.ts';
import { failureOf, readAnswer, readPlatformTime } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { couponSettingsPath } from './paths.ts';
import { balanceAnswerSchema, couponSettingsAnswerSchema, listingAnswerSchema } from './wire.ts';

/** What a call wants of the allowance, and how it can be called off. */
export interface CallOptions {
  readonly lane: Lane;
  readonly signal?: AbortSignal;
}

/** The parameters of API v3 §4.3 that this app uses; absent ones are not sent. */
export interface ListingQuery {
  readonly stockId: Id;
  readonly page: number;
  /** 1 to 100 (API v3 §8). */
  readonly perPage: number;
  readonly orderByField?: 'code' | 'name';
  readonly orderByType?: 'asc' | 'desc';
  readonly term?: string;
  readonly productIds?: readonly Id[];
  readonly amountInStock?: 'all' | 'positive' | 'negative' | 'zero';
  /** `YYYY-MM-DDThh:mm:ss+hh:mm` (API v3 §2 "Conventions"). */
  readonly updatedFrom?: string;
}

/** One page of API v3 §4.3. */
export interface ListingPage {
  /** Elements as they came, integers beyond 2^53 as bigint; their fields are not documented. */
  readonly elements: readonly unknown[];
  readonly currentPage: number;
  readonly lastPage: number;
  readonly perPage: number;
  readonly total: number;
  /** The platform's clock when it answered, in milliseconds since 1970; null without a `Date` header that can be read. */
  readonly platformTime: number | null;
}

/** API v3 §4.4; only what is documented is certain, the rest is read tolerantly. */
export interface BalanceAnswer {
  readonly stock: Readonly<Record<string, unknown>>;
  readonly product: Readonly<Record<string, unknown>>;
  readonly balance: number;
  readonly balanceOptions: readonly unknown[];
}

/** One setting of API v3 §4.6; null where the answer did not say. */
export interface CouponSetting {
  readonly productId: Id;
  readonly isEnabled: boolean;
}

/** Where the client gets its tokens from; the session is one. */
export interface TokenSource {
  /** A token that is good as far as is known. */
  accessToken(): Promise<Result<string, Failure>>;
  /** A newer token than the one that the platform refused. */
  renew(refusedToken: string): Promise<Result<string, Failure>>;
}

/** One attempt at a writing request; the bytes and the key are the queue's. */
export interface Sending {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey: string;
  readonly accessToken: string;
  readonly signal?: AbortSignal;
}

export interface PlatformClient {
  /** API v3 §4.3. */
  listStockProducts(query: ListingQuery, options: CallOptions): Promise<Result<ListingPage, Failure>>;
  /** API v3 §4.4, all movements and options. */
  readBalance(stockId: Id, productId: Id, options: CallOptions): Promise<Result<BalanceAnswer, Failure>>;
  /** API v3 §4.6, all products; carries no company header. */
  listCouponSettings(options: CallOptions): Promise<Result<readonly CouponSetting[], Failure>>;
  /**
   * Sends the exact bytes of a coupon update (API v3 §4.7) or a restoration (API v3 §4.8) under their key and answers whatever
   * came, of any status. The caller holds the slot and the token, for it must put the attempt on disk between taking the slot and sending.
   */
  write(sending: Sending): Promise<Result<HttpResponse, Failure>>;
}

export interface ClientPorts {
  readonly exchange: Exchange;
  readonly budget: Budget;
  readonly tokens: TokenSource;
  readonly companyId: Id;
}

function toQueryText(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const text = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    // encodeURIComponent writes the "+" of an offset as %2B, which a query needs (API v3 §2 "Conventions").
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
  return text === '' ? '' : `?${text}`;
}

/** Makes the client of one company at one platform. */
export function createPlatformClient({ exchange, budget, tokens, companyId }: ClientPorts): PlatformClient {
  async function attempt(path: string, token: string, isOfCompany: boolean, { lane, signal }: CallOptions): Promise<Result<HttpResponse, Failure>> {
    const slot = await budget.take(lane, signal);
    if (!slot.ok) {
      return slot;
    }
    const answer = await exchange({
      method: 'GET',
      path,
      accessToken: token,
      ...(isOfCompany ? { companyId } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    slot.value.settle();
    if (answer.ok && answer.value.status === 429) {
      budget.slowDown(failureOf(answer.value).retryAfterMs);
    }
    return answer;
  }

  async function get<Shape>(path: string, schema: z.ZodType<Shape>, isOfCompany: boolean, options: CallOptions): Promise<Result<{ body: Shape; response: HttpResponse }, Failure>> {
    const token = await tokens.accessToken();
    if (!token.ok) {
      return token;
    }
    let answer = await attempt(path, token.value, isOfCompany, options);
    if (answer.ok && answer.value.status === 401) {
      const renewed = await tokens.renew(token.value);
      if (!renewed.ok) {
        return renewed;
      }
      answer = await attempt(path, renewed.value, isOfCompany, options);
    }
    if (!answer.ok) {
      return answer;
    }
    const body = readAnswer(answer.value, schema);
    return body.ok ? succeed({ body: body.value, response: answer.value }) : fail(body.failure);
  }

  return {
    listStockProducts: async (query, options) => {
      const path = `/api/v3/stocks/${query.stockId}/products${toQueryText({
        term: query.term,
        order_by_field: query.orderByField,
        order_by_type: query.orderByType,
        product_ids: query.productIds?.join(','),
        amount_in_stock: query.amountInStock,
        page: query.page,
        per_page: query.perPage,
        updated_from: query.updatedFrom,
      })}`;
      const answer = await get(path, listingAnswerSchema, true, options);
      if (!answer.ok) {
        return answer;
      }
      const { data, meta } = answer.value.body;
      return succeed({
        elements: data.stock_products,
        currentPage: meta.current_page,
        lastPage: meta.last_page,
        perPage: meta.per_page,
        total: meta.total,
        platformTime: readPlatformTime(answer.value.response.headers),
      });
    },
    readBalance: async (stockId, productId, options) => {
      const answer = await get(`/api/v3/stocks/${stockId}/products/${productId}/balance`, balanceAnswerSchema, true, options);
      if (!answer.ok) {
        return answer;
      }
      const { stock, product, balance, balance_options: balanceOptions } = answer.value.body;
      return succeed({ stock, product, balance, balanceOptions });
    },
    listCouponSettings: async (options) => {
      const answer = await get(couponSettingsPath, couponSettingsAnswerSchema, false, options);
      return answer.ok ? succeed(answer.value.body.items.map((item) => ({ productId: item.product_id, isEnabled: item.is_enabled }))) : answer;
    },
    write: (sending) => exchange({ ...sending, companyId }),
  };
}
