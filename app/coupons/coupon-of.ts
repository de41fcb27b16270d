import type { CouponState } from '../contract/coupons.ts';
import type { Id } from '../domain/int64.ts';
import type { OpenQueue } from '../queue/shown-updates.ts';
import { isSettledNow } from './bulk-switch.ts';
import { couponFrom } from './coupon-state.ts';
import type { SharedCoupons } from './shared-coupons.ts';
import type { CouponRepository } from './repository.ts';

/** The part of an open store that decides how its coupons are shown. */
export interface OpenCoupons extends OpenQueue {
  readonly coupons: CouponRepository;
  /** Null where the terminal takes part in no hub. */
  readonly sharedCoupons: SharedCoupons | null;
  /** Whether the settings were read whole just now. */
  areCouponsFresh(): boolean;
}

/** The state that the coupon switch of a product shows now. */
export function couponOf(open: OpenCoupons, productId: Id): CouponState {
  const owner = open.owner();
  const ownerId = owner === null ? 0 : open.queueRepository.knownOwnerId(owner);
  const wanted = owner === null ? undefined : open.queueRepository.openOfProduct(ownerId, productId);
  const ofOther = open.queueRepository.openOfOther(ownerId, open.target, productId);
  return couponFrom(
    open.coupons.confirmed(open.target, productId),
    wanted,
    open.queueRepository.underWay(),
    ofOther === undefined ? undefined : { ...ofOther, isSignInNeeded: !open.sendsFor(ofOther.email) },
    open.sharedCoupons?.waitingFor(productId),
  );
}

/** Whether the coupon waits to be as asked for, or the platform has said just now that it is. */
export function isCouponSet(open: OpenCoupons | null, productId: Id, isEnabled: boolean): boolean {
  if (open === null) {
    return false;
  }
  const coupon = couponOf(open, productId);
  const isFresh = open.areCouponsFresh() && !open.coupons.hearsay(open.target).has(productId);
  return coupon.isEnabled === isEnabled && coupon.status !== 'parked' && isSettledNow(coupon, isFresh);
}
