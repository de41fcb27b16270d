// The ledger in SQLite, for one process.
import type { Database } from '../storage/database.ts';
import { maxAheadMs } from './rate-limit.ts';
import { OvertakenError, type KeptAnswer, type Ledger, type TokenRow } from './ports.ts';

/** Of one kind and application; the first to end go first. */
export const maxTokens = 10_000;

/**
 * A ledger in the tables of `ledgerTables`; `maxAnswers` null keeps the answers to keys for ever. The arrivals may lie in
 * another database (`arrivalTables`): each request writes there, and a power cut may take the last of them.
 */
export function createLedger(database: Database, maxAnswers: number | null, arrivals: Database = database) {
  const statements = {
    readToken: database.prepare<TokenRow>(
      'SELECT kind, client_id AS clientId, user_id AS userId, expires_at AS expiresAt FROM token WHERE hash = ?',
    ),
    addToken: database.prepare('INSERT INTO token VALUES (?, ?, ?, ?, ?)'),
    removeToken: database.prepare('DELETE FROM token WHERE hash = ?'),
    expireTokens: database.prepare('UPDATE token SET expires_at = min(expires_at, ?) WHERE kind = ?'),
    trimTokens: database.prepare(
      `DELETE FROM token WHERE hash IN (
         SELECT hash FROM token WHERE kind = ?1 AND client_id = ?2 ORDER BY expires_at
         LIMIT max(0, (SELECT count(*) FROM token WHERE kind = ?1 AND client_id = ?2) - ?3)
       )`,
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
    addArrival: arrivals.prepare('INSERT INTO arrival VALUES (?, ?)'),
    trimArrivals: arrivals.prepare('DELETE FROM arrival WHERE client_id = ? AND (at <= ? OR at > ?)'),
    /** The last but so many; none where fewer arrivals count. */
    arrivalBefore: arrivals.prepare<{ at: number }>(
      'SELECT at FROM arrival WHERE client_id = ? ORDER BY at DESC LIMIT 1 OFFSET ?',
    ),
  };
  const readAnswer = (clientId: string, key: string): KeptAnswer | null =>
    statements.readAnswer.get(clientId, key) ?? null;
  return {
    admit: ({ clientId, now, since, limit, isRefusalCounted }) =>
      arrivals.transaction(() => {
        statements.trimArrivals.run(clientId, since, now + maxAheadMs);
        const inTheWay = statements.arrivalBefore.get(clientId, limit - 1) ?? null;
        if (inTheWay === null || isRefusalCounted) {
          statements.addArrival.run(clientId, now);
        }
        return inTheWay?.at ?? null;
      }),
    readAnswer,
    change: (effect, record) =>
      database.transaction(() => {
        const before = record === null ? null : readAnswer(record.clientId, record.key);
        if (before !== null) {
          return before;
        }
        effect?.();
        if (record !== null) {
          const { lastId } = statements.keepAnswer.run(record.clientId, record.key, record.status, record.body);
          statements.trimAnswers.run(lastId - (maxAnswers ?? lastId));
        }
        return null;
      }),
    readToken: (hash) => statements.readToken.get(hash) ?? null,
    addToken: (hash, row) => {
      statements.addToken.run(hash, row.kind, row.clientId, row.userId, row.expiresAt);
      statements.trimTokens.run(row.kind, row.clientId, maxTokens);
    },
    spendToken: (hash) => {
      if (statements.removeToken.run(hash).changes === 0) {
        throw new OvertakenError('the token is spent');
      }
    },
    /** Makes all tokens of the kind end at the moment, unless they end before. */
    expireTokens: (kind: TokenRow['kind'], at: number): void => void statements.expireTokens.run(at, kind),
    /** Only the settings that somebody made, by product id. */
    listCoupons: (companyId: string): Map<string, boolean> =>
      new Map(statements.listCoupons.all(companyId).map((row) => [row.productId, row.isEnabled === 1])),
    writeCoupon: (companyId: string, productId: string, isEnabled: boolean): void =>
      void statements.writeCoupon.run(companyId, productId, isEnabled ? 1 : 0),
  } satisfies Ledger & Record<string, unknown>;
}
