// The parameters that the platform's operations take besides their path: typed parameters, their bounds (API v3 §4,
// §8), and how they are written into an address.
import { formatDateTime, parseDateTime } from '../domain/date-time.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';

/**
 * API v3 §4.3. Page and size are always said, so that no default of the platform's decides; absent ones are not sent.
 */
export interface ListingQuery {
  readonly stockId: Id;
  /** From 1 on. */
  readonly page: number;
  /** 1 to 100 (API v3 §8). */
  readonly perPage: number;
  readonly orderByField?: 'code' | 'name';
  readonly orderByType?: 'asc' | 'desc';
  /** A part of a name, a code or a barcode. */
  readonly term?: string;
  /** At least one. */
  readonly productIds?: readonly Id[];
  readonly amountInStock?: 'all' | 'positive' | 'negative' | 'zero';
  /** `YYYY-MM-DDThh:mm:ss+hh:mm` (API v3 §2 "Conventions"). */
  readonly updatedFrom?: string;
}

/** API v3 §4.4; without a movement type or options, all of them count. */
export interface BalanceQuery {
  readonly stockId: Id;
  readonly productId: Id;
  readonly movementType?: 'all' | 'in' | 'out';
  readonly optionIds?: readonly Id[];
}

/** API v3 §4.5; without options, all of them. */
export interface BatchesQuery {
  readonly stockId: Id;
  readonly productId: Id;
  readonly optionIds?: readonly Id[];
}

/** API v3 §4.6; nothing in it asks for every setting. */
export interface CouponSettingsQuery {
  readonly productId?: Id;
  readonly isEnabled?: boolean;
}

/** API v3 §8. */
export const maxPerPage = 100;
const maxKeyLength = 100;

/** Writes a query without absent parameters and empty lists, ids with commas between: "", or "?" and what follows. */
export function queryOf(
  parameters: Readonly<Record<string, string | number | boolean | readonly Id[] | undefined>>,
): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '').toWellFormed();
    // encodeURIComponent writes the "+" of an offset as %2B, which a query needs (API v3 §2 "Conventions").
    return value === undefined || (Array.isArray(value) && text === '') ? [] : [`${name}=${encodeURIComponent(text)}`];
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Why a listing cannot be asked for, or null. A list of no product is refused: left out it would ask for all. */
export function refusalOfListing({ page, perPage, productIds, updatedFrom }: ListingQuery): Failure | null {
  const updated = updatedFrom === undefined ? null : parseDateTime(updatedFrom);
  const wrong = [
    Number.isSafeInteger(page) && page >= 1 ? null : 'page',
    Number.isSafeInteger(perPage) && perPage >= 1 && perPage <= maxPerPage ? null : 'per_page',
    productIds?.length === 0 ? 'product_ids' : null,
    updatedFrom === undefined || (updated !== null && formatDateTime(updated) === updatedFrom) ? null : 'updated_from',
  ].filter((name) => name !== null);
  return wrong.length === 0 ? null : { kind: 'inputInvalid', message: wrong.join(', ') };
}

/** True for a key that a header can carry and the platform takes: 1 to 100 visible characters (API v3 §8). */
export function isIdempotencyKey(key: string): boolean {
  return key.length <= maxKeyLength && /^[!-~]+$/.test(key);
}
