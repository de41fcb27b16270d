import { unlessStorageFails, type Database } from '../storage/database.ts';
import type { Lane } from './lanes.ts';
import { latestArrivalMs } from './rules.ts';
import type { Refusal } from './shared-limit.ts';

/** A slot that an earlier run of this app took and that may still count at the platform. */
export interface RememberedSlot {
  readonly id: number;
  readonly lane: Lane;
  /** It counts at another account than this one. */
  readonly isOthers?: boolean | undefined;
  /** How long its request has surely arrived, or never will, in milliseconds; negative while it may still arrive. */
  readonly arrivedForMs: number;
}

export type SendLog = ReturnType<typeof openSendLog>;

/** How far two processes may disagree about the machine's uptime: some systems tell it in whole seconds. */
export const disagreementMs = 2_000;

/**
 * How much time has surely passed since another process noted this uptime, in milliseconds, whatever happened to the
 * wall clock: within one boot the difference; after a reboot the machine has been up for `uptimeMs`, and no less time
 * has passed. An uptime that is only a little smaller may still be of the same boot, and then nothing has passed.
 */
export function surelyPassedMs(notedUptimeMs: number, uptimeMs: number): number {
  const isSameBoot = uptimeMs >= notedUptimeMs - disagreementMs;
  // mutant: a reboot frees every slot (I5)
  return Math.max(0, (isSameBoot ? uptimeMs - notedUptimeMs : uptimeMs) - disagreementMs);
}

interface RefusalRow {
  readonly noted_at: number;
  readonly pause_ms: number;
  readonly level_from: number | null;
  readonly level_peak: number | null;
  readonly grows_in_ms: number | null;
  readonly refused_for_ms: number | null;
}

interface SlotRow {
  readonly id: number;
  readonly lane: Lane;
  readonly settled_at: number | null;
  readonly is_abandoned: number;
  /** Null where the slot counts at every account. */
  readonly account: string | null;
}

/**
 * Opens the send log over queue.db. Slots count at `account` alone; where that is null, whatever the platform and the
 * account. A 429 counts at this platform alone, and there at every account.
 */
export function openSendLog(database: Database, platform: string, account: string | null = null) {
  const all = database.prepare<SlotRow>('SELECT id, lane, settled_at, is_abandoned, account FROM slots ORDER BY id');
  const abandonAll = database.prepare('UPDATE slots SET settled_at = ?, is_abandoned = 1 WHERE settled_at IS NULL');
  const refusal = database.prepare<RefusalRow>(
    'SELECT noted_at, pause_ms, level_from, level_peak, grows_in_ms, refused_for_ms FROM refusals WHERE platform = ?',
  );
  const keepRefusal = database.prepare(
    'INSERT OR REPLACE INTO refusals (platform, noted_at, pause_ms, level_from, level_peak, grows_in_ms, refused_for_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insert = database.prepare('INSERT INTO slots (lane, sent_at, account) VALUES (?, ?, ?)');
  const insertSettled = database.prepare('INSERT INTO slots (lane, sent_at, settled_at) VALUES (?, ?, ?)');
  const settle = database.prepare('UPDATE slots SET settled_at = ?, is_abandoned = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM slots WHERE id = ?');
  // A flush of its own for each would double what every request costs a slow disk.
  const settled = new Map<number, { readonly uptimeMs: number; readonly isAbandoned: boolean }>();

  function writeWithSettled<Value>(write: () => Value): Value {
    const value = database.transaction(() => {
      for (const [id, { uptimeMs, isAbandoned }] of settled) {
        settle.run(uptimeMs, isAbandoned ? 1 : 0, id);
      }
      return write();
    });
    settled.clear();
    return value;
  }

  return {
    /** Slots of earlier runs; those without an answer count as abandoned now. */
    remember: (uptimeMs: number): readonly RememberedSlot[] => {
      const rows = all.all();
      if (rows.some(({ settled_at: settledAt }) => settledAt === null)) {
        unlessStorageFails(() => abandonAll.run(uptimeMs));
      }
      return rows.map(({ id, lane, settled_at: settledAt, is_abandoned: isAbandoned, account: at }) => ({
        id,
        lane,
        // mutant: slots that were sent for every account count at none but their own (B9)
        isOthers: at !== null && account !== null && at !== account,
        // mutant: unsettled slots are free after a restart (I5)
        arrivedForMs:
          settledAt === null
            ? -latestArrivalMs
            : surelyPassedMs(settledAt, uptimeMs) - (isAbandoned === 1 ? latestArrivalMs : 0),
      }));
    },
    /** Durable when it returns; `isForAll`: it counts at every account. */
    take: (lane: Lane, uptimeMs: number, isForAll = false) =>
      // mutant: a request at another account counts at the open shop's alone (B9)
      writeWithSettled(() => insert.run(lane, uptimeMs, isForAll ? null : account).lastId),
    /**
     * The request is answered, or abandoned. On disk with the next `take` or `keep`: until then a crash leaves the slot
     * busy for longer, which is the safe side.
     */
    settle: (id: number, uptimeMs: number, isAbandoned: boolean) => {
      settled.set(id, { uptimeMs, isAbandoned });
    },
    /** The state that the last 429 of this platform left behind, as of now; null when there was none. */
    readRefusal: (uptimeMs: number): Refusal | null => {
      const row = refusal.get(platform);
      if (row === undefined) {
        return null;
      }
      const passedMs = surelyPassedMs(row.noted_at, uptimeMs);
      const {
        pause_ms: pauseMs,
        level_from: from,
        level_peak: peak,
        grows_in_ms: growsInMs,
        refused_for_ms: refusedForMs,
      } = row;
      return {
        // mutant: a restart forgets the pause after a 429 (I13)
        pauseMs: Math.max(0, pauseMs - passedMs),
        sharing:
          from === null || peak === null || growsInMs === null || refusedForMs === null
            ? null
            : { from, peak, growsInMs: growsInMs - passedMs, refusedForMs: refusedForMs + passedMs },
      };
    },
    /** Durable when it returns. */
    keepRefusal: ({ pauseMs, sharing }: Refusal, uptimeMs: number) => {
      writeWithSettled(() =>
        keepRefusal.run(
          platform,
          uptimeMs,
          pauseMs,
          sharing?.from ?? null,
          sharing?.peak ?? null,
          sharing?.growsInMs ?? null,
          sharing?.refusedForMs ?? null,
        ),
      );
    },
    /** Puts on disk what has been settled since the last `take`. */
    keep: () => {
      if (settled.size > 0) {
        writeWithSettled(() => undefined);
      }
    },
    forget: (ids: readonly number[]) => {
      writeWithSettled(() => {
        for (const id of ids) {
          remove.run(id);
        }
      });
    },
    /** So many slots count as settled now: the log of whatever was sent before is lost. Durable when it returns. */
    fill: (count: number, uptimeMs: number) => {
      writeWithSettled(() => {
        for (let slot = 0; slot < count; slot += 1) {
          // Most of what is sent is the catalogue's, and no other lane's turn hangs on how much that holds.
          insertSettled.run('catalogue' satisfies Lane, uptimeMs, uptimeMs);
        }
      });
    },
  };
}
