//   W1  The terms and keys of a product are those of its present row, and of no earlier one.
//   W2  A figure is not replaced by one that was asked for before it, in a listing or by itself. One of a moment still
//       to come is from before the clock was set back, and is replaced.
//   W3  An element that has not changed costs one update of its narrow row; its whole text is compared by a digest and
//       not read.
//   W4  A raw element is kept whole, up to 64 K characters; of a longer one, what it is found by and what a card shows
//       in its places.
//   W5  A product counts as updated when its element says so (API v3 §4.3 `updated_from`); when that says nothing,
//       since this terminal saw it new or changed. Zeros behind the decimals of a number change neither this nor W7.
//   W6  A product has turned when it was known to have some and is known to have none, or the other way round. A figure
//       that nobody knew before turns nothing.
//   W7  The listing of a product has changed when its name, codes, barcodes, unit or a field that the shop shows differ;
//       not when its figure or a date does, nor their order. A product that is new in a stock that had been listed
//       wholly before has changed, too: it has no label yet. One of a first listing has not.
//   W9  A product that a page lists with several rows has no figure of the listing. Fewer rows of it in what has changed,
//       in what a term finds, or at the end of a page take nothing from what is kept; those on the next page join it,
//       where that lists products with several rows. There a single row at a page's end tells no figure.
//   W8  An element of a pass that cannot be read is counted (X1 of unreadable.ts), and one that can be again is not.
import type { Id } from '../../domain/int64.ts';
import type { ListedElement } from '../../platform/listing/listed-element.ts';
import type { Database } from '../../storage/database.ts';
import { openAliasWriter } from './key-writer.ts';
import { openRowWriter, type LiveFigure, type RowWriterPorts, type StockNumber } from './row-writer.ts';
import { openSearchWriter } from '../search/search-writer.ts';
import type { TermIndex } from '../search/term-index.ts';
import { noCount, type Missed, type PagePlace, type UnreadableElements } from './unreadable.ts';

export interface SaveOptions {
  /** The listing pass that saw the elements; 0 outside any pass. */
  readonly pass: number;
  /** Rows last seen before this pass count as `newlySeen`. */
  readonly seenSince: number;
  /** When the elements were asked for, in milliseconds since 1970. */
  readonly askedAt: number;
  /** True of what has changed, of what a term finds, and of a page with more behind it; not so unless told (W9). */
  readonly isPart?: boolean;
  /** More pages follow: the last product's rows may go on there (W9). */
  readonly goesOn?: boolean;
  /** Where in a pass the first element stands; absent outside any. */
  readonly place?: PagePlace;
}

export interface SaveOutcome extends Missed {
  /** Elements that this pass had not seen before. */
  readonly fresh: number;
  /** Elements that no pass since `seenSince` had seen before. */
  readonly newlySeen: number;
  readonly productIds: readonly Id[];
  /** The store's offset from UTC as the elements write it, in minutes; null when none did. */
  readonly offsetMinutes: number | null;
}

interface Saving {
  readonly count: ReturnType<UnreadableElements['begin']>;
  /** The products whose rows may begin on the page before, and go on with the next; null when there is none. */
  readonly firstId: Id | null;
  readonly lastId: Id | null;
  /** Whether this platform lists products with several rows. */
  readonly hasRows: boolean;
}

/** For what is no page of a pass. */
const noPage: Saving = { count: noCount, firstId: null, lastId: null, hasRows: false };

export interface ProductWriter {
  /** Goes up with every row that comes, becomes another or goes, and every alias: a lookup may find otherwise since. */
  changes(): number;
  /** Shops the elements in one transaction. Many at a time keep the process busy: see slices.ts. */
  save(stock: StockNumber, elements: readonly ListedElement[], options: SaveOptions): SaveOutcome;
  /**
   * Shops elements without counting them as seen, and new ones without making them searchable: `save` and `index` are
   * then quick. One transaction, which ends early, but not before the first of them, once `isLong` says so. Answers how
   * many were stored.
   */
  saveAhead(stock: StockNumber, elements: readonly ListedElement[], askedAt: number, isLong?: () => boolean): number;
  /** Makes searchable what `saveAhead` left out, in one transaction. */
  index(): void;
  /** Brings so many rows of the former rule for words under their present terms. Answers whether there are more. */
  renewWords(most: number): boolean;
  /** Keeps a figure asked for by itself, unless a newer one is there; false when the copy has no such product. */
  saveBalance(stock: StockNumber, productId: Id, figure: LiveFigure): boolean;
  /** Removes products in one transaction, and the aliases of those that are left in no stock. */
  remove(stock: StockNumber, productIds: readonly Id[]): void;
  /** Remembers that these stocks resolved a code to this product alone, in milliseconds since 1970. */
  saveAlias(code: string, productId: Id, learnedAt: number, stockIds: readonly Id[]): void;
  /** These stocks were asked for a code as well: what it means stays as it was. */
  noteAsked(code: string, stockIds: readonly Id[]): void;
  /** Forgets what the platform once resolved a code to; of when that is so is kept where there was anything. */
  removeAlias(code: string, at: number): void;
}

