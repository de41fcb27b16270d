//   R1  Whoever remembers or corrects does not wait for the file: `write` brings it there, at a moment of the caller's
//       choice.
//   R2  The list is the same before and after `write`, and when it fails.
import { recentLookupSchema, type LookupAnswer, type RecentLookup } from '../../contract/lookup.ts';
import type { Id } from '../../domain/int64.ts';
import type { Database } from '../../storage/database.ts';
import { isKeptCount, isKeptId, isKeptMoment, isKeptText, orNull } from '../../storage/as-kept.ts';
import type { ProductReader } from './product-reader.ts';

export const maxRecent = 100;
/** While the file cannot be written to; then the oldest go. */
const maxUnwritten = 200;

interface Correction {
  readonly text: string;
  readonly answer: LookupAnswer['kind'];
  readonly product: { readonly stockId: Id; readonly productId: Id } | null;
}

interface Entry extends Correction {
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type RecentLookups = ReturnType<typeof openRecentLookups>;

interface RecentRow {
  readonly id: number;
  readonly at: number;
  readonly text: string;
  readonly answer: RecentLookup['answer'];
  readonly stockId: Id | null;
  readonly productId: Id | null;
}

type Step =
  | { readonly kind: 'remember'; readonly entry: Entry; readonly isBeside: boolean }
  | { readonly kind: 'correct'; readonly entry: Correction }
  | { readonly kind: 'withdraw'; readonly text: string };

/** Whether this app wrote it so: one that a failing disk has altered is left out, for which no copy is worth making anew. */
const isAsKept = ({ id, at, text, answer, stockId, productId }: RecentRow): boolean =>
  isKeptCount(id) &&
  isKeptMoment(at) &&
  isKeptText(text) &&
  recentLookupSchema.shape.answer.safeParse(answer).success &&
  [stockId, productId].every(orNull(isKeptId));

/** The rows after this step, numbers included. */
function afterStep(rows: readonly RecentRow[], step: Step): readonly RecentRow[] {
  if (step.kind === 'withdraw') {
    return rows[0]?.text === step.text ? rows.slice(1) : rows;
  }
  const { text, answer, product } = step.entry;
  const shown = { text, answer, stockId: product?.stockId ?? null, productId: product?.productId ?? null };
  if (step.kind === 'correct') {
    const place = rows.findIndex((row) => row.text === text);
    return rows.map((row, other) => (other === place ? { ...row, ...shown } : row));
  }
  const others = rows[0]?.text === text && !step.isBeside ? rows.slice(1) : rows;
  return [{ id: (others[0]?.id ?? 0) + 1, at: step.entry.at, ...shown }, ...others].slice(0, maxRecent);
}

/** Opens the recent lookups over catalogue.db. All calls throw StorageError, but for `remember`. */
export function openRecentLookups(database: Database, reader: ProductReader) {
  const newest = database.prepare<{ id: number; text: string }>(
    'SELECT id, text FROM recent_lookups ORDER BY id DESC LIMIT 1',
  );
  const insert = database.prepare(
    'INSERT INTO recent_lookups (at, text, answer, stock_id, product_id) VALUES (?, ?, ?, ?, ?)',
  );
  const removeOne = database.prepare('DELETE FROM recent_lookups WHERE id = ?');
  const removeOld = database.prepare('DELETE FROM recent_lookups WHERE id <= ?');
  const correct = database.prepare(
    'UPDATE recent_lookups SET answer = ?2, stock_id = ?3, product_id = ?4 WHERE id = (SELECT id FROM recent_lookups WHERE text = ?1 ORDER BY id DESC LIMIT 1)',
  );
  const all = database.prepare<RecentRow>(
    `SELECT id, at, text, answer, CAST(stock_id AS TEXT) AS stockId, CAST(product_id AS TEXT) AS productId FROM recent_lookups ORDER BY id DESC LIMIT ${maxRecent}`,
  );
  let unwritten: readonly Step[] = [];

  function add(step: Step): void {
    unwritten = [...unwritten, step].slice(-maxUnwritten);
  }

  function removeNewest(text: string): void {
    const last = newest.get();
    if (last?.text === text) {
      removeOne.run(last.id);
    }
  }

  function repository(step: Step): void {
    if (step.kind === 'withdraw') {
      removeNewest(step.text);
      return;
    }
    const { text, answer, product } = step.entry;
    const [stockId, productId] = product === null ? [null, null] : [BigInt(product.stockId), BigInt(product.productId)];
    if (step.kind === 'correct') {
      correct.run(text, answer, stockId, productId);
      return;
    }
    if (!step.isBeside) {
      removeNewest(text);
    }
    const { lastId } = insert.run(step.entry.at, text, answer, stockId, productId);
    removeOld.run(lastId - maxRecent);
  }

  function rows(): readonly RecentRow[] {
    return unwritten.reduce(afterStep, all.all().filter(isAsKept)); // R2
  }

  return {
    /** Remembers an answer; one for the same text as the newest takes its place, unless it is to stand beside it. */
    remember: (entry: Entry, isBeside = false) => {
      add({ kind: 'remember', entry, isBeside }); // R1
    },
    /**
     * Corrects the newest entry for this text, if it says otherwise, and is one of `replaced` or of the same product.
     * False when it is not.
     */
    correct: (entry: Correction, replaced: readonly RecentRow['answer'][]) => {
      const row = rows().find(({ text }) => text === entry.text);
      const [stockId, productId] = [entry.product?.stockId ?? null, entry.product?.productId ?? null];
      const isOfSame = row?.productId === productId;
      const isOther = row?.answer !== entry.answer || !isOfSame || row.stockId !== stockId;
      const isToBe =
        row !== undefined && isOther && ((isOfSame && productId !== null) || replaced.includes(row.answer));
      if (isToBe) {
        add({ kind: 'correct', entry }); // R1
      }
      return isToBe;
    },
    /** Forgets the newest entry if it is for this text. */
    withdraw: (text: string) => {
      add({ kind: 'withdraw', text }); // R1
    },
    /** Newest first; a product shows its present figures. */
    list: (): readonly RecentLookup[] =>
      rows().map(({ id, at, text, answer, stockId, productId }) => {
        const number = stockId === null || productId === null ? null : reader.find(stockId, productId);
        return { id, at, text, answer, hit: number === null ? null : reader.hit(number) };
      }),
    /**
     * Writes what is not written yet, in one transaction; what fails is kept for the next time. `now` fails at once while
     * another thread writes.
     */
    write: (when: 'now' | 'patiently') => {
      if (unwritten.length > 0) {
        const storeAll = (): void => unwritten.forEach(repository);
        if (when === 'now') {
          database.transactionNow(storeAll);
        } else {
          database.transaction(storeAll);
        }
        unwritten = [];
      }
    },
  };
}
