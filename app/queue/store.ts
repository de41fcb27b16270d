//   update:  pending ─seal→ sealed ─→ delivered
//               │  ▲           ├────→ parked      (needs a person; nothing else waits for it)
//               ▼  └── retry ──┘
//           superseded | discarded      (superseded stands again only when what it gave way to is taken back unsent; discarded, by Q10)
//
// Invariants, cited by the tests:
//   Q1  What was accepted is on disk; every update is in exactly one state.
//   Q2  What a sealed update asks for is never touched until its request is answered; a newer one of the same product waits.
//   Q3  A company's updates of one owner, of all kinds, are in at most one open request; a product has at most one pending update an owner.
//   Q4  The key, the bytes and the attempt are on disk before sending; a request that nobody answered keeps both.
//   Q5  An answer spends the key: whatever is sent again has another one.
//   Q6  A row whose checksum is wrong is never sent; what it was sealed with is sound, and is sealed anew.
//       Before, what was sent has time to arrive, so that a reading shows it and nothing of it comes after what replaces it.
//   Q7  An update that a newer one of another user has overtaken goes out only when a person says so.
//   Q8  A restoration is alone in its request, and a user has at most one open restoration an owner.
//   Q9  An update that is older than the limit is not sealed before a person has said so.
//   Q10 What a person gave up stands again, as it stood, only within a minute, and only when nobody has asked for anything of the same thing
//       since and nothing else of it is open; what the platform has is read before it may go.
//   Q11 A restoration that may have been done goes again under its own key alone; when that is spent or too old, a person decides.
// Every function is one transaction and synchronous. It never decides when to send, and never sends.
import { documentedRules } from '../rate-limit/rules.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import { openQueueDay } from './day.ts';
import type { Disposition, Outcome } from './disposition.ts';
import { openHistory } from './history.ts';
import { openIntake } from './intake.ts';
import { watchLateArrivals } from './late-arrivals.ts';
import { openMany } from './bulk.ts';
import { defaultLimits, type QueueLimits } from './limits.ts';
import { reconcile } from './reconcile.ts';
import {
  isSealedFrom,
  requestChecksum,
  sealedFrom,
  updateChecksum,
  type OpenCoupon,
  type OpenCouponOfOther,
  type OpenRequest,
  type Owner,
  type RequestRow,
  type UpdateRow,
} from './rows.ts';
import { prepareStatements } from './statements.ts';
import { wallTime, type SteadyTime } from './steady-time.ts';

/** Updates in one request, at most. */
export const largestRequest = 100;
/**
 * A reading of the settings is fresh for this long, and for two windows of the rate limit at least: its slot may be a
 * window away.
 */
export const freshForMs = 120_000;
/**
 * A key is trusted to be remembered by the platform for this long; how long it really is, the document does not say.
 */
const keyTrustedForMs = 12 * 3_600_000;
/** Updates that are compared with a reading, or parked for their age, at once, so that nobody waits for it. */
export const changedAtOnce = 500;

/** What should happen next for an owner. */
export type Work = 'nothing' | 'read' | 'seal' | { readonly resend: OpenRequest };

/** What is known of a reading of the settings by the time when it leaves. */
export interface ReadingNote {
  /** The newest attempt that it surely knows of. */
  readonly mark: number;
  /** Its place among the readings of this run. */
  readonly number: number;
}

export type QueueStore = ReturnType<typeof openQueueStore>;

/** Is told, inside the queue's transaction, which settings the platform has now confirmed, and by which attempt. */
export type Confirm = (
  owner: Owner,
  settings: readonly { productId: Id; isEnabled: boolean }[],
  attemptId: number,
) => void;

/**
 * Opens the queue over queue.db. `confirm` is called inside the transaction in which updates become delivered, with the
 * attempt that delivered them, so that the confirmed setting and the update's state are never apart. `limits`, and
 * `windowMs`, the window of the rate limit, are asked anew each time. `nameOf` answers a product's name in the shop
 * whose updates are made now, or null; ages are counted by `steady`.
 */