/** Opens the writing side of catalogue.db. All calls throw StorageError. */
export function openProductWriter(
  database: Database,
  index: TermIndex,
  unreadable: UnreadableElements,
  ports: RowWriterPorts,
): ProductWriter {
  const countCopied = database.prepare('UPDATE stocks SET copied = copied + ? WHERE number = ?');
  const nameStock = database.prepare('UPDATE stocks SET name = ? WHERE number = ? AND name IS NOT ?');
  const completeness = database.prepare<{ isComplete: number }>(
    "SELECT iif(json_valid(progress), progress ->> 'completeAsOf', NULL) IS NOT NULL AS isComplete FROM stocks WHERE number = ?",
  );
  const search = openSearchWriter(database, index);
  const rows = openRowWriter(database, search, ports);
  const aliases = openAliasWriter(database);
  let aliasChanges = 0;

  function repository(
    stock: StockNumber,
    elements: Iterable<ListedElement>,
    options: SaveOptions,
    { count, firstId, lastId, hasRows }: Saving,
  ): SaveOutcome {
    const outcome = { fresh: 0, newlySeen: 0, productIds: [] as Id[], offsetMinutes: null as number | null };
    let [row, copied] = [-1, 0];
    let isComplete: boolean | null = null;
    const seen = {
      pass: options.pass,
      askedAt: options.askedAt,
      wasListed: () => (isComplete ??= completeness.get(stock.number)?.isComplete === 1),
    };
    // What several rows of a page say stands in the place of each.
    const saved = new Set<ListedElement>();
    for (const element of elements) {
      row += 1;
      const listed = element.product;
      if (listed === null) {
        count.note(element, row); // W8
        continue;
      }
      outcome.productIds.push(listed.productId);
      if (saved.has(element)) {
        continue;
      }
      saved.add(element);
      const isLast = listed.productId === lastId;
      const isPart = options.isPart === true || isLast; // W9
      // Else what begins this page is what ended the one before, moved down by a row that came, and may have changed since.
      // mutant: what moves to the next page and changes is joined to what it was
      const fewest = hasRows ? 1 : 2;
      const joinsFrom = listed.productId === firstId ? fewest : Infinity;
      const known = isLast && hasRows ? { ...listed, balance: null } : listed;
      const lastPass = rows.save(stock, element, known, { ...seen, isPart, joinsFrom });
      copied += lastPass === null ? 1 : 0;
      outcome.fresh += lastPass === null || lastPass < options.pass ? 1 : 0;
      outcome.newlySeen += lastPass === null || lastPass < options.seenSince ? 1 : 0;
      outcome.offsetMinutes ??= element.offsetMinutes;
      if ((lastPass ?? 0) === 0) {
        count.noteNew(element); // W8
      }
      if (listed.stockName !== null) {
        nameStock.run(listed.stockName, stock.number, listed.stockName);
      }
    }
    if (copied > 0) {
      countCopied.run(copied, stock.number);
    }
    return { ...outcome, ...count.missed };
  }

  return {
    changes: () => rows.changes() + aliasChanges,
    save: (stock, elements, options) =>
      database.transaction(() => {
        const count = unreadable.begin(stock, options.pass, options.place, elements.length);
        const idAt = (place: number): Id | null => elements.at(place)?.product?.productId ?? null;
        const firstId = (options.place?.first ?? 0) > 0 ? idAt(0) : null;
        const lastId = options.goesOn === true ? idAt(-1) : null;
        const saving = { count, firstId, lastId, hasRows: elements.some((one) => one.rows > 1) };
        const outcome = repository(stock, elements, options, saving);
        search.complete();
        return outcome;
      }),
    saveAhead: (stock, elements, askedAt, isLong = () => false) => {
      let stored = 0;
      function* inTime(): IterableIterator<ListedElement> {
        for (const element of elements) {
          if (stored > 0 && isLong()) {
            return;
          }
          stored += 1;
          yield element;
        }
      }
      // A page is counted whole, once it is saved.
      const ahead = { pass: 0, seenSince: 0, askedAt, isPart: true };
      database.transaction(() => repository(stock, inTime(), ahead, noPage));
      return stored;
    },
    index: () => database.transaction(() => search.complete()),
    renewWords: (most) => database.transaction(() => search.renew(most)),
    saveBalance: (stock, productId, figure) => database.transaction(() => rows.saveBalance(stock, productId, figure)),
    remove: (stock, productIds) =>
      database.transaction(() => {
        const removed = productIds.filter((productId) => rows.remove(stock, productId));
        removed.forEach(aliases.removeLost);
        countCopied.run(-removed.length, stock.number);
      }),
    saveAlias: (code, productId, learnedAt, stockIds) => {
      aliasChanges += 1;
      database.transaction(() => aliases.save(code, productId, learnedAt, stockIds));
    },
    noteAsked: (code, stockIds) => {
      database.transaction(() => aliases.noteAsked(code, stockIds));
    },
    removeAlias: (code, at) => {
      aliasChanges += 1;
      database.transaction(() => aliases.remove(code, at));
    },
  };
}
