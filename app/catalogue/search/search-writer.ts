//   T1  A row before `origin.unindexed_from` is under the terms of its present name and codes, and under no other; a
//       row from there on is under none. Null: every row is in the index.
//   T2  That holds after every transaction, so after a crash too: rows that were left out are brought in by the next
//       `complete`, at the latest when the copy is opened again.
//   T3  A row from `origin.former_words_from` on may be under the terms of the former rule for words instead, until
//       `renew` has passed it. Meanwhile it is found by all words but those that had letters and digits in one. Null:
//       no row is.
import type { Database } from '../../storage/database.ts';
import type { TermIndex } from './term-index.ts';
import { formerTermsOf, termsOf, type Searchable } from './words.ts';

/** To be called in the transaction that writes the rows. All calls throw StorageError. */
export type SearchWriter = ReturnType<typeof openSearchWriter>;

function without(terms: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...terms].filter((term) => !others.has(term));
}

/** Opens the writing side of the index in catalogue.db. Throws StorageError. */
export function openSearchWriter(database: Database, index: TermIndex) {
  const readFrom = database.prepare<{ first: number | null }>('SELECT unindexed_from AS first FROM origin');
  const writeFrom = database.prepare('UPDATE origin SET unindexed_from = ?');
  const newRows = database.prepare<Searchable & { readonly number: number }>(
    'SELECT number, name, code, other_codes AS otherCodes FROM products WHERE number >= ?',
  );

  const readFormer = database.prepare<{ first: number | null }>('SELECT former_words_from AS first FROM origin');
  const writeFormer = database.prepare('UPDATE origin SET former_words_from = ?');
  const formerRows = database.prepare<Searchable & { readonly number: number }>(
    'SELECT number, name, code, other_codes AS otherCodes FROM products WHERE number >= ? AND number < ? ORDER BY number LIMIT ?',
  );

  const firstNew = (): number | null => readFrom.get()?.first ?? null;
  const isNew = (row: number): boolean => row >= (firstNew() ?? Number.POSITIVE_INFINITY);

  const firstFormer = (): number | null => readFormer.get()?.first ?? null;
  const isFormer = (row: number): boolean => row >= (firstFormer() ?? Number.POSITIVE_INFINITY);
  /** All terms that the row may be under. */
  const storedTerms = (row: number, product: Searchable): ReadonlySet<string> =>
    isFormer(row) ? new Set([...termsOf(product), ...formerTermsOf(product)]) : termsOf(product);

  return {
    /** A row is new, and the last of all. */
    add: (row: number) => {
      if (!isNew(row)) {
        writeFrom.run(row);
      }
    },
    change: (row: number, before: Searchable, after: Searchable) => {
      if (!isNew(row)) {
        const [oldTerms, newTerms] = [termsOf(before), termsOf(after)];
        index.remove(new Map([[row, without(storedTerms(row, before), newTerms)]]));
        index.add(new Map([[row, isFormer(row) ? newTerms : without(newTerms, oldTerms)]]));
      }
    },
    remove: (row: number, before: Searchable) => {
      if (!isNew(row)) {
        index.remove(new Map([[row, storedTerms(row, before)]]));
      }
    },
    /** Brings the new rows into the index. */
    complete: () => {
      const first = firstNew();
      if (first !== null) {
        index.add(new Map(newRows.all(first).map((row) => [row.number, termsOf(row)])));
        writeFrom.run(null);
      }
    },
    /** Brings so many rows of the former rule under their present terms. Answers whether there are more. */
    renew: (most: number): boolean => {
      const first = firstFormer();
      if (first === null) {
        return false;
      }
      const rows = formerRows.all(first, firstNew() ?? Number.MAX_SAFE_INTEGER, most);
      const terms = rows.map((row) => ({ number: row.number, present: termsOf(row), former: formerTermsOf(row) }));
      index.remove(new Map(terms.map(({ number, present, former }) => [number, without(former, present)])));
      index.add(new Map(terms.map(({ number, present, former }) => [number, without(present, former)])));
      const last = rows.at(-1)?.number;
      const next = rows.length < most || last === undefined ? null : last + 1;
      writeFormer.run(next);
      return next !== null;
    },
  };
}
