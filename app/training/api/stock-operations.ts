// The three operations on a stock: listing, balance and batches (API v3 §4.3 to §4.5).
import { answerJson, answerPage, refuseNotFound, type PlatformAnswer } from './answers.ts';
import type { Balances, MovementType } from '../data/balances.ts';
import type { Changes } from '../data/changes.ts';
import type { Variants } from '../options/variants.ts';
import type { ProductIndex } from '../data/product-index.ts';
import { generatedUpTo, type Products, type TrainingProduct } from '../data/products.ts';
import { Query } from './query.ts';
import { writeBatch, writeElement, writeOptionAmount, writeProduct } from './shapes.ts';
import type { Stock } from '../data/world.ts';

const movementTypes: readonly MovementType[] = ['all', 'in', 'out'];
const amountFilters = ['all', 'positive', 'negative', 'zero'] as const;

interface ListingFilter {
  readonly term: string | null;
  readonly productIds: ReadonlySet<bigint> | null;
  readonly amount: (typeof amountFilters)[number] | null;
  readonly updatedFrom: number | null;
}

export class StockOperations {
  readonly #products: Products;
  readonly #changes: Changes;
  readonly #balances: Balances;
  readonly #index: ProductIndex;

  constructor(products: Products, changes: Changes, balances: Balances, index: ProductIndex) {
    this.#products = products;
    this.#changes = changes;
    this.#balances = balances;
    this.#index = index;
  }

  /** The product with this id, under its present name; null when there is none or it was taken away. */
  productOf(id: bigint): TrainingProduct | null {
    const index = this.#products.indexOfId(id);
    return index === null || this.#changes.isRemoved(index) ? null : this.#productAt(index);
  }

  /** API v3 §4.3. */
  list(stock: Stock, parameters: URLSearchParams, variants: Variants): PlatformAnswer {
    const query = new Query(parameters);
    const orderBy = query.oneOf('order_by_field', ['code', 'name']) ?? variants.defaultOrder;
    const isAscending = query.oneOf('order_by_type', ['asc', 'desc']) === 'asc';
    const { page, perPage } = query.paging();
    const filter: ListingFilter = {
      term: query.text('term'),
      productIds: query.ids('product_ids'),
      amount: query.oneOf('amount_in_stock', amountFilters),
      updatedFrom: query.dateTime('updated_from'),
    };
    const refusal = query.refusal(variants);
    if (refusal !== null) {
      return refusal;
    }
    const matches = this.#matches(stock, filter, variants);
    const order = this.#index.order(orderBy);
    const listed = matches === null ? order : order.filter((index) => matches(index));
    const lastPage = Math.max(variants.emptyLastPage, Math.ceil(listed.length / perPage));
    if (page > Math.max(1, lastPage) && variants.pageBeyondLast === 'notFound') {
      return refuseNotFound();
    }
    const first = page > lastPage ? listed.length : (Number(page) - 1) * perPage;
    const end = Math.min(first + perPage, listed.length);
    const elements: unknown[] = [];
    for (let place = first; place < end; place += 1) {
      const index = listed[isAscending ? place : listed.length - 1 - place] ?? 0;
      const amount = this.#balances.amountOf(stock, index);
      elements.push(writeElement(variants, this.#productAt(index), amount, this.#balances.updatedAt(stock, index)));
    }
    return answerPage(
      { stock_products: elements },
      { current: page, last: lastPage, per: perPage, total: listed.length },
    );
  }

  /** API v3 §4.4. */
  readBalance(stock: Stock, productId: bigint, parameters: URLSearchParams, variants: Variants): PlatformAnswer {
    const query = new Query(parameters);
    const movement = query.oneOf('movement_type', movementTypes) ?? 'all';
    const optionIds = query.ids('option_ids');
    const refusal = query.refusal(variants);
    if (refusal !== null) {
      return refusal;
    }
    const product = this.productOf(productId);
    if (product === null) {
      return refuseNotFound();
    }
    const options = this.#balances
      .optionAmounts(stock, product, movement)
      .filter(({ option }) => optionIds === null || optionIds.has(option.id));
    const balance =
      optionIds === null || variants.balanceWithOptions === 'whole'
        ? this.#balances.movementOf(stock, product.index, movement)
        : Math.round(options.reduce((sum, { amount }) => sum + amount, 0) * 1000) / 1000;
    // Within this platform exits are negative; zero has no sign.
    const counted = (amount: number): number =>
      movement === 'out' && variants.exits === 'positive' ? Math.abs(amount) : amount;
    return answerJson(200, {
      stock: { id: BigInt(stock.id), name: stock.name },
      product: writeProduct(variants.elementShape, product),
      balance: counted(balance),
      balance_options: options.map(({ option, amount }) =>
        writeOptionAmount(variants.elementShape, { option, amount: counted(amount) }),
      ),
    });
  }

  /** API v3 §4.5. */
  listBatches(stock: Stock, productId: bigint, parameters: URLSearchParams, variants: Variants): PlatformAnswer {
    const query = new Query(parameters);
    const optionIds = query.ids('option_ids');
    const refusal = query.refusal(variants);
    if (refusal !== null) {
      return refusal;
    }
    const product = this.productOf(productId);
    if (product === null) {
      return refuseNotFound();
    }
    const options = product.options.filter((option) => optionIds === null || optionIds.has(option.id));
    const batches = this.#balances.batchesOf(stock, product, optionIds);
    return answerJson(200, {
      product: writeProduct(variants.elementShape, product),
      option_names: options.map((option) => option.name).join(' '),
      stock_movements: batches.map((batch) => writeBatch(variants.elementShape, batch, variants.timeZone)),
    });
  }

  #productAt(index: number): TrainingProduct {
    return { ...this.#products.at(index), name: this.#index.nameAt(index) };
  }

  /** Whether an index is listed; null when all are, so that a page of a million products needs no look at the rest. */
  #matches(stock: Stock, filter: ListingFilter, variants: Variants): ((index: number) => boolean) | null {
    const tests: ((index: number) => boolean)[] = [];
    if (stock.holdsEvery > 1) {
      tests.push((index) => index % stock.holdsEvery === 0 || this.#changes.amountOf(stock.id, index) !== undefined);
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
