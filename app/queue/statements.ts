import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import { isRefused } from './late-arrivals.ts';
import type { RequestRow, UpdateRow } from './rows.ts';
import { isSurelyOlder } from './steady-time.ts';

/**
 * No older update of the same thing waits for one of these owners, a list as JSON: what was asked for first goes first
 * (Q12). Those who cannot send now hold up nobody.
 */
// mutant: an update overtakes an older one of another who can send, too (Q12)
export const isFirstOf = (ahead: string): string =>
  `NOT EXISTS (SELECT 1 FROM updates AS older WHERE older.subject_id = updates.subject_id AND older.kind = updates.kind AND older.id < updates.id
   AND older.state IN ('pending', 'sealed') AND older.owner_id IN (SELECT value FROM json_each(${ahead})))`;
/** Nobody else sends here now. */
export const nobodyAhead = '[]';

// mutant: an overtaken update forgets that it is (I3)
const isNotOvertaken = `NOT EXISTS
  (SELECT 1 FROM updates AS theirs JOIN owners AS other ON other.id = theirs.owner_id JOIN owners AS mine ON mine.id = updates.owner_id
   WHERE theirs.subject_id = updates.subject_id AND theirs.kind = updates.kind AND theirs.state = 'delivered' AND theirs.id > updates.id
   AND other.platform = mine.platform AND other.company_id = mine.company_id AND other.id <> mine.id)`;

export type Statements = ReturnType<typeof prepareStatements>;

