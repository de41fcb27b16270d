import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import { reconcile } from './disposition.ts';
import { isFirstOf, nobodyAhead, type Statements } from './statements.ts';
import type { SteadyTime } from './steady-time.ts';
import type { Transitions } from './transitions.ts';

/** The facts that are known of a reading of the settings by the time when it leaves. */
export interface ReadingNote {
  /** The newest attempt that it surely knows of. */
  readonly mark: number;
  /** Its place among the readings of this run. */
  readonly number: number;
}

/** The note of a reading that has left, and the uptime of that, in milliseconds. */
export type LeftReading = ReadingNote & { readonly leftMs: number };

/** Opens what compares the updates that wait with the platform's settings. */
export function openReadings(
  database: Database,
  sql: Statements,
  steady: SteadyTime,
  { sound, deliver }: Transitions,
  freshMs: () => number,
) {
  const unreadRows = database.prepare<{ id: number }>(
    `SELECT id FROM updates WHERE state = 'pending' AND owner_id = ?1 AND kind = 'coupon' AND (checked_steady_ms IS NULL OR checked_steady_ms NOT BETWEEN ?2 - ?3 AND ?2)
     AND ${isFirstOf('?4')}`,
  );
  // Nobody can tell whether another till has made the moment, and a person has changed it since.
  const parkPast = database.prepare(
    `UPDATE updates SET state = 'parked', changed_at = ?1, parked_because = 'conflict', failure = NULL, theirs = 1 - is_enabled
     WHERE state = 'pending' AND owner_id = ?2 AND kind = 'coupon' AND until_steady_ms < ?3`,
  );
  const checked = database.prepare('UPDATE updates SET checked_steady_ms = ? WHERE id = ?');
  const skip = database.prepare(
    "UPDATE updates SET checked_steady_ms = ? WHERE state = 'pending' AND owner_id = ? AND kind = 'coupon'",
  );
  // Another user's later update that was delivered stays without a reading, too: an overtaken update waits for a
  // person.
  const parkOvertaken = database.prepare(
    `UPDATE updates SET state = 'parked', changed_at = ?1, parked_because = 'conflict', failure = NULL, theirs = 1 - is_enabled
     WHERE state = 'pending' AND owner_id = ?2 AND kind = 'coupon' AND seen = is_enabled AND is_enabled <>
       (SELECT later.is_enabled FROM updates AS later JOIN owners AS other ON other.id = later.owner_id JOIN owners AS mine ON mine.id = ?2
        WHERE later.subject_id = updates.subject_id AND later.kind = 'coupon' AND later.state = 'delivered' AND later.id > updates.id
        AND other.platform = mine.platform AND other.company_id = mine.company_id AND other.id <> mine.id ORDER BY later.id DESC LIMIT 1)`,
  );
  const newestSettled = database.prepare<{ id: number }>(
    'SELECT coalesce((SELECT min(id) - 1 FROM attempts WHERE settled_at IS NULL), (SELECT max(id) FROM attempts), 0) AS id',
  );
  const settled = database.prepare<{ settled_at: number | null }>('SELECT settled_at FROM attempts WHERE id = ?');
  let readings = 0;
  /** The newest attempt of which, and of all before it, the outcome is known. */
  const settledThrough = (): number => newestSettled.get()?.id ?? 0;

  return {
    settledThrough,
    /** When this attempt was answered, in milliseconds since 1970; null where it was not, or is forgotten. */
    settledAt: (attemptId: number): number | null => settled.get(attemptId)?.settled_at ?? null,

    /** The note to take of a reading that leaves now. */
    noteReading: (): ReadingNote => {
      readings += 1;
      return { mark: settledThrough(), number: readings };
    },

    hasUnread: (ownerId: number, now: number, ahead: string): boolean =>
      unreadRows.get(ownerId, steady.at(now), freshMs(), ahead) !== undefined,

    /** The updates to compare with a reading that leaves now, without those that wait behind an older one. */
    unread: (ownerId: number, now: number, ahead = nobodyAhead): readonly number[] =>
      unreadRows.all(ownerId, steady.at(now), freshMs(), ahead).map((row) => row.id),

    /**
     * Compares what waits of `unread`, which waited unread when the reading left at `now`, with the settings that it
     * told. What was accepted since is newer than they are.
     */
    applyReading: (
      ownerId: number,
      settings: ReadonlyMap<Id, boolean>,
      now: number,
      unread: readonly number[],
    ): void => {
      database.transaction(() => {
        // An open request may yet change what was read.
        if (sql.openRequest.get(ownerId) !== undefined) {
          return;
        }
        const rows = unread
          .flatMap((updateId) => sql.update.get(updateId) ?? [])
          .filter((row) => row.state === 'pending' && row.owner_id === ownerId);
        for (const row of sound(rows, now)) {
          const theirs = settings.get(row.subject_id);
          const wanted = row.is_enabled === 1;
          const seen = row.seen === null ? null : row.seen === 1;
          // Another till has made the moment of its plan by now: what is otherwise has been changed since.
          // mutant: what a plan of several tills made too late undoes a person's change (P7)
          const isPast = row.until_steady_ms !== null && steady.at(now) > row.until_steady_ms;
          const result = reconcile({ wanted, seen: isPast ? wanted : seen }, theirs);
          // mutant: a conflict overwrites (I3)
          if (result === 'holds') {
            deliver(row, now);
          } else if (result === 'conflict') {
            sql.park.run(now, 'conflict', null, Number(theirs ?? false), row.id);
          } else {
            checked.run(steady.at(now), row.id);
          }
        }
      });
    },

    /** Lets waiting updates count as compared although they could not be, but for those that were overtaken. */
    skipReading: (ownerId: number, now: number): void => {
      database.transaction(() => {
        // mutant: what another user has overtaken goes out where the settings cannot be read (I3)
        parkOvertaken.run(now, ownerId);
        parkPast.run(now, ownerId, steady.at(now));
        skip.run(steady.at(now), ownerId);
      });
    },
  };
}
