import { z } from 'zod';
import { failureSchema } from '../contract/basics.ts';
import { updateStatuses, type QueueCounts, type QueueQuery, type UpdateStatus } from '../contract/queue.ts';
import type { UpdateAttempt } from '../contract/history.ts';
import { foldText } from '../domain/fold.ts';
import { shownText } from '../domain/shown-text.ts';
import type { Id } from '../domain/int64.ts';
import { parseJson } from '../domain/json.ts';
import type { Database } from '../storage/database.ts';
import { stateOfStatus, type ListedUpdate, type Owner, type UpdateRow } from './rows.ts';
import { isSurelyOlder } from './steady-time.ts';

/** Attempts of one update that are told, the newest ones. */
export const maxAttemptsShown = 200;
/** Rows that are forgotten at once, so that nobody waits for it. */
const forgottenAtOnce = 500;
const longestKey = 100;

// As `settle` wrote it; what is none of these was abandoned, or altered by a failing disk.
const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('noAnswer'), failure: failureSchema }),
  z.object({
    kind: z.literal('answer'),
    status: z.number().int(),
    isReplayed: z.boolean().optional(),
    failure: failureSchema,
  }),
]);

/** Which shop's products an id means. */
export type ShopName = Pick<Owner, 'platform' | 'companyId'>;

/** The filters of a list besides statuses. */
export interface Narrowing {
  readonly kind?: QueueQuery['kind'];
  /**
   * Products of one shop's copy as a JSON list of ids, and words of which each, folded, is in the name that another
   * shop's update was made under; or an id of a product or a user, wherever.
   */
  readonly subjects?: {
    readonly shop: ShopName;
    readonly productIds: string;
    readonly words: readonly string[];
    readonly id: Id | null;
  };
  /** A part of the e-mail of whoever made it. */
  readonly email?: string;
}

/** Also those whose owner a failing disk has altered: nobody sends them, and somebody must see that. */
const listed = `SELECT updates.*, coalesce(platform, '') AS platform, coalesce(email, '') AS email, coalesce(company_id, '') AS company_id
  FROM updates LEFT JOIN owners ON owners.id = owner_id`;
const ownersOfShop = '(SELECT id FROM owners WHERE platform = ? AND company_id = ?)';

interface Filter {
  readonly clause: string;
  readonly values: readonly (string | null)[];
}

/**
 * A product's id means the open shop's product in its own rows alone; rows of other shops are found by the names that
 * they were made under.
 */
function subjectFilter(
  { shop, productIds, id }: NonNullable<Narrowing['subjects']>,
  namesElsewhere: readonly string[],
): Filter {
  const place = [shop.platform, shop.companyId];
  const elsewhere =
    namesElsewhere.length === 0
      ? ''
      : ` OR (kind = 'coupon' AND owner_id NOT IN ${ownersOfShop} AND name IN (SELECT value FROM json_each(?)))`;
  return {
    clause: `((kind = 'coupon' AND subject_id IN (SELECT value FROM json_each(?)) AND owner_id IN ${ownersOfShop}) OR subject_id = ?${elsewhere})`,
    values: [productIds, ...place, id, ...(elsewhere === '' ? [] : [...place, JSON.stringify(namesElsewhere)])],
  };
}

/**
 * Which rows these are. The planner takes what is fewer: restorations and named products have indexes of their own, so
 * that states are then not looked up.
 */
