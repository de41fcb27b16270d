// Saved choices of coupons and their plans, in queue.db: a moment of a plan and its updates are one transaction. They
// belong to a company at a platform, whichever profile shows it. A search is looked up in the stocks that it was saved in
// and in no others, for another profile may have fewer or more.
import { z } from 'zod';
import { idSchema } from '../contract/basics.ts';
import {
  couponSetHowSchema,
  momentKeySchema,
  plannedSchema,
  planTimesSchema,
  type CouponPlan,
  type CouponSet,
  type CouponSetHow,
  type PlannedMoment,
  type PlanTimes,
} from '../contract/coupon-sets.ts';
import { maxCouponPlans, maxCouponSets, maxSetNameLength } from '../contract/limits/coupon-sets.ts';
import type { Id } from '../domain/int64.ts';
import { parseJson } from '../domain/json.ts';
import { shownEmail, shownText } from '../domain/shown-text.ts';
import type { Database } from '../storage/database.ts';
import type { CouponScope } from './repository.ts';

/** A moment of a plan and its outcome. */
export interface KeptMoment {
  readonly day: string;
  readonly isEnabled: boolean;
  readonly state: Exclude<PlannedMoment['state'], 'planned'>;
  readonly why: PlannedMoment['why'];
  /** When it was due, as the rules of the clock were then; in milliseconds since 1970. */
  readonly dueAt: number;
  readonly made: number;
}

/** What a set has; a search with the stocks in which it is looked up, unless they are those of whoever asks. */
export type KeptHow = CouponSetHow & { readonly stockIds?: readonly Id[] | undefined };
type SetHow =
  | Extract<CouponSetHow, { kind: 'list' }>
  | (Extract<CouponSetHow, { kind: 'search' }> & { readonly stockIds: readonly Id[] });

export interface KeptPlan extends CouponPlan {
  readonly setId: number;
  readonly setName: string;
  readonly ownerId: number;
  readonly createdAt: number;
  /** The same by the steady time; null for one of before that was noted. */
  readonly createdSteadyMs: number | null;
  /** So far ahead the clock was when it was made, as far as is known. */
  readonly aheadMs: number;
}

interface SetRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly search: string | null;
  readonly size: number;
}

interface PlanRow {
  readonly id: number;
  readonly set_id: number;
  readonly name: string;
  readonly owner_id: number;
  readonly email: string;
  readonly times: string;
  readonly created_at: number;
  readonly created_steady_ms: number | null;
  readonly ahead_ms: number;
  readonly is_shared: number;
}

interface MomentRow {
  readonly day: string;
  readonly is_enabled: number;
  readonly state: KeptMoment['state'];
  readonly why: PlannedMoment['why'];
  readonly due_at: number;
  readonly updates_made: number;
}

/** A moment that is made for a day that is so far ahead was made by a clock that was wrong, or is now. */
const wrongFromMs = 24 * 3_600_000;
/** It is expected again so long before it is due. */
const againBeforeMs = 3_600_000;

const idsSchema = couponSetHowSchema.options[0].shape.productIds;
const underWaySchema = z.array(z.object({ day: z.string(), productIds: z.array(idSchema) }));
/** A clock that is days ahead for a while switches another day on before the off of the real one. */
const maxUnderWay = 4;
const savedSearchSchema = z.object({
  filter: couponSetHowSchema.options[1].shape.filter,
  term: z.string(),
  stockIds: z.array(idSchema).max(50).optional(),
});

/** Those of them in which it is looked up: without words a search finds what is set, in whatever stock that is. */
export const searchedStocks = (term: string, stockIds: readonly Id[]): readonly Id[] =>
  term.trim() === '' ? [] : stockIds;

/** What a failing disk has altered is none of the reasons. */
const whySchema = plannedSchema.shape.made.element.shape.why.catch(null);
const isDay = (day: string): boolean => momentKeySchema.shape.day.safeParse(day).success;
const shownName = (name: string): string => shownText(name, maxSetNameLength);

