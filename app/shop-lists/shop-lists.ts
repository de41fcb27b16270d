//   F1  A file says what one till has. Taking it makes another till have the same: what the file does not have goes.
//       Before, a person sees what would change.
//   F2  A file is of one company at a platform, and of the stocks that it names; no others are touched. A search goes on
//       meaning the stocks that it was saved in.
//   F3  Of a plan that comes, what is past is not made, and not told as missed: the other till made it. The user who takes
//       the file is the one who plans here. A plan that is here already stays with its user and its moments.
//   F4  A plan that has left in a file, or has come in one, is shared; coupons/planner.ts (P7) says what that means.
//   F5  Nor is a file taken that a clock ahead of this till's has saved: no right one would be newer. One that was taken all
//       the same makes way for any right one.
import { maxCouponPlans } from '../contract/limits/coupon-sets.ts';
import { maxListsChanges, maxListsLength } from '../contract/limits/shop-lists.ts';
import type { PlanTimes } from '../contract/coupon-sets.ts';
import type { ForeseenLists, ListsChange } from '../contract/shop-lists.ts';
import { nextMoment } from '../coupons/plan-times.ts';
import { plansOf } from '../coupons/planned.ts';
import { tidy } from '../coupons/planner.ts';
import type { CouponScope } from '../coupons/repository.ts';
import type { CouponSets } from '../coupons/sets.ts';
import type { Failure } from '../domain/failure.ts';
import { isStampAhead } from '../domain/date-time.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import type { SteadyTime } from '../queue/steady-time.ts';
import type { Database } from '../storage/database.ts';
import type { WatchList } from '../watch-list/watch-list.ts';
import { minimumSteps, setSteps, type HeldSet, type MinimumStep, type SetStep } from './changes.ts';
import { readLists, writeLists, type ShopLists } from './file.ts';
import { createTaking, skippedOf, type Taker } from './taking.ts';

export interface ShopListsParts {
  readonly scope: CouponScope & { readonly stockIds: readonly Id[] };
  readonly database: Database;
  readonly sets: CouponSets;
  readonly watchList: Pick<WatchList, 'minima' | 'take'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly steady: Pick<SteadyTime, 'at'>;
  readonly offsetMinutes: (at: number) => number;
  /** Null where the copy has no such product. */
  readonly nameOf: (productId: Id) => string | null;
}

interface Steps {
  readonly minima: readonly MinimumStep[];
  readonly sets: readonly SetStep[];
}

/** Every call throws StorageError. */
export type ShopListsCalls = ReturnType<typeof openShopLists>;

const nothing: ForeseenLists = {
  fault: null,
  savedAt: null,
  takenSavedAt: null,
  counts: { minimum: 0, set: 0, plan: 0 },
  ofOtherStocks: 0,
  setsOfOtherStocks: 0,
  changes: [],
};

function changesOfSets(steps: readonly SetStep[]): readonly ListsChange[] {
  return steps.flatMap((step): readonly ListsChange[] => {
    if (step.did === 'removed') {
      const { name, plans } = step.held;
      return [
        { kind: 'set', did: 'removed', name },
        ...plans.map(({ times }) => ({ kind: 'plan', did: 'removed', name, times }) as const),
      ];
    }
    const { name } = step.shared;
    const { added, over, removed, kept } = step.plans;
    const plan = (did: 'added' | 'changed' | 'over' | 'removed') => (one: { readonly times: PlanTimes }) =>
      ({ kind: 'plan', did, name, times: one.times }) as const;
    return [
      ...(step.did === 'same' ? [] : [{ kind: 'set', did: step.did, name } as const]),
      ...added.map(plan('added')),
      ...kept.flatMap(({ differs, shared }) => (differs ? [plan('changed')(shared)] : [])),
      ...removed.map(plan('removed')),
      ...over.map(plan('over')),
    ];
  });
}

function changesOf({ minima, sets: ofSets }: Steps): readonly ListsChange[] {
  return [
    ...changesOfSets(ofSets),
    ...minima.map(({ stockId, productId, from, minimum }) => ({
      kind: 'minimum' as const,
      stockId,
      productId,
      name: null,
      from,
      to: minimum,
    })),
  ];
}

const count = (changes: readonly ListsChange[], kind: ListsChange['kind']): number =>
  changes.filter((change) => change.kind === kind && !(change.kind === 'plan' && change.did === 'over')).length;

const countsOf = (changes: readonly ListsChange[]): ForeseenLists['counts'] => ({
  minimum: count(changes, 'minimum'),
  set: count(changes, 'set'),
  plan: count(changes, 'plan'),
});

/** How much of a file is of stocks that the open profile does not have. */
function elsewhereIn({ minima, sets }: ShopLists, { elsewhereOf }: Pick<CouponSets, 'elsewhereOf'>) {
  const stockIds = elsewhereOf(Object.keys(minima) as Id[]);
  return {
    ofOtherStocks: stockIds.reduce((sum, stockId) => sum + Object.keys(minima[stockId] ?? {}).length, 0),
    setsOfOtherStocks: sets.filter(({ how }) => how.kind === 'search' && elsewhereOf(how.stockIds ?? []).length > 0)
      .length,
  };
}

/** When the newest file that was taken here was saved. */
function openTaken(database: Database, { platform, companyId }: CouponScope) {
  const read = database.prepare<{ saved_at: number }>(
    'SELECT saved_at FROM taken_lists WHERE platform = ? AND company_id = ?',
  );
  const write = database.prepare(
    `INSERT INTO taken_lists (platform, company_id, saved_at) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET saved_at = ?3`,
  );
  return {
    /** 0 for none, and for one of a clock that was ahead (F5). */
    savedAt: (now: number): number => {
      const at = read.get(platform, companyId)?.saved_at ?? 0;
      return isStampAhead(at, now) ? 0 : at;
    },
    note: (savedAt: number): void => {
      write.run(platform, companyId, savedAt);
    },
  };
}

