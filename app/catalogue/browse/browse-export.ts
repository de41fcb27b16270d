import type { StockExportInput, StockExportPage } from '../../contract/browse.ts';
import { maxExported } from '../../contract/basics.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { ProductPlace } from '../repository/product-reader.ts';
import type { Browse } from './browse.ts';

/**
 * The table's next rows, without products that have gone meanwhile. Fails with `cancelled` when the view has been
 * forgotten, or as the table does. Throws StorageError.
 */
export async function exportStock(
  browse: Pick<Browse, 'exportPage'>,
  { query, view, after }: StockExportInput,
  minimumOf: (place: ProductPlace) => number | null,
): Promise<Result<StockExportPage, Failure>> {
  const page = await browse.exportPage({ query, view, offset: after, limit: maxExported });
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
    rows: rows.flatMap((row) =>
      row === null ? [] : { ...row, barcodes: [...row.barcodes], minimum: minimumOf(row.hit) },
    ),
    next: facts.isWhole && reached >= facts.found ? null : reached,
  });
}
