import { maxHits } from '../../contract/limits/lookup.ts';
import type { FieldPlace, ProductField, ShownField } from '../../contract/fields.ts';
import { productCardSchema, type ProductCard, type ProductHit } from '../../contract/products.ts';
import { codeKeys, type CodeKey } from '../../domain/codes/barcode.ts';
import { shownId, type Id } from '../../domain/int64.ts';
import { parseJson } from '../../domain/json.ts';
import type { ListedProduct, OptionBalance } from '../../platform/listing/listed.ts';
import { readKept } from '../../platform/listing/listed-element.ts';
import { StorageError, type Database } from '../../storage/database.ts';
import { isKeptId, isKeptMoment, isKeptText, orNull, requireAsKept } from '../../storage/as-kept.ts';
import { keysOf } from './key-writer.ts';

/** A product in one stock as the catalogue knows it: a card without its coupon and its minimum. */
export type CatalogueProduct = Omit<ProductCard, 'coupon' | 'minimum'>;
/** One line of a result list. */
export type CatalogueHit = ProductHit;

/** A product in one stock. */
export interface ProductPlace {
  readonly stockId: Id;
  readonly productId: Id;
}

/** The number of a row of `products`; means nothing outside catalogue.db. */
export type RowNumber = number;

/** As many rows as an answer has cards. */
const maxProven = 50;

/** The id as the copy holds it; of a damaged row of another file, which may be none, one that no product has. */
const keptId = (id: Id): bigint => BigInt(shownId(id));

interface HitRow {
  readonly stockId: Id;
  readonly stockName: string | null;
  readonly productId: Id;
  readonly code: string | null;
  readonly name: string;
  readonly unit: string | null;
  readonly balance: number | null;
  readonly balanceAsOf: number | null;
  readonly balanceIsLive: number;
}

interface CardRow extends HitRow {
  readonly raw: string;
  readonly liveOptions: string | null;
}

export type ProductReader = ReturnType<typeof openProductReader>;

function toHit(row: HitRow): CatalogueHit {
  const { stockId, stockName, productId, code, name, unit, balance, balanceAsOf, balanceIsLive } = row;
  requireAsKept(
    [stockId, productId].every(isKeptId) &&
      isKeptText(name) &&
      [stockName, code, unit].every(orNull(isKeptText)) &&
      orNull(Number.isFinite)(balance) &&
      orNull(isKeptMoment)(balanceAsOf),
  );
  const figure =
    balance === null
      ? { amount: null, asOf: null, source: null }
      : { amount: balance, asOf: balanceAsOf, source: balanceIsLive === 1 ? ('live' as const) : ('listing' as const) };
  return { stockId, stockName, productId, code, name, unit, balance: figure };
}

// Sizes that only the listing names stay on the card beside the live figures of the others.
function mergeOptions(listed: readonly OptionBalance[], live: readonly OptionBalance[]): OptionBalance[] {
  const liveByName = new Map(live.map((option) => [option.name, option]));
  const merged = listed.map((option) => liveByName.get(option.name) ?? option);
  return [...merged, ...live.filter((option) => !listed.some((other) => other.name === option.name))].slice(0, 200);
}

interface Named {
  readonly name: string;
  readonly code: string | null;
}

function asKept(named: Named | null): Named | null {
  requireAsKept(named === null || (isKeptText(named.name) && orNull(isKeptText)(named.code)));
  return named;
}

function liveOptionsIn(text: string): readonly OptionBalance[] {
  const options = productCardSchema.shape.options.safeParse(parseJson(text));
  requireAsKept(options.success);
  return options.data ?? [];
}

function toCard(row: CardRow, shown: readonly ShownField[]): CatalogueProduct {
  const element = readKept(row.raw);
  const listed = element.product;
  const fields = element.shown(shown);
  // Those of a live figure that a listing has taken the place of are older than what the listing says.
  const live = row.liveOptions === null || row.balanceIsLive !== 1 ? [] : liveOptionsIn(row.liveOptions);
  return {
    ...toHit(row),
    barcodes: [...(listed?.barcodes ?? [])],
    options: mergeOptions(listed?.options ?? [], live),
    extra: [...(listed?.extra ?? [])],
    ...(fields.length === 0 ? {} : { fields }),
  };
}

