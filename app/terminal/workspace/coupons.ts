import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { CouponList } from '../../coupons/list.ts';
import { startPlanner, type Planner, type PlanMade } from '../../coupons/planner.ts';
import { openCouponSets, type CouponSets } from '../../coupons/sets.ts';
import { openSharedCoupons, type SharedCoupons } from '../../coupons/shared-coupons.ts';
import { openCouponStore, type CouponStore } from '../../coupons/store.ts';
import type { Ports } from '../../ports.ts';
import type { Queue } from '../../queue/queue.ts';
import type { Confirm } from '../../queue/settlement.ts';
import { openSteadyTime, type SteadyTime } from '../../queue/steady-time.ts';
import { openQueueStore, type QueueStore } from '../../queue/store.ts';
import type { Database } from '../../storage/database.ts';
import type { OpenedRateLimit } from './rate-limit.ts';
import type { WorkspaceTarget } from './target.ts';

export interface OpenCoupons {
  readonly coupons: CouponStore;
  readonly queueStore: QueueStore;
  readonly steady: SteadyTime;
  /** Null where the terminal takes part in no hub. */
  readonly sharedCoupons: SharedCoupons | null;
  /** Whether a profile, or the queue, names another company of this platform. */
  readonly hasOtherCompany: () => boolean;
}

export interface OpenPlans {
  readonly couponSets: CouponSets;
  readonly planner: Planner;
}

interface PlansOver extends Pick<OpenCoupons, 'coupons' | 'queueStore' | 'steady'> {
  readonly queue: Queue;
  readonly couponList: CouponList;
  readonly catalogue: Catalogue;
  readonly pause: () => Promise<boolean>;
}

export interface PlanListeners {
  readonly onPlanMade: (made: PlanMade) => void;
  /** A plan of the set of this name has missed a moment. */
  readonly onPlanMissed: (name: string) => void;
}

/** What queue.db holds of coupons: the confirmed settings, and the updates whose delivery confirms them. */
export function openCouponsAndQueue(
  { queueDatabase: { database }, hub }: OpenedRateLimit,
  { clock }: Pick<Ports, 'clock'>,
  target: WorkspaceTarget,
  catalogue: Catalogue,
  onSharedChange: () => void,
): OpenCoupons {
  const coupons = openCouponStore(database);
  const confirm: Confirm = (scope, settings, mark) => {
    coupons.confirm(scope, settings, mark);
    if (scope.platform === target.platform && scope.companyId === target.companyId) {
      sharedCoupons?.noteDelivered(settings);
    }
  };
  const steady = openSteadyTime(database, clock, target.steadyOffsets);
  const queueStore = openQueueStore(
    database,
    confirm,
    target.queueLimits,
    () => target.rateLimitRules().windowMs,
    (productId) => catalogue.nameOf(productId)?.name ?? null,
    steady,
  );
  const sharedCoupons =
    hub === null
      ? null
      : openSharedCoupons({
          texts: hub.texts,
          clock,
          scope: target,
          till: target.hub?.self.name ?? '',
          isMember: (id) => Object.hasOwn(hub.member.state().document?.members ?? {}, id),
          queueStore,
          coupons,
          onChange: onSharedChange,
        });
  const hasOtherCompany = (): boolean => target.hasOtherCompany() || queueStore.hasOtherCompany(target);
  return { coupons, queueStore, steady, sharedCoupons, hasOtherCompany };
}

/** Saved choices of coupons, and what switches them by itself. */
export function openPlans(
  { clock, shell }: Ports,
  target: WorkspaceTarget,
  database: Database,
  { catalogue, ...parts }: PlansOver,
  { onPlanMade, onPlanMissed }: PlanListeners,
): OpenPlans {
  const couponSets = openCouponSets(database, target);
  const planner = startPlanner(
    {
      ...parts,
      scope: target,
      clock,
      offsetMinutes: (at) => shell.offsetMinutes(at),
      graceMinutes: target.planGraceMinutes,
      nameOf: (productId) => catalogue.nameOf(productId)?.name ?? null,
      database,
      sets: couponSets,
      onMade: onPlanMade,
      onMissed: onPlanMissed,
      log: (message, details) => {
        shell.log('info', `plans: ${message}`, details);
      },
    },
    shell.isSafeMode === true,
  );
  return { couponSets, planner };
}
