import type { Migration } from '../storage/database.ts';

export const stocktakeMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE stocktakes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        platform TEXT NOT NULL,
        company_id TEXT NOT NULL,
        stock_id TEXT NOT NULL,
        stock_name TEXT,
        name TEXT NOT NULL,
        -- The filter as JSON; null where whatever is scanned belongs to it.
        filter TEXT,
        started_at INTEGER NOT NULL,
        started_by TEXT,
        closed_at INTEGER,
        -- 'preparing' until all products of the filter are among the lines; 'deleted' until all lines are gone.
        state TEXT NOT NULL CHECK (state IN ('preparing', 'open', 'closed', 'deleted'))
      ) STRICT;
      CREATE INDEX stocktakes_shop ON stocktakes (platform, company_id, state, id);

      CREATE TABLE lines (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        stocktake_id INTEGER NOT NULL REFERENCES stocktakes (id),
        product_id TEXT,
        -- The product's, or what was scanned where that names no product.
        code TEXT,
        name TEXT,
        unit TEXT,
        miss TEXT,
        -- A product of the filter: it is listed although nobody has counted it.
        is_expected INTEGER NOT NULL,
        quantity REAL,
        figure REAL,
        figure_as_of INTEGER,
        has_figure_moved INTEGER NOT NULL DEFAULT 0,
        standing TEXT NOT NULL
          CHECK (standing IN ('same', 'different', 'noFigure', 'unknownCode', 'notCounted', 'removed')),
        -- Less the newer its newest entry is; 0 without any.
        place INTEGER NOT NULL DEFAULT 0,
        counted_at INTEGER,
        counted_by TEXT
      ) STRICT;
      CREATE UNIQUE INDEX lines_product ON lines (stocktake_id, product_id) WHERE product_id IS NOT NULL;
      CREATE UNIQUE INDEX lines_code ON lines (stocktake_id, code) WHERE product_id IS NULL;
      CREATE INDEX lines_stocktake ON lines (stocktake_id, id);
      CREATE INDEX lines_shown ON lines (stocktake_id, place, id) WHERE standing <> 'removed';
      CREATE INDEX lines_standing ON lines (stocktake_id, standing, place, id);

      -- What was done, a row for each scan; a line shows its newest one that is not undone.
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        stocktake_id INTEGER NOT NULL REFERENCES stocktakes (id),
        line_id INTEGER NOT NULL REFERENCES lines (id),
        at INTEGER NOT NULL,
        email TEXT,
        -- What was scanned; null for a quantity that a person has set.
        text TEXT,
        -- The line's from then on; null took it out.
        quantity REAL,
        -- The copy's, at that moment.
        figure REAL,
        figure_as_of INTEGER,
        has_figure_moved INTEGER NOT NULL,
        is_undone INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX entries_stocktake ON entries (stocktake_id, is_undone, id);
      CREATE INDEX entries_line ON entries (line_id, is_undone, id);

      -- How many lines stand so, kept by each change of a line: counting them would grow with the lines.
      CREATE TABLE tallies (
        stocktake_id INTEGER NOT NULL,
        standing TEXT NOT NULL,
        lines INTEGER NOT NULL,
        PRIMARY KEY (stocktake_id, standing)
      ) STRICT, WITHOUT ROWID;
      CREATE TRIGGER line_added AFTER INSERT ON lines BEGIN
        INSERT INTO tallies VALUES (new.stocktake_id, new.standing, 1) ON CONFLICT DO UPDATE SET lines = lines + 1;
      END;
      CREATE TRIGGER line_moved AFTER UPDATE OF standing ON lines WHEN old.standing <> new.standing BEGIN
        UPDATE tallies SET lines = lines - 1 WHERE stocktake_id = old.stocktake_id AND standing = old.standing;
        INSERT INTO tallies VALUES (new.stocktake_id, new.standing, 1) ON CONFLICT DO UPDATE SET lines = lines + 1;
      END;
    `,
  },
];
