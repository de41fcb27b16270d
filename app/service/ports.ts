// The four ports of the service: what API v3 needs of a shop. A port may answer at once or later; one that throws makes
// the request a 500, and nothing of it is kept.
import type { Id } from '../domain/int64.ts';

export type Eventually<Value> = Value | Promise<Value>;

/** A change, made by `Ledger.change` alone. What it writes, it writes by the ledger, and it waits for nothing. */
export type Effect = () => void;

/** Thrown where what a change builds on is gone since it was read. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whoever sends its credentials is answered 401 (API v3 §7). */
  readonly isDeactivated: boolean;
}

export interface Company {
  readonly id: Id;
  readonly name: string;
  /** Whether the users may use the stock and coupon resources of this company (API v3 §5 rule 6). */
  readonly isPermitted: boolean;
  /** Whether coupons are enabled in the ERP settings (API v3 §4.7). */
  readonly hasCoupons: boolean;
}

export interface Stock {
  readonly id: Id;
  readonly name: string;
  readonly companyId: Id;
}

/** Who may call, and for which company. */
export interface Accounts {
  applications(): readonly Application[];
  /** The id of the user who may sign in with these; null when there is none. */
  signIn(email: string, password: string): Eventually<string | null>;
  /** False for a user who was deleted since signing in. */
  isActive(userId: string): Eventually<boolean>;
  /** At least one; the first is meant where a request need not name any. */
  companies(): readonly [Company, ...Company[]];
  stocks(): readonly Stock[];
  /** API v3 §4.8: the change that restores a deleted user, or why there is none. */
  restore(userId: string): Eventually<Effect | 'unknown' | 'active' | 'emailTaken'>;
}

export interface Option {
  readonly id: bigint;
  readonly name: string;
}

export interface Product {
  readonly id: bigint;
  readonly name: string;
  readonly code: string | null;
  readonly barcodes: readonly string[];
  readonly department: string | null;
  readonly unit: { readonly id: bigint | number; readonly code: string; readonly name: string } | null;
  readonly options: readonly Option[];
  /** Facts that API v3 does not show. */
  readonly shop: {
    readonly price: number | null;
    readonly supplier: string | null;
    readonly aisle: string | null;
  } | null;
}

export interface ListedProduct {
  readonly product: Product;
  readonly amount: number;
  /** Milliseconds since 1970; null when the source does not know. */
  readonly updatedAt: number | null;
}

export const amountFilters = ['all', 'positive', 'negative', 'zero'] as const;
export type AmountFilter = (typeof amountFilters)[number];

/** One page of a listing (API v3 §4.3); null filters nothing. */
export interface Listing {
  readonly term: string | null;
  readonly productIds: ReadonlySet<bigint> | null;
  readonly amount: AmountFilter | null;
  /** Milliseconds since 1970: what was changed then or later. */
  readonly updatedFrom: number | null;
  readonly orderBy: 'id' | 'code' | 'name';
  readonly isAscending: boolean;
  /** May lie beyond the last one. */
  readonly offset: number;
  readonly limit: number;
}

export const movementTypes = ['all', 'in', 'out'] as const;
export type MovementType = (typeof movementTypes)[number];

export interface OptionAmount {
  readonly option: Option;
  readonly amount: number;
}

/** Exits are negative. */
export interface Balance {
  readonly product: Product;
  readonly amount: number;
  /** Adding up to the amount; empty for a product without options. */
  readonly options: readonly OptionAmount[];
}

export interface Batch {
  readonly id: bigint;
  readonly name: string | null;
  readonly amount: number;
  /** Milliseconds since 1970. */
  readonly enteredAt: number | null;
  readonly expiresAt: number | null;
}

/** The goods of a shop. */
export interface Source {
  /** What `movement_type` can be answered (API v3 §4.4); any other is refused. */
  readonly movements: readonly MovementType[];
  /** `total` counts what the filters let through on all pages. */
  list(
    stock: Stock,
    listing: Listing,
  ): Eventually<{ readonly total: number; readonly products: readonly ListedProduct[] }>;
  /** Null for an unknown product. */
  readBalance(stock: Stock, productId: bigint, movement: MovementType): Eventually<Balance | null>;
  /** The batches of the whole product, or of these of its options; null for an unknown product. */
  listBatches(
    stock: Stock,
    productId: bigint,
    optionIds: ReadonlySet<bigint> | null,
  ): Eventually<{ readonly product: Product; readonly batches: readonly Batch[] } | null>;
  /** Those of the ids that are products. */
  findKnown(productIds: ReadonlySet<bigint>): Eventually<ReadonlySet<bigint>>;
}

export interface CouponSetting {
  readonly productId: Id;
  readonly isEnabled: boolean;
}

/** Who changes a setting, and when. */
export interface CouponCause {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly idempotencyKey: string | null;
  readonly clientId: string | null;
  readonly userId: string | null;
}

/** The consumption-coupon settings. */
export interface Coupons {
  /** Every setting of the company, or that of one product. */
  list(
    companyId: Id,
    productId: bigint | null,
  ): Eventually<readonly (CouponSetting & { readonly productName: string | null })[]>;
  /** The change of these settings, all or none. */
  change(companyId: Id, settings: readonly CouponSetting[], cause: CouponCause): Effect;
}

export interface TokenRow {
  readonly kind: 'access' | 'refresh';
  readonly clientId: string;
  readonly userId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

/** The first answer to a key of an application. */
export interface AnswerRecord extends KeptAnswer {
  readonly clientId: string;
  readonly key: string;
}

/** A request that wants to pass the rate limit. */
export interface Admission {
  readonly clientId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Arrivals at this moment or before count no more. */
  readonly since: number;
  readonly limit: number;
  readonly isRefusalCounted: boolean;
}

/** What must outlive a restart. Each call is atomic, also among several processes. */
export interface Ledger {
  /** Null when the request may pass, which then counts; else when the arrival was that must first grow old. */
  admit(admission: Admission): Eventually<number | null>;
  readAnswer(clientId: string, key: string): Eventually<KeptAnswer | null>;
  /**
   * Makes the change and keeps the answer for ever, both or neither. Where its key has an answer already, nothing is
   * changed, and that one is returned. Throws OvertakenError.
   */
  change(effect: Effect | null, record: AnswerRecord | null): Eventually<KeptAnswer | null>;
  readToken(hash: string): Eventually<TokenRow | null>;
  /** Part of an effect. */
  addToken(hash: string, row: TokenRow): void;
  /** Part of an effect, which is overtaken where the token is gone. */
  spendToken(hash: string): void;
}

/** A shop as the service sees it. */
export interface Shop {
  readonly accounts: Accounts;
  readonly source: Source;
  readonly coupons: Coupons;
  readonly ledger: Ledger;
  /** The sample call of API v3 §4.9; without it there is no such resource. */
  readonly createCategory?: () => { readonly id: number; readonly effect: Effect };
}
