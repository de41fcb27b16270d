import { failureSchema } from '../contract/basics.ts';
import type { CouponState } from '../contract/coupons.ts';
import { foldCoupon, type OpenUpdate } from './fold.ts';
import type { Failure } from '../domain/failure.ts';
import { parseJson } from '../domain/json.ts';
import type { OpenCoupon, OpenCouponOfOther } from '../queue/rows.ts';

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

/**
 * What a coupon switch shows, from what is confirmed (null when nobody knows), the newest open update, and the newest
 * open ones of another user and of another till.
 */
export function couponFrom(
  confirmed: boolean | null,
  open: Omit<OpenCoupon, 'subject_id'> | undefined,
  ofOther?: Omit<OpenCouponOfOther, 'subject_id'>,
  ofTill?: CouponState['ofTill'],
): CouponState {
  const folded = foldCoupon(confirmed, toOpenUpdate(open));
  const state = ofTill === undefined ? folded : { ...folded, ofTill };
  return ofOther === undefined
    ? state
    : {
        ...state,
        ofOther: {
          email: ofOther.email.slice(0, 320),
          isEnabled: ofOther.is_enabled === 1,
          isParked: ofOther.state === 'parked',
        },
      };
}
