import { join } from 'node:path';
import { Database, type Migration } from '../../storage/database.ts';
import { openOrReplace } from '../../storage/recover.ts';
import { createLedger } from '../../service/ledger.ts';
import { ledgerTables } from '../../service/migrations.ts';

const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      ${ledgerTables}
      CREATE TABLE restored_user (user_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      CREATE TABLE balance_change (
        stock_id TEXT NOT NULL, product_index INTEGER NOT NULL, amount REAL NOT NULL, changed_at INTEGER NOT NULL,
        PRIMARY KEY (stock_id, product_index)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE product_change (
        product_index INTEGER PRIMARY KEY, name TEXT, is_removed INTEGER NOT NULL, changed_at INTEGER NOT NULL
      ) STRICT;
    `,
  },
];

// The newest answers are kept; nobody replays a key a hundred thousand requests later.
const maximumKeptAnswers = 100_000;

export interface BalanceChange {
  readonly stockId: string;
  readonly productIndex: number;
  readonly amount: number;
  readonly changedAt: number;
}

export interface ProductChange {
  readonly productIndex: number;
  readonly name: string | null;
  readonly isRemoved: number;
  readonly changedAt: number;
}

/** Opens the store in the directory, or in memory. A damaged file is set aside. Throws StorageError. */
export async function openTrainingRepository(directory: string | null, now: number) {
  const options = { kind: 'precious', migrations } as const;
  const database =
    directory === null
      ? await Database.open(':memory:', options)
      : (await openOrReplace(join(directory, 'training.db'), options, now)).database;

  const statements = {
    readFact: database.prepare<{ value: string }>('SELECT value FROM fact WHERE name = ?'),
    writeFact: database.prepare('INSERT INTO fact VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'),
    isRestored: database.prepare('SELECT 1 FROM restored_user WHERE user_id = ?'),
    restore: database.prepare('INSERT OR IGNORE INTO restored_user VALUES (?)'),
    forgetRestored: database.prepare('DELETE FROM restored_user WHERE user_id = ?'),
    listBalances: database.prepare<BalanceChange>(
      'SELECT stock_id AS stockId, product_index AS productIndex, amount, changed_at AS changedAt FROM balance_change',
    ),
    writeBalance: database.prepare('INSERT OR REPLACE INTO balance_change VALUES (?, ?, ?, ?)'),
    listProducts: database.prepare<ProductChange>(
      'SELECT product_index AS productIndex, name, is_removed AS isRemoved, changed_at AS changedAt FROM product_change',
    ),
    writeProduct: database.prepare('INSERT OR REPLACE INTO product_change VALUES (?, ?, ?, ?)'),
  };

  return {
    ...createLedger(database, maximumKeptAnswers),
    readFact: (name: string): string | null => statements.readFact.get(name)?.value ?? null,
    writeFact: (name: string, value: string): void => void statements.writeFact.run(name, value),
    isRestored: (userId: string): boolean => statements.isRestored.get(userId) !== undefined,
    restore: (userId: string): void => void statements.restore.run(userId),
    forgetRestored: (userId: string): void => void statements.forgetRestored.run(userId),
    listBalanceChanges: (): BalanceChange[] => statements.listBalances.all(),
    writeBalanceChange: (change: BalanceChange): void =>
      void statements.writeBalance.run(change.stockId, change.productIndex, change.amount, change.changedAt),
    listProductChanges: (): ProductChange[] => statements.listProducts.all(),
    writeProductChange: (change: ProductChange): void =>
      void statements.writeProduct.run(change.productIndex, change.name, change.isRemoved, change.changedAt),
    close: (): void => {
      database.close();
    },
  };
}

export type TrainingRepository = Awaited<ReturnType<typeof openTrainingRepository>>;
