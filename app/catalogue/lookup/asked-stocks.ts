import type { Id } from '../../domain/int64.ts';
import { awaitedStocks, type StockRow } from '../repository/repository.ts';

/** Stocks that one question to the platform goes to; each costs a request of the rate limit. */
const maxStocksAsked = 5;

/** The stocks that a question goes to. */
export const askedStocks = (all: readonly StockRow[]): readonly StockRow[] =>
  awaitedStocks(all).slice(0, maxStocksAsked);

/** Whether an answer of these stocks says all that a question would (K3). */
// mutant: an answer of one stock counts for another (K3)
export const areAllAsked = (all: readonly StockRow[], answered: readonly Id[]): boolean =>
  askedStocks(all).every(({ stockId }) => answered.includes(stockId));
