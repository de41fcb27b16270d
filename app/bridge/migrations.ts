import { arrivalTables, ledgerTables } from '../service/migrations.ts';
import type { Migration } from '../storage/database.ts';

/** The ledger: what must never be lost. */
export const ledgerMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      ${ledgerTables}
      CREATE TABLE coupon_pending (
        source_id TEXT PRIMARY KEY, is_enabled INTEGER NOT NULL, number INTEGER NOT NULL UNIQUE
      ) STRICT, WITHOUT ROWID;
    `,
  },
  { version: 2, sql: 'DROP TABLE arrival' },
  {
    // Told to ids.db and arrivals.db as well: what belongs together. `is_paired` once ids.db has it.
    version: 3,
    sql: `
      CREATE TABLE pair (id TEXT NOT NULL, is_paired INTEGER NOT NULL) STRICT;
      INSERT INTO pair VALUES (lower(hex(randomblob(16))), 0);
    `,
  },
];

const pairTable: Migration = { version: 2, sql: 'CREATE TABLE pair (id TEXT NOT NULL) STRICT' };

/** The arrivals of the last minute. A process that is killed keeps them. */
export const arrivalMigrations: readonly Migration[] = [{ version: 1, sql: arrivalTables }, pairTable];

/** The numbers that were given to ids of the source. */
export const idMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: 'CREATE TABLE id_of (source_id TEXT PRIMARY KEY, id INTEGER NOT NULL UNIQUE) STRICT, WITHOUT ROWID;',
  },
  pairTable,
];

/** The snapshot of the source, which can be read anew. Amounts lie by the source's name of the stock. */
export const snapshotMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE product (
        id INTEGER PRIMARY KEY, source_id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, folded TEXT NOT NULL,
        code TEXT NOT NULL, barcodes TEXT NOT NULL, facts TEXT NOT NULL, changed_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX product_by_code ON product (code, id);
      CREATE INDEX product_by_name ON product (folded, id);
      CREATE INDEX product_by_change ON product (changed_at, id);
      CREATE TABLE barcode (
        barcode TEXT NOT NULL, product_id INTEGER NOT NULL, PRIMARY KEY (barcode, product_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX barcode_by_product ON barcode (product_id);
      CREATE TABLE amount (
        stock TEXT NOT NULL, product_id INTEGER NOT NULL, amount REAL NOT NULL, changed_at INTEGER NOT NULL,
        PRIMARY KEY (stock, product_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX amount_by_change ON amount (stock, changed_at, product_id);
      CREATE TABLE pass (id INTEGER PRIMARY KEY CHECK (id = 1), ended_at INTEGER NOT NULL) STRICT;
    `,
  },
  {
    // Where each thousandth product stands in an order (snapshot/marks.ts), and names by each three letters of them.
    version: 2,
    sql: `
      CREATE TABLE mark (
        ordering TEXT NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (ordering, place)
      ) STRICT, WITHOUT ROWID;
      CREATE VIRTUAL TABLE name_part USING fts5 (
        folded, content = 'product', content_rowid = 'id', tokenize = 'trigram case_sensitive 1', detail = none
      );
      INSERT INTO name_part (name_part) VALUES ('rebuild');
    `,
  },
  // What it holds is as of its beginning, or of later.
  { version: 3, sql: 'ALTER TABLE pass ADD COLUMN began_at INTEGER NOT NULL DEFAULT 0' },
  { version: 4, sql: `CREATE INDEX product_with_coupon ON product (id) WHERE facts ->> '$.coupon' = 1` },
  // The moment of a clock that was ahead, until it has come; 0 for none.
  { version: 5, sql: 'ALTER TABLE pass ADD COLUMN ahead_at INTEGER NOT NULL DEFAULT 0' },
  // By which of the source's names each stock was listed last.
  { version: 6, sql: 'CREATE TABLE stock_place (stock TEXT PRIMARY KEY, source TEXT NOT NULL) STRICT, WITHOUT ROWID' },
];
