// Owns the queue's rows in queue.db: updates, the requests they are sealed into, and attempts.
//
//   update:  pending ─seal→ sealed ─→ delivered
//               │  ▲           ├────→ parked      (needs a person; nothing else waits for it)
//               ▼  └── retry ──┘
//           superseded | discarded
//
// Invariants, cited by the tests:
//   Q1  What was accepted is on disk; every update is in exactly one state.
//   Q2  What a sealed update asks for is never touched until its request is answered; a newer one of the same product waits.
//   Q3  A company's updates of one owner are in at most one open request; a product has at most one pending update an owner.
//   Q4  The key, the bytes and the attempt are on disk before sending; a request that nobody answered keeps both.
//   Q5  An answer spends the key: whatever is sent again has another one.
//   Q6  A row whose checksum is wrong is never sent; what it was sealed with is sound, and is sealed anew.
//   Q7  An update that a newer one of another user has overtaken goes out only when a person says so.
// Every function is one transaction and synchronous. It never decides when to send, and never sends.
import type { UpdateStanding } from '../contract/contract.ts';
import type { Failure } from '../domain/failure.ts';
import { writeJson } from '../domain/json.ts';
import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import { checksumOf } from './checksum.ts';
import type { Disposition, Outcome } from './disposition.ts';
import { reconcile } from './reconcile.ts';

/** Updates in one request, at most. */
export const largestRequest = 100;
/** Open updates (pending, sealed or parked) that the queue holds, at most. */
export const longestQueue = 10_000;
/** A reading of the platform's settings is fresh for this long. */
export const freshForMs = 120_000;
/** A key is trusted to be remembered by the platform for this long; how long it really is, the document does not say. */
const keyTrustedForMs = 12 * 3_600_000;
/** SQLite's word for no limit. */
const everyRow = -1;
const historyForMs = 30 * 24 * 3_600_000;

/** Whose updates they are: they never go out under another's sign-in. */
export interface Owner {
  readonly platform: string;
  readonly companyId: Id;
  readonly email: string;
}

export interface OpenRequest {
  readonly id: number;
  readonly idempotencyKey: string;
  readonly body: string;
  readonly size: number;
  readonly unechoed: number;
  readonly isRepeated: boolean;
}

/** What should happen next for an owner. */
export type Work = 'nothing' | 'read' | 'seal' | { readonly resend: OpenRequest };

export interface UpdateRow {
  readonly id: number;
  readonly owner_id: number;
  readonly product_id: Id;
  readonly is_enabled: number;
  readonly seen: number | null;
  readonly created_at: number;
  readonly changed_at: number;
  readonly state: 'pending' | 'sealed' | 'delivered' | 'parked' | 'superseded' | 'discarded';
  readonly request_id: number | null;
  readonly split_group: number;
  readonly checked_at: number | null;
  readonly attempts: number;
  readonly failure: string | null;
  readonly parked_because: 'refused' | 'conflict' | 'damaged' | null;
  readonly theirs: number | null;
  readonly checksum: string;
}

export type ListedUpdate = UpdateRow & { readonly email: string; readonly company_id: Id };

interface RequestRow {
  readonly id: number;
  readonly owner_id: number;
  readonly idempotency_key: string;
  readonly body: string;
  readonly created_at: number;
  readonly unechoed: number;
  readonly checksum: string;
}

export const stateOfStanding: Readonly<Record<UpdateStanding, UpdateRow['state']>> = {
  pending: 'pending',
  inFlight: 'sealed',
  delivered: 'delivered',
  parked: 'parked',
  superseded: 'superseded',
  discarded: 'discarded',
};

function updateChecksum(row: { owner_id: number; product_id: string; is_enabled: number; created_at: number }): string {
  return checksumOf([row.owner_id, row.product_id, row.is_enabled, row.created_at]);
}

