import type { HandlersOf, WithOpen } from '../contract/bridge.ts';
import type { ProductHit } from '../contract/products.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { mapResult, succeed, type Result } from '../domain/result.ts';
import type { WatchList } from './watch-list.ts';

interface Open {
  /** The copy, which finds the products of codes. */
  readonly catalogue: {
    match(stockId: Id | null, codes: readonly string[]): Promise<Result<readonly (readonly ProductHit[])[], Failure>>;
  };
  readonly watchList: WatchList;
}

/** One handler for each call about the watch list. */
export function createWatchListHandlers(withOpen: WithOpen<Open>): HandlersOf<'watchList'> {
  return {
    'watchList:set': ({ minima }) => withOpen((open) => succeed({ kept: open.watchList.set(minima) })),
    'watchList:match': ({ stockId, codes }) =>
      withOpen(async (open) => {
        const found = await open.catalogue.match(stockId, codes);
        return mapResult(found, (matches) => ({
          matches: matches.map((hits) =>
            hits.map(({ productId, code, name, unit }) => ({
              productId,
              code,
              name,
              unit,
              minimum: open.watchList.minimumOf({ stockId, productId }),
            })),
          ),
        }));
      }),
  };
}
