import type { QueueDay } from '../contract/queue.ts';
import type { Database } from '../storage/database.ts';
import type { UpdateRow } from './rows.ts';

const hourMs = 3_600_000;
export const hoursOfDay = 24;
/** The newest updates that are looked at: twice as many as can be open, and more than any till makes in a day. */
export const maxDayRows = 20_000;
const rowsAtOnce = 1_000;

type DayRow = Pick<UpdateRow, 'id' | 'created_at' | 'changed_at' | 'state' | 'attempts'>;

const isOver = ({ state }: DayRow): boolean => state === 'delivered' || state === 'superseded' || state === 'discarded';

/** Where the hour began that this moment is in, by a clock that is so many minutes ahead of UTC. */
export function hourOf(at: number, offsetMinutes: number): number {
  const offsetMs = offsetMinutes * 60_000;
  return Math.floor((at + offsetMs) / hourMs) * hourMs - offsetMs;
}

/** Opens the reading over queue.db. */
export function openQueueDay(database: Database) {
  const openNow = database.prepare<{ total: number }>(
    "SELECT count(*) AS total FROM updates WHERE state IN ('pending', 'sealed', 'parked')",
  );
  const before = database.prepare<DayRow>(
    `SELECT id, created_at, changed_at, state, attempts FROM updates WHERE id < ? ORDER BY id DESC LIMIT ${rowsAtOnce}`,
  );

  /** The 24 hours up to `now`; null when `pause` answers that it is over. Throws StorageError. */
  return async (now: number, offsetMinutes: number, pause: () => Promise<boolean>): Promise<QueueDay | null> => {
    const last = hourOf(now, offsetMinutes);
    const first = last - (hoursOfDay - 1) * hourMs;
    const hours = Array.from({ length: hoursOfDay }, (_, place) => ({
      at: first + place * hourMs,
      added: 0,
      delivered: 0,
      givenUp: 0,
      open: 0,
    }));
    // An hour that a clock since set back has noted for later counts as now.
    const hourAt = (at: number): (typeof hours)[number] | undefined =>
      hours[Math.floor((Math.min(at, now) - first) / hourMs)];
    let open = openNow.get()?.total ?? 0;
    let seen = 0;
    let oldest = now;
    let next = Number.MAX_SAFE_INTEGER;
    let isEnd = false;
    while (!isEnd && seen < maxDayRows) {
      const rows = before.all(next);
      for (const row of rows) {
        const added = hourAt(row.created_at);
        const over = isOver(row) ? hourAt(row.changed_at) : undefined;
        // One that a newer change replaced within its hour, unsent, is a part of that one: what was open stays the same.
        const isFolded = row.state === 'superseded' && row.attempts === 0 && added === over;
        if (added !== undefined && !isFolded) {
          added.added += 1;
        }
        if (over !== undefined && !isFolded) {
          over[row.state === 'delivered' ? 'delivered' : 'givenUp'] += 1;
        }
        oldest = Math.min(oldest, row.created_at);
        next = row.id;
      }
      seen += rows.length;
      isEnd = rows.length < rowsAtOnce;
      if (!isEnd && !(await pause())) {
        return null;
      }
    }
    for (const hour of hours.toReversed()) {
      hour.open = Math.max(0, open);
      open += hour.delivered + hour.givenUp - hour.added;
    }
    return { hours, isWhole: isEnd || oldest < first, readAt: now };
  };
}
