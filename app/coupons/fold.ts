import type { CouponState } from '../contract/coupons.ts';
import type { Failure } from '../domain/failure.ts';

/** The newest open update of a product, as far as the fold needs it. */
export interface OpenUpdate {
  readonly isEnabled: boolean;
  readonly state: 'waiting' | 'sending' | 'parked';
  readonly failure: Failure | null;
}

/** Folds the confirmed setting (null when nobody knows) and the newest open update into what the person sees. */
export function foldCoupon(confirmed: boolean | null, open: OpenUpdate | null): CouponState {
  if (open === null) {
    return { isEnabled: confirmed, status: confirmed === null ? 'unknown' : 'confirmed', failure: null };
  }
  if (open.state === 'parked') {
    // A refused setting does not hold: the switch goes back to the platform's.
    return { isEnabled: confirmed, status: 'parked', failure: open.failure };
  }
  return { isEnabled: open.isEnabled, status: open.state, failure: null };
}
