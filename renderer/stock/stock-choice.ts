import type { StoreApi } from 'zustand/vanilla';
import type { Language } from '../../app/contract/basics.ts';
import { maxChosen } from '../../app/contract/limits/coupons.ts';
import type { StockRow } from '../../app/contract/browse.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import { unitOfAll } from '../formats/units.ts';
import { useLateStore } from '../stores/context.tsx';
import { createRowChoice, type RowChoice } from '../stores/row-selection.ts';
import type { Stores } from '../stores/stores.ts';
import { rowAt, type StockStore } from './stock-store.ts';

/** A product in one stock, as one text. */
export type RowKey = string;
export type StockChoice = StoreApi<RowChoice<RowKey>>;

const rowsAtOnce = 200;

export const keyOfRow = ({ stockId, productId }: Pick<StockRow, 'stockId' | 'productId'>): RowKey =>
  `${stockId} ${productId}`;

/** The products that are chosen. */
export function placesOf(chosen: ReadonlySet<RowKey>): readonly { readonly stockId: Id; readonly productId: Id }[] {
  return [...chosen].map((key) => {
    const [stockId, productId] = key.split(' ') as [Id, Id];
    return { stockId, productId };
  });
}

/** The unit that all of the chosen have, or the names of several; three dots stand for what is not here to be seen. */
export function unitsOf(
  pages: StockStore['pages'],
  chosen: ReadonlySet<RowKey>,
  language: Language,
): { readonly unit: string | null; readonly units?: string } {
  const rows = [...pages.values()].flat().filter((row) => row !== null && chosen.has(keyOfRow(row)));
  const units = rows.map((row) => row?.unit ?? null);
  return unitOfAll(units, rows.length < chosen.size, language);
}

/** Opens the choice of rows of the stock table. Another query begins with nothing chosen, so that all chosen were seen. */
function createStockChoice({ make, bridge, stock }: Stores): StockChoice {
  async function ids(first: number, howMany: number): Promise<Result<readonly RowKey[], Failure>> {
    const { query, view } = stock.getState();
    const keys: RowKey[] = [];
    for (let offset = first; offset < first + howMany; offset += rowsAtOnce) {
      const limit = Math.min(rowsAtOnce, first + howMany - offset);
      const page = await bridge.call('stock:browse', { query, ...(view === undefined ? {} : { view }), offset, limit });
      if (!page.ok) {
        return page;
      }
      if (view !== undefined && page.value.view !== view) {
        // Another view may hold other rows in these places.
        return fail({ kind: 'cancelled' });
      }
      keys.push(...page.value.rows.flatMap((row) => (row === null ? [] : keyOfRow(row))));
    }
    return succeed(keys);
  }

  const choice = createRowChoice<RowKey>(make, {
    max: maxChosen,
    total: () => stock.getState().count,
    idAt: (place) => {
      const row = rowAt(stock.getState().pages, place);
      return row === undefined || row === null ? row : keyOfRow(row);
    },
    ids,
  });
  stock.subscribe(({ query, pages }, before) => {
    if (query !== before.query) {
      choice.getState().clear();
    } else if (pages !== before.pages) {
      void choice.getState().look();
    }
  });
  return choice;
}

/** The choice of this page's table. */
export const useStockChoice = (): StockChoice => useLateStore(createStockChoice);
