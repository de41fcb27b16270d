import { parseId, type Id } from '../../domain/int64.ts';
import type { CatalogueHit, ProductReader } from '../store/product-reader.ts';

/** One product is an answer; of several it is enough to know that there are two. */
const mostMatches = 2;

/**
 * The products of a stock that each code names, by barcode, else by product code, else by id, and never by a name; two
 * when several share it. Throws StorageError.
 */
export function matchCodes(
  reader: ProductReader,
  stockId: Id,
  codes: readonly string[],
): readonly (readonly CatalogueHit[])[] {
  return codes.map((code) => {
    const id = parseId(code);
    const steps = [
      () => reader.findByBarcode(code),
      () => reader.findByCode(code),
      () => (id === null ? [] : reader.findById(id)),
    ];
    for (const find of steps) {
      const hits = find().flatMap((row) => reader.hit(row) ?? []);
      const ofStock = hits.filter((hit) => hit.stockId === stockId);
      if (ofStock.length > 0) {
        return ofStock.slice(0, mostMatches);
      }
    }
    return [];
  });
}