export function openQueueStore(
  database: Database,
  confirm: Confirm,
  limits: () => QueueLimits = () => defaultLimits,
  windowMs: () => number = () => documentedRules.windowMs,
  nameOf: (productId: Id) => string | null = () => null,
  steady: SteadyTime = wallTime,
) {
  const sql = prepareStatements(database);
  const history = openHistory(database);
  const intake = openIntake(database, sql, steady, nameOf);
  let readings = 0;
  const freshMs = (): number => Math.max(freshForMs, 2 * windowMs());

  // `seen` is what the platform may have without anybody else's doing; the newer update takes it over, for until now it
  // was made upon this one.
  function supersededByNewer(row: UpdateRow, now: number, seen: number | null): boolean {
    const newer = sql.newer.get(row.kind, row.subject_id, row.owner_id, row.id);
    if (newer === undefined) {
      return false;
    }
    sql.setSeen.run(seen, newer.id);
    sql.move.run('superseded', now, steady.at(now), row.id);
    return true;
  }

  function deliver(row: UpdateRow, now: number): void {
    sql.move.run('delivered', now, steady.at(now), row.id);
    if (row.kind === 'coupon') {
      sql.overtake.run(row.subject_id, row.id, row.owner_id); // Q7
    }
  }

  function returnToPending(
    row: UpdateRow,
    now: number,
    change: { readonly isFresh: boolean; readonly group: number; readonly failure: Failure | null },
  ): void {
    // Not fresh: this one may have taken effect all the same.
    if (!supersededByNewer(row, now, change.isFresh ? row.seen : null)) {
      const failure = change.failure === null ? null : JSON.stringify(change.failure);
      // It may have been done: what the platform has from now on may be this terminal's own doing. What was overtaken
      // (Q7) stays so.
      const isInDoubt = !change.isFresh && row.attempts > 0;
      const seen = isInDoubt && row.seen !== row.is_enabled ? null : row.seen;
      sql.toPending.run(
        now,
        seen,
        change.isFresh ? row.checked_steady_ms : null,
        change.group,
        failure,
        isInDoubt ? 1 : row.is_in_doubt,
        row.id,
      );
      if (isInDoubt && row.kind === 'restoreUser') {
        // Q11. Whoever was deleted since must not come back unasked.
        sql.park.run(now, 'maybeDone', failure, null, row.id);
      }
    }
  }

  function park(row: UpdateRow, now: number, because: 'refused' | 'maybeDone', failure: Failure): void {
    if (!supersededByNewer(row, now, row.seen)) {
      sql.park.run(now, because, JSON.stringify(failure), null, row.id);
    }
  }

  // Q6. Rows that were altered are parked, and the sound ones answered.
  function sound(rows: readonly UpdateRow[], now: number): readonly UpdateRow[] {
    return rows.filter((row) => {
      const isSound = row.checksum === updateChecksum(row);
      if (!isSound) {
        sql.park.run(now, 'damaged', null, null, row.id);
      }
      return isSound;
    });
  }

  function dissolve(request: RequestRow, now: number): void {
    for (const row of sql.ofRequest.all(request.id)) {
      returnToPending(row, now, { isFresh: false, group: row.split_group, failure: null });
    }
    sql.closeRequest.run(request.id);
  }

  /** An age that nobody knows, or a negative one, is within nothing. */
  function isWithin(maxMs: number, sinceMs: number | null, now: number): boolean {
    const ageMs = sinceMs === null ? -1 : steady.at(now) - sinceMs;
    return ageMs >= 0 && ageMs <= maxMs;
  }

  // Sealed long ago but never sent; or a key that the platform may have forgotten; or an order that someone else's
  // sending has passed by: what the platform has now must be read before anything goes out.
  function isStale(request: RequestRow, updates: readonly UpdateRow[], now: number): boolean {
    // Any of them may be the one that the platform has kept, so the key is as old as the first.
    const attempts = sql.attemptsAt.get(request.id);
    if (updates.some((update) => update.kind === 'restoreUser')) {
      // There is nothing to read; only the key may have been forgotten.
      return attempts !== undefined && !isWithin(keyTrustedForMs, attempts.first_sent_steady_ms, now);
    }
    if (updates.some((update) => update.checked_steady_ms === null)) {
      return true;
    }
    if (attempts === undefined) {
      return !isWithin(freshMs(), request.created_steady_ms, now);
    }
    return (
      !isWithin(keyTrustedForMs, attempts.first_sent_steady_ms, now) ||
      sql.foreignAttempt.get(request.owner_id, attempts.last_id) !== undefined
    );
  }

  function currentRequest(ownerId: number, now: number): OpenRequest | null {
    const row = sql.openRequest.get(ownerId);
    if (row === undefined) {
      return null;
    }
    const sealed = sql.ofRequest.all(row.id);
    const updates = sound(sealed, now);
    const isWhole =
      updates.length === sealed.length &&
      updates.length > 0 &&
      row.checksum === requestChecksum(row) &&
      isSealedFrom(row, updates);
    if (!isWhole || isStale(row, updates, now)) {
      dissolve(row, now);
      return null;
    }
    return openRequestOf(row, updates, sql.attemptsAt.get(row.id) !== undefined);
  }

  function openRequestOf(row: RequestRow, updates: readonly UpdateRow[], isRepeated: boolean): OpenRequest {
    const { id, idempotency_key: idempotencyKey, method, path, body, unechoed } = row;
    const [first] = updates;
    const earlierTries = Math.min(...updates.map((update) => update.attempts));
    return {
      id,
      kind: first?.kind ?? 'coupon',
      idempotencyKey,
      method,
      path,
      body,
      size: updates.length,
      subjects: updates.map((update) => update.subject_id),
      unechoed,
      isRepeated,
      isInDoubt: first?.is_in_doubt === 1,
      earlierTries,
    };
  }

  // Q3, Q8. One restoration alone; or the coupons of the first one's group, in the order of asking.
  function sealable(first: UpdateRow, now: number): readonly UpdateRow[] {
    const rows =
      first.kind === 'restoreUser'
        ? [first]
        : sql.sealable.all(first.owner_id, first.split_group, steady.at(now), freshMs(), largestRequest);
    return sound(rows, now).toSorted((left, right) => left.id - right.id);
  }

  return {
    /** Attempts of an earlier run are over; old history goes. */
    begin: (now: number): void => {
      database.transaction(() => {
        sql.abandon.run(now);
        history.forget(steady.at(now), limits().historyMs);
      });
    },

    /** The last of a run. */
    end: (): void => steady.end(),

    /** History older than the limit goes. Answers whether there is more of it. */
    tidy: (now: number): boolean => database.transaction(() => history.forget(steady.at(now), limits().historyMs)),

    /** 0, which nobody is, for an owner who never made an update. */
    knownOwnerId: ({ platform, companyId, email }: Owner): number =>
      sql.ownerId.get(platform, companyId, email)?.id ?? 0,

    ownerId: ({ platform, companyId, email }: Owner): number =>
      sql.ownerId.get(platform, companyId, email)?.id ?? sql.addOwner.run(platform, companyId, email).lastId,

    enqueue: intake.enqueue,
    enqueueMany: intake.enqueueMany,
    takeBack: intake.takeBack,
    bringBack: intake.bringBack,
    ...openMany(database, sql, intake, history, steady),
    enqueueRestoration: intake.enqueueRestoration,
    room: intake.room,

    /** What should happen next for this owner. */
    nextWork: (ownerId: number, now: number): Work =>
      database.transaction((): Work => {
        steady.keep();
        const request = currentRequest(ownerId, now);
        if (request !== null) {
          return { resend: request };
        }
        const next = sql.nextPending.get(ownerId);
        if (next === undefined) {
          return 'nothing';
        }
        return next.kind === 'coupon' && sql.unread.get(ownerId, steady.at(now), freshMs()) !== undefined
          ? 'read'
          : 'seal';
      }),

    mayArriveForMs: watchLateArrivals(database, steady),
    /** Parks what is too old to be sealed unasked (Q9), so many at once. Answers how many. */
    parkOld: (ownerId: number, now: number): number => {
      const { askAfterMs } = limits();
      return askAfterMs === 0 ? 0 : sql.parkOld.run(now, ownerId, steady.at(now), askAfterMs, changedAtOnce).changes;
    },

    /** What a reading that leaves now is to be compared with. */
    unread: (ownerId: number, now: number): readonly number[] =>
      sql.unread.all(ownerId, steady.at(now), freshMs()).map((row) => row.id),

    /**
     * Compares what waits of `unread`, which waited unread when the reading left at `now`, with the settings that it
     * told; what was accepted since is newer than they are. Compares nothing while a request is open, for that one may
     * yet change what was read.
     */
    applyReading: (
      ownerId: number,
      settings: ReadonlyMap<Id, boolean>,
      now: number,
      unread: readonly number[],
    ): void => {
      database.transaction(() => {
        if (sql.openRequest.get(ownerId) !== undefined) {
          return;
        }
        const rows = unread
          .flatMap((updateId) => sql.update.get(updateId) ?? [])
          .filter((row) => row.state === 'pending' && row.owner_id === ownerId);
        for (const row of sound(rows, now)) {
          const theirs = settings.get(row.subject_id);
          const result = reconcile(
            { wanted: row.is_enabled === 1, seen: row.seen === null ? null : row.seen === 1 },
            theirs,
          );
          if (result === 'holds') {
            deliver(row, now);
          } else if (result === 'conflict') {
            sql.park.run(now, 'conflict', null, Number(theirs ?? false), row.id);
          } else {
            sql.checked.run(steady.at(now), row.id);
          }
        }
      });
    },

    /** What waits is held to be compared although it could not be. */
    skipReading: (ownerId: number, now: number): void => {
      sql.skipReading.run(steady.at(now), ownerId);
    },

    /** The open request, or a new one sealed from what is pending under this key; null when nothing may go. */
    seal: (ownerId: number, idempotencyKey: string, now: number): OpenRequest | null =>
      database.transaction(() => {
        const open = currentRequest(ownerId, now);
        const next = sql.nextPending.get(ownerId);
        if (open !== null || next === undefined) {
          return open;
        }
        const updates = sealable(next, now);
        if (updates.length === 0) {
          return null;
        }
        const sealed = sealedFrom(updates);
        const { method, path, body } = sealed;
        const checksum = requestChecksum({ owner_id: ownerId, idempotency_key: idempotencyKey, ...sealed });
        const id = sql.addRequest.run(
          ownerId,
          idempotencyKey,
          method,
          path,
          body,
          now,
          steady.at(now),
          checksum,
        ).lastId;
        for (const update of updates) {
          sql.seal.run(id, now, update.id);
          sql.noteSealing.run(id, update.id);
        }
        return openRequestOf(
          {
            id,
            owner_id: ownerId,
            idempotency_key: idempotencyKey,
            ...sealed,
            created_steady_ms: steady.at(now),
            unechoed: 0,
            checksum,
          },
          updates,
          false,
        );
      }),

    /** Puts an attempt on disk before its first byte leaves (Q4). */
    beginAttempt: (requestId: number, now: number): number =>
      database.transaction(() => {
        // One is under way at a time: an earlier one whose answer found no room on the disk is over, and must not count
        // as open for ever.
        sql.abandon.run(now);
        sql.countAttempt.run(requestId);
        return sql.addAttempt.run(requestId, now, steady.at(now)).lastId;
      }),

    /** Carries out a disposition (Q5). */
    settle: (
      sent: { readonly ownerId: number; readonly requestId: number; readonly attemptId: number },
      outcome: Outcome,
      disposition: Disposition,
      now: number,
    ): void => {
      database.transaction(() => {
        const rows = sql.ofRequest.all(sent.requestId);
        const { failure } = outcome;
        sql.settleAttempt.run(now, JSON.stringify(outcome), sent.attemptId);
        if (disposition.step === 'sendAgain') {
          sql.setFailure.run(JSON.stringify(failure), sent.requestId);
          return;
        }
        sql.closeRequest.run(sent.requestId);
        if (disposition.step === 'delivered') {
          for (const row of rows) {
            deliver(row, now);
          }
          const owner = sql.owner.get(sent.ownerId);
          const coupons = rows.filter((row) => row.kind === 'coupon');
          if (owner !== undefined && coupons.length > 0) {
            const settings = coupons.map((row) => ({ productId: row.subject_id, isEnabled: row.is_enabled === 1 }));
            confirm(
              { platform: owner.platform, companyId: owner.company_id, email: owner.email },
              settings,
              sent.attemptId,
            );
          }
          return;
        }
        const largestGroup = sql.largestGroup.get()?.largest ?? 0;
        rows.forEach((row, place) => {
          switch (disposition.step) {
            case 'parkMaybeDone':
            case 'parkAll':
              park(row, now, disposition.step === 'parkAll' ? 'refused' : 'maybeDone', failure);
              break;
            case 'parkNamed':
              if (disposition.named.includes(place)) {
                park(row, now, 'refused', failure);
              } else {
                returnToPending(row, now, { isFresh: true, group: row.split_group, failure: null });
              }
              break;
            case 'halve':
              returnToPending(row, now, {
                isFresh: !disposition.readFirst,
                group: largestGroup + (place < rows.length / 2 ? 1 : 2),
                failure: disposition.readFirst ? failure : null,
              });
              break;
            case 'sealAnew':
              returnToPending(row, now, { isFresh: !disposition.readFirst, group: row.split_group, failure });
              break;
          }
        });
      });
    },

    /** Another call succeeded after a failure without the echo: one step nearer to calling the key poisoned. */
    countUnechoed: (requestId: number): void => {
      sql.addUnechoed.run(requestId);
    },

    /** A parked update waits to be sent again. False when there is no such one. */
    retry: (updateId: number, now: number): boolean =>
      database.transaction(() => {
        const row = sql.update.get(updateId);
        const isParked = row?.state === 'parked' && row.parked_because !== 'damaged';
        if (isParked) {
          intake.retry(row, now);
        }
        return isParked;
      }),

    /** A parked or pending update is given up. False when there is no such one. */
    discard: (updateId: number, now: number): boolean =>
      database.transaction(() => {
        const row = sql.update.get(updateId);
        const isOpen = row?.state === 'parked' || row?.state === 'pending';
        if (isOpen) {
          sql.move.run('discarded', now, steady.at(now), updateId);
        }
        return isOpen;
      }),

    /** What is to be noted of a reading that leaves now. */
    noteReading: (): ReadingNote => {
      readings += 1;
      return { mark: sql.settledThrough.get()?.id ?? 0, number: readings };
    },
    /** The newest attempt of which, and of all before it, the outcome is known. */
    settledThrough: (): number => sql.settledThrough.get()?.id ?? 0,
    find: (updateId: number): UpdateRow | undefined => sql.update.get(updateId),
    /** The newest restoration of a user, whatever its state. */
    restorationOf: (ownerId: number, userId: Id): UpdateRow | undefined => sql.restorationOf.get(userId, ownerId),
    openOfProduct: (ownerId: number, productId: Id): UpdateRow | undefined => sql.openOfProduct.get(productId, ownerId),
    /** Oldest first. */
    openCoupons: (ownerId: number): readonly OpenCoupon[] => sql.openCoupons.all(ownerId),
    /** The newest that another user of this company has asked for. */
    openOfOther: (
      ownerId: number,
      { platform, companyId }: Omit<Owner, 'email'>,
      productId: Id,
    ): OpenCouponOfOther | undefined => sql.openOfOther.get(productId, ownerId, platform, companyId),
    /** Those of all other users of this company, oldest first. */
    openCouponsOfOthers: (
      ownerId: number,
      { platform, companyId }: Omit<Owner, 'email'>,
    ): readonly OpenCouponOfOther[] => sql.openCouponsOfOthers.all(ownerId, platform, companyId),
    /** How many are pending, sealed, parked or delivered. */
    counts: (ownerId: number): Partial<Record<UpdateRow['state'], number>> =>
      Object.fromEntries(sql.counts.all(ownerId).map((row) => [row.state, row.total])),
    foreign: (ownerId: number): readonly { email: string; total: number }[] => sql.foreign.all(ownerId),
    /** How many of others' need a decision. */
    foreignParked: (ownerId: number): number => sql.foreignParked.get(ownerId)?.total ?? 0,
    history,
    readDay: openQueueDay(database),
  };
}
