import type { HandlersOf, WithOpen } from '../contract/bridge.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { Queue } from '../queue/queue.ts';
import type { CouponMany } from './bulk-switch.ts';
import { couponOf, isCouponSet, type OpenCoupons } from './coupon-of.ts';
import type { CouponList } from './list.ts';
import type { ReadingLane } from './refresh.ts';

interface Open extends OpenCoupons {
  readonly queue: Queue;
  readonly couponList: CouponList;
  readonly couponMany: CouponMany;
  /** Reads the coupon settings from the platform now. Fails as the call does, or with `signInNeeded`. */
  readCoupons(lane: ReadingLane): Promise<Result<void, Failure>>;
}

/** One handler for each call about coupons, one or many. */
export function createCouponHandlers(withOpen: WithOpen<Open>): HandlersOf<'coupon'> {
  return {
    'coupon:switch': ({ productId, isEnabled, source }) =>
      withOpen((open) => {
        if (source === 'program' && open.catalogue.nameOf(productId) === null) {
          return fail({ kind: 'notFoundHere' });
        }
        if (source === 'program' && isCouponSet(open, productId, isEnabled)) {
          return succeed(couponOf(open, productId));
        }
        const kept = open.queue.enqueue(productId, isEnabled, couponOf(open, productId).isEnabled);
        return mapResult(kept, () => couponOf(open, productId));
      }),
    'coupon:list': ({ offset, limit, ...query }) =>
      withOpen(async (open) => {
        const page = await open.couponList.page(query, offset, limit);
        return mapResult(page, (value) => ({ ...value, rows: [...value.rows] }));
      }),
    'coupon:listIds': ({ offset, limit, ...query }) =>
      withOpen(async (open) => {
        const page = await open.couponList.ids(query, offset, limit);
        return mapResult(page, (value) => ({ ...value, productIds: [...value.productIds] }));
      }),
    'coupon:countMany': ({ productIds, isEnabled }) => withOpen((open) => open.couponMany.count(productIds, isEnabled)),
    'coupon:switchMany': (slice) => withOpen((open) => open.couponMany.switchSlice(slice)),
    'coupon:undoMany': ({ updateIds, isLast }) => withOpen((open) => open.couponMany.takeBack(updateIds, isLast)),
    'coupon:refresh': () => withOpen(async (open) => mapResult(await open.readCoupons('person'), () => ({}))),
  };
}
