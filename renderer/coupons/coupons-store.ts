import type { StoreApi } from 'zustand/vanilla';
import { maxChosen } from '../../app/contract/limits/coupons.ts';
import type { CouponFilter, CouponPage, CouponRow, CouponState } from '../../app/contract/coupons.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';
import { couponBulk, type CouponBulk } from './coupon-bulk.ts';
import { createBulk } from '../stores/bulk-store.ts';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';
import { createRowChoice, type RowChoice } from '../stores/row-selection.ts';
import type { MakeStore } from '../stores/make-store.ts';

/** The filters of the list. */
export interface CouponQuery {
  readonly filter: CouponFilter;
  readonly term: string;
}

export const everyCoupon: CouponQuery = { filter: 'all', term: '' };

/** 1. Of several switches of one product, only the last one's answer counts. */
export interface CouponStore {
  /** Where the moved switches stand, by product, until the main process has answered. */
  readonly moved: ReadonlyMap<Id, boolean>;
  readonly switchFailure: { readonly productId: Id; readonly failure: Failure } | null;
  readonly isRefreshing: boolean;
  readonly refreshFailure: Failure | null;
  /** Answers true once the change is durable, and nothing newer was asked for meanwhile. */
  readonly move: (productId: Id, isEnabled: boolean) => Promise<boolean>;
  readonly refresh: () => Promise<void>;
}

/** A switch as it is shown: `keeping` has been asked for and is not on disk yet. */
export interface ShownCoupon extends Omit<CouponState, 'status'> {
  readonly status: CouponState['status'] | 'keeping';
}

/**
 * The state that a switch shows. One that was moved stays as it was until the PIN that it needs is given; a change is
 * shown as waiting only once it is on disk.
 */
export function shownCoupon(coupon: CouponState, moved: boolean | undefined, needsPin: boolean): ShownCoupon {
  return moved === undefined || needsPin ? coupon : { ...coupon, isEnabled: moved, status: 'keeping', failure: null };
}

export interface CouponStores {
  readonly store: StoreApi<CouponStore>;
  readonly list: StoreApi<PagedList<CouponRow, CouponQuery>>;
  readonly choice: StoreApi<RowChoice<Id>>;
  readonly many: StoreApi<CouponBulk>;
  /** Nobody looks any more: whoever looks next sees only what fits the filter by then. */
  readonly leave: (top?: number) => void;
  /** Facts on the whole list, as of the last answer. */
  readonly facts: () => Pick<CouponPage, 'isCut'>;
  /** The query listed now: as it is narrowed down, in the view that was last answered. */
  readonly listed: () => CouponQuery & { readonly view?: number };
}

/** Opens them; `beginSwitch` hears of every switch, and what it answers of every one that is durable. */
export function createCouponStores(
  make: MakeStore,
  bridge: Bridge,
  beginSwitch: (productId: Id) => (coupon: CouponState) => void,
  later: Later,
): CouponStores {
  const counts = new Map<Id, number>();
  let facts: Pick<CouponPage, 'isCut'> = { isCut: false };
  // The view of the list as it is narrowed down now; what it has shown stays in its place.
  let view: number | undefined;
  // An answer to what was asked before the list was narrowed down anew must not bring the view before back.
  let narrowing = 0;
  const narrowAnew = (): void => {
    view = undefined;
    narrowing += 1;
  };
  const placed = (): { view?: number } => (view === undefined ? {} : { view });
  const list = createPagedList<CouponRow, CouponQuery>(
    make,
    async (query, offset, limit) => {
      const mine = narrowing;
      const page = await bridge.call('coupon:list', { ...query, ...placed(), offset, limit });
      if (page.ok && mine === narrowing) {
        facts = { isCut: page.value.isCut };
        ({ view } = page.value);
      }
      return page;
    },
    everyCoupon,
    { keepsRows: true },
  );
  const choice = createRowChoice<Id>(make, {
    max: maxChosen,
    total: () => list.getState().total ?? 0,
    idAt: (place) => list.getState().rows.get(place)?.productId,
    ids: async (offset, limit) => {
      const found = await bridge.call('coupon:listIds', { ...list.getState().filter, ...placed(), offset, limit });
      return mapResult(found, ({ productIds }) => productIds);
    },
  });
  const many = createBulk(make, couponBulk(bridge), later, (productIds) => {
    choice.getState().choose(productIds);
    list.getState().readAgain();
  });
  list.subscribe((now, before) => {
    if (now.filter !== before.filter) {
      narrowAnew();
      choice.getState().forgetPlaces();
    } else if (now.rows !== before.rows) {
      void choice.getState().look();
    }
  });
  const store = make<CouponStore>({ keeps: ['isRefreshing'] }, (set, get, visit) => ({
    moved: new Map(),
    switchFailure: null,
    isRefreshing: false,
    refreshFailure: null,

    async move(productId, isEnabled) {
      const isStillHere = visit();
      const mine = (counts.get(productId) ?? 0) + 1;
      counts.set(productId, mine);
      set({ moved: new Map(get().moved).set(productId, isEnabled), switchFailure: null });
      const takeCoupon = beginSwitch(productId);
      const switched = await bridge.call('coupon:switch', { productId, isEnabled });
      if (counts.get(productId) !== mine) {
        return false;
      }
      if (switched.ok) {
        takeCoupon(switched.value);
      }
      const moved = new Map(get().moved);
      moved.delete(productId);
      set({
        moved,
        ...(isStillHere() ? { switchFailure: switched.ok ? null : { productId, failure: switched.failure } } : {}),
      });
      list.getState().readAgain();
      return switched.ok;
    },

    async refresh() {
      if (get().isRefreshing) {
        return;
      }
      const isStillHere = visit();
      set({ isRefreshing: true, refreshFailure: null });
      const refreshed = await bridge.call('coupon:refresh', {});
      set({ isRefreshing: false, refreshFailure: refreshed.ok || !isStillHere() ? null : refreshed.failure });
      list.getState().readAgain();
    },
  }));
  return {
    store,
    list,
    choice,
    many,
    leave: (top) => {
      list.getState().leave(top);
      narrowAnew();
      choice.getState().forgetShown();
      list.getState().readAgain();
    },
    facts: () => facts,
    listed: () => ({ ...list.getState().filter, ...placed() }),
  };
}
