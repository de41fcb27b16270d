import { isDeepStrictEqual } from 'node:util';
import type { CatalogueProduct } from '../../catalogue/repository/product-reader.ts';
import type { ProductCard } from '../../contract/products.ts';
import type { Id } from '../../domain/int64.ts';
import { couponOf } from '../../coupons/coupon-of.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Products, each in all of its stocks: a page reads the card of one product in all of them. */
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
  /** By product, then by stock. */
  const shown = new Map<Id, Map<Id, ProductCard>>();
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
     * Makes a card and remembers it as told, unless another one was; the oldest of more than 12 products is forgotten, and
     * all of a shop that has made way.
     */
    show: (open: Workspace, product: CatalogueProduct): ProductCard => {
      const card = toCard(open, product);
      if (open !== openNow()) {
        return card;
      }
      const cards = shown.get(card.productId) ?? new Map<Id, ProductCard>();
      // mutant: an answer counts as told what the page may drop from it
      const sent = cards.get(card.stockId) ?? card;
      cards.set(card.stockId, sent);
      shown.delete(card.productId);
      shown.set(card.productId, cards);
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
      for (const cards of shown.values()) {
        for (const [stockId, before] of cards) {
          const product = open.catalogue.read(stockId, before.productId);
          const card = product === null ? before : toCard(open, product);
          if (!isDeepStrictEqual(card, before)) {
            cards.set(stockId, card);
            emit(card);
          }
        }
      }
    },
  };
}
