import type { CouponState } from '../contract/coupons.ts';
import type { Id } from '../domain/int64.ts';
import type { Owner } from '../queue/rows.ts';
import type { QueueStore } from '../queue/store.ts';
import { isSettledNow } from './bulk-switch.ts';
import { couponFrom } from './coupon-state.ts';
import type { SharedCoupons } from './shared-coupons.ts';
import type { CouponScope, CouponStore } from './store.ts';

/** What of an open store tells how its coupons are shown. */
export interface OpenCoupons {
  readonly target: CouponScope;
  readonly coupons: CouponStore;
  readonly queueStore: QueueStore;
  /** Null where the terminal takes part in no hub. */
  readonly sharedCoupons: SharedCoupons | null;
  /** Null when nobody is signed in. */
  owner(): Owner | null;
  /** Whether what this user has asked for goes out as it is now. */
  readonly sendsFor: (email: string) => boolean;
  /** Whether the settings were read whole just now. */
  areCouponsFresh(): boolean;
}

/** What the coupon switch of a product shows now. */
export function couponOf(open: OpenCoupons, productId: Id): CouponState {
  const owner = open.owner();
  const ownerId = owner === null ? 0 : open.queueStore.knownOwnerId(owner);
  const wanted = owner === null ? undefined : open.queueStore.openOfProduct(ownerId, productId);
  const ofOther = open.queueStore.openOfOther(ownerId, open.target, productId);
  return couponFrom(
    open.coupons.confirmed(open.target, productId),
    wanted,
    open.queueStore.underWay(),
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
  return coupon.isEnabled === isEnabled && coupon.standing !== 'parked' && isSettledNow(coupon, open.areCouponsFresh());
}
