import type { ShownField } from '../../contract/fields.ts';
import type { StockState } from '../../contract/terminal-state.ts';
import type { Id } from '../../domain/int64.ts';
import { readersAlike, readerVersion } from '../../platform/listing/listed.ts';
import type { Shell } from '../../ports.ts';
import { catalogueMigrations } from './migrations.ts';
import { StorageError, type Database } from '../../storage/database.ts';
import { deleteDatabase, openOrReplace } from '../../storage/recover.ts';
import { openBrowseReader, type BrowseReader } from '../browse/browse-reader.ts';
import { openAges, type Ages } from './ages.ts';
import { isKeptCount, isKeptText, orNull, requireAsKept } from '../../storage/as-kept.ts';
import { openFieldReader, type FieldReader } from './listed-fields.ts';
import { openKeptAnswers, type KeptAnswers } from './kept-answers.ts';
import { openProductReader, type ProductPlace, type ProductReader } from './product-reader.ts';
import { openStocked, type Stocked } from './stocked.ts';
import { openProductWriter, type ProductWriter } from './product-writer.ts';
import type { StockNumber } from './row-writer.ts';
import { openUnreadable, type UnreadableElements } from './unreadable.ts';
import { noProgress, type Progress } from '../sync/progress.ts';
import { openKeptProgress, readProgress } from './kept-progress.ts';
import { openRecentLookups, type RecentLookups } from './recent-lookups-table.ts';
import { openSearch, type Search } from '../search/search.ts';
import { openTermIndex } from '../search/term-index.ts';

export interface CatalogueRepositoryOptions {
  /** The file, usually `catalogue.db` in the data directory. */
  readonly path: string;
  /** Says of what this is a copy, such as the platform's address and the company; another one empties the store. */
  readonly fingerprint: string;
  /**
   * The stocks of the profile. Rows of one that is no longer among them are shown no more, and go with `removeFormer`;
   * a new one is copied beside the others.
   */
  readonly stockIds: readonly Id[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Inside of a transaction: the product's figure changes, or the product comes or goes. */
  readonly onFigure?: (place: ProductPlace) => void;
  /** Which fields of the listing are shown, asked anew each time; none where this is absent. */
  readonly shownFields?: () => readonly ShownField[];
  /** Deletes the file first, because a query found it damaged. */
  readonly rebuild?: boolean;
  /** As `Shell.checkpoint`: another thread's. */
  readonly checkpoint?: Shell['checkpoint'];
}

export interface StockRow extends StockNumber {
  readonly name: string | null;
  /** Products of this stock in the copy. */
  readonly copied: number;
  /** The number of its elements that the platform listed and this app could not read. */
  readonly unreadable: number;
  readonly progress: Progress;
}

export interface Unseen {
  readonly productIds: readonly Id[];
  /** From where the next ones are to be looked for. */
  readonly position: number;
  readonly isEnd: boolean;
}

/** The open copy. All calls throw StorageError; where that `isDamage`, it is to be opened anew with `rebuild`. */
export interface CatalogueRepository {
  /** In the order of the profile. */
  stocks(): readonly StockRow[];
  saveProgress(stock: StockNumber, progress: Progress): void;
  /**
   * For progress that no row hangs on: believed at once, on disk with the next that is saved, after ten minutes, or at
   * the close. A crash forgets it.
   */
  noteProgress(stock: StockNumber, progress: Progress): void;
  nameStock(stock: StockNumber, name: string): void;
  /** At most `limit` products that no pass from `pass` on has seen, from row `position` on, out of so many rows. */
  unseen(stock: StockNumber, pass: number, position: number, limit: number): Unseen;
  /** Removes so many rows of stocks that the profile no longer has. Answers whether there may be more. */
  removeFormer(most: number): boolean;
  /** Adds the stocks that could not be added, and writes what changes nothing; fails with `alreadyRunning` at once while another thread writes. */
  tryWriting(): void;
  /** Runs the action in one transaction. */
  transaction<Value>(action: () => Value): Value;
  /**
   * Moves what was written lately into the file proper, so that no later commit has to: in another thread where there
   * is one, else at once. Told of how many products were written, it leaves a few in the log until more have come.
   */
  checkpoint(products: number): Promise<void>;
  readonly writer: ProductWriter;
  readonly unreadable: UnreadableElements;
  readonly reader: ProductReader;
  readonly search: Search;
  readonly browse: BrowseReader;
  readonly recent: RecentLookups;
  readonly keptAnswers: KeptAnswers;
  readonly ages: Ages;
  readonly stocked: Stocked;
  readonly fields: FieldReader;
  isOpen(): boolean;
  /** As `Database.explain`, of what was thrown over these rows. */
  explain(error: unknown): unknown;
  close(): void;
}

const windowRows = 5_000;
/** Fewer fill little of the log, even if each comes by itself. */
const checkpointProducts = 20;

/** A full disk is no reason not to read what can be read; what was to be written waits for the next time. */
function ifWritable(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof StorageError) || error.isDamage) {
      throw error;
    }
  }
}

