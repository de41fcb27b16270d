import type { Catalogue } from '../../catalogue/catalogue.ts';
import { createCouponMany, type CouponMany } from '../../coupons/bulk-switch.ts';
import { createCouponList, type CouponList } from '../../coupons/list.ts';
import type { Connection } from '../../platform/connection.ts';
import type { Ports } from '../../ports.ts';
import type { Queue } from '../../queue/queue.ts';
import type { Sender } from '../../queue/queue-ports.ts';
import type { Owner } from '../../queue/rows.ts';
import { createQueueTable, type QueueTable } from '../../queue/table.ts';
import { countChanges } from '../../storage/change-counter.ts';
import type { Database } from '../../storage/database.ts';
import type { OpenCoupons } from './coupons.ts';
import type { WorkspaceTarget } from './target.ts';

export interface OpenLists {
  readonly couponList: CouponList;
  readonly couponMany: CouponMany;
  readonly queueTable: QueueTable;
}

interface ListsOver extends OpenCoupons {
  readonly owner: () => Owner | null;
  readonly senders: () => readonly Sender[];
  /** Whether what this user has asked for goes out as it is now. */
  readonly sendsFor: (email: string) => boolean;
  readonly queue: Queue;
  readonly connection: Connection;
  readonly catalogue: Catalogue;
  /** Whether the coupon settings were read whole just now. */
  readonly areCouponsFresh: () => boolean;
}

export type ListVersions = () => { readonly queue: string; readonly coupons: string };

/** What the screens of coupons and the queue list. */
export function createLists(
  { clock, shell }: Ports,
  target: WorkspaceTarget,
  parts: ListsOver,
  pauseOpen: () => Promise<boolean>,
): OpenLists {
  const { owner, sendsFor, queue, connection, catalogue, coupons, queueStore, sharedCoupons, areCouponsFresh } = parts;
  const isOnline = (): boolean => connection.isAnswered();
  return {
    couponList: createCouponList({
      scope: target,
      owner,
      sendsFor,
      queueStore,
      coupons,
      ofTill: (productId) => sharedCoupons?.waitingFor(productId),
      catalogue,
      pause: pauseOpen,
    }),
    couponMany: createCouponMany({
      scope: target,
      clock,
      owner,
      isOnline,
      isReadFresh: areCouponsFresh,
      queue,
      queueStore,
      coupons,
    }),
    queueTable: createQueueTable({
      clock,
      shop: target,
      offsetMinutes: (at) => shell.offsetMinutes(at),
      senderIds: () => parts.senders().map((sender) => queueStore.knownOwnerId(sender.owner)),
      queue,
      queueStore,
      catalogue,
      pause: pauseOpen,
    }),
  };
}

/** The same as long as no update, or no confirmed setting, has changed. Throws StorageError. */
export function createListVersions(
  database: Database,
  { coupons, queueStore, sharedCoupons }: Pick<OpenCoupons, 'coupons' | 'queueStore' | 'sharedCoupons'>,
  target: WorkspaceTarget,
): ListVersions {
  const updatesChanged = countChanges(database, 'updates');
  const settingsChanged = countChanges(database, 'confirmed_settings');
  const plansChanged = ['coupon_sets', 'coupon_plans', 'plan_moments'].map((table) => countChanges(database, table));
  return () => ({
    queue: [...[updatesChanged, ...plansChanged].map((changed) => changed()), queueStore.underWay()].join(' '),
    // What a first reading did not list is off from then on.
    coupons: `${settingsChanged()} ${coupons.readAt(target) === null} ${sharedCoupons?.version() ?? 0}`,
  });
}
