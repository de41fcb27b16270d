import type { Catalogue } from '../../catalogue/catalogue.ts';
import { isCopied } from '../../contract/copied.ts';
import { createCouponMany } from '../../coupons/bulk-switch.ts';
import { createCouponList, type CouponList, type CouponListPorts } from '../../coupons/list.ts';
import { startPlanner } from '../../coupons/planner.ts';
import { createRecentLists } from '../../coupons/recent-list.ts';
import { openCouponSets } from '../../coupons/sets.ts';
import type { Id } from '../../domain/int64.ts';
import type { Connection } from '../../platform/connection.ts';
import { openShopLists } from '../../shop-lists/shop-lists.ts';
import type { WatchList } from '../../watch-list/watch-list.ts';
import { createQueueTable } from '../../queue/table.ts';
import { countChanges } from '../../storage/change-counter.ts';
import type { Database } from '../../storage/database.ts';
import type { ShopContext, WorkspaceTarget } from './context.ts';
import type { OpenUpdates } from './updates.ts';

interface ListsOver extends OpenUpdates {
  /** queue.db */
  readonly database: Database;
  readonly connection: Connection;
  readonly catalogue: Catalogue;
  readonly watchList: WatchList;
}

/** The same as long as no update, or nothing else that a card says of its product, has changed. Throws StorageError. */
function createListVersions(
  { database, coupons, queueRepository, sharedCoupons }: ListsOver,
  target: WorkspaceTarget,
  plansWaiting: () => string,
): () => { readonly queue: string; readonly coupons: string } {
  const updatesChanged = countChanges(database, 'updates');
  const shownChanged = ['confirmed_settings', 'minima'].map((table) => countChanges(database, table));
  const plansChanged = ['coupon_sets', 'coupon_plans', 'plan_moments'].map((table) => countChanges(database, table));
  return () => ({
    queue: [
      ...[updatesChanged, ...plansChanged, plansWaiting].map((changed) => changed()),
      queueRepository.underWay(),
    ].join(' '),
    // A coupon that a first reading did not list is off from then on.
    coupons: `${shownChanged.map((changed) => changed()).join(' ')} ${coupons.readAt(target) === null} ${sharedCoupons?.version() ?? 0} ${coupons.hearsayDropped()}`,
  });
}

/** The copy as a profile of these stocks alone would have it. */
const ofStocks = (catalogue: Catalogue, stockIds: readonly Id[]): CouponListPorts['catalogue'] => ({
  products: (term, most) => catalogue.products(term, most, stockIds),
  nameOf: (productId) =>
    stockIds.map((stockId) => catalogue.hit({ stockId, productId })).find((hit) => hit !== null) ?? null,
});

/** Opens what the screens of coupons and the queue list, and the plans by which coupons are switched. */
export function openLists(
  { ports, target, listeners, pause, offsetMinutes, logOf, onAbort }: ShopContext,
  over: ListsOver,
) {
  const { clock, shell } = ports;
  const { platform, companyId } = target;
  const { database, connection, catalogue, senders, queueRepository, sharedCoupons, areCouponsFresh } = over;
  const parts = { ...over, clock, scope: target, shop: target, offsetMinutes, pause };
  const listParts: CouponListPorts = {
    ...parts,
    isCopied: () => isCopied(catalogue.state().stocks),
    ofTill: (productId) => sharedCoupons?.waitingFor(productId),
  };
  const couponList = createCouponList(listParts);
  // A plan goes by what was read: any till that has the shop's key says of a coupon what it likes.
  const read = { ...over.coupons, list: over.coupons.listRead };
  // Asked only when a set is looked up: it keeps nothing.
  const listFor = (email: string | null, stockIds: readonly Id[]): CouponList =>
    createCouponList({
      ...listParts,
      catalogue: ofStocks(catalogue, stockIds),
      isCopied: () => isCopied(catalogue.state().stocks.filter(({ stockId }) => stockIds.includes(stockId))),
      ...(email === null ? {} : { owner: () => ({ platform, companyId, email }), coupons: read }),
    });
  const recent = createRecentLists({ ...over, hasHearsay: () => over.coupons.hearsay(target).size > 0 });
  const couponSets = openCouponSets(database, target);
  const nameOf = (productId: Id): string | null => catalogue.nameOf(productId)?.name ?? null;
  const planner = startPlanner(
    {
      ...parts,
      graceMinutes: target.planGraceMinutes,
      listFor: (email, stockIds) => {
        const list = listFor(email, stockIds);
        // Who asks by hand sees how old the settings are.
        return email === null ? list : recent(list, email);
      },
      nameOf,
      sets: couponSets,
      onMade: listeners.onPlanMade,
      onMissed: (name) => listeners.notify('planMissed', name),
      log: logOf('plans'),
    },
    shell.isSafeMode === true,
  );
  onAbort(() => planner.close());
  return {
    couponList,
    couponMany: createCouponMany({ ...parts, isOnline: () => connection.isAnswered(), isReadFresh: areCouponsFresh }),
    queueTable: createQueueTable({
      ...parts,
      senderIds: () => senders().map((sender) => queueRepository.knownOwnerId(sender.owner)),
    }),
    couponSets,
    planner,
    shopLists: openShopLists({ ...parts, sets: couponSets, nameOf }),
    listVersions: createListVersions(over, target, planner.waiting),
  };
}
