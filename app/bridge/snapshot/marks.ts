// Where each thousandth product stands in each order. A page from the middle of the listing begins at the mark before
// it; without marks, a page near the end of a million products reads nearly all of them first.
import type { Database } from '../../storage/database.ts';

const distance = 1000;

/** The orders of a listing, and the column that decides each; of two that are alike, the id decides. */
export const orders = { id: 'id', code: 'code', name: 'folded' } as const;
type Order = keyof typeof orders;
const keyOf = (order: Order): string => (order === 'id' ? 'id' : `${orders[order]}, id`);

/** Opens the marks to be set. */
export function createMarking(database: Database) {
  const first = database.prepare('SELECT 1 FROM mark LIMIT 1');
  const clear = database.prepare('DELETE FROM mark');
  const set = (Object.keys(orders) as Order[]).map((order) =>
    database.prepare(
      `INSERT INTO mark SELECT '${order}', place - 1, text, id FROM (
         SELECT id, ${order === 'id' ? "''" : orders[order]} AS text, row_number() OVER (ORDER BY ${keyOf(order)}) AS place FROM product
       ) WHERE place % ${distance} = 1`,
    ),
  );
  return {
    areSet: (): boolean => first.get() !== undefined,
    /** After products have come, gone or changed, in the same transaction. */
    set: (): void => {
      clear.run();
      for (const statement of set) {
        statement.run();
      }
    },
  };
}

/** The rows of one page: a condition on the products, and how many of those that fit come before the page. */
export interface Start {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  readonly offset: number;
}

/** Opens what finds the mark from which a page is read. `total` products are in the whole listing. */
export function createStarts(database: Database) {
  const prepareMark = (sign: '<=' | '>=', direction: 'ASC' | 'DESC') =>
    database.prepare<{ place: number; text: string; id: number }>(
      `SELECT place, text, id FROM mark WHERE ordering = ? AND place ${sign} ? ORDER BY place ${direction} LIMIT 1`,
    );
  const before = prepareMark('<=', 'DESC');
  const after = prepareMark('>=', 'ASC');
  return (order: Order, isAscending: boolean, offset: number, total: number): Start => {
    // Descending, a page is counted from the end.
    const place = isAscending ? offset : total - 1 - offset;
    const mark = place < 0 ? undefined : (isAscending ? before : after).get(order, place);
    if (mark === undefined) {
      return { sql: 'true', values: [], offset };
    }
    const sign = isAscending ? '>=' : '<=';
    return {
      sql: order === 'id' ? `id ${sign} ?` : `(${keyOf(order)}) ${sign} (?, ?)`,
      values: order === 'id' ? [mark.id] : [mark.text, mark.id],
      offset: Math.abs(place - mark.place),
    };
  };
}
