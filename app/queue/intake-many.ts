// The way into the rows for many coupons at once: one statement where nothing of them waits that could give way.
import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import type { Capacity } from './capacity.ts';
import { updateChecksum } from './rows.ts';
import type { SteadyTime } from './steady-time.ts';

/** A person's wish for a product's coupon, and the setting that they saw before. */
export interface CouponWish {
  readonly productId: Id;
  readonly isEnabled: boolean;
  readonly seen: boolean | null;
}

export interface Asked {
  readonly ownerId: number;
  /** The setting that was seen is the one that the platform had just now. */
  readonly isSeenFresh: boolean;
  readonly now: number;
  /** The set whose plan asks; absent when a person does. */
  readonly plan?: string;
  /** Past this steady time, a person is asked before anything of it is sent; null, or absent, for never. */
  readonly untilSteadyMs?: number | null;
  /** Names that were looked up before; absent where each is looked up now. */
  readonly names?: ReadonlyMap<Id, string | null>;
}

/** So many are worth one statement. */
const manyFrom = 500;

/** Opens it. `nameOf` answers a product's name in the shop that is open, or null. */
export function openIntakeOfMany(
  database: Database,
  steady: SteadyTime,
  capacity: Capacity,
  nameOf: (productId: Id) => string | null,
) {
  // Rows of product, what was seen, checksum and name; all else is the same for all. What is shown to be so already is
  // sent only where a reading finds that it is not.
  // mutant: what is shown to be so already is sent without a reading (M5)
  const insertMany = database.prepare(
    `INSERT INTO updates (owner_id, kind, subject_id, is_enabled, seen, created_at, changed_at, created_steady_ms, state, checked_steady_ms, checksum, name, plan, until_steady_ms)
     SELECT ?1, 'coupon', value ->> 0, ?2, value ->> 1, ?3, ?3, ?4, 'pending', CASE WHEN value ->> 1 IS ?2 THEN NULL ELSE ?5 END, value ->> 2, value ->> 3, ?6, ?7 FROM json_each(?8)`,
  );
  const supersedable = database.prepare<{ subject_id: Id }>(
    "SELECT subject_id FROM updates WHERE owner_id = ? AND kind = 'coupon' AND state IN ('pending', 'parked')",
  );

  const nameFor = (productId: Id, names: Asked['names']): string | null =>
    names === undefined ? nameOf(productId) : (names.get(productId) ?? null);

  /**
   * Q2 and Q3 hold by themselves for products of which nothing waits that could give way: these go in with one
   * statement. Answers their numbers, in their order.
   */
  function insertFresh(wishes: readonly CouponWish[], asked: Asked): number[] {
    const [first] = wishes;
    if (first === undefined) {
      return [];
    }
    const { ownerId, isSeenFresh, now, plan, names, untilSteadyMs } = asked;
    const isEnabled = Number(first.isEnabled);
    const rows = wishes.map(({ productId, seen }) => {
      const about = { owner_id: ownerId, subject_id: productId, is_enabled: isEnabled, created_at: now };
      return [
        productId,
        seen === null ? null : Number(seen),
        updateChecksum({ ...about, kind: 'coupon' }),
        nameFor(productId, names),
      ];
    });
    const checkedMs = isSeenFresh ? steady.at(now) : null;
    capacity.add(rows.length);
    // Q1
    const { changes, lastId } = insertMany.run(
      ownerId,
      isEnabled,
      now,
      steady.at(now),
      checkedMs,
      plan ?? null,
      untilSteadyMs ?? null,
      JSON.stringify(rows),
    );
    // No id is ever given twice, and nobody else writes.
    return Array.from({ length: changes }, (_, place) => lastId - changes + 1 + place);
  }

  /** Those that can go in with one statement, and all others. */
  function splitFresh(
    wishes: readonly CouponWish[],
    { ownerId }: Asked,
  ): { readonly fresh: readonly CouponWish[]; readonly others: readonly CouponWish[] } {
    const products = new Set(wishes.map(({ productId }) => productId));
    const isMany = wishes.length >= manyFrom && products.size === wishes.length && wishes.length <= capacity.room();
    if (!isMany || wishes.some(({ isEnabled }) => isEnabled !== wishes[0]?.isEnabled)) {
      return { fresh: [], others: wishes };
    }
    const older = new Set(supersedable.all(ownerId).map((row) => row.subject_id));
    return {
      fresh: wishes.filter(({ productId }) => !older.has(productId)),
      others: wishes.filter(({ productId }) => older.has(productId)),
    };
  }

  return {
    nameFor,

    /** Inside the caller's transaction. Answers what was accepted, and what is left to be made durable one by one. */
    add: (
      wishes: readonly CouponWish[],
      asked: Asked,
    ): { readonly accepted: number[]; readonly others: readonly CouponWish[] } => {
      const { fresh, others } = splitFresh(wishes, asked);
      return { accepted: insertFresh(fresh, asked), others };
    },
  };
}