/** Opens what became of the moments of plans. */
function openMoments(database: Database) {
  const moments = database.prepare<MomentRow>(
    `SELECT day, is_enabled, state, why, due_at, updates_made FROM plan_moments
     WHERE plan_id = ? AND (due_at >= ? OR state = 'missed') ORDER BY due_at`,
  );
  const keep = database.prepare(
    `INSERT INTO plan_moments (plan_id, day, is_enabled, state, why, due_at, updates_made) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const leave = database.prepare("UPDATE plan_moments SET state = 'left' WHERE plan_id = ? AND state = 'missed'");
  const resume = database.prepare(
    "DELETE FROM plan_moments WHERE plan_id = ? AND day = ? AND is_enabled = ? AND state = 'skipped'",
  );
  // Not the on of a day whose off was made and does not come again: nothing would switch it off.
  const expectAgain = database.prepare(
    `DELETE FROM plan_moments AS passed WHERE plan_id = ? AND state IN ('missed', 'left') AND due_at > ?
     AND NOT EXISTS (
       SELECT 1 FROM plan_moments AS later
       WHERE later.plan_id = passed.plan_id AND later.day = passed.day AND later.due_at > passed.due_at
       AND later.state = 'made' AND later.again_steady_ms IS NULL
     )`,
  );
  // It has come by the clock before its time: the clock was behind for a while.
  const unmark = database.prepare(
    'UPDATE plan_moments SET again_steady_ms = NULL WHERE plan_id = ?1 AND again_steady_ms > ?3 AND due_at <= ?2',
  );
  // mutant: what a clock ahead has made is not made on the real day (P1)
  const comeAgain = database.prepare('DELETE FROM plan_moments WHERE plan_id = ?1 AND again_steady_ms <= ?3');
  const mark = database.prepare(
    `UPDATE plan_moments SET again_steady_ms = ?3 + due_at - ?2 - ${againBeforeMs}
     WHERE plan_id = ?1 AND state = 'made' AND again_steady_ms IS NULL AND due_at > ?2 + ${wrongFromMs}`,
  );

  return {
    /**
     * The kept moments of the plan that were due from `fromMs` on, of whose outcomes a weekly one keeps all for ever, and
     * whatever was missed; in their order.
     */
    moments: (planId: number, fromMs = Number.MIN_SAFE_INTEGER): readonly KeptMoment[] =>
      moments
        .all(planId, fromMs)
        .filter(({ day }) => isDay(day))
        .map((row) => ({
          day: row.day,
          isEnabled: row.is_enabled === 1,
          state: row.state,
          why: whySchema.parse(row.why),
          dueAt: row.due_at,
          made: row.updates_made,
        })),

    /** Keeps what became of a moment, once: false when something has become of it before. */
    keep: (planId: number, { day, isEnabled, state, why, dueAt, made }: KeptMoment): boolean =>
      keep.run(planId, day, Number(isEnabled), state, why, dueAt, made).changes === 1,

    /** A person has been told what this plan missed. */
    leave: (planId: number): void => {
      leave.run(planId);
    },

    /** Plans again a moment that was to be skipped. */
    resume: (planId: number, day: string, isEnabled: boolean): void => {
      resume.run(planId, day, Number(isEnabled));
    },

    /** Somebody has set the clock back: what it said was missed is still to come. */
    expectAgain: (planId: number, now: number): boolean => expectAgain.run(planId, now).changes > 0,

    /**
     * A moment that was made for a day that is still far ahead comes again on that day, if so much time then has really
     * passed: a clock that was behind for a while makes nothing twice.
     */
    expectMadeAgain: (planId: number, now: number, steadyMs: number): void => {
      unmark.run(planId, now, steadyMs);
      comeAgain.run(planId, now, steadyMs);
      mark.run(planId, now, steadyMs);
    },
  };
}

/** Opens the plans of a shop's sets, with their moments. */
function openPlans(database: Database, shop: readonly [platform: string, companyId: Id]) {
  const plans = database.prepare<PlanRow>(
    // Also one whose owner a failing disk has altered, which is nobody's.
    `SELECT coupon_plans.id AS id, set_id, coupon_sets.name AS name, owner_id, coalesce(owners.email, '') AS email, times, created_at, created_steady_ms, ahead_ms, is_shared
     FROM coupon_plans JOIN coupon_sets ON coupon_sets.id = set_id LEFT JOIN owners ON owners.id = owner_id
     WHERE coupon_sets.platform = ? AND coupon_sets.company_id = ? ORDER BY coupon_plans.id`,
  );
  const addPlan = database.prepare(
    'INSERT INTO coupon_plans (set_id, owner_id, times, created_at, created_steady_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const setAhead = database.prepare('UPDATE coupon_plans SET ahead_ms = ? WHERE id = ?');
  const share = database.prepare('UPDATE coupon_plans SET is_shared = 1 WHERE id = ?');
  const keepUnderWay = database.prepare('UPDATE coupon_plans SET under_way = ? WHERE id = ?');
  const readUnderWay = database.prepare<{ under_way: string | null }>(
    'SELECT under_way FROM coupon_plans WHERE id = ?',
  );
  const removePlan = database.prepare('DELETE FROM coupon_plans WHERE id = ?');
  function daysUnderWay(planId: number): z.infer<typeof underWaySchema> {
    const kept = parseJson(readUnderWay.get(planId)?.under_way ?? '');
    // One version kept a single day.
    return underWaySchema.safeParse([kept].flat()).data ?? [];
  }
  function listPlans(): readonly KeptPlan[] {
    return plans.all(...shop).flatMap((row) => {
      const times = planTimesSchema.safeParse(parseJson(row.times));
      return times.success
        ? [
            {
              planId: row.id,
              setId: row.set_id,
              setName: shownName(row.name),
              ownerId: row.owner_id,
              email: shownEmail(row.email),
              times: times.data,
              createdAt: row.created_at,
              createdSteadyMs: row.created_steady_ms,
              aheadMs: row.ahead_ms,
              isShared: row.is_shared === 1,
            },
          ]
        : [];
    });
  }

  return {
    plans: listPlans,

    /** Null where there is no room for another. */
    plan: (setId: number, ownerId: number, times: PlanTimes, now: number, steadyMs: number): number | null =>
      listPlans().length >= maxCouponPlans
        ? null
        : addPlan.run(setId, ownerId, JSON.stringify(times), now, steadyMs).lastId,

    /** So far ahead the clock was when this plan was made. */
    setAhead: (planId: number, aheadMs: number): void => {
      setAhead.run(aheadMs, planId);
    },

    /** Other tills have this plan too. */
    share: (planId: number): void => {
      share.run(planId);
    },

    /** The products that this plan has switched on on this day, until they are off. */
    underWay: (planId: number, day: string): readonly Id[] =>
      daysUnderWay(planId).find((one) => one.day === day)?.productIds ?? [],

    /** Beside what the day has switched on before, as by a clock that was ahead; null once they are off. */
    keepUnderWay: (planId: number, day: string, productIds: readonly Id[] | null): void => {
      const days = daysUnderWay(planId);
      const others = days.filter((one) => one.day !== day);
      const before = days.find((one) => one.day === day)?.productIds ?? [];
      const ofDay = productIds === null ? [] : [...new Set([...before, ...productIds])];
      const kept = (ofDay.length === 0 ? others : [...others, { day, productIds: ofDay }]).slice(-maxUnderWay);
      keepUnderWay.run(kept.length === 0 ? null : JSON.stringify(kept), planId);
    },

    removePlan: (planId: number): void => {
      removePlan.run(planId);
    },

    ...openMoments(database),
  };
}

export type CouponSets = ReturnType<typeof openCouponSets>;

/** Opens the sets of this company over queue.db. Every call throws StorageError. */
export function openCouponSets(
  database: Database,
  { platform, companyId, stockIds = [] }: CouponScope & { readonly stockIds?: readonly Id[] },
) {
  const shop = [platform, companyId] as const;
  const size = 'CASE WHEN json_valid(product_ids) THEN json_array_length(product_ids) ELSE 0 END AS size';
  const sets = database.prepare<SetRow>(
    `SELECT id, name, email, search, ${size} FROM coupon_sets WHERE platform = ? AND company_id = ? ORDER BY name, id`,
  );
  const one = database.prepare<SetRow & { product_ids: string | null }>(
    `SELECT id, name, email, search, product_ids, ${size} FROM coupon_sets WHERE platform = ? AND company_id = ? AND id = ?`,
  );
  const add = database.prepare(
    'INSERT INTO coupon_sets (platform, company_id, name, email, product_ids, search) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const rename = database.prepare('UPDATE coupon_sets SET name = ? WHERE id = ?');
  const fill = database.prepare('UPDATE coupon_sets SET product_ids = ?, search = ? WHERE id = ?');
  const removeSet = database.prepare('DELETE FROM coupon_sets WHERE id = ?');
  const plans = openPlans(database, shop);

  /** Null for a list. A search that a failing disk has altered is a list of nothing; it must not hide the others. */
  function searchOf({ search }: SetRow): Extract<SetHow, { kind: 'search' }> | null {
    const { success, data } = savedSearchSchema.safeParse(parseJson(search ?? ''));
    // One of before they were kept is looked up in those of the profile.
    if (!success) {
      return null;
    }
    const { filter, term, stockIds: kept = stockIds } = data;
    return { kind: 'search', filter, term, stockIds: searchedStocks(term, kept) };
  }

  const writeSearch = ({ filter, term, stockIds: kept = stockIds }: Extract<KeptHow, { kind: 'search' }>): string =>
    JSON.stringify({ filter, term, stockIds: searchedStocks(term, kept) });

  /** Those of them that this shop does not show. */
  const elsewhereOf = (of: readonly Id[]): Id[] => of.filter((stockId) => !stockIds.includes(stockId));

  function howOf(row: SetRow): CouponSet['how'] {
    const search = searchOf(row);
    return search === null
      ? { kind: 'list', count: row.size }
      : { kind: 'search', filter: search.filter, term: search.term, elsewhere: elsewhereOf(search.stockIds) };
  }

  function find(setId: number): { readonly name: string } | null {
    return one.get(...shop, setId) ?? null;
  }

  return {
    find,

    list: (): readonly CouponSet[] => {
      const ofSets = Map.groupBy(plans.plans(), ({ setId }) => setId);
      return sets
        .all(...shop)
        .map((row) => ({
          setId: row.id,
          name: shownName(row.name),
          email: shownEmail(row.email),
          how: howOf(row),
          plans: (ofSets.get(row.id) ?? []).map(({ planId, times, email, isShared }) => ({
            planId,
            times,
            email,
            isShared,
          })),
        }));
    },

    /** Which products a set has, or the search that finds them; null for one that is gone. */
    how: (setId: number): SetHow | null => {
      const row = one.get(...shop, setId);
      if (row === undefined) {
        return null;
      }
      const productIds = idsSchema.safeParse(parseJson(row.product_ids ?? ''));
      return searchOf(row) ?? { kind: 'list', productIds: productIds.success ? productIds.data : [] };
    },

    elsewhereOf,

    /** Answers its number; null where there is no such set, another has the name, or there is no room. */
    save: (setId: number | null, name: string, how: KeptHow | null, email: string): number | null =>
      database.transaction(() => {
        const ids = how?.kind === 'list' ? JSON.stringify([...new Set(how.productIds)]) : null;
        const search = how?.kind === 'search' ? writeSearch(how) : null;
        const others = sets.all(...shop).filter(({ id }) => id !== setId);
        if (others.some((other) => other.name === name)) {
          return null;
        }
        if (setId === null) {
          const isFull = others.length >= maxCouponSets;
          return isFull || how === null ? null : add.run(...shop, name, email, ids, search).lastId;
        }
        if (find(setId) === null) {
          return null;
        }
        rename.run(name, setId);
        if (how !== null) {
          fill.run(ids, search, setId);
        }
        return setId;
      }),

    /** With its plans. */
    remove: (setId: number): void => {
      removeSet.run(setId);
    },

    ...plans,
  };
}
