// The queue over queue.db. Every function is one transaction and synchronous. It never decides when to send, and never
// sends. Its invariants, Q1 to Q15, stand beside the code that holds them, and the tests cite them.
//   update:  pending ─seal→ sealed ─→ delivered
//               │  ▲           ├────→ parked      (needs a person; nothing else waits for it)
//               ▼  └── retry ──┘
//           superseded | discarded      (both may stand again: undo.ts)
import type { QueueLimitsChoice } from '../contract/history.ts';
import type { Id } from '../domain/int64.ts';
import { documentedRules } from '../rate-limit/rules.ts';
import type { Database } from '../storage/database.ts';
import { openMany } from './bulk.ts';
import { createCapacity } from './capacity.ts';
import { openQueueDay } from './day.ts';
import { openHistory } from './history.ts';
import { openIntake } from './intake.ts';
import { watchLateArrivals } from './late-arrivals.ts';
import { openQueries } from './queries.ts';
import { openReadings } from './readings.ts';
import { openRequests } from './requests.ts';
import type { OpenRequest, Owner, UpdateRow } from './rows.ts';
import { openSettled } from './settled.ts';
import { createDelivery, createSettlement, type Confirm } from './settlement.ts';
import { nobodyAhead, prepareStatements, type Statements } from './statements.ts';
import { wallTime, type SteadyTime } from './steady-time.ts';
import { createTransitions } from './transitions.ts';
import { openUndo } from './undo.ts';

/** A reading is fresh for this long, and for two windows of the rate limit at least: its slot may be one away. */
export const freshForMs = 120_000;
/** Updates that are compared with a reading, or parked for their age, at once, so that nobody waits for it. */
export const changedAtOnce = 500;

export interface QueueLimits {
  /** The time for which an update is kept after it was delivered, superseded or discarded, in milliseconds. */
  readonly historyMs: number;
  /** An update older than this, in milliseconds, asks before it is sealed; 0: none ever asks. */
  readonly askAfterMs: number;
}

const hourMs = 3_600_000;

/** Limits from what a person chooses. */
export function limitsOf(choice: QueueLimitsChoice): QueueLimits {
  return { historyMs: choice.historyDays * 24 * hourMs, askAfterMs: choice.askAfterHours * hourMs };
}

export const defaultLimits: QueueLimits = limitsOf({ historyDays: 30, askAfterHours: 72 });

/** A request that has left. */
interface UnderWay {
  readonly requestId: number;
  readonly ownerId: number;
  readonly size: number;
}

/** The next step for an owner. */
export type Work = 'nothing' | 'read' | 'seal' | { readonly resend: OpenRequest };

export type QueueRepository = ReturnType<typeof openQueueRepository>;

/** Numbers those who make updates: a user of a company at a platform. */
function openOwners(sql: Statements) {
  return {
    /** 0, which nobody is, for an owner who never made an update. */
    knownOwnerId: ({ platform, companyId, email }: Owner): number =>
      sql.ownerId.get(platform, companyId, email)?.id ?? 0,

    ownerId: ({ platform, companyId, email }: Owner): number =>
      sql.ownerId.get(platform, companyId, email)?.id ?? sql.addOwner.run(platform, companyId, email).lastId,

    /** Whether anybody was ever signed in for another company of this platform. */
    hasOtherCompany: ({ platform, companyId }: Pick<Owner, 'platform' | 'companyId'>): boolean =>
      sql.otherCompany.get(platform, companyId) !== undefined,
  };
}

/**
 * Opens the queue over queue.db. `confirm` is called inside the transaction in which updates become delivered, with the
 * attempt that delivered them, so that the confirmed setting and the update's state are never apart. `limits`, and
 * `windowMs`, the window of the rate limit, are asked anew each time. `nameOf` answers a product's name in the shop
 * whose updates are made now, or null; ages are counted by `steady`. `client` names the OAuth client that sends; null:
 * it is not told apart.
 */
