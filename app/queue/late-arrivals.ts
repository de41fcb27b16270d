import { latestArrivalMs } from '../rate-limit/rules.ts';
import { exchangeTimeoutMs } from '../platform/exchange.ts';
import type { Database } from '../storage/database.ts';
import { inconclusiveRefusals } from './disposition.ts';
import { isSurelyOlder, surelyBetween, type SteadyTime } from './steady-time.ts';

const mayTakeMs = exchangeTimeoutMs + latestArrivalMs;
/** More than the platform's limit lets out within that time. */
const attemptsLookedAt = 1000;

const isInconclusive = inconclusiveRefusals
  .map((status) => `OR attempts.outcome LIKE '{"kind":"answer","status":${String(status)},%'`)
  .join(' ');
/**
 * A conclusive refusal ends this sending, whoever gave it: it is not passed on any more. One that names another key may be
 * another request's, and says nothing of this one.
 */
// mutant: a time-out that a middlebox tells of ends the sending (Q6)
export const isRefused = `(coalesce(attempts.outcome, '') LIKE '{"kind":"answer","status":4%' AND attempts.outcome NOT LIKE '%"echo":"other"%' AND NOT (FALSE ${isInconclusive}))`;
/**
 * The platform has stored an answer to this key, so a late arrival is given that one and changes nothing (API v3 §8
 * rule 3). A failure without the echo may be a middlebox's, and whether a 429 is stored the document does not say.
 */
// mutant: a failure of a middlebox counts as the platform’s answer to the key (Q6)
const isSpent = `EXISTS (SELECT 1 FROM attempts AS other WHERE other.request_id = requests.id AND (
  other.outcome LIKE '{"kind":"answer","status":2__,"echo":"none","isPage":false%' OR
  (other.outcome LIKE '{"kind":"answer",%"echo":"ours"%' AND other.outcome NOT LIKE '%"kind":"tooManyRequests"%')))`;

/** Answers for how many milliseconds from `now` on such a request of an owner may arrive; 0 when there is none. */
export function watchLateArrivals(database: Database, steady: SteadyTime): (ownerId: number, now: number) => number {
  // Earlier runs made these: they left before this shop was opened, whatever the clocks say.
  const earlier = database.prepare<{ last: number | null }>('SELECT max(id) AS last FROM attempts').get()?.last ?? 0;
  // mutant: what left before an unknown span has long arrived (I3)
  const newest = database.prepare<{ id: number; sent_steady_ms: number }>(
    `SELECT attempts.id, attempts.sent_steady_ms FROM attempts JOIN requests ON requests.id = attempts.request_id
     WHERE attempts.id > max(?3, (SELECT max(id) FROM attempts) - ${attemptsLookedAt}) AND requests.owner_id = ?1 AND requests.is_open = 0
     AND NOT (${isSurelyOlder('attempts.sent_steady_ms', '?2', String(mayTakeMs))})
     AND NOT ${isRefused} AND NOT ${isSpent} ORDER BY attempts.id DESC LIMIT 1`,
  );
  return (ownerId, now) => {
    const nowMs = steady.at(now);
    const openForMs = nowMs - steady.openedAtMs;
    const row = newest.get(ownerId, nowMs, openForMs < mayTakeMs ? 0 : earlier);
    if (row === undefined) {
      return 0;
    }
    // mutant: what an earlier run sent is waited for until the clock has passed it (I3)
    const sinceMs = Math.max(surelyBetween(row.sent_steady_ms, nowMs), row.id <= earlier ? openForMs : 0);
    return Math.max(0, mayTakeMs - sinceMs);
  };
}
