/** The table of the arrivals that the rate limit counts. */
export const arrivalTables = `
  CREATE TABLE arrival (client_id TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX arrival_by_client ON arrival (client_id, at);
`;

/** The tables of the ledger, as they are since its first version. */
export const ledgerTables = `
  CREATE TABLE token (
    hash TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
    client_id TEXT NOT NULL, user_id TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE coupon_setting (
    company_id TEXT NOT NULL, product_id TEXT NOT NULL, is_enabled INTEGER NOT NULL, PRIMARY KEY (company_id, product_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE kept_answer (
    number INTEGER PRIMARY KEY, client_id TEXT NOT NULL, key TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
    UNIQUE (client_id, key)
  ) STRICT;
  ${arrivalTables}
`;
