// An entry is what was done, a line what stands after it:
//
//   L1  Whatever is done to a line is one entry, on disk with the line when it is answered.
//   L2  A line shows its newest entry that is not undone, and the copy's figure as it was at that entry.
//   L3  Undoing takes back the entry that is named, and only while its line shows it: nothing counted since goes with it.
//   L4  A figure that nobody knows is null: it differs from nothing and equals nothing.
//   L5  No step looks at more lines, or entries, than the one that it changes.
import { stocktakeLineSchema, type LineState, type StocktakeLine, type TakenBack } from '../contract/stocktakes.ts';
import { maxCounted, maxStocktakeLines } from '../contract/limits/stocktakes.ts';
import type { Failure } from '../domain/failure.ts';
import { differenceBetween } from '../domain/decimal.ts';
import { shownId, type Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { shownEmail, shownText } from '../domain/shown-text.ts';
import type { Database } from '../storage/database.ts';

/** The subject of a count: a product, or a code that names none. */
export type Subject =
  | { readonly productId: Id; readonly code: string | null; readonly name: string; readonly unit: string | null }
  | { readonly productId: null; readonly code: string; readonly miss: NonNullable<StocktakeLine['miss']> };

/** By which a line is found. */
export type LineKey = Pick<Subject, 'productId' | 'code'>;

/** The copy's figure; both null where it has none. */
export interface Figure {
  readonly amount: number | null;
  readonly asOf: number | null;
}

/** Who did it, when, and what the copy said then. */
export interface Entry {
  readonly at: number;
  readonly email: string | null;
  readonly figure: Figure;
}

interface LineRow {
  readonly id: number;
  readonly stocktake_id: number;
  readonly product_id: Id | null;
  readonly code: string | null;
  readonly name: string | null;
  readonly unit: string | null;
  readonly miss: StocktakeLine['miss'];
  readonly is_expected: number;
  readonly quantity: number | null;
  readonly figure: number | null;
  readonly figure_as_of: number | null;
  readonly has_figure_moved: number;
  readonly standing: LineState | 'removed';
  readonly place: number;
  readonly counted_at: number | null;
  readonly counted_by: string | null;
}

interface EntryRow {
  readonly id: number;
  readonly stocktake_id: number;
  readonly line_id: number;
  readonly at: number;
  readonly email: string | null;
  readonly text: string | null;
  readonly quantity: number | null;
  readonly figure: number | null;
  readonly figure_as_of: number | null;
  readonly has_figure_moved: number;
}

const asShown = {
  quantity: stocktakeLineSchema.shape.quantity.catch(null),
  figure: stocktakeLineSchema.shape.figure.catch(null),
  miss: stocktakeLineSchema.shape.miss.catch('unknown'),
};
const textOf = (text: string | null): string | null => (text === null ? null : shownText(text));

/** Of a damaged row, what can be shown: a quantity that is none is not known. */
function toLine(row: LineRow): StocktakeLine {
  return {
    id: row.id,
    step: row.place < 0 ? -row.place : null,
    productId: row.product_id === null ? null : shownId(row.product_id),
    code: textOf(row.code),
    name: textOf(row.name),
    unit: textOf(row.unit),
    quantity: asShown.quantity.parse(row.quantity),
    figure: asShown.figure.parse(row.figure),
    figureAsOf: row.figure_as_of,
    hasFigureMoved: row.has_figure_moved === 1,
    state: row.standing === 'removed' ? 'notCounted' : row.standing,
    miss: asShown.miss.parse(row.miss),
    countedAt: row.counted_at,
    countedBy: row.counted_by === null ? null : shownEmail(row.counted_by),
  };
}

/** A sum of decimals as a scale or a person would write it. */
const rounded = (quantity: number): number => Math.min(maxCounted, Math.round(quantity * 1e6) / 1e6);

function stateOf(line: Pick<LineRow, 'product_id' | 'is_expected'>, entry: EntryRow | undefined) {
  const quantity = entry?.quantity ?? null;
  if (quantity === null) {
    return line.is_expected === 1 ? 'notCounted' : 'removed';
  }
  if (line.product_id === null) {
    return 'unknownCode';
  }
  if (entry?.figure === null || entry === undefined) {
    return 'noFigure'; // L4
  }
  return differenceBetween(quantity, entry.figure) === 0 ? 'same' : 'different';
}

function statementsOf(database: Database) {
  const stateIs = 'WHERE stocktake_id = ? AND standing = ?';
  return {
    all: database.prepare<LineRow>(
      "SELECT * FROM lines WHERE stocktake_id = ? AND standing <> 'removed' ORDER BY place, id LIMIT ? OFFSET ?",
    ),
    after: database.prepare<LineRow>(
      "SELECT * FROM lines WHERE stocktake_id = ? AND id > ? AND standing <> 'removed' ORDER BY id LIMIT ?",
    ),
    inState: database.prepare<LineRow>(`SELECT * FROM lines ${stateIs} ORDER BY place, id LIMIT ? OFFSET ?`),
    count: database.prepare<{ lines: number | null }>(
      "SELECT sum(lines) AS lines FROM tallies WHERE stocktake_id = ? AND standing <> 'removed'",
    ),
    countInState: database.prepare<{ lines: number }>(`SELECT lines FROM tallies ${stateIs}`),
    byId: database.prepare<LineRow>('SELECT * FROM lines WHERE id = ?'),
    byProduct: database.prepare<LineRow>('SELECT * FROM lines WHERE stocktake_id = ? AND product_id = ?'),
    byCode: database.prepare<LineRow>('SELECT * FROM lines WHERE stocktake_id = ? AND product_id IS NULL AND code = ?'),
    insert: database.prepare(
      'INSERT INTO lines (stocktake_id, product_id, code, name, unit, miss, is_expected, figure, figure_as_of, standing) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    show: database.prepare(
      'UPDATE lines SET quantity = ?, figure = ?, figure_as_of = ?, has_figure_moved = ?, standing = ?, place = ?, counted_at = ?, counted_by = ? WHERE id = ?',
    ),
    insertEntry: database.prepare(
      'INSERT INTO entries (stocktake_id, line_id, at, email, text, quantity, figure, figure_as_of, has_figure_moved) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    newest: database.prepare<EntryRow>(
      'SELECT * FROM entries WHERE stocktake_id = ? AND is_undone = 0 ORDER BY id DESC LIMIT 1',
    ),
    newestOfLine: database.prepare<EntryRow>(
      'SELECT * FROM entries WHERE line_id = ? AND is_undone = 0 ORDER BY id DESC LIMIT 1',
    ),
    entry: database.prepare<EntryRow>('SELECT * FROM entries WHERE id = ?'),
    undo: database.prepare('UPDATE entries SET is_undone = 1 WHERE id = ?'),
  };
}

function createWriter(statements: ReturnType<typeof statementsOf>) {
  const countAll = (stocktakeId: number): number => statements.count.get(stocktakeId)?.lines ?? 0;

  function insert(
    stocktakeId: number,
    subject: Subject,
    { amount, asOf }: Figure,
    isExpected: boolean,
  ): Result<number, Failure> {
    if (countAll(stocktakeId) >= maxStocktakeLines) {
      return fail({ kind: 'stocktakeFull' });
    }
    const { name, unit, miss } =
      subject.productId === null ? { ...subject, name: null, unit: null } : { ...subject, miss: null };
    const state = isExpected ? 'notCounted' : 'removed';
    return succeed(
      statements.insert.run(
        stocktakeId,
        subject.productId,
        subject.code,
        name,
        unit,
        miss,
        isExpected ? 1 : 0,
        amount,
        asOf,
        state,
      ).lastId,
    );
  }

  const lineOf = (stocktakeId: number, { productId, code }: LineKey): LineRow | undefined =>
    productId === null ? statements.byCode.get(stocktakeId, code) : statements.byProduct.get(stocktakeId, productId);

  function rowOf(lineId: number): LineRow {
    const row = statements.byId.get(lineId);
    if (row === undefined) {
      throw new Error('a line that is not there');
    }
    return row;
  }

  /** L2 */
  function show(lineId: number): StocktakeLine {
    const row = rowOf(lineId);
    const entry = statements.newestOfLine.get(lineId);
    // A line that has no entry left keeps the figure that it showed.
    const figure = entry ?? row;
    statements.show.run(
      entry?.quantity ?? null,
      figure.figure,
      figure.figure_as_of,
      entry?.has_figure_moved ?? 0,
      stateOf(row, entry),
      entry === undefined ? 0 : -entry.id,
      entry?.at ?? null,
      entry?.email ?? null,
      lineId,
    );
    return toLine(rowOf(lineId));
  }

  /** L1 */
  function write(
    line: LineRow,
    { at, email, figure }: Entry,
    text: string | null,
    quantityAfter: (before: number) => number | null,
  ): StocktakeLine {
    const before = statements.newestOfLine.get(line.id);
    const hasMoved = before !== undefined && (before.has_figure_moved === 1 || before.figure !== figure.amount) ? 1 : 0;
    statements.insertEntry.run(
      line.stocktake_id,
      line.id,
      at,
      email,
      text,
      quantityAfter(before?.quantity ?? 0),
      figure.amount,
      figure.asOf,
      hasMoved,
    );
    return show(line.id);
  }

  /** Its figure stays. The text tells this from a line that a person takes out: it comes back with the next entry. */
  function takeOut({ id, code, figure, figureAsOf }: StocktakeLine, entry: Entry): void {
    write(rowOf(id), { ...entry, figure: { amount: figure, asOf: figureAsOf } }, code, () => null);
  }

  return { countAll, insert, lineOf, rowOf, show, takeOut, write };
}

function createSteps(statements: ReturnType<typeof statementsOf>) {
  const isTakenOut = (entry: EntryRow | undefined): entry is EntryRow =>
    entry !== undefined && entry.quantity === null && entry.text !== null;
  return {
    /** The entry, or the one that it is a part of, and the one by which that took the place of a line, written before it. */
    partsOf: (entry: EntryRow): readonly [EntryRow, ...EntryRow[]] => {
      const whole = isTakenOut(entry) ? (statements.entry.get(entry.id + 1) ?? entry) : entry;
      const gave = statements.entry.get(whole.id - 1);
      return isTakenOut(gave) && gave.stocktake_id === whole.stocktake_id ? [whole, gave] : [whole];
    },
    /** What this entry's line shows by now; the entry itself where it shows nothing. */
    newestOr: (entry: EntryRow): EntryRow => statements.newestOfLine.get(entry.line_id) ?? entry,
  };
}

/** The lines of all counts. Throws StorageError. */
export function openLines(database: Database) {
  const statements = statementsOf(database);
  const { countAll, insert, lineOf, rowOf, show, takeOut, write } = createWriter(statements);
  const { partsOf, newestOr } = createSteps(statements);

  return {
    /** The line that was counted last comes first; `state` null: all. */
    list: (
      stocktakeId: number,
      state: LineState | null,
      offset: number,
      limit: number,
    ): { readonly total: number; readonly rows: readonly StocktakeLine[] } => {
      const rows =
        state === null
          ? statements.all.all(stocktakeId, limit, offset)
          : statements.inState.all(stocktakeId, state, limit, offset);
      const total =
        state === null ? countAll(stocktakeId) : (statements.countInState.get(stocktakeId, state)?.lines ?? 0);
      return { total: Math.max(0, total), rows: rows.map(toLine) };
    },
    /** Up to `limit` lines after this one, in the order in which they came. */
    page: (stocktakeId: number, afterId: number, limit: number): readonly StocktakeLine[] =>
      statements.after.all(stocktakeId, afterId, limit).map(toLine),
    find: (stocktakeId: number, lineId: number): StocktakeLine | null => {
      const row = statements.byId.get(lineId);
      return row?.stocktake_id === stocktakeId ? toLine(row) : null;
    },
    /** Adds products of the count's filter, which nobody has counted yet. Fails with `stocktakeFull`. */
    expect: (
      stocktakeId: number,
      products: readonly { readonly subject: Subject; readonly figure: Figure }[],
    ): Result<void, Failure> =>
      database.transaction(() => {
        for (const { subject, figure } of products) {
          const inserted =
            lineOf(stocktakeId, subject) === undefined ? insert(stocktakeId, subject, figure, true) : null;
          if (inserted?.ok === false) {
            return inserted;
          }
        }
        return succeed(undefined);
      }),
    /** Adds a quantity to the subject's line, and takes out the one `instead` of which. Fails with `stocktakeFull`. */
    add: (
      stocktakeId: number,
      subject: Subject,
      { text, quantity, ...entry }: Entry & { readonly text: string; readonly quantity: number },
      instead: StocktakeLine | null = null,
    ): Result<StocktakeLine, Failure> =>
      database.transaction(() => {
        const known = lineOf(stocktakeId, subject);
        const id = known === undefined ? insert(stocktakeId, subject, entry.figure, false) : succeed(known.id);
        if (id.ok && instead !== null) takeOut(instead, entry);
        return id.ok ? succeed(write(rowOf(id.value), entry, text, (before) => rounded(before + quantity))) : id;
      }),
    /** Sets the line's quantity; null takes it out. */
    set: (
      { id }: Pick<StocktakeLine, 'id'>,
      { quantity, ...entry }: Entry & { readonly quantity: number | null },
    ): StocktakeLine =>
      database.transaction(() => write(rowOf(id), entry, null, () => (quantity === null ? null : rounded(quantity)))),
    /** The entry that the subject's line shows, if it is a scan of this text. */
    scanOf: (stocktakeId: number, subject: LineKey, text: string): number | null => {
      const line = lineOf(stocktakeId, subject);
      const shown = line === undefined ? undefined : statements.newestOfLine.get(line.id);
      return shown?.text === text && shown.quantity !== null ? shown.id : null;
    },
    /**
     * Undoes this entry; a line that it took the place of is back. Answers what stands before it where its line shows
     * another by now, and the newest of the count where there is no such entry.
     */
    undo: (stocktakeId: number, entryId: number | null): Omit<TakenBack, 'stocktake'> =>
      database.transaction(() => {
        const named = entryId === null ? undefined : statements.entry.get(entryId);
        // mutant: a step of another count is undone (L3)
        if (named?.stocktake_id !== stocktakeId) {
          const newest = statements.newest.get(stocktakeId);
          return { undone: null, line: newest === undefined ? null : toLine(rowOf(newest.line_id)) };
        }
        const parts = partsOf(named);
        // mutant: an entry is undone although its line shows another by now (L3)
        const obstacle = parts.find((part) => statements.newestOfLine.get(part.line_id)?.id !== part.id);
        if (obstacle !== undefined) {
          return { undone: null, line: toLine(rowOf(partsOf(newestOr(obstacle))[0].line_id)) };
        }
        parts.forEach(({ id }) => statements.undo.run(id)); // L3
        const [whole, ...gave] = parts;
        gave.forEach((part) => show(part.line_id));
        return { undone: whole.id, line: show(whole.line_id) };
      }),
  };
}
