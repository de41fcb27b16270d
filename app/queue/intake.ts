import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import type { Capacity } from './capacity.ts';
import { openIntakeOfMany, type Asked, type CouponWish } from './intake-many.ts';
import { updateChecksum, type UpdateKind, type UpdateRow } from './rows.ts';
import type { Statements } from './statements.ts';
import type { SteadyTime } from './steady-time.ts';

interface NewUpdate {
  readonly ownerId: number;
  readonly kind: UpdateKind;
  readonly subjectId: Id;
  readonly isEnabled: boolean;
  readonly seen: number | null;
  readonly checkedMs: number | null;
  readonly now: number;
  readonly plan?: string | undefined;
  readonly untilSteadyMs?: Asked['untilSteadyMs'];
  readonly names?: Asked['names'];
}

/** One transaction. What is made after somebody has set the clock is stamped beside clocks that are noted anew. */
function stamped<Value>(database: Database, steady: SteadyTime, work: () => Value): Value {
  return database.transaction(() => {
    // mutant: a change is made beside clocks that nobody noted since they were set
    steady.keep();
    return work();
  });
}

/** Opens the way into the rows. `nameOf` answers a product's name in the shop that is open, or null. */
export function openIntake(
  database: Database,
  sql: Statements,
  steady: SteadyTime,
  capacity: Capacity,
  nameOf: (productId: Id) => string | null,
) {
  const many = openIntakeOfMany(database, steady, capacity, nameOf);

  function insert(row: NewUpdate): number {
    const checksum = updateChecksum({
      owner_id: row.ownerId,
      kind: row.kind,
      subject_id: row.subjectId,
      is_enabled: Number(row.isEnabled),
      created_at: row.now,
    });
    capacity.add();
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
      row.kind === 'coupon' ? many.nameFor(row.subjectId, row.names) : null,
      row.plan ?? null,
      row.untilSteadyMs ?? null,
    ).lastId;
  }

  /** Null when the queue is full. What is shown to be so already is sent only where a reading finds otherwise. */
  function add(
    { productId, isEnabled, seen: shown }: CouponWish,
    { ownerId, isSeenFresh, now, plan, names, untilSteadyMs }: Asked,
  ): number | null {
    // Q2: What a sealed update asks for is never touched until its request is answered. A newer one of its product
    // waits. Q3: A product has at most one pending update an owner.
    const older = sql.supersedable.all(productId, ownerId);
    if (older.length === 0 && capacity.isFull()) {
      return null;
    }
    for (const row of older) {
      sql.move.run('superseded', now, steady.at(now), row.id);
    }
    // A change of mind compares with what was seen at first, also when the older one asked for its age: it may have
    // been sent. After a refusal or a conflict it compares with what is seen now.
    // mutant: an update that asks for its age forgets what it may have done (Q9)
    const first = older.find((row) => row.state === 'pending' || row.parked_because === 'old');
    const { seen, checked_steady_ms: checkedMs } = first ?? {
      seen: shown === null ? null : Number(shown),
      checked_steady_ms: isSeenFresh && shown !== isEnabled ? steady.at(now) : null,
    };
    return insert({
      ownerId,
      kind: 'coupon',
      subjectId: productId,
      isEnabled,
      seen,
      checkedMs,
      now,
      plan,
      names,
      untilSteadyMs,
    });
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
    enqueue: (update: CouponWish & Asked): boolean => stamped(database, steady, () => add(update, update) !== null),

    /** Makes a slice of updates durable, as `enqueue`. Answers those that were accepted: fewer when it became full. */
    enqueueMany: (wishes: readonly CouponWish[], asked: Asked): readonly number[] =>
      stamped(database, steady, () => {
        const { accepted, others } = many.add(wishes, asked);
        for (const wish of others) {
          const updateId = add(wish, asked);
          if (updateId === null) {
            break;
          }
          accepted.push(updateId);
        }
        return accepted;
      }),

    /**
     * Q8: A user has at most one open restoration an owner. One that waits already is the same one, and one that is
     * parked is tried again. Makes any other durable. False when the queue is full.
     */
    enqueueRestoration: (update: { readonly ownerId: number; readonly userId: Id; readonly now: number }): boolean =>
      stamped(database, steady, () => {
        const { ownerId, userId, now } = update;
        const open = sql.openRestoration.get(userId, ownerId);
        if (open?.state === 'parked' && open.parked_because !== 'damaged') {
          retryParked(open, now);
        } else if (open === undefined || open.state === 'parked') {
          if (capacity.isFull()) {
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
  };
}