/** Prepares the statements of the queue's repository. */
export function prepareStatements(database: Database) {
  return {
    addOwner: database.prepare('INSERT INTO owners (platform, company_id, email) VALUES (?, ?, ?)'),
    ownerId: database.prepare<{ id: number }>(
      'SELECT id FROM owners WHERE platform = ? AND company_id = ? AND email = ?',
    ),
    otherCompany: database.prepare<{ id: number }>(
      'SELECT id FROM owners WHERE platform = ? AND company_id <> ? LIMIT 1',
    ),
    owner: database.prepare<{ platform: string; company_id: Id; email: string }>(
      'SELECT platform, company_id, email FROM owners WHERE id = ?',
    ),

    openCount: database.prepare<{ total: number }>(
      "SELECT count(*) AS total FROM updates WHERE state IN ('pending', 'sealed', 'parked')",
    ),
    // mutant: a newer update supersedes a sealed one (I2)
    supersedable: database.prepare<UpdateRow>(
      "SELECT * FROM updates WHERE subject_id = ? AND owner_id = ? AND kind = 'coupon' AND state IN ('pending', 'parked') ORDER BY id",
    ),
    // It was moved when the newer one was made.
    gaveWay: database.prepare<UpdateRow>(
      "SELECT * FROM updates WHERE subject_id = ? AND owner_id = ? AND kind = 'coupon' AND state = 'superseded' AND changed_at = ? AND id < ? ORDER BY id DESC LIMIT 1",
    ),
    openRestoration: database.prepare<UpdateRow>(
      "SELECT * FROM updates WHERE subject_id = ? AND owner_id = ? AND kind = 'restoreUser' AND state IN ('pending', 'sealed', 'parked') ORDER BY id DESC LIMIT 1",
    ),
    insert: database.prepare(
      `INSERT INTO updates (owner_id, kind, subject_id, is_enabled, seen, created_at, changed_at, created_steady_ms, state, checked_steady_ms, checksum, name, plan, until_steady_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, 'pending', ?8, ?9, ?10, ?11, ?12)`,
    ),
    move: database.prepare('UPDATE updates SET state = ?, changed_at = ?, over_steady_ms = ? WHERE id = ?'),
    // Told apart from what was given up by its failure: nothing else is over with this one and was never sent.
    undo: database.prepare(
      `UPDATE updates SET state = 'discarded', changed_at = ?, over_steady_ms = ?, failure = '{"kind":"cancelled"}' WHERE id = ?`,
    ),
    // Parked when it has a reason to be, else pending; and what the platform has is read before it may go.
    standAgain: database.prepare(
      "UPDATE updates SET state = CASE WHEN parked_because IS NULL THEN 'pending' ELSE 'parked' END, changed_at = ?, checked_steady_ms = NULL, failure = CASE WHEN attempts = 0 AND parked_because IS NULL THEN NULL ELSE failure END WHERE id = ?",
    ),
    // Anything that was asked for of the same thing since, by anybody, or that is open of it besides.
    isInTheWay: database.prepare<{ id: number }>(
      `SELECT other.id FROM updates AS other JOIN owners AS theirs ON theirs.id = other.owner_id JOIN owners AS mine ON mine.id = ?1
       WHERE other.subject_id = ?2 AND other.kind = ?3 AND theirs.platform = mine.platform AND theirs.company_id = mine.company_id
       AND ((other.id > ?4 AND other.state <> 'discarded') OR (other.id <> ?4 AND other.owner_id = ?1 AND other.state IN ('pending', 'parked'))) LIMIT 1`,
    ),
    park: database.prepare(
      "UPDATE updates SET state = 'parked', changed_at = ?, parked_because = ?, failure = ?, theirs = ? WHERE id = ?",
    ),
    // mutant: nothing asks before it is sent, however old (I14)
    // mutant: an update asks long before it is old (I9)
    parkOld: database.prepare(
      `UPDATE updates SET state = 'parked', changed_at = ?1, parked_because = 'old', failure = NULL, theirs = NULL WHERE id IN
       (SELECT id FROM updates WHERE state = 'pending' AND owner_id = ?2 AND ${isSurelyOlder('created_steady_ms', '?3', '?4')} AND is_age_approved = 0 LIMIT ?5)`,
    ),
    toPending: database.prepare(
      "UPDATE updates SET state = 'pending', request_id = NULL, changed_at = ?, seen = ?, checked_steady_ms = ?, split_group = ?, failure = ?, is_in_doubt = ? WHERE id = ?",
    ),
    retry: database.prepare(
      // Whoever lets an old one go has not seen what the platform has now: that is read first.
      `UPDATE updates SET state = 'pending', request_id = NULL, changed_at = ?1, checked_steady_ms = CASE parked_because WHEN 'old' THEN NULL ELSE ?2 END, seen = coalesce(theirs, seen),
       split_group = 0, failure = NULL, parked_because = NULL, theirs = NULL, is_age_approved = 1, until_steady_ms = NULL WHERE id = ?3`,
    ),
    update: database.prepare<UpdateRow>('SELECT * FROM updates WHERE id = ?'),
    // An overtaken update stays so.
    setSeen: database.prepare(`UPDATE updates SET seen = ?1 WHERE id = ?2 AND ${isNotOvertaken}`),
    // To ask for what it wants is all that an overtaken update may find without a person's word.
    overtake: database.prepare(
      `UPDATE updates SET seen = is_enabled, checked_steady_ms = NULL WHERE subject_id = ?1 AND id < ?2 AND kind = 'coupon' AND state IN ('pending', 'sealed') AND owner_id IN
       (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, company_id) WHERE mine.id = ?3 AND theirs.id <> mine.id)`,
    ),
    // Whoever asked for it later at this till has seen that this one waited.
    build: database.prepare(
      `UPDATE updates SET seen = ?1 WHERE subject_id = ?2 AND id > ?3 AND kind = 'coupon' AND state = 'pending' AND owner_id IN
       (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, company_id) WHERE mine.id = ?4 AND theirs.id <> mine.id) AND ${isNotOvertaken}`,
    ),
    newer: database.prepare<{ id: number }>(
      "SELECT id FROM updates WHERE kind = ? AND subject_id = ? AND owner_id = ? AND id > ? AND state = 'pending' LIMIT 1",
    ),
    ofRequest: database.prepare<UpdateRow>(
      "SELECT * FROM updates WHERE request_id = ? AND state = 'sealed' ORDER BY id",
    ),
    inRequest: database.prepare<UpdateRow>('SELECT * FROM updates WHERE request_id = ? ORDER BY id'),
    // Those that were tried less often go first, so that one that always fails holds back none of the others.
    // mutant: what was given up and stands again is never sent (I4, I8)
    nextPending: database.prepare<UpdateRow>(
      `SELECT * FROM updates WHERE state = 'pending' AND owner_id = ?1 AND ${isFirstOf('?2')} ORDER BY attempts, id LIMIT 1`,
    ),
    // mutant: another user's updates are sealed, too (I10)
    // mutant: another company's updates are sealed, too (I10)
    sealable: database.prepare<UpdateRow>(
      `SELECT * FROM updates WHERE state = 'pending' AND owner_id = ?1 AND kind = 'coupon' AND split_group = ?2 AND checked_steady_ms BETWEEN ?3 - ?4 AND ?3
       AND ${isFirstOf('?6')} ORDER BY attempts, id LIMIT ?5`,
    ),
    largestGroup: database.prepare<{ largest: number | null }>(
      "SELECT max(split_group) AS largest FROM updates WHERE state = 'pending'",
    ),
    seal: database.prepare("UPDATE updates SET state = 'sealed', request_id = ?, changed_at = ? WHERE id = ?"),
    noteSealing: database.prepare('INSERT INTO sealings (request_id, update_id) VALUES (?, ?)'),

    addRequest: database.prepare(
      'INSERT INTO requests (owner_id, idempotency_key, method, path, body, created_at, created_steady_ms, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    openRequest: database.prepare<RequestRow>(
      'SELECT id, owner_id, idempotency_key, method, path, body, created_steady_ms, unechoed, checksum FROM requests WHERE owner_id = ? AND is_open = 1 ORDER BY id LIMIT 1',
    ),
    closeRequest: database.prepare('UPDATE requests SET is_open = 0 WHERE id = ?'),
    addUnechoed: database.prepare('UPDATE requests SET unechoed = unechoed + 1 WHERE id = ?'),

    addAttempt: database.prepare(
      'INSERT INTO attempts (request_id, sent_at, sent_steady_ms, client) VALUES (?, ?, ?, ?)',
    ),
    countAttempt: database.prepare(
      "UPDATE updates SET attempts = attempts + 1 WHERE request_id = ? AND state = 'sealed'",
    ),
    settleAttempt: database.prepare('UPDATE attempts SET settled_at = ?, outcome = ? WHERE id = ?'),
    setFailure: database.prepare("UPDATE updates SET failure = ? WHERE request_id = ? AND state = 'sealed'"),
    // mutant: updates are deleted at the start (I1)
    abandon: database.prepare("UPDATE attempts SET settled_at = ?, outcome = 'abandoned' WHERE settled_at IS NULL"),
    attemptsAt: database.prepare<{ last_id: number; first_sent_steady_ms: number | null; is_of_other: number }>(
      `SELECT max(id) AS last_id, min(sent_steady_ms) AS first_sent_steady_ms,
         max(coalesce(client <> ?, 0) AND NOT ${isRefused}) AS is_of_other
       FROM attempts WHERE request_id = ? HAVING count(*) > 0`,
    ),
    foreignAttempt: database.prepare<{ id: number }>(
      `SELECT attempts.id FROM attempts JOIN requests ON requests.id = attempts.request_id
       JOIN owners ON owners.id = requests.owner_id JOIN owners AS mine ON mine.id = ?
       WHERE attempts.id > ? AND owners.id <> mine.id AND owners.platform = mine.platform AND owners.company_id = mine.company_id LIMIT 1`,
    ),
  };
}
