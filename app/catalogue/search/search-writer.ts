// Owns which rows are found by their words: it keeps the index of terms in step with the rows, now for a row that changes or goes,
// and for many new rows at once, because neighbours share most of their terms. Never decides when that is.
//
//   T1  A row before `origin.unindexed_from` is under the terms of its present name and codes, and under no other; a row from there on
//       is under none. Null: every row is in the index.
//   T2  That holds after every transaction, so after a crash too: rows that were left out are brought in by the next `complete`,
//       at the latest when the copy is opened again.
import type { Database } from '../../storage/database.ts';
import { openTermIndex } from './term-index.ts';
import { termsOf, type Searchable } from './words.ts';

/** To be called in the transaction that writes the rows. All calls throw StorageError. */
export interface SearchWriter {
  /** A row is new, and the last of all. */
  add(row: number): void;
  change(row: number, before: Searchable, after: Searchable): void;
  remove(row: number, before: Searchable): void;
  /** Brings the new rows into the index. */
  complete(): void;
}

/** Opens the writing side of the index in catalogue.db. Throws StorageError. */
export function openSearchWriter(database: Database): SearchWriter {
  const index = openTermIndex(database);
  const readFrom = database.prepare<{ first: number | null }>('SELECT unindexed_from AS first FROM origin');
  const writeFrom = database.prepare('UPDATE origin SET unindexed_from = ?');
  const newRows = database.prepare<Searchable & { readonly number: number }>('SELECT number, name, code, other_codes AS otherCodes FROM products WHERE number >= ?');

  const firstNew = (): number | null => readFrom.get()?.first ?? null;
  const isNew = (row: number): boolean => row >= (firstNew() ?? Number.POSITIVE_INFINITY);

  return {
    add: (row) => {
      if (!isNew(row)) {
        writeFrom.run(row);
      }
    },
    change: (row, before, after) => {
      if (!isNew(row)) {
        const [oldTerms, newTerms] = [termsOf(before), termsOf(after)];
        index.remove(new Map([[row, [...oldTerms].filter((term) => !newTerms.has(term))]]));
        index.add(new Map([[row, [...newTerms].filter((term) => !oldTerms.has(term))]]));
      }
    },
    remove: (row, before) => {
      if (!isNew(row)) {
        index.remove(new Map([[row, termsOf(before)]]));
      }
    },
    complete: () => {
      const first = firstNew();
      if (first !== null) {
        index.add(new Map(newRows.all(first).map((row) => [row.number, termsOf(row)])));
        writeFrom.run(null);
      }
    },
  };
}
