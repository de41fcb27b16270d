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
  /** On disk with the next `take` or `keep`: until then a crash leaves the slot busy for longer, which is the safe side. */
  settle(id: number, uptimeMs: number): void;
  /** Puts on disk what has been settled since the last `take`. */
  keep(): void;
  forget(ids: readonly number[]): void;
  /** So many slots count as settled now: the log of whatever was sent before is lost. Durable when it returns. */
  fill(count: number, uptimeMs: number): void;
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
  const insertSettled = database.prepare('INSERT INTO slots (lane, sent_at, settled_at) VALUES (?, ?, ?)');
  const settle = database.prepare('UPDATE slots SET settled_at = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM slots WHERE id = ?');
  // A flush of its own for each would double what every request costs a slow disk.
  const settled = new Map<number, number>();

  function writeWithSettled<Value>(write: () => Value): Value {
    const value = database.transaction(() => {
      for (const [id, uptimeMs] of settled) {
        settle.run(uptimeMs, id);
      }
      return write();
    });
    settled.clear();
    return value;
  }

  return {
    remember: (uptimeMs) => {
      const rows = all.all();
      settleAll.run(uptimeMs);
      return rows.map(({ id, lane, settled_at: settledAt }) => ({ id, lane, settledForMs: settledAt === null ? 0 : surelyPassedMs(settledAt, uptimeMs) }));
    },
    take: (lane, uptimeMs) => writeWithSettled(() => insert.run(lane, uptimeMs).lastId),
    settle: (id, uptimeMs) => {
      settled.set(id, uptimeMs);
    },
    keep: () => {
      if (settled.size > 0) {
        writeWithSettled(() => undefined);
      }
    },
    forget: (ids) => {
      writeWithSettled(() => {
        for (const id of ids) {
          remove.run(id);
        }
      });
    },
    fill: (count, uptimeMs) => {
      writeWithSettled(() => {
        for (let slot = 0; slot < count; slot += 1) {
          // Most of what is sent is the catalogue's, and no other lane's turn hangs on how much that holds.
          insertSettled.run('catalogue' satisfies Lane, uptimeMs, uptimeMs);
        }
      });
    },
  };
}
