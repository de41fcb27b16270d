import type { z } from 'zod';
import type { Id } from '../../domain/int64.ts';
import { parseJson } from '../../domain/json.ts';
import type { Database } from '../../storage/database.ts';

const maxKept = 2000;

export type AnswerKind = 'movements' | 'batches';

export type KeptAnswers = ReturnType<typeof openKeptAnswers>;

/** Opens the kept answers over catalogue.db. Both functions throw StorageError. */
export function openKeptAnswers(database: Database) {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO kept_answers (stock_id, product_id, kind, answer) VALUES (?, ?, ?, ?)',
  );
  // By their count, which an index has: an answer that takes the place of another has a new id, and leaves a gap. To find
  // the two thousandth from the end would read all of them.
  const removeOld = database.prepare(
    `DELETE FROM kept_answers WHERE id IN (
       SELECT id FROM kept_answers ORDER BY id LIMIT max(0, (SELECT count(*) FROM kept_answers) - ${maxKept})
     )`,
  );
  const find = database.prepare<{ answer: string }>(
    'SELECT answer FROM kept_answers WHERE stock_id = ? AND product_id = ? AND kind = ?',
  );
  return {
    /** Takes the place of the answer before; the oldest of too many goes. */
    keep: (kind: AnswerKind, stockId: Id, productId: Id, answer: unknown) => {
      database.transaction(() => {
        insert.run(BigInt(stockId), BigInt(productId), kind, JSON.stringify(answer));
        removeOld.run();
      });
    },
    /** Null when there is none, or none that this version can read. */
    find: <Shape>(kind: AnswerKind, stockId: Id, productId: Id, schema: z.ZodType<Shape>): Shape | null => {
      const row = find.get(BigInt(stockId), BigInt(productId), kind);
      return row === undefined ? null : (schema.safeParse(parseJson(row.answer)).data ?? null);
    },
  };
}
