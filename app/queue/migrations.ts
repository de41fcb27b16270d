/** The queue's steps of queue.db; terminal/workspace/queue-migrations.ts says when each comes. */
export const queueSteps = {
  tables: `
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
  `,
  // A second kind of update, restoring a user (API v3 §4.8); updates that ask before they are sent; which requests an
  // update was in.
  restorations: `
    ALTER TABLE requests ADD COLUMN method TEXT NOT NULL DEFAULT 'PUT';
    ALTER TABLE requests ADD COLUMN path TEXT NOT NULL DEFAULT '/api/v3/products/consumption-coupons';

    -- Made anew, because the reasons for parking are a constraint of the table.
    CREATE TABLE updates_of_all_kinds (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner_id INTEGER NOT NULL REFERENCES owners (id),
      kind TEXT NOT NULL CHECK (kind IN ('coupon', 'restoreUser')),
      -- The product whose coupon, or the user who.
      subject_id TEXT NOT NULL,
      -- 1 for a restoration.
      is_enabled INTEGER NOT NULL,
      seen INTEGER,
      created_at INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'sealed', 'delivered', 'parked', 'superseded', 'discarded')),
      request_id INTEGER REFERENCES requests (id),
      split_group INTEGER NOT NULL DEFAULT 0,
      checked_at INTEGER,
      attempts INTEGER NOT NULL DEFAULT 0,
      failure TEXT,
      parked_because TEXT CHECK (parked_because IN ('refused', 'conflict', 'damaged', 'old', 'maybeDone')),
      theirs INTEGER,
      -- An earlier request may have done it, and no reading can tell.
      is_in_doubt INTEGER NOT NULL DEFAULT 0,
      -- A person has said that it may go, however old.
      is_age_approved INTEGER NOT NULL DEFAULT 0,
      checksum TEXT NOT NULL
    ) STRICT;
    INSERT INTO updates_of_all_kinds
      SELECT id, owner_id, 'coupon', product_id, is_enabled, seen, created_at, changed_at, state, request_id, split_group, checked_at, attempts, failure, parked_because, theirs, 0, 0, checksum
      FROM updates;
    -- No id is ever given twice, those of forgotten history included.
    DELETE FROM sqlite_sequence WHERE name = 'updates_of_all_kinds';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'updates_of_all_kinds', seq FROM sqlite_sequence WHERE name = 'updates';
    DROP TABLE updates;
    ALTER TABLE updates_of_all_kinds RENAME TO updates;
    -- Each index is one more page that a person waits for at every update: this one counts, lists, and finds what goes next.
    CREATE INDEX updates_state ON updates (state, owner_id, attempts, id);
    CREATE INDEX updates_subject ON updates (subject_id, owner_id, id);
    CREATE INDEX updates_request ON updates (request_id) WHERE request_id IS NOT NULL;

    -- An update is in one request at a time, but may have been in several.
    CREATE TABLE sealings (
      update_id INTEGER NOT NULL REFERENCES updates (id) ON DELETE CASCADE,
      request_id INTEGER NOT NULL REFERENCES requests (id),
      PRIMARY KEY (update_id, request_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sealings_request ON sealings (request_id);
    INSERT INTO sealings SELECT id, request_id FROM updates WHERE request_id IS NOT NULL;
  `,
  // Restorations are few among very many: found without looking at the others. Coupons are not in it, and so cost
  // nothing.
  restorationsIndex: "CREATE INDEX updates_restorations ON updates (id, state) WHERE kind = 'restoreUser'",
  // The product's name as it stood when the person switched it: another shop's copy has another product under that
  // id, or none.
  names: 'ALTER TABLE updates ADD COLUMN name TEXT',
  // Ages are counted by a clock that nobody sets, see queue/steady-time.ts: of what is open since it was made, of
  // what is over since then.
  steadyTime: `
    CREATE TABLE steady_time (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      steady_ms INTEGER NOT NULL,
      wall_ms INTEGER NOT NULL,
      uptime_ms REAL NOT NULL
    ) STRICT;
    ALTER TABLE updates ADD COLUMN created_steady_ms INTEGER;
    ALTER TABLE updates ADD COLUMN over_steady_ms INTEGER;
    ALTER TABLE requests ADD COLUMN created_steady_ms INTEGER;
    ALTER TABLE attempts ADD COLUMN sent_steady_ms INTEGER;
    UPDATE updates SET created_steady_ms = created_at WHERE state IN ('pending', 'sealed', 'parked');
    UPDATE updates SET over_steady_ms = changed_at WHERE state IN ('delivered', 'superseded', 'discarded');
    UPDATE requests SET created_steady_ms = created_at WHERE is_open = 1;
    UPDATE attempts SET sent_steady_ms = sent_at WHERE request_id IN (SELECT id FROM requests WHERE is_open = 1);
    ALTER TABLE updates RENAME COLUMN checked_at TO checked_steady_ms;
  `,
  // An update that a plan made bears the name of its set.
  plan: 'ALTER TABLE updates ADD COLUMN plan TEXT',
  // Of a plan that other tills have too: until when it goes out without a person's word, by queue/steady-time.ts.
  planUntil: 'ALTER TABLE updates ADD COLUMN until_steady_ms INTEGER',
  // By it this file and its copies find what they have told a hub, and nobody else does; see queue/settled.ts.
  settledKey: 'CREATE TABLE settled_key (key TEXT NOT NULL) STRICT',
  // The OAuth client that sent it; null of what was sent before this was noted.
  client: 'ALTER TABLE attempts ADD COLUMN client TEXT',
} as const;