/**
 * Opens the reading side of catalogue.db; which fields are shown is asked anew each time. All calls throw StorageError.
 */
export function openProductReader(database: Database, shownFields: () => readonly ShownField[]) {
  const hitColumns = `CAST(stocks.stock_id AS TEXT) AS stockId, stocks.name AS stockName, CAST(product_id AS TEXT) AS productId, code, products.name AS name, unit,
    balance, balance_as_of AS balanceAsOf, balance_is_live AS balanceIsLive`;
  // Every row of a product, or two that share a code in fifty stocks would be one.
  const rowsWhere = (rows: string): string =>
    `SELECT number FROM ${rows} AND product_id IN (SELECT DISTINCT product_id FROM ${rows} LIMIT ${maxHits})`;
  const byKey = database.prepare<{ number: RowNumber }>(
    rowsWhere('product_keys JOIN products ON number = product WHERE key = ?1'),
  );
  const byAlias = database.prepare<{ number: RowNumber }>(
    'SELECT products.number AS number FROM aliases JOIN products USING (product_id) WHERE key = ?',
  );
  const aliasOrigin = database.prepare<{ learnedAt: number; stocks: string }>(
    'SELECT learned_at AS learnedAt, stocks FROM aliases WHERE key = ?',
  );
  const byCode = database.prepare<{ number: RowNumber }>(rowsWhere('products WHERE code = ?1 COLLATE NOCASE'));
  const byId = database.prepare<{ number: RowNumber }>(
    'SELECT number FROM products WHERE product_id = ? ORDER BY stock',
  );
  const productOf = database.prepare<{ productId: Id }>(
    'SELECT CAST(product_id AS TEXT) AS productId FROM products WHERE number = ?',
  );
  const byStockAndId = database.prepare<{ number: RowNumber }>(
    'SELECT products.number AS number FROM products JOIN stocks ON stocks.number = stock WHERE product_id = ? AND stock_id = ?',
  );
  const figure = database.prepare<{ balance: number | null }>(
    'SELECT balance FROM products JOIN stocks ON stocks.number = stock WHERE product_id = ? AND stock_id = ?',
  );
  const hit = database.prepare<HitRow>(
    `SELECT ${hitColumns} FROM products JOIN stocks ON stocks.number = stock WHERE products.number = ? AND stock_id > 0`,
  );
  const card = database.prepare<CardRow>(
    `SELECT ${hitColumns}, raw, live_options AS liveOptions FROM products JOIN stocks ON stocks.number = stock JOIN details ON details.number = products.number WHERE products.number = ? AND stock_id > 0`,
  );
  const raw = database.prepare<{ raw: string }>('SELECT raw FROM details WHERE number = ?');
  const name = database.prepare<Named>('SELECT name, code FROM products WHERE product_id = ? ORDER BY stock LIMIT 1');

  // Of a key that an index lacks, the ones on either side lead to each other. They do not where a page stands in the
  // place of another one: what is sought goes astray there, and what stands there is sought elsewhere.
  const isSoundIn = (table: string, column: string): string => {
    const next = (at: string): string =>
      `SELECT ${column} AS key FROM ${table} WHERE ${column} > ${at} ORDER BY ${column} LIMIT 1`;
    const last = (at: string): string =>
      `SELECT ${column} AS key FROM ${table} WHERE ${column} < ${at} ORDER BY ${column} DESC LIMIT 1`;
    return `WITH following AS MATERIALIZED (${next('?1')}), leading AS MATERIALIZED (${last('?1')}),
      around AS (SELECT (SELECT key FROM leading) AS low, (SELECT key FROM following) AS high)
      SELECT (high IS NULL OR (${last('high')}) IS low) AND (low IS NULL OR (${next('low')}) IS high) AS isSound FROM around`;
  };
  const keyMiss = database.prepare<{ isSound: number }>(isSoundIn('product_keys', 'key'));
  const codeMiss = database.prepare<{ isSound: number }>(isSoundIn('products', 'code COLLATE NOCASE'));

  const numbersOf = (rows: readonly { number: RowNumber }[]): RowNumber[] => rows.map((row) => row.number);
  const byKeys = (code: string, find: (key: CodeKey) => readonly { number: RowNumber }[]): RowNumber[] => [
    ...new Set(codeKeys(code).flatMap((key) => numbersOf(find(key)))),
  ];

  /**
   * Throws for damage that SQLite does not see, such as a log of another day beside the file: of each row its element is
   * of the row's product, and bears the code.
   */
  function proven(rows: readonly RowNumber[], isBorneBy: (product: ListedProduct) => boolean): readonly RowNumber[] {
    for (const row of rows.slice(0, maxProven)) {
      const { product } = readKept(raw.get(row)?.raw ?? '');
      // mutant: a code that leads to another product in the copy shows it
      if (product === null || product.productId !== productOf.get(row)?.productId || !isBorneBy(product)) {
        throw new StorageError({ kind: 'storageFailed', message: 'a code leads to a product without it' }, true);
      }
    }
    return rows;
  }

  /** Throws for an index of which a page is another one's, where a key is not found: it may be there. */
  function missing(isSound: { readonly isSound: number } | undefined): void {
    if (isSound?.isSound !== 1) {
      throw new StorageError({ kind: 'storageFailed', message: 'an index leads astray' }, true);
    }
  }

  return {
    /** Rows whose barcode or second code is this one, in any form of it; of each form those of 200 products at most. */
    findByBarcode: (code: string): readonly RowNumber[] => {
      const keys = codeKeys(code);
      return proven(
        byKeys(code, (key) => {
          const rows = byKey.all(key);
          if (rows.length === 0) {
            missing(keyMiss.get(key));
          }
          return rows;
        }),
        (product) => keysOf(product).some((key) => keys.includes(key)),
      );
    },
    /** Rows of the product that the platform once resolved this code to. */
    findByAlias: (code: string): readonly RowNumber[] => byKeys(code, (key) => byAlias.all(key)),
    /** When the platform last resolved this code, and which stocks were asked; in 1970, and of none, when it never has. */
    aliasOrigin: (code: string): { readonly learnedAt: number; readonly stockIds: readonly Id[] } => {
      const [found] = codeKeys(code).flatMap((key) => aliasOrigin.get(key) ?? []);
      return { learnedAt: found?.learnedAt ?? 0, stockIds: (found?.stocks ?? '').split(',') as Id[] };
    },
    /** The product of a row; null when the row has gone. */
    productOf: (row: RowNumber): Id | null => productOf.get(row)?.productId ?? null,
    /** Rows with this product code, whatever its letter case; those of 200 products at most. */
    findByCode: (code: string): readonly RowNumber[] => {
      const rows = numbersOf(byCode.all(code));
      if (rows.length === 0) {
        missing(codeMiss.get(code));
      }
      return proven(rows, (product) => product.code?.toUpperCase() === code.toUpperCase());
    },
    /** Rows of the product with this id, one a stock. */
    findById: (productId: Id): readonly RowNumber[] => numbersOf(byId.all(keptId(productId))),
    find: (stockId: Id, productId: Id): RowNumber | null =>
      byStockAndId.get(keptId(productId), keptId(stockId))?.number ?? null,
    /** The figure; null when nobody knows it, undefined for a product that is not here. */
    figure: (stockId: Id, productId: Id): number | null | undefined =>
      figure.get(keptId(productId), keptId(stockId))?.balance,
    card: (row: RowNumber): CatalogueProduct | null => {
      const found = card.get(row);
      return found === undefined ? null : toCard(found, shownFields());
    },
    hit: (row: RowNumber): CatalogueHit | null => {
      const found = hit.get(row);
      return found === undefined ? null : toHit(found);
    },
    /** The fields that are shown of it in this place; empty where none are, and then nothing is read. */
    fields: (row: RowNumber, place: FieldPlace): readonly ProductField[] => {
      const shown = shownFields().filter(({ on }) => on.includes(place));
      return shown.length === 0 ? [] : readKept(raw.get(row)?.raw ?? '').shown(shown);
    },
    /** The product's name in whatever stock has it first; null when none does. */
    nameOf: (productId: Id): Named | null => asKept(name.get(keptId(productId)) ?? null),
  };
}