export function openQueueRepository(
  database: Database,
  confirm: Confirm,
  limits: () => QueueLimits = () => defaultLimits,
  windowMs: () => number = () => documentedRules.windowMs,
  nameOf: (productId: Id) => string | null = () => null,
  steady: SteadyTime = wallTime,
  client: string | null = null,
) {
  const sql = prepareStatements(database);
  const history = openHistory(database);
  const capacity = createCapacity(sql);
  const { retryParked, ...intake } = openIntake(database, sql, steady, capacity, nameOf);
  const transitions = createTransitions(sql, steady);
  const deliverAll = createDelivery(sql, transitions, confirm);
  const freshMs = (): number => Math.max(freshForMs, 2 * windowMs());
  const { current, ...requests } = openRequests(database, sql, steady, transitions, freshMs, client);
  const { hasUnread, ...readings } = openReadings(database, sql, steady, transitions, freshMs);

  // Of the request whose bytes are under way now. Not read from the rows: an attempt whose answer found no room on the
  // disk is over all the same.
  let underWay: UnderWay | null = null;

  return {
    ...intake,
    ...openUndo(database, sql, steady, capacity),
    room: capacity.room,
    ...openMany(database, sql, retryParked, history, steady),
    ...requests,
    ...readings,
    ...openQueries(database),
    ...openSettled(database, sql, steady, deliverAll),
    ...openOwners(sql),
    /** The request that has left, and of which nothing has come yet; one at a time. */
    underWay: (): number | null => underWay?.requestId ?? null,
    setUnderWay: (request: UnderWay | null): void => {
      underWay = request;
    },
    /** How many updates of this owner that is. */
    countUnderWay: (ownerId: number): number => (underWay?.ownerId === ownerId ? underWay.size : 0),
    /** Carries out a disposition. */
    settle: createSettlement(database, sql, transitions, deliverAll),
    history,
    readDay: openQueueDay(database),

    /** Attempts of an earlier run are over; old history goes. */
    begin: (now: number): void => {
      database.transaction(() => {
        sql.abandon.run(now);
        history.forget(steady.at(now), limits().historyMs);
      });
    },

    /** The last of a run. */
    end: (): void => steady.end(),

    /** History older than the limit goes. Answers whether there is more of it. */
    tidy: (now: number): boolean => database.transaction(() => history.forget(steady.at(now), limits().historyMs)),

    find: (updateId: number): UpdateRow | undefined => sql.update.get(updateId),

    /** The next step for this owner. */
    nextWork: (ownerId: number, now: number, ahead = nobodyAhead): Work =>
      database.transaction((): Work => {
        steady.keep();
        const request = current(ownerId, now);
        if (request !== null) {
          return { resend: request };
        }
        const next = sql.nextPending.get(ownerId, ahead);
        if (next === undefined) {
          return 'nothing';
        }
        return next.kind === 'coupon' && hasUnread(ownerId, now, ahead) ? 'read' : 'seal';
      }),

    /** Where this owner's next update stands among all owners': the more often tried behind, then the later asked for. */
    placeOf: (ownerId: number, ahead: string): Pick<UpdateRow, 'attempts' | 'id'> | undefined =>
      sql.nextPending.get(ownerId, ahead),

    // Q6: Before anything is read or sent in the place of a dissolved request, what was sent has time to arrive. So a
    // reading shows it, and nothing of it comes after what replaces it.
    mayArriveForMs: watchLateArrivals(database, steady),

    /** Parks what is too old to be sealed unasked, so many at once. Answers how many. */
    parkOld: (ownerId: number, now: number): number => {
      // Q9: An update that is older than the limit is not sealed before a person has said so.
      const { askAfterMs } = limits();
      return askAfterMs === 0 ? 0 : sql.parkOld.run(now, ownerId, steady.at(now), askAfterMs, changedAtOnce).changes;
    },

    /** A parked update waits to be sent again. False when there is no such one. */
    retry: (updateId: number, now: number): boolean =>
      database.transaction(() => {
        const row = sql.update.get(updateId);
        const isParked = row?.state === 'parked' && row.parked_because !== 'damaged';
        if (isParked) {
          retryParked(row, now);
        }
        return isParked;
      }),

    /** A parked or pending update is given up. False when there is no such one. */
    discard: (updateId: number, now: number): boolean =>
      database.transaction(() => {
        const row = sql.update.get(updateId);
        const isOpen = row?.state === 'parked' || row?.state === 'pending';
        if (isOpen) {
          sql.move.run('discarded', now, steady.at(now), updateId);
        }
        return isOpen;
      }),
  };
}
