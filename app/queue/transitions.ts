import type { Failure } from '../domain/failure.ts';
import { updateChecksum, type UpdateRow } from './rows.ts';
import type { Statements } from './statements.ts';
import type { SteadyTime } from './steady-time.ts';

export type Transitions = ReturnType<typeof createTransitions>;

/** Makes what moves one update from state to state, inside the caller's transaction. */
export function createTransitions(sql: Statements, steady: SteadyTime) {
  // `seen` is what the platform may have without anybody else's doing. The newer update takes it over: until now it was
  // made upon this one.
  function supersededByNewer(row: UpdateRow, now: number, seen: number | null): boolean {
    const newer = sql.newer.get(row.kind, row.subject_id, row.owner_id, row.id);
    // mutant: an older update goes back beside a newer one (I2, I3)
    if (newer === undefined) {
      return false;
    }
    sql.setSeen.run(seen, newer.id);
    sql.move.run('superseded', now, steady.at(now), row.id);
    return true;
  }

  return {
    /** Parks the rows that were altered, and answers the sound ones. */
    sound: (rows: readonly UpdateRow[], now: number): readonly UpdateRow[] =>
      rows.filter((row) => {
        // Q6: A row whose checksum is wrong is never sent.
        // mutant: the checksum of an update is never checked (I11)
        const isSound = row.checksum === updateChecksum(row);
        if (!isSound) {
          sql.park.run(now, 'damaged', null, null, row.id);
        }
        return isSound;
      }),

    deliver: (row: UpdateRow, now: number): void => {
      sql.move.run('delivered', now, steady.at(now), row.id);
      // mutant: a newer update of another user overtakes nothing (I3)
      if (row.kind === 'coupon') {
        // Q7: An update that a newer one of another user has overtaken goes out only when a person says so.
        sql.overtake.run(row.subject_id, row.id, row.owner_id);
        // mutant: what was asked for upon the waiting update of another is a conflict with it (Q12)
        sql.build.run(row.is_enabled, row.subject_id, row.id, row.owner_id);
      }
    },

    park: (row: UpdateRow, now: number, because: 'refused' | 'maybeDone', failure: Failure): void => {
      if (!supersededByNewer(row, now, row.seen)) {
        sql.park.run(now, because, JSON.stringify(failure), null, row.id);
      }
    },

    /** `isFresh`: what was sent has surely had no effect. */
    returnToPending: (
      row: UpdateRow,
      now: number,
      change: { readonly isFresh: boolean; readonly group: number; readonly failure: Failure | null },
    ): void => {
      if (supersededByNewer(row, now, change.isFresh ? row.seen : null)) {
        return;
      }
      const failure = change.failure === null ? null : JSON.stringify(change.failure);
      // The platform's setting from now on may be this terminal's own doing. An overtaken update (Q7) stays so.
      const isInDoubt = !change.isFresh && row.attempts > 0;
      // mutant: one's own change in doubt is taken for somebody else's (I9)
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
      // mutant: a restoration that may be done goes out under a new key (I2)
      if (isInDoubt && row.kind === 'restoreUser') {
        // Q11: A restoration that may have been done goes again under its own key alone. When that key is spent, too old
        // or another client's, a person decides: whoever was deleted since must not come back unasked.
        sql.park.run(now, 'maybeDone', failure, null, row.id);
      }
    },
  };
}
