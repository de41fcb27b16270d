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

      -- Times are milliseconds since the machine's start, see rate-limit/send-log.ts.
      CREATE TABLE slots (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        lane TEXT NOT NULL,
        sent_at REAL NOT NULL,
        settled_at REAL
      ) STRICT;
    `,
  },
  {
    // A second kind of update, restoring a user (API v3 §4.8); updates that ask before they are sent; which requests an
    // update was in.
    version: 2,
    sql: `
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
  },
  {
    // Restorations are few among very many: found without looking at the others. Coupons are not in it, and so cost
    // nothing.
    version: 3,
    sql: "CREATE INDEX updates_restorations ON updates (id, state) WHERE kind = 'restoreUser'",
  },
  {
    // The product's name as it stood when the person switched it: another shop's copy has another product under that
    // id, or none.
    version: 4,
    sql: 'ALTER TABLE updates ADD COLUMN name TEXT',
  },
  {
    // Ages are counted by a clock that nobody sets, see queue/steady-time.ts: of what is open since it was made, of
    // what is over since then.
    version: 5,
    sql: `
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
  },
  {
    // What was abandoned may arrive later than what was answered; what a 429 asked for outlasts a restart
    // (rate-limit/send-log.ts).
    version: 6,
    sql: `
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
  },
  {
    // What a terminal remembers of its shop's hub (hub/memory-store.ts), by what counts as one account.
    version: 7,
    sql: 'CREATE TABLE hub_memory (account TEXT PRIMARY KEY, memory TEXT NOT NULL) STRICT, WITHOUT ROWID',
  },
  {
    // Below which a product is to be ordered; see watch-list/minima.ts. By the platform's own ids, so that it outlives
    // the copy and the product's row in it.
    version: 8,
    sql: `
      CREATE TABLE minima (
        platform TEXT NOT NULL,
        company_id TEXT NOT NULL,
        stock_id TEXT NOT NULL,
        product_id TEXT NOT NULL,
        minimum REAL NOT NULL,
        PRIMARY KEY (platform, company_id, stock_id, product_id)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    // Saved choices of coupons, when they are switched by themselves, and what became of each such moment; see
    // coupons/planner.ts. An update that a plan made bears the name of its set.
    version: 9,
    sql: `
      CREATE TABLE coupon_sets (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        platform TEXT NOT NULL,
        company_id TEXT NOT NULL,
        name TEXT NOT NULL,
        email TEXT NOT NULL,
        -- JSON: the ids of the products, or a search; the other is null.
        product_ids TEXT,
        search TEXT
      ) STRICT;
      CREATE INDEX coupon_sets_shop ON coupon_sets (platform, company_id);

      CREATE TABLE coupon_plans (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        set_id INTEGER NOT NULL REFERENCES coupon_sets (id) ON DELETE CASCADE,
        owner_id INTEGER NOT NULL REFERENCES owners (id),
        -- JSON: its day and times, by the clock on the wall.
        times TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX coupon_plans_set ON coupon_plans (set_id);

      -- A moment of a plan is known by its day, so that no change of the clock or its rules makes it another one.
      CREATE TABLE plan_moments (
        plan_id INTEGER NOT NULL REFERENCES coupon_plans (id) ON DELETE CASCADE,
        day TEXT NOT NULL,
        is_enabled INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('skipped', 'made', 'missed', 'left')),
        why TEXT,
        due_at INTEGER NOT NULL,
        updates_made INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (plan_id, day, is_enabled)
      ) STRICT, WITHOUT ROWID;

      ALTER TABLE updates ADD COLUMN plan TEXT;
    `,
  },
  {
    // A slot is known by its number only while its row is there. To remember the highest for ever was one more page
    // that each request waits for.
    version: 10,
    sql: `
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
  },
  {
    // The list of coupon settings was read without the company until then: where a platform has several, it may have
    // been another's, and so may what a person saw.
    version: 11,
    sql: `
      CREATE TEMP TABLE of_several AS SELECT platform FROM owners GROUP BY platform HAVING count(DISTINCT company_id) > 1;
      DELETE FROM confirmed_settings WHERE platform IN of_several;
      DELETE FROM settings_readings WHERE platform IN of_several;
      UPDATE updates SET seen = NULL, checked_steady_ms = NULL
      WHERE kind = 'coupon' AND state = 'pending'
        AND owner_id IN (SELECT id FROM owners WHERE platform IN of_several);
      DROP TABLE of_several;
    `,
  },
  {
    // A plan that was made while the clock was ahead: when by the steady time, and how far ahead the clock was, once it
    // has been seen to be set back; see coupons/planner.ts. A moment that such a clock has made is expected again from
    // this steady time on.
    version: 12,
    sql: `
      ALTER TABLE coupon_plans ADD COLUMN created_steady_ms INTEGER;
      ALTER TABLE coupon_plans ADD COLUMN ahead_ms INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE plan_moments ADD COLUMN again_steady_ms INTEGER;
    `,
  },
  {
    // Which product a person chose for the labels of a scale's item; see catalogue/lookup/label-choices.ts.
    version: 13,
    sql: `
      CREATE TABLE label_choices (
        platform TEXT NOT NULL,
        company_id TEXT NOT NULL,
        stock_id TEXT NOT NULL,
        layout TEXT NOT NULL,
        item TEXT NOT NULL,
        product_id TEXT NOT NULL,
        -- JSON: the ids of the products that there were to choose from.
        among TEXT NOT NULL,
        is_of_unit INTEGER NOT NULL,
        chosen_at INTEGER NOT NULL,
        email TEXT NOT NULL,
        PRIMARY KEY (platform, company_id, stock_id, layout, item)
      ) STRICT, WITHOUT ROWID;
    `,
  },
];