/** Where progress cannot be read, the listing is read anew over the rows, in passes that none was seen by. */
function mendProgress(database: Database, kept: ReturnType<typeof openKeptProgress>): void {
  const lastPass = database.prepare<{ last: number | null }>('SELECT max(pass) AS last FROM products WHERE stock = ?');
  for (const { number, progress } of database
    .prepare<{ number: number; progress: string | null }>('SELECT number, progress FROM stocks')
    .all()) {
    if (readProgress(progress) === null) {
      const mended = { ...noProgress, lastPass: lastPass.get(number)?.last ?? 0 };
      kept.believe({ number }, mended);
      // mutant: a copy whose progress cannot be mended is not read
      ifWritable(() => kept.save({ number }, mended));
    }
  }
}

function empty(database: Database): void {
  const tables = database.prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables) {
    database.exec(`DELETE FROM ${name}`);
  }
}

/** Adds the stocks that the copy does not have yet. */
function addStocks(database: Database, stockIds: readonly Id[]): void {
  const known = database.prepare<{ number: number }>('SELECT number FROM stocks WHERE stock_id = ?');
  const missing = stockIds.filter((stockId) => known.get(BigInt(stockId)) === undefined);
  if (missing.length > 0) {
    const insert = database.prepare('INSERT INTO stocks (stock_id) VALUES (?)');
    database.transaction(() => missing.forEach((stockId) => insert.run(BigInt(stockId))));
  }
}

/**
 * Throws StorageError when what must not be shown cannot be emptied; a stock that cannot be added is, with the first
 * `tryWriting` that succeeds.
 */
function settleOrigin(database: Database, { fingerprint, stockIds }: CatalogueRepositoryOptions): void {
  const originOf = (version: number): string => `${version} ${fingerprint}`;
  const whole = originOf(readerVersion);
  const known = database.prepare<{ fingerprint: string }>('SELECT fingerprint FROM origin').get()?.fingerprint;
  const stocks = database
    .prepare<{ stockId: Id }>('SELECT CAST(stock_id AS TEXT) AS stockId FROM stocks WHERE stock_id > 0')
    .all()
    .map(({ stockId }) => stockId);
  const former = stocks.filter((stockId) => !stockIds.includes(stockId));
  const isKept = readersAlike.some((version) => known === originOf(version));
  const take = database.prepare('UPDATE stocks SET stock_id = -number WHERE stock_id = ?');
  const forgetAnswers = database.prepare('DELETE FROM kept_answers WHERE stock_id = ?');
  if (known !== whole || former.length > 0) {
    database.transaction(() => {
      if (!isKept) {
        empty(database);
      }
      database.prepare('INSERT OR REPLACE INTO origin (id, fingerprint) VALUES (1, ?)').run(whole);
      for (const stockId of former) {
        // No platform's id is negative: nothing of it is shown any more, and its number is taken until its last row has
        // gone.
        take.run(BigInt(stockId));
        forgetAnswers.run(BigInt(stockId));
      }
    });
  }
  ifWritable(() => addStocks(database, stockIds));
}

/**
 * Opens or creates the copy. `wasRebuilt` is true when the file was damaged or from a newer version, so that its rows
 * are gone. Throws StorageError when it cannot be opened at all.
 */
export async function openCatalogueRepository(
  options: CatalogueRepositoryOptions,
): Promise<{ readonly repository: CatalogueRepository; readonly wasRebuilt: boolean }> {
  const { path, now, rebuild } = options;
  if (rebuild === true) {
    deleteDatabase(path);
  }
  const databaseOptions = { kind: 'disposable', migrations: catalogueMigrations } as const;
  const { database, replaced } = await openOrReplace(path, databaseOptions, now());
  try {
    return { repository: repositoryOver(database, options), wasRebuilt: rebuild === true || replaced !== null };
  } catch (thrown) {
    const error = database.explain(thrown);
    database.close();
    // Damage that opening did not touch; where the tables themselves are not what they were, as a statement that does
    // not fit them.
    // mutant: a copy that cannot be written to makes way once it is open
    if (!(error instanceof StorageError && (error.isDamage || error.isMisfit))) {
      throw error;
    }
  }
  deleteDatabase(path);
  const { database: anew } = await openOrReplace(path, databaseOptions, now());
  return { repository: repositoryOver(anew, options), wasRebuilt: true };
}

type KeptStock = Omit<StockRow, 'progress'> & { readonly progress: string | null };

function asKept(stocks: readonly KeptStock[]): readonly KeptStock[] {
  for (const { name, copied, unreadable } of stocks) {
    requireAsKept(orNull(isKeptText)(name) && [copied, unreadable].every(isKeptCount));
  }
  return stocks;
}