function requestChecksum(row: { owner_id: number; idempotency_key: string; body: string }): string {
  return checksumOf([row.owner_id, row.idempotency_key, row.body]);
}

/** The exact body of API v3 §4.7 for these updates, ids digit for digit. */
export function bodyOf(updates: readonly { readonly product_id: Id; readonly is_enabled: number }[]): string {
  return writeJson({ items: updates.map((update) => ({ product_id: BigInt(update.product_id), is_enabled: update.is_enabled === 1 })) });
}

export type QueueStore = ReturnType<typeof openQueueStore>;

/**
 * Opens the queue over queue.db. `confirm` is called inside the transaction in which updates become delivered, with the
 * attempt that delivered them, so that the confirmed setting and the update's state are never apart.
 */
export function openQueueStore(database: Database, confirm: (owner: Owner, settings: readonly { productId: Id; isEnabled: boolean }[], attemptId: number) => void) {
  const sql = {
    addOwner: database.prepare('INSERT INTO owners (platform, company_id, email) VALUES (?, ?, ?)'),
    ownerId: database.prepare<{ id: number }>('SELECT id FROM owners WHERE platform = ? AND company_id = ? AND email = ?'),
    owner: database.prepare<{ platform: string; company_id: Id; email: string }>('SELECT platform, company_id, email FROM owners WHERE id = ?'),
    openCount: database.prepare<{ total: number }>("SELECT count(*) AS total FROM updates WHERE state IN ('pending', 'sealed', 'parked')"),
    supersedable: database.prepare<UpdateRow>("SELECT * FROM updates WHERE product_id = ? AND owner_id = ? AND state IN ('pending', 'parked') ORDER BY id"),
    insert: database.prepare(
      "INSERT INTO updates (owner_id, product_id, is_enabled, seen, created_at, changed_at, state, checked_at, checksum) VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?)",
    ),
    move: database.prepare('UPDATE updates SET state = ?, changed_at = ? WHERE id = ?'),
    park: database.prepare("UPDATE updates SET state = 'parked', changed_at = ?, parked_because = ?, failure = ?, theirs = ? WHERE id = ?"),
    toPending: database.prepare("UPDATE updates SET state = 'pending', request_id = NULL, changed_at = ?, seen = ?, checked_at = ?, split_group = ?, failure = ? WHERE id = ?"),
    retry: database.prepare(
      "UPDATE updates SET state = 'pending', request_id = NULL, changed_at = ?, checked_at = ?, seen = coalesce(theirs, seen), split_group = 0, failure = NULL, parked_because = NULL, theirs = NULL WHERE id = ?",
    ),
    checked: database.prepare('UPDATE updates SET checked_at = ? WHERE id = ?'),
    update: database.prepare<UpdateRow>('SELECT * FROM updates WHERE id = ?'),
    setSeen: database.prepare('UPDATE updates SET seen = ? WHERE id = ?'),
    // To ask for what it wants is all that an overtaken update may find without a person's word.
    overtake: database.prepare(
      `UPDATE updates SET seen = is_enabled, checked_at = NULL WHERE product_id = ?1 AND id < ?2 AND state IN ('pending', 'sealed') AND owner_id IN
       (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, company_id) WHERE mine.id = ?3 AND theirs.id <> mine.id)`,
    ),
    newer: database.prepare<{ id: number }>("SELECT id FROM updates WHERE product_id = ? AND owner_id = ? AND id > ? AND state = 'pending' LIMIT 1"),
    ofRequest: database.prepare<UpdateRow>("SELECT * FROM updates WHERE request_id = ? AND state = 'sealed' ORDER BY id"),
    oldestPending: database.prepare<UpdateRow>("SELECT * FROM updates WHERE state = 'pending' AND owner_id = ? ORDER BY id LIMIT 1"),
    // A reading in the future was noted before somebody set the clock back: how old it is, nobody knows.
    unread: database.prepare<UpdateRow>("SELECT * FROM updates WHERE state = 'pending' AND owner_id = ?1 AND (checked_at IS NULL OR checked_at NOT BETWEEN ?2 - ?3 AND ?2) ORDER BY id LIMIT ?4"),
    sealable: database.prepare<UpdateRow>(
      "SELECT * FROM updates WHERE state = 'pending' AND owner_id = ?1 AND split_group = ?2 AND checked_at BETWEEN ?3 - ?4 AND ?3 ORDER BY id LIMIT ?5",
    ),
    largestGroup: database.prepare<{ largest: number | null }>("SELECT max(split_group) AS largest FROM updates WHERE state = 'pending'"),
    seal: database.prepare("UPDATE updates SET state = 'sealed', request_id = ?, changed_at = ? WHERE id = ?"),
    addRequest: database.prepare('INSERT INTO requests (owner_id, idempotency_key, body, created_at, checksum) VALUES (?, ?, ?, ?, ?)'),
    openRequest: database.prepare<RequestRow>('SELECT id, owner_id, idempotency_key, body, created_at, unechoed, checksum FROM requests WHERE owner_id = ? AND is_open = 1 ORDER BY id LIMIT 1'),
    closeRequest: database.prepare('UPDATE requests SET is_open = 0 WHERE id = ?'),
    addUnechoed: database.prepare('UPDATE requests SET unechoed = unechoed + 1 WHERE id = ?'),
    addAttempt: database.prepare('INSERT INTO attempts (request_id, sent_at) VALUES (?, ?)'),
    countAttempt: database.prepare("UPDATE updates SET attempts = attempts + 1 WHERE request_id = ? AND state = 'sealed'"),
    settleAttempt: database.prepare('UPDATE attempts SET settled_at = ?, outcome = ? WHERE id = ?'),
    setFailure: database.prepare("UPDATE updates SET failure = ? WHERE request_id = ? AND state = 'sealed'"),
    abandon: database.prepare("UPDATE attempts SET settled_at = ?, outcome = 'abandoned' WHERE settled_at IS NULL"),
    settledThrough: database.prepare<{ id: number }>(
      'SELECT coalesce((SELECT min(id) - 1 FROM attempts WHERE settled_at IS NULL), (SELECT max(id) FROM attempts), 0) AS id',
    ),
    lastAttempt: database.prepare<{ id: number; sent_at: number }>('SELECT id, sent_at FROM attempts WHERE request_id = ? ORDER BY id DESC LIMIT 1'),
    foreignAttempt: database.prepare<{ id: number }>(
      `SELECT attempts.id FROM attempts JOIN requests ON requests.id = attempts.request_id
       JOIN owners ON owners.id = requests.owner_id JOIN owners AS mine ON mine.id = ?
       WHERE attempts.id > ? AND owners.id <> mine.id AND owners.platform = mine.platform AND owners.company_id = mine.company_id LIMIT 1`,
    ),
    openOfProduct: database.prepare<UpdateRow>("SELECT * FROM updates WHERE product_id = ? AND owner_id = ? AND state IN ('pending', 'sealed', 'parked') ORDER BY id DESC LIMIT 1"),
    openOfOwner: database.prepare<UpdateRow>("SELECT * FROM updates WHERE owner_id = ? AND state IN ('pending', 'sealed', 'parked') ORDER BY id"),
    counts: database.prepare<{ state: UpdateRow['state']; total: number }>('SELECT state, count(*) AS total FROM updates WHERE owner_id = ? GROUP BY state'),
    foreign: database.prepare<{ email: string; total: number }>(
      "SELECT owners.email AS email, count(*) AS total FROM updates JOIN owners ON owners.id = updates.owner_id WHERE state IN ('pending', 'sealed') AND owner_id <> ? GROUP BY owners.email",
    ),
    prune: database.prepare("DELETE FROM updates WHERE state IN ('delivered', 'superseded', 'discarded') AND changed_at < ?"),
    // The newest attempt stays: readings are counted by it.
    pruneAttempts: database.prepare(
      'DELETE FROM attempts WHERE sent_at < ? AND id < (SELECT max(id) FROM attempts) AND request_id IN (SELECT id FROM requests WHERE is_open = 0)',
    ),
    pruneRequests: database.prepare(
      `DELETE FROM requests WHERE is_open = 0 AND created_at < ? AND NOT EXISTS (SELECT 1 FROM updates WHERE request_id = requests.id)
       AND NOT EXISTS (SELECT 1 FROM attempts WHERE request_id = requests.id)`,
    ),
  };

  // `seen` is what the platform may have without anybody else's doing; the newer update takes it over, for until now it was made
  // upon this one.
  function supersededByNewer(row: UpdateRow, now: number, seen: number | null): boolean {
    const newer = sql.newer.get(row.product_id, row.owner_id, row.id);
    if (newer === undefined) {
      return false;
    }
    sql.setSeen.run(seen, newer.id);
    sql.move.run('superseded', now, row.id);
    return true;
  }

  function deliver(row: UpdateRow, now: number): void {
    sql.move.run('delivered', now, row.id);
    sql.overtake.run(row.product_id, row.id, row.owner_id); // Q7
  }

  function returnToPending(row: UpdateRow, now: number, change: { readonly isFresh: boolean; readonly group: number; readonly failure: Failure | null }): void {
    // Not fresh: this one may have taken effect all the same.
    if (!supersededByNewer(row, now, change.isFresh ? row.seen : null)) {
      const failure = change.failure === null ? null : JSON.stringify(change.failure);
      // It may have been done: what the platform has from now on may be this terminal's own doing. What was overtaken (Q7) stays so.
      const isInDoubt = !change.isFresh && row.attempts > 0 && row.seen !== row.is_enabled;
      const seen = isInDoubt ? null : row.seen;
      sql.toPending.run(now, seen, change.isFresh ? row.checked_at : null, change.group, failure, row.id);
    }
  }

  function parkRefused(row: UpdateRow, now: number, failure: Failure): void {
    if (!supersededByNewer(row, now, row.seen)) {
      sql.park.run(now, 'refused', JSON.stringify(failure), null, row.id);
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

  // Sealed long ago but never sent; or a key that the platform may have forgotten; or an order that someone else's sending has
  // passed by: what the platform has now must be read before anything goes out.
  function isStale(request: RequestRow, updates: readonly UpdateRow[], now: number): boolean {
    if (updates.some((update) => update.checked_at === null)) {
      return true;
    }
    const last = sql.lastAttempt.get(request.id);
    if (last === undefined) {
      return now - request.created_at > freshForMs;
    }
    return now - last.sent_at > keyTrustedForMs || sql.foreignAttempt.get(request.owner_id, last.id) !== undefined;
  }

  function currentRequest(ownerId: number, now: number): OpenRequest | null {
    const row = sql.openRequest.get(ownerId);
    if (row === undefined) {
      return null;
    }
    const sealed = sql.ofRequest.all(row.id);
    const updates = sound(sealed, now);
    const isWhole = updates.length === sealed.length && updates.length > 0 && row.checksum === requestChecksum(row) && row.body === bodyOf(updates);
    if (!isWhole || isStale(row, updates, now)) {
      dissolve(row, now);
      return null;
    }
    return { id: row.id, idempotencyKey: row.idempotency_key, body: row.body, size: updates.length, unechoed: row.unechoed, isRepeated: sql.lastAttempt.get(row.id) !== undefined };
  }

  const store = {
    /** Attempts of an earlier run are over; old history goes. */
    begin: (now: number): void => {
      database.transaction(() => {
        sql.abandon.run(now);
        sql.prune.run(now - historyForMs);
        sql.pruneAttempts.run(now - historyForMs);
        sql.pruneRequests.run(now - historyForMs);
      });
    },

    ownerId: ({ platform, companyId, email }: Owner): number => sql.ownerId.get(platform, companyId, email)?.id ?? sql.addOwner.run(platform, companyId, email).lastId,

    /** Makes an update durable (Q1); an older one of the product that is not sealed gives way (Q3). False when the queue is full. */
    enqueue: (update: { readonly ownerId: number; readonly productId: Id; readonly isEnabled: boolean; readonly seen: boolean | null; readonly isSeenFresh: boolean; readonly now: number }): boolean =>
      database.transaction(() => {
        const { ownerId, productId, now } = update;
        const older = sql.supersedable.all(productId, ownerId);
        if (older.length === 0 && (sql.openCount.get()?.total ?? 0) >= longestQueue) {
          return false;
        }
        for (const row of older) {
          sql.move.run('superseded', now, row.id);
        }
        // A change of mind before sending compares with what was seen at first; after a refusal, with what is seen now.
        const first = older.find((row) => row.state === 'pending');
        const seen = first === undefined ? (update.seen === null ? null : Number(update.seen)) : first.seen;
        const checkedAt = first === undefined ? (update.isSeenFresh ? now : null) : first.checked_at;
        const row = { owner_id: ownerId, product_id: productId, is_enabled: Number(update.isEnabled), created_at: now };
        sql.insert.run(ownerId, productId, row.is_enabled, seen, now, now, checkedAt, updateChecksum(row));
        return true;
      }),

    /** What should happen next for this owner. */
    nextWork: (ownerId: number, now: number): Work =>
      database.transaction((): Work => {
        const request = currentRequest(ownerId, now);
        if (request !== null) {
          return { resend: request };
        }
        if (sql.unread.get(ownerId, now, freshForMs, 1) !== undefined) {
          return 'read';
        }
        return sql.oldestPending.get(ownerId) === undefined ? 'nothing' : 'seal';
      }),

    /**
     * Compares what waits with what the platform has now (`settings` asked for at `now` or later). Compares nothing while a
     * request is open, for that one may yet change what was read.
     */
    applyReading: (ownerId: number, settings: ReadonlyMap<Id, boolean>, now: number): void => {
      database.transaction(() => {
        if (sql.openRequest.get(ownerId) !== undefined) {
          return;
        }
        for (const row of sound(sql.unread.all(ownerId, now, freshForMs, everyRow), now)) {
          const theirs = settings.get(row.product_id);
          const result = reconcile({ wanted: row.is_enabled === 1, seen: row.seen === null ? null : row.seen === 1 }, theirs);
          if (result === 'holds') {
            deliver(row, now);
          } else if (result === 'conflict') {
            sql.park.run(now, 'conflict', null, Number(theirs ?? false), row.id);
          } else {
            sql.checked.run(now, row.id);
          }
        }
      });
    },

    /** What waits is held to be compared although it could not be. */
    skipReading: (ownerId: number, now: number): void => {
      database.transaction(() => {
        for (const row of sql.unread.all(ownerId, now, freshForMs, everyRow)) {
          sql.checked.run(now, row.id);
        }
      });
    },

    /** The open request, or a new one sealed from what is pending under this key; null when nothing may go. */
    seal: (ownerId: number, idempotencyKey: string, now: number): OpenRequest | null =>
      database.transaction(() => {
        const open = currentRequest(ownerId, now);
        const oldest = sql.oldestPending.get(ownerId);
        if (open !== null || oldest === undefined) {
          return open;
        }
        const updates = sound(sql.sealable.all(ownerId, oldest.split_group, now, freshForMs, largestRequest), now);
        if (updates.length === 0) {
          return null;
        }
        const body = bodyOf(updates);
        const row = { owner_id: ownerId, idempotency_key: idempotencyKey, body };
        const id = sql.addRequest.run(ownerId, idempotencyKey, body, now, requestChecksum(row)).lastId;
        for (const update of updates) {
          sql.seal.run(id, now, update.id);
        }
        return { id, idempotencyKey, body, size: updates.length, unechoed: 0, isRepeated: false };
      }),

    /** Puts an attempt on disk before its first byte leaves (Q4). */
    beginAttempt: (requestId: number, now: number): number =>
      database.transaction(() => {
        sql.countAttempt.run(requestId);
        return sql.addAttempt.run(requestId, now).lastId;
      }),

    /** Carries out a disposition (Q5). */
    settle: (sent: { readonly ownerId: number; readonly requestId: number; readonly attemptId: number }, outcome: Outcome, disposition: Disposition, now: number): void => {
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
          if (owner !== undefined) {
            const settings = rows.map((row) => ({ productId: row.product_id, isEnabled: row.is_enabled === 1 }));
            confirm({ platform: owner.platform, companyId: owner.company_id, email: owner.email }, settings, sent.attemptId);
          }
          return;
        }
        const largestGroup = sql.largestGroup.get()?.largest ?? 0;
        rows.forEach((row, place) => {
          switch (disposition.step) {
            case 'parkAll':
              parkRefused(row, now, failure);
              break;
            case 'parkNamed':
              if (disposition.named.includes(place)) {
                parkRefused(row, now, failure);
              } else {
                returnToPending(row, now, { isFresh: true, group: row.split_group, failure: null });
              }
              break;
            case 'halve':
              returnToPending(row, now, { isFresh: true, group: largestGroup + (place < rows.length / 2 ? 1 : 2), failure: null });
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
        if (row?.state !== 'parked' || row.parked_because === 'damaged') {
          return false;
        }
        if (sql.newer.get(row.product_id, row.owner_id, row.id) === undefined) {
          sql.retry.run(now, now, updateId);
        } else {
          sql.move.run('superseded', now, updateId);
        }
        return true;
      }),

    /** A parked or pending update is given up. False when there is no such one. */
    discard: (updateId: number, now: number): boolean =>
      database.transaction(() => {
        const row = sql.update.get(updateId);
        if (row?.state !== 'parked' && row?.state !== 'pending') {
          return false;
        }
        sql.move.run('discarded', now, updateId);
        return true;
      }),

    /** The newest attempt of which, and of all before it, the outcome is known: what a reading asked for now surely knows of. */
    settledThrough: (): number => sql.settledThrough.get()?.id ?? 0,
    find: (updateId: number): UpdateRow | undefined => sql.update.get(updateId),
    openOfProduct: (ownerId: number, productId: Id): UpdateRow | undefined => sql.openOfProduct.get(productId, ownerId),
    openOfOwner: (ownerId: number): readonly UpdateRow[] => sql.openOfOwner.all(ownerId),
    counts: (ownerId: number): Partial<Record<UpdateRow['state'], number>> => Object.fromEntries(sql.counts.all(ownerId).map((row) => [row.state, row.total])),
    foreign: (ownerId: number): readonly { email: string; total: number }[] => sql.foreign.all(ownerId),

    /** Newest first; an empty list of standings means all. */
    list: (standings: readonly UpdateStanding[], offset: number, limit: number): { readonly total: number; readonly rows: readonly ListedUpdate[] } => {
      const states = standings.map((standing) => stateOfStanding[standing]);
      const filter = states.length === 0 ? '' : `WHERE state IN (${states.map(() => '?').join(', ')})`;
      const total = database.prepare<{ total: number }>(`SELECT count(*) AS total FROM updates ${filter}`).get(...states)?.total ?? 0;
      const rows = database
        .prepare<ListedUpdate>(`SELECT updates.*, email, company_id FROM updates JOIN owners ON owners.id = owner_id ${filter} ORDER BY updates.id DESC LIMIT ? OFFSET ?`)
        .all(...states, limit, offset);
      return { total, rows };
    },
  };
  return store;
}
