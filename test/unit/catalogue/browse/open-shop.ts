import { onTestFinished } from 'vitest';
import { openBrowse, type Browse, type PageRequest } from '../../../../app/catalogue/browse/browse.ts';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import type { StockQuery } from '../../../../app/contract/browse.ts';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import type { ManualClock } from '../../../support/manual-clock.ts';
import { createClock, id, openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { valueOf } from '../../../support/value-of.ts';
import { listed } from '../../../support/listed.ts';

export const dayMs = 86_400_000;
/** The beginning of yesterday in milliseconds since 1970, when it is the first day of 1970. */
export const yesterday = 12;
export const today = yesterday + dayMs;
export const watchedPlaces = {
  watched: [1, 2, 3, 4, 5].map((productId) => ({ stockId: stockOne, productId: id(productId) })),
  below: [2, 4].flatMap((productId) => [stockOne, stockTwo].map((stockId) => ({ stockId, productId: id(productId) }))),
};

export interface Shop {
  readonly repository: CatalogueRepository;
  readonly browse: Browse;
  readonly clock: ManualClock;
  /** Writes elements into the first or the second stock. */
  save(elements: readonly unknown[], options?: { readonly stock?: number; readonly askedAt?: number }): void;
  page(
    request: Partial<PageRequest>,
  ): Promise<{
    readonly view: number;
    readonly total: number | null;
    readonly found: number;
    readonly isWhole: boolean;
    readonly names: readonly (string | null)[];
  }>;
  /** Every name, page by page. */
  all(query: Partial<StockQuery>): Promise<readonly (string | null)[]>;
}

/** A copy of two stocks with its stock table, closed when the running test is over. */
export async function openShop(clock = createClock()): Promise<Shop> {
  const { repository } = await openRepository({ stockIds: [stockOne, stockTwo] });
  const browse = openBrowse({
    clock,
    reader: repository.browse,
    stocks: repository.stocks,
    watched: (list) => watchedPlaces[list],
    // Yesterday begins so much later than in UTC.
    offsetMinutes: () => -yesterday / 60_000,
  });
  onTestFinished(() => browse.close());
  const page: Shop['page'] = async (request) => {
    const [answer] = await Promise.all([
      browse.page({ query: everyProduct, offset: 0, limit: 200, ...request }),
      clock.advance(1),
    ]);
    const { rows, ...facts } = valueOf(answer);
    return { ...facts, names: rows.map((row) => row?.name ?? null) };
  };
  return {
    repository,
    browse,
    clock,
    page,
    save: (elements, { stock = 0, askedAt = 1 } = {}) => {
      const row = repository.stocks()[stock];
      if (row !== undefined) {
        repository.writer.save(row, listed(elements), { pass: 1, seenSince: 1, askedAt });
      }
    },
    all: async (part) => {
      const query = { ...everyProduct, ...part };
      const names: (string | null)[] = [];
      let view: number | undefined;
      for (;;) {
        const next = await page({ query, view, offset: names.length });
        view = next.view;
        names.push(...next.names);
        if (next.isWhole && names.length >= next.found) {
          return names;
        }
        await clock.advance(50);
      }
    },
  };
}