function filterOf(
  statuses: readonly UpdateStatus[],
  { kind, subjects, email }: Narrowing,
  namesElsewhere: readonly string[],
): Filter {
  // Of most states, the rows come in the order of their ids.
  const isByState = kind !== 'restoreUser' && subjects === undefined && statuses.length <= updateStatuses.length / 2;
  const states = statuses.map((status) => stateOfStatus[status]);
  const subject = subjects === undefined ? null : subjectFilter(subjects, namesElsewhere);
  const parts = [
    ...(kind === undefined ? [] : [`kind = '${kind}'`]),
    ...(subject === null ? [] : [subject.clause]),
    ...(email === undefined ? [] : ['owner_id IN (SELECT id FROM owners WHERE instr(email, ?) > 0)']),
    ...(states.length === 0 ? [] : [`${isByState ? '' : '+'}state IN (${states.map(() => '?').join(', ')})`]),
  ];
  return {
    clause: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`,
    values: [...(subject?.values ?? []), ...(email === undefined ? [] : [email]), ...states],
  };
}

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
  return {
    outcome: 'answered',
    status: outcome.status,
    code: outcome.failure.code ?? null,
    isReplayed: outcome.isReplayed ?? null,
    failure: isSuccess ? null : outcome.failure.kind,
  };
}

/**
 * Opens what forgets updates that have surely been over for longer than `keptMs` at this steady time, some at a time.
 * Call it inside a transaction. It answers whether there is more.
 */
function openForgetting(database: Database) {
  const isOver = "state IN ('delivered', 'superseded', 'discarded')";
  const forgetUpdates = database.prepare(
    `DELETE FROM updates WHERE id IN (SELECT id FROM updates WHERE ${isOver} AND ${isSurelyOlder('over_steady_ms', '?1', '?2')} ORDER BY id LIMIT ${forgottenAtOnce})`,
  );
  const isForgotten = 'NOT EXISTS (SELECT 1 FROM sealings WHERE sealings.request_id = requests.id)';
  // The newest attempt stays: readings are counted by it.
  const forgetAttempts = database.prepare(
    `DELETE FROM attempts WHERE id < (SELECT max(id) FROM attempts) AND request_id IN (SELECT id FROM requests WHERE is_open = 0 AND ${isForgotten})`,
  );
  const forgetRequests = database.prepare(
    `DELETE FROM requests WHERE is_open = 0 AND ${isForgotten} AND NOT EXISTS (SELECT 1 FROM attempts WHERE request_id = requests.id)`,
  );

  return (nowMs: number, keptMs: number): boolean => {
    const { changes } = forgetUpdates.run(nowMs, keptMs);
    forgetAttempts.run();
    forgetRequests.run();
    return changes >= forgottenAtOnce;
  };
}

/** The names that updates of other shops than `of` were made under, each with how it is folded; they never change. */
interface NamesElsewhere {
  readonly of: string;
  /** Up to this update. */
  readonly newestId: number;
  readonly folded: Map<string, string>;
}

/** Opens what names the products of other shops. */
function openNamesElsewhere(database: Database) {
  const otherShop = database.prepare<{ id: number }>(
    'SELECT id FROM owners WHERE platform <> ? OR company_id <> ? LIMIT 1',
  );
  const newest = database.prepare<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM updates');
  const namesAfter = database.prepare<{ name: string }>(
    `SELECT DISTINCT name FROM updates WHERE id > ? AND kind = 'coupon' AND name IS NOT NULL AND owner_id NOT IN ${ownersOfShop}`,
  );
  /** Kept as long as somebody searches, which each key does: to read and fold all of them takes long. */
  let elsewhere: NamesElsewhere | null = null;

  /** The names of other shops' products that have all of these words. */
  function namesWith({ shop, words }: NonNullable<Narrowing['subjects']>): readonly string[] {
    const { platform, companyId } = shop;
    const wanted = words.map(foldText).filter((word) => word !== '');
    if (wanted.length === 0 || otherShop.get(platform, companyId) === undefined) {
      return [];
    }
    const of = JSON.stringify([platform, companyId]);
    const { newestId, folded: names } =
      elsewhere?.of === of ? elsewhere : { newestId: 0, folded: new Map<string, string>() };
    for (const { name } of namesAfter.all(newestId, platform, companyId)) {
      names.set(name, foldText(name));
    }
    elsewhere = { of, newestId: newest.get()?.id ?? 0, folded: names };
    return [...names].flatMap(([name, folded]) => (wanted.every((word) => folded.includes(word)) ? name : []));
  }

  return {
    namesWith,
    /** Nobody searches any more. */
    forget: (): void => {
      elsewhere = null;
    },
  };
}

/** Opens the history over queue.db. */
export function openHistory(database: Database) {
  const attempts = database.prepare<AttemptRow>(
    `SELECT sent_at, settled_at, outcome, idempotency_key FROM sealings JOIN requests ON requests.id = sealings.request_id
     JOIN attempts ON attempts.request_id = requests.id WHERE sealings.update_id = ? ORDER BY attempts.id DESC LIMIT ${maxAttemptsShown}`,
  );
  const page = database.prepare<ListedUpdate>(`${listed} WHERE updates.id > ? ORDER BY updates.id LIMIT ?`);
  const namesElsewhere = openNamesElsewhere(database);

  function filter(statuses: readonly UpdateStatus[], narrowing: Narrowing): Filter {
    if (narrowing.subjects === undefined) {
      namesElsewhere.forget();
      return filterOf(statuses, narrowing, []);
    }
    return filterOf(statuses, narrowing, namesElsewhere.namesWith(narrowing.subjects));
  }

  function count(
    statuses: readonly UpdateStatus[],
    narrowing: Narrowing,
  ): { readonly counts: QueueCounts; readonly wanted: number } {
    const { clause, values } = filter([], narrowing);
    const totals = new Map(
      database
        .prepare<{ state: UpdateRow['state']; total: number }>(
          `SELECT state, count(*) AS total FROM updates ${clause} GROUP BY state`,
        )
        .all(...values)
        .map(({ state, total }) => [state, total]),
    );
    const counts = Object.fromEntries(
      updateStatuses.map((status) => [status, totals.get(stateOfStatus[status]) ?? 0]),
    ) as QueueCounts;
    return {
      counts,
      wanted: (statuses.length === 0 ? updateStatuses : statuses).reduce((sum, status) => sum + counts[status], 0),
    };
  }

  const waiting = database.prepare<{ total: number }>(
    "SELECT count(*) AS total FROM updates JOIN owners ON owners.id = updates.owner_id WHERE state IN ('pending', 'sealed') AND owners.platform = ? AND owners.company_id = ?",
  );
  const one = database.prepare<ListedUpdate>(`${listed} WHERE updates.id = ?`);

  return {
    find: (updateId: number): ListedUpdate | undefined => one.get(updateId),

    /** Newest first; an empty list of statuses means all. The counts are of every status. */
    list: (
      statuses: readonly UpdateStatus[],
      offset: number,
      limit: number,
      narrowing: Narrowing = {},
    ): { readonly total: number; readonly counts: QueueCounts; readonly rows: readonly ListedUpdate[] } => {
      const { counts, wanted } = count(statuses, narrowing);
      const { clause, values } = filter(statuses, narrowing);
      const rows = database
        // Ids come from an index; only the rows of the page are read.
        .prepare<ListedUpdate>(
          `${listed}
           WHERE updates.id IN (SELECT id FROM updates ${clause} ORDER BY id DESC LIMIT ? OFFSET ?) ORDER BY updates.id DESC`,
        )
        .all(...values, limit, offset);
      return { total: wanted, counts, rows };
    },

    /** The ids of those at these places of the list that can be tried again or given up. */
    listOpenIds: (
      statuses: readonly UpdateStatus[],
      offset: number,
      limit: number,
      narrowing: Narrowing = {},
    ): { readonly total: number; readonly updateIds: readonly number[] } => {
      const { clause, values } = filter(statuses, narrowing);
      const rows = database
        .prepare<{ id: number; state: UpdateRow['state'] }>(
          `SELECT id, state FROM updates ${clause} ORDER BY id DESC LIMIT ? OFFSET ?`,
        )
        .all(...values, limit, offset);
      return {
        total: count(statuses, narrowing).wanted,
        updateIds: rows.filter(({ state }) => state === 'pending' || state === 'parked').map(({ id }) => id),
      };
    },

    /** Every attempt at an update, oldest first; of very many, the newest. */
    attemptsOf: (updateId: number): readonly UpdateAttempt[] =>
      attempts
        .all(updateId)
        .toReversed()
        .map((row) => ({
          sentAt: row.sent_at,
          settledAt: row.settled_at,
          key: shownText(row.idempotency_key, longestKey),
          ...readOutcome(row),
        })),

    /** Up to `limit` updates of all owners after this one, oldest first. */
    page: (afterUpdateId: number, limit: number): readonly ListedUpdate[] => page.all(afterUpdateId, limit),

    /** Updates that are not sent yet, for one company of one platform. Throws StorageError. */
    countWaiting: (platform: string, companyId: Id): number => waiting.get(platform, companyId)?.total ?? 0,

    forget: openForgetting(database),
  };
}
