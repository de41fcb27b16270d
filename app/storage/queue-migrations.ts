// Owns the shape of queue.db, the precious database: the updates that people asked for, the requests they were sealed into,
// every attempt, the confirmed coupon settings and the send log of the allowance. Migrations only ever go forward; a
// released one is never edited.
import type { Migration } from './database.ts';

export const queueMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE owners (
        id INTEGER PRIMARY KEY,
        platform TEXT NOT NULL,
        company_id TEXT NOT NULL,
        email TEXT NOT NULL,
        UNIQUE (platform, company_id, email)
      ) STRICT;

      CREATE TABLE requests (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner_id INTEGER NOT NULL REFERENCES owners (id),
        idempotency_key TEXT NOT NULL UNIQUE,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        is_open INTEGER NOT NULL DEFAULT 1,
        -- Failures in a row that nobody could prove to be the platform's, while other calls succeeded.
        unechoed INTEGER NOT NULL DEFAULT 0,
        checksum TEXT NOT NULL
      ) STRICT;
      CREATE INDEX requests_open ON requests (owner_id) WHERE is_open = 1;

      CREATE TABLE updates (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner_id INTEGER NOT NULL REFERENCES owners (id),
        product_id TEXT NOT NULL,
        is_enabled INTEGER NOT NULL,
        -- What the person saw before the first change that the platform does not have yet; null when nobody knew.
        seen INTEGER,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'sealed', 'delivered', 'parked', 'superseded', 'discarded')),
        request_id INTEGER REFERENCES requests (id),
        -- Updates of one group are sealed together; 0 is everybody, a higher one the part of a request that was split.
        split_group INTEGER NOT NULL DEFAULT 0,
        -- When what the platform has was last known; too long ago, or null: it must be read before this update may be sent.
        checked_at INTEGER,
        attempts INTEGER NOT NULL DEFAULT 0,
        failure TEXT,
        parked_because TEXT CHECK (parked_because IN ('refused', 'conflict', 'damaged')),
        theirs INTEGER,
        checksum TEXT NOT NULL
      ) STRICT;
      CREATE INDEX updates_state ON updates (state, owner_id, id);
      CREATE INDEX updates_product ON updates (product_id, owner_id, id);
      CREATE INDEX updates_request ON updates (request_id);

      CREATE TABLE attempts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        request_id INTEGER NOT NULL REFERENCES requests (id),
        sent_at INTEGER NOT NULL,
        settled_at INTEGER,
        outcome TEXT
      ) STRICT;
      CREATE INDEX attempts_request ON attempts (request_id);
      CREATE INDEX attempts_unsettled ON attempts (id) WHERE settled_at IS NULL;

      CREATE TABLE confirmed_settings (
        platform TEXT NOT NULL,
        company_id TEXT NOT NULL,
        product_id TEXT NOT NULL,
        is_enabled INTEGER NOT NULL,
        -- The newest attempt when this was learnt; a listing asked for before that attempt knows less.
        mark INTEGER NOT NULL,
        PRIMARY KEY (platform, company_id, product_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE settings_readings (
        platform TEXT NOT NULL,
        company_id TEXT NOT NULL,
        read_at INTEGER NOT NULL,
        PRIMARY KEY (platform, company_id)
      ) STRICT, WITHOUT ROWID;

      -- Times are milliseconds since the machine's start, see budget/store.ts.
      CREATE TABLE slots (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        lane TEXT NOT NULL,
        sent_at REAL NOT NULL,
        settled_at REAL
      ) STRICT;
    `,
  },
];
