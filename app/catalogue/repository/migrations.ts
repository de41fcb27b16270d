import type { Migration } from '../../storage/database.ts';

export const catalogueMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      -- What this copy is of; another fingerprint empties it.
      CREATE TABLE origin (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        fingerprint TEXT NOT NULL
      ) STRICT;

      CREATE TABLE stocks (
        number INTEGER PRIMARY KEY,
        stock_id INTEGER NOT NULL UNIQUE,
        name TEXT,
        copied INTEGER NOT NULL DEFAULT 0,
        -- JSON of catalogue/sync/progress.ts; null before the first page.
        progress TEXT
      ) STRICT;

      -- One row a product and stock. Narrow, so that walking through all of them is quick; what only a card needs is in details.
      CREATE TABLE products (
        number INTEGER PRIMARY KEY,
        stock INTEGER NOT NULL,
        product_id INTEGER NOT NULL,
        -- The last listing pass that saw it.
        pass INTEGER NOT NULL,
        balance REAL,
        -- When the figure was asked for, in milliseconds since 1970; and whether by itself or in a listing.
        balance_as_of INTEGER,
        balance_is_live INTEGER NOT NULL DEFAULT 0,
        code TEXT,
        name TEXT NOT NULL,
        unit TEXT
      ) STRICT;
      CREATE UNIQUE INDEX products_id ON products (product_id, stock);
      CREATE INDEX products_code ON products (code COLLATE NOCASE) WHERE code IS NOT NULL;

      CREATE TABLE details (
        number INTEGER PRIMARY KEY,
        raw TEXT NOT NULL,
        -- JSON of the option balances of the last live figure.
        live_options TEXT
      ) STRICT;

      -- Barcodes and second codes. A key is a GTIN's number or a text, see domain/codes/barcode.ts.
      CREATE TABLE product_keys (
        key ANY NOT NULL,
        product INTEGER NOT NULL,
        PRIMARY KEY (key, product)
      ) STRICT, WITHOUT ROWID;

      -- Codes that the platform resolved to one product, though no element carries them.
      CREATE TABLE aliases (
        key ANY PRIMARY KEY,
        product_id INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- Contentless, for the texts are in products; without positions, for words are searched in any order. Both hold what
      -- catalogue/search/words.ts makes of a text, already without accents and capitals.
      CREATE VIRTUAL TABLE product_words USING fts5 (
        text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '1 2 3 4 5 6'
      );
      CREATE VIRTUAL TABLE code_fragments USING fts5 (
        code, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
      );

      CREATE TABLE recent_lookups (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        answer TEXT NOT NULL,
        stock_id INTEGER,
        product_id INTEGER
      ) STRICT;
    `,
  },
  {
    // Search by an index of its own: its work is bounded for every text, and a page that is written never waits for a
    // merge. The products are copied anew; what a person looked up and what the platform resolved stays.
    version: 2,
    sql: `
      DROP TABLE product_words;
      DROP TABLE code_fragments;
      DROP TABLE product_keys;
      DROP TABLE details;
      DROP TABLE products;
      UPDATE stocks SET copied = 0, progress = NULL;

      CREATE TABLE products (
        number INTEGER PRIMARY KEY,
        stock INTEGER NOT NULL,
        product_id INTEGER NOT NULL,
        pass INTEGER NOT NULL,
        balance REAL,
        balance_as_of INTEGER,
        balance_is_live INTEGER NOT NULL DEFAULT 0,
        code TEXT,
        name TEXT NOT NULL,
        unit TEXT,
        -- Second codes, parted by blanks.
        other_codes TEXT,
        -- Of details.raw, so that an element that has not changed is known without reading it.
        raw_digest INTEGER NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX products_id ON products (product_id, stock);
      CREATE INDEX products_code ON products (code COLLATE NOCASE) WHERE code IS NOT NULL;

      CREATE TABLE details (
        number INTEGER PRIMARY KEY,
        raw TEXT NOT NULL,
        live_options TEXT
      ) STRICT;

      CREATE TABLE product_keys (
        key ANY NOT NULL,
        product INTEGER NOT NULL,
        PRIMARY KEY (key, product)
      ) STRICT, WITHOUT ROWID;

      -- Which rows of a block of 4,096 are found under a term; see catalogue/search/words.ts for the terms, catalogue/search/places.ts for the places.
      -- Ordered by block, so that new rows touch one end of it.
      CREATE TABLE search_terms (
        block INTEGER NOT NULL,
        term TEXT NOT NULL,
        places BLOB NOT NULL,
        PRIMARY KEY (block, term)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 3,
    sql: `
      -- When a product was last changed: as the listing says, or else when this terminal saw it; and which of the two.
      ALTER TABLE products ADD COLUMN updated_at INTEGER;
      ALTER TABLE products ADD COLUMN updated_is_told INTEGER NOT NULL DEFAULT 0;

      -- The two orders of the stock table, one row a product, see catalogue/browse/order-keys.ts. Whoever walks an order finds in it all that
      -- the commonest filters ask, and never has to look at the products.
      CREATE TABLE name_order (
        key TEXT NOT NULL,
        product INTEGER NOT NULL,
        stock INTEGER NOT NULL,
        level INTEGER,
        PRIMARY KEY (key, product)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE code_order (
        key TEXT NOT NULL,
        product INTEGER NOT NULL,
        stock INTEGER NOT NULL,
        level INTEGER,
        PRIMARY KEY (key, product)
      ) STRICT, WITHOUT ROWID;

      -- The orders are written with the products: what was copied before is copied anew.
      DELETE FROM products;
      DELETE FROM details;
      DELETE FROM product_keys;
      DELETE FROM search_terms;
      UPDATE stocks SET copied = 0, progress = NULL;
    `,
  },
  {
    // So that the rows of a page can be written in slices and indexed together; see catalogue/search/search-writer.ts.
    version: 4,
    sql: 'ALTER TABLE origin ADD COLUMN unindexed_from INTEGER',
  },
  {
    version: 5,
    sql: `
      -- The platform's last answers about the details of products, as JSON of contract/details.ts.
      CREATE TABLE kept_answers (
        id INTEGER PRIMARY KEY,
        stock_id INTEGER NOT NULL,
        product_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        answer TEXT NOT NULL,
        UNIQUE (stock_id, product_id, kind)
      ) STRICT;
    `,
  },
  {
    version: 6,
    sql: `
      -- When the platform said so, in milliseconds since 1970: an old one is asked for anew; see catalogue/lookup/lookup.ts.
      ALTER TABLE aliases ADD COLUMN learned_at INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX aliases_product ON aliases (product_id);
    `,
  },
  {
    // Letters and digits have become words of their own. The rows stay, and are brought under their new terms bit by
    // bit; see catalogue/search/search-writer.ts.
    version: 7,
    sql: `
      ALTER TABLE origin ADD COLUMN former_words_from INTEGER;
      UPDATE origin SET former_words_from = 0 WHERE EXISTS (SELECT 1 FROM products);
    `,
  },
  {
    // Earlier versions also learnt fragments of codes (C5 of catalogue/lookup/code-lookup.ts). What was surely a whole
    // GTIN stays: an integer of nine to eleven digits may have been a fragment whose last digit happened to be right.
    version: 8,
    sql: "DELETE FROM aliases WHERE typeof(key) <> 'integer' OR key BETWEEN 100000000 AND 99999999999",
  },
  {
    version: 9,
    sql: `
      -- When a product that had some was last seen with none, or the other way round, in milliseconds since 1970.
      ALTER TABLE products ADD COLUMN turned_at INTEGER;
      CREATE INDEX products_turned ON products (turned_at) WHERE turned_at IS NOT NULL;
    `,
  },
  {
    version: 10,
    sql: `
      -- When the listing last said another thing of a product than how much there is (W7 of catalogue/repository/product-writer.ts), in milliseconds since 1970.
      ALTER TABLE products ADD COLUMN listing_changed_at INTEGER;
      CREATE INDEX products_listing_changed ON products (listing_changed_at) WHERE listing_changed_at IS NOT NULL;
    `,
  },
  {
    version: 11,
    sql: `
      -- What the platform listed and this app could not read, one row each; see catalogue/repository/unreadable.ts.
      CREATE TABLE unreadable_elements (
        stock INTEGER NOT NULL,
        identity INTEGER NOT NULL,
        -- The last listing pass that was shown it.
        pass INTEGER NOT NULL,
        why TEXT NOT NULL,
        -- Of the first few, for whoever looks into it.
        sample TEXT,
        PRIMARY KEY (stock, identity)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX unreadable_samples ON unreadable_elements (stock) WHERE sample IS NOT NULL;
      ALTER TABLE stocks ADD COLUMN unreadable INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    // What was copied stays: the keys of names are there already.
    version: 12,
    sql: `
      -- The order of the stock table by balance, and by name where it is the same; one row a product. A balance that
      -- nobody knows is infinite here, so that it comes last; see catalogue/browse/order-keys.ts.
      CREATE TABLE balance_order (
        balance REAL NOT NULL,
        key TEXT NOT NULL,
        product INTEGER NOT NULL,
        stock INTEGER NOT NULL,
        level INTEGER,
        PRIMARY KEY (balance, key, product)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO balance_order (balance, key, product, stock, level)
        SELECT ifnull(products.balance, 9e999) AS balance, name_order.key, name_order.product, name_order.stock, name_order.level
        FROM name_order JOIN products ON products.number = name_order.product
        ORDER BY 1, 2, 3;
    `,
  },
  {
    // Of which stocks an earlier version had asked is not known: each is asked for anew at its next lookup.
    version: 13,
    sql: `
      -- The ids of the stocks that resolved it, with commas between.
      ALTER TABLE aliases ADD COLUMN stocks TEXT NOT NULL DEFAULT '';
    `,
  },
];
