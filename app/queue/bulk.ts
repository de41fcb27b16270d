import { maxUpdatesAtOnce } from '../contract/limits/queue.ts';
import type { UpdatesCounted } from '../contract/queue.ts';
import type { Database } from '../storage/database.ts';
import { mayHaveTakenEffect } from './disposition.ts';
import type { openHistory } from './history.ts';
import type { UpdateRow } from './rows.ts';
import type { Statements } from './statements.ts';
import type { SteadyTime } from './steady-time.ts';

/** Opens it over the rows. */
export function openMany(
  database: Database,
  sql: Statements,
  retryParked: (row: UpdateRow, now: number) => void,
  history: Pick<ReturnType<typeof openHistory>, 'attemptsOf'>,
  steady: SteadyTime,
) {
  function find(updateIds: readonly number[]): readonly UpdateRow[] {
    return updateIds.slice(0, maxUpdatesAtOnce).flatMap((updateId) => sql.update.get(updateId) ?? []);
  }

  // Nobody can read whether a restoration was done: there, a later refusal settles nothing.
  function isInDoubt(row: UpdateRow): boolean {
    const isUnread = row.kind === 'restoreUser' && (row.is_in_doubt === 1 || row.parked_because === 'maybeDone');
    return row.attempts > 0 && (isUnread || mayHaveTakenEffect(history.attemptsOf(row.id)));
  }

  return {
    /** How many of these can be retried or given up, where these owners send; a forgotten one is gone. */
    countMany: (updateIds: readonly number[], senderIds: readonly number[]): UpdatesCounted => {
      const rows = find(updateIds);
      const parked = rows.filter((row) => row.state === 'parked');
      const open = rows.filter((row) => row.state === 'parked' || row.state === 'pending');
      const retryable = parked.filter((row) => row.parked_because !== 'damaged');
      return {
        pending: open.length - parked.length,
        retryable: retryable.length,
        ofOthers: retryable.filter((row) => !senderIds.includes(row.owner_id)).length,
        conflicts: parked.filter((row) => row.parked_because === 'conflict').length,
        damaged: parked.length - retryable.length,
        attempted: open.filter(isInDoubt).length,
        gone: updateIds.length - open.length,
      };
    },

    /** Those that are parked wait to be sent again. Answers how many. */
    retryMany: (updateIds: readonly number[], now: number): number =>
      database.transaction(() => {
        const rows = find(updateIds).filter((row) => row.state === 'parked' && row.parked_because !== 'damaged');
        // Once more for each: of two of one product, the first has given way to the second by then.
        return rows.filter(({ id }) => {
          const row = sql.update.get(id);
          const isParked = row?.state === 'parked';
          if (isParked) {
            retryParked(row, now);
          }
          return isParked;
        }).length;
      }),

    /** Those that are parked or pending are given up. Answers which. */
    discardMany: (updateIds: readonly number[], now: number): readonly number[] =>
      database.transaction(() => {
        const rows = find([...new Set(updateIds)]).filter((row) => row.state === 'parked' || row.state === 'pending');
        for (const row of rows) {
          sql.move.run('discarded', now, steady.at(now), row.id);
        }
        return rows.map((row) => row.id);
      }),
  };
}
