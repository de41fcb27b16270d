// Owns the persisted send log of the allowance in queue.db: one row a busy slot. Times are milliseconds since the machine
// started, because that clock cannot be set by a person; never the wall clock.
import type { Database } from '../storage/database.ts';
import type { Lane } from './lanes.ts';

/** A slot that an earlier run of this app took and that may still count at the platform. */
export interface RememberedSlot {
  readonly id: number;
  readonly lane: Lane;
  /** How long ago it was settled, at least, in milliseconds; 0 when it never was. */
  readonly settledForMs: number;
}

export interface SendLog {
  /** Slots of earlier runs; unsettled ones are settled as of now. */
  remember(uptimeMs: number): readonly RememberedSlot[];
  /** Durable when it returns. */
  take(lane: Lane, uptimeMs: number): number;
  settle(id: number, uptimeMs: number): void;
  forget(ids: readonly number[]): void;
}

/** How far two processes may disagree about the machine's uptime: some systems tell it in whole seconds. */
const disagreementMs = 2_000;

/**
 * How much time has surely passed since another process noted this uptime, in milliseconds, whatever happened to the wall clock:
 * within one boot the difference; after a reboot the machine has been up for `uptimeMs`, and no less time has passed. An uptime that is
 * only a little smaller may still be of the same boot, and then nothing has passed.
 */
export function surelyPassedMs(notedUptimeMs: number, uptimeMs: number): number {
  const isSameBoot = uptimeMs >= notedUptimeMs - disagreementMs;
  return Math.max(0, (isSameBoot ? uptimeMs - notedUptimeMs : uptimeMs) - disagreementMs);
}

/** Opens the send log over the `slots` table of queue.db. */
export function openSendLog(database: Database): SendLog {
  const all = database.prepare<{ id: number; lane: Lane; settled_at: number | null }>('SELECT id, lane, settled_at FROM slots ORDER BY id');
  const settleAll = database.prepare('UPDATE slots SET settled_at = ? WHERE settled_at IS NULL');
  const insert = database.prepare('INSERT INTO slots (lane, sent_at) VALUES (?, ?)');
  const settle = database.prepare('UPDATE slots SET settled_at = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM slots WHERE id = ?');
  return {
    remember: (uptimeMs) => {
      const rows = all.all();
      settleAll.run(uptimeMs);
      return rows.map(({ id, lane, settled_at: settledAt }) => ({ id, lane, settledForMs: settledAt === null ? 0 : surelyPassedMs(settledAt, uptimeMs) }));
    },
    take: (lane, uptimeMs) => insert.run(lane, uptimeMs).lastId,
    settle: (id, uptimeMs) => {
      settle.run(uptimeMs, id);
    },
    forget: (ids) => {
      database.transaction(() => {
        for (const id of ids) {
          remove.run(id);
        }
      });
    },
  };
}
