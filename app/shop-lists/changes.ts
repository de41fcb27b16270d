// What a file makes otherwise here, so that this till has what the till has that saved it. Both what is shown before and
// what is done follow from one list of steps.
import type { PlanTimes } from '../contract/coupon-sets.ts';
import type { WatchedMinimum } from '../contract/watch-list.ts';
import type { KeptHow } from '../coupons/sets.ts';
import type { Id } from '../domain/int64.ts';
import type { KeptMinimum } from '../watch-list/watch-list.ts';
import { sameTimes, type SharedPlan, type SharedSet, type ShopLists } from './file.ts';

/** A minimum as it is here, and as the file says; null for none. */
export interface MinimumStep extends WatchedMinimum {
  readonly from: number | null;
}

/** The minimums of these stocks that differ; other stocks of the file are left out. */
export function minimumSteps(
  kept: readonly KeptMinimum[],
  minima: ShopLists['minima'],
  stockIds: readonly Id[],
): readonly MinimumStep[] {
  const here = Map.groupBy(kept, ({ stockId }) => stockId);
  return stockIds.flatMap((stockId) => {
    const wanted = minima[stockId];
    if (wanted === undefined) {
      return [];
    }
    const before = new Map((here.get(stockId) ?? []).map(({ productId, minimum }) => [productId, minimum]));
    const goes = [...before.keys()].filter((productId) => wanted[productId] === undefined);
    return [...(Object.keys(wanted) as Id[]), ...goes].flatMap((productId): readonly MinimumStep[] => {
      const from = before.get(productId) ?? null;
      const minimum = wanted[productId] ?? null;
      return from === minimum ? [] : [{ stockId, productId, from, minimum }];
    });
  });
}

interface HeldPlan {
  readonly planId: number;
  readonly times: PlanTimes;
  /** Other tills may have it, too (P7 of coupons/planner.ts). */
  readonly isShared: boolean;
  /** Moments to come that are left out. */
  readonly skipped: SharedPlan['skipped'];
}

/** A set of this till, with those of its plans that are still to come. */
export interface HeldSet {
  readonly setId: number;
  readonly name: string;
  readonly how: KeptHow;
  readonly plans: readonly HeldPlan[];
}

/** A plan of both is the same plan: what has become of its moments here stays. */
interface PlanSteps {
  readonly kept: readonly { readonly planId: number; readonly shared: SharedPlan; readonly differs: boolean }[];
  readonly added: readonly SharedPlan[];
  readonly over: readonly SharedPlan[];
  readonly removed: readonly HeldPlan[];
}

export type SetStep =
  | { readonly did: 'removed'; readonly held: HeldSet }
  | { readonly did: 'added'; readonly held: null; readonly shared: SharedSet; readonly plans: PlanSteps }
  | { readonly did: 'changed' | 'same'; readonly held: HeldSet; readonly shared: SharedSet; readonly plans: PlanSteps };

/** In one order, each once. */
const asOne = (texts: readonly string[]): string => [...new Set(texts)].toSorted().join(' ');

const isSameHow = (one: KeptHow, other: KeptHow): boolean =>
  one.kind === 'list' && other.kind === 'list'
    ? asOne(one.productIds) === asOne(other.productIds)
    : one.kind === 'search' &&
      other.kind === 'search' &&
      one.filter === other.filter &&
      one.term === other.term &&
      asOne(one.stockIds ?? []) === asOne(other.stockIds ?? one.stockIds ?? []);

const skipsOf = ({ skipped }: Pick<SharedPlan, 'skipped'>): string =>
  asOne(skipped.map(({ day, isEnabled }) => `${day}/${isEnabled}`));

/** `isOver`: none of its moments is still to come. */
function planSteps(
  held: readonly HeldPlan[],
  shared: SharedSet['plans'],
  isOver: (times: PlanTimes) => boolean,
): PlanSteps {
  const known = shared.flatMap((plan) => {
    const here = held.find(sameTimes(plan.times));
    return here === undefined
      ? []
      : [{ planId: here.planId, shared: plan, differs: !here.isShared || skipsOf(here) !== skipsOf(plan) }];
  });
  const fresh = shared.filter(({ times }) => !held.some(sameTimes(times)));
  return {
    kept: known,
    added: fresh.filter(({ times }) => !isOver(times)),
    over: fresh.filter(({ times }) => isOver(times)),
    removed: held.filter(({ times }) => !shared.some(sameTimes(times))),
  };
}

/** The sets of both in the order of the file, then those that go. Sets of one name are the same set. */
export function setSteps(
  held: readonly HeldSet[],
  shared: readonly SharedSet[],
  isOver: (times: PlanTimes) => boolean,
): readonly SetStep[] {
  const left = [...held];
  const steps = shared.map((set): SetStep => {
    const place = left.findIndex(({ name }) => name === set.name);
    const [here] = place === -1 ? [] : left.splice(place, 1);
    const plans = planSteps(here?.plans ?? [], set.plans, isOver);
    return here === undefined
      ? { did: 'added', held: null, shared: set, plans }
      : { did: isSameHow(here.how, set.how) ? 'same' : 'changed', held: here, shared: set, plans };
  });
  return [...steps, ...left.map((set): SetStep => ({ did: 'removed', held: set }))];
}
