import { maxReadAtOnce } from '../../app/contract/limits/labels.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { Stocktake } from '../../app/contract/stocktakes.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { FileList } from '../files/columns.ts';
import { readRows, type FileProgress } from '../files/write-list.ts';

/** Where the products come from whose labels are printed. */
export type LabelSource =
  | { readonly kind: 'products'; readonly places: readonly { readonly stockId: Id; readonly productId: Id }[] }
  | { readonly kind: 'count'; readonly stocktake: Stocktake };

export interface LabelledProduct {
  readonly card: ProductCard;
  /** How many pieces somebody has counted; null where nobody has. */
  readonly counted: number | null;
}

interface Wish {
  readonly onProgress: (progress: FileProgress) => void;
  readonly signal: AbortSignal;
}

interface Wanted {
  readonly stockId: Id;
  readonly productId: Id;
  readonly counted: number | null;
}

/** The products of a count, each once, in the order of its lines. */
async function readCount(
  bridge: Bridge,
  stocktake: Stocktake,
  wish: Wish,
): Promise<Result<readonly Wanted[], Failure>> {
  let after = 0;
  const read: FileList<Wanted>['read'] = async () => {
    const page = await bridge.call('stocktake:export', { stocktakeId: stocktake.id, after });
    if (!page.ok) {
      return page;
    }
    const { rows, next } = page.value;
    after = next ?? after;
    return succeed({
      rows: rows.flatMap(({ productId, quantity }) =>
        productId === null ? [] : [{ stockId: stocktake.stockId, productId, counted: quantity }],
      ),
      of: null,
      isLast: next === null,
    });
  };
  return readRows({ read }, wish);
}

/**
 * The products, in their order, without those that the copy no longer has. Fails as the calls do, or with `cancelled` by
 * the signal.
 */
export async function readProducts(
  bridge: Bridge,
  source: LabelSource,
  wish: Wish,
): Promise<Result<readonly LabelledProduct[], Failure>> {
  const wanted =
    source.kind === 'count'
      ? await readCount(bridge, source.stocktake, wish)
      : succeed(source.places.map((place) => ({ ...place, counted: null })));
  if (!wanted.ok) {
    return wanted;
  }
  const products: LabelledProduct[] = [];
  const of = wanted.value.length;
  for (let from = 0; from < of; from += maxReadAtOnce) {
    const slice = wanted.value.slice(from, from + maxReadAtOnce);
    const read = await bridge.call('product:readMany', {
      places: slice.map(({ stockId, productId }) => ({ stockId, productId })),
    });
    if (wish.signal.aborted || !read.ok) {
      return read.ok ? fail({ kind: 'cancelled' }) : read;
    }
    for (const [place, card] of read.value.entries()) {
      if (card !== null) {
        products.push({ card, counted: slice[place]?.counted ?? null });
      }
    }
    wish.onProgress({ done: from + slice.length, of });
  }
  return succeed(products);
}
