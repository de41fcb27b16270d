import { cleanCode } from '../../domain/codes/barcode.ts';
import { parseId, type Id } from '../../domain/int64.ts';
import type { CatalogueHit, ProductReader } from '../repository/product-reader.ts';

/** One product is an answer; of several it is enough to know that there are two. */
const mostMatches = 2;

/**
 * The products of a stock, or of any, that each code names, cleaned as a scan is, by barcode, else by product code, else
 * by id, and never by a name; two when several share it. An id with zeros before it is another code, unless `areIds`: then all are ids. Throws
 * StorageError.
 */
export function matchCodes(
  reader: ProductReader,
  stockId: Id | null,
  codes: readonly string[],
  areIds = false,
): readonly (readonly CatalogueHit[])[] {
  return codes.map((given) => {
    const { text: code } = cleanCode(given);
    const id = parseId(code);
    const byId = () => (id === null || (id !== code && !areIds) ? [] : reader.findById(id));
    const steps = areIds ? [byId] : [() => reader.findByBarcode(code), () => reader.findByCode(code), byId];
    for (const find of steps) {
      const hits = find().flatMap((row) => reader.hit(row) ?? []);
      // A product that several stocks have is one.
      const products = new Map(
        hits.filter((hit) => stockId === null || hit.stockId === stockId).map((hit) => [hit.productId, hit]),
      );
      if (products.size > 0) {
        return [...products.values()].slice(0, mostMatches);
      }
    }
    return [];
  });
}
