import type { ManyTakenBack } from '../contract/coupons.ts';
import { bringBackForMs } from '../contract/queue.ts';
import type { Database } from '../storage/database.ts';
import type { Capacity } from './capacity.ts';
import type { UpdateRow } from './rows.ts';
import type { Statements } from './statements.ts';
import { isWithin, type SteadyTime } from './steady-time.ts';

/** Opens what undoes a person's last word, slice by slice: that they asked for it, or that they gave it up. */
export function openUndo(database: Database, sql: Statements, steady: SteadyTime, capacity: Capacity) {
  function isInTheWay(row: UpdateRow): boolean {
    return sql.isInTheWay.get(row.owner_id, row.subject_id, row.kind, row.id) !== undefined;
  }

  function standAgain(updateId: number, now: number): void {
    sql.standAgain.run(now, updateId);
    capacity.add();
  }

  /** Within a minute that the machine itself has counted: somebody may set the clock meanwhile. */
  const isJustSince = (steadyMs: number | null, now: number): boolean =>
    isWithin(steady, bringBackForMs, steadyMs, now);

  return {
    /** Whether it was asked for so lately that it may be taken back. */
    isJustAsked: (row: Pick<UpdateRow, 'created_steady_ms'>, now: number): boolean =>
      isJustSince(row.created_steady_ms, now),

    /** Gives up those that have not left; what gave way to them stands again. Answers how many, and how many had. */
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
            if (replaced !== undefined && !isInTheWay(replaced)) {
              standAgain(replaced.id, now);
            }
          } else if (row !== undefined && row.state !== 'superseded' && row.state !== 'discarded') {
            // An update that was found to hold already was never sent.
            sent += row.state === 'delivered' && row.attempts === 0 ? 0 : 1;
          }
        }
        return { takenBack, sent };
      }),

    /**
     * Q10: What a person gave up stands again, as it stood, only within a minute, and only when nobody has asked for
     * anything of the same thing since and nothing else of it is open. What the platform has is read before it may go.
     * Answers how many do.
     */
    bringBack: (updateIds: readonly number[], now: number): number =>
      database.transaction(() => {
        const broughtBack = updateIds.filter((updateId) => {
          const row = sql.update.get(updateId);
          // mutant: what was given up stands again beside what was asked for since (I2, I3, I4)
          if (
            row?.state !== 'discarded' ||
            !isJustSince(row.over_steady_ms, now) ||
            capacity.isFull() ||
            isInTheWay(row)
          ) {
            return false;
          }
          standAgain(updateId, now);
          return true;
        });
        return broughtBack.length;
      }),
  };
}
