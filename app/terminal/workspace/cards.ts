import type { CatalogueAnswer } from '../../catalogue/lookup/answers.ts';
import type { CatalogueProduct } from '../../catalogue/store/product-reader.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import type { ProductCard } from '../../contract/products.ts';
import { couponOf } from '../../coupons/coupon-of.ts';
import type { Workspace } from './workspace.ts';

/** The product's card with its coupon and its minimum. */
export function toCard(workspace: Workspace, product: CatalogueProduct): ProductCard {
  return {
    ...product,
    coupon: couponOf(workspace, product.productId),
    minimum: workspace.watchList.minimumOf(product),
  };
}

/** The contract's answer: the products with their coupons and minimums. */
export function withCards(answer: CatalogueAnswer, cardOf: (product: CatalogueProduct) => ProductCard): LookupAnswer {
  return answer.kind === 'found' ? { ...answer, cards: answer.cards.map(cardOf) } : answer;
}
