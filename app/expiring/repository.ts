import type { ExpiringPlace } from '../contract/expiring.ts';
import type { Id } from '../domain/int64.ts';
import { isKeptMoment, isKeptText, orNull, requireAsKept } from '../storage/as-kept.ts';
import type { Database } from '../storage/database.ts';
import type { KeptBatch } from './kept.ts';
import type { Known } from './order.ts';

/** A product in one stock. */
export interface Place {
  readonly stockId: Id;
  readonly productId: Id;
}

/** The texts that the list is ordered and searched by. */
export interface Described {
  /** The name's key in the order of the stock table. */
  readonly nameKey: string;
  /** Name and code without accents and capitals. */
  readonly words: string;
}

export interface Asked extends Place, Described {
  /** Now. */
  readonly askedAt: number;
  readonly isUnasked: boolean;
  /** How many batches the platform listed. */
  readonly batches: number;
  readonly expiries: readonly KeptBatch[];
}

/** A line of the list. */
export interface KeptExpiry extends Place, KeptBatch {
  readonly askedAt: number;
}

/** A part of the list. */
export interface ExpiryPage {
  readonly total: number;
  readonly rows: readonly KeptExpiry[];
  /** The last line's place; null when no line follows. */
  readonly next: ExpiringPlace | null;
}

/** Days from and to, both among them; null for no bound. */
export interface Days {
  readonly from: string | null;
  readonly to: string | null;
}

/** The number of a row of `products`; means nothing outside batches.db. */
export type KeptNumber = number;

/** All calls throw StorageError. */
export type BatchesRepository = ReturnType<typeof openBatchesRepository>;

interface KnownRow {
  readonly id: KeptNumber;
  readonly askedAt: number;
  readonly batches: number;
  readonly before: string | null;
  readonly next: string | null;
}

function nearerOf({ before, next }: KnownRow, today: string): string | null {
  if (before === null || next === null) {
    return before ?? next;
  }
  const away = (day: string): number => Math.abs(Date.parse(day) - Date.parse(today));
  return away(before) < away(next) ? before : next;
}

const isDay = (day: unknown): boolean => typeof day === 'string' && day.length === 'YYYY-MM-DD'.length;

