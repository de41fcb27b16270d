import type { CouponState } from '../contract/coupons.ts';
import { foldCoupon, type OpenUpdate } from './fold.ts';
import type { OpenCoupon, OpenCouponOfOther } from '../queue/rows.ts';
import { readFailure } from '../queue/shown-updates.ts';

function toOpenUpdate(row: OpenRow | undefined, underWay: number | null): OpenUpdate | null {
  if (row === undefined || (row.state !== 'pending' && row.state !== 'sealed' && row.state !== 'parked')) {
    return null;
  }
  const isSending = row.state === 'sealed' && row.request_id !== null && row.request_id === underWay;
  const open = isSending ? 'sending' : 'waiting';
  const state = row.state === 'parked' ? 'parked' : open;
  return { isEnabled: row.is_enabled === 1, state, failure: readFailure(row.failure) };
}

type OpenRow = Omit<OpenCoupon, 'subject_id'>;

/**
 * The state that a coupon switch shows, from the confirmed setting (null when nobody knows), the newest open update
 * with the request that is under way now, and the newest open ones of another user and of another till.
 */
export function couponFrom(
  confirmed: boolean | null,
  open: OpenRow | undefined,
  underWay: number | null,
  ofOther?: Omit<OpenCouponOfOther, 'subject_id'> & { readonly isSignInNeeded: boolean },
  ofTill?: CouponState['ofTill'],
): CouponState {
  const folded = foldCoupon(confirmed, toOpenUpdate(open, underWay));
  const state = ofTill === undefined ? folded : { ...folded, ofTill };
  return ofOther === undefined
    ? state
    : {
        ...state,
        ofOther: {
          email: ofOther.email.slice(0, 320),
          isEnabled: ofOther.is_enabled === 1,
          isParked: ofOther.state === 'parked',
          isSignInNeeded: ofOther.isSignInNeeded,
        },
      };
}
