import type { StockState } from './terminal-state.ts';

/**
 * Whether all that the platform lists of these stocks has been copied at least once, but for those that it refuses;
 * false while none is whole.
 */
export function isCopied(stocks: readonly Pick<StockState, 'completeAsOf' | 'refused'>[]): boolean {
  return (
    stocks.some(({ completeAsOf }) => completeAsOf !== null) &&
    stocks.every(({ completeAsOf, refused }) => completeAsOf !== null || refused !== null)
  );
}