function repositoryOver(database: Database, options: CatalogueRepositoryOptions): CatalogueRepository {
  const { stockIds } = options;
  settleOrigin(database, options);
  const kept = openKeptProgress(database);
  mendProgress(database, kept);
  const allStocks = database.prepare<KeptStock>(
    'SELECT number, CAST(stock_id AS TEXT) AS stockId, name, copied, unreadable, progress FROM stocks',
  );
  const nameStock = database.prepare('UPDATE stocks SET name = ?1 WHERE number = ?2 AND name IS NOT ?1');
  const unseen = database.prepare<{ number: number; productId: Id }>(
    'SELECT number, CAST(product_id AS TEXT) AS productId FROM products WHERE number > ? AND number <= ? AND stock = ? AND pass < ? ORDER BY number LIMIT ?',
  );
  const lastRow = database.prepare<{ last: number | null }>('SELECT max(number) AS last FROM products');
  const taken = database.prepare<{ number: number; stockId: Id }>(
    'SELECT number, CAST(stock_id AS TEXT) AS stockId FROM stocks WHERE stock_id < 0',
  );
  const dropStock = database.prepare('DELETE FROM stocks WHERE number = ?');
  let takenPosition = 0;

  function productsBefore(stock: StockNumber, pass: number, position: number, limit: number): Unseen {
    const rows = unseen.all(position, position + windowRows, stock.number, pass, limit);
    const reached = rows.length < limit ? position + windowRows : (rows.at(-1)?.number ?? position);
    return {
      productIds: rows.map((row) => row.productId),
      position: reached,
      isEnd: reached >= (lastRow.get()?.last ?? 0),
    };
  }

  const shownFields = options.shownFields ?? (() => []);
  const reader = openProductReader(database, shownFields);
  const unreadable = openUnreadable(database);
  const index = openTermIndex(database);
  const search = openSearch(database, index);
  const writer = openProductWriter(database, index, unreadable, {
    now: options.now,
    onFigure: ({ stockId }, productId) => options.onFigure?.({ stockId, productId }),
    shownFields,
  });
  ifWritable(() => writer.index()); // T2 of search-writer.ts: no page may come for a long time, as without a network.
  const recent = openRecentLookups(database, reader);
  let isOpen = true;
  let inLog = 0;
  return {
    stocks: () => {
      const rows = asKept(allStocks.all()).map((row) => ({ ...row, progress: kept.read(row.number, row.progress) }));
      return stockIds.flatMap((stockId) => rows.find((row) => row.stockId === stockId) ?? []);
    },
    saveProgress: kept.save,
    noteProgress: kept.note,
    nameStock: (stock, name) => {
      nameStock.run(name.slice(0, 500).toWellFormed(), stock.number);
    },
    unseen: productsBefore,
    removeFormer: (most) => {
      const stock = taken.get();
      if (stock === undefined) {
        return false;
      }
      const { productIds, position, isEnd } = productsBefore(stock, Number.MAX_SAFE_INTEGER, takenPosition, most);
      database.transaction(() => {
        writer.remove(stock, productIds);
        if (isEnd) {
          unreadable.forgetBefore(stock, Number.MAX_SAFE_INTEGER);
          dropStock.run(stock.number);
        }
      });
      takenPosition = isEnd ? 0 : position;
      return true;
    },
    tryWriting: () => {
      // mutant: a stock that a full disk kept out is never copied
      addStocks(database, stockIds);
      database.tryWriting();
    },
    transaction: (action) => database.transaction(action),
    checkpoint: async (products) => {
      inLog += products;
      if (inLog < checkpointProducts) {
        return;
      }
      inLog = 0;
      const isDone = await options.checkpoint?.(options.path);
      if (isDone !== true && isOpen) {
        database.checkpoint();
      }
    },
    writer,
    unreadable,
    reader,
    search,
    browse: openBrowseReader(database, reader, search),
    recent,
    keptAnswers: openKeptAnswers(database),
    ages: openAges(database),
    stocked: openStocked(database),
    fields: openFieldReader(database),
    isOpen: () => isOpen,
    explain: (error) => database.explain(error),
    close: () => {
      try {
        if (isOpen) {
          recent.write('patiently');
          kept.close();
        }
      } catch {
        // A file that cannot be written to is closed all the same.
      }
      isOpen = false;
      database.close();
    },
  };
}

/** Those that the platform does not refuse: nothing asks the others or waits for them. All, where it refuses all. */
export function awaitedStocks(stocks: readonly StockRow[]): readonly StockRow[] {
  const allowed = stocks.filter(({ progress }) => progress.refused === null);
  return allowed.length === 0 ? stocks : allowed;
}

/** The state of a stock as a screen shows it. */
// mutant: what is shown of a copy begins anew with each listing (I20)
export function stockStateOf({ stockId, name, copied, unreadable, progress }: StockRow): StockState {
  const total = progress.full?.total ?? progress.total;
  return { stockId, name, copied, unreadable, total, completeAsOf: progress.completeAsOf, refused: progress.refused };
}

/** The total of all stocks together; null while one is not known. As far as it can be counted: a platform may name any. */
export function totalOf(stocks: readonly StockRow[]): number | null {
  const totals = stocks.map((stock) => stockStateOf(stock).total);
  return totals.includes(null)
    ? null
    : Math.min(
        Number.MAX_SAFE_INTEGER,
        totals.reduce<number>((sum, total) => sum + (total ?? 0), 0),
      );
}
