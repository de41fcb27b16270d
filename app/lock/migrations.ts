import type { Migration } from '../storage/database.ts';

export const auditMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        email TEXT,
        company_id TEXT,
        is_practice INTEGER NOT NULL,
        is_with_pin INTEGER NOT NULL,
        kind TEXT NOT NULL,
        -- The whole deed as JSON.
        deed TEXT NOT NULL
      ) STRICT;
    `,
  },
  { version: 2, sql: 'ALTER TABLE entries RENAME COLUMN deed TO action' },
];