/** Opens the shop's lists of one company as a file for its tills. */
export function openShopLists(parts: ShopListsParts) {
  const { scope, database, sets, watchList, clock, steady, offsetMinutes, nameOf } = parts;
  const { platform, companyId, stockIds } = scope;
  const takeSets = createTaking(parts);
  const taken = openTaken(database, scope);

  const isOver =
    (now: number) =>
    (times: PlanTimes): boolean =>
      [true, false].every((isEnabled) => nextMoment(times, isEnabled, now, offsetMinutes) === null);

  /** The sets of this till, with their plans that are still to come. */
  function heldSets(now: number): readonly HeldSet[] {
    const over = isOver(now);
    // By the clock as it is now, for another till knows nothing of the clock by which a plan was made here.
    const plans = Map.groupBy(plansOf({ sets, offsetMinutes }), ({ setId }) => setId);
    return sets.list().flatMap(({ setId, name }) => {
      const how = sets.how(setId);
      const toCome = (plans.get(setId) ?? [])
        .filter(({ times }) => !over(times))
        .map((plan) => ({ ...plan, skipped: skippedOf(sets, plan.planId, now) }));
      return how === null ? [] : [{ setId, name, how, plans: toCome }];
    });
  }

  function stepsOf(lists: ShopLists, now: number): Steps {
    // What has become of moments that are past stays (F3).
    const toCome = lists.sets.map(({ plans, ...set }) => ({
      ...set,
      plans: plans.map(({ times, skipped }) => ({ times, skipped: skipped.filter(({ dueAt }) => dueAt > now) })),
    }));
    return {
      minima: minimumSteps(watchList.minima(), lists.minima, stockIds),
      sets: setSteps(heldSets(now), toCome, isOver(now)),
    };
  }

  /** With the name of its product; not of all, for they may be very many. */
  function named(change: ListsChange): ListsChange {
    return change.kind === 'minimum' ? { ...change, name: nameOf(change.productId) } : change;
  }

  function faultOf(lists: ShopLists, now: number): ForeseenLists['fault'] {
    if (lists.platform !== platform || lists.companyId !== companyId) {
      return 'otherShop'; // F2
    }
    return isStampAhead(lists.savedAt, now) ? 'ahead' : null; // F5
  }

  return {
    /** The file of what this till has; from then on its plans are shared. Fails with `inputInvalid` where it is too long, or could not be read. */
    write: (): Result<string, Failure> => {
      const now = clock.now();
      const held = heldSets(now);
      const kept = Map.groupBy(watchList.minima(), ({ stockId }) => stockId);
      const text = writeLists({
        savedAt: now,
        platform,
        companyId,
        minima: Object.fromEntries(
          stockIds.map((stockId) => [
            stockId,
            Object.fromEntries((kept.get(stockId) ?? []).map(({ productId, minimum }) => [productId, minimum])),
          ]),
        ) as ShopLists['minima'],
        sets: held.map(({ name, how, plans }) => ({
          name,
          how,
          plans: plans.map(({ times, skipped }) => ({ times, skipped })),
        })),
      });
      // One with a set that a failing disk has altered no other till could read.
      if (text.length > maxListsLength || !readLists(text).ok) {
        return fail({ kind: 'inputInvalid' });
      }
      database.transaction(() => held.forEach(({ plans }) => plans.forEach(({ planId }) => sets.share(planId))));
      return succeed(text);
    },

    foresee: (text: string): ForeseenLists => {
      const read = readLists(text);
      if (!read.ok) {
        return { ...nothing, fault: read.failure };
      }
      const lists = read.value;
      const now = clock.now();
      const fault = faultOf(lists, now);
      if (fault !== null) {
        return { ...nothing, fault, savedAt: lists.savedAt };
      }
      const changes = changesOf(stepsOf(lists, now));
      const takenAt = taken.savedAt(now);
      return {
        ...nothing,
        savedAt: lists.savedAt,
        takenSavedAt: takenAt > lists.savedAt ? takenAt : null,
        counts: countsOf(changes),
        ...elsewhereIn(lists, sets),
        changes: changes.slice(0, maxListsChanges).map(named),
      };
    },

    /** All of it or, where that fails, nothing: with `inputInvalid` for what cannot be taken, and with `plansFull`. */
    take: (text: string, taker: Taker): Result<ForeseenLists['counts'], Failure> => {
      const read = readLists(text);
      const now = clock.now();
      if (!read.ok || faultOf(read.value, now) !== null) {
        return fail({ kind: 'inputInvalid' });
      }
      const lists = read.value;
      tidy(sets, steady, now);
      const steps = stepsOf(lists, now);
      const goes = steps.sets.flatMap((step) => (step.did === 'removed' ? step.held.plans : step.plans.removed)).length;
      const comes = steps.sets.flatMap((step) => (step.did === 'removed' ? [] : step.plans.added)).length;
      if (sets.plans().length - goes + comes > maxCouponPlans) {
        return fail({ kind: 'plansFull' });
      }
      watchList.take(steps.minima, () => {
        taken.note(Math.max(taken.savedAt(now), lists.savedAt));
        takeSets(steps.sets, taker, now);
      });
      return succeed(countsOf(changesOf(steps)));
    },
  };
}
