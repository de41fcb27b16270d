import type { Catalogue } from '../catalogue/catalogue.ts';
import type { HandlersOf, WithOpen } from '../contract/bridge.ts';
import type { Failure, FailureKind } from '../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { OpenQueue } from '../queue/shown-updates.ts';
import type { Planner } from './planner.ts';
import type { CouponSets } from './sets.ts';

interface Open extends Pick<OpenQueue, 'owner' | 'queueRepository'> {
  readonly catalogue: Pick<Catalogue, 'match'>;
  readonly couponSets: CouponSets;
  readonly planner: Planner;
}

/** One handler for each call about sets of coupons and their plans. */
export function createCouponSetHandlers(withOpen: WithOpen<Open>): HandlersOf<'couponSet'> {
  /** Changes something of a set. Fails with `notFoundHere`, or with what the change answers where it is not null. */
  function changing(
    setIdOf: (open: Open) => number | undefined,
    change: (open: Open, setId: number) => FailureKind | null,
  ): Promise<Result<{ readonly setId: number; readonly name: string }, Failure>> {
    return withOpen((open) => {
      const setId = setIdOf(open);
      const set = setId === undefined ? null : open.couponSets.find(setId);
      if (setId === undefined || set === null) {
        return fail({ kind: 'notFoundHere' });
      }
      const kind = change(open, setId);
      if (kind !== null) {
        return fail({ kind });
      }
      open.planner.noteChange();
      return succeed({ setId, name: set.name });
    });
  }

  const ofPlan =
    (planId: number) =>
    ({ couponSets }: Open): number | undefined =>
      couponSets.plans().find((plan) => plan.planId === planId)?.setId;

  return {
    'couponSet:list': () => withOpen((open) => succeed({ sets: [...open.couponSets.list()] })),
    'couponSet:read': ({ setId }) =>
      withOpen(async (open) =>
        mapResult(await open.planner.productsOf(setId), (productIds) => ({ productIds: [...productIds] })),
      ),
    'couponSet:save': ({ setId, name, how }) =>
      withOpen((open) => {
        const saved = open.couponSets.save(setId, name, how, open.owner()?.email ?? '');
        if (saved === null) {
          return fail({
            kind: setId === null || open.couponSets.find(setId) !== null ? 'inputInvalid' : 'notFoundHere',
          });
        }
        open.planner.noteChange();
        return succeed({ setId: saved, name });
      }),
    'couponSet:match': ({ codes, areIds }) =>
      withOpen(async (open) =>
        mapResult(await open.catalogue.match(null, codes, areIds), (matches) => ({
          matches: matches.map((hits) => hits.map(({ productId, name }) => ({ productId, name }))),
        })),
      ),
    'couponSet:remove': ({ setId }) =>
      changing(
        () => setId,
        (open) => {
          open.couponSets.remove(setId);
          return null;
        },
      ),
    'couponSet:plan': ({ setId, times }) =>
      changing(
        () => setId,
        (open) => {
          const owner = open.owner();
          if (owner === null) {
            return 'signInNeeded';
          }
          const planned = open.planner.plan(setId, open.queueRepository.ownerId(owner), times);
          return planned.ok ? null : planned.failure.kind;
        },
      ),
    'couponSet:removePlan': ({ planId }) =>
      changing(ofPlan(planId), (open) => {
        open.couponSets.removePlan(planId);
        return null;
      }),
    'couponSet:listPlanned': () => withOpen((open) => succeed(open.planner.planned())),
    'couponSet:skip': ({ planId, day, isEnabled, isSkipped }) =>
      changing(ofPlan(planId), (open) =>
        open.planner.setSkipped(planId, day, isEnabled, isSkipped) ? null : 'inputInvalid',
      ),
    'couponSet:leaveMissed': ({ planId }) =>
      changing(ofPlan(planId), (open) => {
        open.couponSets.leave(planId);
        return null;
      }),
  };
}
