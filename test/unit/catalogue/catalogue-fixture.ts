import { join } from 'node:path';
import { openCatalogueRepository, type CatalogueRepository } from '../../../app/catalogue/repository/repository.ts';
import type { ShownField } from '../../../app/contract/fields.ts';
import type { ProductBatches } from '../../../app/contract/batches.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import { parseId, type Id } from '../../../app/domain/int64.ts';
import { fail, mapResult, succeed, type Result } from '../../../app/domain/result.ts';
import type {
  BalanceAnswer,
  CallOptions,
  FiguresAnswer,
  ListingPage,
  PlatformClient,
} from '../../../app/platform/client.ts';
import type { BalanceQuery, BatchesQuery, ListingQuery } from '../../../app/platform/query.ts';

import { onTestFinished } from 'vitest';
import { listed } from '../../support/listed.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

export function id(value: number | bigint | string): Id {
  const parsed = parseId(value);
  if (parsed === null) {
    throw new Error(`${value} is no id`);
  }
  return parsed;
}

export const stockOne = id(11);
export const stockTwo = id(12);

/** Opens a store that is closed when the test is over. */
export async function openRepository(
  options: {
    readonly path?: string;
    readonly fingerprint?: string;
    readonly stockIds?: readonly Id[];
    readonly rebuild?: boolean;
    readonly now?: () => number;
    readonly shownFields?: () => readonly ShownField[];
    readonly onFigure?: () => void;
  } = {},
): Promise<{ readonly repository: CatalogueRepository; readonly wasRebuilt: boolean; readonly path: string }> {
  const path = options.path ?? join(temporaryDirectory(), 'catalogue.db');
  const opened = await openCatalogueRepository({
    fingerprint: 'https://platform.example.com 1',
    stockIds: [stockOne],
    now: () => Date.UTC(2100, 0),
    ...options,
    path,
  });
  onTestFinished(() => opened.repository.close());
  return { ...opened, path };
}

/** A page of the listing as the platform sends it. */
export type PlatformPage = Omit<ListingPage, 'elements'> & { readonly elements: readonly unknown[] };

/** A product of which an answer says nothing. */
export const noProduct = { id: null, name: null, sku: null, unit: null };

/** A clock moved by hand, from the noon of a Monday on. */
export const createClock = (): ManualClock => createManualClock({ now: Date.UTC(2026, 0, 5, 12), uptimeMs: 1_000 });

export interface FakeProduct {
  readonly id: bigint;
  readonly code: string;
  readonly name: string;
  readonly barcode?: string;
  readonly balance?: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

export function elementOf({ id: productId, code, name, barcode, balance }: FakeProduct): Record<string, unknown> {
  return {
    id: Number.isSafeInteger(Number(productId)) ? Number(productId) : productId,
    code,
    name,
    ...(barcode === undefined ? {} : { barcode }),
    ...(balance === undefined ? {} : { balance }),
  };
}

/** A platform in memory: every stock has its products; hooks let a test drift, lie and fail. */
export class FakePlatform implements PlatformClient {
  readonly stocks = new Map<Id, FakeProduct[]>();
  readonly clock: ManualClock;
  readonly listings: ListingQuery[] = [];
  readonly balances: { stockId: Id; productId: Id }[] = [];
  readonly lanes: string[] = [];
  latencyMs = 100;
  /** The largest page that it grants. */
  largestPage = 100;
  platformOffsetMs: number | null = 0;
  /** Runs before every listing is answered; may change the stock. */
  beforeListing: (query: ListingQuery) => void = () => undefined;
  /** A failure instead of an answer, or null. */
  failListing: (query: ListingQuery) => Failure | null = () => null;
  /** Whose figures others wait for when a slot is granted. */
  wanted: readonly Id[] = [];
  /** Waits for a slot; false when it was given up. */
  granting: (whileWanted: AbortSignal | undefined) => Promise<boolean> = () => Promise.resolve(true);
  /** The last word on an answer. */
  changePage: (page: PlatformPage, query: ListingQuery) => PlatformPage = (page) => page;
  answerBalance: (stockId: Id, productId: Id) => Promise<Result<BalanceAnswer, Failure>> = (stockId, productId) =>
    Promise.resolve(
      succeed({
        stock: { id: stockId, name: 'Loja' },
        product: { ...noProduct, id: productId },
        balance: 7,
        options: [],
      }),
    );

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  /** Fills a stock with products 1 to count. */
  fill(stockId: Id, count: number): FakeProduct[] {
    const products = Array.from({ length: count }, (_, place) => ({
      id: BigInt(place + 1),
      code: `C${String(place + 1).padStart(7, '0')}`,
      name: `Produto ${place + 1}`,
      balance: place,
      updatedAt: this.clock.now() - 10_000_000,
    }));
    this.stocks.set(stockId, products);
    return products;
  }

