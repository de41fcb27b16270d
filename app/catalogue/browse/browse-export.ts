// The stock table as a file: CSV for spreadsheet programs (RFC 4180), written page by page.
import type { StockExportInput, StockExportPage } from '../../contract/browse.ts';
import { csvLine, csvMark } from '../../domain/csv.ts';
import { writeInstant } from '../../domain/date-time.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { Browse } from './browse.ts';
import type { BrowsedProduct } from './browse-reader.ts';

const columns = [
  'stockId',
  'stockName',
  'productId',
  'code',
  'barcodes',
  'name',
  'balance',
  'unit',
  'balanceAsOf',
  'balanceSource',
  'updatedAt',
  'updatedBy',
] as const;

function lineOf({ hit, barcodes, updatedAt, updatedBy }: BrowsedProduct): string {
  const { stockId, stockName, productId, code, name, unit, balance } = hit;
  const balanceAsOf = balance.asOf === null ? null : writeInstant(balance.asOf);
  const [updated, by] = updatedAt === null ? [null, null] : [writeInstant(updatedAt), updatedBy];
  return csvLine([
    stockId,
    stockName,
    productId,
    code,
    barcodes.join(' '),
    name,
    balance.amount,
    unit,
    balanceAsOf,
    balance.source,
    updated,
    by,
  ]);
}

/** One page of the file; products that have gone meanwhile are left out. All pages after one another are the whole. */
function stockFileText(products: readonly (BrowsedProduct | null)[], isFirst: boolean): string {
  const lines = products.flatMap((product) => (product === null ? [] : lineOf(product)));
  return `${isFirst ? csvMark + csvLine(columns) : ''}${lines.join('')}`;
}

/** Few enough to be read and written at once. */
const productsAtOnce = 1_000;

/**
 * The next page of the file. Fails with `cancelled` when its view has been forgotten, or as the table does. Throws
 * StorageError.
 */
export async function exportStock(
  browse: Pick<Browse, 'exportPage'>,
  { query, view, after }: StockExportInput,
): Promise<Result<StockExportPage, Failure>> {
  const page = await browse.exportPage({ query, view, offset: after, limit: productsAtOnce });
  if (!page.ok) {
    return page;
  }
  if (view !== undefined && page.value.view !== view) {
    // Another view may hold other rows in these places.
    return fail({ kind: 'cancelled' });
  }
  const { rows, ...facts } = page.value;
  const reached = after + rows.length;
  return succeed({
    ...facts,
    text: stockFileText(rows, after === 0),
    next: facts.isWhole && reached >= facts.found ? null : reached,
  });
}
