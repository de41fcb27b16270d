import type { StockState } from './terminal-state.ts';

type CopyOfStock = Pick<StockState, 'completeAsOf' | 'refused'>;

/** Whether products of this stock are still to come that were never copied: one that the platform refuses brings none. */
export const isToCome = ({ completeAsOf, refused }: CopyOfStock): boolean => completeAsOf === null && refused === null;

/**
 * Whether all that the platform lists of these stocks has been copied at least once, but for those that it refuses;
 * false while none is whole.
 */
export function isCopied(stocks: readonly CopyOfStock[]): boolean {
  return stocks.some(({ completeAsOf }) => completeAsOf !== null) && !stocks.some(isToCome);
}
