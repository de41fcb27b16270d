import type { Database } from '../storage/database.ts';
import {
  isSealedFrom,
  requestChecksum,
  sealedFrom,
  type OpenRequest,
  type RequestRow,
  type UpdateRow,
} from './rows.ts';
import { nobodyAhead, type Statements } from './statements.ts';
import { isWithin, type SteadyTime } from './steady-time.ts';
import type { Transitions } from './transitions.ts';

/** Updates in one request, at most. */
export const largestRequest = 100;
/**
 * A key is trusted to be remembered by the platform for this long; how long it really is, the document does not say.
 */
const keyTrustedForMs = 12 * 3_600_000;

function openRequestOf(row: RequestRow, updates: readonly UpdateRow[], isRepeated: boolean): OpenRequest {
  const { id, idempotency_key: idempotencyKey, method, path, body, unechoed } = row;
  const [first] = updates;
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
    earlierTries: Math.min(...updates.map((update) => update.attempts)),
  };
}

/** Opens the requests over the rows: sealed, on disk, until they are answered or dissolved. */
export function openRequests(
  database: Database,
  sql: Statements,
  steady: SteadyTime,
  { sound, returnToPending }: Transitions,
  freshMs: () => number,
  client: string | null,
) {
  const attemptsOf = (requestId: number) => sql.attemptsAt.get(client, requestId);

  /** Whether the platform may not know the key of what it may have done: it is old, or was another client's. */
  const isForgotten = (attempts: NonNullable<ReturnType<typeof attemptsOf>>, now: number): boolean =>
    // mutant: what one client has sent goes out under its key by another (I2)
    attempts.is_of_other === 1 || !isWithin(steady, keyTrustedForMs, attempts.first_sent_steady_ms, now);

  /**
   * Whether the platform's setting must be read before this goes out: it was sealed long ago and never sent, or the
   * platform may have forgotten its key, or another user's sending has overtaken it.
   */
  function isStale(request: RequestRow, updates: readonly UpdateRow[], now: number): boolean {
    // Any of them may be the one that the platform has kept, so the key is as old as the first.
    const attempts = attemptsOf(request.id);
    if (updates.some((update) => update.kind === 'restoreUser')) {
      // There is nothing to read; only the key may have been forgotten.
      // mutant: a restoration that nobody answered is put before a person at once (I9)
      return attempts !== undefined && isForgotten(attempts, now);
    }
    if (updates.some((update) => update.checked_steady_ms === null)) {
      return true;
    }
    if (attempts === undefined) {
      return !isWithin(steady, freshMs(), request.created_steady_ms, now);
    }
    return isForgotten(attempts, now) || sql.foreignAttempt.get(request.owner_id, attempts.last_id) !== undefined;
  }

  /** The open request when it may be sent as it is; one that may not is dissolved. */
  function current(ownerId: number, now: number): OpenRequest | null {
    const row = sql.openRequest.get(ownerId);
    if (row === undefined) {
      return null;
    }
    const sealed = sql.ofRequest.all(row.id);
    const updates = sound(sealed, now);
    // mutant: an altered request is sent (I11)
    const isWhole =
      updates.length === sealed.length &&
      updates.length > 0 &&
      row.checksum === requestChecksum(row) &&
      isSealedFrom(row, updates);
    // mutant: a new key on every retry (I2)
    if (isWhole && !isStale(row, updates, now)) {
      // Q4: The key and the bytes stay as they are until the request is answered.
      return openRequestOf(row, updates, attemptsOf(row.id) !== undefined);
    }
    // Q6: What was sealed with an altered row is sound, and is sealed anew.
    for (const update of sql.ofRequest.all(row.id)) {
      returnToPending(update, now, { isFresh: false, group: update.split_group, failure: null });
    }
    sql.closeRequest.run(row.id);
    return null;
  }

  // Q8: A restoration is alone in its request. Coupons go with those of the first one's group, in the order of asking.
  function sealable(first: UpdateRow, now: number, ahead: string): readonly UpdateRow[] {
    const rows =
      first.kind === 'restoreUser'
        ? [first]
        : sql.sealable.all(first.owner_id, first.split_group, steady.at(now), freshMs(), largestRequest, ahead);
    return sound(rows, now).toSorted((left, right) => left.id - right.id);
  }

  return {
    current,

    /** The open request, or a new one sealed under this key from what may go first of all (`ahead`, Q12), or null. */
    seal: (ownerId: number, idempotencyKey: string, now: number, ahead = nobodyAhead): OpenRequest | null =>
      database.transaction(() => {
        // Q3: A company's updates of one owner, of all kinds, are in at most one open request.
        const open = current(ownerId, now);
        const next = sql.nextPending.get(ownerId, ahead);
        if (open !== null || next === undefined) {
          return open;
        }
        const updates = sealable(next, now, ahead);
        if (updates.length === 0) {
          return null;
        }
        const request = { owner_id: ownerId, idempotency_key: idempotencyKey, ...sealedFrom(updates) };
        const { method, path, body } = request;
        const checksum = requestChecksum(request);
        const { lastId: id } = sql.addRequest.run(
          ownerId,
          idempotencyKey,
          method,
          path,
          body,
          now,
          steady.at(now),
          checksum,
        );
        // mutant: a request is sealed without its first update (I2)
        for (const update of updates) {
          sql.seal.run(id, now, update.id);
          sql.noteSealing.run(id, update.id);
        }
        return openRequestOf(
          { ...request, id, created_steady_ms: steady.at(now), unechoed: 0, checksum },
          updates,
          false,
        );
      }),

    /** Q4: The attempt is on disk before the first byte leaves. */
    // mutant: an attempt whose answer found no room counts as open for ever (I4)
    beginAttempt: (requestId: number, now: number): number =>
      database.transaction(() => {
        // One is under way at a time: an earlier one whose answer found no room on the disk is over, and must not count
        // as open for ever.
        sql.abandon.run(now);
        sql.countAttempt.run(requestId);
        return sql.addAttempt.run(requestId, now, steady.at(now), client).lastId;
      }),

    /** Another call succeeded after a failure without the echo: one step nearer to calling the key poisoned. */
    countUnechoed: (requestId: number): void => {
      sql.addUnechoed.run(requestId);
    },
  };
}
