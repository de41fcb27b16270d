//   L1  Each slice is one transaction, which ends with the product after which it has taken too long. Others have their
//       turn before the next slice, before its words are indexed, and before the write-ahead log is emptied.
//   L2  A crash between two slices leaves rows that no pass has seen, and perhaps some that no search finds before the
//       copy is opened again. The page is read again, and `save`, which alone counts, then counts each of its rows
//       once, in the transaction that also keeps how far the pass has got (S1 of sync.ts).
import type { Id } from '../../domain/int64.ts';
import type { ListedElement } from '../../platform/listing/listed-element.ts';
import type { StockNumber } from './row-writer.ts';
import type { CatalogueRepository } from './repository.ts';

/** At a million products so many take a few milliseconds on a slow till. */
const sliceSize = 20;
/** Where their places must be read from the disk, each may wait for it a dozen times. */
const maxSliceMs = 5;
/** A product that goes is looked for in every place where it can be found by a word. */
const removedAtOnce = 5;

/**
 * Shops the elements but the two ends; `save` of the same ones afterwards stores those, and has the others to count
 * alone. False when `rest` said so. Throws StorageError.
 */
export async function storeInSlices(
  repository: CatalogueRepository,
  stock: StockNumber,
  elements: readonly ListedElement[],
  askedAt: number,
  uptimeMs: () => number,
  rest: () => Promise<boolean>,
): Promise<boolean> {
  if (elements.length === 0) {
    return true;
  }
  // The pages before and behind may have more rows of those at its ends: `save` joins them (W9 of product-writer.ts).
  const ends = [elements[0], elements.at(-1)].map((element) => element?.product?.productId);
  const ahead = [...new Set(elements)].filter(({ product }) => !ends.includes(product?.productId));
  for (let first = 0; first < ahead.length;) {
    const fromMs = uptimeMs();
    const isLong = (): boolean => uptimeMs() - fromMs >= maxSliceMs;
    first += repository.writer.saveAhead(stock, ahead.slice(first, first + sliceSize), askedAt, isLong);
    if (!(await rest())) {
      return false;
    }
  }
  // Once for all of the page: the words of its products are mostly the same, and so are the places where they are kept.
  repository.writer.index();
  if (!(await rest())) {
    return false;
  }
  await repository.checkpoint(elements.length);
  return rest();
}

/** Removes the products. False when `rest` said so; doing it again then removes the others. Throws StorageError. */
export async function removeInSlices(
  repository: CatalogueRepository,
  stock: StockNumber,
  productIds: readonly Id[],
  rest: () => Promise<boolean>,
): Promise<boolean> {
  for (let first = 0; first < productIds.length; first += removedAtOnce) {
    repository.writer.remove(stock, productIds.slice(first, first + removedAtOnce));
    if (!(await rest())) {
      return false;
    }
  }
  await repository.checkpoint(productIds.length);
  return rest();
}
