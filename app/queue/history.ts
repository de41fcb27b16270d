// Owns the reading of the queue's rows for people: lists, what became of each attempt, pages for export; and the forgetting
// of what is over. Never changes an update that is still open.
import { z } from 'zod';
import { failureSchema } from '../contract/basics.ts';
import type { UpdateStanding } from '../contract/contract.ts';
import type { UpdateAttempt } from '../contract/history.ts';
import { parseJson } from '../domain/json.ts';
import type { Database } from '../storage/database.ts';
import { stateOfStanding, type ListedUpdate } from './rows.ts';

/** Attempts of one update that are told, the newest ones. */
export const mostAttemptsTold = 200;
/** Rows that are forgotten at once, so that nobody waits for it. */
const forgottenAtOnce = 500;

// As `settle` wrote it; what is none of these was abandoned, or altered by a failing disk.
const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('noAnswer'), failure: failureSchema }),
  z.object({ kind: z.literal('answer'), status: z.number().int(), isReplayed: z.boolean().optional(), failure: failureSchema }),
]);

interface AttemptRow {
  readonly sent_at: number;
  readonly settled_at: number | null;
  readonly outcome: string | null;
  readonly idempotency_key: string;
}

function readOutcome(row: AttemptRow): Pick<UpdateAttempt, 'outcome' | 'status' | 'code' | 'isReplayed' | 'failure'> {
  const nothing = { status: null, code: null, isReplayed: null, failure: null };
  if (row.outcome === null) {
    return { ...nothing, outcome: 'underWay' };
  }
  const read = outcomeSchema.safeParse(parseJson(row.outcome));
  if (!read.success) {
    return { ...nothing, outcome: 'abandoned' };
  }
  const outcome = read.data;
  if (outcome.kind === 'noAnswer') {
    return { ...nothing, outcome: 'noAnswer', failure: outcome.failure.kind };
  }
  const isSuccess = outcome.status >= 200 && outcome.status < 300;
  return { outcome: 'answered', status: outcome.status, code: outcome.failure.code ?? null, isReplayed: outcome.isReplayed ?? null, failure: isSuccess ? null : outcome.failure.kind };
}

/** Opens the history over queue.db. */
export function openHistory(database: Database) {
  const attempts = database.prepare<AttemptRow>(
    `SELECT sent_at, settled_at, outcome, idempotency_key FROM sealings JOIN requests ON requests.id = sealings.request_id
     JOIN attempts ON attempts.request_id = requests.id WHERE sealings.update_id = ? ORDER BY attempts.id DESC LIMIT ${mostAttemptsTold}`,
  );
  const page = database.prepare<ListedUpdate>('SELECT updates.*, email, company_id FROM updates JOIN owners ON owners.id = owner_id WHERE updates.id > ? ORDER BY updates.id LIMIT ?');
  const isOver = "state IN ('delivered', 'superseded', 'discarded')";
  const forgetUpdates = database.prepare(`DELETE FROM updates WHERE id IN (SELECT id FROM updates WHERE ${isOver} AND changed_at < ? ORDER BY id LIMIT ${forgottenAtOnce})`);
  const isForgotten = 'NOT EXISTS (SELECT 1 FROM sealings WHERE sealings.request_id = requests.id)';
  // The newest attempt stays: readings are counted by it.
  const forgetAttempts = database.prepare(
    `DELETE FROM attempts WHERE sent_at < ? AND id < (SELECT max(id) FROM attempts) AND request_id IN (SELECT id FROM requests WHERE is_open = 0 AND ${isForgotten})`,
  );
  const forgetRequests = database.prepare(
    `DELETE FROM requests WHERE is_open = 0 AND created_at < ? AND ${isForgotten} AND NOT EXISTS (SELECT 1 FROM attempts WHERE request_id = requests.id)`,
  );

  return {
    /** Newest first; an empty list of standings means all. */
    list: (standings: readonly UpdateStanding[], offset: number, limit: number): { readonly total: number; readonly rows: readonly ListedUpdate[] } => {
      const states = standings.map((standing) => stateOfStanding[standing]);
      const filter = states.length === 0 ? '' : `WHERE state IN (${states.map(() => '?').join(', ')})`;
      const total = database.prepare<{ total: number }>(`SELECT count(*) AS total FROM updates ${filter}`).get(...states)?.total ?? 0;
      const rows = database
        // Ids come from an index; only the rows of the page are read.
        .prepare<ListedUpdate>(
          `SELECT updates.*, email, company_id FROM updates JOIN owners ON owners.id = owner_id
           WHERE updates.id IN (SELECT id FROM updates ${filter} ORDER BY id DESC LIMIT ? OFFSET ?) ORDER BY updates.id DESC`,
        )
        .all(...states, limit, offset);
      return { total, rows };
    },

    /** Every attempt at an update, oldest first; of very many, the newest. */
    attemptsOf: (updateId: number): readonly UpdateAttempt[] =>
      attempts
        .all(updateId)
        .toReversed()
        .map((row) => ({ sentAt: row.sent_at, settledAt: row.settled_at, key: row.idempotency_key, ...readOutcome(row) })),

    /** Up to `limit` updates of all owners after this one, oldest first. */
    page: (afterUpdateId: number, limit: number): readonly ListedUpdate[] => page.all(afterUpdateId, limit),

    /** Forgets what has been over since before this time, some at a time. Call it inside a transaction. Answers whether there is more. */
    forget: (before: number): boolean => {
      const { changes } = forgetUpdates.run(before);
      forgetAttempts.run(before);
      forgetRequests.run(before);
      return changes >= forgottenAtOnce;
    },
  };
}
