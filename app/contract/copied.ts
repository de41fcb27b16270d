import type { StockState } from './terminal-state.ts';

/** Whether all that the platform lists of these stocks has been copied at least once; false for no stock. */
export function isCopied(stocks: readonly Pick<StockState, 'completeAsOf'>[]): boolean {
  return stocks.length > 0 && stocks.every(({ completeAsOf }) => completeAsOf !== null);
}
