/** The coupons' steps of queue.db; terminal/workspace/queue-migrations.ts says when each comes. */
export const couponSteps = {
  confirmedSettings: `
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
  `,
  // Saved choices of coupons, when they are switched by themselves, and what became of each such moment; see
  // coupons/planner.ts.
  sets: `
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
  `,
  // The list of coupon settings was read without the company until then: where a platform has several, it may have
  // been another's, and so may what a person saw.
  ofOneCompany: `
    CREATE TEMP TABLE of_several AS SELECT platform FROM owners GROUP BY platform HAVING count(DISTINCT company_id) > 1;
    DELETE FROM confirmed_settings WHERE platform IN of_several;
    DELETE FROM settings_readings WHERE platform IN of_several;
    UPDATE updates SET seen = NULL, checked_steady_ms = NULL
    WHERE kind = 'coupon' AND state = 'pending'
      AND owner_id IN (SELECT id FROM owners WHERE platform IN of_several);
    DROP TABLE of_several;
  `,
  // A plan that was made while the clock was ahead: when by the steady time, and how far ahead the clock was, once it
  // has been seen to be set back; see coupons/planner.ts. A moment that such a clock has made is expected again from
  // this steady time on.
  plansBySteadyTime: `
    ALTER TABLE coupon_plans ADD COLUMN created_steady_ms INTEGER;
    ALTER TABLE coupon_plans ADD COLUMN ahead_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE plan_moments ADD COLUMN again_steady_ms INTEGER;
  `,
  // Other tills have it too, or may: it has left in a file of the shop's lists, or come in one.
  sharedPlans: 'ALTER TABLE coupon_plans ADD COLUMN is_shared INTEGER NOT NULL DEFAULT 0',
  // JSON: a day that was switched on and is not off yet, and the products.
  plansUnderWay: 'ALTER TABLE coupon_plans ADD COLUMN under_way TEXT',
} as const;
