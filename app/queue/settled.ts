// What a queue.db has settled, in a text at the shop's hub: by it an older copy that is put back knows what is over.
//
//   Q15 What is open here, and has been settled since in another copy of this file as that text says, is settled so and
//       not sent. A reading before the sending would not do: what somebody has set since may look like what the person
//       saw. Until the text is read nothing is sent; a hub that does not answer is waited for a few seconds after a
//       start, and after each outage of the platform, which may have been the hub's as well.
//
// What the text says of updates that are not in this file stays in it: yet another copy may be put back.
import { z } from 'zod';
import { bringBackForMs } from '../contract/queue.ts';
import { parseJsonWithin } from '../domain/json.ts';
import type { Connection } from '../platform/connection.ts';
import type { Clock, SharedTexts } from '../ports.ts';
import { onlyStorageError, type Database } from '../storage/database.ts';
import type { UpdateRow } from './rows.ts';
import type { createDelivery } from './settlement.ts';
import type { Statements } from './statements.ts';
import { isSurelyOlder, type SteadyTime } from './steady-time.ts';
import { createTiming } from './timing.ts';

/** So many of this file are known, and as many of its copies; one beyond is as good as never settled. */
const maxSettled = 1_000;
/** A hub that is back is heard within five seconds. */
const waitMs = 6_000;
const lookMs = { waiting: 100, unanswered: 10_000, lost: 600_000 };
const gatherMs = 1_000;

// Which state each has, by its tag, the newest first; a later version may know other states.
const textSchema = z.object({ settled: z.record(z.string(), z.string()) });
type Settled = z.infer<typeof textSchema>['settled'];

// A copy of the file that goes on gives the same numbers to other updates. The checksum has the owner, what was asked
// for, and in which millisecond.
// mutant: what is settled is known by its number alone (Q15)
const tag = "id || '.' || substr(checksum, 1, 12)";

/** The newest first. */
const byNumber = (settled: readonly (readonly [tag: string, state: string])[]) =>
  settled.toSorted(([left], [right]) => Number.parseInt(right, 10) - Number.parseInt(left, 10));

/** Opens what tells which updates are over, and settles those that another copy of this file has settled. */
export function openSettled(
  database: Database,
  sql: Statements,
  steady: SteadyTime,
  deliverAll: ReturnType<typeof createDelivery>,
) {
  // What gave way, or was given up, may stand again within a minute. The index by state is left, with "+": it would have
  // the whole history sorted each time.
  // mutant: what may stand again counts as settled (Q15)
  const over = database.prepare<{ tag: string; state: string }>(
    `SELECT ${tag} AS tag, state FROM updates WHERE +state = 'delivered'
     OR (+state IN ('superseded', 'discarded') AND ${isSurelyOlder('over_steady_ms', '?1', '?2')}) ORDER BY id DESC LIMIT ?3`,
  );
  const open = database.prepare<UpdateRow & { readonly tag: string }>(
    `SELECT *, ${tag} AS tag FROM updates WHERE state IN ('pending', 'sealed', 'parked')
     AND ${tag} IN (SELECT value FROM json_each(?)) ORDER BY id`,
  );
  const newestAttempt = database.prepare<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM attempts');
  const key = database.prepare<{ key: string }>('SELECT key FROM settled_key');
  // Only once there is a hub: tills that are made from one image of a disk join afterwards.
  const makeKey = database.prepare(
    'INSERT INTO settled_key SELECT hex(randomblob(16)) WHERE NOT EXISTS (SELECT 1 FROM settled_key)',
  );
  return {
    /**
     * The text's name, of which all copies of this file and nobody else know: who can write it can end updates. Throws
     * StorageError where it cannot be made.
     */
    settledName: (): string => {
      makeKey.run();
      return `settled ${key.get()?.key ?? ''}`;
    },

    /** The newest updates that are over for good. */
    settled: (now: number): Settled =>
      Object.fromEntries(over.all(steady.at(now), 2 * bringBackForMs, maxSettled).map((row) => [row.tag, row.state])),

    /** Settles what is open and is over by this. Answers how many. */
    settleAs: (settled: Settled, now: number): number =>
      database.transaction(() => {
        const rows = open.all(JSON.stringify(Object.keys(settled)));
        for (const row of rows) {
          const state = settled[row.tag];
          if (state === 'delivered') {
            const attemptId = newestAttempt.get()?.id ?? 0;
            deliverAll([row], { ownerId: row.owner_id, attemptId, isEarlier: true }, now);
          } else if (state === 'superseded' || state === 'discarded') {
            sql.move.run(state, now, steady.at(now), row.id);
          }
        }
        return rows.length;
      }),
  };
}

interface SettledPorts {
  readonly texts: SharedTexts;
  readonly clock: Clock;
  readonly repository: ReturnType<typeof openSettled>;
  readonly connection: Pick<Connection, 'onReturn'>;
  /** The text was read, and so many updates are settled by it. */
  readonly onRead: (count: number) => void;
}

/** Goes by the text of this file, and keeps it up to date. */
export function shareSettled({ texts, clock, repository, connection, onRead }: SettledPorts) {
  let isClosed = false;
  /** The text that was last gone by; null before the first. */
  let readText: string | null = null;
  let waitsUntilMs = clock.uptimeMs() + waitMs;
  const waitsMs = (): number => (readText !== null ? 0 : Math.max(0, waitsUntilMs - clock.uptimeMs()));

  /** Answers after how long to look again, in milliseconds. Throws StorageError. */
  async function look(): Promise<number> {
    const name = repository.settledName();
    // mutant: what was settled before the hub lost something is not found (Q15)
    const found = texts.nowMs() === null ? null : await texts.read(name, 'everyEpoch');
    const atMs = texts.nowMs();
    if (atMs === null || isClosed) {
      return waitsMs() > 0 ? lookMs.waiting : lookMs.unanswered;
    }
    const text = found === null || found === 'newer' ? '' : found.text;
    const known = textSchema.safeParse(parseJsonWithin(text, 20 * maxSettled)).data?.settled ?? {};
    // A copy may run beside this one.
    if (text !== readText) {
      const count = repository.settleAs(known, clock.now());
      const isFirst = readText === null;
      readText = text;
      if (isFirst || count > 0) {
        onRead(count);
      }
    }
    // Of the others by number, so that an older copy does not put what it knows in the place of what newer ones need.
    const own = Object.entries(repository.settled(clock.now()));
    const ownTags = new Set(own.map(([tagOf]) => tagOf));
    const others = Object.entries(known).filter(([tagOf]) => !ownTags.has(tagOf));
    // mutant: what a copy settles that goes on below the numbers of a lost one is forgotten (Q15)
    const all = byNumber([...own, ...byNumber(others).slice(0, maxSettled)]);
    const next = JSON.stringify({ settled: Object.fromEntries(all) });
    if (all.length > 0 && next !== text) {
      await texts.write(name, { text: next, atMs });
    }
    return texts.nowMs() === null ? lookMs.unanswered : lookMs.lost;
  }

  async function share(): Promise<void> {
    try {
      timing.plan(await look());
    } catch (error) {
      onlyStorageError(error);
      timing.plan(lookMs.unanswered);
    }
  }

  const timing = createTiming(clock, share);
  connection.onReturn(() => {
    waitsUntilMs = clock.uptimeMs() + waitMs;
    timing.plan(0);
  });
  timing.plan(0);
  return {
    /** For how long nothing is to be sent yet, at most. */
    waitsMs,
    /** The queue has changed. */
    note: (): void => timing.plan(gatherMs),
    close: (): void => {
      isClosed = true;
      timing.end();
    },
  };
}
