/** The rate limit's steps of queue.db; terminal/workspace/queue-migrations.ts says when each comes. */
export const rateLimitSteps = {
  slots: `
    -- Times are milliseconds since the machine's start, see rate-limit/send-log.ts.
    CREATE TABLE slots (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      lane TEXT NOT NULL,
      sent_at REAL NOT NULL,
      settled_at REAL
    ) STRICT;
  `,
  // An abandoned request may arrive later than an answered one; the pause after a 429 outlasts a restart
  // (rate-limit/send-log.ts).
  refusals: `
    ALTER TABLE slots ADD COLUMN is_abandoned INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE refusals (
      platform TEXT PRIMARY KEY,
      -- Milliseconds since the machine's start; the other times are relative to it.
      noted_at REAL NOT NULL,
      pause_ms REAL NOT NULL,
      level_from REAL,
      level_peak REAL,
      grows_in_ms REAL,
      refused_for_ms REAL
    ) STRICT, WITHOUT ROWID;
  `,
  // A slot is known by its number only while its row is there. To remember the highest for ever was one more page
  // that each request waits for.
  numberedSlots: `
    CREATE TABLE numbered_slots (
      id INTEGER PRIMARY KEY,
      lane TEXT NOT NULL,
      sent_at REAL NOT NULL,
      settled_at REAL,
      is_abandoned INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO numbered_slots SELECT id, lane, sent_at, settled_at, is_abandoned FROM slots;
    DROP TABLE slots;
    ALTER TABLE numbered_slots RENAME TO slots;
  `,
  // At which account a slot counts; null: at every one (B9 of rate-limit.ts).
  accounts: 'ALTER TABLE slots ADD COLUMN account TEXT',
} as const;
