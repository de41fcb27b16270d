import type { CouponFilter, CouponState } from '../../app/contract/coupons.ts';

/** True when a list that is narrowed down anew would hold it. */
export function fitsFilter(filter: CouponFilter, { isEnabled, status }: CouponState): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'enabled':
      return isEnabled === true;
    case 'disabled':
      return isEnabled === false;
    case 'waiting':
      return status === 'waiting' || status === 'sending';
    case 'refused':
      return status === 'parked';
  }
}