  async listStockProducts(query: ListingQuery, options: CallOptions): Promise<Result<ListingPage, Failure>> {
    this.listings.push(query);
    this.lanes.push(options.lane);
    await Promise.resolve();
    if (options.signal?.aborted === true) {
      return fail({ kind: 'cancelled' });
    }
    this.clock.sleep(this.latencyMs);
    this.beforeListing(query);
    const failure = this.failListing(query);
    if (failure !== null) {
      return fail(failure);
    }
    const from = query.updatedFrom === undefined ? null : Date.parse(query.updatedFrom);
    const fitting = (this.stocks.get(query.stockId) ?? [])
      .filter((product) => from === null || product.updatedAt >= from)
      .filter((product) => query.productIds === undefined || query.productIds.includes(id(product.id)))
      .filter(
        (product) =>
          query.term === undefined ||
          [product.name, product.code, product.barcode ?? ''].some((text) =>
            text.toLowerCase().includes(query.term?.toLowerCase() ?? ''),
          ),
      )
      .toSorted((left, right) => (left.code < right.code ? -1 : 1));
    const perPage = Math.min(query.perPage, this.largestPage);
    const offset = (query.page - 1) * perPage;
    const page = this.changePage(
      {
        elements: fitting.slice(offset, offset + perPage).map(elementOf),
        currentPage: query.page,
        lastPage: Math.max(1, Math.ceil(fitting.length / perPage)),
        perPage,
        total: fitting.length,
        platformTime: this.platformOffsetMs === null ? null : this.clock.now() + this.platformOffsetMs,
      },
      query,
    );
    return succeed({ ...page, elements: listed(page.elements) });
  }

  async readBalance(
    { stockId, productId }: BalanceQuery,
    options: CallOptions,
  ): Promise<Result<BalanceAnswer, Failure>> {
    this.balances.push({ stockId, productId });
    this.lanes.push(options.lane);
    return this.answerBalance(stockId, productId);
  }

  async readFigures(
    query: Pick<BalanceQuery, 'stockId' | 'productId'>,
    options: CallOptions,
  ): Promise<Result<FiguresAnswer, Failure>> {
    if (!(await this.granting(options.whileWanted))) {
      return fail({ kind: 'cancelled' });
    }
    options.onLeaving?.();
    const productIds = [query.productId, ...this.wanted];
    if (productIds.length === 1) {
      return mapResult(await this.readBalance(query, options), (balance) => ({ kind: 'balance', balance }));
    }
    const page = await this.listStockProducts(
      { stockId: query.stockId, productIds, page: 1, perPage: 100, amountInStock: 'all' },
      options,
    );
    return succeed({ kind: 'listing', productIds, elements: mapResult(page, ({ elements }) => elements) });
  }

  listCouponSettings(): Promise<Result<readonly [], Failure>> {
    return Promise.resolve(succeed([]));
  }

  listSettingsOfUnnamedCompany(): Promise<Result<readonly [], Failure>> {
    return this.listCouponSettings();
  }

  listBatches(_query: BatchesQuery, _options: CallOptions): Promise<Result<ProductBatches, Failure>> {
    return Promise.resolve(fail({ kind: 'refused' }));
  }

  listScopes(): Promise<Result<never, Failure>> {
    return Promise.resolve(fail({ kind: 'refused' }));
  }

  write(): Promise<Result<never, Failure>> {
    return Promise.resolve(fail({ kind: 'refused' }));
  }
}
