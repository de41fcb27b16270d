// Owns the typed client of the platform's REST API v3: one function an operation, each answering a Result. Every call
// takes its slot of the allowance and carries the session's token; this file never decides when to call, and never retries
// beyond the one renewal of an expired token.
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import type { Result } from '../domain/result.ts';
import type { Lane } from '../budget/budget.ts';

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

export interface PlatformClient {
  listStockProducts(query: ListingQuery, options: CallOptions): Promise<Result<ListingPage, Failure>>;
  readBalance(stockId: Id, productId: Id, options: CallOptions): Promise<Result<BalanceAnswer, Failure>>;
  listCouponSettings(options: CallOptions): Promise<Result<readonly CouponSetting[], Failure>>;
}