/** A pattern of LIKE that finds this text anywhere. */
function anywhere(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * Opens what was asked about the stocks of one shop; of more than `most` products those answers go that were noted ahead
 * of now, before the clock was set back, and then the oldest.
 */
export function openBatchesRepository(database: Database, shop: string, stockIds: readonly Id[], most = 100_000) {
  const ofPlace = 'WHERE shop = ? AND stock_id = ? AND product_id = ?';
  const find = database.prepare<KnownRow>(
    `SELECT id, asked_at AS askedAt, batches, (SELECT max(day) FROM expiries WHERE product = id AND day < ?1) AS before,
      (SELECT min(day) FROM expiries WHERE product = id AND day >= ?1) AS next
      FROM products WHERE shop = ?2 AND stock_id = ?3 AND product_id = ?4`,
  );
  const put = database.prepare(
    'INSERT INTO products (shop, stock_id, product_id, asked_at, is_unasked, batches, words) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET asked_at = excluded.asked_at, is_unasked = excluded.is_unasked, batches = excluded.batches, words = excluded.words, is_out = 0',
  );
  const numberOf = database.prepare<{ id: KeptNumber }>(`SELECT id FROM products ${ofPlace}`);
  const forgetExpiries = database.prepare('DELETE FROM expiries WHERE product = ?');
  const addExpiry = database.prepare(
    'INSERT INTO expiries (product, day, name_key, quantity, lot) VALUES (?, ?, ?, ?, ?)',
  );
  const count = database.prepare<{ products: number }>('SELECT count(*) AS products FROM products');
  const leastGood = database.prepare<{ id: KeptNumber }>(
    `SELECT id FROM (SELECT id FROM products WHERE asked_at > ?1 LIMIT ?2) UNION ALL
     SELECT id FROM (SELECT id FROM products WHERE asked_at <= ?1 ORDER BY asked_at LIMIT ?2) LIMIT ?2`,
  );
  const remove = database.prepare('DELETE FROM products WHERE id = ?');
  const shown = `FROM expiries JOIN products ON products.id = product WHERE shop = ?1 AND stock_id IN (SELECT value FROM json_each(?2))
    AND is_out = 0 AND day >= ?3 AND day <= ?4 AND (?5 = '' OR words LIKE ?5 ESCAPE '\\')`;
  const stocks = JSON.stringify(stockIds);
  const total = database.prepare<{ total: number }>(`SELECT count(*) AS total ${shown}`);
  const rows = database.prepare<KeptExpiry & ExpiringPlace>(
    `SELECT stock_id AS stockId, product_id AS productId, day, quantity, lot, asked_at AS askedAt, name_key AS nameKey, expiries.rowid AS line ${shown}
      AND (day, name_key, expiries.rowid) > (?6, ?7, ?8) ORDER BY day, name_key, expiries.rowid LIMIT ?9 OFFSET ?10`,
  );
  const products = database.prepare<Place & { id: KeptNumber; isOut: number; askedAt: number }>(
    'SELECT id, stock_id AS stockId, product_id AS productId, is_out AS isOut, asked_at AS askedAt FROM products WHERE shop = ? AND id > ? ORDER BY id LIMIT ?',
  );
  const setOut = database.prepare('UPDATE products SET is_out = ? WHERE id = ?');
  const unasked = database.prepare<{ asked: number }>(
    'SELECT count(*) AS asked FROM products WHERE is_unasked = 1 AND asked_at BETWEEN ? AND ? AND shop = ?',
  );
  let kept = count.get()?.products ?? 0;

  function forget(id: KeptNumber): void {
    forgetExpiries.run(id);
    remove.run(id);
    kept -= 1;
  }

  return {
    /** Takes the place of what was known of the product. */
    keep: ({ stockId, productId, askedAt, isUnasked, batches, expiries, nameKey, words }: Asked) => {
      database.transaction(() => {
        const before = find.get('', shop, stockId, productId);
        put.run(shop, stockId, productId, askedAt, isUnasked ? 1 : 0, batches, words);
        const id = numberOf.get(shop, stockId, productId)?.id ?? 0;
        forgetExpiries.run(id);
        for (const { day, quantity, lot } of expiries) {
          addExpiry.run(id, day, nameKey, quantity, lot);
        }
        kept += before === undefined ? 1 : 0;
        for (const old of leastGood.all(askedAt, Math.max(0, kept - most))) {
          forget(old.id);
        }
      });
    },
    known: ({ stockId, productId }: Place, today: string): Known | null => {
      const row = find.get(today, shop, stockId, productId);
      return row === undefined
        ? null
        : { askedAt: row.askedAt, batches: row.batches, nearestDay: nearerOf(row, today) };
    },
    /** By day and name, behind a place; a part of a name or a code may narrow it. */
    page: (
      { from, to }: Days,
      term: string,
      offset: number,
      limit: number,
      after: ExpiringPlace = { day: '', nameKey: '', line: 0 },
    ): ExpiryPage => {
      const asked = [shop, stocks, from ?? '', to ?? '~', term === '' ? '' : anywhere(term)] as const;
      const found = rows.all(...asked, after.day, after.nameKey, after.line, limit, offset);
      for (const { day, quantity, lot, askedAt } of found) {
        requireAsKept(
          isDay(day) && orNull(Number.isFinite)(quantity) && orNull(isKeptText)(lot) && isKeptMoment(askedAt),
        );
      }
      const last = found.length < limit ? undefined : found.at(-1);
      return {
        total: total.get(...asked)?.total ?? 0,
        rows: found.map(({ nameKey: _nameKey, line: _line, ...row }) => row),
        next: last === undefined ? null : { day: last.day, nameKey: last.nameKey, line: last.line },
      };
    },
    /** Up to `limit` products after this one, in the order in which they were first asked for. */
    products: (
      after: KeptNumber,
      limit: number,
    ): readonly (Place & { readonly id: KeptNumber; readonly isOut: number; readonly askedAt: number })[] =>
      products.all(shop, after, limit),
    /** Whether the copy says that nothing is left of it. */
    setOut: (product: KeptNumber, isOut: boolean) => {
      setOut.run(isOut ? 1 : 0, product);
    },
    /** How many were asked for unasked between these moments. */
    countUnasked: (from: number, to: number) => unasked.get(from, to, shop)?.asked ?? 0,
  };
}
