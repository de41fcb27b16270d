import type { CouponFilter, CouponState } from '../../app/contract/coupons.ts';

/** True when a list that is narrowed down anew would hold it. */
export function fitsFilter(filter: CouponFilter, { isEnabled, standing }: CouponState): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'enabled':
      return isEnabled === true;
    case 'disabled':
      return isEnabled === false;
    case 'waiting':
      return standing === 'waiting' || standing === 'sending';
    case 'refused':
      return standing === 'parked';
  }
}
