import type { ManyTakenBack } from '../contract/coupons.ts';
import { bringBackForMs } from '../contract/queue.ts';
import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import { updateChecksum, type UpdateKind, type UpdateRow } from './rows.ts';
import type { Statements } from './statements.ts';
import type { SteadyTime } from './steady-time.ts';

/** Open updates (pending, sealed or parked) that the queue holds, at most. */
export const maxQueueLength = 10_000;

/** What a person asks of a product's coupon, and what they saw before. */
export interface CouponWish {
  readonly productId: Id;
  readonly isEnabled: boolean;
  readonly seen: boolean | null;
}

interface Asked {
  readonly ownerId: number;
  /** What was seen is what the platform had just now. */
  readonly isSeenFresh: boolean;
  readonly now: number;
}

/** Opens the way into the rows. `nameOf` answers a product's name in the shop that is open, or null. */
export function openIntake(
  database: Database,
  sql: Statements,
  steady: SteadyTime,
  nameOf: (productId: Id) => string | null,
) {
  let maxOpen = Number.POSITIVE_INFINITY;

  function insert(row: {
    readonly ownerId: number;
    readonly kind: UpdateKind;
    readonly subjectId: Id;
    readonly isEnabled: boolean;
    readonly seen: number | null;
    readonly checkedMs: number | null;
    readonly now: number;
  }): number {
    const checksum = updateChecksum({
      owner_id: row.ownerId,
      kind: row.kind,
      subject_id: row.subjectId,
      is_enabled: Number(row.isEnabled),
      created_at: row.now,
    });
    maxOpen += 1;
    // Q1: What was accepted is on disk; every update is in exactly one state.
    return sql.insert.run(
      row.ownerId,
      row.kind,
      row.subjectId,
      Number(row.isEnabled),
      row.seen,
      row.now,
      steady.at(row.now),
      row.checkedMs,
      checksum,
      row.kind === 'coupon' ? nameOf(row.subjectId) : null,
    ).lastId;
  }

  // Only an insert, a taking back, or a bringing back adds an open update, so a bound that is counted anew when it
  // reaches the limit is never too low.
  function isFull(): boolean {
    if (maxOpen >= maxQueueLength) {
      maxOpen = sql.openCount.get()?.total ?? 0;
    }
    return maxOpen >= maxQueueLength;
  }

  /** Null when the queue is full. */
  function add({ productId, isEnabled, seen: shown }: CouponWish, { ownerId, isSeenFresh, now }: Asked): number | null {
    // Q2: What a sealed update asks for is never touched until its request is answered. A newer one of its product waits.
    // Q3: A product has at most one pending update an owner.
    const older = sql.supersedable.all(productId, ownerId);
    if (older.length === 0 && isFull()) {
      return null;
    }
    for (const row of older) {
      sql.move.run('superseded', now, steady.at(now), row.id);
    }
    // A change of mind compares with what was seen at first, also when the older one asked for its age: it may have
    // been sent. After a refusal or a conflict it compares with what is seen now.
    const first = older.find((row) => row.state === 'pending' || row.parked_because === 'old');
    const { seen, checked_steady_ms: checkedMs } = first ?? {
      seen: shown === null ? null : Number(shown),
      checked_steady_ms: isSeenFresh ? steady.at(now) : null,
    };
    return insert({ ownerId, kind: 'coupon', subjectId: productId, isEnabled, seen, checkedMs, now });
  }

  function retryParked(row: UpdateRow, now: number): void {
    if (sql.newer.get(row.kind, row.subject_id, row.owner_id, row.id) === undefined) {
      sql.retry.run(now, steady.at(now), row.id);
    } else {
      sql.move.run('superseded', now, steady.at(now), row.id);
    }
  }

  return {
    /** Inside the caller's transaction: a parked update waits to be sent again, unless a newer one does. */
    retryParked,

    /**
     * Makes an update durable; an older one of the product that is not sealed gives way. False when the queue is full.
     */
    enqueue: (update: CouponWish & Asked): boolean => database.transaction(() => add(update, update) !== null),

    /**
     * Makes a slice of updates durable, as `enqueue` does each. Answers those that were accepted: fewer when the queue
     * became full.
     */
    enqueueMany: (wishes: readonly CouponWish[], asked: Asked): readonly number[] =>
      database.transaction(() => {
        const accepted: number[] = [];
        for (const wish of wishes) {
          const updateId = add(wish, asked);
          if (updateId === null) {
            break;
          }
          accepted.push(updateId);
        }
        return accepted;
      }),

    /**
     * Gives up those of a slice that have not left, and lets what gave way to them stand again. Answers how many, and
     * how many had left.
     */
    takeBack: (updateIds: readonly number[], now: number): ManyTakenBack =>
      database.transaction(() => {
        let [takenBack, sent] = [0, 0];
        for (const updateId of updateIds) {
          const row = sql.update.get(updateId);
          if (row?.state === 'pending' && row.attempts === 0) {
            sql.undo.run(now, steady.at(now), updateId);
            takenBack += 1;
            const replaced = sql.gaveWay.get(row.subject_id, row.owner_id, row.created_at, updateId);
            // Another user's newer word holds (Q7).
            if (
              replaced !== undefined &&
              sql.isInTheWay.get(replaced.owner_id, replaced.subject_id, replaced.kind, replaced.id) === undefined
            ) {
              sql.standAgain.run(now, replaced.id);
              maxOpen += 1;
            }
          } else if (row !== undefined && row.state !== 'superseded' && row.state !== 'discarded') {
            sent += 1;
          }
        }
        return { takenBack, sent };
      }),

    /**
     * Q10: What a person gave up stands again, as it stood, only within a minute, and only when nobody has asked for
     * anything of the same thing since and nothing else of it is open. What the platform has is read before it may go.
     * Answers how many of a slice do.
     */
    bringBack: (updateIds: readonly number[], now: number): number =>
      database.transaction(() => {
        const broughtBack = updateIds.filter((updateId) => {
          const row = sql.update.get(updateId);
          const sinceMs = now - (row?.changed_at ?? 0);
          if (
            row?.state !== 'discarded' ||
            sinceMs < 0 ||
            sinceMs > bringBackForMs ||
            isFull() ||
            sql.isInTheWay.get(row.owner_id, row.subject_id, row.kind, row.id) !== undefined
          ) {
            return false;
          }
          sql.standAgain.run(now, updateId);
          maxOpen += 1;
          return true;
        });
        return broughtBack.length;
      }),

    /**
     * Q8: A user has at most one open restoration an owner. One that waits already is the same one, and one that is
     * parked is tried again. Makes any other durable. False when the queue is full.
     */
    enqueueRestoration: (update: { readonly ownerId: number; readonly userId: Id; readonly now: number }): boolean =>
      database.transaction(() => {
        const { ownerId, userId, now } = update;
        const open = sql.openRestoration.get(userId, ownerId);
        if (open?.state === 'parked' && open.parked_because !== 'damaged') {
          retryParked(open, now);
        } else if (open === undefined || open.state === 'parked') {
          if (isFull()) {
            return false;
          }
          insert({
            ownerId,
            kind: 'restoreUser',
            subjectId: userId,
            isEnabled: true,
            seen: null,
            checkedMs: null,
            now,
          });
        }
        return true;
      }),

    /** How many more open updates the queue holds. */
    room: (): number => {
      maxOpen = sql.openCount.get()?.total ?? 0;
      return Math.max(0, maxQueueLength - maxOpen);
    },
  };
}
