import type { Migration } from '../storage/database.ts';

/** The answers about batches: all of them can be asked for again. */
export const batchesMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE products (
        id INTEGER PRIMARY KEY,
        -- The platform and the company.
        shop TEXT NOT NULL,
        stock_id TEXT NOT NULL,
        product_id TEXT NOT NULL,
        asked_at INTEGER NOT NULL,
        -- Asked for at night, and not by a person.
        is_unasked INTEGER NOT NULL,
        -- How many batches the platform has listed.
        batches INTEGER NOT NULL,
        -- The copy says that nothing is left of it.
        is_out INTEGER NOT NULL DEFAULT 0,
        -- Name and code without accents and capitals.
        words TEXT NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX products_place ON products (shop, stock_id, product_id);
      CREATE INDEX products_asked ON products (asked_at);

      CREATE TABLE expiries (
        product INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
        day TEXT NOT NULL,
        -- By which batches of one day follow one another.
        name_key TEXT NOT NULL,
        quantity REAL,
        lot TEXT
      ) STRICT;
      CREATE INDEX expiries_product ON expiries (product);
      CREATE INDEX expiries_day ON expiries (day, name_key);
    `,
  },
];
