// Products to order, by the copy: a list to check, and not an order.
import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import type { StockQuery, StockRow } from '../../app/contract/browse.ts';
import type { ShownField } from '../../app/contract/fields.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { differenceBetween } from '../../app/domain/decimal.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import { unitCodeOf, unitsOfMeasure } from '../../app/domain/units.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { moment, number, text, type FileList } from '../files/columns.ts';
import { shortUnit } from '../formats/units.ts';

/** `proposed` fills the stock up to its minimum; null where nobody knows what is there. */
export interface OrderLine extends StockRow {
  readonly minimum: number;
  readonly proposed: number | null;
}

const rowsAtOnce = 200;
/** Its name, or what names it: neither its price nor its number. */
const supplierPath = /(?:supplier|vendor|fornecedor|proveedor)(?:[._]?(?:name|nome|nombre))?$/i;

/** The shop's name for the supplier among what it shows of the listing in the table; null where it shows none. */
export const supplierFieldOf = (shown: readonly ShownField[]): string | null =>
  shown.find(({ path, on }) => on.includes('table') && supplierPath.test(path))?.name ?? null;

/** By that name; null for a product without one. */
export const supplierOf = ({ fields }: Pick<StockRow, 'fields'>, supplier: string | null): string | null =>
  fields?.find(({ name }) => name === supplier)?.value ?? null;

/**
 * In the order of their suppliers, where the shop shows them; those without one come last, and after all what nobody
 * knows the figure of.
 */
export function bySupplier(lines: readonly OrderLine[], supplier: string | null): readonly OrderLine[] {
  const keyOf = (line: OrderLine): string => supplierOf(line, supplier) ?? '\uFFFF';
  return lines.toSorted(
    (left, right) =>
      Number(left.proposed === null) - Number(right.proposed === null) ||
      keyOf(left).localeCompare(keyOf(right), undefined, { numeric: true }),
  );
}

/** The quantity missing up to the minimum: whole pieces where a product is counted by the piece. */
export function proposedFor(
  { balance: { amount }, unit }: Pick<StockRow, 'balance' | 'unit'>,
  minimum: number,
): number | null {
  if (amount === null) {
    return null;
  }
  const code = unitCodeOf(unit);
  const isCounted = code !== null && unitsOfMeasure[code].decimals === 0 && !unitsOfMeasure[code].hasSymbol;
  const missing = differenceBetween(minimum, amount);
  return isCounted ? Math.ceil(missing) : missing;
}

/**
 * The watched products that are below their minimum, and after them those whose figure nobody knows. `onProgress` hears
 * how many were read, of how many. Fails as `stock:browse` does, or with `cancelled` by the signal.
 */
export async function readOrderLines(
  bridge: Bridge,
  query: StockQuery,
  onProgress: (done: number, of: number | null) => void,
  signal: AbortSignal,
): Promise<Result<readonly OrderLine[], Failure>> {
  const known: OrderLine[] = [];
  const unknown: OrderLine[] = [];
  const watched: StockQuery = { ...query, list: 'watched' };
  let view: number | undefined;
  for (let offset = 0; ;) {
    const page = await bridge.call('stock:browse', {
      query: watched,
      ...(view === undefined ? {} : { view }),
      offset,
      limit: rowsAtOnce,
    });
    if (signal.aborted || !page.ok) {
      return page.ok ? fail({ kind: 'cancelled' }) : page;
    }
    const { rows, found, isWhole, total } = page.value;
    if (view !== undefined && page.value.view !== view) {
      // Another view may hold other rows in these places.
      return fail({ kind: 'cancelled' });
    }
    ({ view } = page.value);
    for (const row of rows) {
      const minimum = row?.minimum ?? null;
      if (row !== null && minimum !== null) {
        const line = { ...row, minimum, proposed: proposedFor(row, minimum) };
        if (line.proposed === null) {
          unknown.push(line);
        } else if (line.proposed > 0) {
          known.push(line);
        }
      }
    }
    offset += rows.length;
    onProgress(offset, total);
    if (isWhole && offset >= found) {
      return succeed([...known, ...unknown]);
    }
  }
}

/** The lines as a file; `supplier` is the shop's name for that field. */
export function orderFile(
  lines: readonly OrderLine[],
  t: TFunction,
  language: Language,
  supplier: string | null,
): FileList<OrderLine> {
  return {
    title: t('watchList.order.title'),
    columns: [
      ...(supplier === null ? [] : [text(supplier, 28, (line: OrderLine) => supplierOf(line, supplier))]),
      text(t('stock.column.stock'), 20, ({ stockName, stockId }) => stockName ?? stockId),
      text(t('stock.column.code'), 16, ({ code }) => code),
      text(t('stock.column.name'), 44, ({ name }) => name),
      number(t('stock.column.balance'), 12, ({ balance }) => balance.amount),
      number(t('watchList.minimum'), 12, ({ minimum }) => minimum),
      number(t('watchList.order.proposed'), 12, ({ proposed }) => proposed),
      text(t('files.column.unit'), 8, ({ unit }) => shortUnit(unit, language)),
      moment(t('stock.column.asOf'), 20, ({ balance }) => balance.asOf),
    ],
    read: () => Promise.resolve(succeed({ rows: lines, of: lines.length, isLast: true })),
  };
}
