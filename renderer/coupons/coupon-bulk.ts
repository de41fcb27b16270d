import type { ManyCounted } from '../../app/contract/coupons.ts';
import type { Id } from '../../app/domain/int64.ts';
import { mapResult, succeed } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Bulk, BulkFeature } from '../stores/bulk-store.ts';

export type CouponAction = 'on' | 'off';
export type CouponBulk = Bulk<Id, CouponAction, ManyCounted>;

/** Switching many coupons, for the store that does it slice by slice. */
export function couponBulk(bridge: Bridge): BulkFeature<Id, CouponAction, ManyCounted> {
  return {
    keepsPlace: true,
    count: (action, productIds) => bridge.call('coupon:countMany', { productIds, isEnabled: action === 'on' }),
    sum: (left, right) => ({
      ...right,
      willChange: left.willChange + right.willChange,
      unsure: left.unsure + right.unsure,
      already: left.already + right.already,
      needed: left.needed + right.needed,
    }),
    perform: async (action, productIds, { ownerId, needed }, isFirst) => {
      const answer = await bridge.call('coupon:switchMany', {
        productIds,
        isEnabled: action === 'on',
        ownerId,
        needed: isFirst ? needed : 0,
      });
      if (!answer.ok) {
        return answer;
      }
      const { updateIds, already, undoForMs } = answer.value;
      const count = updateIds.length;
      const failure = count + already < productIds.length ? { kind: 'queueFull' as const } : null;
      return succeed({ count, updateIds, failure, shownForMs: undoForMs });
    },
    undo: async (updateIds, isLast) => {
      return mapResult(await bridge.call('coupon:undoMany', { updateIds, isLast }), ({ takenBack, sent }) => ({
        count: takenBack,
        sent,
      }));
    },
  };
}
