// Owns the mirror of coupon settings: the list, and the switches that a person has just moved and the main process has not
// answered yet. Never decides what a switch means, nor when it is sent.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { InvokeInput } from '../../app/contract/contract.ts';
import type { CouponRow, CouponState } from '../../app/contract/coupons.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Wall } from '../bridge.ts';
import { createPagedList, type PagedList } from './paged-list.ts';

export type CouponFilter = InvokeInput<'coupon:list'>['filter'];

/** 1. Of several switches of one product, only the last one's answer counts. */
export interface CouponMirror {
  /** Where the moved switches stand, by product, until the main process has answered. */
  readonly moved: ReadonlyMap<Id, boolean>;
  readonly switchFailure: { readonly productId: Id; readonly failure: Failure } | null;
  readonly isRefreshing: boolean;
  readonly refreshFailure: Failure | null;
  readonly move: (productId: Id, isEnabled: boolean) => Promise<void>;
  readonly refresh: () => Promise<void>;
}

export interface CouponStores {
  readonly mirror: StoreApi<CouponMirror>;
  readonly list: StoreApi<PagedList<CouponRow, CouponFilter>>;
}

/** Opens both; `onMoved` hears of every switch that is durable. */
export function createCouponStores(wall: Wall, onMoved: (productId: Id, coupon: CouponState) => void): CouponStores {
  const counts = new Map<Id, number>();
  const list = createPagedList<CouponRow, CouponFilter>(
    (filter, offset, limit) => wall.call('coupon:list', { filter, offset, limit }),
    'all',
  );
  const mirror = createStore<CouponMirror>((set, get) => ({
    moved: new Map(),
    switchFailure: null,
    isRefreshing: false,
    refreshFailure: null,

    async move(productId, isEnabled) {
      const mine = (counts.get(productId) ?? 0) + 1;
      counts.set(productId, mine);
      set({ moved: new Map(get().moved).set(productId, isEnabled), switchFailure: null });
      const switched = await wall.call('coupon:switch', { productId, isEnabled });
      if (counts.get(productId) !== mine) {
        return;
      }
      if (switched.ok) {
        onMoved(productId, switched.value);
      }
      const moved = new Map(get().moved);
      moved.delete(productId);
      set({ moved, switchFailure: switched.ok ? null : { productId, failure: switched.failure } });
      list.getState().readAgain();
    },

    async refresh() {
      if (get().isRefreshing) {
        return;
      }
      set({ isRefreshing: true, refreshFailure: null });
      const refreshed = await wall.call('coupon:refresh', {});
      set({ isRefreshing: false, refreshFailure: refreshed.ok ? null : refreshed.failure });
      list.getState().readAgain();
    },
  }));
  return { mirror, list };
}
