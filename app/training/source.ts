import {
  movementTypes,
  type Balance,
  type Batch,
  type Listing,
  type ListedProduct,
  type MovementType,
  type Source,
  type Stock,
} from '../service/ports.ts';
import type { Balances } from './data/balances.ts';
import type { Changes } from './data/changes.ts';
import type { ProductIndex } from './data/product-index.ts';
import { generatedUpTo, type Products, type TrainingProduct } from './data/products.ts';
import { holdsEvery } from './data/world.ts';
import type { Variants } from './options/variants.ts';

/** The made-up shop's goods. */
export class TrainingSource implements Source {
  readonly movements = movementTypes;
  readonly #products: Products;
  readonly #changes: Changes;
  readonly #balances: Balances;
  readonly #index: ProductIndex;
  readonly #variants: () => Variants;

  constructor(products: Products, changes: Changes, balances: Balances, index: ProductIndex, variants: () => Variants) {
    this.#products = products;
    this.#changes = changes;
    this.#balances = balances;
    this.#index = index;
    this.#variants = variants;
  }

  list(stock: Stock, listing: Listing): { readonly total: number; readonly products: readonly ListedProduct[] } {
    const matches = this.#matches(stock, listing);
    const order = this.#index.order(listing.orderBy);
    const listed = matches === null ? order : order.filter((index) => matches(index));
    const first = Math.min(listing.offset, listed.length);
    const end = Math.min(first + listing.limit, listed.length);
    const products: ListedProduct[] = [];
    for (let place = first; place < end; place += 1) {
      const index = listed[listing.isAscending ? place : listed.length - 1 - place] ?? 0;
      products.push({
        product: this.#productAt(index),
        amount: this.#balances.amountOf(stock, index),
        updatedAt: this.#balances.updatedAt(stock, index),
      });
    }
    return { total: listed.length, products };
  }

  readBalance(stock: Stock, productId: bigint, movement: MovementType): Balance | null {
    const product = this.#productOf(productId);
    return product === null
      ? null
      : {
          product,
          amount: this.#balances.movementOf(stock, product.index, movement),
          options: this.#balances.optionAmounts(stock, product, movement),
        };
  }

  listBatches(
    stock: Stock,
    productId: bigint,
    optionIds: ReadonlySet<bigint> | null,
  ): { readonly product: TrainingProduct; readonly batches: readonly Batch[] } | null {
    const product = this.#productOf(productId);
    return product === null ? null : { product, batches: this.#balances.batchesOf(stock, product, optionIds) };
  }

  findKnown(productIds: ReadonlySet<bigint>): ReadonlySet<bigint> {
    return new Set(productIds.values().filter((id) => this.#indexOf(id) !== null));
  }

  #indexOf(id: bigint): number | null {
    const index = this.#products.indexOfId(id);
    return index === null || this.#changes.isRemoved(index) ? null : index;
  }

  /** The product with this id, under its present name; null when there is none or it was taken away. */
  #productOf(id: bigint): TrainingProduct | null {
    const index = this.#indexOf(id);
    return index === null ? null : this.#productAt(index);
  }

  #productAt(index: number): TrainingProduct {
    return { ...this.#products.at(index), name: this.#index.nameAt(index) };
  }

  /** Whether an index is listed; null when all are, so that a page of a million products needs no look at the rest. */
  #matches(stock: Stock, filter: Listing): ((index: number) => boolean) | null {
    const tests: ((index: number) => boolean)[] = [];
    const variants = this.#variants();
    const every = holdsEvery(stock);
    if (every > 1) {
      tests.push((index) => index % every === 0 || this.#changes.amountOf(stock.id, index) !== undefined);
    }
    if (this.#changes.hasRemovals) {
      tests.push((index) => !this.#changes.isRemoved(index));
    }
    if (filter.productIds !== null) {
      const chosen = new Set(filter.productIds.values().map((id) => this.#products.indexOfId(id)));
      tests.push((index) => chosen.has(index));
    }
    if (filter.updatedFrom !== null) {
      const { updatedFrom } = filter;
      tests.push(
        updatedFrom > generatedUpTo
          ? (index) => this.#changes.indexes.has(index) && this.#balances.updatedAt(stock, index) >= updatedFrom
          : (index) => this.#balances.updatedAt(stock, index) >= updatedFrom,
      );
    }
    if (filter.term !== null) {
      const found =
        variants.termMatch === 'contains' ? this.#index.findAnywhere(filter.term) : this.#index.find(filter.term);
      tests.push((index) => found.has(index));
    }
    if (filter.amount === 'zero' && variants.zeroMeans === 'noMovements') {
      tests.push(
        (index) =>
          this.#balances.movementOf(stock, index, 'in') === 0 && this.#balances.movementOf(stock, index, 'out') === 0,
      );
    } else if (filter.amount !== null && filter.amount !== 'all') {
      const sign = { positive: 1, negative: -1, zero: 0 }[filter.amount];
      tests.push((index) => Math.sign(this.#balances.amountOf(stock, index)) === sign);
    }
    return tests.length === 0 ? null : (index) => tests.every((test) => test(index));
  }
}
