import { isDeepStrictEqual } from 'node:util';
import type { CatalogueProduct } from '../../catalogue/repository/product-reader.ts';
import type { ProductCard } from '../../contract/products.ts';
import { couponOf } from '../../coupons/coupon-of.ts';
import type { Workspace } from '../workspace/workspace.ts';

const maxShown = 12;

export type ShownCards = ReturnType<typeof createShownCards>;

/** The product's card with its coupon and its minimum. */
export function toCard(workspace: Workspace, product: CatalogueProduct): ProductCard {
  return {
    ...product,
    coupon: couponOf(workspace, product.productId),
    minimum: workspace.watchList.minimumOf(product),
  };
}

/**
 * Begins with nothing shown. `onUnsent`: an answer carries a change that no event has sent. The page drops from an answer what an
 * event has changed since it asked, so only an event is sure to be shown.
 */
export function createShownCards(workspace: () => Workspace | null, onUnsent: () => void) {
  const shown = new Map<string, ProductCard>();
  let shownAt: Workspace | null = null;

  /** The shop that is open, whose cards alone are remembered. */
  function openNow(): Workspace | null {
    const open = workspace();
    if (open !== shownAt) {
      shown.clear();
      shownAt = open;
    }
    return open;
  }

  return {
    /**
     * Makes a card and remembers it as told, unless another one was; the oldest of more than 12 is forgotten, and all of a
     * shop that has made way.
     */
    show: (open: Workspace, product: CatalogueProduct): ProductCard => {
      const card = toCard(open, product);
      if (open !== openNow()) {
        return card;
      }
      const key = `${card.stockId} ${card.productId}`;
      // mutant: an answer counts as told what the page may drop from it
      const sent = shown.get(key) ?? card;
      shown.delete(key);
      shown.set(key, sent);
      if (!isDeepStrictEqual(sent, card)) {
        onUnsent();
      }
      for (const oldest of [...shown.keys()].slice(0, Math.max(0, shown.size - maxShown))) {
        shown.delete(oldest);
      }
      return card;
    },
    /** Calls back with each remembered card that is no longer what was told. */
    emitChanged: (emit: (card: ProductCard) => void) => {
      const open = openNow();
      if (open === null) {
        return;
      }
      for (const [key, before] of shown) {
        const product = open.catalogue.read(before.stockId, before.productId);
        const card = product === null ? before : toCard(open, product);
        if (!isDeepStrictEqual(card, before)) {
          shown.set(key, card);
          emit(card);
        }
      }
    },
  };
}
