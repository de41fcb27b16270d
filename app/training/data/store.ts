import { join } from 'node:path';
import { Database, type Migration } from '../../storage/database.ts';
import { openOrReplace } from '../../storage/recover.ts';

const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
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
      CREATE TABLE arrival (client_id TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
      CREATE INDEX arrival_by_client ON arrival (client_id, at);
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
const maximumTokens = 10_000;

export interface TokenRow {
  readonly kind: 'access' | 'refresh';
  readonly clientId: string;
  readonly userId: string;
  readonly expiresAt: number;
}

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

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
export async function openTrainingStore(directory: string | null, now: number) {
  const options = { kind: 'precious', migrations } as const;
  const database =
    directory === null
      ? await Database.open(':memory:', options)
      : (await openOrReplace(join(directory, 'training.db'), options, now)).database;

  const statements = {
    readFact: database.prepare<{ value: string }>('SELECT value FROM fact WHERE name = ?'),
    writeFact: database.prepare('INSERT INTO fact VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'),
    readToken: database.prepare<TokenRow>(
      'SELECT kind, client_id AS clientId, user_id AS userId, expires_at AS expiresAt FROM token WHERE hash = ?',
    ),
    addToken: database.prepare('INSERT INTO token VALUES (?, ?, ?, ?, ?)'),
    removeToken: database.prepare('DELETE FROM token WHERE hash = ?'),
    expireTokens: database.prepare('UPDATE token SET expires_at = min(expires_at, ?) WHERE kind = ?'),
    trimTokens: database.prepare(
      'DELETE FROM token WHERE hash IN (SELECT hash FROM token ORDER BY expires_at LIMIT max(0, (SELECT count(*) FROM token) - ?))',
    ),
    listCoupons: database.prepare<{ productId: string; isEnabled: number }>(
      'SELECT product_id AS productId, is_enabled AS isEnabled FROM coupon_setting WHERE company_id = ?',
    ),
    writeCoupon: database.prepare(
      'INSERT INTO coupon_setting VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET is_enabled = excluded.is_enabled',
    ),
    readAnswer: database.prepare<KeptAnswer>('SELECT status, body FROM kept_answer WHERE client_id = ? AND key = ?'),
    keepAnswer: database.prepare('INSERT INTO kept_answer (client_id, key, status, body) VALUES (?, ?, ?, ?)'),
    trimAnswers: database.prepare('DELETE FROM kept_answer WHERE number <= ?'),
    addArrival: database.prepare('INSERT INTO arrival VALUES (?, ?)'),
    trimArrivals: database.prepare('DELETE FROM arrival WHERE client_id = ? AND at <= ?'),
    listArrivals: database.prepare<{ at: number }>('SELECT at FROM arrival WHERE client_id = ? ORDER BY at'),
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
    /** All of it is kept, or none. */
    transaction: <Value>(action: () => Value): Value => database.transaction(action),
    readFact: (name: string): string | null => statements.readFact.get(name)?.value ?? null,
    writeFact: (name: string, value: string): void => void statements.writeFact.run(name, value),
    readToken: (hash: string): TokenRow | null => statements.readToken.get(hash) ?? null,
    addToken: (hash: string, row: TokenRow): void => {
      statements.addToken.run(hash, row.kind, row.clientId, row.userId, row.expiresAt);
      statements.trimTokens.run(maximumTokens);
    },
    removeToken: (hash: string): void => void statements.removeToken.run(hash),
    /** Makes all tokens of the kind end at the moment, unless they end before. */
    expireTokens: (kind: TokenRow['kind'], at: number): void => void statements.expireTokens.run(at, kind),
    /** Only the settings that somebody made, by product id. */
    listCoupons: (companyId: string): Map<string, boolean> =>
      new Map(statements.listCoupons.all(companyId).map((row) => [row.productId, row.isEnabled === 1])),
    writeCoupon: (companyId: string, productId: string, isEnabled: boolean): void =>
      void statements.writeCoupon.run(companyId, productId, isEnabled ? 1 : 0),
    readAnswer: (clientId: string, key: string): KeptAnswer | null => statements.readAnswer.get(clientId, key) ?? null,
    keepAnswer: (clientId: string, key: string, answer: KeptAnswer): void => {
      const { lastId } = statements.keepAnswer.run(clientId, key, answer.status, answer.body);
      statements.trimAnswers.run(lastId - maximumKeptAnswers);
    },
    addArrival: (clientId: string, at: number): void => void statements.addArrival.run(clientId, at),
    /** The moments after `since`, oldest first; older ones are forgotten. */
    listArrivals: (clientId: string, since: number): number[] => {
      statements.trimArrivals.run(clientId, since);
      return statements.listArrivals.all(clientId).map((row) => row.at);
    },
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

export type TrainingStore = Awaited<ReturnType<typeof openTrainingStore>>;
