import { stocktakeFilterSchema, type Stocktake, type StartStocktake } from '../contract/stocktakes.ts';
import { lineStates } from '../contract/limits/stocktakes.ts';
import type { Id } from '../domain/int64.ts';
import { parseJson } from '../domain/json.ts';
import { shownEmail, shownText } from '../domain/shown-text.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Database } from '../storage/database.ts';
import { openLines } from './lines.ts';

export const maxStocktakes = 500;

/** Whose counts these are: a count belongs to its stock, whose figures it keeps. */
export interface Shop {
  readonly platform: string;
  readonly companyId: Id;
  readonly stockIds: readonly Id[];
}

interface StocktakeRow {
  readonly id: number;
  readonly stock_id: Id;
  readonly stock_name: string | null;
  readonly name: string;
  readonly filter: string | null;
  readonly started_at: number;
  readonly started_by: string | null;
  readonly closed_at: number | null;
}

export interface NewStocktake extends StartStocktake {
  readonly stockName: string | null;
  readonly at: number;
  readonly email: string | null;
}

/** All calls throw StorageError. */
export type StocktakeRepository = ReturnType<typeof openStocktakeRepository>;

const forgottenAtOnce = 500;
const longestName = 100;

/** Opens the counts of one shop. Throws StorageError. */
export function openStocktakeRepository(database: Database, { platform, companyId, stockIds }: Shop) {
  const ofShop =
    "FROM stocktakes WHERE platform = ? AND company_id = ? AND stock_id IN (SELECT value FROM json_each(?)) AND state IN ('open', 'closed')";
  const shop = [platform, companyId, JSON.stringify(stockIds)] as const;
  const list = database.prepare<StocktakeRow>(`SELECT * ${ofShop} ORDER BY state DESC, id DESC LIMIT ? OFFSET ?`);
  const total = database.prepare<{ total: number }>(`SELECT count(*) AS total ${ofShop}`);
  const find = database.prepare<StocktakeRow>(`SELECT * ${ofShop} AND id = ?`);
  const tallies = database.prepare<{ standing: string; lines: number }>(
    'SELECT standing, lines FROM tallies WHERE stocktake_id = ?',
  );
  const insert = database.prepare(
    "INSERT INTO stocktakes (platform, company_id, stock_id, stock_name, name, filter, started_at, started_by, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'preparing')",
  );
  const setState = database.prepare('UPDATE stocktakes SET state = ?, closed_at = ? WHERE id = ?');
  const removePrepared = database.prepare("UPDATE stocktakes SET state = 'deleted' WHERE state = 'preparing'");
  const deleted = database.prepare<{ id: number }>("SELECT id FROM stocktakes WHERE state = 'deleted' LIMIT 1");
  const forget = (table: 'entries' | 'lines') =>
    database.prepare(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE stocktake_id = ? LIMIT ${forgottenAtOnce})`,
    );
  const forgetParts = [forget('entries'), forget('lines')];
  const forgetTallies = database.prepare('DELETE FROM tallies WHERE stocktake_id = ?');
  const forgetWhole = database.prepare('DELETE FROM stocktakes WHERE id = ?');

  function toStocktake(row: StocktakeRow): Stocktake {
    const counted = new Map(tallies.all(row.id).map(({ standing, lines }) => [standing, lines]));
    return {
      id: row.id,
      // Of a damaged row, so much as a screen takes.
      name: shownText(row.name, longestName) || '?',
      stockId: row.stock_id,
      stockName: row.stock_name === null ? null : shownText(row.stock_name),
      // Of a damaged row, whatever is scanned.
      filter: stocktakeFilterSchema.safeParse(parseJson(row.filter ?? '')).data ?? null,
      startedAt: row.started_at,
      startedBy: row.started_by === null ? null : shownEmail(row.started_by),
      closedAt: row.closed_at,
      lines: Object.fromEntries(
        lineStates.map((state) => [state, Math.max(0, counted.get(state) ?? 0)]),
      ) as Stocktake['lines'],
    };
  }

  const countAll = (): number => total.get(...shop)?.total ?? 0;

  return {
    lines: openLines(database),
    /** Those that are open first, then the newest. */
    list: (offset: number, limit: number): { readonly total: number; readonly rows: readonly Stocktake[] } => ({
      total: countAll(),
      rows: list.all(...shop, limit, offset).map(toStocktake),
    }),
    /** Null for one of another shop or stock, for a deleted one, and for none. */
    find: (id: number): Stocktake | null => {
      const row = find.get(...shop, id);
      return row === undefined ? null : toStocktake(row);
    },
    /** Begins one that nobody sees before `open`. Fails with `stocktakeFull`, and with `inputInvalid` for another stock. */
    prepare: ({ name, stockId, stockName, filter, at, email }: NewStocktake): Result<number, Failure> => {
      if (!stockIds.includes(stockId)) {
        return fail({ kind: 'inputInvalid' });
      }
      if (countAll() >= maxStocktakes) {
        return fail({ kind: 'stocktakeFull' });
      }
      const written = filter === null ? null : JSON.stringify(filter);
      return succeed(insert.run(platform, companyId, stockId, stockName, name, written, at, email).lastId);
    },
    /** Opens it, or opens it again. */
    open: (id: number) => {
      setState.run('open', null, id);
    },
    close: (id: number, at: number) => {
      setState.run('closed', at, id);
    },
    /** It is gone at once; its lines go with `forgetSome`. */
    remove: (id: number) => {
      setState.run('deleted', null, id);
    },
    /** Removes counts that were being prepared when the app ended: they were never begun. */
    removePrepared: () => {
      removePrepared.run();
    },
    /** Forgets some lines of deleted ones; false when there was nothing left to forget. */
    forgetSome: () =>
      database.transaction(() => {
        const id = deleted.get()?.id;
        if (id === undefined) {
          return false;
        }
        if (forgetParts.every((part) => part.run(id).changes === 0)) {
          forgetTallies.run(id);
          forgetWhole.run(id);
        }
        return true;
      }),
  };
}
