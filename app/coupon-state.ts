// Owns the reading of the queue's rows as coupon switches show them. Pure; never reads the database.
import { failureSchema } from './contract/basics.ts';
import type { CouponState } from './contract/coupons.ts';
import { foldCoupon, type OpenUpdate } from './coupons/fold.ts';
import type { Failure } from './domain/failure.ts';
import { parseJson } from './domain/json.ts';
import type { OpenCoupon } from './queue/rows.ts';

/** The failure that a row of the queue keeps; null when it keeps none. */
export function readFailure(text: string | null): Failure | null {
  // What a failing disk has altered is told as nothing; it must not hide the row.
  const failure = failureSchema.safeParse(text === null ? null : parseJson(text));
  return failure.success ? failure.data : null;
}

function toOpenUpdate(row: Omit<OpenCoupon, 'subject_id'> | undefined): OpenUpdate | null {
  if (row === undefined || (row.state !== 'pending' && row.state !== 'sealed' && row.state !== 'parked')) {
    return null;
  }
  return { isEnabled: row.is_enabled === 1, state: row.state, failure: readFailure(row.failure) };
}

/** What a coupon switch shows, from what is confirmed (null when nobody knows) and the newest open update. */
export function couponFrom(confirmed: boolean | null, open: Omit<OpenCoupon, 'subject_id'> | undefined): CouponState {
  return foldCoupon(confirmed, toOpenUpdate(open));
}
