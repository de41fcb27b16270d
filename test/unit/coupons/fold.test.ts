// The proof of what a coupon switch shows, over the whole of what can be known.
import { expect, test } from 'vitest';
import { couponStateSchema } from '../../../app/contract/coupons.ts';
import { foldCoupon } from '../../../app/coupons/fold.ts';

const failure = { kind: 'unprocessable', status: 422 } as const;

test('the fold of everything that can be confirmed and open', () => {
  for (const confirmed of [true, false, null]) {
    expect(foldCoupon(confirmed, null)).toEqual({
      isEnabled: confirmed,
      status: confirmed === null ? 'unknown' : 'confirmed',
      failure: null,
    });
    for (const isEnabled of [true, false]) {
      // A waiting setting is shown as if it held; a refused one is not, for it does not.
      expect(foldCoupon(confirmed, { isEnabled, state: 'waiting', failure })).toEqual({
        isEnabled,
        status: 'waiting',
        failure: null,
      });
      expect(foldCoupon(confirmed, { isEnabled, state: 'sending', failure })).toEqual({
        isEnabled,
        status: 'sending',
        failure: null,
      });
      const parked = foldCoupon(confirmed, { isEnabled, state: 'parked', failure });
      expect(parked).toEqual({ isEnabled: confirmed, status: 'parked', failure });
      expect(couponStateSchema.safeParse(parked).success).toBe(true);
    }
  }
});
